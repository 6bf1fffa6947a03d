/* ELLPACK: at most W neighbours, -1 where there is none. */
#include <stdio.h>
#include <stdlib.h>
#define W 5
#define NONE (-1)

int main(void)
{
    const int n = 350;
    int *nb = malloc(n * W * sizeof *nb);
    double *coef = malloc(n * W * sizeof *coef), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < W; k++) {
            nb[i * W + k] = (i + k) % 3 == 0 ? NONE : (i * 5 + k * k) % n;
            coef[i * W + k] = 0.125 * k;
        }
        x[i] = 1 + i % 6;
    }
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < W; k++) {
            int j = nb[i * W + k];
            if (j == NONE)
                continue;
            s += coef[i * W + k] * x[j];
        }
        y[i] = s;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i] * (1 + i % 10);
    printf("%.10e\n", sum);
    free(nb); free(coef); free(x); free(y);
    return 0;
}
