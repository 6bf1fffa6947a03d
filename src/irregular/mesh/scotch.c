/*
 * Scotch .grf (Scotch 7.0 user's guide, section 5.1): version 0; numbers of vertices and arcs; base number and three flags:
 * labels, weights of edges, weights of vertices. Then a line a vertex: `[label] [weight] degree ([weight] neighbour)*`.
 */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/rows.h"
#include <stdlib.h>
#include <string.h>

typedef struct header {
    int64_t vertices, arcs, base, line; /**< `line` has the two counts */
    bool labels, weights, loads;
} header;

static int missing(const mesh_text *text, const char *expected, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0, "ends within its header; expected %s", expected);
}

static int read_flags(const mesh_text *text, mesh_cursor *cursor, header *h, inlay_diag *diag)
{
    const char *word = "";
    size_t size = 0;
    if (!mesh_cursor_word(cursor, &word, &size) || size != 3 || strspn(word, "01") < 3) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                            "the flags are '%.*s'; expected three digits 0 or 1: labels, weights of edges, weights of "
                            "vertices",
                            (int)(size < 24 ? size : 24), word);
    }
    h->labels = word[0] == '1';
    h->weights = word[1] == '1';
    h->loads = word[2] == '1';
    return mesh_take_end(text, cursor, "base number and flags", diag);
}

static int read_counts(const mesh_text *text, mesh_cursor *cursor, header *h, inlay_diag *diag)
{
    h->line = cursor->line;
    int status = mesh_take_number(text, cursor, "the number of vertices", 1, MESH_MOST, &h->vertices, diag);
    if (status == INLAY_OK) {
        status = mesh_take_number(text, cursor, "the number of arcs", 0, MESH_MOST, &h->arcs, diag);
    }
    return status == INLAY_OK ? mesh_take_end(text, cursor, "numbers of vertices and arcs", diag) : status;
}

static int read_header(mesh_text *text, header *h, inlay_diag *diag)
{
    enum { LINES = 3 };
    static const char *const what[LINES] = {"the version, 0", "numbers of vertices and arcs", "base number and flags"};
    mesh_line line;
    int64_t version;
    int status = INLAY_OK;
    *h = (header){0};
    for (int i = 0; i < LINES && status == INLAY_OK; i++) {
        if (!mesh_text_take_row(text, &line)) {
            return missing(text, what[i], diag);
        }
        mesh_cursor cursor = mesh_cursor_of(&line);
        if (i == 0) {
            status = mesh_take_number(text, &cursor, "the version of the format", 0, 0, &version, diag);
            status = status == INLAY_OK ? mesh_take_end(text, &cursor, what[i], diag) : status;
        } else if (i == 1) {
            status = read_counts(text, &cursor, h, diag);
        } else {
            status = mesh_take_number(text, &cursor, "the base number", 0, MESH_MOST, &h->base, diag);
            status = status == INLAY_OK ? read_flags(text, &cursor, h, diag) : status;
        }
    }
    return status;
}

static int read_arc(const mesh_text *text, mesh_cursor *cursor, const header *h, mesh_rows *rows, int64_t row,
                    inlay_diag *diag)
{
    int64_t weight = 1, neighbour = 0;
    int64_t base = h->labels ? 0 : h->base, most = h->labels ? MESH_MOST : h->base + h->vertices - 1;
    int status = INLAY_OK;
    if (h->weights) {
        status = mesh_take_number(text, cursor, "the weight of an edge", 1, MESH_MOST / (h->arcs + 1), &weight, diag);
    }
    status = status == INLAY_OK ? mesh_take_number(text, cursor, "a neighbour", base, most, &neighbour, diag) : status;
    return status == INLAY_OK ? mesh_rows_add(rows, row, neighbour - base, h->weights, weight, diag) : status;
}

static int read_row(const mesh_text *text, mesh_cursor *cursor, const header *h, mesh_rows *rows, int64_t row,
                    inlay_diag *diag)
{
    int64_t degree = 0;
    int status = INLAY_OK;
    rows->start[row + 1] = rows->start[row];
    if (h->labels) {
        status = mesh_take_number(text, cursor, "the label of the vertex", 0, MESH_MOST, &rows->label[row], diag);
    }
    if (status == INLAY_OK && h->loads) {
        status = mesh_take_number(text, cursor, "the weight of the vertex", 0, MESH_MOST / h->vertices,
                                  &rows->load[row], diag);
    }
    if (status == INLAY_OK) {
        status = mesh_take_number(text, cursor, "the number of neighbours", 0, h->vertices - 1, &degree, diag);
    }
    for (int64_t i = 0; i < degree && status == INLAY_OK; i++) {
        status = read_arc(text, cursor, h, rows, row, diag);
    }
    status = status == INLAY_OK ? mesh_take_end(text, cursor, "no more neighbours than the line says", diag) : status;
    return status == INLAY_OK ? mesh_rows_finish(text, rows, row, h->base, cursor->line, diag) : status;
}

static int read_rows(const mesh_text *text, const header *h, mesh_rows *rows, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int status = INLAY_OK;
    for (int64_t row = 0; row < rows->count && status == INLAY_OK && mesh_walk_next(&walk, &cursor); row++) {
        status = read_row(text, &cursor, h, rows, row, diag);
    }
    return status;
}

static int prepare(const mesh_text *text, const header *h, mesh_rows *rows, inlay_diag *diag)
{
    int64_t lines = mesh_text_rows(text);
    int64_t first = collective_before(text->comm, lines), all = collective_sum(text->comm, lines);
    int64_t last = mesh_text_last(text);
    if (all != h->vertices) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)last,
                            "the file ends behind %lld vertices; expected %lld, a line for each", (long long)all,
                            (long long)h->vertices);
    }
    int status = mesh_rows_new(lines, h->loads, h->labels, rows, diag);
    rows->first = first;
    rows->vertices = h->vertices;
    return status;
}

static int check_arcs(const mesh_text *text, const header *h, int64_t arcs, inlay_diag *diag)
{
    if (arcs == h->arcs) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)h->line,
                        "there are to be %lld arcs, but the lines have %lld; expected twice the number of edges",
                        (long long)h->arcs, (long long)arcs);
}

/* Labels are kept where coordinates may be sought by them. */
static int finish(const mesh_text *text, const header *h, mesh_rows *rows, mesh_found *found, inlay_diag *diag)
{
    inlay_graph *graph = NULL;
    int64_t *label = NULL;
    int status = INLAY_OK;
    if (h->labels) {
        status = mesh_labels_resolve(text, rows, diag);
    }
    status = status == INLAY_OK ? mesh_rows_deliver(text, rows, h->base, &graph, diag) : status;
    if (status == INLAY_OK && h->labels) {
        status = mesh_labels_deliver(text->comm, rows, &label, diag);
    }
    status = status == INLAY_OK ? check_arcs(text, h, graph->arcs, diag) : status;
    if (status != INLAY_OK) {
        free(label);
        inlay_graph_free(graph);
        return status;
    }
    *found = (mesh_found){.graph = graph, .label = label, .base = h->base};
    return INLAY_OK;
}

int mesh_read_scotch(mesh_text *text, mesh_found *found, inlay_diag *diag)
{
    header h = {0};
    mesh_rows rows = {0};
    int status = read_header(text, &h, diag);
    status = status == INLAY_OK ? collective_agree(text->comm, prepare(text, &h, &rows, diag), diag) : status;
    status = status == INLAY_OK ? collective_agree(text->comm, read_rows(text, &h, &rows, diag), diag) : status;
    status = status == INLAY_OK ? finish(text, &h, &rows, found, diag) : status;
    mesh_rows_clear(&rows);
    return status;
}
