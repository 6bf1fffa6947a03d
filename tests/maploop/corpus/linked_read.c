/* Adjacency as linked lists that are only read: each vertex walks its own. */
#include <stdio.h>
#include <stdlib.h>

struct arc { int to; double weight; struct arc *next; };

int main(void)
{
    const int n = 160;
    struct arc **adj = calloc(n, sizeof *adj);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int v = 0; v < n; v++) {
        x[v] = v % 13;
        for (int k = 0; k < 1 + v % 5; k++) {
            struct arc *a = malloc(sizeof *a);
            *a = (struct arc){(v * 3 + k * k) % n, 0.5 + k, adj[v]};
            adj[v] = a;
        }
    }
#pragma inlay maploop
    for (int v = 0; v < n; v++) {
        double s = 0;
        for (const struct arc *a = adj[v]; a != NULL; a = a->next) s += a->weight * x[a->to];
        y[v] = s;
    }
    double s = 0;
    for (int v = 0; v < n; v++) {
        s += y[v] * (1 + v % 2);
        while (adj[v]) {
            struct arc *a = adj[v];
            adj[v] = a->next;
            free(a);
        }
    }
    printf("%.10e\n", s);
    free(adj); free(x); free(y);
    return 0;
}
