/* The mesh comes through standard input. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2) {
        fprintf(stderr, "no mesh\n");
        return 1;
    }
    int *e = malloc(2 * m * sizeof(int));
    for (int i = 0; i < 2 * m; i++)
        if (scanf("%d", e + i) != 1) return 1;
    int *degree = calloc(n, sizeof(int));
#pragma inlay maploop
    for (int i = 0; i < m; i++) {
        degree[e[2 * i]]++;
        degree[e[2 * i + 1]]++;
    }
    for (int v = 0; v < n; v++) printf("%d%c", degree[v], v % 10 == 9 || v == n - 1 ? '\n' : ' ');
    free(e);
    free(degree);
    return 0;
}
