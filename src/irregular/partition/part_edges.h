/* Edges between parts: what the figures of a partition and its quotient graph are made of. */
#ifndef IRREGULAR_PARTITION_PART_EDGES_H
#define IRREGULAR_PARTITION_PART_EDGES_H

#include <inlay/irregular_graph.h>

/** What part `part` has to do with part `other`. */
typedef struct part_edge {
    int32_t part, other;
    int64_t weight; /**< of the edges between the two */
    int64_t ghosts; /**< vertices of `part` with neighbours in `other` */
    int64_t size;   /**< of these vertices */
} part_edge;

/**
 * The edges of parts that this rank has to count: those of block `rank` of the parts, ascending by (part, other), each once.
 * Parts must be in range. The caller frees `*edges`. Collective; agreed upon.
 */
int part_edges_make(const inlay_graph *graph, const int32_t *part, int32_t parts, part_edge **edges, int64_t *count,
                    inlay_diag *diag);

#endif
