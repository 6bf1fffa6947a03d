/* Nothing but calls in main(); marked loops get arrays as parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static double dot(int n, const double *a, const double *b)
{
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static void axpy(int n, double alpha, const double *x, double *y)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

static void laplace(int n, const double *x, double *y)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        double v = 2.5 * x[i];
        if (i > 0) v -= x[i - 1];
        if (i < n - 1) v -= x[i + 1];
        y[i] = v;
    }
}

static int solve(int n, double *x, const double *b, double tol)
{
    double *r = must(malloc(n * sizeof *r)), *p = must(malloc(n * sizeof *p)), *ap = must(malloc(n * sizeof *ap));
    laplace(n, x, ap);
    for (int i = 0; i < n; i++) p[i] = r[i] = b[i] - ap[i];
    double rr = dot(n, r, r);
    int it;
    for (it = 0; it < 200 && sqrt(rr) > tol; it++) {
        laplace(n, p, ap);
        const double alpha = rr / dot(n, p, ap);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, ap, r);
        const double next = dot(n, r, r);
        const double beta = next / rr;
        for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
        rr = next;
    }
    free(r); free(p); free(ap);
    return it;
}

int main(void)
{
    const int n = 400;
    double *x = must(calloc(n, sizeof *x)), *b = must(malloc(n * sizeof *b));
    for (int i = 0; i < n; i++) b[i] = cos(0.05 * i);
    const int its = solve(n, x, b, 1e-6);
    printf("%s after %d steps, length %.6e, middle %.6e\n", its < 200 ? "converged" : "stopped", its, sqrt(dot(n, x, x)), x[n / 2]);
    free(x);
    free(b);
    return 0;
}
