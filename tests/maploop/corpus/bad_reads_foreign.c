/* In place through a permutation: what is read may be old or new. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 97, i;
    int *p = malloc(n * sizeof *p);
    double *x = malloc(n * sizeof *x), s = 0;
    for (i = 0; i < n; i++) { p[i] = (i * 10 + 3) % n; x[i] = i; }
#pragma inlay maploop
    for (i = 0; i < n; i++)
        x[i] = 0.5 * x[p[i]] + 1;
    for (i = 0; i < n; i++) s += x[i] * i;
    printf("%.10e\n", s);
    free(p);
    free(x);
    return 0;
}
