/* Power iteration with a matrix in ELLPACK, column-major, padded with -1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 360, WIDTH = 6 };
static int cols[WIDTH][ROWS];
static double vals[WIDTH][ROWS];

int main(void)
{
    double *v = malloc(ROWS * sizeof *v), *w = malloc(ROWS * sizeof *w), lambda = 0;
    int i, k, it;
    for (i = 0; i < ROWS; i++) {
        v[i] = 1;
        for (k = 0; k < WIDTH; k++) {
            cols[k][i] = k <= 2 + i % 4 ? (i * (k + 1) + 13 * k) % ROWS : -1;
            vals[k][i] = 1.0 / (1 + k);
        }
    }
    for (it = 0; it < 40; it++) {
        double norm = 0;
#pragma inlay maploop
        for (i = 0; i < ROWS; i++) {
            double t = 0;
            for (k = 0; k < WIDTH; k++)
                if (cols[k][i] >= 0) t += vals[k][i] * v[cols[k][i]];
            w[i] = t;
            norm += t * t;
        }
        lambda = sqrt(norm);
#pragma inlay maploop
        for (i = 0; i < ROWS; i++) v[i] = w[i] / lambda;
    }
    double sum = 0;
    for (i = 0; i < ROWS; i++) sum += v[i];
    printf("%.10e %.10e\n", lambda, sum);
    free(v);
    free(w);
    return 0;
}
