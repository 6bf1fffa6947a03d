/*
 * The references of a rank to elements, numbered without asking anybody: own elements by their offsets, the others
 * behind them in the order in which they are met, so that each of those need be asked for once.
 */
#ifndef IRREGULAR_REFERENCES_H
#define IRREGULAR_REFERENCES_H

#include "irregular/element_map.h"
#include <inlay/irregular_table.h>

/** Zero-initialised is empty. */
typedef struct references {
    int32_t own;
    bool in_a_row; /**< own elements are first, first + 1, ... */
    int64_t first;
    element_map map; /**< own elements, unless they are in a row, and others */
    int64_t *other;  /**< [others] global numbers */
    size_t others, capacity;
} references;

void references_clear(references *r);

/**
 * number[i] is the offset of element g[i] where this rank owns it, own + k where it is other[k]. Elements out of range are
 * among the others: dereferencing refuses them. INLAY_OVERFLOW where there are too many. Local.
 */
int references_number(references *r, const inlay_table *table, const int64_t *g, int64_t count, int32_t *number,
                      inlay_diag *diag);

#endif
