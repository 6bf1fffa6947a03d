/*
 * GraphML in: what its nodes and edges have under the names of DOT's attributes makes an application, by the reader of DOT.
 * A node is called by its attribute `name`, as igraph writes it, else by its id. One directed graph; ports and data without a
 * name, which are other programs' drawings, are passed over.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/names.h"
#include "io/dot/dot.h"
#include "io/dot/graph.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/xml.h"
#include <stdlib.h>
#include <string.h>

/* <key>: how data call an attribute. */
typedef struct graphml_key {
    const char *name;     /* NULL: it has none */
    const char *element;  /* "node", "edge", "graph", "all" */
    const char *fallback; /* <default>; NULL: none */
    long line;
} graphml_key;

/* Text of <data> of the node or edge under way. */
typedef struct graphml_data {
    const char *name;
    char *value;
    long line;
} graphml_data;

typedef enum graphml_place { OUTSIDE, GRAPH, NODE, EDGE } graphml_place;

typedef struct graphml {
    const dot_source *source;
    dot_handler *handler;
    void *context;
    inlay_diag *diag;
    name_store *kept;
    name_map keys, nodes; /* by id */
    graphml_key *key;
    const char **node_name;
    graphml_data *data; /* of the node or edge */
    size_t key_count, key_room, nodes_told, node_room, data_count, data_room;
    graphml_place place;
    bool graph_told, ended;  /* ended: the handler wants no more */
    const graphml_key *open; /* whose data, or default, is under way; NULL: none */
    const char *id, *to;     /* of the node or edge; kept */
    long line;               /* where that, or the open data, begins */
    long data_line;
} graphml;

bool graphml_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "graphml") && !pi_looks_like(data, size);
}

static int refuse(const graphml *g, long line, const char *what, const char *expected)
{
    return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source->name, line, "%s; expected %s", what, expected);
}

/* ---- Telling ---- */

static void tell(graphml *g, dot_event event)
{
    event.depth = 1;
    event.directed = true;
    g->ended = g->ended || !g->handler(g->context, &event);
}

static void tell_attribute(graphml *g, dot_owner owner, const char *name, const char *value, long line)
{
    tell(g, (dot_event){.kind = DOT_ATTRIBUTE, .owner = owner, .line = line, .name = name, .value = value});
}

static void tell_data(graphml *g, dot_owner owner)
{
    for (size_t i = 0; i < g->data_count; i++) {
        tell_attribute(g, owner, g->data[i].name, g->data[i].value, g->data[i].line);
        free(g->data[i].value);
    }
    g->data_count = 0;
    tell(g, (dot_event){.kind = DOT_STATEMENT_END, .line = g->line});
}

/* Its name is no attribute, but what it is called by. */
static int tell_node(graphml *g)
{
    const char *name = g->id;
    for (size_t i = 0; name != NULL && i < g->data_count; i++) {
        if (strcmp(g->data[i].name, "name") == 0 && g->data[i].value[0] != '\0') {
            name = name_store_keep(&g->kept, g->data[i].value);
            free(g->data[i].value);
            memmove(&g->data[i], &g->data[i + 1], (--g->data_count - i) * sizeof *g->data);
            break;
        }
    }
    if (name == NULL || !memory_grow((void **)&g->node_name, &g->node_room, g->nodes_told + 1, sizeof *g->node_name) ||
        !name_map_put(&g->nodes, g->id, (int32_t)g->nodes_told)) {
        return diag_no_memory(g->diag);
    }
    g->node_name[g->nodes_told++] = name;
    tell(g, (dot_event){.kind = DOT_STATEMENT, .line = g->line});
    tell(g, (dot_event){.kind = DOT_NODE, .line = g->line, .name = name});
    tell_data(g, DOT_OF_NODE);
    return INLAY_OK;
}

static int tell_edge(graphml *g)
{
    int32_t from = name_map_get(&g->nodes, g->id), to = name_map_get(&g->nodes, g->to);
    if (from < 0 || to < 0) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source->name, g->line,
                            "an edge of '%s', which is no node before it; expected nodes in front of their edges",
                            from < 0 ? g->id : g->to);
    }
    tell(g, (dot_event){.kind = DOT_STATEMENT, .line = g->line});
    tell(g, (dot_event){.kind = DOT_NODE, .line = g->line, .name = g->node_name[from]});
    tell(g, (dot_event){.kind = DOT_ARROW, .line = g->line});
    tell(g, (dot_event){.kind = DOT_NODE, .line = g->line, .name = g->node_name[to]});
    tell_data(g, DOT_OF_EDGE);
    return INLAY_OK;
}

/* Keys stand in front of the graph; their defaults are those of its nodes and edges. */
static void tell_defaults(graphml *g)
{
    static const struct {
        const char *element;
        dot_owner owner;
    } owners[] = {{"graph", DOT_OF_GRAPH}, {"node", DOT_OF_NODES}, {"edge", DOT_OF_EDGES}};
    for (size_t i = 0; i < g->key_count; i++) {
        const graphml_key *k = &g->key[i];
        for (size_t o = 0; k->name != NULL && k->fallback != NULL && o < sizeof owners / sizeof *owners; o++) {
            if (strcmp(k->element, owners[o].element) == 0 || strcmp(k->element, "all") == 0) {
                tell_attribute(g, owners[o].owner, k->name, k->fallback, k->line);
            }
        }
    }
}

/* ---- Elements ---- */

/* An attribute that must be there, kept. */
static int take(graphml *g, const xml_tag *tag, const char *name, const char **kept)
{
    const char *value = xml_value(tag, name);
    if (value == NULL || *value == '\0') {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source->name, tag->line, "%s without %s; expected %s=\"...\"",
                            tag->name, name, name);
    }
    *kept = name_store_keep(&g->kept, value);
    return *kept == NULL ? diag_no_memory(g->diag) : INLAY_OK;
}

static int open_key(graphml *g, const xml_tag *tag)
{
    graphml_key key = {.element = "all", .line = tag->line};
    const char *id = NULL, *name = xml_value(tag, "attr.name"), *element = xml_value(tag, "for");
    int status = take(g, tag, "id", &id);
    if (status != INLAY_OK) {
        return status;
    }
    key.name = name == NULL ? NULL : name_store_keep(&g->kept, name);
    key.element = element == NULL ? key.element : name_store_keep(&g->kept, element);
    if ((name != NULL && key.name == NULL) || key.element == NULL ||
        !memory_grow((void **)&g->key, &g->key_room, g->key_count + 1, sizeof key) ||
        !name_map_put(&g->keys, id, (int32_t)g->key_count)) {
        return diag_no_memory(g->diag);
    }
    g->key[g->key_count++] = key;
    return INLAY_OK;
}

static int open_graph(graphml *g, const xml_tag *tag)
{
    const char *mode = xml_value(tag, "edgedefault");
    if (g->graph_told) {
        return refuse(g, tag->line, "a second graph", "one in a file, without graphs in its nodes");
    }
    if (mode != NULL && strcmp(mode, "undirected") == 0) {
        return refuse(g, tag->line, "edgedefault is undirected", "directed for an application");
    }
    g->graph_told = true;
    g->place = GRAPH;
    tell(g, (dot_event){.kind = DOT_GRAPH, .line = tag->line, .name = xml_value(tag, "id")});
    tell_defaults(g);
    return INLAY_OK;
}

static int open_element(graphml *g, const xml_tag *tag, bool node)
{
    const char *directed = node ? NULL : xml_value(tag, "directed");
    if (g->place != GRAPH) {
        return refuse(g, tag->line, node ? "a node outside a graph" : "an edge outside a graph", "it in one");
    }
    if (directed != NULL && (strcmp(directed, "false") == 0 || strcmp(directed, "0") == 0)) {
        return refuse(g, tag->line, "an edge without direction", "directed ones for an application");
    }
    g->place = node ? NODE : EDGE;
    g->line = tag->line;
    int status = take(g, tag, node ? "id" : "source", &g->id);
    status = status == INLAY_OK && !node ? take(g, tag, "target", &g->to) : status;
    if (status == INLAY_OK && node && name_map_get(&g->nodes, g->id) >= 0) {
        return refuse(g, tag->line, "two nodes with one id", "every id once");
    }
    return status;
}

static int open_data(graphml *g, const xml_tag *tag)
{
    const char *id = xml_value(tag, "key");
    int32_t number = id == NULL ? -1 : name_map_get(&g->keys, id);
    if (number < 0) {
        return refuse(g, tag->line, "data without a key that is told", "key=\"...\" of a <key> in front of the graph");
    }
    g->open = &g->key[number];
    g->data_line = tag->line;
    return INLAY_OK;
}

static int on_open(void *context, const xml_tag *tag)
{
    graphml *g = context;
    bool node = strcmp(tag->name, "node") == 0;
    if (tag->depth == 0) {
        return strcmp(tag->name, "graphml") == 0 ? INLAY_OK : refuse(g, tag->line, "another element", "graphml");
    }
    if (strcmp(tag->name, "data") == 0) {
        return open_data(g, tag);
    }
    if (strcmp(tag->name, "default") == 0) {
        g->open = g->key_count > 0 ? &g->key[g->key_count - 1] : NULL;
        return INLAY_OK;
    }
    g->open = NULL; /* data with elements inside are drawings */
    return strcmp(tag->name, "key") == 0            ? open_key(g, tag)
           : strcmp(tag->name, "graph") == 0        ? open_graph(g, tag)
           : node || strcmp(tag->name, "edge") == 0 ? open_element(g, tag, node)
           : strcmp(tag->name, "hyperedge") == 0 ? refuse(g, tag->line, "a hyperedge", "edges from one node to another")
                                                 : INLAY_OK;
}

/* ---- Their ends ---- */

static int close_data(graphml *g, const char *text)
{
    const char *name = g->open != NULL ? g->open->name : NULL;
    g->open = NULL;
    if (name == NULL || g->place == OUTSIDE) {
        return INLAY_OK;
    }
    if (g->place == GRAPH) {
        tell_attribute(g, DOT_OF_GRAPH, name, text, g->data_line);
        return INLAY_OK;
    }
    const graphml_data data = {name, memory_string(text), g->data_line};
    if (data.value == NULL || !memory_grow((void **)&g->data, &g->data_room, g->data_count + 1, sizeof data)) {
        free(data.value);
        return diag_no_memory(g->diag);
    }
    g->data[g->data_count++] = data;
    return INLAY_OK;
}

static int close_default(graphml *g, const char *text)
{
    graphml_key *key = g->open == NULL ? NULL : &g->key[g->open - g->key];
    g->open = NULL;
    if (key != NULL) {
        key->fallback = name_store_keep(&g->kept, text);
    }
    return key != NULL && key->fallback == NULL ? diag_no_memory(g->diag) : INLAY_OK;
}

static int on_close(void *context, const char *name, const char *text)
{
    graphml *g = context;
    bool node = strcmp(name, "node") == 0 && g->place == NODE, edge = strcmp(name, "edge") == 0 && g->place == EDGE;
    int status = strcmp(name, "data") == 0      ? close_data(g, text)
                 : strcmp(name, "default") == 0 ? close_default(g, text)
                 : node                         ? tell_node(g)
                 : edge                         ? tell_edge(g)
                                                : INLAY_OK;
    g->place = node || edge ? GRAPH : strcmp(name, "graph") == 0 ? OUTSIDE : g->place;
    return status == INLAY_OK && g->ended ? INLAY_BAD_INPUT : status; /* whoever ended it has said why */
}

static int walk(const dot_source *source, dot_handler *handler, void *context, inlay_diag *diag)
{
    const xml_reader reader = {"a GraphML file", .open = on_open, .close = on_close, .text = true};
    graphml g = {.source = source, .handler = handler, .context = context, .diag = diag};
    int status = xml_parse(source->data, source->size, source->name, &reader, &g, diag);
    if (g.ended || (status == INLAY_OK && !g.graph_told)) {
        status = g.ended ? INLAY_OK : refuse(&g, 0, "there is no graph", "one");
    }
    for (size_t i = 0; i < g.data_count; i++) {
        free(g.data[i].value);
    }
    free(g.data);
    free(g.key);
    free((void *)g.node_name);
    name_map_clear(&g.keys);
    name_map_clear(&g.nodes);
    name_store_free(g.kept);
    return status;
}

int graphml_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag)
{
    return dot_app_from_source(&(dot_source){.data = data, .size = size, .name = source, .walk = walk}, how, app, diag);
}
