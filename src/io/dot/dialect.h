/* Task graphs in DOT as other programs write them: which dialect it is, and what its attributes mean. */
#ifndef IO_DOT_DIALECT_H
#define IO_DOT_DIALECT_H

#include "io/dot/graph.h"
#include <inlay/app.h>

typedef enum dot_dialect {
    DOT_OWN,     /**< attribute time of nodes: Inlay's own */
    DOT_WEIGHTS, /**< Weight or weight, Auckland: of a node its time in ticks, of an edge its messages of a tick each */
    DOT_SIZES,   /**< size, SimGrid and daggen: of a node flops, of an edge bytes, below 0 for order alone */
    DOT_BARE     /**< nothing: every module takes a tick */
} dot_dialect;

dot_dialect dot_dialect_of(const dot_graph *graph);

/** Times in its files; of flops, those on a processor of 1 Gflop/s. */
inlay_unit dot_dialect_unit(dot_dialect dialect);

/** Speed that times hold on, in flop/s; 0: unknown. */
double dot_dialect_reference(dot_dialect dialect);

/** A module's time, and what a link carries; none of them of DOT_OWN. */
int dot_dialect_time(const dot_graph *graph, dot_dialect dialect, const dot_node *node, inlay_duration *time,
                     inlay_diag *diag);
int dot_dialect_link(const dot_graph *graph, dot_dialect dialect, const dot_edge *edge, int64_t *messages,
                     int64_t *bytes, inlay_diag *diag);

#endif
