/* Strips of rows or columns, and homogeneous blocks. */
#include "grid/grid.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

int grid_make_strips(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    int axis = d->summary.method == INLAY_GRID_COLUMN ? GRID_ACROSS : GRID_DOWN;
    const inlay_grid_block grid = grid_whole(d);
    int32_t p = d->processors;
    int64_t *share = memory_array((size_t)p, sizeof *share);
    int status = share != NULL && grid_tree_make(&d->tree, p, true) ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        status = grid_share_lines(d->weights, &grid, axis, options->shares, p, whole, share, diag);
    }
    if (status == INLAY_OK) {
        grid_tree_strips(&d->tree, grid, axis, p, share);
    }
    free(share);
    return status;
}

/* a x b = p as near to each other as can be, b along the longer edge; a square has more columns. */
int grid_make_block(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    (void)whole;
    (void)options;
    if (!grid_tree_make_for(d)) {
        return diag_no_memory(diag);
    }
    d->tree.root = grid_tree_even(&d->tree, grid_whole(d), d->processors, 0);
    return INLAY_OK;
}
