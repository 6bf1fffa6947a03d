/* Rows of a mesh file: collecting them, and moving them to the owners of a block distribution. */
#include "irregular/mesh/rows.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>

int mesh_rows_new(int64_t count, int32_t loads, bool labels, mesh_rows *rows, inlay_diag *diag)
{
    *rows = (mesh_rows){.count = count, .loads = loads};
    rows->start = memory_zeroed((size_t)count + 1, sizeof *rows->start);
    rows->load = loads > 0 ? memory_array((size_t)count, (size_t)loads * sizeof *rows->load) : NULL;
    rows->label = labels ? memory_array((size_t)count, sizeof *rows->label) : NULL;
    if (rows->start == NULL || (loads > 0 && rows->load == NULL) || (labels && rows->label == NULL)) {
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

void mesh_rows_clear(mesh_rows *rows)
{
    free(rows->start);
    free(rows->column);
    free(rows->weight);
    free(rows->load);
    free(rows->size);
    free(rows->label);
    *rows = (mesh_rows){0};
}

int mesh_rows_add(mesh_rows *rows, int64_t row, int64_t column, bool weighted, int64_t weight, inlay_diag *diag)
{
    int64_t at = rows->start[row + 1];
    if (!memory_grow((void **)&rows->column, &rows->column_room, (size_t)at + 1, sizeof *rows->column) ||
        (weighted && !memory_grow((void **)&rows->weight, &rows->weight_room, (size_t)at + 1, sizeof *rows->weight))) {
        return diag_no_memory(diag);
    }
    rows->column[at] = column;
    if (weighted) {
        rows->weight[at] = weight;
    }
    rows->start[row + 1] = at + 1;
    return INLAY_OK;
}

/* ---- Sorting a row ---- */

typedef struct arc_list {
    int64_t *column, *weight; /* weight may be NULL */
} arc_list;

static void swap(const arc_list *arcs, int64_t i, int64_t j)
{
    int64_t column = arcs->column[i];
    arcs->column[i] = arcs->column[j];
    arcs->column[j] = column;
    if (arcs->weight != NULL) {
        int64_t weight = arcs->weight[i];
        arcs->weight[i] = arcs->weight[j];
        arcs->weight[j] = weight;
    }
}

static void insertion_sort(const arc_list *arcs, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        for (int64_t j = i; j > 0 && arcs->column[j] < arcs->column[j - 1]; j--) {
            swap(arcs, j, j - 1);
        }
    }
}

static void sift_down(const arc_list *arcs, int64_t at, int64_t count)
{
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && arcs->column[child + 1] > arcs->column[child];
        if (arcs->column[child] <= arcs->column[at]) {
            return;
        }
        swap(arcs, at, child);
        at = child;
    }
}

/* Rows of a mesh are short; a long one is sorted in place too. */
static void sort_row(const arc_list *arcs, int64_t count)
{
    enum { SHORT = 48 };
    if (count <= SHORT) {
        insertion_sort(arcs, count);
        return;
    }
    for (int64_t i = count / 2; i-- > 0;) {
        sift_down(arcs, i, count);
    }
    for (int64_t i = count - 1; i > 0; i--) {
        swap(arcs, 0, i);
        sift_down(arcs, 0, i);
    }
}

void mesh_rows_sort(mesh_rows *rows, int64_t row)
{
    int64_t from = rows->start[row], count = rows->start[row + 1] - from;
    if (count > 0) {
        sort_row(&(arc_list){rows->column + from, rows->weight != NULL ? rows->weight + from : NULL}, count);
    }
}

int mesh_rows_finish(const mesh_text *text, mesh_rows *rows, int64_t row, int64_t base, int64_t line, inlay_diag *diag)
{
    int64_t self = rows->label != NULL ? rows->label[row] : rows->first + row;
    int64_t shown = rows->label != NULL ? 0 : base;
    long long name = self + shown;
    mesh_rows_sort(rows, row);
    for (int64_t k = rows->start[row]; k < rows->start[row + 1]; k++) {
        long long neighbour = rows->column[k] + shown;
        if (neighbour == name) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line,
                                "vertex %lld is its own neighbour; expected no loops", name);
        }
        if (k > rows->start[row] && rows->column[k] == rows->column[k - 1]) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line,
                                "vertex %lld lists its neighbour %lld twice; expected each once", name, neighbour);
        }
    }
    return INLAY_OK;
}

/* ---- To the block distribution ---- */

int mesh_graph_new(MPI_Comm comm, int64_t vertices, inlay_graph **graph, inlay_diag *diag)
{
    int ranks = collective_ranks(comm), rank = collective_rank(comm);
    int64_t first = inlay_block_first(vertices, ranks, rank);
    int64_t rows = inlay_block_first(vertices, ranks, rank + 1) - first;
    if (rows >= INT32_MAX) {
        diag_fail(diag, INLAY_OVERFLOW, "%lld vertices on %d ranks; expected fewer than 2^31 on each: use more ranks",
                  (long long)vertices, ranks);
        return INLAY_OVERFLOW;
    }
    inlay_graph *made = memory_zeroed(1, sizeof *made);
    int64_t *start = memory_zeroed((size_t)rows + 1, sizeof *start);
    if (made == NULL || start == NULL) {
        free(start);
        free(made);
        return diag_no_memory(diag);
    }
    *made = (inlay_graph){.comm = comm, .vertices = vertices, .rows = (int32_t)rows, .first = first, .start = start};
    *graph = made;
    return INLAY_OK;
}

/* count[r]: the rows of this rank that rank r owns, which follow each other; or with `arcs` their arcs. */
static void count_moves(MPI_Comm comm, const mesh_rows *rows, bool arcs, int64_t *count)
{
    int ranks = collective_ranks(comm);
    for (int r = 0; r < ranks; r++) {
        int64_t from = inlay_block_first(rows->vertices, ranks, r) - rows->first;
        int64_t to = inlay_block_first(rows->vertices, ranks, r + 1) - rows->first;
        from = from < 0 ? 0 : from > rows->count ? rows->count : from;
        to = to < 0 ? 0 : to > rows->count ? rows->count : to;
        count[r] = arcs ? rows->start[to] - rows->start[from] : to - from;
    }
}

static int make_exchange(MPI_Comm comm, const mesh_rows *rows, bool arcs, exchange **made, inlay_diag *diag)
{
    int64_t *count = memory_array((size_t)collective_ranks(comm), sizeof *count);
    int status = collective_agree(comm, count == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        count_moves(comm, rows, arcs, count);
        status = exchange_make(comm, count, made, diag);
    }
    free(count);
    return status;
}

/* Moves an array that all ranks have or none has (`each` is 0), of so many numbers in a row, and frees it. */
static int move_array(const exchange *x, int64_t **from, int32_t each, int64_t **to, inlay_diag *diag)
{
    size_t size = (size_t)each * sizeof **to;
    if (each == 0) {
        return INLAY_OK;
    }
    *to = memory_array((size_t)x->receives, size);
    int status = collective_agree(x->comm, *to == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? exchange_run(x, *from, *to, size, diag) : status;
    free(*from);
    *from = NULL;
    return status;
}

static int move_degrees(const exchange *x, mesh_rows *rows, inlay_graph *graph, inlay_diag *diag)
{
    int64_t *degree = memory_array((size_t)rows->count, sizeof *degree);
    int status = collective_agree(x->comm, degree == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int64_t i = 0; i < rows->count && status == INLAY_OK; i++) {
        degree[i] = rows->start[i + 1] - rows->start[i];
    }
    status = status == INLAY_OK ? exchange_run(x, degree, graph->start + 1, sizeof *degree, diag) : status;
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        graph->start[i + 1] += graph->start[i];
    }
    free(degree);
    return status;
}

/* A rank without rows has arrays of loads and weights too where the others have. */
static int move_rows(MPI_Comm comm, mesh_rows *rows, inlay_graph *graph, inlay_diag *diag)
{
    exchange *of_rows = NULL, *of_arcs = NULL;
    int32_t loads = (int32_t)collective_most(comm, rows->load != NULL ? rows->loads : 0);
    bool weights = collective_most(comm, rows->weight != NULL) > 0,
         sizes = collective_most(comm, rows->size != NULL) > 0;
    int status = make_exchange(comm, rows, false, &of_rows, diag);
    graph->weights = loads;
    status = status == INLAY_OK ? make_exchange(comm, rows, true, &of_arcs, diag) : status;
    status = status == INLAY_OK ? move_degrees(of_rows, rows, graph, diag) : status;
    status = status == INLAY_OK ? move_array(of_rows, &rows->load, loads, &graph->load, diag) : status;
    status = status == INLAY_OK ? move_array(of_rows, &rows->size, sizes, &graph->size, diag) : status;
    status = status == INLAY_OK ? move_array(of_arcs, &rows->column, true, &graph->column, diag) : status;
    status = status == INLAY_OK ? move_array(of_arcs, &rows->weight, weights, &graph->weight, diag) : status;
    exchange_free(of_arcs);
    exchange_free(of_rows);
    return status;
}

int mesh_labels_deliver(MPI_Comm comm, mesh_rows *rows, int64_t **label, inlay_diag *diag)
{
    exchange *x = NULL;
    int64_t *made = NULL;
    int status = make_exchange(comm, rows, false, &x, diag);
    status = status == INLAY_OK ? move_array(x, &rows->label, true, &made, diag) : status;
    exchange_free(x);
    if (status != INLAY_OK) {
        free(made);
        return status;
    }
    *label = made;
    return INLAY_OK;
}

/* ---- The finished graph ---- */

/* On the rank that has the row in its piece of the file. */
static int refuse_unmatched(const mesh_text *text, const mesh_rows *rows, const mesh_arc *arc, int64_t base,
                            inlay_diag *diag)
{
    if (arc->row < rows->first || arc->row >= rows->first + rows->count) {
        return INLAY_OK;
    }
    long line = (long)mesh_text_line_of(text, arc->row - rows->first);
    long long from = arc->row + base, to = arc->column + base;
    const char *kind = rows->label != NULL ? "vertex number" : "vertex";
    if (arc->opposite == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, line,
                            "%s %lld lists %lld, which does not list it; expected each edge at both ends", kind, from,
                            to);
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, line,
                        "%s %lld lists %lld with weight %lld, which lists it with weight %lld; expected the same at "
                        "both ends",
                        kind, from, to, (long long)arc->weight, (long long)arc->opposite);
}

int mesh_rows_deliver(const mesh_text *text, mesh_rows *rows, int64_t base, inlay_graph **graph, inlay_diag *diag)
{
    inlay_graph *made = NULL;
    mesh_arc unmatched = {.row = INT64_MAX};
    int64_t arcs = collective_sum(text->comm, rows->start[rows->count]);
    int status = mesh_graph_new(text->comm, rows->vertices, &made, diag);
    if (status == INLAY_OK) {
        made->arcs = arcs;
    }
    status = collective_agree(text->comm, status, diag);
    status = status == INLAY_OK ? move_rows(text->comm, rows, made, diag) : status;
    status = status == INLAY_OK ? mesh_find_unmatched(made, &unmatched, diag) : status;
    if (status == INLAY_OK && unmatched.row != INT64_MAX) {
        status = collective_agree(text->comm, refuse_unmatched(text, rows, &unmatched, base, diag), diag);
    }
    if (status != INLAY_OK) {
        inlay_graph_free(made);
        return status;
    }
    *graph = made;
    return INLAY_OK;
}
