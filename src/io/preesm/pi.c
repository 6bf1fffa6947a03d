/* .pi in: GraphML, whose nodes have kinds and ports, and whose edges are fifos or ways of parameters. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/preesm/preesm.h"
#include "io/xml.h"
#include <stdlib.h>
#include <string.h>

typedef struct pi_reader {
    pi_graph *g;
    name_store **names;
    inlay_diag *diag;
    bool in_node, in_edge, in_fifo;
    const char *key; /* of the data that is open */
} pi_reader;

static int fail(const pi_reader *r, const xml_tag *tag, const char *what, const char *name, const char *expected)
{
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->g->path, tag->line, "%s '%.60s'; expected %s", what, name,
                        expected);
}

static int keep(const pi_reader *r, const char *given, const char **kept)
{
    *kept = name_store_keep(r->names, given);
    return *kept == NULL ? diag_no_memory(r->diag) : INLAY_OK;
}

/* A value that must be there. */
static int need(const pi_reader *r, const xml_tag *tag, const char *name, const char **value)
{
    const char *given = xml_value(tag, name);
    return given == NULL || *given == '\0' ? fail(r, tag, tag->name, "", name) : keep(r, given, value);
}

/* A value that may be missing: NULL. */
static int take(const pi_reader *r, const xml_tag *tag, const char *name, const char **value)
{
    const char *given = xml_value(tag, name);
    return given == NULL || *given == '\0' ? INLAY_OK : keep(r, given, value);
}

/* ---- Nodes ---- */

static int kind_of(const pi_reader *r, const xml_tag *tag, const char *word, pi_node *node)
{
    static const struct {
        const char *word;
        pi_kind kind;
    } kinds[] = {{"actor", PI_ACTOR},  {"broadcast", PI_SPECIAL},   {"fork", PI_SPECIAL},
                 {"join", PI_SPECIAL}, {"roundbuffer", PI_SPECIAL}, {"src", PI_SOURCE},
                 {"snk", PI_SINK},     {"param", PI_PARAMETER},     {"cfg_in_iface", PI_INTERFACE},
                 {"delay", PI_DELAY}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(word, kinds[i].word) == 0) {
            node->kind = kinds[i].kind;
            node->copies = i == 1;
            return INLAY_OK;
        }
    }
    return fail(r, tag, "node of kind", word,
                "actor, broadcast, fork, join, roundbuffer, src, snk, param, cfg_in_iface or "
                "delay");
}

static int open_node(pi_reader *r, const xml_tag *tag)
{
    pi_graph *g = r->g;
    pi_node made = {.line = tag->line, .port = g->ports};
    const char *kind = xml_value(tag, "kind");
    int status = need(r, tag, "id", &made.id);
    status = status == INLAY_OK ? kind_of(r, tag, kind != NULL ? kind : "", &made) : status;
    status = status == INLAY_OK ? take(r, tag, "expr", &made.expr) : status;
    if (status == INLAY_OK && name_map_get(&g->node_of, made.id) >= 0) {
        status = fail(r, tag, "a second node", made.id, "every id once");
    }
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&g->node, &g->node_room, g->nodes + 1, sizeof *g->node) ||
        !name_map_put(&g->node_of, made.id, (int32_t)g->nodes)) {
        return diag_no_memory(r->diag);
    }
    g->node[g->nodes++] = made;
    r->in_node = true;
    return INLAY_OK;
}

static int open_port(pi_reader *r, const xml_tag *tag)
{
    pi_graph *g = r->g;
    pi_port made = {0};
    const char *kind = xml_value(tag, "kind");
    kind = kind != NULL ? kind : "";
    if (strcmp(kind, "cfg_output") == 0) {
        const char *name = xml_value(tag, "name");
        return fail(r, tag, "parameter set at run time by port", name != NULL ? name : "",
                    "parameters that are known before");
    }
    bool data = strcmp(kind, "input") == 0 || strcmp(kind, "output") == 0;
    if (!data) {
        return strcmp(kind, "cfg_input") == 0 ? INLAY_OK
                                              : fail(r, tag, "port of kind", kind, "input, output or cfg_input");
    }
    made.puts = strcmp(kind, "output") == 0;
    int status = need(r, tag, "name", &made.name);
    status = status == INLAY_OK ? need(r, tag, "expr", &made.expr) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&g->port, &g->port_room, g->ports + 1, sizeof *g->port)) {
        return diag_no_memory(r->diag);
    }
    g->port[g->ports++] = made;
    g->node[g->nodes - 1].ports++;
    return INLAY_OK;
}

/* ---- Edges: nodes stand in front of them ---- */

static int find_node(const pi_reader *r, const xml_tag *tag, const char *attribute, int32_t *node)
{
    const char *id = xml_value(tag, attribute);
    *node = id != NULL ? name_map_get(&r->g->node_of, id) : -1;
    return *node >= 0 ? INLAY_OK : fail(r, tag, "unknown node", id != NULL ? id : "", "one that stands before");
}

static int add_fifo(pi_reader *r, const xml_tag *tag, int32_t from, int32_t to)
{
    pi_graph *g = r->g;
    pi_fifo made = {.from = from, .to = to, .type = "", .line = tag->line};
    int status = need(r, tag, "sourceport", &made.from_port);
    status = status == INLAY_OK ? need(r, tag, "targetport", &made.to_port) : status;
    status = status == INLAY_OK ? take(r, tag, "type", &made.type) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&g->fifo, &g->fifo_room, g->fifos + 1, sizeof *g->fifo)) {
        return diag_no_memory(r->diag);
    }
    g->fifo[g->fifos++] = made;
    r->in_fifo = true;
    return INLAY_OK;
}

static int add_binding(pi_reader *r, const xml_tag *tag, int32_t from, int32_t to)
{
    pi_graph *g = r->g;
    pi_binding made = {from, to, g->node[from].id};
    int status = take(r, tag, "targetport", &made.name);
    if (g->node[from].kind != PI_PARAMETER && g->node[from].kind != PI_INTERFACE) {
        return fail(r, tag, "dependency on what is no parameter:", g->node[from].id, "a param or cfg_in_iface");
    }
    if (status == INLAY_OK &&
        !memory_grow((void **)&g->binding, &g->binding_room, g->bindings + 1, sizeof *g->binding)) {
        status = diag_no_memory(r->diag);
    }
    if (status == INLAY_OK) {
        g->binding[g->bindings++] = made;
    }
    return status;
}

static int open_edge(pi_reader *r, const xml_tag *tag)
{
    const char *kind = xml_value(tag, "kind");
    int32_t from, to;
    int status = find_node(r, tag, "source", &from);
    status = status == INLAY_OK ? find_node(r, tag, "target", &to) : status;
    if (status != INLAY_OK) {
        return status;
    }
    r->in_edge = true;
    if (kind != NULL && strcmp(kind, "fifo") == 0) {
        return add_fifo(r, tag, from, to);
    }
    return kind != NULL && strcmp(kind, "dependency") == 0
               ? add_binding(r, tag, from, to)
               : fail(r, tag, "edge of kind", kind != NULL ? kind : "", "fifo or dependency");
}

/* ---- The document ---- */

static int open_element(void *context, const xml_tag *tag)
{
    pi_reader *r = context;
    r->key = NULL;
    if (strcmp(tag->name, "data") == 0) {
        return take(r, tag, "key", &r->key);
    }
    if (strcmp(tag->name, "port") == 0) {
        return r->in_node ? open_port(r, tag) : INLAY_OK;
    }
    if (strcmp(tag->name, "node") == 0) {
        return open_node(r, tag);
    }
    return strcmp(tag->name, "edge") == 0 ? open_edge(r, tag) : INLAY_OK;
}

static int close_data(const pi_reader *r, const char *text)
{
    pi_graph *g = r->g;
    if (strcmp(r->key, "graph_desc") == 0 && r->in_node) {
        return keep(r, text, &g->node[g->nodes - 1].description);
    }
    if (strcmp(r->key, "delay") == 0 && r->in_fifo) {
        return keep(r, text, &g->fifo[g->fifos - 1].delay);
    }
    return strcmp(r->key, "name") == 0 && !r->in_node && !r->in_edge ? keep(r, text, &g->name) : INLAY_OK;
}

static int close_element(void *context, const char *name, const char *text)
{
    pi_reader *r = context;
    int status = strcmp(name, "data") == 0 && r->key != NULL ? close_data(r, text) : INLAY_OK;
    r->key = NULL;
    r->in_node = r->in_node && strcmp(name, "node") != 0;
    r->in_edge = r->in_edge && strcmp(name, "edge") != 0;
    r->in_fifo = r->in_fifo && r->in_edge;
    return status;
}

static int compare_bindings(const void *a, const void *b)
{
    const pi_binding *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->parameter > y->parameter) - (x->parameter < y->parameter);
}

int pi_read(const char *data, size_t size, const char *path, name_store **names, pi_graph *graph, inlay_diag *diag)
{
    const xml_reader reader = {"a PREESM algorithm", .open = open_element, .close = close_element, .text = true};
    *graph = (pi_graph){0};
    graph->path = name_store_keep(names, path);
    pi_reader r = {.g = graph, .names = names, .diag = diag};
    int status = graph->path == NULL ? diag_no_memory(diag) : xml_parse(data, size, path, &reader, &r, diag);
    if (graph->bindings > 0) {
        qsort(graph->binding, graph->bindings, sizeof *graph->binding, compare_bindings);
    }
    for (size_t b = 0; b < graph->bindings; b++) {
        pi_node *node = &graph->node[graph->binding[b].node];
        node->binding = node->bindings == 0 ? b : node->binding;
        node->bindings++;
    }
    return status;
}

void pi_clear(pi_graph *graph)
{
    free(graph->node);
    free(graph->port);
    free(graph->fifo);
    free(graph->binding);
    name_map_clear(&graph->node_of);
}
