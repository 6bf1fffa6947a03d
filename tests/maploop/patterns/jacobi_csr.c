/* Jacobi's method on a sparse matrix with its diagonal apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 400;
    int *ptr = malloc((n + 1) * sizeof *ptr), *col = malloc(4 * n * sizeof *col), nz = 0;
    double *val = malloc(4 * n * sizeof *val), *diag = malloc(n * sizeof *diag), *b = malloc(n * sizeof *b);
    double *x = calloc(n, sizeof *x), *xnew = malloc(n * sizeof *xnew), norm = 1;
    for (int i = 0; i < n; i++) {
        ptr[i] = nz;
        for (int k = 1; k <= 1 + i % 4; k++) {
            col[nz] = (i + k * k * 7) % n;
            val[nz++] = -1.0 / k;
        }
        diag[i] = 4;
        b[i] = sin(0.1 * i) + 1;
    }
    ptr[n] = nz;
    int it = 0;
    while (norm > 1e-12 && it < 200) {
        norm = 0;
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            double sigma = b[i];
            for (int k = ptr[i]; k < ptr[i + 1]; k++) sigma -= val[k] * x[col[k]];
            xnew[i] = sigma / diag[i];
            norm += (xnew[i] - x[i]) * (xnew[i] - x[i]);
        }
        double *swap = x;
        x = xnew;
        xnew = swap;
        it++;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    printf("%d iterations, sum %.10e, x[0] %.10e\n", it, sum, x[0]);
    free(ptr); free(col); free(val); free(diag); free(b); free(x); free(xnew);
    return 0;
}
