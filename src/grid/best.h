/* The best rectangles that local search finds, and the named methods beside them. */
#ifndef GRID_BEST_H
#define GRID_BEST_H

#include "grid/cost.h"

/** A question that is asked of several methods and numbers of processors. All that it points to is checked. */
typedef struct grid_question {
    const inlay_grid_problem *problem;
    const grid_machines *machines;
    const inlay_grid_network *network;
    const inlay_grid_phase *phase;
    size_t phases;
    const inlay_grid_options *options;
} grid_question;

/** A decomposition with its cost; `decomposition` NULL: none yet. */
typedef struct grid_answer {
    inlay_decomposition *decomposition;
    inlay_grid_cost cost;
} grid_answer;

void grid_answer_clear(grid_answer *answer);

/** One method on the fastest `used` processors. */
int grid_ask(const grid_question *q, inlay_grid_method method, int32_t used, grid_answer *answer, inlay_diag *diag);

/** inlay_decompose_best() on the fastest `used` processors. */
int grid_ask_best(const grid_question *q, int32_t used, int64_t tries, grid_answer *answer, inlay_diag *diag);

#endif
