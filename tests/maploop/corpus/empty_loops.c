/* Loops of no iterations and of one, meshes smaller than the number of ranks. */
#include <stdio.h>
#include <stdlib.h>

static double run(int n, int m)
{
    double *x = calloc(n + 1, sizeof *x), s = 0;
    int *at = calloc(m + 1, sizeof *at);
    for (int e = 0; e < m; e++) at[e] = e * 2 % n;
    for (int t = 0; t < 3; t++) {
#pragma inlay maploop
        for (int e = 0; e < m; e++) x[at[e]] += 1 + e;
#pragma inlay maploop
        for (int i = 0; i < n; i++) s += x[i] * (i + 1);
    }
    free(x);
    free(at);
    return s;
}

int main(void)
{
    int sizes[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 5}, {6, 6}, {2, 40}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        printf("%d %d: %.10e\n", sizes[i][0], sizes[i][1], run(sizes[i][0], sizes[i][1]));
    return 0;
}
