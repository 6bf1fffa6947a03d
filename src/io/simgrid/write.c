/* Writing machines as SimGrid platform files, XML of version 4.1. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/machine_formats.h"
#include "io/simgrid/simgrid.h"
#include "io/simgrid/writer.h"
#include "io/xml.h"
#include "machine/zone.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_number(text_buffer *to, double x)
{
    char number[DOUBLE_TEXT];
    text_add(to, double_text(x, number));
}

/* ---- Names ---- */

static bool name_nodes(simgrid_picture *p, name_map *names)
{
    char wanted[INLAY_MACHINE_NAME];
    bool done = true;
    p->node_name = memory_zeroed((size_t)p->nodes, sizeof *p->node_name);
    for (inlay_id i = 0; done && p->node_name != NULL && i < p->nodes; i++) {
        const topology *t = p->topology;
        if (t == NULL) {
            snprintf(wanted, sizeof wanted, "p%d", i);
        }
        const char *given = t != NULL && t->node_name != NULL ? t->node_name[i] : NULL;
        given = given != NULL ? given : t == NULL ? wanted : inlay_machine_node_name(p->machine, i, wanted);
        p->node_name[i] = machine_new_name(names, given);
        done = p->node_name[i] != NULL;
    }
    return done && p->node_name != NULL;
}

/* The links of the topology, and one for what every message takes besides. */
static bool name_links(simgrid_picture *p)
{
    name_map names = {0};
    char wanted[INLAY_MACHINE_NAME] = "bus";
    bool done = true;
    p->link_name = memory_zeroed((size_t)p->links + 1, sizeof *p->link_name);
    for (inlay_id i = 0; done && p->link_name != NULL && i <= p->links; i++) {
        if (i == p->links) {
            snprintf(wanted, sizeof wanted, "message");
        } else if (p->topology != NULL) {
            inlay_machine_link_name(p->machine, i, wanted);
        }
        p->link_name[i] = machine_new_name(&names, wanted);
        done = p->link_name[i] != NULL;
    }
    name_map_clear(&names);
    return done && p->link_name != NULL;
}

static void free_picture(simgrid_picture *p)
{
    for (inlay_id i = 0; p->node_name != NULL && i < p->nodes; i++) {
        free(p->node_name[i]);
    }
    for (inlay_id i = 0; p->link_name != NULL && i <= p->links; i++) {
        free(p->link_name[i]);
    }
    free(p->node_name);
    free(p->link_name);
    free(p->first_processor);
}

/* ---- Units ---- */

/* Seconds of a unit, a tick's among them; 0 where it has no length. */
static double seconds_of(inlay_unit unit, double tick_seconds)
{
    return unit == INLAY_UNIT_TICK || unit == INLAY_UNIT_NONE ? tick_seconds : inlay_unit_seconds(unit);
}

static int fail_ticks(inlay_diag *diag)
{
    diag_remedy(diag, "--tick", "1us");
    return diag_fail(
        diag, INLAY_BAD_ARGUMENT,
        "the machine counts in ticks, a platform file in seconds; expected the length of a tick (--tick 1us)");
}

static int take_units(simgrid_picture *p, double tick_seconds)
{
    const inlay_machine *m = p->machine;
    const topology *t = p->topology;
    bool bytes = t != NULL ? t->in_bytes : m->capacity.kind == INLAY_RATE_BYTES;
    bool known = t != NULL ? t->has_capacity : m->has_capacity;
    double latency = inlay_decimal_double(m->latency.value);
    p->seconds = seconds_of(t != NULL ? t->unit : m->capacity.per, tick_seconds);
    p->message_latency = latency > 0 ? latency * seconds_of(m->latency.unit, tick_seconds) : 0;
    if ((known && !(p->seconds > 0)) || (latency > 0 && !(p->message_latency > 0)) ||
        (t != NULL && !(p->seconds > 0))) {
        return fail_ticks(p->diag);
    }
    if (known && !bytes && m->message_size == 0) {
        diag_remedy(p->diag, "message_size", "1KiB");
        return diag_fail(p->diag, INLAY_BAD_ARGUMENT,
                         "the machine counts messages, a platform file bytes; expected a machine with message_size");
    }
    p->capacity_scale = known ? (bytes ? 1 : (double)m->message_size) / p->seconds / m->transfers : 1;
    return INLAY_OK;
}

/* ---- Hosts ---- */

static bool number_processors(simgrid_picture *p)
{
    p->first_processor = memory_array((size_t)p->hosts + 1, sizeof *p->first_processor);
    if (p->first_processor == NULL) {
        return false;
    }
    inlay_id next = 0;
    for (inlay_id host = 0; host < p->hosts; host++) {
        p->first_processor[host] = next;
        while (next < p->machine->processors && inlay_machine_host(p->machine, next) == host) {
            next++;
        }
    }
    p->first_processor[p->hosts] = next;
    return true;
}

/* Speeds without a unit count as so many Gflop/s. */
static const char *speed_unit(const inlay_machine *machine)
{
    return machine->flops > 0 ? "f" : "Gf";
}

static double host_flops(const inlay_machine *machine, inlay_id host)
{
    return machine->unlike.host == NULL ? machine->alike.flops : machine->unlike.host[host].flops;
}

static void write_host(const simgrid_picture *p, inlay_id host)
{
    inlay_id first = p->first_processor[host];
    inlay_processor processor = inlay_machine_processor(p->machine, first);
    text_add(p->to, "    <host id=\"");
    xml_add_text(p->to, p->node_name[host]);
    text_add(p->to, "\" speed=\"");
    add_number(p->to, p->machine->flops > 0 ? host_flops(p->machine, host) : processor.speed);
    text_addf(p->to, "%s\" core=\"%d\"", speed_unit(p->machine), p->first_processor[host + 1] - first);
    if (processor.type == NULL && processor.memory < 0) {
        text_add(p->to, "/>\n");
        return;
    }
    text_add(p->to, ">");
    if (processor.type != NULL) {
        text_add(p->to, "<prop id=\"inlay_type\" value=\"");
        xml_add_text(p->to, processor.type);
        text_add(p->to, "\"/>");
    }
    if (processor.memory >= 0) {
        text_addf(p->to, "<prop id=\"inlay_memory\" value=\"%lld\"/>", (long long)processor.memory);
    }
    text_add(p->to, "</host>\n");
}

/* ---- Links ---- */

static void write_link(const simgrid_picture *p, const char *name, double capacity, double latency, bool parallel)
{
    text_add(p->to, "    <link id=\"");
    xml_add_text(p->to, name);
    text_add(p->to, "\" bandwidth=\"");
    add_number(p->to, capacity < SIMGRID_BOUNDLESS ? capacity : SIMGRID_BOUNDLESS);
    text_add(p->to, "Bps\" latency=\"");
    add_number(p->to, latency);
    text_addf(p->to, "s\"%s/>\n", parallel ? " sharing_policy=\"FATPIPE\"" : "");
}

static void write_links(const simgrid_picture *p, bool message_link)
{
    for (inlay_id i = 0; p->topology != NULL && i < p->links; i++) {
        const topology_link *link = &p->topology->link[i];
        bool known = p->topology->has_capacity && isfinite(link->capacity);
        write_link(p, p->link_name[i], known ? link->capacity * p->capacity_scale : SIMGRID_BOUNDLESS,
                   link->latency * p->seconds, link->parallel || !known);
    }
    if (message_link) {
        write_link(p, p->link_name[p->links], SIMGRID_BOUNDLESS, p->message_latency, true);
    }
}

/* ---- The file ---- */

static int open_zone(const simgrid_picture *p, name_map *names, simgrid_way_kind kind)
{
    static const char *const routing[] = {"Cluster", "Dijkstra", "Full"};
    char *name = machine_new_name(names, p->machine->name);
    if (name == NULL) {
        return diag_no_memory(p->diag);
    }
    text_add(p->to, "<?xml version=\"1.0\"?>\n"
                    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<platform version=\"4.1\">\n"
                    "  <zone id=\"");
    xml_add_text(p->to, name);
    text_addf(p->to, "\" routing=\"%s\">\n    <prop id=\"inlay_speed\" value=\"", routing[kind]);
    add_number(p->to, p->machine->flops > 0 ? p->machine->flops : 1);
    text_addf(p->to, "%s\"/>\n", speed_unit(p->machine));
    free(name);
    for (inlay_id i = 0; i < p->hosts; i++) {
        write_host(p, i);
    }
    for (inlay_id i = p->hosts; i < p->nodes; i++) {
        text_add(p->to, "    <router id=\"");
        xml_add_text(p->to, p->node_name[i]);
        text_add(p->to, "\"/>\n");
    }
    return INLAY_OK;
}

static int close_zone(const simgrid_picture *p)
{
    text_add(p->to, "  </zone>\n</platform>\n");
    return p->to->failed ? diag_no_memory(p->diag) : INLAY_OK;
}

/* All hosts on one shared link, which every message passes once. */
static int write_bus(const simgrid_picture *p, name_map *names)
{
    const inlay_machine *m = p->machine;
    int status = open_zone(p, names, SIMGRID_STAR_ZONE);
    if (status != INLAY_OK) {
        return status;
    }
    write_link(p, p->link_name[0], m->has_capacity ? m->capacity.value * p->capacity_scale : SIMGRID_BOUNDLESS,
               p->message_latency, !m->has_capacity);
    for (inlay_id i = 0; i < p->hosts; i++) {
        text_addf(p->to, "    <host_link id=\"p%d\" up=\"%s\" down=\"%s\"/>\n", i, p->link_name[0], p->link_name[0]);
    }
    return close_zone(p);
}

/* In a star, what every message takes besides is the backbone that all of them pass. */
static void write_backbone(const simgrid_picture *p)
{
    text_addf(p->to, "    <backbone id=\"%s\" bandwidth=\"", p->link_name[p->links]);
    add_number(p->to, SIMGRID_BOUNDLESS);
    text_add(p->to, "Bps\" latency=\"");
    add_number(p->to, p->message_latency);
    text_add(p->to, "s\"/>\n");
}

static int write_topology(const simgrid_picture *p, name_map *names)
{
    simgrid_way_kind kind;
    int status = simgrid_choose_way(p, &kind);
    status = status == INLAY_OK ? open_zone(p, names, kind) : status;
    if (status == INLAY_OK) {
        write_links(p, p->message_latency > 0 && kind == SIMGRID_FULL_ZONE);
        status = simgrid_write_routes(p, kind);
    }
    if (status == INLAY_OK && p->message_latency > 0 && kind == SIMGRID_STAR_ZONE) {
        write_backbone(p);
    }
    return status == INLAY_OK ? close_zone(p) : status;
}

static int check_family(const inlay_machine *machine, inlay_diag *diag)
{
    if (machine_has_references(machine)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s has a reference_speed for types of processors, which a platform file cannot say; expected "
                         "one for all",
                         machine->text);
    }
    if (machine->topology != NULL || inlay_machine_network(machine) == INLAY_NETWORK_BUS) {
        return INLAY_OK;
    }
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "a machine of family %s cannot be told as a platform file; expected a bus or a machine with links",
                     inlay_family_name(machine->family));
}

/* Zones in Vivaldi zones, at which SimGrid 3.32 stops. */
static bool has_placed_zones(const inlay_machine *machine)
{
    const zone_tree *tree = machine->topology->own;
    size_t i = 0;
    while (i < tree->zones && tree->zone[i].gateway == NULL) {
        i++;
    }
    return i < tree->zones;
}

/*
 * A platform file is its own best picture, unless the user has changed how messages travel, or SimGrid cannot read it:
 * then all routes are told one by one.
 */
static bool keeps_document(const inlay_machine *machine)
{
    return machine->format != NULL && strcmp(machine->format, "simgrid") == 0 &&
           machine->value[ATTRIBUTE_LATENCY] == NULL && machine->value[ATTRIBUTE_TRANSFERS] == NULL &&
           !has_placed_zones(machine);
}

static int write_machine(simgrid_picture *p)
{
    name_map names = {0};
    int status = number_processors(p) && name_nodes(p, &names) && name_links(p) ? INLAY_OK : diag_no_memory(p->diag);
    if (status == INLAY_OK) {
        status = p->topology == NULL ? write_bus(p, &names) : write_topology(p, &names);
    }
    name_map_clear(&names);
    free_picture(p);
    return status;
}

int simgrid_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag)
{
    if (keeps_document(machine)) {
        text_add(to, machine->document);
        return to->failed ? diag_no_memory(diag) : INLAY_OK;
    }
    text_buffer text = {0};
    const topology *t = machine->topology;
    simgrid_picture p = {.machine = machine, .topology = t, .to = &text, .diag = diag};
    p.hosts = inlay_machine_hosts(machine);
    p.nodes = t != NULL ? t->nodes : p.hosts;
    p.links = t != NULL ? t->links : 1;
    int status = check_family(machine, diag);
    status = status == INLAY_OK ? take_units(&p, tick_seconds) : status;
    status = status == INLAY_OK ? write_machine(&p) : status;
    if (status == INLAY_OK) {
        text_append(to, text.data, text.size);
        status = to->failed ? diag_no_memory(diag) : INLAY_OK;
    }
    if (status == INLAY_OK && t != NULL && !t->cut_through) {
        diag_warn(diag, "SimGrid passes messages through all links of a route at once; the machine stores and forwards "
                        "them, which takes longer over several links");
    }
    inlay_rate host, core;
    if (status == INLAY_OK && inlay_machine_memory_bandwidth(machine, &host, &core)) {
        diag_warn(diag, "memory_bandwidth of the machine is left out: a platform file has no place for it");
    }
    if (status == INLAY_OK &&
        inlay_machine_send_overhead(machine)->count + inlay_machine_receive_overhead(machine)->count > 0) {
        diag_warn(diag, "o_send and o_recv of the machine are left out: a platform file has no place for them");
    }
    if (status == INLAY_OK && inlay_machine_latency_by_size(machine)->count > 0) {
        diag_warn(diag, "latency_by_size of the machine is left out: a platform file has no place for it");
    }
    if (status == INLAY_OK && inlay_machine_rendezvous_above(machine) < INT64_MAX) {
        diag_warn(diag, "rendezvous=late is left out: a platform file has no place for it");
    }
    text_clear(&text);
    return status;
}
