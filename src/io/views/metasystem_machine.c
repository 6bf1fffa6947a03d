/* A metasystem as a machine: a host for each processor that may be used, a link in each cluster, one between any two. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sorted.h"
#include "io/dot/metasystem.h"
#include "io/machine_formats.h"
#include "io/simgrid/simgrid.h"
#include "machine/machine.h"
#include <inlay/views.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HOSTS = 1 << 20, MOST_CLUSTERS = 1 << 12, NAME_ROOM = INLAY_MACHINE_NAME };

/* ---- Routes ---- */

/* Hosts stand cluster by cluster; links are those of the clusters, then those between two, by the first and the second. */
typedef struct clusters {
    inlay_id count;
    inlay_id first[]; /* host of each, and behind the last one */
} clusters;

static inlay_id cluster_of(const clusters *c, inlay_id host)
{
    return (inlay_id)sorted_at(c->first, 1, c->count, host + 1) - 1;
}

static inlay_id link_between(const clusters *c, inlay_id a, inlay_id b)
{
    inlay_id low = a < b ? a : b, high = a < b ? b : a;
    return c->count + low * (c->count - 1) - low * (low - 1) / 2 + (high - low - 1);
}

static bool is_free(const topology_link *link)
{
    return !(link->latency > 0) && !(link->capacity < SIMGRID_BOUNDLESS);
}

/* The sender's medium, then what lies between. */
static bool find_route(const topology *t, inlay_id from, inlay_id to, route_list *route)
{
    const clusters *c = t->own;
    inlay_id a = cluster_of(c, from), b = cluster_of(c, to);
    bool leaves = a != b && !is_free(&t->link[link_between(c, a, b)]);
    return route_add(route, a) && (!leaves || route_add(route, link_between(c, a, b)));
}

/* ---- What is made ---- */

typedef struct making {
    const inlay_metasystem *of;
    const char *source;
    inlay_diag *diag;
    double second; /* the unit of time; 1 tick */
    bool ticks;
    const inlay_metasystem_cluster *fastest;
    topology *t;
    machine_host *host;
} making;

static topology_link link_of(const making *m, double latency, double per_byte)
{
    return (topology_link){.latency = latency * m->second,
                           .capacity = per_byte > 0 ? 1 / (per_byte * m->second) : SIMGRID_BOUNDLESS,
                           .from = -1,
                           .to = -1,
                           .shared = true};
}

/* What a message takes in a cluster: half of the first function that is given, for two processors. */
static bool find_message(const making *m, const inlay_metasystem_cluster *cluster, topology_link *link)
{
    static const inlay_pattern order[] = {INLAY_PATTERN_RING, INLAY_PATTERN_TREE, INLAY_PATTERN_LINE};
    size_t i = 0;
    while (i < INLAY_PATTERNS && !cluster->communication[order[i]].given) {
        i++;
    }
    if (i == INLAY_PATTERNS) {
        *link = link_of(m, 0, 0);
        return false;
    }
    const inlay_communication *of = &cluster->communication[order[i]];
    double f = of->growth == INLAY_GROWTH_LINEAR ? 2 : 1;
    *link = link_of(m, fmax(0, (of->c1 + of->c2 * f) / 2), (of->c3 + of->c4 * f) / 2);
    link->parallel = cluster->interconnect != INLAY_INTERCONNECT_BUS;
    return true;
}

static bool keep_name(char **names, inlay_id *count, const char *name)
{
    names[*count] = memory_string(name);
    return names[(*count)++] != NULL;
}

static bool add_links(making *m)
{
    topology *t = m->t;
    inlay_id count = (inlay_id)m->of->clusters;
    const char *silent = NULL;
    char name[2 * NAME_ROOM];
    bool told = false;
    for (inlay_id a = 0; a < count; a++) {
        const inlay_metasystem_cluster *cluster = &m->of->cluster[a];
        bool known = find_message(m, cluster, &t->link[t->links]);
        silent = silent == NULL && !known && cluster->available > 1 ? cluster->name : silent;
        told = told || known;
        if (!keep_name(t->link_name, &t->links, cluster->name)) {
            return false;
        }
    }
    for (inlay_id a = 0; a < count; a++) {
        for (inlay_id b = a + 1; b < count; b++) {
            inlay_metasystem_route way = inlay_metasystem_way(m->of, a, b);
            t->link[t->links] = link_of(m, way.latency, way.per_byte + way.coercion);
            (void)snprintf(name, sizeof name, "%.100s--%.100s", m->of->cluster[a].name, m->of->cluster[b].name);
            if (!keep_name(t->link_name, &t->links, name)) {
                return false;
            }
        }
    }
    t->has_capacity = silent == NULL;
    if (silent != NULL) {
        diag_warn(
            m->diag,
            "%s: cluster '%s' has no function ring, tree or 1-D, from which the time of a message would follow: no "
            "link counts as having a capacity",
            m->source, silent);
    } else if (told) {
        diag_warn(m->diag,
                  "%s: a message in a cluster counts as half of what its first function of ring, tree and 1-D says for "
                  "two processors",
                  m->source);
    }
    return true;
}

/* ---- Hosts ---- */

/* All clusters have a rate, or none. */
static int find_fastest(making *m)
{
    const inlay_metasystem_cluster *without = NULL;
    bool differ = false;
    for (size_t i = 0; i < m->of->clusters; i++) {
        const inlay_metasystem_cluster *cluster = &m->of->cluster[i];
        without = cluster->rate > 0 ? without : cluster;
        m->fastest = cluster->rate > m->fastest->rate ? cluster : m->fastest;
        differ = differ || cluster->rate < m->fastest->rate || m->of->cluster[0].rate < cluster->rate;
    }
    if (without != NULL && m->fastest->rate > 0) {
        return diag_fail_at(
            m->diag, INLAY_BAD_INPUT, m->source, 0,
            "cluster '%s' has no rate and '%s' has one; expected instructions per time in every cluster", without->name,
            m->fastest->name);
    }
    if (without != NULL) {
        diag_warn(m->diag, "%s: no cluster has a rate: all processors count as equally fast", m->source);
    } else if (differ && m->ticks) { /* of others the speeds are known in operations a second */
        diag_warn(m->diag, "%s: hosts differ in speed: the times of modules hold on the fastest, cluster '%s'",
                  m->source, m->fastest->name);
    }
    return INLAY_OK;
}

static bool add_hosts(making *m, const inlay_metasystem_cluster *cluster)
{
    topology *t = m->t;
    char name[NAME_ROOM];
    for (int32_t i = 0; i < cluster->total; i++) {
        if (cluster->usable != NULL ? !cluster->usable[i] : i >= cluster->available) {
            continue;
        }
        m->host[t->hosts++] = (machine_host){.cores = 1,
                                             .speed = cluster->rate > 0 ? cluster->rate / m->fastest->rate : 1,
                                             .flops = m->ticks ? 0 : cluster->rate / m->second,
                                             .memory = -1,
                                             .type = (char *)(cluster->type != NULL ? cluster->type : cluster->name)};
        (void)snprintf(name, sizeof name, cluster->total > 1 ? "%.100s%d" : "%.100s", cluster->name, (int)i);
        if (!keep_name(t->node_name, &t->nodes, name)) {
            return false;
        }
    }
    return true;
}

static bool add_all(making *m)
{
    clusters *c = m->t->own;
    for (inlay_id a = 0; a < c->count; a++) {
        c->first[a] = m->t->hosts;
        if (!add_hosts(m, &m->of->cluster[a])) {
            return false;
        }
    }
    c->first[c->count] = m->t->hosts;
    return add_links(m);
}

/* ---- The machine ---- */

static int check_size(const making *m, int64_t *hosts)
{
    *hosts = 0;
    for (size_t i = 0; i < m->of->clusters; i++) {
        *hosts += m->of->cluster[i].available;
    }
    if (*hosts < 1 || *hosts > MOST_HOSTS) {
        return diag_fail_at(m->diag, INLAY_BAD_INPUT, m->source, 0,
                            "%lld processors may be used; expected 1 to %d in a machine", (long long)*hosts,
                            MOST_HOSTS);
    }
    return m->of->clusters <= MOST_CLUSTERS
               ? INLAY_OK
               : diag_fail_at(m->diag, INLAY_BAD_INPUT, m->source, 0, "%zu clusters; expected at most %d in a machine",
                              m->of->clusters, MOST_CLUSTERS);
}

static bool make_room(making *m, size_t hosts)
{
    size_t count = m->of->clusters, links = count + count * (count - 1) / 2;
    topology *t = m->t = memory_zeroed(1, sizeof *t);
    clusters *c = memory_zeroed(1, sizeof *c + (count + 1) * sizeof *c->first);
    m->host = memory_zeroed(hosts, sizeof *m->host);
    if (t == NULL || c == NULL) {
        free(c);
        return false;
    }
    c->count = (inlay_id)count;
    t->own = c;
    t->free_own = free;
    t->route = find_route;
    t->unit = m->ticks ? INLAY_UNIT_TICK : INLAY_UNIT_S;
    t->in_bytes = true;
    t->node_name = memory_zeroed(hosts, sizeof *t->node_name);
    t->link_name = memory_zeroed(links, sizeof *t->link_name);
    t->link = memory_zeroed(links, sizeof *t->link);
    return m->host != NULL && t->node_name != NULL && t->link_name != NULL && t->link != NULL;
}

static bool is_given(const machine_parts *parts, const char *name)
{
    size_t i = 0;
    while (i < parts->count && strcmp(parts->attributes[i].name, name) != 0) {
        i++;
    }
    return i < parts->count;
}

/* The machine with the time of an operation on its fastest processors, where nobody gives another. */
static int assemble(making *m, machine_parts *parts, inlay_machine **machine)
{
    char each[2 * DECIMAL_TEXT];
    inlay_attribute *all = memory_array(parts->count + 1, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(m->diag);
    }
    if (parts->count > 0) {
        memcpy(all, parts->attributes, parts->count * sizeof *all);
    }
    plain_print(each, sizeof each, "%.15g%s", m->fastest->rate > 0 ? 1 / m->fastest->rate : 0,
                m->ticks ? "tick" : inlay_unit_name(m->of->time_unit));
    if (m->fastest->rate > 0 && !is_given(parts, "arithmetic_time")) {
        all[parts->count++] = (inlay_attribute){"arithmetic_time", each, 0};
    }
    parts->attributes = all;
    parts->host = m->host;
    parts->reference = m->ticks ? 0 : m->fastest->rate / m->second;
    parts->topology = m->t;
    m->t = NULL;
    int status = machine_assemble(parts, machine, m->diag);
    free(all);
    return status;
}

static int make(const inlay_metasystem *metasystem, machine_parts *parts, inlay_machine **machine, inlay_diag *diag)
{
    double second = inlay_unit_seconds(metasystem->time_unit);
    making m = {.of = metasystem,
                .fastest = metasystem->cluster,
                .source = parts->source,
                .diag = diag,
                .second = second > 0 ? second : 1,
                .ticks = !(second > 0)};
    int64_t hosts;
    int status = check_size(&m, &hosts);
    status = status == INLAY_OK ? find_fastest(&m) : status;
    if (status == INLAY_OK && (!make_room(&m, (size_t)hosts) || !add_all(&m))) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        parts->name = metasystem->name;
        parts->format = "metasystem";
        status = assemble(&m, parts, machine);
    }
    topology_free(m.t);
    free(m.host);
    return status;
}

int metasystem_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                            size_t count, inlay_machine **machine, inlay_diag *diag)
{
    inlay_metasystem *metasystem = NULL;
    text_buffer document = {0};
    text_append(&document, data, size);
    machine_parts parts = {.source = source, .document = document.data, .attributes = attributes, .count = count};
    int status = document.failed ? diag_no_memory(diag) : dot_metasystem_from(data, size, source, &metasystem, diag);
    status = status == INLAY_OK ? make(metasystem, &parts, machine, diag) : status;
    inlay_metasystem_free(metasystem);
    text_clear(&document);
    return status;
}

int inlay_metasystem_machine(const inlay_metasystem *metasystem, const char *source, inlay_machine **machine,
                             inlay_diag *diag)
{
    DIAG_CALL(diag);
    text_buffer document = {0};
    int status = inlay_metasystem_check(metasystem, diag);
    status = status == INLAY_OK ? dot_metasystem_to(metasystem, &document, diag) : status;
    if (status == INLAY_OK) {
        machine_parts parts = {.source = source, .document = document.data};
        status = make(metasystem, &parts, machine, diag);
    }
    text_clear(&document);
    return status;
}
