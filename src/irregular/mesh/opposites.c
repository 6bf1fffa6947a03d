/*
 * Whether each arc of a graph in block distribution has an opposite of equal weight.
 *
 * Each arc u -> v with u < v is sent to the owner of v. There the arcs of each v arrive by rising u, since ranks own rising
 * numbers and send their rows in order: one pass along the row of v meets them one by one.
 */
#include "irregular/mesh/rows.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>
#include <string.h>

/* An arc on its way: to the owner of `end`. */
typedef struct sent_arc {
    int64_t end, begin, weight;
} sent_arc;

static int64_t weight_of(const inlay_graph *graph, int64_t arc)
{
    return graph->weight != NULL ? graph->weight[arc] : 1;
}

static void count_up(const inlay_graph *graph, int ranks, int64_t *count)
{
    memset(count, 0, (size_t)ranks * sizeof *count);
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int64_t k = graph->start[i]; k < graph->start[i + 1]; k++) {
            if (graph->column[k] > graph->first + i) {
                count[inlay_block_owner(graph->vertices, ranks, graph->column[k])]++;
            }
        }
    }
}

/* `next` counts up from the places where what goes to each rank begins. */
static void fill(const inlay_graph *graph, int ranks, int64_t *next, sent_arc *send)
{
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int64_t k = graph->start[i]; k < graph->start[i + 1]; k++) {
            int64_t end = graph->column[k];
            if (end > graph->first + i) {
                send[next[inlay_block_owner(graph->vertices, ranks, end)]++] =
                    (sent_arc){end, graph->first + i, weight_of(graph, k)};
            }
        }
    }
}

static int send_up(const inlay_graph *graph, sent_arc **received, int64_t *receives, inlay_diag *diag)
{
    int ranks = collective_ranks(graph->comm);
    exchange *x = NULL;
    sent_arc *send = NULL, *got = NULL;
    int64_t *count = memory_array((size_t)ranks, sizeof *count);
    int status = collective_agree(graph->comm, count == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        count_up(graph, ranks, count);
        status = exchange_make(graph->comm, count, &x, diag);
    }
    if (status == INLAY_OK) {
        send = memory_array((size_t)x->sends, sizeof *send);
        got = memory_array((size_t)x->receives, sizeof *got);
        status = send == NULL || got == NULL ? diag_no_memory(diag) : INLAY_OK;
        status = collective_agree(graph->comm, status, diag);
    }
    if (status == INLAY_OK) {
        memcpy(count, x->to, (size_t)ranks * sizeof *count);
        fill(graph, ranks, count, send);
        status = exchange_run(x, send, got, sizeof *got, diag);
        *receives = x->receives;
    }
    free(send);
    free(count);
    exchange_free(x);
    if (status != INLAY_OK) {
        free(got);
        return status;
    }
    *received = got;
    return INLAY_OK;
}

static void keep_first(mesh_arc *found, mesh_arc other)
{
    if (other.row < found->row || (other.row == found->row && other.column < found->column)) {
        *found = other;
    }
}

/* Row i's arcs from next[i] on that lead down to vertices below `begin` have no opposite. */
static void skip_to(const inlay_graph *graph, int32_t i, int64_t begin, int64_t *next, mesh_arc *found)
{
    for (; *next < graph->start[i + 1] && graph->column[*next] < begin; (*next)++) {
        keep_first(found, (mesh_arc){graph->first + i, graph->column[*next], weight_of(graph, *next), 0});
    }
}

static void meet(const inlay_graph *graph, const sent_arc *arc, int64_t *next, mesh_arc *found)
{
    int32_t i = (int32_t)(arc->end - graph->first);
    skip_to(graph, i, arc->begin, &next[i], found);
    if (next[i] == graph->start[i + 1] || graph->column[next[i]] > arc->begin) {
        keep_first(found, (mesh_arc){arc->begin, arc->end, arc->weight, 0});
        return;
    }
    int64_t weight = weight_of(graph, next[i]++);
    if (weight != arc->weight) {
        keep_first(found, (mesh_arc){arc->begin, arc->end, arc->weight, weight});
    }
}

/* The first of what all ranks have found. */
static void agree_first(MPI_Comm comm, mesh_arc *found)
{
    int64_t row = collective_least(comm, found->row);
    int64_t column = collective_least(comm, found->row == row ? found->column : INT64_MAX);
    int64_t rank = collective_rank(comm), ranks = collective_ranks(comm);
    int64_t from = collective_least(comm, found->row == row && found->column == column ? rank : ranks);
    if (row != INT64_MAX) {
        MPI_Bcast(found, sizeof *found, MPI_BYTE, (int)from, comm);
    }
}

int mesh_find_unmatched(const inlay_graph *graph, mesh_arc *found, inlay_diag *diag)
{
    sent_arc *received = NULL;
    int64_t receives = 0;
    mesh_arc first = {.row = INT64_MAX, .column = INT64_MAX};
    int64_t *next = memory_array((size_t)graph->rows, sizeof *next);
    int status = collective_agree(graph->comm, next == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? send_up(graph, &received, &receives, diag) : status;
    if (status != INLAY_OK) {
        free(next);
        return status;
    }
    memcpy(next, graph->start, (size_t)graph->rows * sizeof *next);
    for (int64_t k = 0; k < receives; k++) {
        meet(graph, &received[k], next, &first);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        skip_to(graph, i, graph->first + i, &next[i], &first);
    }
    free(received);
    free(next);
    agree_first(graph->comm, &first);
    *found = first;
    return INLAY_OK;
}
