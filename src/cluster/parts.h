/*
 * Partitions: the traffic between modules as an undirected graph in P parts, each of which becomes a cluster as far as pins and
 * memory allow.
 */
#ifndef CLUSTER_PARTS_H
#define CLUSTER_PARTS_H

#include "cluster/partition.h"

/** In whole numbers, whose sums are no more than 2^30. */
typedef struct parts_graph {
    int32_t vertices, parts; /**< parts: at least 2 */
    int32_t *begin;          /**< vertices + 1 */
    int32_t *neighbour, *load;
    int32_t *weight; /**< of vertices: their times, over all cores */
    int32_t *share;  /**< of parts: what processors do in a unit of time */
} parts_graph;

/** @param part  of every vertex, filled in: below `parts` */
typedef int parts_divider(const parts_graph *graph, int32_t *part, inlay_diag *diag);

/** Merge the modules of each part. Those that may not be together with the one before stay apart from it. */
int parts_merge(partition *part, parts_divider *divide, inlay_diag *diag);

#endif
