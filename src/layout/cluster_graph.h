/* Traffic between clusters, in both directions together: what the layout works on. */
#ifndef LAYOUT_CLUSTER_GRAPH_H
#define LAYOUT_CLUSTER_GRAPH_H

#include "layout/placement.h"

/** Rows of neighbours; each pair of clusters with traffic stands in both rows, once. */
typedef struct cluster_graph {
    inlay_id clusters;
    int64_t *begin; /**< clusters + 1 */
    inlay_id *neighbour;
    int64_t *traffic; /**< in the unit of capacity */
} cluster_graph;

int cluster_graph_make(const problem *p, const placement *place, cluster_graph *result, inlay_diag *diag);
void cluster_graph_clear(cluster_graph *graph);

#endif
