/* Counting messages: who sends how many cells to whom, in each direction. */
#ifndef GRID_COUNT_H
#define GRID_COUNT_H

#include "grid/grid.h"
#include "grid/tally.h"

/** Takes what rank `from` sends to another rank `to` in a direction, once for each three of them; cells > 0. */
typedef void (*grid_visit)(void *context, int32_t from, int32_t to, int32_t direction, int64_t cells);

/** What counts for one decomposition, with room to work in. */
typedef struct grid_counter {
    const inlay_decomposition *d;
    grid_visit visit;
    void *context;
    grid_tally tally;   /**< RECTANGLES, RUNS */
    int32_t *stack;     /**< RECTANGLES */
    grid_pairs pairs;   /**< UNITS */
    int64_t *histogram; /**< INTERLEAVED */
    int64_t *scratch;
} grid_counter;

int grid_counter_make(const inlay_decomposition *d, grid_visit visit, void *context, grid_counter *counter,
                      inlay_diag *diag);
void grid_counter_clear(grid_counter *counter);

/** Counts one direction. */
int grid_count(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset, inlay_diag *diag);

/** The directions of a pattern; NULL for patterns that have none. */
const inlay_grid_offset *grid_directions(const inlay_grid_pattern *pattern, size_t *directions);

/** INLAY_BAD_ARGUMENT where the pattern says something that cannot be. */
int grid_check_pattern(const inlay_grid_pattern *pattern, int32_t processors, inlay_diag *diag);

/* ---- One shape a file ---- */

void grid_count_rectangles(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset);
void grid_count_runs(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset);
int grid_count_units(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset, inlay_diag *diag);

/** What the tally has for others than `from`, handed out; the tally is empty then. */
void grid_count_hand_out(grid_counter *counter, int32_t from, int32_t direction);

#endif
