/* The kernel is a pointer to a function. */
#include <stdio.h>
#include <stdlib.h>

typedef double (*kernel_t)(double, double);

static double difference(double a, double b) { return b - a; }
static double mean(double a, double b) { return 0.5 * (a + b); }

static void apply(kernel_t k, int m, const int *s, const int *d, const double *x, double *y)
{
#pragma inlay maploop
    for (int e = 0; e < m; e++)
        y[d[e]] += k(x[s[e]], x[d[e]]);
}

int main(void)
{
    const int n = 100, m = 400;
    int *s = malloc(m * sizeof(int)), *d = malloc(m * sizeof(int));
    double *x = malloc(n * sizeof(double)), *y = calloc(n, sizeof(double)), sum = 0;
    for (int e = 0; e < m; e++) { s[e] = e % n; d[e] = (3 * e + 1) % n; }
    for (int i = 0; i < n; i++) x[i] = i % 9;
    apply(difference, m, s, d, x, y);
    apply(mean, m, s, d, x, y);
    for (int i = 0; i < n; i++) sum += y[i] * (1 + i % 3);
    printf("%.10e\n", sum);
    free(s); free(d); free(x); free(y);
    return 0;
}
