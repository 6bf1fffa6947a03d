/* Dot products and norms in helpers; the time step hangs on them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double dot(const double *x, const double *y, int n)
{
    double s = 0.0;
    int i;
#pragma inlay maploop
    for (i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

static double norm(const double *x, int n) { return sqrt(dot(x, x, n)); }

int main(void)
{
    int n = 320, i, k;
    double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
    for (i = 0; i < n; i++) x[i] = 1.0 + (i == 5);
    for (k = 0; k < 30; k++) {
#pragma inlay maploop
        for (i = 0; i < n; i++)
            y[i] = 3 * x[i] + x[(i + 1) % n] + x[(i + n - 1) % n] + 0.01 * (i % 7) * x[i];
        double l = norm(y, n);
        for (i = 0; i < n; i++) x[i] = y[i] / l;
    }
    printf("length %.10e\n", norm(x, n));
    printf("quotient %.10e\n", dot(x, y, n));
    free(x);
    free(y);
    return 0;
}
