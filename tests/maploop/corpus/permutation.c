/* Writes through a permutation: no two iterations meet, which only the run shows. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 509;
    int *perm = malloc(n * sizeof *perm), *inverse = malloc(n * sizeof *inverse);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        perm[i] = (i * 100 + 17) % n; /* n is a prime */
        x[i] = i * 0.5;
    }
    for (int round = 0; round < 3; round++) {
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            y[perm[i]] = x[i] + 1;
            inverse[perm[i]] = i;
        }
#pragma inlay maploop
        for (int i = 0; i < n; i++) x[i] = y[inverse[i]] * 0.75;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 8);
    printf("%.10e %d\n", s, inverse[3]);
    free(perm); free(inverse); free(x); free(y);
    return 0;
}
