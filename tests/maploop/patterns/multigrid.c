/* Multigrid V-cycles in one dimension: the same marked loops at every level, in a function that calls itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void smooth(int n, double h2, double *u, const double *f, double *work, int sweeps)
{
    for (int s = 0; s < sweeps; s++) {
#pragma inlay maploop
        for (int i = 1; i < n; i++) work[i] = u[i] + 2.0 / 3 * (0.5 * (u[i - 1] + u[i + 1] + h2 * f[i]) - u[i]);
#pragma inlay maploop
        for (int i = 1; i < n; i++) u[i] = work[i];
    }
}

static void cycle(int n, double h2, double *u, const double *f)
{
    double *work = calloc(n + 1, sizeof *work);
    smooth(n, h2, u, f, work, n > 2 ? 2 : 20);
    if (n > 2) {
        double *fine = calloc(n + 1, sizeof *fine), *coarse = calloc(n / 2 + 1, sizeof *coarse), *e = calloc(n / 2 + 1, sizeof *e);
#pragma inlay maploop
        for (int i = 1; i < n; i++) fine[i] = f[i] + (u[i - 1] - 2 * u[i] + u[i + 1]) / h2;
#pragma inlay maploop
        for (int i = 1; i < n / 2; i++) coarse[i] = 0.25 * (fine[2 * i - 1] + 2 * fine[2 * i] + fine[2 * i + 1]);
        cycle(n / 2, 4 * h2, e, coarse);
#pragma inlay maploop
        for (int i = 1; i < n; i++) u[i] += i % 2 ? 0.5 * (e[i / 2] + e[i / 2 + 1]) : e[i / 2];
        smooth(n, h2, u, f, work, 2);
        free(fine); free(coarse); free(e);
    }
    free(work);
}

int main(void)
{
    const int n = 128;
    double *u = calloc(n + 1, sizeof *u), *f = calloc(n + 1, sizeof *f), r = 0, s = 0;
    for (int i = 0; i <= n; i++) f[i] = 1 + sin(0.1 * i);
    for (int k = 0; k < 3; k++) cycle(n, 1.0 / n / n, u, f);
    for (int i = 1; i < n; i++) {
        const double d = f[i] + (u[i - 1] - 2 * u[i] + u[i + 1]) * n * n;
        r += d * d;
        s += u[i];
    }
    printf("residual %s, sum %.10e, middle %.10e\n", sqrt(r) < 1 ? "small" : "large", s, u[n / 2]);
    free(u);
    free(f);
    return 0;
}
