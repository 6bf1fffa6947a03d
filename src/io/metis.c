/*
 * METIS in: the graph file of its manual (version 5.1, section 4.1.1). `VERTICES EDGES [FORMAT [WEIGHTS]]`, then a line a
 * vertex: its size, its weights, and its neighbours from 1, each with the weight of the edge, as the digits of FORMAT say.
 * Lines that begin with % are comments; a blank one is a vertex without neighbours.
 */
#include "base/diag.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/numbers.h"

enum { MOST_WEIGHTS = 1024, HEADER = 4 };

/* What a line has in front of its neighbours, and behind each of them. */
typedef struct metis_shape {
    int64_t vertices, edges;
    int64_t sizes, weights, edge_weights;
} metis_shape;

/* The digits of FORMAT, each 0 or 1. */
static bool take_format(int64_t format, metis_shape *shape)
{
    shape->sizes = format / 100;
    shape->weights = format / 10 % 10;
    shape->edge_weights = format % 10;
    return shape->sizes <= 1 && shape->weights <= 1 && shape->edge_weights <= 1;
}

/* As many lines as vertices, and in all as many numbers as the header says. */
bool metis_looks_like(const char *data, size_t size)
{
    number_look look = {data, data + size, '%'};
    int64_t header[HEADER] = {0}, count = look_line(&look, false, header, HEADER), numbers = 0, lines = 0;
    metis_shape shape = {0};
    if (count < 2 || count > HEADER || header[0] < 1 || !take_format(header[2], &shape)) {
        return false;
    }
    shape.weights = count == HEADER ? header[3] : shape.weights;
    while ((count = look_line(&look, true, NULL, 0)) >= 0 && (lines < header[0] || count == 0)) {
        numbers += count;
        lines++;
    }
    return count == LOOK_END && lines >= header[0] && shape.weights <= MOST_WEIGHTS &&
           numbers == 2 * header[1] * (1 + shape.edge_weights) + header[0] * (shape.sizes + shape.weights);
}

static int read_header(number_text *t, metis_shape *shape)
{
    int64_t format = 0;
    number_skip(t, true);
    int status = number_take(t, "the number of vertices", 1, INT32_MAX - 1, &shape->vertices);
    status = status == INLAY_OK ? number_take(t, "the number of edges", 0, INT64_MAX / 4, &shape->edges) : status;
    if (status == INLAY_OK && number_word(t) > 0) {
        status = number_take(t, "the format", 0, 111, &format);
        if (status == INLAY_OK && !take_format(format, shape)) {
            status = diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                                  "the format is %d; expected three digits of 0 or 1", (int)format);
        }
    }
    if (status == INLAY_OK && number_word(t) > 0) {
        status = number_take(t, "the number of weights", shape->weights, MOST_WEIGHTS, &shape->weights);
    }
    return status == INLAY_OK ? number_end_line(t) : status;
}

/* The first weight is the time; what a vertex has beside it is left out. */
static int read_vertex(number_graph *g, const metis_shape *shape, int64_t i)
{
    number_text *t = g->text;
    int64_t time = 1, other, to, weight = 1;
    int status = shape->sizes > 0 ? number_take(t, "the size of a vertex", 0, INT64_MAX, &other) : INLAY_OK;
    for (int64_t w = 0; w < shape->weights && status == INLAY_OK; w++) {
        status = number_take(t, "the weight of a vertex", 0, INT64_MAX, w == 0 ? &time : &other);
    }
    status = status == INLAY_OK ? number_graph_vertex(g, i + 1, time) : status;
    while (status == INLAY_OK && number_word(t) > 0) {
        status = number_take(t, "a neighbour", 1, shape->vertices, &to);
        if (status == INLAY_OK && shape->edge_weights > 0) {
            status = number_take(t, "the weight of an edge", 0, INT64_MAX, &weight);
        }
        status = status == INLAY_OK ? number_graph_arc(g, i, to - 1, weight) : status;
    }
    return status;
}

static int read_vertices(number_graph *g, const metis_shape *shape)
{
    number_text *t = g->text;
    int status = INLAY_OK;
    for (int64_t i = 0; i < shape->vertices && status == INLAY_OK; i++) {
        bool more = number_next_line(t) && number_skip(t, false);
        /* the last line may lack its end, and with it all that a vertex without neighbours has */
        bool needs = i + 1 < shape->vertices || shape->weights > 0 || shape->sizes > 0 || g->arcs < 2 * shape->edges;
        if (!more && needs) {
            return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                                "the file ends in front of vertex %lld; expected %lld, as its first line says",
                                (long long)i + 1, (long long)shape->vertices);
        }
        status = read_vertex(g, shape, i);
    }
    status = status == INLAY_OK ? number_end(t) : status;
    return status != INLAY_OK || g->arcs == 2 * shape->edges
               ? status
               : diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, 0,
                              "%lld neighbours; expected two for each of %lld edges", (long long)g->arcs,
                              (long long)shape->edges);
}

static int read(const char *data, size_t size, const char *source, bool bytes, inlay_app **app, inlay_diag *diag)
{
    number_text text = {data, data + size, 1, source, diag};
    number_graph graph = {.text = &text};
    metis_shape shape = {0};
    int status = read_header(&text, &shape);
    status = status == INLAY_OK ? number_graph_begin(&graph, &text, bytes, shape.vertices, shape.edges) : status;
    status = status == INLAY_OK ? read_vertices(&graph, &shape) : status;
    if (status == INLAY_OK && (shape.sizes > 0 || shape.weights > 1)) {
        diag_warn(diag, "%s: sizes of vertices and all weights but the first are left out", source);
    }
    return number_graph_end(&graph, status, "a METIS graph", app);
}

int metis_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    return read(data, size, source, false, app, diag);
}

int metis_bytes_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    return read(data, size, source, true, app, diag);
}
