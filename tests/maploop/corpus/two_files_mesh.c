#include "two_files_mesh.h"
#include <math.h>
#include <stdlib.h>

struct grid grid_make(int nx, int ny)
{
    struct grid g = {nx * ny, 0, malloc(2 * nx * ny * sizeof(int[2])), malloc(2 * nx * ny * sizeof(double))};
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            if (i + 1 < nx) {
                g.end[g.edges][0] = i * ny + j;
                g.end[g.edges][1] = (i + 1) * ny + j;
                g.weight[g.edges++] = 1.0;
            }
            if (j + 1 < ny) {
                g.end[g.edges][0] = i * ny + j;
                g.end[g.edges][1] = i * ny + j + 1;
                g.weight[g.edges++] = 0.5;
            }
        }
    return g;
}

void grid_start(const struct grid *g, double *u)
{
    for (int i = 0; i < g->points; i++) u[i] = 1 + sin(0.7 * i);
}

double grid_norm(const struct grid *g, const double *u)
{
    double s = 0;
    for (int i = 0; i < g->points; i++) s += u[i] * u[i];
    return sqrt(s);
}

void grid_free(struct grid *g)
{
    free(g->end);
    free(g->weight);
}
