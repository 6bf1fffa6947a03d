/* Machines and metasystems as what grids are decomposed for: speeds in operations per second, and a network. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/metasystem.h"
#include "io/grid/text.h"
#include "io/views/view.h"
#include "machine/machine.h"
#include <inlay/metasystem.h>
#include <inlay/views.h>
#include <math.h>
#include <stdlib.h>

static const double mega = 1e6;

/* Operations per second of a processor of speed 1: what is asked for, what the machine's file says, or else Mflop/s. */
static double rate_of(grid_list *list, const inlay_machine *machine)
{
    inlay_duration each;
    double flops = mega;
    if (list->mflops > 0) {
        flops = list->mflops * mega;
    } else if (inlay_machine_arithmetic_time(machine, &each) && inlay_unit_seconds(each.unit) > 0) {
        flops = 1 / (inlay_decimal_double(each.value) * inlay_unit_seconds(each.unit));
    } else {
        list->speed_assumed = !inlay_machine_flops(machine, &flops);
    }
    return flops;
}

static int add_processors(grid_list *list, const inlay_machine *machine)
{
    double rate = rate_of(list, machine);
    bool asked = list->mflops > 0 || inlay_machine_arithmetic_time(machine, NULL);
    bool own = !asked && machine_has_references(machine);
    bool named = inlay_machine_family(machine) == INLAY_GRAPH;
    int status = INLAY_OK;
    for (inlay_id i = 0; i < inlay_machine_processors(machine) && status == INLAY_OK; i++) {
        char room[INLAY_MACHINE_NAME];
        const char *name = named ? inlay_machine_node_name(machine, inlay_machine_host(machine, i), room) : NULL;
        double flops = own ? machine_flops_of(machine, i) : inlay_machine_processor(machine, i).speed * rate;
        status = grid_list_add(list, 0, flops, name);
    }
    return status;
}

/* Hosts by the first of their processors, which stand host by host, and their memory. */
static int add_hosts(grid_list *list, const inlay_machine *machine)
{
    inlay_id processors = inlay_machine_processors(machine);
    list->host = memory_array((size_t)processors, sizeof *list->host);
    list->memory = memory_array((size_t)processors, sizeof *list->memory);
    if (list->host == NULL || list->memory == NULL) {
        return diag_no_memory(list->diag);
    }
    for (inlay_id i = 0; i < processors; i++) {
        bool same = i > 0 && inlay_machine_host(machine, i) == inlay_machine_host(machine, i - 1);
        list->host[i] = same ? list->host[i - 1] : i;
        list->memory[i] = inlay_machine_processor(machine, i).memory;
    }
    return INLAY_OK;
}

/* ---- Networks ---- */

/* A bus of bytes; false where the machine does not say. */
static bool bus_network(const inlay_machine *machine, inlay_grid_network *network)
{
    inlay_rate rate;
    if (inlay_machine_buses(machine) < 1 || !inlay_machine_capacity(machine, &rate) || rate.kind != INLAY_RATE_BYTES ||
        inlay_unit_seconds(rate.per) <= 0) {
        return false;
    }
    network->per_byte = inlay_machine_transfers(machine) * inlay_unit_seconds(rate.per) / rate.value;
    network->networks = inlay_machine_buses(machine);
    network->wiring = network->networks > 1 ? INLAY_GRID_SEVERAL : INLAY_GRID_SINGLE;
    return true;
}

enum { HOSTS = 256 }; /* of more, so many are looked at */

typedef struct survey {
    const inlay_machine *machine;
    price_meter meter;
    inlay_id hosts;                 /* that are looked at */
    inlay_id first[HOSTS];          /* processor of each */
    int64_t cores[HOSTS];           /* and how many there are */
    price (*between)[HOSTS], usual; /* of two hosts, of all */
    inlay_grid_routes routes;
} survey;

static void count_pairs(survey *s, price of, int64_t pairs)
{
    inlay_grid_routes *r = &s->routes;
    r->other += price_same(of, s->usual) ? 0 : pairs;
    r->least_latency = r->pairs > 0 ? fmin(r->least_latency, of.latency) : of.latency;
    r->least_per_byte = r->pairs > 0 ? fmin(r->least_per_byte, of.per_byte) : of.per_byte;
    r->most_latency = fmax(r->most_latency, of.latency);
    r->most_per_byte = fmax(r->most_per_byte, of.per_byte);
    r->pairs += pairs;
}

/* What all pairs of hosts have in common, or else the mean over them; then how many pairs of processors it holds for. */
static void settle(survey *s)
{
    price sum = {0};
    double pairs = 0;
    bool alike = true;
    s->usual = s->between[0][1];
    for (inlay_id a = 0; a < s->hosts; a++) {
        for (inlay_id b = 0; b < s->hosts; b++) {
            double weight = a != b ? (double)s->cores[a] * (double)s->cores[b] : 0;
            price of = s->between[a][b];
            sum.latency += weight * of.latency;
            sum.per_byte += weight * of.per_byte;
            pairs += weight;
            alike = alike && (a == b || price_same(of, s->usual));
        }
    }
    if (!alike) {
        s->usual = (price){sum.latency / pairs, sum.per_byte / pairs};
    }
    for (inlay_id a = 0; a < s->hosts; a++) {
        for (inlay_id b = 0; b < s->hosts; b++) {
            int64_t count = s->cores[a] * (a == b ? s->cores[a] - 1 : s->cores[b]);
            if (count > 0) { /* cores of one host need no route */
                count_pairs(s, s->between[a][b], count);
            }
        }
    }
}

/* All hosts, or HOSTS of them at even steps. Processors stand host by host. */
static void list_hosts(survey *s)
{
    inlay_id processors = inlay_machine_processors(s->machine), hosts = inlay_machine_hosts(s->machine);
    inlay_id last = -1, seen = 0;
    for (inlay_id p = 0; p < processors; p++) {
        inlay_id host = inlay_machine_host(s->machine, p);
        if (host != last && (int64_t)seen * HOSTS >= (int64_t)s->hosts * hosts) {
            s->first[s->hosts] = p;
            s->cores[s->hosts++] = 0;
        }
        seen += host != last;
        last = host;
        s->cores[s->hosts - 1] += inlay_machine_host(s->machine, s->first[s->hosts - 1]) == host;
    }
}

static int refuse_pair(const grid_list *list, const survey *s, inlay_id a, inlay_id b)
{
    char from[INLAY_MACHINE_NAME], to[INLAY_MACHINE_NAME];
    return diag_fail_at(list->diag, INLAY_BAD_INPUT, list->source, 0,
                        "there is no route from '%s' to '%s'; expected one between any two hosts",
                        inlay_machine_node_name(s->machine, inlay_machine_host(s->machine, s->first[a]), from),
                        inlay_machine_node_name(s->machine, inlay_machine_host(s->machine, s->first[b]), to));
}

static int look_at_routes(const grid_list *list, survey *s)
{
    int status = INLAY_OK;
    for (inlay_id a = 0; a < s->hosts && status == INLAY_OK; a++) {
        for (inlay_id b = 0; b < s->hosts && status == INLAY_OK; b++) {
            status = a != b ? price_find(&s->meter, s->first[a], s->first[b], &s->between[a][b]) : INLAY_OK;
            if (status == INLAY_BAD_INPUT) {
                return refuse_pair(list, s, a, b);
            }
        }
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(list->diag);
}

/* Each pair's own, where not all are the same. */
static int take_ways(grid_list *list, const inlay_machine *machine)
{
    inlay_duration latency = inlay_machine_latency(machine);
    double each = inlay_decimal_double(latency.value) * inlay_unit_seconds(latency.unit);
    int status = grid_ways_make(machine, each, &list->ways, list->diag);
    if (list->ways != NULL) {
        list->network.wiring = INLAY_GRID_ROUTES;
        list->network.ways = list->ways;
    }
    return status;
}

/* Of a machine of several hosts whose links carry bytes. */
static int take_links(grid_list *list, const inlay_machine *machine)
{
    if (!inlay_machine_has_links(machine) || !inlay_machine_links_in_bytes(machine) ||
        !inlay_machine_links_known(machine) || inlay_machine_link_unit(machine) != INLAY_UNIT_S) {
        return INLAY_OK;
    }
    survey s = {.machine = machine, .meter = {.machine = machine}};
    list_hosts(&s);
    s.between = memory_zeroed(HOSTS, sizeof *s.between);
    int status = s.between == NULL ? diag_no_memory(list->diag) : look_at_routes(list, &s);
    if (status == INLAY_OK && s.hosts > 1) {
        settle(&s);
        list->network =
            (inlay_grid_network){.latency = s.usual.latency,
                                 .per_byte = s.usual.per_byte,
                                 .wiring = machine_is_shared_medium(machine) ? INLAY_GRID_SINGLE : INLAY_GRID_SWITCH};
        list->mean = list->network.wiring;
        list->networked = true;
        list->routes = s.routes;
        status = s.routes.other > 0 ? take_ways(list, machine) : INLAY_OK;
    }
    free(s.between);
    price_meter_clear(&s.meter);
    return status;
}

/* Measured times of messages have the frames in them. */
static int take_network(grid_list *list, const inlay_machine *machine)
{
    inlay_duration latency = inlay_machine_latency(machine);
    int status = INLAY_OK;
    view_warn(machine, list->diag);
    list->networked = bus_network(machine, &list->network);
    if (!list->networked) {
        status = take_links(list, machine);
    }
    double each = inlay_decimal_double(latency.value) * inlay_unit_seconds(latency.unit);
    if (list->networked) {
        list->network.latency += each;
        list->routes.least_latency += each;
        list->routes.most_latency += each;
    }
    return status;
}

/* ---- Machines ---- */

int grid_list_add_machine(grid_list *list, const inlay_machine *machine)
{
    int status = add_processors(list, machine);
    status = status == INLAY_OK ? add_hosts(list, machine) : status;
    return status == INLAY_OK ? take_network(list, machine) : status;
}

/* ---- Metasystems ---- */

/* The processors that may be used; `rate` is instructions per time. */
static int add_cluster(grid_list *list, const inlay_metasystem *metasystem, const inlay_metasystem_cluster *cluster)
{
    double second = inlay_unit_seconds(metasystem->time_unit);
    if (second <= 0) {
        return diag_fail_at(list->diag, INLAY_BAD_INPUT, list->source, 0,
                            "cluster %s counts ticks; expected a unit of time", cluster->name);
    }
    if (cluster->rate <= 0) {
        return diag_fail_at(list->diag, INLAY_BAD_INPUT, list->source, 0,
                            "cluster %s has no rate; expected instructions per time", cluster->name);
    }
    int status = INLAY_OK;
    for (int32_t i = 0; i < cluster->total && status == INLAY_OK; i++) {
        bool usable = cluster->usable != NULL ? cluster->usable[i] : i < cluster->available;
        if (usable) {
            status = grid_list_add(list, 0, cluster->rate / second, cluster->name);
        }
    }
    return status;
}

int grid_list_add_metasystem_text(grid_list *list, const char *data, size_t size)
{
    inlay_metasystem *metasystem = NULL;
    int status = dot_metasystem_from(data, size, list->source, &metasystem, list->diag);
    for (size_t i = 0; status == INLAY_OK && i < metasystem->clusters; i++) {
        status = add_cluster(list, metasystem, &metasystem->cluster[i]);
    }
    inlay_machine *machine = NULL;
    status = status == INLAY_OK ? inlay_metasystem_machine(metasystem, list->source, &machine, list->diag) : status;
    status = status == INLAY_OK ? take_network(list, machine) : status;
    inlay_machine_free(machine);
    inlay_metasystem_free(metasystem);
    return status;
}
