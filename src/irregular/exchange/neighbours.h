/* The numbers that neighbours of a rank's vertices have, wherever these lie: parts, for example. */
#ifndef IRREGULAR_EXCHANGE_NEIGHBOURS_H
#define IRREGULAR_EXCHANGE_NEIGHBOURS_H

#include <inlay/irregular_halo.h>
#include <inlay/irregular_graph.h>

typedef struct neighbours {
    int32_t *place; /**< [arcs of this rank] where in `value` the vertex at the other end is */
    int32_t *value; /**< [rows and ghosts], after neighbours_fetch() */
    inlay_halo *halo;
} neighbours;

/** Finds who owns the ends of all arcs. Collective; agreed upon. The caller clears `n`, also after a failure. */
int neighbours_make(const inlay_graph *graph, neighbours *n, inlay_diag *diag);
void neighbours_clear(neighbours *n);

/** Fetches number[i] of each row i, from all ranks that own neighbours. Collective; agreed upon. */
int neighbours_fetch(const inlay_graph *graph, neighbours *n, const int32_t *number, inlay_diag *diag);

/** The number of the vertex at the other end of an arc. */
static inline int32_t neighbours_number(const neighbours *n, int64_t arc)
{
    return n->value[n->place[arc]];
}

#endif
