/* A decomposition for each phase, where the ways between them pay. */
#ifndef GRID_RANK_H
#define GRID_RANK_H

#include "grid/best.h"

/** The rows of a ranking, best first, one for each phase. `row_of_phase` is what the result points to; it is freed by
    the caller, and unchanged after a failure. */
int grid_redistribute_rows(const grid_question *q, const inlay_grid_row *row, size_t rows,
                           inlay_grid_redistribution *result, size_t **row_of_phase, inlay_diag *diag);

#endif
