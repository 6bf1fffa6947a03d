/*
 * Tiled Cholesky factorisation by OpenMP tasks: a program to capture.
 *
 *     clang -O2 -fopenmp cholesky.c -o cholesky -lm      (or gcc)
 *     inlay capture -o cholesky.tg -- ./cholesky 20 64
 *
 * TILES by TILES tiles of SIZE by SIZE numbers; the lower half is factored. Prints the seconds that the tasks took. With
 * -DBLAS -lopenblas the tiles are calculated by a BLAS, on one thread each (OPENBLAS_NUM_THREADS=1).
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef BLAS
#include <cblas.h>
#include <lapacke.h>

static void factor(int n, double *a)
{
    (void)LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, a, n);
}

static void solve(int n, const double *a, double *b)
{
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, a, n, b, n);
}

static void update(int n, const double *a, const double *b, double *c)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, -1, a, n, b, n, 1, c, n);
}

#else

static void factor(int n, double *a)
{
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j <= i; j++) {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
        }
    }
}

/* b := b L^-T, of the factor L in a. */
static void solve(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = b[i * n + k];
            for (int j = 0; j < k; j++) {
                sum -= b[i * n + j] * a[k * n + j];
            }
            b[i * n + k] = sum / a[k * n + k];
        }
    }
}

/* c := c - a b^T. */
static void update(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[j * n + k];
            }
            c[i * n + j] -= sum;
        }
    }
}

#endif

static double *new_tile(int n, int i, int j)
{
    double *tile = malloc((size_t)n * (size_t)n * sizeof *tile);
    for (int k = 0; tile != NULL && k < n * n; k++) {
        tile[k] = i == j && k % (n + 1) == 0 ? 4.0 * n * (i + 1) : 1.0 / (1 + (k * 7 + i + j) % 13);
    }
    return tile;
}

int main(int argc, char **argv)
{
    int tiles = argc > 1 ? atoi(argv[1]) : 20, n = argc > 2 ? atoi(argv[2]) : 64;
    double **a = malloc((size_t)tiles * (size_t)tiles * sizeof *a);
    if (tiles < 1 || n < 1 || a == NULL) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < tiles; i++) {
        for (int j = 0; j <= i; j++) {
            if ((a[i * tiles + j] = new_tile(n, i, j)) == NULL) {
                return EXIT_FAILURE;
            }
        }
    }
    double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < tiles; k++) {
        double *diagonal = a[k * tiles + k];
#pragma omp task depend(inout : diagonal[0])
        factor(n, diagonal);
        for (int i = k + 1; i < tiles; i++) {
            double *below = a[i * tiles + k];
#pragma omp task depend(in : diagonal[0]) depend(inout : below[0])
            solve(n, diagonal, below);
        }
        for (int i = k + 1; i < tiles; i++) {
            for (int j = k + 1; j <= i; j++) {
                double *left = a[i * tiles + k], *right = a[j * tiles + k], *to = a[i * tiles + j];
#pragma omp task depend(in : left[0], right[0]) depend(inout : to[0])
                update(n, left, right, to);
            }
        }
    }
    printf("%.6f\n", omp_get_wtime() - begin);
    for (int i = 0; i < tiles; i++) {
        for (int j = 0; j <= i; j++) {
            free(a[i * tiles + j]);
        }
    }
    free(a);
    return EXIT_SUCCESS;
}
