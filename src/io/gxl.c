/*
 * GXL in, as the task graphs of the University of Auckland are written: nodes whose attribute Weight is their time in ticks,
 * edges whose attribute Weight is the time that their communication takes between processors: messages of a tick each.
 * Other attributes tell of the whole and are passed over.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/names.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/xml.h"
#include <stdlib.h>
#include <string.h>

typedef enum gxl_place { OUTSIDE, GRAPH, NODE, EDGE } gxl_place;

typedef struct gxl_edge {
    const char *from, *to; /* in the store */
    int64_t messages;
    long line;
} gxl_edge;

typedef struct gxl {
    const char *source;
    inlay_diag *diag;
    name_store *names;
    inlay_app_builder *builder; /* NULL before the graph */
    long *node_line;
    gxl_edge *edge;
    size_t nodes, node_capacity, edges, edge_capacity;

    gxl_place place;
    bool graph_seen, is_weight, weighted; /* of the attribute, and of the node or edge */
    const char *id, *to;                  /* in the store */
    long line;
    inlay_decimal weight;
} gxl;

bool gxl_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "gxl");
}

/* ---- Elements ---- */

/* An attribute that must be there, kept. */
static int take(gxl *g, const xml_tag *tag, const char *name, const char **kept)
{
    const char *value = xml_value(tag, name);
    if (value == NULL || *value == '\0') {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, tag->line, "%s without %s; expected %s=\"...\"",
                            tag->name, name, name);
    }
    *kept = name_store_keep(&g->names, value);
    return *kept == NULL ? diag_no_memory(g->diag) : INLAY_OK;
}

static long line_of(void *context, inlay_id from, inlay_id to)
{
    const gxl *g = context;
    if (to < 0) {
        return (size_t)from < g->nodes ? g->node_line[from] : g->line;
    }
    for (size_t e = 0; e < g->edges; e++) {
        if (inlay_app_builder_find(g->builder, g->edge[e].from) == from &&
            inlay_app_builder_find(g->builder, g->edge[e].to) == to) {
            return g->edge[e].line;
        }
    }
    return 0;
}

static int open_graph(gxl *g, const xml_tag *tag)
{
    const char *mode = xml_value(tag, "edgemode"), *id = xml_value(tag, "id");
    if (mode != NULL && strcmp(mode, "undirected") == 0) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, tag->line,
                            "edgemode is undirected; expected directed");
    }
    if (g->graph_seen) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, tag->line, "a second graph; expected one in a file");
    }
    g->graph_seen = true;
    g->place = GRAPH;
    g->builder = inlay_app_builder_new(id != NULL ? id : "", INLAY_UNIT_TICK);
    return g->builder == NULL || inlay_app_builder_source(g->builder, g->source, line_of, g) != INLAY_OK
               ? diag_no_memory(g->diag)
               : INLAY_OK;
}

static int on_open(void *context, const xml_tag *tag)
{
    gxl *g = context;
    bool node = strcmp(tag->name, "node") == 0, edge = strcmp(tag->name, "edge") == 0;
    if (tag->depth == 0 && strcmp(tag->name, "gxl") != 0) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, tag->line, "the element is %s; expected gxl",
                            tag->name);
    }
    if (strcmp(tag->name, "graph") == 0) {
        return open_graph(g, tag);
    }
    if ((node || edge) && g->place != GRAPH) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, tag->line, "%s outside a graph; expected it in one",
                            tag->name);
    }
    int status = INLAY_OK;
    if (node || edge) {
        g->place = node ? NODE : EDGE;
        g->weighted = false;
        g->line = tag->line;
        status = take(g, tag, node ? "id" : "from", &g->id);
    }
    if (status == INLAY_OK && edge) {
        status = take(g, tag, "to", &g->to);
    }
    const char *name = strcmp(tag->name, "attr") == 0 ? xml_value(tag, "name") : NULL;
    g->is_weight = name != NULL ? strcmp(name, "Weight") == 0 : g->is_weight && strcmp(tag->name, "attr") != 0;
    return status;
}

/* ---- Their ends ---- */

static int read_weight(gxl *g, const char *text)
{
    char *copy = memory_string(text);
    if (copy == NULL) {
        return diag_no_memory(g->diag);
    }
    const char *trimmed = plain_trim(copy, PLAIN_SPACES);
    bool good = inlay_decimal_parse(trimmed, &g->weight) == INLAY_OK && g->weight.digits >= 0 &&
                (g->place == NODE || g->weight.scale == 0);
    int status =
        good ? INLAY_OK
             : diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, g->line,
                            "Weight '%.40s' of %s '%s' cannot be read; expected a %snumber, 0 or more", trimmed,
                            g->place == NODE ? "node" : "the edge from", g->id, g->place == NODE ? "" : "whole ");
    free(copy);
    g->weighted = true;
    return status;
}

static int end_node(gxl *g)
{
    if (!g->weighted) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, g->line,
                            "node '%s' has no Weight; expected its time as the attribute Weight", g->id);
    }
    if (!memory_grow((void **)&g->node_line, &g->node_capacity, g->nodes + 1, sizeof *g->node_line)) {
        return diag_no_memory(g->diag);
    }
    g->node_line[g->nodes] = g->line;
    inlay_module module = {.name = g->id, .time = {g->weight, INLAY_UNIT_TICK}};
    int status = inlay_app_add_module(g->builder, &module, g->diag);
    g->nodes += status == INLAY_OK;
    return status;
}

/* An edge may stand before its nodes. */
static int end_edge(gxl *g)
{
    if (!memory_grow((void **)&g->edge, &g->edge_capacity, g->edges + 1, sizeof *g->edge)) {
        return diag_no_memory(g->diag);
    }
    g->edge[g->edges++] = (gxl_edge){g->id, g->to, g->weighted ? g->weight.digits : 1, g->line};
    return INLAY_OK;
}

static int on_close(void *context, const char *name, const char *text)
{
    static const char *const values[] = {"int", "float", "string"};
    gxl *g = context;
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values && status == INLAY_OK; i++) {
        if (strcmp(name, values[i]) == 0 && g->is_weight && (g->place == NODE || g->place == EDGE)) {
            status = read_weight(g, text);
        }
    }
    if (status == INLAY_OK && strcmp(name, "node") == 0) {
        status = end_node(g);
        g->place = GRAPH;
    } else if (status == INLAY_OK && strcmp(name, "edge") == 0) {
        status = end_edge(g);
        g->place = GRAPH;
    } else if (strcmp(name, "graph") == 0) {
        g->place = OUTSIDE;
    }
    return status;
}

/* ---- The graph ---- */

static int add_edges(const gxl *g)
{
    int status = INLAY_OK;
    for (size_t e = 0; e < g->edges && status == INLAY_OK; e++) {
        const gxl_edge *edge = &g->edge[e];
        inlay_id from = inlay_app_builder_find(g->builder, edge->from);
        inlay_id to = inlay_app_builder_find(g->builder, edge->to);
        status = from < 0 || to < 0
                     ? diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, edge->line,
                                    "unknown module '%s'; expected the id of a node", from < 0 ? edge->from : edge->to)
                     : inlay_app_add_link(g->builder, from, to, edge->messages, 0, 0, g->diag);
    }
    return status;
}

int gxl_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    static const xml_reader reader = {.expected = "GXL", .open = on_open, .close = on_close, .text = true};
    gxl g = {.source = source, .diag = diag};
    int status = xml_parse(data, size, source, &reader, &g, diag);
    if (status == INLAY_OK && g.builder == NULL) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "no graph; expected one");
    }
    status = status == INLAY_OK ? add_edges(&g) : status;
    status = status == INLAY_OK ? inlay_app_build(g.builder, app, diag) : status;
    inlay_app_builder_free(g.builder);
    name_store_free(g.names);
    free(g.node_line);
    free(g.edge);
    return status;
}
