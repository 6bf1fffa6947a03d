#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

/* Complex amplitudes hop along edges. */
int main(void)
{
    const int n = 256, m = 512;
    double complex *psi = malloc(n * sizeof *psi), *hpsi = malloc(n * sizeof *hpsi);
    int *i1 = malloc(m * sizeof *i1), *i2 = malloc(m * sizeof *i2);
    for (int k = 0; k < n; k++) psi[k] = cexp(0.3 * I * k) / 16;
    for (int e = 0; e < m; e++) {
        i1[e] = e / 2;
        i2[e] = (e / 2 + (e % 2 ? 16 : 1)) % n;
    }
    for (int t = 0; t < 5; t++) {
        for (int k = 0; k < n; k++) hpsi[k] = 0.1 * k / n * psi[k];
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            hpsi[i1[e]] -= psi[i2[e]];
            hpsi[i2[e]] -= psi[i1[e]];
        }
#pragma inlay maploop
        for (int k = 0; k < n; k++) psi[k] -= 0.05 * I * hpsi[k];
    }
    double norm = 0;
    double complex sum = 0;
    for (int k = 0; k < n; k++) {
        norm += creal(psi[k] * conj(psi[k]));
        sum += psi[k] * (k + 1);
    }
    printf("norm %.10e sum (%.10e, %.10e)\n", norm, creal(sum), cimag(sum));
    free(psi); free(hpsi); free(i1); free(i2);
    return 0;
}
