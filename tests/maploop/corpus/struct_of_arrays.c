/* A struct of arrays goes through every function. */
#include <stdio.h>
#include <stdlib.h>

struct graph {
    int n, m;
    int *src, *dst;
    double *w;
    double *value, *next;
};

static void graph_init(struct graph *g, int n)
{
    g->n = n;
    g->m = 4 * n;
    g->src = malloc(g->m * sizeof *g->src);
    g->dst = malloc(g->m * sizeof *g->dst);
    g->w = malloc(g->m * sizeof *g->w);
    g->value = malloc(n * sizeof *g->value);
    g->next = malloc(n * sizeof *g->next);
    unsigned s = 42;
    for (int e = 0; e < g->m; e++) {
        s = s * 1103515245u + 12345u;
        g->src[e] = (int)((s >> 8) % (unsigned)n);
        s = s * 1103515245u + 12345u;
        g->dst[e] = (int)((s >> 8) % (unsigned)n);
        g->w[e] = 1.0 / (1 + e % 9);
    }
    for (int i = 0; i < n; i++) g->value[i] = i % 10;
}

static void spread(struct graph *g)
{
    for (int i = 0; i < g->n; i++) g->next[i] = 0;
#pragma inlay maploop
    for (int e = 0; e < g->m; e++)
        g->next[g->dst[e]] += g->w[e] * g->value[g->src[e]];
    double *t = g->value;
    g->value = g->next;
    g->next = t;
}

static void graph_free(struct graph *g)
{
    free(g->src); free(g->dst); free(g->w); free(g->value); free(g->next);
}

int main(void)
{
    struct graph g;
    graph_init(&g, 600);
    for (int k = 0; k < 3; k++) spread(&g);
    double sum = 0, weighted = 0;
    for (int i = 0; i < g.n; i++) { sum += g.value[i]; weighted += i * g.value[i]; }
    printf("sum %.10e weighted %.10e\n", sum, weighted);
    graph_free(&g);
    return 0;
}
