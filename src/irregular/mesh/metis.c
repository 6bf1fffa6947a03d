/*
 * METIS .graph and .mgraph (METIS 5.1 manual, section 4.1): `n m [fmt [ncon]]`, then a line a vertex:
 * `[size] [ncon weights] (neighbour [weight])*`, numbers from 1, each edge at both ends; `%` begins a comment.
 */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/rows.h"
#include <string.h>

typedef struct header {
    int64_t vertices, edges, constraints, line;
    int64_t most; /**< of the weight of an edge */
    bool sizes, loads, weights;
} header;

/* `fmt`: three digits, of which those in front may be left out. */
static int read_flags(const mesh_text *text, mesh_cursor *cursor, header *h, inlay_diag *diag)
{
    const char *word = "";
    size_t size = 0;
    char digits[4] = "000";
    if (!mesh_cursor_word(cursor, &word, &size)) {
        return INLAY_OK;
    }
    bool good = size <= 3 && strspn(word, "01") >= size;
    if (!good) {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, text->path, (long)h->line,
            "the format is '%.*s'; expected three digits 0 or 1: sizes, weights of vertices, weights of "
            "edges",
            (int)(size < 24 ? size : 24), word);
    }
    memcpy(digits + 3 - size, word, size);
    h->sizes = digits[0] == '1';
    h->loads = digits[1] == '1';
    h->weights = digits[2] == '1';
    return INLAY_OK;
}

static int read_header(mesh_text *text, header *h, inlay_diag *diag)
{
    mesh_line line;
    if (!mesh_text_take_row(text, &line)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0,
                            "is empty; expected the numbers of vertices and edges");
    }
    mesh_cursor cursor = mesh_cursor_of(&line);
    *h = (header){.line = line.number};
    int status = mesh_take_number(text, &cursor, "the number of vertices", 1, MESH_MOST, &h->vertices, diag);
    if (status == INLAY_OK) {
        status = mesh_take_number(text, &cursor, "the number of edges", 0, MESH_MOST, &h->edges, diag);
    }
    status = status == INLAY_OK ? read_flags(text, &cursor, h, diag) : status;
    h->constraints = h->loads ? 1 : 0;
    h->most = MESH_MOST / (h->edges + 1);
    if (status == INLAY_OK && h->loads && !mesh_cursor_done(&cursor)) {
        status = mesh_take_number(text, &cursor, "the number of weights of a vertex", 1, INLAY_MOST_WEIGHTS,
                                  &h->constraints, diag);
    }
    return status == INLAY_OK
               ? mesh_take_end(text, &cursor, "vertices, edges, format, number of weights of a vertex", diag)
               : status;
}

/* The communication volume is a sum of sizes over the ends of edges. */
static int read_weights(const mesh_text *text, mesh_cursor *cursor, const header *h, int64_t *size, int64_t *load,
                        inlay_diag *diag)
{
    const int64_t mean = MESH_MOST / (h->vertices > 0 ? h->vertices : 1), most = h->most < mean ? h->most : mean;
    int status = INLAY_OK;
    if (h->sizes) {
        status = mesh_take_number(text, cursor, "the size of the vertex", 0, most, size, diag);
    }
    for (int64_t i = 0; i < h->constraints && status == INLAY_OK; i++) {
        status = mesh_take_number(text, cursor, "a weight of the vertex", 0, mean, &load[i], diag);
    }
    return status;
}

static int read_row(const mesh_text *text, mesh_cursor *cursor, const header *h, mesh_rows *rows, int64_t row,
                    inlay_diag *diag)
{
    int64_t neighbour, weight = 1;
    int status = read_weights(text, cursor, h, h->sizes ? rows->size + row : NULL,
                              h->loads ? rows->load + row * h->constraints : NULL, diag);
    rows->start[row + 1] = rows->start[row];
    while (status == INLAY_OK && !mesh_cursor_done(cursor)) {
        status = mesh_take_number(text, cursor, "a neighbour", 1, h->vertices, &neighbour, diag);
        if (status == INLAY_OK && h->weights) {
            status = mesh_take_number(text, cursor, "the weight of an edge", 1, h->most, &weight, diag);
        }
        status = status == INLAY_OK ? mesh_rows_add(rows, row, neighbour - 1, h->weights, weight, diag) : status;
    }
    return status == INLAY_OK ? mesh_rows_finish(text, rows, row, 1, cursor->line, diag) : status;
}

/* Blank lines at the end are no vertices. */
static int read_rows(const mesh_text *text, const header *h, mesh_rows *rows, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int status = INLAY_OK;
    for (int64_t row = 0; status == INLAY_OK && mesh_walk_next(&walk, &cursor); row++) {
        if (row < rows->count) {
            status = read_row(text, &cursor, h, rows, row, diag);
        } else if (!mesh_cursor_done(&cursor)) {
            status =
                diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor.line,
                             "is a line too many; expected %lld lines, one for each vertex", (long long)h->vertices);
        }
    }
    return status;
}

/* Room for those lines of this rank that are vertices. */
static int prepare(const mesh_text *text, const header *h, mesh_rows *rows, inlay_diag *diag)
{
    int64_t lines = mesh_text_rows(text);
    int64_t first = collective_before(text->comm, lines), all = collective_sum(text->comm, lines);
    int64_t count = first >= h->vertices ? 0 : first + lines > h->vertices ? h->vertices - first : lines;
    int64_t last = mesh_text_last(text);
    int status = INLAY_OK;
    if (all < h->vertices) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)last,
                            "the file ends with vertex %lld; expected %lld, a line for each", (long long)all,
                            (long long)h->vertices);
    }
    status = mesh_rows_new(count, (int32_t)h->constraints, false, rows, diag);
    rows->first = first;
    rows->vertices = h->vertices;
    rows->size = h->sizes ? memory_array((size_t)count, sizeof *rows->size) : NULL;
    return status == INLAY_OK && h->sizes && rows->size == NULL ? diag_no_memory(diag) : status;
}

static int check_edges(const mesh_text *text, const header *h, int64_t arcs, inlay_diag *diag)
{
    int64_t expected = 2 * h->edges;
    if (arcs == expected) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)h->line,
                        "there are to be %lld edges, but the lines have %lld neighbours; expected %lld, each edge at "
                        "both ends",
                        (long long)h->edges, (long long)arcs, (long long)expected);
}

int mesh_read_metis(mesh_text *text, mesh_found *found, inlay_diag *diag)
{
    header h = {0};
    mesh_rows rows = {0};
    inlay_graph *graph = NULL;
    text->comments = "%";
    int status = read_header(text, &h, diag);
    text->blank_rows = true;
    status = status == INLAY_OK ? collective_agree(text->comm, prepare(text, &h, &rows, diag), diag) : status;
    status = status == INLAY_OK ? collective_agree(text->comm, read_rows(text, &h, &rows, diag), diag) : status;
    status = status == INLAY_OK ? mesh_rows_deliver(text, &rows, 1, &graph, diag) : status;
    mesh_rows_clear(&rows);
    status = status == INLAY_OK ? check_edges(text, &h, graph->arcs, diag) : status;
    if (status != INLAY_OK) {
        inlay_graph_free(graph);
        return status;
    }
    *found = (mesh_found){.graph = graph, .base = 1};
    return INLAY_OK;
}
