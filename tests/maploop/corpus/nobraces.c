/* Loops without braces, one statement each. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int i, t;
  int *idx = malloc(n * sizeof(int));
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));

  for (i = 0; i < n; i++)
    idx[i] = (i * 17 + 5) % n, a[i] = i * 0.25, b[i] = 0;

  for (t = 0; t < 4; t++) {
#pragma inlay maploop
    for (i = 0; i < n; i++)
      b[i] = 0.5 * a[idx[i]] + 1.0;
#pragma inlay maploop
    for (i = 0; i < n; i++)
      if (b[i] > 10)
        a[i] = b[i];
      else
        a[i] = -b[i];
  }

  double s = 0;
  for (i = 0; i < n; i++)
    s += a[i];
  printf("%.10e\n", s);
  free(idx); free(a); free(b);
  return 0;
}
