/*
 * Reading a metasystem from DOT: networks, which are subgraphs.
 *
 * This goes over the text itself: of subgraphs the graph keeps nothing.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/metasystem.h"
#include "io/dot/scan.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTHS = 512 /* more than dot_walk() admits */, NOT_MET = -2 };

static const char prefix[] = "cluster";

typedef struct network_reader {
    metasystem_reader *r;
    int32_t around[DEPTHS]; /* by depth: the network whose statements these are, -1 none */
    bool opened[DEPTHS];    /* whether the subgraph at this depth is a network itself */
    int32_t *of;            /* by cluster: its network so far, -1 none, NOT_MET */
    name_map by_subgraph;   /* networks by the names of their subgraphs */
    long *line;             /* by network: where it first stands */
    size_t line_capacity;
    int status;
} network_reader;

static bool stop(network_reader *n, int status)
{
    n->status = status;
    return false;
}

/* ---- Subgraphs ---- */

static const char *keep(network_reader *n, const char *text)
{
    return name_store_keep(&n->r->made->names, text);
}

/* "cluster_west" is west, "cluster" itself. */
static const char *name_behind(const char *subgraph)
{
    const char *name = subgraph + strlen(prefix);
    name += *name == '_';
    return *name == '\0' ? subgraph : name;
}

/* @param subgraph  kept already */
static bool add_network(network_reader *n, const char *subgraph, int32_t parent, long line)
{
    metasystem_file *made = n->r->made;
    size_t count = made->metasystem.networks;
    if (!memory_grow((void **)&made->network, &made->network_capacity, count + 1, sizeof *made->network) ||
        !memory_grow((void **)&n->line, &n->line_capacity, count + 1, sizeof *n->line) ||
        (subgraph != NULL && !name_map_put(&n->by_subgraph, subgraph, (int32_t)count))) {
        return stop(n, diag_no_memory(n->r->diag));
    }
    made->network[count] = (inlay_metasystem_network){.parent = parent};
    n->line[count] = line;
    made->metasystem.networks++;
    made->metasystem.network = made->network;
    return true;
}

static bool open_subgraph(network_reader *n, const dot_event *event)
{
    int32_t parent = n->around[event->depth - 1];
    n->around[event->depth] = parent;
    n->opened[event->depth] = event->name != NULL && strncmp(event->name, prefix, strlen(prefix)) == 0;
    if (!n->opened[event->depth]) {
        return true;
    }
    int32_t known = name_map_get(&n->by_subgraph, event->name);
    if (known >= 0) { /* more of a subgraph that was there before */
        n->around[event->depth] = known;
        return n->r->made->network[known].parent == parent ||
               stop(n, diag_fail_at(n->r->diag, INLAY_BAD_INPUT, n->r->source.name, event->line,
                                    "the network '%s' lies in two networks (it is also on line %ld); expected one "
                                    "place, or another name",
                                    event->name, n->line[known]));
    }
    const char *subgraph = keep(n, event->name);
    if (subgraph == NULL) {
        return stop(n, diag_no_memory(n->r->diag));
    }
    n->around[event->depth] = (int32_t)n->r->made->metasystem.networks;
    if (!add_network(n, subgraph, parent, event->line)) {
        return false;
    }
    n->r->made->network[n->around[event->depth]].name = name_behind(subgraph);
    return true;
}

/* ---- Clusters in them ---- */

/* Whether `outer` is `inner` or lies around it; -1 lies around all. */
static bool holds(const network_reader *n, int32_t outer, int32_t inner)
{
    while (inner > outer) { /* what is around a network has a smaller number */
        inner = n->r->made->network[inner].parent;
    }
    return inner == outer;
}

static bool meet_node(network_reader *n, const dot_event *event)
{
    int32_t *of = &n->of[name_map_get(&n->r->number, event->name)];
    int32_t here = n->around[event->depth];
    if (*of == NOT_MET || holds(n, *of, here)) {
        *of = here;
        return true;
    }
    const inlay_metasystem_network *network = n->r->made->network;
    return holds(n, here, *of) || stop(n, diag_fail_at(n->r->diag, INLAY_BAD_INPUT, n->r->source.name, event->line,
                                                       "cluster '%s' lies in the networks '%s' and '%s'; expected one",
                                                       event->name, network[*of].name, network[here].name));
}

/* ---- Their attributes ---- */

static bool refuse(network_reader *n, const dot_event *event, const char *wrong, const char *expected)
{
    return stop(n, diag_fail_at(n->r->diag, INLAY_BAD_INPUT, n->r->source.name, event->line,
                                "%s '%s' of a subgraph %s; expected %s", event->name, event->value, wrong, expected));
}

static bool meet_attribute(network_reader *n, const dot_event *event)
{
    static const char *const of_all[] = {"kind", "name", "time_unit", "coercion"};
    bool latency = strcmp(event->name, "router_latency") == 0;
    bool per_byte = strcmp(event->name, "router_per_byte") == 0;
    if (event->owner != DOT_OF_GRAPH || event->depth == 1 || *event->value == '\0') {
        return true;
    }
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++) {
        if (strcmp(event->name, of_all[i]) == 0) {
            return refuse(n, event, "belongs to the whole metasystem", "it in the graph itself");
        }
    }
    if (!n->opened[event->depth]) {
        return (!latency && !per_byte) || refuse(n, event, "that is no network", "a name that begins with cluster");
    }
    inlay_metasystem_network *network = &n->r->made->network[n->around[event->depth]];
    if (strcmp(event->name, "label") == 0) {
        network->name = keep(n, event->value);
        return network->name != NULL || stop(n, diag_no_memory(n->r->diag));
    }
    double *time = latency ? &network->router_latency : &network->router_per_byte;
    const char *wrong, *expected;
    return (!latency && !per_byte) || metasystem_read_time(n->r, event->value, per_byte, time, &wrong, &expected) ||
           refuse(n, event, wrong, expected);
}

static bool meet(void *context, const dot_event *event)
{
    network_reader *n = context;
    switch (event->kind) {
    case DOT_SUBGRAPH: return open_subgraph(n, event);
    case DOT_NODE: return meet_node(n, event);
    case DOT_ATTRIBUTE: return meet_attribute(n, event);
    case DOT_GRAPH:
    case DOT_STATEMENT:
    case DOT_STATEMENT_END:
    case DOT_SUBGRAPH_END:
    case DOT_ARROW: break;
    }
    return true;
}

/* ---- All of them ---- */

static bool check_names(network_reader *n)
{
    metasystem_reader *r = n->r;
    const inlay_metasystem *m = &r->made->metasystem;
    name_map names = {0};
    bool good = true;
    for (size_t i = 0; i < m->networks && good; i++) {
        const char *name = m->network[i].name;
        int32_t before = name_map_get(&names, name);
        if (before != -1) {
            good = stop(n, diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source.name, n->line[i],
                                        "two networks are called '%s' (the other on line %ld); expected different "
                                        "names of subgraphs, or labels",
                                        name, n->line[before]));
        } else if (!name_map_put(&names, name, (int32_t)i)) {
            good = stop(n, diag_no_memory(r->diag));
        }
    }
    name_map_clear(&names);
    return good;
}

/* Clusters get their networks, those that lie in none one of their own. */
static bool settle(network_reader *n)
{
    metasystem_file *made = n->r->made;
    for (size_t i = 0; i < made->metasystem.clusters; i++) {
        inlay_metasystem_cluster *cluster = &made->cluster[i];
        cluster->network = n->of[i];
        if (n->of[i] < 0) {
            long line = n->r->graph.node[i].is.line;
            cluster->network = (int32_t)made->metasystem.networks;
            if (!add_network(n, NULL, -1, line)) {
                return false;
            }
            made->network[cluster->network].name = cluster->name;
        }
    }
    return check_names(n);
}

int metasystem_read_networks(metasystem_reader *r)
{
    network_reader n = {.r = r, .around = {[0] = -1, [1] = -1}};
    size_t clusters = r->made->metasystem.clusters;
    n.of = memory_array(clusters, sizeof *n.of);
    if (n.of == NULL) {
        return diag_no_memory(r->diag);
    }
    for (size_t i = 0; i < clusters; i++) {
        n.of[i] = NOT_MET;
    }
    int walked = dot_walk(r->source.data, r->source.size, r->source.name, meet, &n, r->diag);
    n.status = n.status == INLAY_OK ? walked : n.status;
    if (n.status == INLAY_OK && r->made->metasystem.networks > 0) {
        settle(&n);
    }
    free(n.of);
    free(n.line);
    name_map_clear(&n.by_subgraph);
    return n.status;
}
