/*
 * Distributed graphs: are they what they must be? Each arc i -> j is announced at the rank that owns j, as j -> i; what is
 * announced there, sorted, must be what that rank has.
 */
#include <inlay/irregular_graph.h>
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/radix.h"
#include "irregular/row_table.h"
#include <stdlib.h>

void inlay_graph_free(inlay_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    free(graph->global);
    free(graph->start);
    free(graph->column);
    free(graph->weight);
    free(graph->load);
    free(graph->size);
    free(graph);
}

/* The global number of row i of this rank. */
static int64_t row_number(const inlay_graph *graph, int32_t row)
{
    return graph->global == NULL ? graph->first + row : graph->global[row];
}

/* ---- What each rank sees by itself ---- */

static int check_arc(const inlay_graph *graph, int32_t row, int64_t arc, inlay_diag *diag)
{
    long long from = (long long)row_number(graph, row), to = (long long)graph->column[arc];
    if (to < 0 || to >= graph->vertices) {
        return diag_fail(diag, INLAY_BAD_INPUT, "arc %lld -> %lld leads out of the graph; expected 0 to %lld", from, to,
                         (long long)graph->vertices - 1);
    }
    if (to == from) {
        return diag_fail(diag, INLAY_BAD_INPUT, "arc %lld -> %lld is a loop; expected none", from, to);
    }
    if (arc > graph->start[row] && to <= graph->column[arc - 1]) {
        return diag_fail(diag, INLAY_BAD_INPUT, "arc %lld -> %lld comes after %lld -> %lld; expected ascending columns",
                         from, to, from, (long long)graph->column[arc - 1]);
    }
    if (graph->weight != NULL && graph->weight[arc] < 1) {
        return diag_fail(diag, INLAY_BAD_INPUT, "arc %lld -> %lld weighs %lld; expected at least 1", from, to,
                         (long long)graph->weight[arc]);
    }
    return INLAY_OK;
}

static int check_row(const inlay_graph *graph, int32_t row, inlay_diag *diag)
{
    if (graph->start[row + 1] < graph->start[row]) {
        return diag_fail(
            diag, INLAY_BAD_INPUT, "row %lld begins at %lld and ends at %lld; expected no end before its begin",
            (long long)row_number(graph, row), (long long)graph->start[row], (long long)graph->start[row + 1]);
    }
    int32_t weights = graph->weights > 1 ? graph->weights : 1;
    const int64_t *load = graph->load == NULL ? NULL : graph->load + (ptrdiff_t)row * weights;
    for (int32_t w = 0; w < weights && load != NULL; w++) {
        if (load[w] < 0) {
            return diag_fail(diag, INLAY_BAD_INPUT, "vertex %lld has load %lld; expected at least 0",
                             (long long)row_number(graph, row), (long long)load[w]);
        }
    }
    if (graph->size != NULL && graph->size[row] < 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "vertex %lld has size %lld; expected at least 0",
                         (long long)row_number(graph, row), (long long)graph->size[row]);
    }
    int status = INLAY_OK;
    for (int64_t arc = graph->start[row]; status == INLAY_OK && arc < graph->start[row + 1]; arc++) {
        status = check_arc(graph, row, arc, diag);
    }
    return status;
}

static int check_rows(const inlay_graph *graph, inlay_diag *diag)
{
    if (graph->vertices < 0 || graph->rows < 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%lld vertices, %d of them on a rank; expected 0 or more",
                         (long long)graph->vertices, (int)graph->rows);
    }
    if (graph->weights < 0 || graph->weights > INLAY_MOST_WEIGHTS) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%d weights of a vertex; expected at most %d", (int)graph->weights,
                         INLAY_MOST_WEIGHTS);
    }
    if (graph->start[0] != 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "the first row begins at %lld; expected 0", (long long)graph->start[0]);
    }
    int status = INLAY_OK;
    for (int32_t row = 0; status == INLAY_OK && row < graph->rows; row++) {
        status = check_row(graph, row, diag);
    }
    return status;
}

/* Agreed upon. */
static int check_shape(const inlay_graph *graph, inlay_diag *diag)
{
    int status = collective_agree(graph->comm, check_rows(graph, diag), diag);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t arcs = collective_sum(graph->comm, graph->start[graph->rows]);
    if (arcs != graph->arcs) {
        status = diag_fail(diag, INLAY_BAD_INPUT, "the rows have %lld arcs; expected %lld, as the graph says",
                           (long long)arcs, (long long)graph->arcs);
    }
    return collective_agree(graph->comm, status, diag);
}

/* ---- Opposites ---- */

/* Arcs as two words: row at its owner << bits | global number of the column, and weight. */
typedef struct announcement {
    memory_pool arrays; /**< owns them */
    int bits;
    exchange *x;
    int32_t *owner, *offset; /* of the column of each arc */
    int32_t *place;          /* of each arc among those that are sent */
    uint64_t *out, *in;
    const uint64_t *sorted; /* `out` or `in` */
} announcement;

enum { WORDS = 2 };

static int64_t weight_of(const inlay_graph *graph, int64_t arc)
{
    return graph->weight == NULL ? 1 : graph->weight[arc];
}

static void announcement_free(announcement *a)
{
    exchange_free(a->x);
    pool_clear(&a->arrays);
}

/* Agreed upon. */
static int address(const inlay_graph *graph, const inlay_table *table, announcement *a, inlay_diag *diag)
{
    int64_t arcs = graph->start[graph->rows];
    int status = INLAY_OK;
    a->bits = radix_bits((uint64_t)graph->vertices);
    a->owner = pool_array(&a->arrays, (size_t)arcs, sizeof *a->owner);
    a->offset = pool_array(&a->arrays, (size_t)arcs, sizeof *a->offset);
    a->place = pool_array(&a->arrays, (size_t)arcs, sizeof *a->place);
    if (a->arrays.failed) {
        status = diag_no_memory(diag);
    } else if (a->bits + radix_bits((uint64_t)graph->rows) > 64) {
        status = diag_fail(diag, INLAY_OVERFLOW, "%lld vertices, %d of them on one rank; expected a product below 2^64",
                           (long long)graph->vertices, (int)graph->rows);
    }
    status = collective_agree(graph->comm, status, diag);
    if (status == INLAY_OK) {
        status = inlay_table_dereference(table, graph->column, arcs, a->owner, a->offset, diag);
    }
    status = status == INLAY_OK ? exchange_of_owners(graph->comm, a->owner, arcs, &a->x, diag) : status;
    return status;
}

/* Agreed upon. */
static int announce(const inlay_graph *graph, announcement *a, inlay_diag *diag)
{
    int64_t arcs = graph->start[graph->rows], most = a->x->receives > arcs ? a->x->receives : arcs;
    a->out = pool_array(&a->arrays, (size_t)most, WORDS * sizeof *a->out);
    a->in = pool_array(&a->arrays, (size_t)a->x->receives, WORDS * sizeof *a->in);
    int status = a->arrays.failed ? diag_no_memory(diag) : INLAY_OK;
    status = status == INLAY_OK ? exchange_places(a->x, a->owner, arcs, a->place, diag) : status;
    status = collective_agree(graph->comm, status, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (int32_t row = 0; row < graph->rows; row++) {
        for (int64_t i = graph->start[row]; i < graph->start[row + 1]; i++) {
            uint64_t *out = a->out + (int64_t)a->place[i] * WORDS;
            out[0] = (uint64_t)a->offset[i] << a->bits | (uint64_t)row_number(graph, row);
            out[1] = (uint64_t)weight_of(graph, i);
        }
    }
    status = exchange_run(a->x, a->out, a->in, WORDS * sizeof *a->out, diag);
    if (status == INLAY_OK) {
        int bits = a->bits + radix_bits((uint64_t)graph->rows);
        a->sorted = radix_sort(a->in, a->out, a->x->receives, WORDS, 0, 0, bits);
    }
    return status;
}

/* Is each arc of this rank, in order, among those announced? (Those announced that it lacks are missed at the rank that
 * has their opposites: there nothing was announced for those.) */
static int compare(const inlay_graph *graph, const announcement *a, inlay_diag *diag)
{
    const uint64_t *next = a->sorted, *end = a->sorted + a->x->receives * WORDS;
    for (int32_t row = 0; row < graph->rows; row++) {
        for (int64_t i = graph->start[row]; i < graph->start[row + 1]; i++) {
            long long from = (long long)row_number(graph, row), to = (long long)graph->column[i];
            uint64_t arc = (uint64_t)row << a->bits | (uint64_t)to;
            while (next < end && next[0] < arc) {
                next += WORDS;
            }
            if (next == end || next[0] != arc) {
                return diag_fail(diag, INLAY_BAD_INPUT, "arc %lld -> %lld has no opposite; expected each arc both ways",
                                 from, to);
            }
            if ((int64_t)next[1] != weight_of(graph, i)) {
                return diag_fail(diag, INLAY_BAD_INPUT,
                                 "arc %lld -> %lld weighs %lld, its opposite %lld; expected equal weights", from, to,
                                 (long long)weight_of(graph, i), (long long)next[1]);
            }
        }
    }
    return INLAY_OK;
}

int inlay_graph_check(const inlay_graph *graph, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_table *table = NULL;
    announcement a = {0};
    int status = check_shape(graph, diag);
    if (status == INLAY_OK) {
        status = row_table(graph, &table, diag);
        status = status == INLAY_BAD_ARGUMENT ? INLAY_BAD_INPUT : status;
    }
    status = status == INLAY_OK ? address(graph, table, &a, diag) : status;
    status = status == INLAY_OK ? announce(graph, &a, diag) : status;
    status = status == INLAY_OK ? collective_agree(graph->comm, compare(graph, &a, diag), diag) : status;
    announcement_free(&a);
    inlay_table_free(table);
    return status;
}
