/* Shortest paths: rounds over all edges until nothing changes. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int u, v, w; } edge;
#define INF (INT_MAX / 2)

int main(void)
{
    const int side = 20, n = side * side;
    int m = 0, rounds = 0;
    edge *e = malloc(4 * n * sizeof *e);
    int *dist = malloc(n * sizeof *dist), *next = malloc(n * sizeof *next);
    for (int v = 0; v < n; v++) {
        const int i = v / side, j = v % side;
        if (i + 1 < side) e[m++] = (edge){v, v + side, 1 + (v * 7) % 13}, e[m++] = (edge){v + side, v, 2 + v % 5};
        if (j + 1 < side) e[m++] = (edge){v, v + 1, 1 + (v * 11) % 17}, e[m++] = (edge){v + 1, v, 3};
        dist[v] = next[v] = v ? INF : 0;
    }
    bool changed = true;
    while (changed) {
        changed = false;
#pragma inlay maploop
        for (int k = 0; k < m; k++) {
            const int through = dist[e[k].u] + e[k].w;
            if (next[e[k].v] > through) next[e[k].v] = through;
        }
#pragma inlay maploop
        for (int v = 0; v < n; v++) {
            if (next[v] < dist[v]) changed = true;
            dist[v] = next[v];
        }
        rounds++;
    }
    long long sum = 0;
    int most = 0;
    for (int v = 0; v < n; v++) {
        sum += dist[v];
        if (dist[v] > most) most = dist[v];
    }
    printf("%d rounds, farthest %d, sum %lld\n", rounds, most, sum);
    free(e); free(dist); free(next);
    return 0;
}
