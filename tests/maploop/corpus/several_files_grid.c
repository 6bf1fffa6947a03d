#include "several_files.h"

static int row_of(int v, int side) { return v / side; }
static const double start = 0.5;

grid grid_make(int side)
{
    grid g = {side, side * side, malloc((size_t)(side * side) * sizeof(double)), calloc((size_t)(side * side), sizeof(double))};
    for (int i = 0; i < g.points; i++) g.x[i] = start + i % 7;
    return g;
}

int grid_neighbours(const grid *g, int v, int *list)
{
    int n = 0, i = row_of(v, g->side), j = v % g->side;
    if (i > 0) list[n++] = v - g->side;
    if (i < g->side - 1) list[n++] = v + g->side;
    if (j > 0) list[n++] = v - 1;
    if (j < g->side - 1) list[n++] = v + 1;
    return n;
}

void grid_log(const grid *g, int step)
{
    FILE *f = fopen("grid.log", step == 0 ? "w" : "a");
    if (f == NULL) exit(3);
    fprintf(f, "%d %.6f\n", step, g->x[step]);
    fclose(f);
}

void grid_free(grid *g)
{
    free(g->x);
    free(g->y);
}
