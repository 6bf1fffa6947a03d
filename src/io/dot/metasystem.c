/* Reading a metasystem from DOT: the graph, its ways, and what holds all together. */
#include "io/dot/metasystem.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/expression.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCY, PER_BYTE, COERCION, EDGE_ATTRIBUTES };

static const char *const graph_attributes[] = {"kind",     "name",     "time_unit", "router_latency", "router_per_byte",
                                               "coercion", "currency", NULL};
static const char *const node_attributes[] = {"processors", "available",    "loads",  "threshold", "rate",
                                              "type",       "interconnect", "extent", "format",    "price",
                                              "power",      "1-D",          "ring",   "tree",      NULL};
static const char *const edge_attributes[] = {"latency", "per_byte", "coercion", NULL};

/* ---- Values ---- */

bool metasystem_read_time(const metasystem_reader *r, const char *value, bool per_byte, double *time,
                          const char **wrong, const char **expected)
{
    static const char time_expected[] = "a number, 0 or more, alone or with one of s, ms, us, ns, tick";
    const char *end;
    double read;
    expression_suffix suffix = expression_number(value, r->unit, &read, &end);
    bool by_byte = per_byte && strcmp(end, "/B") == 0;
    if (suffix == EXPRESSION_GOOD && (*end == '\0' || by_byte)) {
        *time = read;
        return true;
    }
    bool other_unit = suffix == EXPRESSION_IN_SECONDS || suffix == EXPRESSION_IN_TICKS;
    *wrong = *value == '-' ? "is negative" : other_unit ? expression_wrong(suffix) : "is not a time";
    *expected = other_unit ? expression_expected(suffix) : time_expected;
    return false;
}

/* An attribute of the graph; left alone where it is not given. */
static int read_of_graph(const metasystem_reader *r, const char *attribute, bool per_byte, double *time)
{
    const char *value = dot_graph_value(&r->graph, attribute), *wrong, *expected;
    if (value == NULL || metasystem_read_time(r, value, per_byte, time, &wrong, &expected)) {
        return INLAY_OK;
    }
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name,
                        dot_line_of_attribute(&r->graph, DOT_GRAPHS, attribute), "%s '%s' %s; expected %s", attribute,
                        value, wrong, expected);
}

/* ---- The graph ---- */

static int check_kind(const metasystem_reader *r)
{
    const dot_graph *graph = &r->graph;
    int status = dot_check_is_spmd(graph, "metasystem", "program", r->diag);
    if (status == INLAY_OK && graph->directed) {
        status = diag_fail_at(r->diag, INLAY_BAD_INPUT, graph->source, graph->is.line,
                              "the graph is directed; expected graph with '--' for a metasystem, whose ways cost the "
                              "same in both directions");
    }
    return status;
}

static int check_graph(metasystem_reader *r)
{
    static const char *const *const own[DOT_KINDS] = {
        [DOT_GRAPHS] = graph_attributes, [DOT_NODES] = node_attributes, [DOT_EDGES] = edge_attributes};
    const dot_graph *graph = &r->graph;
    int status = check_kind(r);
    if (status == INLAY_OK) {
        status = dot_check_all_attributes(graph, own, r->diag);
    }
    if (status == INLAY_OK && graph->nodes == 0) {
        status = diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name, graph->is.line,
                              "no clusters; expected at least one node");
    }
    return status == INLAY_OK ? dot_read_unit(graph, &r->unit, r->diag) : status;
}

static int read_graph(metasystem_reader *r)
{
    inlay_metasystem *m = &r->made->metasystem;
    char *name = dot_given_name(&r->graph);
    m->name = name == NULL ? NULL : name_store_keep(&r->made->names, name);
    free(name);
    if (m->name == NULL) {
        return diag_no_memory(r->diag);
    }
    m->time_unit = r->unit;
    const char *currency = dot_graph_value(&r->graph, "currency");
    if (currency != NULL && !(m->currency = name_store_keep(&r->made->names, currency))) {
        return diag_no_memory(r->diag);
    }
    int status = read_of_graph(r, "router_latency", false, &m->router_latency);
    if (status == INLAY_OK) {
        status = read_of_graph(r, "router_per_byte", true, &m->router_per_byte);
    }
    return status == INLAY_OK ? read_of_graph(r, "coercion", true, &m->coercion) : status;
}

/* ---- Clusters ---- */

static int make_room(metasystem_reader *r)
{
    const dot_graph *graph = &r->graph;
    size_t nodes = (size_t)graph->nodes, edges = (size_t)graph->edges;
    dot_find_symbols(graph, DOT_NODES, node_attributes, r->attribute);
    metasystem_file *made = r->made;
    made->cluster = memory_zeroed(nodes, sizeof *made->cluster);
    made->route = memory_array(edges, sizeof *made->route);
    bool good = made->cluster != NULL && made->route != NULL;
    return good ? INLAY_OK : diag_no_memory(r->diag);
}

/* Nodes in the order in which they first appear. */
static int read_clusters(metasystem_reader *r)
{
    metasystem_file *made = r->made;
    int status = INLAY_OK;
    for (int32_t i = 0; i < r->graph.nodes && status == INLAY_OK; i++) {
        const dot_node *node = &r->graph.node[i];
        inlay_metasystem_cluster *cluster = &made->cluster[made->metasystem.clusters++];
        cluster->name = name_store_keep(&made->names, node->name);
        if (cluster->name == NULL || !name_map_put(&r->number, cluster->name, i)) {
            return diag_no_memory(r->diag);
        }
        status = metasystem_read_cluster(r, node, cluster);
    }
    made->metasystem.cluster = made->cluster;
    return status;
}

/* ---- Ways ---- */

typedef struct way {
    const dot_edge *edge;
    uint64_t clusters; /* both, the smaller one in front */
} way;

static int refuse_edge(const metasystem_reader *r, const dot_edge *edge, const char *attribute, const char *value,
                       const char *wrong, const char *expected)
{
    const char *from = dot_tail(&r->graph, edge)->name, *to = dot_head(&r->graph, edge)->name;
    const dot_symbol *symbol = attribute == NULL ? NULL : dot_find_symbol(&r->graph, DOT_EDGES, attribute);
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name, dot_line(&edge->is, symbol),
                        "%s%s%s%sthe way '%s' -- '%s' %s; "
                        "expected %s",
                        attribute == NULL ? "" : attribute, value == NULL ? "" : " '", value == NULL ? "" : value,
                        value == NULL ? "" : "' of ", from, to, wrong, expected);
}

static int read_way(const metasystem_reader *r, const dot_edge *edge, inlay_metasystem_route *route)
{
    double *const cost[EDGE_ATTRIBUTES] = {&route->latency, &route->per_byte, &route->coercion};
    *route = (inlay_metasystem_route){.from = edge->tail, .to = edge->head};
    if (route->from == route->to) {
        return refuse_edge(r, edge, NULL, NULL, "leads from a cluster to itself", "two different clusters");
    }
    bool given = false;
    for (int i = 0; i < EDGE_ATTRIBUTES; i++) {
        const char *wrong, *expected;
        const char *value = dot_value(&edge->is, dot_find_symbol(&r->graph, DOT_EDGES, edge_attributes[i]));
        if (value != NULL && !metasystem_read_time(r, value, i != LATENCY, cost[i], &wrong, &expected)) {
            return refuse_edge(r, edge, edge_attributes[i], value, wrong, expected);
        }
        given |= value != NULL;
    }
    return given
               ? INLAY_OK
               : refuse_edge(r, edge, NULL, NULL, "says no cost", "latency, per_byte or coercion, 0 where it is free");
}

static uint64_t clusters_of(const inlay_metasystem_route *route)
{
    bool in_order = route->from < route->to;
    return (uint64_t)(in_order ? route->from : route->to) << 32 | (uint64_t)(in_order ? route->to : route->from);
}

static int compare_ways(const void *a, const void *b)
{
    const way *x = a, *y = b;
    return x->clusters != y->clusters ? (x->clusters > y->clusters) - (x->clusters < y->clusters)
                                      : (x->edge > y->edge) - (x->edge < y->edge);
}

/* No two edges between the same clusters. */
static int check_ways(const metasystem_reader *r, way *ways, size_t count)
{
    qsort(ways, count, sizeof *ways, compare_ways);
    for (size_t i = 1; i < count; i++) {
        if (ways[i].clusters == ways[i - 1].clusters) {
            return refuse_edge(r, ways[i].edge, NULL, NULL, "is given twice", "one edge between two clusters");
        }
    }
    return INLAY_OK;
}

static int read_ways(metasystem_reader *r)
{
    const dot_graph *graph = &r->graph;
    inlay_metasystem *m = &r->made->metasystem;
    way *ways = memory_array((size_t)graph->edges, sizeof *ways);
    int status = ways == NULL ? diag_no_memory(r->diag) : INLAY_OK;
    for (int32_t i = 0; i < graph->edges && status == INLAY_OK; i++) {
        const dot_edge *edge = &graph->edge[graph->out[i]];
        inlay_metasystem_route *route = &r->made->route[m->routes];
        status = read_way(r, edge, route);
        ways[m->routes++] = (way){edge, clusters_of(route)};
    }
    if (status == INLAY_OK) {
        status = check_ways(r, ways, m->routes);
    }
    m->route = r->made->route;
    free(ways);
    return status;
}

/* ---- All of it ---- */

void inlay_metasystem_free(inlay_metasystem *metasystem)
{
    metasystem_file *file = (metasystem_file *)metasystem;
    if (file == NULL) {
        return;
    }
    for (size_t i = 0; file->cluster != NULL && i < file->metasystem.clusters; i++) {
        free((bool *)file->cluster[i].usable);
    }
    free(file->cluster);
    free(file->network);
    free(file->route);
    name_store_free(file->names);
    free(file);
}

static int read_all(metasystem_reader *r)
{
    int (*const steps[])(metasystem_reader *) = {
        check_graph, read_graph, make_room, read_clusters, metasystem_read_networks, read_ways};
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == INLAY_OK; i++) {
        status = steps[i](r);
    }
    return status;
}

int dot_metasystem_from(const char *data, size_t size, const char *source, inlay_metasystem **metasystem,
                        inlay_diag *diag)
{
    metasystem_reader r = {
        .source = {.data = data, .size = size, .name = source}, .diag = diag, .made = memory_zeroed(1, sizeof *r.made)};
    if (r.made == NULL) {
        return diag_no_memory(diag);
    }
    int status = dot_graph_read(&r.source, &r.graph, diag);
    if (status == INLAY_OK) {
        status = read_all(&r);
    }
    if (status == INLAY_OK) {
        *metasystem = &r.made->metasystem;
        r.made = NULL;
    }
    inlay_metasystem_free((inlay_metasystem *)r.made);
    dot_graph_close(&r.graph);
    name_map_clear(&r.number);
    return status;
}
