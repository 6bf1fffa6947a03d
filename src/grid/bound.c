/*
 * The perimeter bound: what rectangles of given numbers of cells must send at the least. A block of h x w cells sends w
 * cells to the north and to the south, h to the east and to the west, h + w - 1 on a diagonal; of all h with h w = A
 * cells one is best. On a torus a block of full width or height has fewer sides, if A allows one.
 */
#include "grid/cost.h"
#include <math.h>

/* How many directions of a pattern go up or down, across, and both. */
typedef struct sides {
    double down, across, both;
} sides;

static bool count_sides(const inlay_grid_pattern *pattern, sides *s)
{
    size_t directions = 0;
    const inlay_grid_offset *offset = grid_directions(pattern, &directions);
    *s = (sides){0};
    for (size_t k = 0; k < directions; k++) {
        if (offset[k].down < -1 || offset[k].down > 1 || offset[k].across < -1 || offset[k].across > 1) {
            return false;
        }
        s->down += offset[k].down != 0 && offset[k].across == 0;
        s->across += offset[k].down == 0 && offset[k].across != 0;
        s->both += offset[k].down != 0 && offset[k].across != 0;
    }
    return directions > 0;
}

/* The least of down w + across h + both (h + w - 1) over real h and w with h w = A in the grid: convex in h. */
static double least_of_block(double cells, double rows, double columns, const sides *s)
{
    double low = fmax(fmin(cells, 1), cells / columns);
    double high = fmin(rows, cells);
    double of_width = s->down + s->both;
    double of_height = s->across + s->both;
    double h = of_height > 0 ? sqrt(of_width * cells / of_height) : high;
    h = fmax(low, fmin(high, h));
    return of_width * (cells / h) + of_height * h - s->both;
}

static double least_on_torus(int64_t cells, int64_t rows, int64_t columns, const sides *s)
{
    if (cells == rows * columns) {
        return 0;
    }
    double least = least_of_block((double)cells, (double)rows, (double)columns, s);
    if (cells % columns == 0) {
        least = fmin(least, (s->down + s->both) * (double)columns);
    }
    if (cells % rows == 0) {
        least = fmin(least, (s->across + s->both) * (double)rows);
    }
    return least;
}

double grid_least_cells(const inlay_decomposition *d, const inlay_grid_pattern *pattern)
{
    sides s;
    if (!count_sides(pattern, &s)) {
        return NAN;
    }
    int64_t m = d->summary.rows;
    int64_t n = d->summary.columns;
    double sum = 0;
    for (int32_t i = 0; i < d->processors; i++) {
        if (d->cells[i] > 0) {
            sum += d->bounded ? least_of_block((double)d->cells[i], (double)m, (double)n, &s)
                              : least_on_torus(d->cells[i], m, n, &s);
        }
    }
    /* nothing is sent over the edges of a bounded grid */
    double edges = s.down * (double)n + s.across * (double)m + s.both * (double)(m + n - 1);
    return d->bounded ? fmax(0, sum - edges) : sum;
}
