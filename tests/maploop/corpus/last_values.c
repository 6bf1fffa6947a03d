/* Scalars declared outside are set in each iteration; the last one's values are used behind the loop. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 200, i, j, flag = 7;
    double t = 0, u, *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
    int *at = malloc(n * sizeof(int));
    for (i = 0; i < n; i++) { at[i] = (i * 9 + 4) % n; x[i] = 1.0 / (i + 2); }
#pragma inlay maploop
    for (i = 0; i < n; i++) {
        j = at[i];
        t = x[j] - x[i];
        u = t * t;
        y[i] = u + j;
    }
    flag += j;
    printf("%d %d %.10e %.10e\n", i, flag, t, u);
    double s = 0;
    for (i = 0; i < n; i++) s += y[i];
    printf("%.10e\n", s);
    free(x); free(y); free(at);
    return 0;
}
