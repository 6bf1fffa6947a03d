/*
 * Coordinates of the vertices of a mesh: Scotch's .xyz (a line with the dimension, one with the number of points, then
 * `label x y z` in any order), or as many numbers as there are dimensions on a line for each vertex, in order.
 */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/rows.h"
#include <stdlib.h>

enum { DIMENSIONS = 3 };

typedef struct point {
    int64_t vertex; /* a label first */
    int64_t line;
    double at[DIMENSIONS];
} point;

typedef struct header {
    int64_t dimensions;
    bool labels;
} header;

/* ---- The header ---- */

/* A dimension and a count, each on a line of its own, begin Scotch's form; else the first line is taken back. */
static int read_header(mesh_text *text, int64_t vertices, header *h, inlay_diag *diag)
{
    mesh_line first, second;
    mesh_text before = *text;
    int64_t points = 0;
    if (!mesh_text_take_row(text, &first)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0, "is empty; expected coordinates of %lld vertices",
                            (long long)vertices);
    }
    mesh_cursor one = mesh_cursor_of(&first), two = {0};
    int64_t words = mesh_cursor_words(one);
    if (words == 1 && mesh_text_take_row(text, &second)) {
        two = mesh_cursor_of(&second);
    }
    if (words == 1 && mesh_cursor_words(two) == 1 &&
        mesh_take_number(text, &one, "", 1, DIMENSIONS, &h->dimensions, NULL) == INLAY_OK &&
        mesh_take_number(text, &two, "", vertices, vertices, &points, NULL) == INLAY_OK) {
        h->labels = true;
        return INLAY_OK;
    }
    *text = before;
    *h = (header){.dimensions = words};
    return words <= DIMENSIONS ? INLAY_OK
                               : diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)first.number,
                                              "the line has %lld numbers; expected at most %d coordinates",
                                              (long long)words, DIMENSIONS);
}

/* ---- The points ---- */

static int read_point(const mesh_text *text, mesh_cursor *cursor, const header *h, point *p, inlay_diag *diag)
{
    int status = INLAY_OK;
    p->line = cursor->line;
    if (h->labels) {
        status = mesh_take_number(text, cursor, "the label of the vertex", 0, MESH_MOST, &p->vertex, diag);
    }
    for (int i = 0; i < h->dimensions && status == INLAY_OK; i++) {
        status = mesh_take_real(text, cursor, "a coordinate", &p->at[i], diag);
    }
    return status == INLAY_OK ? mesh_take_end(text, cursor, "as many coordinates on each line", diag) : status;
}

static int read_points(const mesh_text *text, const header *h, int64_t first, int64_t count, point *points,
                       inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int status = points == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int64_t i = 0; i < count && status == INLAY_OK && mesh_walk_next(&walk, &cursor); i++) {
        points[i] = (point){.vertex = first + i};
        status = read_point(text, &cursor, h, &points[i], diag);
    }
    return status;
}

static int check_count(const mesh_text *text, int64_t rows, int64_t vertices, inlay_diag *diag)
{
    int64_t all = collective_sum(text->comm, rows), last = mesh_text_last(text);
    if (all == vertices) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)last,
                        "the file ends behind the coordinates of %lld vertices; expected %lld, a line for each",
                        (long long)all, (long long)vertices);
}

/* ---- Whose point is it? ---- */

/* By the labels of the graph. */
static int find_labels(const mesh_text *text, const mesh_found *found, point *points, int64_t count, inlay_diag *diag)
{
    const inlay_graph *graph = found->graph;
    int64_t *number = memory_array((size_t)count, sizeof *number);
    int status = collective_agree(text->comm, number == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        number[i] = points[i].vertex;
    }
    if (status == INLAY_OK) {
        status = mesh_labels_find(text->comm, found->label, graph->rows, graph->first, number, count, number, diag);
    }
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        if (number[i] < 0) {
            status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)points[i].line,
                                  "there is no vertex with the label %lld; expected labels of the graph",
                                  (long long)points[i].vertex);
        }
        points[i].vertex = number[i];
    }
    free(number);
    return collective_agree(text->comm, status, diag);
}

/* Numbers that begin with 0, with 1 or with that of the graph. */
static int find_numbers(const mesh_text *text, const mesh_found *found, point *points, int64_t count, inlay_diag *diag)
{
    int64_t vertices = found->graph->vertices, least = INT64_MAX;
    int status = INLAY_OK;
    for (int64_t i = 0; i < count; i++) {
        least = points[i].vertex < least ? points[i].vertex : least;
    }
    least = collective_least(text->comm, least);
    int64_t base = least == 0 || least == 1 ? least : found->base;
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        int64_t number = points[i].vertex - base;
        if (number < 0 || number >= vertices) {
            status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)points[i].line,
                                  "the label of the vertex is %lld; expected a whole number from %lld to %lld",
                                  (long long)points[i].vertex, (long long)base, (long long)(base + vertices - 1));
        }
        points[i].vertex = number;
    }
    return collective_agree(text->comm, status, diag);
}

/* ---- To the owners ---- */

static int send_points(MPI_Comm comm, const mesh_found *found, const point *points, int64_t count, point **received,
                       int64_t *receives, inlay_diag *diag)
{
    int ranks = collective_ranks(comm);
    exchange *x = NULL;
    point *send = memory_array((size_t)count, sizeof *send), *got = NULL;
    int32_t *owner = memory_array((size_t)count, sizeof *owner), *place = memory_array((size_t)count, sizeof *place);
    int status = send == NULL || owner == NULL || place == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(comm, status, diag);
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        owner[i] = inlay_block_owner(found->graph->vertices, ranks, points[i].vertex);
    }
    status = status == INLAY_OK ? exchange_of_owners(comm, owner, count, &x, diag) : status;
    if (status == INLAY_OK) {
        status = exchange_places(x, owner, count, place, diag);
        got = memory_array((size_t)x->receives, sizeof *got);
        status = collective_agree(comm, got == NULL ? diag_no_memory(diag) : status, diag);
    }
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        send[place[i]] = points[i];
    }
    if (status == INLAY_OK) {
        status = exchange_run(x, send, got, sizeof *got, diag);
        *receives = x->receives;
    }
    free(send);
    free(owner);
    free(place);
    exchange_free(x);
    *received = got;
    return status;
}

/* There are as many points as vertices: where none comes twice, each has one. */
static int place_points(const mesh_text *text, const mesh_found *found, const point *points, int64_t count,
                        int dimensions, double *coordinate, inlay_diag *diag)
{
    const inlay_graph *graph = found->graph;
    bool *seen = memory_zeroed((size_t)graph->rows, sizeof *seen);
    int status = seen == NULL || coordinate == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        int64_t row = points[i].vertex - graph->first;
        if (seen[row]) {
            status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)points[i].line,
                                  "the vertex has coordinates already; expected a line for each vertex");
        }
        seen[row] = true;
        for (int d = 0; d < dimensions; d++) {
            coordinate[row * dimensions + d] = points[i].at[d];
        }
    }
    free(seen);
    return status;
}

/* The points of this rank's lines, with the numbers of their vertices. */
static int take_points(mesh_text *text, const mesh_found *found, header *h, point **points, int64_t *count,
                       inlay_diag *diag)
{
    int status = read_header(text, found->graph->vertices, h, diag);
    if (status != INLAY_OK) {
        return status;
    }
    *count = mesh_text_rows(text);
    int64_t first = collective_before(text->comm, *count);
    status = check_count(text, *count, found->graph->vertices, diag);
    if (status != INLAY_OK) {
        return status;
    }
    *points = memory_array((size_t)*count, sizeof **points);
    status = collective_agree(text->comm, read_points(text, h, first, *count, *points, diag), diag);
    if (status != INLAY_OK || !h->labels) {
        return status;
    }
    return found->label != NULL ? find_labels(text, found, *points, *count, diag)
                                : find_numbers(text, found, *points, *count, diag);
}

int mesh_read_coordinates(const char *path, const char *name, const mesh_found *found, int *dimensions,
                          double **coordinate, inlay_diag *diag)
{
    const inlay_graph *graph = found->graph;
    mesh_text text = {0};
    header h = {0};
    point *points = NULL, *received = NULL;
    int64_t count = 0, receives = 0;
    double *made = NULL;
    int status = mesh_text_read(graph->comm, path, name, &text, diag);
    text.comments = "#%";
    status = status == INLAY_OK ? take_points(&text, found, &h, &points, &count, diag) : status;
    status = status == INLAY_OK ? send_points(graph->comm, found, points, count, &received, &receives, diag) : status;
    free(points);
    if (status == INLAY_OK) {
        made = memory_array((size_t)graph->rows * (size_t)h.dimensions, sizeof *made);
        status = place_points(&text, found, received, receives, (int)h.dimensions, made, diag);
        status = collective_agree(graph->comm, status, diag);
    }
    free(received);
    mesh_text_clear(&text);
    if (status != INLAY_OK) {
        free(made);
        return status;
    }
    *dimensions = (int)h.dimensions;
    *coordinate = made;
    return INLAY_OK;
}
