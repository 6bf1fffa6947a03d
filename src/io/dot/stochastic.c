/* Reading a stochastic graph from DOT. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/dot/values.h"
#include <inlay/stochastic.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, KIND, ENTRIES, MEMORY, ARITHMETIC, FUNCTIONS, SIZE, NODE_ATTRIBUTES };
enum { PROBABILITY, MESSAGES, BYTES, EDGE_TIME, EDGE_KIND, EDGE_ATTRIBUTES };

static const char *const graph_attributes[] = {"time_unit", "name", NULL};
static const char *const node_attributes[] = {"time",       "kind",      "entries", "memory",
                                              "arithmetic", "functions", "size",    NULL};
static const char *const edge_attributes[] = {"probability", "messages", "bytes", "time", "kind", NULL};

static const char unread[] = "cannot be read";

typedef struct stochastic_reader {
    dot_graph graph;
    inlay_diag *diag;
    inlay_unit unit;
    inlay_stochastic_builder *builder;
    const dot_symbol *node[NODE_ATTRIBUTES];
    const dot_symbol *edge[EDGE_ATTRIBUTES];
    int32_t *number;  /* by node: of the module, or -1 - that of the data block */
    int32_t *node_of; /* by module */
    int32_t modules, blocks;
    bool is_stochastic; /* something was said that an application does not say */
} stochastic_reader;

/* For the builder: where a module or a link stands. */
static long line_of(void *context, inlay_id from, inlay_id to)
{
    const stochastic_reader *r = context;
    return from < 0 ? 0
           : to < 0 ? r->graph.node[r->node_of[from]].is.line
                    : dot_line_of_edge(&r->graph, r->node_of[from], r->node_of[to]);
}

/* ---- Nodes ---- */

static int refuse_node(const stochastic_reader *r, const dot_node *node, int attribute, const char *what,
                       const char *wrong, const char *expected)
{
    return dot_refuse_node(&r->graph, node, node_attributes[attribute], dot_value(&node->is, r->node[attribute]), what,
                           wrong, expected, r->diag);
}

static int read_time(const stochastic_reader *r, const dot_node *node, const char *what, inlay_duration *time)
{
    const char *wrong, *expected;
    return dot_read_time(dot_value(&node->is, r->node[TIME]), r->unit, time, &wrong, &expected)
               ? INLAY_OK
               : refuse_node(r, node, TIME, what, wrong, expected);
}

/* What a module has beside its time; each is left as it is where it is not given. */
static int read_resources(stochastic_reader *r, const dot_node *node, inlay_stochastic_module *module)
{
    static const char *const expected[NODE_ATTRIBUTES] = {[ENTRIES] = "a number of visits, 0 or more",
                                                          [MEMORY] = dot_bytes_expected,
                                                          [ARITHMETIC] = "a number of operations, 0 or more",
                                                          [FUNCTIONS] = "a number of evaluations, 0 or more"};
    double *const count[NODE_ATTRIBUTES] = {
        [ENTRIES] = &module->entries, [ARITHMETIC] = &module->arithmetic, [FUNCTIONS] = &module->functions};
    for (int i = 0; i < NODE_ATTRIBUTES; i++) {
        const char *value = expected[i] == NULL ? NULL : dot_value(&node->is, r->node[i]);
        bool good =
            value == NULL || (i == MEMORY ? dot_read_bytes(value, &module->memory) : dot_read_count(value, count[i]));
        if (!good) {
            return refuse_node(r, node, i, "module", unread, expected[i]);
        }
        module->has_entries |= value != NULL && i == ENTRIES;
    }
    r->is_stochastic |= module->has_entries;
    return INLAY_OK;
}

/* What Graphviz takes for a position and an application for a processor is neither here. */
static int refuse_pin(const stochastic_reader *r, const dot_node *node)
{
    const char *pin = dot_value(&node->is, dot_find_symbol(&r->graph, DOT_NODES, "pin"));
    return pin == NULL ? INLAY_OK
                       : dot_refuse_node(&r->graph, node, "pin", pin, "module", "belongs to no stochastic graph",
                                         "it in the reduced graph", r->diag);
}

static int add_module(stochastic_reader *r, const dot_node *node, const char *kind)
{
    inlay_stochastic_module module = {.name = node->name, .eor = kind != NULL && strcmp(kind, "eor") == 0};
    if (kind != NULL && !module.eor && strcmp(kind, "and") != 0) {
        return refuse_node(r, node, KIND, "module", "is unknown", "and, eor, or data for a data block");
    }
    r->is_stochastic |= kind != NULL;
    if (dot_value(&node->is, r->node[SIZE]) != NULL) {
        return refuse_node(r, node, SIZE, "module", "belongs to no module", "memory, or kind=data for a data block");
    }
    if (dot_value(&node->is, r->node[TIME]) == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, node->is.line,
                            "unknown module '%s': no statement gives it a time; expected time=NUMBER", module.name);
    }
    int status = read_time(r, node, "module", &module.time);
    if (status == INLAY_OK) {
        status = read_resources(r, node, &module);
    }
    if (status == INLAY_OK) {
        status = refuse_pin(r, node);
    }
    if (status == INLAY_OK) {
        r->number[dot_number(&r->graph, node)] = r->modules;
        r->node_of[r->modules++] = dot_number(&r->graph, node);
        status = inlay_stochastic_add_module(r->builder, &module, r->diag);
    }
    return status;
}

static int add_block(stochastic_reader *r, const dot_node *node)
{
    const char *name = node->name, *size = dot_value(&node->is, r->node[SIZE]);
    inlay_duration time = {.unit = INLAY_UNIT_NONE};
    int64_t bytes;
    if (dot_value(&node->is, r->node[ENTRIES]) != NULL) {
        return refuse_node(r, node, ENTRIES, "data block", "would be control, which a block does not get",
                           "entries of modules alone");
    }
    if (size == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, dot_line(&node->is, r->node[KIND]),
                            "data block '%s' has no size; expected size=BYTES", name);
    }
    if (!dot_read_bytes(size, &bytes)) {
        return refuse_node(r, node, SIZE, "data block", unread, dot_bytes_expected);
    }
    int status = dot_value(&node->is, r->node[TIME]) == NULL ? INLAY_OK : read_time(r, node, "data block", &time);
    if (status == INLAY_OK) {
        r->number[dot_number(&r->graph, node)] = -1 - r->blocks++;
        status = inlay_stochastic_add_block(r->builder, name, bytes, time, r->diag);
    }
    return status;
}

/* Nodes in the order in which they first appear. */
static int add_nodes(stochastic_reader *r)
{
    int status = INLAY_OK;
    for (int32_t i = 0; i < r->graph.nodes && status == INLAY_OK; i++) {
        const dot_node *node = &r->graph.node[i];
        const char *kind = dot_value(&node->is, r->node[KIND]);
        status = kind != NULL && strcmp(kind, "data") == 0 ? add_block(r, node) : add_module(r, node, kind);
    }
    return status;
}

/* ---- Edges ---- */

static int refuse_edge(const stochastic_reader *r, const dot_edge *edge, int attribute, const char *wrong,
                       const char *expected)
{
    return dot_refuse_edge(&r->graph, edge, edge_attributes[attribute], dot_value(&edge->is, r->edge[attribute]), wrong,
                           expected, r->diag);
}

/* @param bytes  below 0: the whole block */
static int add_use(stochastic_reader *r, const dot_edge *edge, int64_t messages, int64_t bytes)
{
    const dot_node *tail = dot_tail(&r->graph, edge), *head = dot_head(&r->graph, edge);
    int32_t from = r->number[edge->tail], to = r->number[edge->head];
    if (from < 0 && to < 0) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, edge->is.line,
                            "link between the data blocks '%s' and '%s'; expected a module at one end", tail->name,
                            head->name);
    }
    if (dot_value(&edge->is, r->edge[PROBABILITY]) != NULL) {
        return refuse_edge(r, edge, PROBABILITY, "would be control, which a data block neither gets nor passes on",
                           "a use, which is made with each visit");
    }
    if (dot_value(&edge->is, r->edge[EDGE_TIME]) != NULL) {
        return refuse_edge(r, edge, EDGE_TIME, "belongs to no use of a data block", "the block's time");
    }
    if (bytes < 0) {
        dot_read_bytes(dot_value(from < 0 ? &tail->is : &head->is, r->node[SIZE]), &bytes);
    }
    return from < 0 ? inlay_stochastic_add_use(r->builder, -1 - from, to, messages, bytes, r->diag)
                    : inlay_stochastic_add_use(r->builder, -1 - to, from, messages, bytes, r->diag);
}

static int read_probability(stochastic_reader *r, const dot_edge *edge, inlay_stochastic_link *link)
{
    static const char expected[] = "a number from 0 to 1";
    const char *value = dot_value(&edge->is, r->edge[PROBABILITY]);
    char *end;
    if (value == NULL) {
        return INLAY_OK;
    }
    r->is_stochastic = true;
    link->has_probability = true;
    if (dot_read_count(value, &link->probability)) {
        return link->probability <= 1 ? INLAY_OK : refuse_edge(r, edge, PROBABILITY, "is above 1", expected);
    }
    bool negative = plain_number(value, &end) < 0 && *end == '\0';
    return refuse_edge(r, edge, PROBABILITY, negative ? "is negative" : unread, expected);
}

static int read_link(stochastic_reader *r, const dot_edge *edge, inlay_stochastic_link *link)
{
    const char *messages = dot_value(&edge->is, r->edge[MESSAGES]), *bytes = dot_value(&edge->is, r->edge[BYTES]);
    const char *kind = dot_value(&edge->is, r->edge[EDGE_KIND]), *time = dot_value(&edge->is, r->edge[EDGE_TIME]);
    const char *wrong, *expected;
    link->traffic_only = kind != NULL;
    if (messages != NULL && !dot_read_whole(messages, 0, INT64_MAX, &link->messages)) {
        return refuse_edge(r, edge, MESSAGES, unread, "a whole number, 0 or more");
    }
    if (bytes != NULL && !dot_read_bytes(bytes, &link->bytes)) {
        return refuse_edge(r, edge, BYTES, unread, dot_bytes_expected);
    }
    if (kind != NULL && strcmp(kind, "traffic") != 0) {
        return refuse_edge(r, edge, EDGE_KIND, unread, "kind=traffic (traffic without control) or none");
    }
    if (time != NULL && !dot_read_time(time, r->unit, &link->time, &wrong, &expected)) {
        return refuse_edge(r, edge, EDGE_TIME, wrong, expected);
    }
    r->is_stochastic |= time != NULL;
    return read_probability(r, edge, link);
}

static int add_edge(stochastic_reader *r, const dot_edge *edge)
{
    inlay_stochastic_link link = {
        .from = r->number[edge->tail], .to = r->number[edge->head], .messages = 1, .bytes = -1};
    int status = read_link(r, edge, &link);
    if (status != INLAY_OK) {
        return status;
    }
    if (link.from < 0 || link.to < 0) {
        return add_use(r, edge, link.messages, link.bytes);
    }
    link.bytes = link.bytes < 0 ? 0 : link.bytes;
    return inlay_stochastic_add_link(r->builder, &link, r->diag);
}

static int add_edges(stochastic_reader *r)
{
    int status = INLAY_OK;
    for (int32_t i = 0; i < r->graph.edges && status == INLAY_OK; i++) {
        status = add_edge(r, &r->graph.edge[r->graph.out[i]]);
    }
    return status;
}

/* ---- The graph ---- */

static int check_graph(stochastic_reader *r)
{
    static const char *const *const own[DOT_KINDS] = {
        [DOT_GRAPHS] = graph_attributes, [DOT_NODES] = node_attributes, [DOT_EDGES] = edge_attributes};
    const dot_graph *graph = &r->graph;
    int status = dot_check_is_application(graph, r->diag);
    if (status == INLAY_OK) {
        status = dot_check_all_attributes(graph, own, r->diag);
    }
    return status == INLAY_OK ? dot_read_unit(graph, &r->unit, r->diag) : status;
}

/* The attributes, the builder and the tables of the nodes. */
static int make_builder(stochastic_reader *r)
{
    const dot_graph *graph = &r->graph;
    dot_find_symbols(graph, DOT_NODES, node_attributes, r->node);
    dot_find_symbols(graph, DOT_EDGES, edge_attributes, r->edge);
    char *name = dot_given_name(graph);
    size_t nodes = (size_t)graph->nodes;
    r->number = memory_array(nodes, sizeof *r->number);
    r->node_of = memory_array(nodes, sizeof *r->node_of);
    r->builder = name == NULL ? NULL : inlay_stochastic_builder_new(name, r->unit);
    free(name);
    if (r->number == NULL || r->node_of == NULL || r->builder == NULL ||
        inlay_stochastic_builder_source(r->builder, r->graph.source, line_of, r) != INLAY_OK) {
        return diag_no_memory(r->diag);
    }
    return INLAY_OK;
}

static int build(stochastic_reader *r, inlay_stochastic **graph)
{
    int (*const steps[])(stochastic_reader *) = {check_graph, make_builder, add_nodes, add_edges};
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == INLAY_OK; i++) {
        status = steps[i](r);
    }
    if (status == INLAY_OK) {
        status = inlay_stochastic_build(r->builder, graph, r->diag);
    }
    if (status == INLAY_OK && !r->is_stochastic) {
        diag_warn(r->diag,
                  "%s: nothing in it is stochastic (kind=eor, probability, entries, time of a link); as an application "
                  "it would need no reduction, and every module would run once, however many links lead to it",
                  r->graph.source);
    }
    return status;
}

int inlay_stochastic_read_memory(const char *data, size_t size, const char *source, inlay_stochastic **graph,
                                 inlay_diag *diag)
{
    DIAG_CALL(diag);
    stochastic_reader r = {.diag = diag};
    int status = dot_graph_read(&(dot_source){.data = data, .size = size, .name = source}, &r.graph, diag);
    if (status == INLAY_OK) {
        status = build(&r, graph);
    }
    inlay_stochastic_builder_free(r.builder);
    dot_graph_close(&r.graph);
    free(r.number);
    free(r.node_of);
    return status;
}

int inlay_stochastic_read(const char *path, inlay_stochastic **graph, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    int status = file_read(path, &content, diag);
    if (status == INLAY_OK) {
        const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
        status = inlay_stochastic_read_memory(content.data, content.size, source, graph, diag);
        file_content_clear(&content);
    }
    return status;
}
