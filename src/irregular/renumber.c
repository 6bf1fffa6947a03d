/* Local numbers: options, the edges within a rank, and tables in a new order. */
#include "irregular/renumber.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdlib.h>

/* ---- Edges within a rank ---- */

typedef struct numbered_row {
    int64_t global;
    int32_t row;
} numbered_row;

static int by_global(const void *a, const void *b)
{
    const numbered_row *x = a, *y = b;
    return (x->global > y->global) - (x->global < y->global);
}

/* Rows by global number; NULL where these follow each other. */
static int sort_rows(const inlay_graph *graph, numbered_row **sorted, inlay_diag *diag)
{
    *sorted = NULL;
    if (graph->global == NULL) {
        return INLAY_OK;
    }
    *sorted = memory_array((size_t)graph->rows, sizeof **sorted);
    if (*sorted == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        (*sorted)[i] = (numbered_row){graph->global[i], i};
    }
    qsort(*sorted, (size_t)graph->rows, sizeof **sorted, by_global);
    return INLAY_OK;
}

/* The row of this rank with that number; -1: it is another's. */
static int32_t find_row(const inlay_graph *graph, const numbered_row *sorted, int64_t global)
{
    if (sorted == NULL) {
        int64_t row = global - graph->first;
        return row >= 0 && row < graph->rows ? (int32_t)row : -1;
    }
    int32_t from = 0, to = graph->rows;
    while (from < to) {
        int32_t middle = from + (to - from) / 2;
        if (sorted[middle].global < global) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < graph->rows && sorted[from].global == global ? sorted[from].row : -1;
}

void own_edges_clear(own_edges *edges)
{
    free(edges->start);
    free(edges->row);
    *edges = (own_edges){0};
}

int own_edges_make(const inlay_graph *graph, const int32_t *group, own_edges *edges, inlay_diag *diag)
{
    numbered_row *sorted;
    int status = sort_rows(graph, &sorted, diag);
    *edges = (own_edges){.rows = graph->rows,
                         .start = memory_zeroed((size_t)graph->rows + 1, sizeof *edges->start),
                         .row = memory_array((size_t)graph->start[graph->rows], sizeof *edges->row)};
    if (status == INLAY_OK && (edges->start == NULL || edges->row == NULL)) {
        status = diag_no_memory(diag);
    }
    int64_t count = 0;
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        for (int64_t a = graph->start[i]; a < graph->start[i + 1]; a++) {
            int32_t other = find_row(graph, sorted, graph->column[a]);
            if (other >= 0 && (group == NULL || group[other] == group[i])) {
                edges->row[count++] = other;
            }
        }
        edges->start[i + 1] = count;
    }
    free(sorted);
    return status;
}

/* ---- An order ---- */

/* Of this rank alone. */
static int check_options(const inlay_graph *graph, const inlay_renumber_options *o, inlay_diag *diag)
{
    for (int32_t i = 0; i < graph->rows && o->group != NULL; i++) {
        if (o->group[i] < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "row %d is in group %d; expected 0 or more", (int)i,
                             (int)o->group[i]);
        }
    }
    if (o->how == INLAY_NUMBERING_RCM || o->how == INLAY_NUMBERING_GROUPS) {
        return INLAY_OK;
    }
    if (o->how != INLAY_NUMBERING_HILBERT) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "there is no numbering %d", (int)o->how);
    }
    if (o->dimensions < 1 || o->dimensions > 3 || (graph->rows > 0 && o->coordinate == NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "Hilbert's curve needs 1 to 3 coordinates of each vertex");
    }
    for (int64_t i = 0; i < (int64_t)graph->rows * o->dimensions; i++) {
        if (!isfinite(o->coordinate[i])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "row %lld has a coordinate that is no number",
                             (long long)(i / o->dimensions));
        }
    }
    return INLAY_OK;
}

typedef struct grouped_row {
    int32_t group, row;
} grouped_row;

static int by_group(const void *a, const void *b)
{
    const grouped_row *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group) - (x->group < y->group) : (x->row > y->row) - (x->row < y->row);
}

/* All rows, those of each group together. */
static int sort_groups(const int32_t *group, int32_t rows, int32_t *order, inlay_diag *diag)
{
    grouped_row *sorted = memory_array((size_t)rows, sizeof *sorted);
    if (sorted == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < rows; i++) {
        sorted[i] = (grouped_row){group != NULL ? group[i] : 0, i};
    }
    if (group != NULL) {
        qsort(sorted, (size_t)rows, sizeof *sorted, by_group);
    }
    for (int32_t i = 0; i < rows; i++) {
        order[i] = sorted[i].row;
    }
    free(sorted);
    return INLAY_OK;
}

static int order_by_edges(const inlay_graph *graph, const inlay_renumber_options *o, int32_t *order, inlay_diag *diag)
{
    own_edges edges;
    int status = own_edges_make(graph, o->group, &edges, diag);
    status = status == INLAY_OK ? sort_groups(o->group, graph->rows, order, diag) : status;
    status = status == INLAY_OK ? renumber_rcm(&edges, order, diag) : status;
    own_edges_clear(&edges);
    return status;
}

static int find_order(const inlay_graph *graph, const inlay_renumber_options *o, int32_t *order, inlay_diag *diag)
{
    switch (o->how) {
    case INLAY_NUMBERING_RCM: return order_by_edges(graph, o, order, diag);
    case INLAY_NUMBERING_HILBERT: return renumber_hilbert(graph->rows, o, order, diag);
    default: return sort_groups(o->group, graph->rows, order, diag);
    }
}

int inlay_renumber(const inlay_graph *graph, const inlay_renumber_options *options, int32_t *order, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = collective_agree(graph->comm, check_options(graph, options, diag), diag);
    return status == INLAY_OK ? collective_agree(graph->comm, find_order(graph, options, order, diag), diag) : status;
}

/* ---- What it is worth, and its table ---- */

/* place[order[k]] = k. Of this rank alone. */
static int invert(const int32_t *order, int32_t rows, int32_t **place, inlay_diag *diag)
{
    *place = memory_array((size_t)rows, sizeof **place);
    if (*place == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < rows; i++) {
        (*place)[i] = order == NULL ? i : -1;
    }
    for (int32_t k = 0; k < rows && order != NULL; k++) {
        if (order[k] < 0 || order[k] >= rows || (*place)[order[k]] >= 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "row %d comes at place %d; expected each of %d rows once",
                             (int)order[k], (int)k, (int)rows);
        }
        (*place)[order[k]] = k;
    }
    return INLAY_OK;
}

static int measure(const inlay_graph *graph, const int32_t *place, const int32_t *group, int64_t figure[3],
                   inlay_diag *diag)
{
    own_edges edges;
    int status = own_edges_make(graph, group, &edges, diag);
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        for (int64_t a = edges.start[i]; a < edges.start[i + 1]; a++) {
            int64_t distance = (int64_t)place[edges.row[a]] - place[i];
            if (distance > 0) { /* each edge from one of its ends */
                figure[0]++;
                figure[1] += distance;
                figure[2] = distance > figure[2] ? distance : figure[2];
            }
        }
    }
    own_edges_clear(&edges);
    return status;
}

int inlay_numbering_evaluate(const inlay_graph *graph, const int32_t *order, const int32_t *group,
                             inlay_numbering_figures *figures, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int32_t *place = NULL;
    int64_t figure[3] = {0, 0, 0};
    int status = invert(order, graph->rows, &place, diag);
    status = status == INLAY_OK ? measure(graph, place, group, figure, diag) : status;
    free(place);
    status = collective_agree(graph->comm, status, diag);
    if (status == INLAY_OK) {
        int64_t edges = collective_sum(graph->comm, figure[0]), sum = collective_sum(graph->comm, figure[1]);
        *figures = (inlay_numbering_figures){edges, collective_most(graph->comm, figure[2]),
                                             edges > 0 ? (double)sum / (double)edges : 0};
    }
    return status;
}

int inlay_table_ordered(const inlay_table *table, const int32_t *order, inlay_table **ordered, inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(table);
    int32_t rows = inlay_table_local(table), *place = NULL;
    int64_t *globals = memory_array((size_t)rows, sizeof *globals), *owned = memory_array((size_t)rows, sizeof *owned);
    int status = globals == NULL || owned == NULL ? diag_no_memory(diag) : invert(order, rows, &place, diag);
    status = collective_agree(comm, status, diag);
    if (status == INLAY_OK) {
        inlay_table_globals(table, globals);
        for (int32_t i = 0; i < rows; i++) {
            owned[place[i]] = globals[i];
        }
        status = inlay_table_owned(comm, inlay_table_elements(table), owned, rows, ordered, diag);
    }
    free(globals);
    free(owned);
    free(place);
    return status;
}
