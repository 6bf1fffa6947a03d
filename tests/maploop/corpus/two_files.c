/* Two files: the mesh and the norm are elsewhere, the loop is here. */
#include "two_files_mesh.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct grid g = grid_make(21, 17);
    double *u = calloc(g.points, sizeof *u), *lap = calloc(g.points, sizeof *lap);
    grid_start(&g, u);
    for (int step = 0; step < 6; step++) {
#pragma inlay maploop
        for (int e = 0; e < g.edges; e++) {
            const int a = g.end[e][0], b = g.end[e][1];
            lap[a] += EDGE_WEIGHT(g, e) * (u[b] - u[a]);
            lap[b] += EDGE_WEIGHT(g, e) * (u[a] - u[b]);
        }
        for (int i = 0; i < g.points; i++) {
            u[i] += 0.1 * lap[i];
            lap[i] = 0;
        }
        printf("%d %.10e\n", step, grid_norm(&g, u));
    }
    free(u);
    free(lap);
    grid_free(&g);
    return 0;
}
