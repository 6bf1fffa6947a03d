/* Reading a stochastic graph from DOT. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/dot_values.h"
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
    dot_source source;
    dot_graph graph;
    inlay_diag *diag;
    inlay_unit unit;
    inlay_stochastic_builder *builder;
    Agsym_t *node[NODE_ATTRIBUTES];
    Agsym_t *edge[EDGE_ATTRIBUTES];
    int32_t *number;    /* by AGSEQ of the node: of the module, or -1 - that of the data block */
    const char **names; /* of the modules so far */
    int32_t modules, blocks;
    bool is_stochastic; /* something was said that an application does not say */
} stochastic_reader;

/* For the builder: where a module or a link stands. */
static long line_of(void *context, inlay_id from, inlay_id to)
{
    const stochastic_reader *r = context;
    return from < 0 ? 0
           : to < 0 ? dot_line_of_node(&r->source, r->names[from], NULL, NULL)
                    : dot_line_of_edge(&r->source, r->names[from], r->names[to], NULL, NULL);
}

/* ---- Nodes ---- */

static int refuse_node(const stochastic_reader *r, Agnode_t *node, int attribute, const char *what, const char *wrong,
                       const char *expected)
{
    return dot_refuse_node(&r->source, node, node_attributes[attribute], dot_value(node, r->node[attribute]), what,
                           wrong, expected, r->diag);
}

static int read_time(const stochastic_reader *r, Agnode_t *node, const char *what, inlay_duration *time)
{
    const char *wrong, *expected;
    return dot_read_time(dot_value(node, r->node[TIME]), r->unit, time, &wrong, &expected)
               ? INLAY_OK
               : refuse_node(r, node, TIME, what, wrong, expected);
}

/* What a module has beside its time; each is left as it is where it is not given. */
static int read_resources(stochastic_reader *r, Agnode_t *node, inlay_stochastic_module *module)
{
    static const char *const expected[NODE_ATTRIBUTES] = {[ENTRIES] = "a number of visits, 0 or more",
                                                          [MEMORY] = dot_bytes_expected,
                                                          [ARITHMETIC] = "a number of operations, 0 or more",
                                                          [FUNCTIONS] = "a number of evaluations, 0 or more"};
    double *const count[NODE_ATTRIBUTES] = {
        [ENTRIES] = &module->entries, [ARITHMETIC] = &module->arithmetic, [FUNCTIONS] = &module->functions};
    for (int i = 0; i < NODE_ATTRIBUTES; i++) {
        const char *value = expected[i] == NULL ? NULL : dot_value(node, r->node[i]);
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
static int refuse_pin(const stochastic_reader *r, Agnode_t *node)
{
    const char *pin = dot_value(node, agattr(r->graph.graph, AGNODE, "pin", NULL));
    return pin == NULL ? INLAY_OK
                       : dot_refuse_node(&r->source, node, "pin", pin, "module", "belongs to no stochastic graph",
                                         "it in the reduced graph", r->diag);
}

static int add_module(stochastic_reader *r, Agnode_t *node, const char *kind)
{
    inlay_stochastic_module module = {.name = dot_node_name(node), .eor = kind != NULL && strcmp(kind, "eor") == 0};
    if (kind != NULL && !module.eor && strcmp(kind, "and") != 0) {
        return refuse_node(r, node, KIND, "module", "is unknown", "and, eor, or data for a data block");
    }
    r->is_stochastic |= kind != NULL;
    if (dot_value(node, r->node[SIZE]) != NULL) {
        return refuse_node(r, node, SIZE, "module", "belongs to no module", "memory, or kind=data for a data block");
    }
    if (dot_value(node, r->node[TIME]) == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name,
                            dot_line_of_node(&r->source, module.name, NULL, NULL),
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
        r->number[AGSEQ(node)] = r->modules;
        r->names[r->modules++] = module.name;
        status = inlay_stochastic_add_module(r->builder, &module, r->diag);
    }
    return status;
}

static int add_block(stochastic_reader *r, Agnode_t *node)
{
    const char *name = dot_node_name(node), *size = dot_value(node, r->node[SIZE]);
    inlay_duration time = {.unit = INLAY_UNIT_NONE};
    int64_t bytes;
    if (dot_value(node, r->node[ENTRIES]) != NULL) {
        return refuse_node(r, node, ENTRIES, "data block", "would be control, which a block does not get",
                           "entries of modules alone");
    }
    if (size == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name,
                            dot_line_of_node(&r->source, name, "kind", "data"),
                            "data block '%s' has no size; expected size=BYTES", name);
    }
    if (!dot_read_bytes(size, &bytes)) {
        return refuse_node(r, node, SIZE, "data block", unread, dot_bytes_expected);
    }
    int status = dot_value(node, r->node[TIME]) == NULL ? INLAY_OK : read_time(r, node, "data block", &time);
    if (status == INLAY_OK) {
        r->number[AGSEQ(node)] = -1 - r->blocks++;
        status = inlay_stochastic_add_block(r->builder, name, bytes, time, r->diag);
    }
    return status;
}

/* Nodes in the order in which they first appear. */
static int add_nodes(stochastic_reader *r)
{
    int status = INLAY_OK;
    for (Agnode_t *node = agfstnode(r->graph.graph); node != NULL && status == INLAY_OK;
         node = agnxtnode(r->graph.graph, node)) {
        const char *kind = dot_value(node, r->node[KIND]);
        status = kind != NULL && strcmp(kind, "data") == 0 ? add_block(r, node) : add_module(r, node, kind);
    }
    return status;
}

/* ---- Edges ---- */

static int refuse_edge(const stochastic_reader *r, Agedge_t *edge, int attribute, const char *wrong,
                       const char *expected)
{
    return dot_refuse_edge(&r->source, edge, edge_attributes[attribute], dot_value(edge, r->edge[attribute]), wrong,
                           expected, r->diag);
}

/* @param bytes  below 0: the whole block */
static int add_use(stochastic_reader *r, Agedge_t *edge, int64_t messages, int64_t bytes)
{
    Agnode_t *tail = agtail(edge), *head = aghead(edge);
    int32_t from = r->number[AGSEQ(tail)], to = r->number[AGSEQ(head)];
    if (from < 0 && to < 0) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name,
                            dot_line_of_edge(&r->source, dot_node_name(tail), dot_node_name(head), NULL, NULL),
                            "link between the data blocks '%s' and '%s'; expected a module at one end",
                            dot_node_name(tail), dot_node_name(head));
    }
    if (dot_value(edge, r->edge[PROBABILITY]) != NULL) {
        return refuse_edge(r, edge, PROBABILITY, "would be control, which a data block neither gets nor passes on",
                           "a use, which is made with each visit");
    }
    if (dot_value(edge, r->edge[EDGE_TIME]) != NULL) {
        return refuse_edge(r, edge, EDGE_TIME, "belongs to no use of a data block", "the block's time");
    }
    if (bytes < 0) {
        dot_read_bytes(dot_value(from < 0 ? tail : head, r->node[SIZE]), &bytes);
    }
    return from < 0 ? inlay_stochastic_add_use(r->builder, -1 - from, to, messages, bytes, r->diag)
                    : inlay_stochastic_add_use(r->builder, -1 - to, from, messages, bytes, r->diag);
}

static int read_probability(stochastic_reader *r, Agedge_t *edge, inlay_stochastic_link *link)
{
    static const char expected[] = "a number from 0 to 1";
    const char *value = dot_value(edge, r->edge[PROBABILITY]);
    char *end;
    if (value == NULL) {
        return INLAY_OK;
    }
    r->is_stochastic = true;
    link->has_probability = true;
    if (dot_read_count(value, &link->probability)) {
        return link->probability <= 1 ? INLAY_OK : refuse_edge(r, edge, PROBABILITY, "is above 1", expected);
    }
    bool negative = strtod(value, &end) < 0 && *end == '\0';
    return refuse_edge(r, edge, PROBABILITY, negative ? "is negative" : unread, expected);
}

static int read_link(stochastic_reader *r, Agedge_t *edge, inlay_stochastic_link *link)
{
    const char *messages = dot_value(edge, r->edge[MESSAGES]), *bytes = dot_value(edge, r->edge[BYTES]);
    const char *kind = dot_value(edge, r->edge[EDGE_KIND]), *time = dot_value(edge, r->edge[EDGE_TIME]);
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

static int add_edge(stochastic_reader *r, Agedge_t *edge)
{
    inlay_stochastic_link link = {
        .from = r->number[AGSEQ(agtail(edge))], .to = r->number[AGSEQ(aghead(edge))], .messages = 1, .bytes = -1};
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
    Agraph_t *graph = r->graph.graph;
    for (Agnode_t *node = agfstnode(graph); node != NULL; node = agnxtnode(graph, node)) {
        for (Agedge_t *edge = agfstout(graph, node); edge != NULL; edge = agnxtout(graph, edge)) {
            int status = add_edge(r, edge);
            if (status != INLAY_OK) {
                return status;
            }
        }
    }
    return INLAY_OK;
}

/* ---- The graph ---- */

static int check_graph(stochastic_reader *r)
{
    Agraph_t *graph = r->graph.graph;
    int status = dot_check_is_application(&r->source, graph, r->diag);
    if (status == INLAY_OK) {
        status = dot_check_attributes(&r->source, graph, AGRAPH, graph_attributes, r->diag);
    }
    if (status == INLAY_OK) {
        status = dot_check_attributes(&r->source, graph, AGNODE, node_attributes, r->diag);
    }
    if (status == INLAY_OK) {
        status = dot_check_attributes(&r->source, graph, AGEDGE, edge_attributes, r->diag);
    }
    return status == INLAY_OK ? dot_read_unit(&r->source, graph, &r->unit, r->diag) : status;
}

/* The attributes, the builder and the tables of the nodes. */
static int make_builder(stochastic_reader *r)
{
    Agraph_t *graph = r->graph.graph;
    for (int i = 0; i < NODE_ATTRIBUTES; i++) {
        r->node[i] = agattr(graph, AGNODE, (char *)node_attributes[i], NULL);
    }
    for (int i = 0; i < EDGE_ATTRIBUTES; i++) {
        r->edge[i] = agattr(graph, AGEDGE, (char *)edge_attributes[i], NULL);
    }
    const char *given = dot_graph_value(graph, "name");
    char *name = given == NULL ? dot_graph_name(&r->source, &r->graph) : memory_string(given);
    size_t nodes = (size_t)agnnodes(graph);
    r->number = memory_zeroed(nodes + 1, sizeof *r->number); /* AGSEQ counts from 1 */
    r->names = memory_array(nodes, sizeof *r->names);
    r->builder = name == NULL ? NULL : inlay_stochastic_builder_new(name, r->unit);
    free(name);
    if (r->number == NULL || r->names == NULL || r->builder == NULL ||
        inlay_stochastic_builder_source(r->builder, r->source.name, line_of, r) != INLAY_OK) {
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
                  r->source.name);
    }
    return status;
}

int inlay_stochastic_read_memory(const char *data, size_t size, const char *source, inlay_stochastic **graph,
                                 inlay_diag *diag)
{
    stochastic_reader r = {.source = {data, size, source}, .diag = diag};
    int status = dot_graph_read(&r.source, &r.graph, diag);
    if (status == INLAY_OK) {
        status = build(&r, graph);
    }
    inlay_stochastic_builder_free(r.builder);
    dot_graph_close(&r.graph);
    free(r.number);
    free(r.names);
    return status;
}

int inlay_stochastic_read(const char *path, inlay_stochastic **graph, inlay_diag *diag)
{
    file_content content;
    int status = file_read(path, &content, diag);
    if (status == INLAY_OK) {
        const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
        status = inlay_stochastic_read_memory(content.data, content.size, source, graph, diag);
        file_content_clear(&content);
    }
    return status;
}
