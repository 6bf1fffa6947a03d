/* A program of several files, all given: marked loops in two of them, helpers in a third, which files write and free memory. */
#include "several_files.h"

int main(void)
{
    grid g = grid_make(14);
    double s = 0;
    for (int step = 0; step < 5; step++) {
        int list[4];
#pragma inlay maploop
        for (int v = 0; v < g.points; v++) {
            const int n = grid_neighbours(&g, v, list);
            for (int k = 0; k < n; k++) g.y[list[k]] += 0.125 * g.x[v];
        }
        s += relax(&g);
        grid_log(&g, step);
    }
    printf("%.10e %.10e\n", s, g.x[g.points / 2]);
    grid_free(&g);
    return 0;
}
