/*
 * Scotch in: the .grf file of its manual (version 7.0, section 5.1). `0`, `VERTICES ARCS` (both ends of every edge),
 * `BASE FLAGS`, then of every vertex its label, its load, its degree, and that many neighbours, each behind the load of
 * the edge, as the digits of FLAGS say: labels, loads of edges, loads of vertices. Neighbours go by label where there
 * are labels. Ends of lines mean nothing.
 */
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/numbers.h"
#include <inttypes.h>
#include <stdlib.h>

typedef struct scotch_shape {
    int64_t vertices, arcs, base;
    int64_t labels, edge_loads, loads;
} scotch_shape;

/* A neighbour that may not have come yet, by its label. */
typedef struct scotch_arc {
    int32_t from;
    int32_t to;
    int64_t load;
} scotch_arc;

bool scotch_looks_like(const char *data, size_t size)
{
    enum { FIELDS = 2 };
    number_look look = {data, data + size, '%'};
    int64_t version[FIELDS], sizes[FIELDS], shape[FIELDS];
    return look_line(&look, false, version, FIELDS) == 1 && version[0] == 0 &&
           look_line(&look, false, sizes, FIELDS) == 2 && look_line(&look, false, shape, FIELDS) == 2 &&
           shape[1] <= 111 && shape[1] % 10 <= 1 && shape[1] / 10 % 10 <= 1;
}

static int read_header(number_text *t, scotch_shape *s)
{
    int64_t version, flags = 0;
    int status = number_take_free(t, "the version", 0, 0, &version);
    status =
        status == INLAY_OK ? number_take_free(t, "the number of vertices", 1, INT32_MAX - 1, &s->vertices) : status;
    status = status == INLAY_OK ? number_take_free(t, "the number of arcs", 0, INT64_MAX / 4, &s->arcs) : status;
    status = status == INLAY_OK ? number_take_free(t, "the base", 0, INT32_MAX, &s->base) : status;
    status = status == INLAY_OK ? number_take_free(t, "the flags", 0, 111, &flags) : status;
    s->labels = flags / 100;
    s->edge_loads = flags / 10 % 10;
    s->loads = flags % 10;
    return status != INLAY_OK || (s->edge_loads <= 1 && s->loads <= 1)
               ? status
               : diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                              "the flags are %d; expected three digits of 0 or 1", (int)flags);
}

typedef struct scotch_reading {
    scotch_shape shape;
    number_graph graph;
    id_map number; /* by label */
    scotch_arc *arc;
    size_t arcs, capacity;
} scotch_reading;

static int read_arc(scotch_reading *r, int64_t vertex)
{
    number_text *t = r->graph.text;
    const scotch_shape *s = &r->shape;
    int64_t load = 1, to = 0;
    int status = s->edge_loads ? number_take_free(t, "the load of an edge", 0, INT64_MAX, &load) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    if (!s->labels) {
        status = number_take_free(t, "a neighbour", s->base, s->base + s->vertices - 1, &to);
        return status == INLAY_OK ? number_graph_arc(&r->graph, vertex, to - s->base, load) : status;
    }
    status = number_take_free(t, "the label of a neighbour", 0, INT32_MAX, &to);
    if (status == INLAY_OK && !memory_grow((void **)&r->arc, &r->capacity, r->arcs + 1, sizeof *r->arc)) {
        return diag_no_memory(t->diag);
    }
    if (status == INLAY_OK) {
        r->arc[r->arcs++] = (scotch_arc){(int32_t)vertex, (int32_t)to, load};
    }
    return status;
}

static int read_vertex(scotch_reading *r, int64_t vertex)
{
    number_text *t = r->graph.text;
    const scotch_shape *s = &r->shape;
    int64_t label = s->base + vertex, load = 1, degree = 0;
    int status = s->labels ? number_take_free(t, "the label of a vertex", 0, INT32_MAX, &label) : INLAY_OK;
    status = status == INLAY_OK && s->loads ? number_take_free(t, "the load of a vertex", 0, INT64_MAX, &load) : status;
    status = status == INLAY_OK ? number_take_free(t, "the degree of a vertex", 0, s->arcs, &degree) : status;
    status = status == INLAY_OK ? number_graph_vertex(&r->graph, label, load) : status;
    if (status == INLAY_OK && s->labels && id_map_add(&r->number, (int32_t)label, vertex) < 0) {
        status = diag_no_memory(t->diag);
    }
    for (int64_t e = 0; e < degree && status == INLAY_OK; e++) {
        status = read_arc(r, vertex);
    }
    return status;
}

static int find_labels(scotch_reading *r)
{
    int status = INLAY_OK;
    for (size_t a = 0; a < r->arcs && status == INLAY_OK; a++) {
        int64_t to = id_map_get(&r->number, r->arc[a].to, -1);
        status = to < 0 ? diag_fail_at(r->graph.text->diag, INLAY_BAD_INPUT, r->graph.text->source, 0,
                                       "a neighbour of label %d; expected the label of a vertex", (int)r->arc[a].to)
                        : number_graph_arc(&r->graph, r->arc[a].from, to, r->arc[a].load);
    }
    return status;
}

static int read(const char *data, size_t size, const char *source, bool bytes, inlay_app **app, inlay_diag *diag)
{
    number_text text = {data, data + size, 1, source, diag};
    scotch_reading r = {.graph.text = &text};
    int status = read_header(&text, &r.shape);
    status =
        status == INLAY_OK ? number_graph_begin(&r.graph, &text, bytes, r.shape.vertices, r.shape.arcs / 2) : status;
    for (int64_t i = 0; i < r.shape.vertices && status == INLAY_OK; i++) {
        status = read_vertex(&r, i);
    }
    status = status == INLAY_OK ? number_end(&text) : status;
    status = status == INLAY_OK ? find_labels(&r) : status;
    if (status == INLAY_OK && r.graph.arcs != r.shape.arcs) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "%" PRId64 " neighbours; expected %" PRId64 " arcs",
                              r.graph.arcs, r.shape.arcs);
    }
    status = number_graph_end(&r.graph, status, "a Scotch graph", app);
    id_map_clear(&r.number);
    free(r.arc);
    return status;
}

int scotch_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    return read(data, size, source, false, app, diag);
}

int scotch_bytes_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    return read(data, size, source, true, app, diag);
}
