/*
 * Each rank sums the edges that its own vertices have, part by part; the sums are sent to the rank that counts the part, and
 * added up there.
 */
#include "irregular/partition/part_edges.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/neighbours.h"
#include <stdlib.h>
#include <string.h>

/* What the rows of one part have to do with each other part. */
typedef struct tally {
    memory_pool arrays;              /**< owns them */
    int64_t *weight, *ghosts, *size; /* [parts] 0 where `other` is not touched */
    int32_t *seen;                   /* [parts] last row that touched it, -1 */
    int32_t *touched;                /* [parts] others, `count` of them */
    int32_t count;
    part_edge *edge; /* of all parts so far */
    size_t edges, room;
} tally;

static void tally_clear(tally *t)
{
    pool_clear(&t->arrays);
    free(t->edge);
}

static int tally_make(int32_t parts, tally *t, inlay_diag *diag)
{
    t->weight = pool_zeroed(&t->arrays, (size_t)parts, sizeof *t->weight);
    t->ghosts = pool_zeroed(&t->arrays, (size_t)parts, sizeof *t->ghosts);
    t->size = pool_zeroed(&t->arrays, (size_t)parts, sizeof *t->size);
    t->seen = pool_array(&t->arrays, (size_t)parts, sizeof *t->seen);
    t->touched = pool_array(&t->arrays, (size_t)parts, sizeof *t->touched);
    if (t->arrays.failed) {
        return diag_no_memory(diag);
    }
    for (int32_t p = 0; p < parts; p++) {
        t->seen[p] = -1;
    }
    return INLAY_OK;
}

static void count_row(tally *t, const inlay_graph *graph, const neighbours *n, int32_t row, int32_t part)
{
    for (int64_t a = graph->start[row]; a < graph->start[row + 1]; a++) {
        int32_t other = neighbours_number(n, a);
        if (other == part) {
            continue;
        }
        if (t->weight[other] == 0) {
            t->touched[t->count++] = other;
        }
        t->weight[other] += graph->weight == NULL ? 1 : graph->weight[a];
        if (t->seen[other] != row) {
            t->ghosts[other]++;
            t->size[other] += graph->size == NULL ? 1 : graph->size[row];
            t->seen[other] = row;
        }
    }
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Ends a part: its sums become edges. */
static int keep_part(tally *t, int32_t part, inlay_diag *diag)
{
    if (!memory_grow((void **)&t->edge, &t->room, t->edges + (size_t)t->count, sizeof *t->edge)) {
        return diag_no_memory(diag);
    }
    qsort(t->touched, (size_t)t->count, sizeof *t->touched, ascending);
    for (int32_t i = 0; i < t->count; i++) {
        int32_t other = t->touched[i];
        t->edge[t->edges++] = (part_edge){part, other, t->weight[other], t->ghosts[other], t->size[other]};
        t->weight[other] = t->ghosts[other] = t->size[other] = 0;
    }
    t->count = 0;
    return INLAY_OK;
}

/* begin[p] .. begin[p + 1] of order[] are the rows of part p. */
static void order_rows(const inlay_graph *graph, const int32_t *part, int32_t parts, int32_t *begin, int32_t *order)
{
    memset(begin, 0, ((size_t)parts + 1) * sizeof *begin);
    for (int32_t i = 0; i < graph->rows; i++) {
        begin[part[i] + 1]++;
    }
    for (int32_t p = 0; p < parts; p++) {
        begin[p + 1] += begin[p];
    }
    for (int32_t i = graph->rows - 1; i >= 0; i--) {
        order[--begin[part[i] + 1]] = i;
    }
    memmove(begin, begin + 1, (size_t)parts * sizeof *begin);
    begin[parts] = graph->rows;
}

static int count_parts(tally *t, const inlay_graph *graph, const neighbours *n, const int32_t *part, int32_t parts,
                       inlay_diag *diag)
{
    int32_t *begin = memory_array((size_t)parts + 1, sizeof *begin);
    int32_t *order = memory_array((size_t)graph->rows, sizeof *order);
    int status = begin == NULL || order == NULL ? diag_no_memory(diag) : tally_make(parts, t, diag);
    if (status == INLAY_OK) {
        order_rows(graph, part, parts, begin, order);
    }
    for (int32_t p = 0; p < parts && status == INLAY_OK; p++) {
        for (int32_t i = begin[p]; i < begin[p + 1]; i++) {
            count_row(t, graph, n, order[i], p);
        }
        status = keep_part(t, p, diag);
    }
    free(begin);
    free(order);
    return status;
}

/* The edges of this rank's rows. Collective; agreed upon. */
static int count_edges(tally *t, const inlay_graph *graph, const int32_t *part, int32_t parts, inlay_diag *diag)
{
    neighbours n;
    int status = neighbours_make(graph, &n, diag);
    status = status == INLAY_OK ? neighbours_fetch(graph, &n, part, diag) : status;
    if (status == INLAY_OK) {
        status = collective_agree(graph->comm, count_parts(t, graph, &n, part, parts, diag), diag);
    }
    neighbours_clear(&n);
    return status;
}

static int by_parts(const void *a, const void *b)
{
    const part_edge *x = a, *y = b;
    return x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                              : (x->other > y->other) - (x->other < y->other);
}

/* Sorts edges and adds up equal ones; how many remain. */
static int64_t merge(part_edge *edge, int64_t count)
{
    int64_t kept = 0;
    qsort(edge, (size_t)count, sizeof *edge, by_parts);
    for (int64_t i = 0; i < count; i++) {
        if (kept > 0 && by_parts(&edge[kept - 1], &edge[i]) == 0) {
            edge[kept - 1].weight += edge[i].weight;
            edge[kept - 1].ghosts += edge[i].ghosts;
            edge[kept - 1].size += edge[i].size;
        } else {
            edge[kept++] = edge[i];
        }
    }
    return kept;
}

/* Sends the edges to the ranks that count them. */
static int deliver(const inlay_graph *graph, const tally *t, int32_t parts, part_edge **edges, int64_t *count,
                   inlay_diag *diag)
{
    int ranks = collective_ranks(graph->comm);
    int64_t *to = memory_zeroed((size_t)ranks, sizeof *to);
    int status = collective_agree(graph->comm, to == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (size_t i = 0; i < t->edges && status == INLAY_OK; i++) {
        to[inlay_block_owner(parts, ranks, t->edge[i].part)]++;
    }
    exchange *x = NULL;
    status = status == INLAY_OK ? exchange_make(graph->comm, to, &x, diag) : status;
    free(to);
    if (status != INLAY_OK) {
        return status;
    }
    part_edge *come = memory_array((size_t)x->receives, sizeof *come);
    status = collective_agree(graph->comm, come == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        status = collective_agree(graph->comm, exchange_run(x, t->edge, come, sizeof *come, diag), diag);
    }
    if (status == INLAY_OK) {
        *count = merge(come, x->receives);
        *edges = come;
    } else {
        free(come);
    }
    exchange_free(x);
    return status;
}

int part_edges_make(const inlay_graph *graph, const int32_t *part, int32_t parts, part_edge **edges, int64_t *count,
                    inlay_diag *diag)
{
    tally t = {.edge = NULL};
    int status = count_edges(&t, graph, part, parts, diag);
    status = status == INLAY_OK ? deliver(graph, &t, parts, edges, count, diag) : status;
    tally_clear(&t);
    return status;
}
