/* The graph of the parts: the edges between parts, collected on rank 0. */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/part_edges.h"
#include <stdlib.h>
#include <string.h>

void inlay_quotient_free(inlay_quotient *quotient)
{
    if (quotient == NULL) {
        return;
    }
    free(quotient->load);
    free(quotient->start);
    free(quotient->part);
    free(quotient->weight);
    free(quotient->ghosts);
    free(quotient);
}

/* Room for so many edges; NULL when out of memory. */
static inlay_quotient *make(int32_t parts, int32_t weights, int64_t edges)
{
    inlay_quotient *q = memory_zeroed(1, sizeof *q);
    if (q == NULL) {
        return NULL;
    }
    q->parts = parts;
    q->weights = weights;
    q->load = memory_zeroed((size_t)parts, (size_t)weights * sizeof *q->load);
    q->start = memory_zeroed((size_t)parts + 1, sizeof *q->start);
    q->part = memory_array((size_t)edges, sizeof *q->part);
    q->weight = memory_array((size_t)edges, sizeof *q->weight);
    q->ghosts = memory_array((size_t)edges, sizeof *q->ghosts);
    if (q->load == NULL || q->start == NULL || q->part == NULL || q->weight == NULL || q->ghosts == NULL) {
        inlay_quotient_free(q);
        return NULL;
    }
    return q;
}

/* Edges come ascending by (part, other): each rank counts a block of the parts. */
static void fill(inlay_quotient *q, const part_edge *edge, int64_t edges, const int64_t *load)
{
    memcpy(q->load, load, (size_t)q->parts * (size_t)q->weights * sizeof *q->load);
    for (int64_t i = 0; i < edges; i++) {
        q->start[edge[i].part + 1]++;
        q->part[i] = edge[i].other;
        q->weight[i] = edge[i].weight;
        q->ghosts[i] = edge[i].ghosts;
    }
    for (int32_t p = 0; p < q->parts; p++) {
        q->start[p + 1] += q->start[p];
    }
}

/* Sends all edges to rank 0; there they are `*all` and `*count`. Collective; agreed upon. */
static int collect(MPI_Comm comm, const part_edge *edges, int64_t mine, part_edge **all, int64_t *count,
                   inlay_diag *diag)
{
    int64_t *to = memory_zeroed((size_t)collective_ranks(comm), sizeof *to);
    int status = collective_agree(comm, to == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    exchange *x = NULL;
    if (status == INLAY_OK) {
        to[0] = mine;
        status = exchange_make(comm, to, &x, diag);
    }
    free(to);
    if (status != INLAY_OK) {
        return status;
    }
    *count = x->receives;
    *all = memory_array((size_t)x->receives, sizeof **all);
    status = collective_agree(comm, *all == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        status = collective_agree(comm, exchange_run(x, edges, *all, sizeof *edges, diag), diag);
    }
    exchange_free(x);
    return status;
}

/* sums[] has room for the numbers of vertices and the loads of all parts. */
static int assemble(const inlay_graph *graph, const int32_t *part, int32_t parts, int64_t *sums, const part_edge *edges,
                    int64_t mine, inlay_quotient **quotient, inlay_diag *diag)
{
    part_edge *all = NULL;
    int64_t count = 0;
    inlay_quotient *q = NULL;
    int status = collect(graph->comm, edges, mine, &all, &count, diag);
    if (status == INLAY_OK) {
        bool here = collective_rank(graph->comm) == 0;
        q = here ? make(parts, graph_weights(graph), count) : NULL;
        status = collective_agree(graph->comm, here && q == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    }
    if (status == INLAY_OK) {
        partition_weigh(graph, part, parts, sums + parts, sums);
        if (q != NULL) {
            fill(q, all, count, sums + parts);
        }
        *quotient = q;
    } else {
        inlay_quotient_free(q);
    }
    free(all);
    return status;
}

int inlay_quotient_make(const inlay_graph *graph, const int32_t *part, int32_t parts, inlay_quotient **quotient,
                        inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = partition_in_range(graph, part, parts, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t *sums = memory_array(((size_t)graph_weights(graph) + 1) * (size_t)parts, sizeof *sums), mine = 0;
    part_edge *edges = NULL;
    status = collective_agree(graph->comm, sums == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? part_edges_make(graph, part, parts, &edges, &mine, diag) : status;
    status = status == INLAY_OK ? assemble(graph, part, parts, sums, edges, mine, quotient, diag) : status;
    free(sums);
    free(edges);
    return status;
}
