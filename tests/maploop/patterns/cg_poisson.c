/* Conjugate gradients with a diagonal preconditioner for the five points of Poisson's equation in CSR. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct CSRMatrix {
    size_t nrows;
    size_t *rowptr;
    unsigned *colidx;
    double *values, *invdiag;
} CSRMatrix;

static void spmv(const CSRMatrix *A, const double *x, double *y)
{
#pragma inlay maploop
    for (size_t row = 0; row < A->nrows; row++) {
        double acc = 0.0;
        for (size_t nz = A->rowptr[row]; nz < A->rowptr[row + 1]; nz++) acc += A->values[nz] * x[A->colidx[nz]];
        y[row] = acc;
    }
}

static double ddot(size_t n, const double *x, const double *y)
{
    double result = 0.0;
#pragma inlay maploop
    for (size_t i = 0; i < n; i++) result += x[i] * y[i];
    return result;
}

static void waxpby(size_t n, double a, const double *x, double b, const double *y, double *w)
{
#pragma inlay maploop
    for (size_t i = 0; i < n; i++) w[i] = a * x[i] + b * y[i];
}

int main(void)
{
    const size_t side = 20, n = side * side;
    CSRMatrix A = {n, malloc((n + 1) * sizeof(size_t)), malloc(5 * n * sizeof(unsigned)), malloc(5 * n * sizeof(double)), malloc(n * sizeof(double))};
    size_t nz = 0;
    for (size_t i = 0; i < n; i++) {
        A.rowptr[i] = nz;
        if (i >= side) A.colidx[nz] = (unsigned)(i - side), A.values[nz++] = -1;
        if (i % side) A.colidx[nz] = (unsigned)(i - 1), A.values[nz++] = -1;
        A.colidx[nz] = (unsigned)i;
        A.values[nz++] = 4.0 + (double)(i % 3);
        A.invdiag[i] = 1 / (4.0 + (double)(i % 3));
        if (i % side + 1 < side) A.colidx[nz] = (unsigned)(i + 1), A.values[nz++] = -1;
        if (i + side < n) A.colidx[nz] = (unsigned)(i + side), A.values[nz++] = -1;
    }
    A.rowptr[n] = nz;
    double *x = calloc(n, sizeof(double)), *r = malloc(n * sizeof(double)), *z = malloc(n * sizeof(double));
    double *p = malloc(n * sizeof(double)), *Ap = malloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++) r[i] = 1.0 + 0.1 * (double)(i % 7);
    double rz = 0;
    int k;
    for (k = 0; k < 30; k++) {
#pragma inlay maploop
        for (size_t i = 0; i < n; i++) z[i] = A.invdiag[i] * r[i];
        const double last = rz;
        rz = ddot(n, r, z);
        if (rz < 1e-10) break;
        waxpby(n, 1.0, z, k ? rz / last : 0.0, k ? p : z, p);
        spmv(&A, p, Ap);
        const double alpha = rz / ddot(n, p, Ap);
        waxpby(n, 1.0, x, alpha, p, x);
        waxpby(n, 1.0, r, -alpha, Ap, r);
    }
    printf("%d iterations %zu entries, |x| %.8e x[n/2] %.8e\n", k, nz, sqrt(ddot(n, x, x)), x[n / 2]);
    free(A.rowptr); free(A.colidx); free(A.values); free(A.invdiag);
    free(x); free(r); free(z); free(p); free(Ap);
    return 0;
}
