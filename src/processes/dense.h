/* Dense linear algebra on a process grid: what the files of it share. */
#ifndef PROCESSES_DENSE_H
#define PROCESSES_DENSE_H

#include "base/memory.h"
#include <inlay/dense.h>

/** Block rows of process rows, or block columns of process columns. Block t from the end (0: the last) belongs to
    sequence[t mod period]. */
typedef struct dense_axis {
    int32_t size; /**< p or q */
    int64_t period;
    int32_t *sequence;
    int64_t *blocks; /**< of each process row, of a whole period */
    int64_t *extent; /**< rows or columns of each in the last `counted` blocks */
    int64_t counted;
} dense_axis;

/** Processors by falling speed, and whether they differ. */
typedef struct dense_problem {
    const inlay_dense_question *asked;
    const double *speed; /**< by falling speed */
    bool unlike;
} dense_problem;

/**
 * Weights r of the p process rows, then c of the q columns, for which r_i c_j is at most the speed of process (i, j) and
 * none can grow alone.
 */
void dense_weigh(const double *speed, const int32_t shape[2], double *weight);

/** The axis of so many blocks; `weight` NULL: cyclic. Free `pool` afterwards. False without memory. */
bool dense_axis_make(dense_axis *axis, memory_pool *pool, int32_t size, const double *weight, int64_t blocks);

/** Goes on to the last `blocks` blocks, of which there are no fewer than before; all but the last have `block` rows. */
void dense_axis_count(dense_axis *axis, int64_t blocks, int64_t block, int64_t last);

/** Fills in the times of row->shape with row->block, cyclic or weighted, by at most `samples` steps. */
int dense_time(const dense_problem *problem, const inlay_dense_block *block, int64_t samples, inlay_dense_row *row);

#endif
