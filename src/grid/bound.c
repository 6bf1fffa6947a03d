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
        if (offset[k].down < -1 || offset[k].down > 1 || offset[k].across < -1 || offset[k].across > 1 ||
            offset[k].through != 0) {
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

/* ---- Three dimensions ---- */

/* Six faces: those of a cube, or of what goes around the torus along one axis or two, where a number of cells allows. */
static double least_of_box(int64_t cells, const int64_t length[GRID_AXES], bool bounded)
{
    double least = 6 * cbrt((double)cells * (double)cells);
    for (int a = 0; a < GRID_AXES && !bounded; a++) {
        int64_t face = length[(a + 1) % GRID_AXES] * length[(a + 2) % GRID_AXES];
        if (cells % length[a] == 0) {
            const int64_t across = cells / length[a];
            least = fmin(least, 4 * (double)length[a] * sqrt((double)across));
        }
        if (cells % face == 0) {
            least = fmin(least, cells / face == length[a] ? 0 : 2 * (double)face);
        }
    }
    return least;
}

static double least_in_space(const inlay_decomposition *d, const inlay_grid_pattern *pattern)
{
    const int64_t length[] = {d->summary.rows, d->summary.columns, d->summary.planes};
    double sum = 0;
    for (int32_t i = 0; i < d->processors; i++) {
        sum += d->cells[i] > 0 ? least_of_box(d->cells[i], length, d->bounded) : 0;
    }
    for (int a = 0; a < GRID_AXES && d->bounded; a++) {
        sum -= 2 * (double)length[a] * (double)length[(a + 1) % GRID_AXES];
    }
    return pattern->communication == INLAY_GRID_STENCIL7 ? fmax(0, sum) : NAN;
}

/* ---- Any ---- */

double grid_least_cells(const inlay_decomposition *d, const inlay_grid_pattern *pattern)
{
    sides s;
    if (d->summary.planes > 1) {
        return least_in_space(d, pattern);
    }
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
