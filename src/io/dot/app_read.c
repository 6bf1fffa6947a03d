/* Reading an application from a DOT graph. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/data.h"
#include "io/dot/dialect.h"
#include "io/dot/dot.h"
#include "io/dot/values.h"
#include <stdlib.h>
#include <string.h>

enum {
    TIME,
    BLOCKING,
    MEMORY,
    TRAFFIC_MEMORY,
    CORES,
    KIND,
    PIN,
    ARITHMETIC,
    INTENSITY,
    FUNCTIONS,
    SIZE,
    DEADLINE,
    TYPE_TIME,
    NODE_ATTRIBUTES
};
enum { MESSAGES, BYTES, EDGE_KIND, DATA, EDGE_ATTRIBUTES };

static const char *const graph_attributes[] = {"time_unit", "name", "reference_speed", "period", NULL};
static const char *const node_attributes[] = {
    "time",       "blocking",  "memory",    "traffic_memory", "cores",    "kind",      "pin",
    "arithmetic", "intensity", "functions", "size",           "deadline", "time.TYPE", NULL};
static const char *const edge_attributes[] = {"messages", "bytes", "kind", "data", NULL};
static const char type_prefix[] = "time.";

typedef struct app_reader {
    dot_graph graph;
    inlay_diag *diag;
    const inlay_reading *how;
    bool is_dot; /* else the same said in another format */
    dot_dialect dialect;
    inlay_unit unit;
    inlay_app_builder *builder;
    const dot_symbol *node[NODE_ATTRIBUTES];
    const dot_symbol *edge[EDGE_ATTRIBUTES];
    const dot_symbol *types; /* time.TYPE: one behind the other */
    size_t type_count;
    int32_t *number;  /* by node: of the module, or -1 - that of the data block */
    int32_t *node_of; /* by module */
    int32_t modules, blocks;
} app_reader;

/* ---- Lines ---- */

/* For the builder: where a module or a link stands. */
static long line_of(void *context, inlay_id from, inlay_id to)
{
    const app_reader *r = context;
    if (from < 0 || (to >= 0 && r->graph.edge_source != r->graph.source)) {
        return 0; /* the builder knows of one file */
    }
    return to < 0 ? dot_line(&r->graph.node[r->node_of[from]].is, r->node[TIME])
                  : dot_line_of_edge(&r->graph, r->node_of[from], r->node_of[to]);
}

/* ---- Nodes ---- */

static int read_time(const app_reader *r, const dot_node *node, const char *what, const dot_symbol *symbol,
                     const char *value, inlay_duration *time)
{
    const char *wrong, *expected;
    return dot_read_time(value, r->unit, time, &wrong, &expected)
               ? INLAY_OK
               : dot_refuse_node(&r->graph, node, symbol->name, value, what, wrong, expected, r->diag);
}

/* The attributes of a module that are no times; each is left as it is where not given. */
static int read_resources(const app_reader *r, const dot_node *node, inlay_module *module)
{
    static const char *const expected[NODE_ATTRIBUTES] = {
        [MEMORY] = dot_bytes_expected,
        [TRAFFIC_MEMORY] = dot_bytes_expected,
        [CORES] = "a whole number, 1 or more",
        [PIN] = "the number of a processor, 0 or more",
        [ARITHMETIC] = "a number of operations, 0 or more",
        [INTENSITY] = "operations a byte, above 0",
        [FUNCTIONS] = "a number of evaluations, 0 or more",
    };
    int64_t cores = module->cores, pin = module->pin;
    for (int i = 0; i < NODE_ATTRIBUTES; i++) {
        const char *value = expected[i] == NULL ? NULL : dot_value(&node->is, r->node[i]);
        if (value == NULL) {
            continue;
        }
        bool good = i == MEMORY           ? dot_read_bytes(value, &module->memory)
                    : i == TRAFFIC_MEMORY ? dot_read_bytes(value, &module->traffic_memory)
                    : i == CORES          ? dot_read_whole(value, 1, INT32_MAX, &cores)
                    : i == PIN            ? dot_read_whole(value, 0, INT32_MAX, &pin)
                    : i == ARITHMETIC     ? dot_read_count(value, &module->arithmetic)
                    : i == INTENSITY      ? dot_read_count(value, &module->intensity) && module->intensity > 0
                                          : dot_read_count(value, &module->functions);
        if (!good) {
            return dot_refuse_node(&r->graph, node, r->node[i]->name, value, "module", "cannot be read", expected[i],
                                   r->diag);
        }
        module->pinned |= i == PIN;
    }
    module->cores = (int32_t)cores;
    module->pin = (inlay_id)pin;
    return INLAY_OK;
}

static int add_type_times(app_reader *r, const dot_node *node, inlay_id module)
{
    for (size_t i = 0; i < r->type_count; i++) {
        const char *value = dot_value(&node->is, &r->types[i]);
        if (value == NULL) {
            continue;
        }
        inlay_duration time;
        const char *type = r->types[i].name + strlen(type_prefix);
        bool never = strcmp(value, "none") == 0;
        int status = never ? inlay_app_forbid_type(r->builder, module, type, r->diag)
                           : read_time(r, node, "module", &r->types[i], value, &time);
        if (status == INLAY_OK && !never) {
            status = inlay_app_add_type_time(r->builder, module, type, time, r->diag);
        }
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

static int add_module(app_reader *r, const dot_node *node)
{
    const char *name = node->name;
    const char *time = dot_value(&node->is, r->node[TIME]), *blocking = dot_value(&node->is, r->node[BLOCKING]);
    const char *size = dot_value(&node->is, r->node[SIZE]);
    if (size != NULL) {
        return dot_refuse_node(&r->graph, node, "size", size, "module", "belongs to no module",
                               "memory, or kind=data for a data block", r->diag);
    }
    if (time == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, node->is.line,
                            "unknown module '%s': no statement gives it a time; expected time=NUMBER", name);
    }
    inlay_module module = {.name = name, .has_blocking = blocking != NULL, .kind = dot_value(&node->is, r->node[KIND])};
    int status = read_time(r, node, "module", r->node[TIME], time, &module.time);
    if (status == INLAY_OK && blocking != NULL) {
        status = read_time(r, node, "module", r->node[BLOCKING], blocking, &module.blocking);
    }
    const char *deadline = dot_value(&node->is, r->node[DEADLINE]);
    if (status == INLAY_OK && deadline != NULL) {
        status = read_time(r, node, "module", r->node[DEADLINE], deadline, &module.deadline);
    }
    if (status == INLAY_OK) {
        status = read_resources(r, node, &module);
    }
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id number = r->modules;
    r->number[dot_number(&r->graph, node)] = number;
    r->node_of[r->modules++] = dot_number(&r->graph, node);
    status = inlay_app_add_module(r->builder, &module, r->diag);
    return status == INLAY_OK ? add_type_times(r, node, number) : status;
}

/* A node of a dialect. */
static int add_foreign(app_reader *r, const dot_node *node)
{
    inlay_module module = {.name = node->name};
    int status = dot_dialect_time(&r->graph, r->dialect, node, &module.time, r->diag);
    r->number[dot_number(&r->graph, node)] = r->modules;
    r->node_of[r->modules++] = dot_number(&r->graph, node);
    return status == INLAY_OK ? inlay_app_add_module(r->builder, &module, r->diag) : status;
}

static int add_block(app_reader *r, const dot_node *node)
{
    const char *name = node->name;
    const char *size = dot_value(&node->is, r->node[SIZE]), *time = dot_value(&node->is, r->node[TIME]);
    inlay_duration duration = {.unit = INLAY_UNIT_NONE};
    int64_t bytes;
    if (size == NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, dot_line(&node->is, r->node[KIND]),
                            "data block '%s' has no size; expected size=BYTES", name);
    }
    if (!dot_read_bytes(size, &bytes)) {
        return dot_refuse_node(&r->graph, node, "size", size, "data block", "cannot be read", dot_bytes_expected,
                               r->diag);
    }
    int status = time == NULL ? INLAY_OK : read_time(r, node, "data block", r->node[TIME], time, &duration);
    if (status != INLAY_OK) {
        return status;
    }
    r->number[dot_number(&r->graph, node)] = -1 - r->blocks++;
    return inlay_app_add_block(r->builder, name, bytes, duration, r->diag);
}

/* Nodes in the order in which they first appear. */
static int add_nodes(app_reader *r)
{
    int status = INLAY_OK;
    for (int32_t i = 0; i < r->graph.nodes && status == INLAY_OK; i++) {
        const dot_node *node = &r->graph.node[i];
        const char *kind = dot_value(&node->is, r->node[KIND]);
        status = r->dialect != DOT_OWN                       ? add_foreign(r, node)
                 : kind != NULL && strcmp(kind, "data") == 0 ? add_block(r, node)
                                                             : add_module(r, node);
    }
    return status;
}

/* ---- Edges ---- */

/* An edge between a data block and a module, in either direction, is a use; bytes < 0: the whole block. */
static int add_use(app_reader *r, const dot_edge *edge, int64_t messages, int64_t bytes)
{
    const dot_node *tail = dot_tail(&r->graph, edge), *head = dot_head(&r->graph, edge);
    int32_t from = r->number[edge->tail], to = r->number[edge->head];
    if (from < 0 && to < 0) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.edge_source, edge->is.line,
                            "link between the data blocks '%s' and '%s'; expected a module at one end", tail->name,
                            head->name);
    }
    if (bytes < 0) {
        dot_read_bytes(dot_value(from < 0 ? &tail->is : &head->is, r->node[SIZE]), &bytes);
    }
    return from < 0 ? inlay_app_add_use(r->builder, -1 - from, to, messages, bytes, r->diag)
                    : inlay_app_add_use(r->builder, -1 - to, from, messages, bytes, r->diag);
}

/* A datum is carried by links with precedence alone; what it cannot be is said with its line. */
static int check_data(const app_reader *r, const dot_edge *edge, bool precedes)
{
    const char *data = dot_value(&edge->is, r->edge[DATA]);
    if (dot_is_empty(&edge->is, r->edge[DATA])) {
        return dot_refuse_edge(&r->graph, edge, "data", "", "is no name", "the name of a datum, or no data", r->diag);
    }
    return data == NULL || precedes
               ? INLAY_OK
               : dot_refuse_edge(&r->graph, edge, "data", data, "belongs to no link with precedence",
                                 "none for traffic alone and for uses of data blocks", r->diag);
}

static int add_edge(app_reader *r, const dot_edge *edge)
{
    static const char unread[] = "cannot be read";
    const char *messages_text = dot_value(&edge->is, r->edge[MESSAGES]);
    const char *bytes_text = dot_value(&edge->is, r->edge[BYTES]);
    const char *kind = dot_value(&edge->is, r->edge[EDGE_KIND]);
    int64_t messages = 1, bytes = -1;
    if (messages_text != NULL && !dot_read_whole(messages_text, 0, INT64_MAX, &messages)) {
        return dot_refuse_edge(&r->graph, edge, "messages", messages_text, unread, "a whole number, 0 or more",
                               r->diag);
    }
    if (bytes_text != NULL && !dot_read_bytes(bytes_text, &bytes)) {
        return dot_refuse_edge(&r->graph, edge, "bytes", bytes_text, unread, dot_bytes_expected, r->diag);
    }
    if (kind != NULL && strcmp(kind, "traffic") != 0) {
        return dot_refuse_edge(&r->graph, edge, "kind", kind, unread,
                               "kind=traffic (traffic without precedence) or none", r->diag);
    }
    int32_t from = r->number[edge->tail], to = r->number[edge->head];
    int status = check_data(r, edge, from >= 0 && to >= 0 && kind == NULL);
    if (status != INLAY_OK) {
        return status;
    }
    if (from < 0 || to < 0) {
        return add_use(r, edge, messages, bytes);
    }
    const apart_link link = {to, messages, bytes < 0 ? 0 : bytes, kind == NULL ? 0 : INLAY_LINK_TRAFFIC_ONLY,
                             dot_value(&edge->is, r->edge[DATA])};
    return apart_add(r->builder, from, &link, r->diag);
}

static int add_foreign_edge(app_reader *r, const dot_edge *edge)
{
    int64_t messages, bytes;
    int status = dot_dialect_link(&r->graph, r->dialect, edge, &messages, &bytes, r->diag);
    return status != INLAY_OK ? status
                              : inlay_app_add_link(r->builder, r->number[edge->tail], r->number[edge->head], messages,
                                                   bytes, 0, r->diag);
}

/* Sorted, which the builder likes best, but where the order of data counts, that of the text. */
static int add_edges(app_reader *r)
{
    int status = INLAY_OK;
    for (int32_t i = 0; i < r->graph.edges && status == INLAY_OK; i++) {
        const dot_edge *edge = &r->graph.edge[r->edge[DATA] == NULL ? r->graph.out[i] : i];
        status = r->dialect == DOT_OWN ? add_edge(r, edge) : add_foreign_edge(r, edge);
    }
    return status;
}

/* ---- The graph ---- */

/* What `inlay reduce` reads and this reader would take for something else; NULL where there is nothing of it. */
static const char *stochastic_sign(const app_reader *r, long *line)
{
    const dot_graph *graph = &r->graph;
    static const struct {
        dot_kind kind;
        const char *name;
    } attributes[] = {{DOT_EDGES, "probability"}, {DOT_NODES, "entries"}, {DOT_EDGES, "time"}};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        const dot_symbol *symbol = dot_find_symbol(graph, attributes[i].kind, attributes[i].name);
        if (symbol != NULL) {
            *line = symbol->line;
            return symbol->name;
        }
    }
    const dot_symbol *kind = dot_find_symbol(graph, DOT_NODES, node_attributes[KIND]);
    for (int32_t i = 0; kind != NULL && i < graph->nodes; i++) {
        const dot_node *node = &graph->node[i];
        const char *value = dot_value(&node->is, kind);
        if (value != NULL && (strcmp(value, "eor") == 0 || strcmp(value, "and") == 0)) {
            *line = dot_line(&node->is, kind);
            return *value == 'e' ? "kind=eor" : "kind=and";
        }
    }
    return NULL;
}

/* A digraph that is no machine and has no attribute but those of an application. */
static int check_graph(app_reader *r)
{
    static const char *const *const own[DOT_KINDS] = {
        [DOT_GRAPHS] = graph_attributes, [DOT_NODES] = node_attributes, [DOT_EDGES] = edge_attributes};
    long line = 0;
    int status = dot_check_is_application(&r->graph, r->diag);
    const char *sign = status == INLAY_OK && r->is_dot ? stochastic_sign(r, &line) : NULL;
    if (sign != NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, line,
                            "this is a stochastic graph (%s); expected an application, which 'inlay reduce %s -o "
                            "G.dot' makes of it",
                            sign, r->graph.source);
    }
    r->dialect = r->how->attribute_count > 0 ? DOT_OWN : dot_dialect_of(&r->graph);
    bool ours = (r->dialect == DOT_OWN || r->dialect == DOT_BARE) && r->how->attribute_count == 0;
    return status == INLAY_OK && ours ? dot_check_all_attributes(&r->graph, own, r->diag) : status;
}

static int read_unit(app_reader *r)
{
    if (r->dialect == DOT_BARE && r->graph.nodes > 0) {
        diag_warn(r->diag, "%s: no node has a time: every module takes a tick (--attribute time=NAME names another)",
                  r->graph.source);
    }
    r->unit = dot_dialect_unit(r->dialect);
    return r->dialect == DOT_OWN || dot_graph_value(&r->graph, "time_unit") != NULL
               ? dot_read_unit(&r->graph, &r->unit, r->diag)
               : INLAY_OK;
}

/* The place of a name in a list that ends with NULL; -1: it is not there. */
static int place_of(const char *name, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* What the file calls by a name of ours may mean something else there. */
static void name_anew(const dot_symbol **symbols, int count, const dot_symbol *theirs, int ours)
{
    for (int i = 0; theirs != NULL && i < count; i++) {
        symbols[i] = i == ours ? theirs : symbols[i] == theirs ? NULL : symbols[i];
    }
}

/* Attributes of ours that the file calls something else. */
static int rename_symbols(app_reader *r)
{
    for (size_t i = 0; i < r->how->attribute_count; i++) {
        const char *ours = r->how->attributes[i].name, *theirs = r->how->attributes[i].value;
        int node = place_of(ours, node_attributes), edge = place_of(ours, edge_attributes);
        const dot_symbol *of_node = node < 0 ? NULL : dot_find_symbol(&r->graph, DOT_NODES, theirs);
        const dot_symbol *of_edge = edge < 0 ? NULL : dot_find_symbol(&r->graph, DOT_EDGES, theirs);
        if (node < 0 && edge < 0) {
            return diag_fail(r->diag, INLAY_BAD_ARGUMENT,
                             "no node and no link has an attribute '%s'; expected one of docs/graphs.md, as time=%s",
                             ours, theirs);
        }
        if (of_node == NULL && of_edge == NULL) {
            return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source, 0,
                                "there is no attribute '%s'; expected the name of what is '%s' here", theirs, ours);
        }
        name_anew(r->node, NODE_ATTRIBUTES, of_node, node);
        name_anew(r->edge, EDGE_ATTRIBUTES, of_edge, edge);
    }
    return INLAY_OK;
}

/* Look up the attributes once. */
static int find_symbols(app_reader *r)
{
    const dot_graph *graph = &r->graph;
    dot_find_symbols(graph, DOT_NODES, node_attributes, r->node);
    dot_find_symbols(graph, DOT_EDGES, edge_attributes, r->edge);
    for (size_t i = 0; i < graph->symbols[DOT_NODES]; i++) {
        const dot_symbol *symbol = &graph->symbol[DOT_NODES][i];
        if (strncmp(symbol->name, type_prefix, strlen(type_prefix)) == 0) {
            r->types = r->type_count == 0 ? symbol : r->types;
            r->type_count++;
        }
    }
    return rename_symbols(r);
}

/* The builder and the tables of the nodes. */
static int make_builder(app_reader *r)
{
    char *name = dot_given_name(&r->graph);
    size_t nodes = (size_t)r->graph.nodes;
    r->number = memory_array(nodes, sizeof *r->number);
    r->node_of = memory_array(nodes, sizeof *r->node_of);
    r->builder = name == NULL ? NULL : inlay_app_builder_new(name, r->unit);
    free(name);
    if (r->number == NULL || r->node_of == NULL || r->builder == NULL ||
        inlay_app_builder_source(r->builder, r->graph.source, line_of, r) != INLAY_OK) {
        return diag_no_memory(r->diag);
    }
    return INLAY_OK;
}

static int read_reference(app_reader *r)
{
    double flops = dot_dialect_reference(r->dialect);
    if (flops > 0) {
        return inlay_app_builder_reference(r->builder, flops, r->diag);
    }
    const char *given = dot_graph_value(&r->graph, "reference_speed");
    if (given != NULL && inlay_flops_parse(given, &flops) != INLAY_OK) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source,
                            dot_line_of_attribute(&r->graph, DOT_GRAPHS, "reference_speed"),
                            "bad reference_speed '%s'; expected operations a second such as 1Gf", given);
    }
    return given == NULL ? INLAY_OK : inlay_app_builder_reference(r->builder, flops, r->diag);
}

static int read_period(app_reader *r)
{
    inlay_duration period;
    const char *given = dot_graph_value(&r->graph, "period");
    if (given != NULL && (inlay_duration_parse(given, &period) != INLAY_OK || period.value.digits <= 0)) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph.source,
                            dot_line_of_attribute(&r->graph, DOT_GRAPHS, "period"),
                            "bad period '%s'; expected a time above 0", given);
    }
    return given == NULL ? INLAY_OK : inlay_app_builder_period(r->builder, period, r->diag);
}

static int read_app(app_reader *r)
{
    int (*const steps[])(app_reader *) = {check_graph,    read_unit,   find_symbols, make_builder,
                                          read_reference, read_period, add_nodes,    add_edges};
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == INLAY_OK; i++) {
        status = steps[i](r);
    }
    return status;
}

int dot_app_from_source(const dot_source *source, const inlay_reading *how, inlay_app **app, inlay_diag *diag)
{
    app_reader r = {.diag = diag, .how = how, .is_dot = source->walk == NULL};
    int status = dot_graph_read(source, &r.graph, diag);
    if (status == INLAY_OK) {
        status = read_app(&r);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(r.builder, app, diag);
    }
    inlay_app_builder_free(r.builder);
    dot_graph_close(&r.graph);
    free(r.number);
    free(r.node_of);
    return status;
}

int dot_app_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag)
{
    return dot_app_from_source(&(dot_source){.data = data, .size = size, .name = source, .graph = how->graph}, how, app,
                               diag);
}
