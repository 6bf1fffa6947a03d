/* Two files: a pure function of the loop is defined in the other one. */
#include "two_files_kernel.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 140, m = 420;
    int *a = malloc(m * sizeof *a), *b = malloc(m * sizeof *b);
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y), s = 0;
    for (int e = 0; e < m; e++) {
        a[e] = e % n;
        b[e] = (e * 11 + 3) % n;
    }
    for (int i = 0; i < n; i++) x[i] = 0.1 * (i % 25);
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        const double p = potential(x[a[e]] - x[b[e]]);
        y[a[e]] += p;
        y[b[e]] += p;
        s += p;
    }
    double t = 0;
    for (int i = 0; i < n; i++) t += y[i] * y[i];
    printf("%.10e %.10e\n", s, t);
    free(a); free(b); free(x); free(y);
    return 0;
}
