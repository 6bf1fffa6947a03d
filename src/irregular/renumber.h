/* What the ways to renumber share: the edges within a rank. */
#ifndef IRREGULAR_RENUMBER_H
#define IRREGULAR_RENUMBER_H

#include "base/memory.h"
#include <inlay/irregular_renumber.h>

/** Edges between rows of this rank and of one group, by row. */
typedef struct own_edges {
    int32_t rows;
    int64_t *start; /**< [rows + 1] */
    int32_t *row;   /**< the other end */
} own_edges;

/** @param group  NULL: all rows are one. INLAY_NO_MEMORY with a message. Local. */
int own_edges_make(const inlay_graph *graph, const int32_t *group, own_edges *edges, inlay_diag *diag);
void own_edges_clear(own_edges *edges);

/** order[rows] holds all rows, those of a group together, and leaves as reverse Cuthill-McKee has them, one piece of the graph
 *  after the other. Local. */
int renumber_rcm(const own_edges *edges, int32_t *order, inlay_diag *diag);

/** Sorts all rows by group, then along Hilbert's curve. Local. */
int renumber_hilbert(int32_t rows, const inlay_renumber_options *options, int32_t *order, inlay_diag *diag);

#endif
