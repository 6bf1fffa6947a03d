/*
 * From the local graphs of all ranks to the distributed one. Each edge becomes two arcs, which go to the ranks that own
 * their rows. An arc travels and is sorted as one number: its row there, and behind it the global number of its column.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/table.h"
#include "irregular/radix.h"
#include "irregular/rdg.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct generation {
    const inlay_rdg *rdg;
    const inlay_table *rows;
    int column_bits;
    int words;       /* of an arc: 1, or 2 where counts differ and travel with the arcs */
    uint64_t weight; /* of each arc that came, where words is 1 */
    int32_t *owner;  /* [2 x edges] of the ends of edges, low and high in turn; NULL for a block distribution */
    int32_t *offset;
    exchange *x;
    uint64_t *arc;   /* [x->receives x words] those of this rank's rows */
    uint64_t *spare; /* as large or larger: those that were sent, then the sort's, then the weights of the graph */
} generation;

/* ---- Where arcs go ---- */

/* Element g, end i of the local graph, at its owner. */
typedef struct location {
    int32_t owner, offset;
} location;

static inline location locate(const generation *gen, int64_t i, uint64_t g)
{
    if (gen->owner != NULL) {
        return (location){gen->owner[i], gen->offset[i]};
    }
    int32_t owner = table_page(gen->rows, (int64_t)g);
    return (location){owner, (int32_t)((int64_t)g - gen->rows->first[owner])};
}

/* Block distributions need no question; of others all ends are asked for. Agreed upon. */
static int locate_ends(generation *gen, inlay_diag *diag)
{
    if (gen->rows->owner == NULL) {
        return INLAY_OK;
    }
    size_t ends = 2 * (size_t)gen->rdg->used;
    int64_t *end = memory_array(ends, sizeof *end);
    gen->owner = memory_array(ends, sizeof *gen->owner);
    gen->offset = memory_array(ends, sizeof *gen->offset);
    int status = INLAY_OK;
    if (end == NULL || gen->owner == NULL || gen->offset == NULL) {
        status = diag_no_memory(diag);
    } else {
        for (int64_t e = 0; e < gen->rdg->used; e++) {
            end[2 * e] = (int64_t)gen->rdg->edge[e].low;
            end[2 * e + 1] = (int64_t)gen->rdg->edge[e].high;
        }
    }
    status = collective_agree(gen->rows->comm, status, diag);
    if (status == INLAY_OK) {
        status = inlay_table_dereference(gen->rows, end, (int64_t)ends, gen->owner, gen->offset, diag);
    }
    free(end);
    return status;
}

/* Where all edges of all ranks were counted equally often, as those of a mesh are, the arcs travel without counts. */
static void choose_words(generation *gen)
{
    int64_t span[2] = {INT64_MIN, 0}, all[2]; /* -least and most */
    for (int64_t e = 0; e < gen->rdg->used; e++) {
        int64_t count = (int64_t)gen->rdg->edge[e].count;
        span[0] = -count > span[0] ? -count : span[0];
        span[1] = count > span[1] ? count : span[1];
    }
    MPI_Allreduce(span, all, 2, MPI_INT64_T, MPI_MAX, gen->rows->comm);
    gen->words = all[0] == -all[1] || all[1] == 0 ? 1 : 2;
    gen->weight = (uint64_t)all[1];
}

static int plan(generation *gen, inlay_diag *diag)
{
    const inlay_rdg *rdg = gen->rdg;
    int64_t *count = memory_zeroed((size_t)gen->rows->ranks, sizeof *count);
    int status = count == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int64_t e = 0; count != NULL && e < rdg->used; e++) {
        count[locate(gen, 2 * e, rdg->edge[e].low).owner]++;
        count[locate(gen, 2 * e + 1, rdg->edge[e].high).owner]++;
    }
    status = collective_agree(gen->rows->comm, status, diag);
    status = status == INLAY_OK ? exchange_make(gen->rows->comm, count, &gen->x, diag) : status;
    free(count);
    return status;
}

/* ---- The exchange ---- */

static inline void write_arc(const generation *gen, uint64_t *out, int64_t *next, location row, uint64_t column,
                             uint64_t count)
{
    uint64_t *arc = out + next[row.owner]++ * gen->words;
    arc[0] = (uint64_t)row.offset << gen->column_bits | column;
    if (gen->words == 2) {
        arc[1] = count;
    }
}

static void write_arcs(const generation *gen, uint64_t *out, int64_t *next)
{
    memcpy(next, gen->x->to, (size_t)gen->rows->ranks * sizeof *next);
    for (int64_t e = 0; e < gen->rdg->used; e++) {
        rdg_edge edge = gen->rdg->edge[e];
        write_arc(gen, out, next, locate(gen, 2 * e, edge.low), edge.high, edge.count);
        write_arc(gen, out, next, locate(gen, 2 * e + 1, edge.high), edge.low, edge.count);
    }
}

/* Sends the arcs, and sorts those that come by row and column. Agreed upon. */
static int exchange_arcs(generation *gen, inlay_diag *diag)
{
    size_t bytes = (size_t)gen->words * sizeof *gen->arc;
    int64_t most = gen->x->sends > gen->x->receives ? gen->x->sends : gen->x->receives;
    gen->arc = memory_array((size_t)gen->x->receives, bytes);
    gen->spare = memory_array((size_t)most, bytes);
    int64_t *next = memory_array((size_t)gen->rows->ranks, sizeof *next);
    int status = gen->arc == NULL || gen->spare == NULL || next == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(gen->rows->comm, status, diag);
    if (status == INLAY_OK) {
        write_arcs(gen, gen->spare, next);
        status = exchange_run(gen->x, gen->spare, gen->arc, bytes, diag);
    }
    free(next);
    if (status == INLAY_OK) {
        int bits = gen->column_bits + radix_bits((uint64_t)gen->rows->local);
        uint64_t *sorted = radix_sort(gen->arc, gen->spare, gen->x->receives, gen->words, 0, 0, bits);
        gen->spare = sorted == gen->arc ? gen->spare : gen->arc;
        gen->arc = sorted;
    }
    return status;
}

/* ---- The rows ---- */

/* Sums equal arcs, which lie beside each other. The columns are written over the arcs, which are as large or larger and
 * read before; the weights into the spare array. */
static int64_t write_rows(const generation *gen, inlay_graph *graph)
{
    uint64_t mask = ((uint64_t)1 << gen->column_bits) - 1, last = 0;
    int64_t *column = (int64_t *)gen->arc, *weight = (int64_t *)gen->spare, written = 0;
    int32_t row = 0; /* rows whose start is written */
    for (int64_t i = 0; i < gen->x->receives; i++) {
        uint64_t arc = gen->arc[i * gen->words];
        int64_t count = (int64_t)(gen->words == 2 ? gen->arc[i * gen->words + 1] : gen->weight);
        if (i > 0 && arc == last) {
            weight[written - 1] += count;
            continue;
        }
        while (row <= (int32_t)(arc >> gen->column_bits)) {
            graph->start[row++] = written;
        }
        column[written] = (int64_t)(arc & mask);
        weight[written++] = count;
        last = arc;
    }
    while (row <= graph->rows) {
        graph->start[row++] = written;
    }
    return written;
}

/* The array itself, without what is behind the first `count` numbers. */
static int64_t *cut(uint64_t **array, int64_t count)
{
    uint64_t *kept = realloc(*array, (count == 0 ? 1 : (size_t)count) * sizeof *kept);
    if (kept == NULL) {
        kept = *array;
    }
    *array = NULL;
    return (int64_t *)kept;
}

static inlay_graph *new_graph(const inlay_table *rows)
{
    inlay_graph *graph = memory_zeroed(1, sizeof *graph);
    if (graph == NULL) {
        return NULL;
    }
    bool block = rows->global == NULL;
    graph->comm = rows->comm;
    graph->vertices = rows->n;
    graph->rows = rows->local;
    graph->checked = true;
    graph->first = block ? rows->first[rows->rank] : 0;
    graph->global = block ? NULL : memory_array((size_t)graph->rows, sizeof *graph->global);
    graph->start = memory_array((size_t)graph->rows + 1, sizeof *graph->start);
    if ((!block && graph->global == NULL) || graph->start == NULL) {
        inlay_graph_free(graph);
        return NULL;
    }
    if (!block) {
        inlay_table_globals(rows, graph->global);
    }
    return graph;
}

/* Agreed upon. */
static int make_graph(generation *gen, inlay_graph **made, inlay_diag *diag)
{
    inlay_graph *graph = new_graph(gen->rows);
    int status = collective_agree(gen->rows->comm, graph == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status != INLAY_OK) {
        inlay_graph_free(graph);
        return status;
    }
    int64_t arcs = write_rows(gen, graph);
    bool sums = arcs < gen->x->receives || gen->words == 2 || gen->weight > 1;
    graph->arcs = collective_sum(gen->rows->comm, arcs);
    graph->column = cut(&gen->arc, arcs);
    graph->weight = collective_most(gen->rows->comm, sums) != 0 ? cut(&gen->spare, arcs) : NULL;
    *made = graph;
    return INLAY_OK;
}

static int begin(generation *gen, inlay_diag *diag)
{
    int64_t n = gen->rows->n;
    gen->column_bits = radix_bits((uint64_t)n);
    if (gen->rdg->n != n) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a graph over %lld elements, a table of %lld; expected the same",
                         (long long)gen->rdg->n, (long long)n);
    }
    if (gen->column_bits + radix_bits((uint64_t)gen->rows->local) > 64) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "%lld elements, %d of them on one rank; expected a product below 2^64: use more ranks",
                         (long long)n, (int)gen->rows->local);
    }
    return INLAY_OK;
}

int inlay_rdg_generate(inlay_rdg *rdg, const inlay_table *rows, inlay_graph **graph, inlay_diag *diag)
{
    DIAG_CALL(diag);
    generation gen = {.rdg = rdg, .rows = rows};
    int status = collective_agree(rows->comm, begin(&gen, diag), diag);
    if (status == INLAY_OK) {
        choose_words(&gen);
        status = locate_ends(&gen, diag);
    }
    status = status == INLAY_OK ? plan(&gen, diag) : status;
    status = status == INLAY_OK ? exchange_arcs(&gen, diag) : status;
    status = status == INLAY_OK ? make_graph(&gen, graph, diag) : status;
    if (status == INLAY_OK) {
        rdg->used = 0;
    }
    exchange_free(gen.x);
    free(gen.owner);
    free(gen.offset);
    free(gen.arc);
    free(gen.spare);
    return status;
}
