/* Owner maps whose pieces are rectangles: their boxes are looked for, so that people see them as such. */
#include "base/diag.h"
#include "base/memory.h"
#include "grid/grid.h"
#include <stdlib.h>

/* Takes the cell into the box of its owner. */
static void extend(inlay_grid_block *box, int64_t row, int64_t column)
{
    if (box->bottom == 0) {
        *box = grid_flat(row, column, row + 1, column + 1);
        return;
    }
    box->bottom = row + 1; /* rows come in order */
    box->left = column < box->left ? column : box->left;
    box->right = column >= box->right ? column + 1 : box->right;
}

int grid_find_boxes(inlay_decomposition *d, inlay_diag *diag)
{
    const grid_units *u = &d->units;
    inlay_grid_block *box = memory_zeroed((size_t)d->processors, sizeof *box);
    bool filled = true; /* by the cells of their owners alone */
    if (box == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t r = 0; r < u->down; r++) {
        for (int64_t c = 0; c < u->across; c++) {
            extend(&box[grid_table_get(u, r * u->across + c)], r, c);
        }
    }
    for (int32_t i = 0; i < d->processors && filled; i++) {
        filled = grid_cells(&box[i]) == d->cells[i];
    }
    if (filled) {
        d->tree.block = box;
    } else {
        free(box);
    }
    d->summary.rectangles = filled;
    return INLAY_OK;
}
