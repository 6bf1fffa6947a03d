/* A time loop that swaps two pointers. */
#include <stdio.h>
#include <stdlib.h>

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int n = 512, steps = 25, i, t;
    double *u = malloc(n * sizeof(double));
    double *v = malloc(n * sizeof(double));
    double *w = malloc(n * sizeof(double));
    double *tmp;

    for (i = 0; i < n; i++) {
        u[i] = i == n / 2 ? 1.0 : 0.0;
        v[i] = u[i];
        w[i] = 0;
    }
    for (t = 0; t < steps; t++) {
#pragma inlay maploop
        for (i = 1; i < n - 1; i++)
            w[i] = 2 * v[i] - u[i] + 0.25 * (v[i - 1] - 2 * v[i] + v[i + 1]);
        tmp = u; u = v; v = w; w = tmp;
        if (t % 10 == 9) {
            swap(&u, &v);
            swap(&u, &v);
        }
    }
    for (i = n / 2 - 3; i <= n / 2 + 3; i++)
        printf("%d %.10e\n", i, v[i]);
    free(u); free(v); free(w);
    return 0;
}
