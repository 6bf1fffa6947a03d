#include "several_files.h"

/* The same name as in another file. */
static int row_of(int v, int side) { return v % side; }

double relax(grid *g)
{
    double sum = 0;
#pragma inlay maploop
    for (int i = 0; i < g->points; i++) {
        g->x[i] = 0.5 * g->x[i] + g->y[i] + 0.001 * row_of(i, g->side);
        g->y[i] = 0;
        sum += g->x[i];
    }
    return sum;
}
