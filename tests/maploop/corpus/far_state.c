/* Another file keeps pointers to the arrays: a call without arguments changes the mesh, one prints what was computed. */
#include "far_state.h"
#include <stdlib.h>

int main(void)
{
    const int n = 90, m = 360;
    int *from = malloc(m * sizeof *from), *to = malloc(m * sizeof *to);
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
    for (int e = 0; e < m; e++) {
        from[e] = e % n;
        to[e] = (e * 7 + 1) % n;
    }
    for (int i = 0; i < n; i++) x[i] = 1 + i % 4;
    remember(n, m, to, x, y);
    for (int step = 0; step < 6; step++) {
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            y[to[e]] += 0.1 * x[from[e]];
            y[from[e]] -= 0.05 * x[to[e]];
        }
        report();
        tick();
    }
    free(from);
    free(to);
    free(x);
    free(y);
    return 0;
}
