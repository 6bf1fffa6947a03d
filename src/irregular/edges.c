/* The edges of a mesh, each once, as a loop over them would have them. */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <inlay/irregular_mesh.h>
#include <stdlib.h>

/* An edge is at the vertex of its smaller end. */
static int64_t count_own(const inlay_graph *graph)
{
    int64_t count = 0;
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int64_t k = graph->start[i]; k < graph->start[i + 1]; k++) {
            count += graph->column[k] > graph->first + i;
        }
    }
    return count;
}

static void list_own(const inlay_graph *graph, int64_t *ends)
{
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int64_t k = graph->start[i]; k < graph->start[i + 1]; k++) {
            if (graph->column[k] > graph->first + i) {
                *ends++ = graph->first + i;
                *ends++ = graph->column[k];
            }
        }
    }
}

/* How many of the edges before .. before + own - 1 belong to each block of `all`. */
static int64_t *count_moves(int ranks, int64_t before, int64_t own, int64_t all)
{
    int64_t *count = memory_array((size_t)ranks, sizeof *count);
    for (int r = 0; r < ranks && count != NULL; r++) {
        int64_t from = inlay_block_first(all, ranks, r), to = inlay_block_first(all, ranks, r + 1);
        from = from > before ? from : before;
        to = to < before + own ? to : before + own;
        count[r] = to > from ? to - from : 0;
    }
    return count;
}

int inlay_mesh_edges(const inlay_mesh *mesh, int64_t **ends, int32_t *edges, int64_t *first, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_graph *graph = mesh->graph;
    int ranks = collective_ranks(graph->comm), rank = collective_rank(graph->comm);
    int64_t own = count_own(graph), before = collective_before(graph->comm, own);
    int64_t all = collective_sum(graph->comm, own);
    exchange *x = NULL;
    int64_t *count = count_moves(ranks, before, own, all), *received = NULL;
    int64_t *list = memory_array((size_t)own, 2 * sizeof *list);
    int status = count == NULL || list == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(graph->comm, status, diag);
    if (status == INLAY_OK) {
        list_own(graph, list);
        status = exchange_make(graph->comm, count, &x, diag);
    }
    if (status == INLAY_OK) {
        received = memory_array((size_t)x->receives, 2 * sizeof *received);
        status = collective_agree(graph->comm, received == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    }
    status = status == INLAY_OK ? exchange_run(x, list, received, 2 * sizeof *list, diag) : status;
    free(count);
    free(list);
    if (status != INLAY_OK) {
        free(received);
        exchange_free(x);
        return status;
    }
    *ends = received;
    *edges = (int32_t)x->receives; /* exchange_make() has seen that it is below 2^31 */
    *first = inlay_block_first(all, ranks, rank);
    exchange_free(x);
    return INLAY_OK;
}
