/* Sums by processor and by pair of processors: how counts of cells come together. */
#ifndef GRID_TALLY_H
#define GRID_TALLY_H

#include <stdbool.h>
#include <stdint.h>

/** Cells by rank, of which few are above 0. */
typedef struct grid_tally {
    int64_t *sum;
    int32_t *touched; /**< ranks with a sum above 0 */
    int32_t count;
} grid_tally;

bool grid_tally_make(grid_tally *tally, int32_t processors);
void grid_tally_clear(grid_tally *tally);

static inline void grid_tally_add(grid_tally *tally, int32_t rank, int64_t cells)
{
    if (cells > 0) {
        if (tally->sum[rank] == 0) {
            tally->touched[tally->count++] = rank;
        }
        tally->sum[rank] += cells;
    }
}

/** Forgets all sums. */
void grid_tally_reset(grid_tally *tally);

/** Cells by pair of ranks: a table of all pairs where those are few, else a hash table. */
typedef struct grid_pairs {
    int32_t processors;
    int64_t *table;
    struct grid_pair *slot;
    uint64_t capacity, used;
} grid_pairs;

typedef struct grid_pair {
    int32_t from, to;
    int64_t cells; /**< 0: the slot is empty */
} grid_pair;

bool grid_pairs_make(grid_pairs *pairs, int32_t processors);
void grid_pairs_clear(grid_pairs *pairs);

/** False without memory. `cells` is above 0. */
bool grid_pairs_add(grid_pairs *pairs, int32_t from, int32_t to, int64_t cells);

/** All pairs by `from` and then `to`; they are forgotten then. */
void grid_pairs_take(grid_pairs *pairs, void (*visit)(void *context, const grid_pair *pair), void *context);

#endif
