/* Is a colouring right? Conflicts are counted, colours too, the worst vertex is found by a maximum. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; int *first, *neighbour; } graph;

static bool right(const graph *g, const int *colour)
{
    bool ok = true;
#pragma inlay maploop
    for (int v = 0; v < g->n; v++)
        for (int k = g->first[v]; k < g->first[v + 1]; k++)
            if (colour[v] == colour[g->neighbour[k]]) ok = false;
    return ok;
}

int main(void)
{
    enum { SIDE = 22, N = SIDE * SIDE };
    graph g = {N, malloc((N + 1) * sizeof(int)), malloc(4 * N * sizeof(int))};
    int *colour = malloc(N * sizeof *colour), *conflicts = calloc(N, sizeof *conflicts), used[4] = {0}, k = 0;
    for (int v = 0; v < N; v++) {
        const int i = v / SIDE, j = v % SIDE;
        g.first[v] = k;
        if (i > 0) g.neighbour[k++] = v - SIDE;
        if (i < SIDE - 1) g.neighbour[k++] = v + SIDE;
        if (j > 0) g.neighbour[k++] = v - 1;
        if (j < SIDE - 1) g.neighbour[k++] = v + 1;
        colour[v] = (i + j) % 2 + 2 * (v % 7 == 0);
    }
    g.first[N] = k;
    printf("%s\n", right(&g, colour) ? "right" : "wrong");
    for (int v = 0; v < N; v += 31) colour[v] = 3;
    printf("%s\n", right(&g, colour) ? "right" : "wrong");
    colour[50] = colour[51];
    int worst = 0, all = 0;
#pragma inlay maploop
    for (int v = 0; v < N; v++) {
        used[colour[v]]++;
        for (int e = g.first[v]; e < g.first[v + 1]; e++) conflicts[v] += colour[g.neighbour[e]] == colour[v];
        all += conflicts[v];
        if (conflicts[v] > worst) worst = conflicts[v];
    }
    printf("%s, %d conflicts, at most %d at one vertex; colours %d %d %d %d\n", right(&g, colour) ? "right" : "wrong", all / 2, worst, used[0], used[1], used[2], used[3]);
    free(g.first); free(g.neighbour); free(colour); free(conflicts);
    return 0;
}
