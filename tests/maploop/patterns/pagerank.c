/* PageRank: ranks are pushed along edges, dangling vertices give to all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 500, m = 6 * n, it;
    int *src = malloc(m * sizeof(int)), *dst = malloc(m * sizeof(int)), *out = calloc(n, sizeof(int));
    double *rank = malloc(n * sizeof(double)), *next = malloc(n * sizeof(double)), damping = 0.85, delta = 1;
    unsigned seed = 7;
    for (int e = 0; e < m; e++) {
        seed = seed * 1664525u + 1013904223u;
        src[e] = (seed >> 8) % n;
        seed = seed * 1664525u + 1013904223u;
        dst[e] = (int)(((seed >> 8) % n) * ((seed >> 20) % n) / n);
        if (src[e] % 17 == 0) src[e]++;
        if (src[e] >= n) src[e] = 1;
    }
#pragma inlay maploop
    for (int e = 0; e < m; e++) out[src[e]]++;
    for (int v = 0; v < n; v++) rank[v] = 1.0 / n;
    for (it = 0; it < 50 && delta > 1e-9; it++) {
        double dangling = 0;
#pragma inlay maploop
        for (int v = 0; v < n; v++) {
            next[v] = 0;
            if (out[v] == 0) dangling += rank[v];
        }
#pragma inlay maploop
        for (int e = 0; e < m; e++) next[dst[e]] += rank[src[e]] / out[src[e]];
        delta = 0;
#pragma inlay maploop
        for (int v = 0; v < n; v++) {
            next[v] = (1 - damping) / n + damping * (next[v] + dangling / n);
            delta += fabs(next[v] - rank[v]);
        }
        double *t = rank;
        rank = next;
        next = t;
    }
    int top = 0;
    double sum = 0;
    for (int v = 0; v < n; v++) {
        sum += rank[v];
        if (rank[v] > rank[top]) top = v;
    }
    printf("%d iterations, sum %.10e, first is %d with %.10e\n", it, sum, top, rank[top]);
    free(src); free(dst); free(out); free(rank); free(next);
    return 0;
}
