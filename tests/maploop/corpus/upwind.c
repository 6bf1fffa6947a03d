/* if/else by the sign of a speed decides what is read; both branches add. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int nc = 300, nf = 600, f, t;
    int *L = malloc(nf * sizeof(int)), *R = malloc(nf * sizeof(int));
    double *speed = malloc(nf * sizeof(double)), *c = malloc(nc * sizeof(double)), *dc = calloc(nc, sizeof(double));
    for (f = 0; f < nf; f++) {
        L[f] = f % nc;
        R[f] = (f % nc + (f < nc ? 1 : 17)) % nc;
        speed[f] = 0.02 * (f % 11 - 5);
    }
    for (f = 0; f < nc; f++) c[f] = f < 30 ? 1.0 : 0.1;
    for (t = 0; t < 15; t++) {
#pragma inlay maploop
        for (f = 0; f < nf; f++) {
            if (speed[f] > 0) {
                dc[L[f]] -= speed[f] * c[L[f]];
                dc[R[f]] += speed[f] * c[L[f]];
            } else if (speed[f] < 0) {
                double q = speed[f] * c[R[f]];
                dc[L[f]] -= q;
                dc[R[f]] += q;
            }
        }
        for (f = 0; f < nc; f++) { c[f] += dc[f]; dc[f] = 0; }
    }
    double total = 0, moment = 0;
    for (f = 0; f < nc; f++) { total += c[f]; moment += f * c[f]; }
    printf("%.10e %.10e\n", total, moment);
    free(L); free(R); free(speed); free(c); free(dc);
    return 0;
}
