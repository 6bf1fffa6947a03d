/* A machine as a metasystem: its clusters are the groups of like hosts that are equally near to each other. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/metasystem.h"
#include "io/machine_argument.h"
#include "io/views/view.h"
#include "machine/machine.h"
#include <inlay/views.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HOSTS = 4096, MOST_CLUSTERS = 1024, SAMPLE = 1024 };

/* A host, and in which cluster it is; a family is one cluster. */
typedef struct host {
    inlay_id first, cores; /* processors */
    inlay_id cluster;      /* -1: none yet */
} host;

typedef struct grouping {
    const inlay_machine *machine;
    const char *source;
    inlay_diag *diag;
    metasystem_file *made;
    price_meter meter;
    host *host;
    inlay_id hosts;
    inlay_id *leader; /* of each cluster: its first host */
    price *inside;    /* of each: what a message takes between two of its hosts */
    bool ticks;       /* that times count */
    bool known;       /* what a byte takes */
    double bytes;     /* of what the machine counts: 1, or those of a message */
    bool medium;      /* all messages meet on one */
} grouping;

/* ---- What a message takes ---- */

/* In the unit of the metasystem; 0 where ticks and seconds do not compare. */
static double time_of(const grouping *g, inlay_duration time)
{
    double unit = time.unit == INLAY_UNIT_NONE || time.unit == INLAY_UNIT_TICK ? 1 : inlay_unit_seconds(time.unit);
    bool same = time.unit == INLAY_UNIT_NONE || g->ticks == (time.unit == INLAY_UNIT_TICK);
    return same ? inlay_decimal_double(time.value) * unit : 0;
}

static price complete(const grouping *g, price of)
{
    double transfers = inlay_machine_transfers(g->machine);
    return (price){of.latency + time_of(g, inlay_machine_latency(g->machine)),
                   g->known ? of.per_byte * transfers / g->bytes : 0};
}

/* Between processors of two hosts. */
static int find_between(grouping *g, inlay_id a, inlay_id b, price *of)
{
    int status = price_find(&g->meter, g->host[a].first, g->host[b].first, of);
    if (status == INLAY_BAD_INPUT) {
        char from[INLAY_MACHINE_NAME], to[INLAY_MACHINE_NAME];
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, 0,
                            "there is no route from '%s' to '%s'; expected one between any two hosts",
                            inlay_machine_node_name(g->machine, a, from), inlay_machine_node_name(g->machine, b, to));
    }
    *of = complete(g, *of);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(g->diag);
}

/* What the machine counts: units of time, and bytes or messages of a size. */
static void find_units(grouping *g)
{
    const inlay_machine *m = g->machine;
    bool links = inlay_machine_has_links(m);
    int64_t size = inlay_machine_message_size(m);
    inlay_rate rate = {0};
    inlay_duration each = {0};
    bool capacity = links ? inlay_machine_links_known(m) : inlay_machine_capacity(m, &rate);
    bool bytes = links ? inlay_machine_links_in_bytes(m) : rate.kind == INLAY_RATE_BYTES;
    inlay_unit unit = links ? inlay_machine_link_unit(m) : rate.per;
    if (!capacity) {
        unit = inlay_machine_arithmetic_time(m, &each) ? each.unit : inlay_machine_latency(m).unit;
        unit = unit == INLAY_UNIT_NONE ? INLAY_UNIT_S : unit; /* nothing is known */
    }
    g->ticks = unit == INLAY_UNIT_TICK || unit == INLAY_UNIT_NONE;
    g->known = capacity && (bytes || size > 0);
    g->bytes = bytes || size == 0 ? 1 : (double)size;
    g->medium = links ? machine_is_shared_medium(m) : true;
}

/* One medium with room for several messages counts as that much wider. */
static price bus_price(const grouping *g)
{
    inlay_rate rate = {0};
    price of = {0};
    if (inlay_machine_capacity(g->machine, &rate)) {
        double second = g->ticks ? 1 : inlay_unit_seconds(rate.per);
        of.per_byte = second / (rate.value * inlay_machine_buses(g->machine));
    }
    return complete(g, of);
}

/* ---- Clusters ---- */

static inlay_metasystem_cluster *add_cluster(grouping *g, inlay_id leader, price inside)
{
    char name[32];
    size_t number = g->made->metasystem.clusters;
    inlay_processor is = inlay_machine_processor(g->machine, g->host != NULL ? g->host[leader].first : 0);
    inlay_metasystem_cluster *c = &g->made->cluster[number];
    (void)snprintf(name, sizeof name, "c%zu", number);
    c->name = name_store_keep(&g->made->names, name);
    c->type = is.type == NULL ? NULL : name_store_keep(&g->made->names, is.type);
    if (c->name == NULL || (is.type != NULL && c->type == NULL)) {
        return NULL;
    }
    inlay_duration each;
    inlay_id first = g->host != NULL ? g->host[leader].first : 0;
    double time = inlay_machine_arithmetic_time(g->machine, &each) ? time_of(g, each) : 0;
    bool absolute = !g->ticks && inlay_machine_flops(g->machine, NULL);
    c->rate = time > 0 ? is.speed / time : absolute ? machine_flops_of(g->machine, first) : 0;
    (void)inlay_machine_price(g->machine, &c->price);
    (void)inlay_machine_power(g->machine, &c->power);
    c->interconnect = g->medium ? INLAY_INTERCONNECT_BUS : INLAY_INTERCONNECT_SWITCH;
    g->leader[number] = leader;
    g->inside[number] = inside;
    g->made->metasystem.clusters++;
    return c;
}

/* Where a family's processors are neighbours, tasks are placed on neighbours. */
static void find_interconnect(const inlay_machine *m, inlay_metasystem_cluster *c)
{
    const family_shape *shape = &m->shape;
    if (m->cores > 1) {
        return;
    }
    if (m->family == INLAY_RING) {
        c->interconnect = INLAY_INTERCONNECT_RING;
    } else if (m->family == INLAY_HYPERCUBE) {
        c->interconnect = INLAY_INTERCONNECT_HYPERCUBE;
    } else if (m->family == INLAY_MESH && shape->dimensions == 2) {
        c->interconnect = INLAY_INTERCONNECT_MESH;
        c->rows = shape->size[0];
        c->columns = shape->size[1];
    }
}

/* The price between neighbours, or the mean from the first host to others. */
static int find_inside(grouping *g, const inlay_metasystem_cluster *c)
{
    inlay_id processors = inlay_machine_processors(g->machine), cores = g->machine->cores, hosts = processors / cores;
    bool near = c->interconnect != INLAY_INTERCONNECT_SWITCH && c->interconnect != INLAY_INTERCONNECT_BUS;
    inlay_id others = near && hosts > 1 ? 1 : hosts - 1, looked = others < SAMPLE ? others : SAMPLE;
    price sum = {0};
    for (inlay_id i = 0; i < looked; i++) {
        price of;
        inlay_id to = 1 + (inlay_id)((int64_t)i * others / looked);
        int status = price_find(&g->meter, 0, to * cores, &of);
        if (status != INLAY_OK) {
            return diag_no_memory(g->diag);
        }
        sum = (price){sum.latency + of.latency / looked, sum.per_byte + of.per_byte / looked};
    }
    *g->inside = complete(g, sum);
    return INLAY_OK;
}

static int take_family(grouping *g)
{
    inlay_metasystem_cluster *c = add_cluster(g, 0, (price){0});
    if (c == NULL) {
        return diag_no_memory(g->diag);
    }
    c->total = c->available = inlay_machine_processors(g->machine);
    if (!inlay_machine_has_links(g->machine)) {
        *g->inside = bus_price(g);
        return INLAY_OK;
    }
    find_interconnect(g->machine, c);
    return find_inside(g, c);
}

static bool is_less(price a, price b)
{
    const double message = 1024; /* bytes */
    return a.latency + message * a.per_byte < b.latency + message * b.per_byte;
}

/* The first host without a cluster, and those like it that are nearest to it. */
static int take_group(grouping *g, inlay_id leader, price *to)
{
    inlay_processor is = inlay_machine_processor(g->machine, g->host[leader].first);
    price least = {INFINITY, 0};
    for (inlay_id h = leader + 1; h < g->hosts; h++) {
        inlay_processor other = inlay_machine_processor(g->machine, g->host[h].first);
        to[h] = (price){INFINITY, 0};
        if (g->host[h].cluster >= 0 || !processors_alike(&is, &other)) {
            continue;
        }
        int status = find_between(g, leader, h, &to[h]);
        if (status != INLAY_OK) {
            return status;
        }
        least = is_less(to[h], least) ? to[h] : least;
    }
    bool alone = isinf(least.latency) != 0;
    inlay_id number = (inlay_id)g->made->metasystem.clusters;
    if (alone) {
        least = (price){0};
    }
    inlay_metasystem_cluster *c = add_cluster(g, leader, least);
    if (c == NULL) {
        return diag_no_memory(g->diag);
    }
    for (inlay_id h = leader; h < g->hosts; h++) {
        if (h == leader || (!alone && price_same(to[h], least))) {
            g->host[h].cluster = number;
            c->total += g->host[h].cores;
        }
    }
    c->available = c->total;
    return INLAY_OK;
}

static int take_groups(grouping *g)
{
    price *to = memory_zeroed((size_t)g->hosts, sizeof *to);
    int status = to == NULL ? diag_no_memory(g->diag) : INLAY_OK;
    for (inlay_id h = 0; h < g->hosts && status == INLAY_OK; h++) {
        if (g->host[h].cluster >= 0) {
            continue;
        }
        status = g->made->metasystem.clusters == MOST_CLUSTERS
                     ? diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, 0,
                                    "its hosts are more than %d groups of like ones; expected at most so many",
                                    MOST_CLUSTERS)
                     : take_group(g, h, to);
    }
    free(to);
    return status;
}

/* ---- What follows from the prices ---- */

/* The table in inlay/views.h. A processor that is alone, or only with cores of its host, has nobody to wait for. */
static void set_communication(const grouping *g, size_t number)
{
    inlay_metasystem_cluster *c = &g->made->cluster[number];
    double l = g->inside[number].latency, t = g->inside[number].per_byte;
    bool free = g->host != NULL ? c->total == g->host[g->leader[number]].cores : c->total == 1;
    if (!g->known && !free) {
        return;
    }
    const inlay_communication line = {true, 2 * l, 0, 2 * t, 0, INLAY_GROWTH_CONSTANT};
    const inlay_communication two_ways = {true, -2 * l, 2 * l, -2 * t, 2 * t, INLAY_GROWTH_LINEAR};
    c->communication[INLAY_PATTERN_LINE] = g->medium ? two_ways : line;
    c->communication[INLAY_PATTERN_RING] = (inlay_communication){true, 0, l, 0, t, INLAY_GROWTH_LINEAR};
    c->communication[INLAY_PATTERN_TREE] =
        g->medium ? two_ways : (inlay_communication){true, 0, 2 * l, 0, 2 * t, INLAY_GROWTH_LOG2};
}

/* Clusters between which a message takes no longer than in one of them are in one network: nothing lies between. */
static int set_route(grouping *g, inlay_id a, inlay_id b)
{
    price of, back;
    int status = find_between(g, g->leader[a], g->leader[b], &of);
    status = status == INLAY_OK ? find_between(g, g->leader[b], g->leader[a], &back) : status;
    if (status != INLAY_OK) {
        return status;
    }
    const double rounding = 1 + 1e-12;
    of = (price){(of.latency + back.latency) / 2, (of.per_byte + back.per_byte) / 2};
    bool one = of.latency <= fmax(g->inside[a].latency, g->inside[b].latency) * rounding &&
               of.per_byte <= fmax(g->inside[a].per_byte, g->inside[b].per_byte) * rounding;
    g->made->route[g->made->metasystem.routes++] = (inlay_metasystem_route){
        .from = a, .to = b, .latency = one ? 0 : of.latency, .per_byte = one ? 0 : of.per_byte};
    return INLAY_OK;
}

static int set_routes(grouping *g)
{
    inlay_id count = (inlay_id)g->made->metasystem.clusters;
    int status = INLAY_OK;
    g->made->route = memory_array((size_t)count * ((size_t)count - 1) / 2, sizeof *g->made->route);
    if (g->made->route == NULL) {
        return diag_no_memory(g->diag);
    }
    for (inlay_id a = 0; a < count && status == INLAY_OK; a++) {
        set_communication(g, (size_t)a);
        for (inlay_id b = a + 1; b < count && status == INLAY_OK; b++) {
            status = set_route(g, a, b);
        }
    }
    return status;
}

static void tell(const grouping *g)
{
    const inlay_metasystem *m = &g->made->metasystem;
    bool rated = true, communicates = true;
    for (size_t i = 0; i < m->clusters; i++) {
        rated = rated && m->cluster[i].rate > 0;
        communicates = communicates && m->cluster[i].communication[INLAY_PATTERN_RING].given;
    }
    if (!rated) {
        diag_warn(g->diag,
                  "%s: no arithmetic_time (time of one operation) in %s: programs run there by their arch_cost alone",
                  g->source, g->ticks ? "ticks" : "seconds");
    }
    if (communicates) {
        diag_warn(g->diag, "%s: communication takes what latency and capacity of the network say", g->source);
    } else {
        diag_warn(
            g->diag,
            "%s: no capacity in bytes (or message_size beside one in messages): programs that communicate have no "
            "time there",
            g->source);
    }
}

/* ---- The metasystem ---- */

/* Processors stand host by host. */
static int list_hosts(grouping *g)
{
    g->hosts = inlay_machine_hosts(g->machine);
    if (g->hosts > MOST_HOSTS) {
        return diag_fail_at(g->diag, INLAY_BAD_INPUT, g->source, 0,
                            "%d hosts one by one; expected at most %d to be grouped", (int)g->hosts, MOST_HOSTS);
    }
    g->host = memory_zeroed((size_t)g->hosts, sizeof *g->host);
    if (g->host == NULL) {
        return diag_no_memory(g->diag);
    }
    for (inlay_id p = 0; p < inlay_machine_processors(g->machine); p++) {
        host *at = &g->host[inlay_machine_host(g->machine, p)];
        at->first = at->cores++ == 0 ? p : at->first;
        at->cluster = -1;
    }
    return INLAY_OK;
}

static int group(grouping *g)
{
    bool explicit = inlay_machine_family(g->machine) == INLAY_GRAPH;
    int status = explicit ? list_hosts(g) : INLAY_OK;
    size_t most = explicit ? MOST_CLUSTERS : 1;
    g->made->cluster = memory_zeroed(most, sizeof *g->made->cluster);
    g->leader = memory_zeroed(most, sizeof *g->leader);
    g->inside = memory_zeroed(most, sizeof *g->inside);
    g->made->metasystem.cluster = g->made->cluster;
    g->made->metasystem.name = name_store_keep(&g->made->names, inlay_machine_name(g->machine));
    const char *currency = inlay_machine_currency(g->machine);
    g->made->metasystem.currency = currency == NULL ? NULL : name_store_keep(&g->made->names, currency);
    if (status == INLAY_OK && currency != NULL && g->made->metasystem.currency == NULL) {
        status = diag_no_memory(g->diag);
    }
    if (status == INLAY_OK &&
        (g->made->cluster == NULL || g->leader == NULL || g->inside == NULL || g->made->metasystem.name == NULL)) {
        status = diag_no_memory(g->diag);
    }
    if (status == INLAY_OK) {
        find_units(g);
        g->made->metasystem.time_unit = g->ticks ? INLAY_UNIT_TICK : INLAY_UNIT_S;
        status = explicit ? take_groups(g) : take_family(g);
    }
    status = status == INLAY_OK ? set_routes(g) : status;
    g->made->metasystem.route = g->made->route;
    return status;
}

/* One that was read from a metasystem has its text. */
static int read_back(const inlay_machine *machine, inlay_metasystem **metasystem, inlay_diag *diag)
{
    const char *text = inlay_machine_document(machine);
    return dot_metasystem_from(text, strlen(text), inlay_machine_text(machine), metasystem, diag);
}

int inlay_machine_metasystem(const inlay_machine *machine, inlay_metasystem **metasystem, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const char *format = inlay_machine_format(machine);
    if (format != NULL && strcmp(format, machine_format_of(MACHINE_METASYSTEM)->name) == 0) {
        return read_back(machine, metasystem, diag);
    }
    grouping g = {.machine = machine,
                  .source = inlay_machine_text(machine),
                  .diag = diag,
                  .meter = {.machine = machine},
                  .made = memory_zeroed(1, sizeof *g.made)};
    int status = g.made == NULL ? diag_no_memory(diag) : group(&g);
    if (status == INLAY_OK) {
        tell(&g);
        view_warn(machine, diag);
        *metasystem = &g.made->metasystem;
        g.made = NULL;
    }
    inlay_metasystem_free((inlay_metasystem *)g.made);
    price_meter_clear(&g.meter);
    free(g.host);
    free(g.leader);
    free(g.inside);
    return status;
}

/* ---- Reading and writing ---- */

int inlay_metasystem_read(const char *text_or_path, inlay_metasystem **metasystem, inlay_diag *diag)
{
    DIAG_CALL(diag);
    machine_argument a;
    inlay_machine *machine = NULL;
    file_content content = {0};
    int status = machine_argument_open(text_or_path, MACHINE_METASYSTEM, &a, diag);
    if (status == INLAY_OK && a.format != NULL && a.format->kind == MACHINE_METASYSTEM) {
        status = machine_argument_refuse_attributes(&a, diag);
        status = status == INLAY_OK ? input_rest(a.in, &content, diag) : status;
        status =
            status == INLAY_OK ? dot_metasystem_from(content.data, content.size, a.source, metasystem, diag) : status;
    } else if (status == INLAY_OK) {
        status = machine_argument_read(&a, &machine, diag);
        status = status == INLAY_OK ? inlay_machine_metasystem(machine, metasystem, diag) : status;
    }
    file_content_clear(&content);
    inlay_machine_free(machine);
    machine_argument_close(&a);
    return status;
}

int metasystem_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag)
{
    inlay_metasystem *metasystem = NULL;
    (void)tick_seconds; /* a metasystem has ticks */
    int status = inlay_machine_metasystem(machine, &metasystem, diag);
    status = status == INLAY_OK ? dot_metasystem_to(metasystem, to, diag) : status;
    inlay_metasystem_free(metasystem);
    return status;
}
