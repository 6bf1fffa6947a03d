/* Flat 2-D arrays behind IDX(i, j), SQR(x). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 40
#define NY 30
#define IDX(i, j) ((i) * NY + (j))
#define SQR(x) ((x) * (x))

int main(void)
{
    double *old = calloc(NX * NY, sizeof *old), *new = calloc(NX * NY, sizeof *new);
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            old[IDX(i, j)] = sin(SQR(i) * 0.01) + cos(j * 0.3);
#pragma inlay maploop
    for (int i = 1; i < NX - 1; i++) {
        for (int j = 1; j < NY - 1; j++) {
            double dx = 0.5 * (old[IDX(i + 1, j)] - old[IDX(i - 1, j)]);
            double dy = 0.5 * (old[IDX(i, j + 1)] - old[IDX(i, j - 1)]);
            new[IDX(i, j)] = sqrt(SQR(dx) + SQR(dy));
        }
    }
    double total = 0;
    for (int k = 0; k < NX * NY; k++) total += new[k];
    printf("gradient %.10e at middle %.10e\n", total, new[IDX(NX / 2, NY / 2)]);
    free(old);
    free(new);
    return 0;
}
