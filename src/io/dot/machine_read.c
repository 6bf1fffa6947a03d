/* Reading a machine's hosts, switches and cables from a DOT graph. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/machine.h"
#include "io/dot/values.h"
#include "machine/graph_routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND, TYPE, SPEED, MEMORY, CORES, MAIN, NODE_ATTRIBUTES };
enum { CAPACITY, LATENCY, DUPLEX, PARALLEL, WEIGHT, NAME, EDGE_ATTRIBUTES };

static const char *const node_attributes[] = {"kind", "type", "speed", "memory", "cores", "main", NULL};
static const char *const edge_attributes[] = {"capacity", "latency", "duplex", "parallel", "weight", "name", NULL};

static const char capacity_expected[] = "a positive rate such as 1msg/tick, 100Mbit/s or 1.25GB/s";
static const char latency_expected[] = "a time of at least 0 such as 5us or 2 ticks";

/* One edge as it is written. */
typedef struct cable {
    const dot_edge *edge;
    inlay_id from, to; /* nodes of the topology */
    bool one_way;      /* one link from `from` to `to` */
    bool shared;       /* one link for both ways */
    bool parallel;
    bool has_capacity, has_latency;
    inlay_rate capacity;
    inlay_duration latency;
    double weight;
    const char *name; /* NULL where none is given */
} cable;

typedef struct machine_reader {
    memory_pool arrays; /**< owns them */
    dot_source source;
    const dot_graph *graph;
    inlay_diag *diag;
    const dot_symbol *node[NODE_ATTRIBUTES];
    const dot_symbol *edge[EDGE_ATTRIBUTES];
    inlay_id *number;   /* by node of the graph */
    machine_host *host; /* types are the graph's */
    const char *main;   /* name of the host that is; NULL: none so far */
    cable *cables;
    inlay_id cable_count;
    double *weight; /* of every link */
    bool weighted;
    topology *t;
} machine_reader;

/* ---- Complaints ---- */

static int refuse_node(const machine_reader *r, const dot_node *node, int which, const char *value,
                       const char *expected)
{
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph->source, dot_line(&node->is, r->node[which]),
                        "bad %s '%s' of '%s'; expected %s", node_attributes[which], value, node->name, expected);
}

/* `what` is a phrase behind "the link 'a' -- 'b' ". */
static int refuse_cable(const machine_reader *r, const cable *c, int which, const char *what, const char *expected)
{
    const dot_graph *graph = r->graph;
    long line = dot_line(&c->edge->is, which < 0 ? NULL : r->edge[which]);
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, graph->source, line, "the link '%s' %s '%s' %s; expected %s",
                        dot_tail(graph, c->edge)->name, graph->directed ? "->" : "--", dot_head(graph, c->edge)->name,
                        what, expected);
}

static int refuse_value(const machine_reader *r, const cable *c, int which, const char *expected)
{
    const dot_graph *graph = r->graph;
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, graph->source, dot_line(&c->edge->is, r->edge[which]),
                        "bad %s '%s' of the link '%s' %s '%s'; expected %s", edge_attributes[which],
                        dot_value(&c->edge->is, r->edge[which]), dot_tail(graph, c->edge)->name,
                        graph->directed ? "->" : "--", dot_head(graph, c->edge)->name, expected);
}

/* ---- Nodes ---- */

static bool read_positive(const char *value, double *number)
{
    inlay_decimal read;
    if (inlay_decimal_parse(value, &read) != INLAY_OK || read.digits <= 0) {
        return false;
    }
    *number = inlay_decimal_double(read);
    return *number > 0;
}

static bool read_cores(const char *value, inlay_id *cores)
{
    char *end;
    long read = strtol(value, &end, 10);
    if (value[strspn(value, "0123456789")] != '\0' || end == value || read < 1 || read > INT32_MAX) {
        return false;
    }
    *cores = (inlay_id)read;
    return true;
}

static int read_host(const machine_reader *r, const dot_node *node, machine_host *host)
{
    const char *speed = dot_value(&node->is, r->node[SPEED]), *memory = dot_value(&node->is, r->node[MEMORY]);
    const char *cores = dot_value(&node->is, r->node[CORES]);
    *host = (machine_host){.cores = 1, .speed = 1, .memory = -1, .type = (char *)dot_value(&node->is, r->node[TYPE])};
    if (speed != NULL && !speed_read(speed, &host->speed, &host->flops)) {
        return refuse_node(r, node, SPEED, speed, "a positive number such as 1 or 2.5, or 2Gf");
    }
    if (memory != NULL && (inlay_bytes_parse(memory, &host->memory) != INLAY_OK || host->memory <= 0)) {
        return refuse_node(r, node, MEMORY, memory, "a positive size such as 64MiB");
    }
    if (cores != NULL && !read_cores(cores, &host->cores)) {
        return refuse_node(r, node, CORES, cores, "a whole number from 1 to 2147483647");
    }
    return INLAY_OK;
}

/* One host of a machine has the main memory, at most. */
static int read_main(machine_reader *r, const dot_node *node, machine_host *host)
{
    const char *value = dot_value(&node->is, r->node[MAIN]);
    host->main = value != NULL && strcmp(value, "true") == 0;
    if (value != NULL && !host->main && strcmp(value, "false") != 0) {
        return refuse_node(r, node, MAIN, value, "true for the host whose memory is the main memory, else false");
    }
    if (host->main && r->main != NULL) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph->source, dot_line(&node->is, r->node[MAIN]),
                            "'%s' is main, and so is '%s'; expected one host with the main memory", node->name,
                            r->main);
    }
    r->main = host->main ? node->name : r->main;
    return INLAY_OK;
}

/* Whether a node is a host, else a switch or router. */
static int read_kind(const machine_reader *r, const dot_node *node, bool *host)
{
    const char *kind = dot_value(&node->is, r->node[KIND]);
    *host = kind == NULL || strcmp(kind, "host") == 0;
    return *host || strcmp(kind, "switch") == 0 || strcmp(kind, "router") == 0
               ? INLAY_OK
               : refuse_node(r, node, KIND, kind, "host, switch or router");
}

/* Hosts in the order in which they appear, then switches in theirs. */
static int number_nodes(machine_reader *r)
{
    for (int pass = 0; pass < 2; pass++) {
        bool want_hosts = pass == 0;
        for (int32_t i = 0; i < r->graph->nodes; i++) {
            const dot_node *node = &r->graph->node[i];
            bool host = false;
            int status = read_kind(r, node, &host);
            if (status == INLAY_OK && host && want_hosts) {
                status = read_host(r, node, &r->host[r->t->hosts]);
                status = status == INLAY_OK ? read_main(r, node, &r->host[r->t->hosts++]) : status;
            }
            if (status != INLAY_OK) {
                return status;
            }
            if (host == want_hosts) {
                r->number[i] = r->t->nodes;
                r->t->node_name[r->t->nodes] = memory_string(node->name);
                if (r->t->node_name[r->t->nodes++] == NULL) {
                    return diag_no_memory(r->diag);
                }
            }
        }
    }
    return r->t->hosts > 0 ? INLAY_OK
                           : diag_fail_at(r->diag, INLAY_BAD_INPUT, r->graph->source, r->graph->is.line,
                                          "a machine without processors; expected a node that is no switch");
}

/* ---- Edges ---- */

static int read_duplex(const machine_reader *r, cable *c)
{
    const char *duplex = dot_value(&c->edge->is, r->edge[DUPLEX]);
    c->one_way = duplex == NULL && r->graph->directed;
    c->shared = duplex != NULL && strcmp(duplex, "half") == 0;
    return duplex == NULL || c->shared || strcmp(duplex, "full") == 0
               ? INLAY_OK
               : refuse_value(r, c, DUPLEX, "full, or half for one medium that both ways share");
}

static int read_cable(const machine_reader *r, cable *c)
{
    const char *capacity = dot_value(&c->edge->is, r->edge[CAPACITY]),
               *latency = dot_value(&c->edge->is, r->edge[LATENCY]);
    const char *parallel = dot_value(&c->edge->is, r->edge[PARALLEL]),
               *weight = dot_value(&c->edge->is, r->edge[WEIGHT]);
    c->has_capacity = capacity != NULL;
    c->has_latency = latency != NULL;
    c->name = dot_value(&c->edge->is, r->edge[NAME]);
    c->parallel = parallel != NULL && strcmp(parallel, "true") == 0;
    if (c->from == c->to) {
        return refuse_cable(r, c, -1, "leads from a node to itself", "two different nodes");
    }
    if (c->has_capacity && inlay_rate_parse(capacity, &c->capacity) != INLAY_OK) {
        return refuse_value(r, c, CAPACITY, capacity_expected);
    }
    if (c->has_latency && (inlay_duration_parse(latency, &c->latency) != INLAY_OK || c->latency.value.digits < 0)) {
        return refuse_value(r, c, LATENCY, latency_expected);
    }
    if (parallel != NULL && !c->parallel && strcmp(parallel, "false") != 0) {
        return refuse_value(r, c, PARALLEL, "true where messages do not meet on the link, else false");
    }
    c->weight = 1;
    if (weight != NULL && !read_positive(weight, &c->weight)) {
        return refuse_value(r, c, WEIGHT, "a positive number, what the link counts in the length of a route");
    }
    return read_duplex(r, c);
}

/* Edges in the order of the file. */
static int read_cables(machine_reader *r)
{
    for (inlay_id i = 0; i < r->graph->edges; i++) {
        const dot_edge *edge = &r->graph->edge[i];
        r->cables[r->cable_count++] = (cable){.edge = edge, .from = r->number[edge->tail], .to = r->number[edge->head]};
        int status = read_cable(r, &r->cables[i]);
        if (status != INLAY_OK) {
            return status;
        }
        r->weighted |= r->cables[i].weight < 1 || r->cables[i].weight > 1;
    }
    return INLAY_OK;
}

/* ---- What all links must have in common ---- */

static bool rate_ticks(const cable *c)
{
    return c->capacity.per == INLAY_UNIT_TICK || c->capacity.per == INLAY_UNIT_NONE;
}

/* A bare number is in the unit of the others, and 0 in any. */
static bool latency_has_unit(const cable *c)
{
    return c->has_latency && c->latency.unit != INLAY_UNIT_NONE && c->latency.value.digits > 0;
}

/* The cable that decides whether times are ticks or seconds: the first that tells. NULL: none does. */
static const cable *first_timed(const machine_reader *r, bool *ticks)
{
    for (inlay_id i = 0; i < r->cable_count; i++) {
        const cable *c = &r->cables[i];
        if (c->has_capacity || latency_has_unit(c)) {
            *ticks = c->has_capacity ? rate_ticks(c) : c->latency.unit == INLAY_UNIT_TICK;
            return c;
        }
    }
    return NULL;
}

static int check_unit(const machine_reader *r, const cable *c, bool ticks)
{
    const char *expected = ticks ? "ticks, the unit of the first link" : "seconds, the unit of the first link";
    if (c->has_capacity && rate_ticks(c) != ticks) {
        return refuse_cable(r, c, CAPACITY, ticks ? "has a capacity in seconds" : "has a capacity in ticks", expected);
    }
    if (latency_has_unit(c) && (c->latency.unit == INLAY_UNIT_TICK) != ticks) {
        return refuse_cable(r, c, LATENCY, ticks ? "has a latency in seconds" : "has a latency in ticks", expected);
    }
    return INLAY_OK;
}

static int check_capacity(const machine_reader *r, const cable *c)
{
    const cable *first = &r->cables[0];
    if (c->has_capacity != first->has_capacity) {
        return refuse_cable(r, c->has_capacity ? first : c, -1, "has no capacity and others have one",
                            "capacity=RATE on every link, as in edge [capacity=\"1GB/s\"], or on none");
    }
    if (c->has_capacity && c->capacity.kind != first->capacity.kind) {
        bool bytes = c->capacity.kind == INLAY_RATE_BYTES;
        return refuse_cable(r, c, CAPACITY, bytes ? "carries bytes" : "carries messages",
                            bytes ? "messages, which the first link carries" : "bytes, which the first link carries");
    }
    return INLAY_OK;
}

static int settle_units(machine_reader *r)
{
    topology *t = r->t;
    bool ticks = true;
    const cable *timed = first_timed(r, &ticks);
    t->unit = ticks ? INLAY_UNIT_TICK : INLAY_UNIT_S;
    for (inlay_id i = 0; i < r->cable_count && timed != NULL; i++) {
        int status = check_unit(r, &r->cables[i], ticks);
        if (status == INLAY_OK) {
            status = check_capacity(r, &r->cables[i]);
        }
        if (status != INLAY_OK) {
            return status;
        }
    }
    t->has_capacity = r->cable_count > 0 && r->cables[0].has_capacity;
    t->in_bytes = t->has_capacity && r->cables[0].capacity.kind == INLAY_RATE_BYTES;
    return INLAY_OK;
}

/* ---- Links ---- */

static double in_rate(inlay_rate rate, inlay_unit unit)
{
    return unit == INLAY_UNIT_TICK ? rate.value : rate.value / inlay_unit_seconds(rate.per);
}

char *dot_link_name(const char *name, const char *from, const char *to)
{
    text_buffer text = {0};
    text_addf(&text, "%s %s-%s", name, from, to);
    return text.data;
}

static bool add_link(machine_reader *r, const cable *c, bool back)
{
    topology *t = r->t;
    inlay_id from = back ? c->to : c->from, to = back ? c->from : c->to;
    t->link[t->links] = (topology_link){.capacity = c->has_capacity ? in_rate(c->capacity, t->unit) : 1,
                                        .latency = c->has_latency ? duration_in(c->latency, t->unit) : 0,
                                        .from = from,
                                        .to = to,
                                        .shared = c->shared,
                                        .parallel = c->parallel};
    r->weight[t->links] = c->weight;
    char **name = &t->link_name[t->links++];
    *name = NULL;
    if (c->name != NULL) {
        *name = c->one_way || c->shared ? memory_string(c->name)
                                        : dot_link_name(c->name, t->node_name[from], t->node_name[to]);
    }
    return c->name == NULL || *name != NULL;
}

static int add_links(machine_reader *r)
{
    for (inlay_id i = 0; i < r->cable_count; i++) {
        const cable *c = &r->cables[i];
        if (!add_link(r, c, false) || (!c->one_way && !c->shared && !add_link(r, c, true))) {
            return diag_no_memory(r->diag);
        }
    }
    return INLAY_OK;
}

/* ---- The machine ---- */

static int check_graph(const machine_reader *r)
{
    const dot_graph *graph = r->graph;
    if (graph->edges > INT32_MAX / 2) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, graph->source, graph->is.line, "%d edges; expected at most %d",
                            (int)graph->edges, INT32_MAX / 2);
    }
    int status = dot_check_attributes(graph, DOT_NODES, node_attributes, r->diag);
    return status == INLAY_OK ? dot_check_attributes(graph, DOT_EDGES, edge_attributes, r->diag) : status;
}

static int prepare(machine_reader *r)
{
    const dot_graph *graph = r->graph;
    size_t nodes = (size_t)graph->nodes, edges = (size_t)graph->edges;
    dot_find_symbols(r->graph, DOT_NODES, node_attributes, r->node);
    dot_find_symbols(r->graph, DOT_EDGES, edge_attributes, r->edge);
    r->number = pool_array(&r->arrays, nodes, sizeof *r->number);
    r->host = pool_zeroed(&r->arrays, nodes, sizeof *r->host);
    r->cables = pool_array(&r->arrays, edges, sizeof *r->cables);
    r->weight = pool_array(&r->arrays, 2 * edges, sizeof *r->weight);
    r->t->node_name = memory_zeroed(nodes, sizeof *r->t->node_name);
    r->t->link_name = memory_zeroed(2 * edges, sizeof *r->t->link_name);
    r->t->link = memory_array(2 * edges, sizeof *r->t->link);
    bool good = !r->arrays.failed && r->t->node_name != NULL && r->t->link_name != NULL && r->t->link != NULL;
    return good ? INLAY_OK : diag_no_memory(r->diag);
}

static int make_routes(machine_reader *r)
{
    return graph_routes_make(r->t, r->weighted ? r->weight : NULL, r->graph->source, r->diag);
}

/* The routes and all else into the machine, which owns the topology from then on. */
static int assemble(machine_reader *r, const inlay_attribute *attributes, size_t count, inlay_machine **machine)
{
    text_buffer document = {0};
    text_append(&document, r->source.data, r->source.size);
    char *name = dot_graph_name(r->graph);
    int status = INLAY_NO_MEMORY;
    if (name == NULL || document.failed) {
        status = diag_no_memory(r->diag);
    } else {
        const machine_parts parts = {.name = name,
                                     .source = r->graph->source,
                                     .document = document.data,
                                     .format = "dot",
                                     .topology = r->t,
                                     .host = r->host,
                                     .attributes = attributes,
                                     .count = count};
        r->t = NULL;
        status = machine_assemble(&parts, machine, r->diag);
    }
    free(name);
    text_clear(&document);
    return status;
}

int dot_explicit_from(const dot_source *source, const dot_graph *graph, const inlay_attribute *attributes, size_t count,
                      inlay_machine **machine, inlay_diag *diag)
{
    machine_reader r = {.source = *source, .graph = graph, .diag = diag, .t = memory_zeroed(1, sizeof *r.t)};
    if (r.t == NULL) {
        return diag_no_memory(diag);
    }
    int (*const steps[])(machine_reader *) = {prepare, number_nodes, read_cables, settle_units, add_links, make_routes};
    int status = check_graph(&r);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == INLAY_OK; i++) {
        status = steps[i](&r);
    }
    if (status == INLAY_OK) {
        status = assemble(&r, attributes, count, machine);
    }
    topology_free(r.t);
    pool_clear(&r.arrays);
    return status;
}
