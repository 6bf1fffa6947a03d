/* Distributed graphs from within (see inlay/irregular_graph.h). */
#ifndef IRREGULAR_GRAPH_H
#define IRREGULAR_GRAPH_H

#include <inlay/irregular_graph.h>

/** The global number of row i of this rank. */
static inline int64_t graph_global(const inlay_graph *graph, int32_t i)
{
    return graph->global == NULL ? graph->first + i : graph->global[i];
}

/**
 * The distribution of the graph's rows. INLAY_BAD_ARGUMENT where rows are not vertices, each of one rank. Agreed upon;
 * collective.
 */
int graph_table(const inlay_graph *graph, inlay_table **table, inlay_diag *diag);

#endif
