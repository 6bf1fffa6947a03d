/* The mesh changes every third step, outside of the marked loop. */
#include <stdio.h>
#include <stdlib.h>

static void rewire(int *to, int m, int n, int step)
{
    for (int e = 0; e < m; e++)
        if (e % 4 == step % 4) to[e] = (to[e] * 5 + step) % n;
}

int main(void)
{
    const int n = 256, m = 1024;
    int *from = malloc(m * sizeof *from), *to = malloc(m * sizeof *to);
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
    for (int e = 0; e < m; e++) {
        from[e] = e / 4;
        to[e] = (e * 3) % n;
    }
    for (int i = 0; i < n; i++) x[i] = i & 1 ? 1.0 : 2.0;
    for (int step = 1; step <= 10; step++) {
        if (step % 3 == 0) rewire(to, m, n, step);
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            y[to[e]] += 0.1 * x[from[e]];
            y[from[e]] -= 0.05 * x[to[e]];
        }
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            x[i] += 0.2 * y[i];
            y[i] = 0;
        }
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    printf("%.10e\n", s);
    free(from); free(to); free(x); free(y);
    return 0;
}
