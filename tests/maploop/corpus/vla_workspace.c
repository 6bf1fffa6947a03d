/* Work arrays on the stack, of variable length, in functions that are called from different places. */
#include <stdio.h>

static double smooth(int n, const double *in, double *out, int passes)
{
    double a[n], b[n], change = 0;
    for (int i = 0; i < n; i++) a[i] = in[i];
    for (int p = 0; p < passes; p++) {
#pragma inlay maploop
        for (int i = 0; i < n; i++) b[i] = (a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n]) / 4;
#pragma inlay maploop
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        out[i] = a[i];
        change += (a[i] - in[i]) * (a[i] - in[i]);
    }
    return change;
}

static double deeper(int n, double *x)
{
    double pad[50], y[n];
    for (int i = 0; i < 50; i++) pad[i] = i;
    const double c = smooth(n, x, y, 2);
    for (int i = 0; i < n; i++) x[i] = y[i] + pad[i % 50] * 1e-3;
    return c;
}

int main(void)
{
    enum { N = 110 };
    double x[N], y[N], s = 0;
    for (int i = 0; i < N; i++) x[i] = i * i % 37;
    printf("%.10e\n", smooth(N, x, y, 3));
    printf("%.10e\n", deeper(N, y));
    printf("%.10e\n", deeper(N / 2, y));
    printf("%.10e\n", smooth(N, y, x, 1));
    for (int i = 0; i < N; i++) s += x[i] * i;
    printf("%.10e\n", s);
    return 0;
}
