/* LU without pivoting by OpenMP tasks, of tiles of one number. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    double *a = malloc((size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % (n + 1) == 0 ? n : 1.0 / (1 + i);
    }
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < n; k++) {
        double *d = a + k * n + k;
#pragma omp task depend(inout : d[0])
        d[0] += 0;
        for (int i = k + 1; i < n; i++) {
            double *below = a + i * n + k, *beside = a + k * n + i;
#pragma omp task depend(in : d[0]) depend(inout : below[0])
            below[0] /= d[0];
#pragma omp task depend(in : d[0]) depend(inout : beside[0])
            beside[0] += 0 * d[0];
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < n; j++) {
                double *l = a + i * n + k, *u = a + k * n + j, *c = a + i * n + j;
#pragma omp task depend(in : l[0], u[0]) depend(inout : c[0])
                c[0] -= l[0] * u[0];
            }
        }
    }
    int good = a[n * n - 1] > 0;
    free(a);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
