/* realloc between the steps: the graph grows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int n = 50, m = 0;
    int *edge = NULL;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) x[i] = 1;
    for (int round = 1; round <= 5; round++) {
        const int more = n + 40;
        x = realloc(x, more * sizeof *x);
        y = realloc(y, more * sizeof *y);
        for (int i = n; i < more; i++) x[i] = 0.5 * round;
        n = more;
        edge = realloc(edge, 2 * (m + 100) * sizeof *edge);
        for (int k = 0; k < 100; k++, m++) {
            edge[2 * m] = (m * 7) % n;
            edge[2 * m + 1] = (m * 11 + round) % n;
        }
        memset(y, 0, n * sizeof *y);
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            y[edge[2 * e]] += x[edge[2 * e + 1]];
            y[edge[2 * e + 1]] += x[edge[2 * e]];
        }
#pragma inlay maploop
        for (int i = 0; i < n; i++) x[i] = 0.9 * x[i] + 0.1 * y[i];
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    printf("%d vertices %d edges %.10e\n", n, m, s);
    free(edge); free(x); free(y);
    return 0;
}
