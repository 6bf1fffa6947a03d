/* The helper itself adds to elements that it gets pointers to. */
#include <stdio.h>
#include <stdlib.h>

static void kernel(const double *xa, const double *xb, double *ya, double *yb)
{
    const double d = *xb - *xa;
    *ya += d;
    *yb -= 0.5 * d;
}

static void add_into(double *y, int i, double v) { y[i] += v; }

int main(void)
{
    int n = 250, m = 750;
    int *map = malloc(2 * m * sizeof *map);
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    for (int e = 0; e < m; e++) {
        map[2 * e] = e % n;
        map[2 * e + 1] = (e * 11 + 6) % n;
    }
    for (int i = 0; i < n; i++) x[i] = i % 12;
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        kernel(x + map[2 * e], x + map[2 * e + 1], y + map[2 * e], y + map[2 * e + 1]);
        add_into(z, map[2 * e], 0.25 * x[map[2 * e + 1]]);
    }
    double s = 0, t = 0;
    for (int i = 0; i < n; i++) { s += y[i] * y[i]; t += z[i]; }
    printf("%.10e %.10e\n", s, t);
    free(map); free(x); free(y); free(z);
    return 0;
}
