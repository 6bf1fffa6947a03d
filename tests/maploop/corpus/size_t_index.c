#include <stdio.h>
#include <stdlib.h>

typedef struct { size_t rows, *start, *col; double *val; } csr;

static csr tridiagonal(size_t n)
{
    csr a = { n, malloc((n + 1) * sizeof(size_t)), malloc(3 * n * sizeof(size_t)), malloc(3 * n * sizeof(double)) };
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        a.start[i] = k;
        if (i > 0) { a.col[k] = i - 1; a.val[k++] = -1.0; }
        a.col[k] = i; a.val[k++] = 2.0 + (double)(i % 4);
        if (i + 1 < n) { a.col[k] = i + 1; a.val[k++] = -1.5; }
    }
    a.start[n] = k;
    return a;
}

static void multiply(const csr *a, const double *x, double *y)
{
#pragma inlay maploop
    for (size_t i = 0; i < a->rows; i++) {
        y[i] = 0;
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
            y[i] += a->val[k] * x[a->col[k]];
    }
}

int main(void)
{
    const size_t n = 750;
    csr a = tridiagonal(n);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), sum = 0;
    for (size_t i = 0; i < n; i++) x[i] = 1.0 + 0.001 * (double)i;
    multiply(&a, x, y);
    multiply(&a, y, x);
    for (size_t i = 0; i < n; i++) sum += x[i];
    printf("%zu rows, sum %.10e\n", a.rows, sum);
    free(a.start); free(a.col); free(a.val); free(x); free(y);
    return 0;
}
