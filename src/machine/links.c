/* What a machine says of its links, its nodes, and processors that differ. */
#include "machine/machine.h"
#include <stdio.h>

bool inlay_machine_has_links(const inlay_machine *machine)
{
    return machine->topology != NULL;
}

inlay_id inlay_machine_links(const inlay_machine *machine)
{
    return machine->topology == NULL ? 0 : machine->topology->links;
}

inlay_machine_link inlay_machine_link_at(const inlay_machine *machine, inlay_id link)
{
    const topology_link *l = &machine->topology->link[link];
    return (inlay_machine_link){l->from, l->to, l->capacity, l->latency, l->shared, l->parallel};
}

char *inlay_machine_link_name(const inlay_machine *machine, inlay_id link, char name[INLAY_MACHINE_NAME])
{
    const topology *t = machine->topology;
    const topology_link *l = &t->link[link];
    char from[INLAY_MACHINE_NAME], to[INLAY_MACHINE_NAME];
    if (t->link_name != NULL && t->link_name[link] != NULL) {
        snprintf(name, INLAY_MACHINE_NAME, "%s", t->link_name[link]);
    } else if (l->from < 0) {
        inlay_machine_node_name(machine, l->to, to);
        snprintf(name, INLAY_MACHINE_NAME, "to %.100s", to);
    } else {
        inlay_machine_node_name(machine, l->from, from);
        inlay_machine_node_name(machine, l->to, to);
        snprintf(name, INLAY_MACHINE_NAME, "%.60s-%.60s", from, to);
    }
    return name;
}

inlay_unit inlay_machine_link_unit(const inlay_machine *machine)
{
    return machine->topology == NULL ? INLAY_UNIT_NONE : machine->topology->unit;
}

bool inlay_machine_links_in_bytes(const inlay_machine *machine)
{
    return machine->topology != NULL && machine->topology->in_bytes;
}

bool inlay_machine_links_known(const inlay_machine *machine)
{
    return machine->topology != NULL && machine->topology->has_capacity;
}

bool inlay_machine_cut_through(const inlay_machine *machine)
{
    return machine->topology != NULL && machine->topology->cut_through;
}

bool inlay_machine_exponential(const inlay_machine *machine)
{
    return machine->exponential;
}

inlay_id inlay_machine_nodes(const inlay_machine *machine)
{
    return machine->topology == NULL ? 0 : machine->topology->nodes;
}

inlay_id inlay_machine_hosts(const inlay_machine *machine)
{
    return machine->topology == NULL ? machine->processors : machine->topology->hosts;
}

char *inlay_machine_node_name(const inlay_machine *machine, inlay_id node, char name[INLAY_MACHINE_NAME])
{
    const topology *t = machine->topology;
    if (t->node_name != NULL && t->node_name[node] != NULL) {
        snprintf(name, INLAY_MACHINE_NAME, "%s", t->node_name[node]);
    } else {
        bool host = node < t->hosts;
        snprintf(name, INLAY_MACHINE_NAME, "%s%d", host ? "p" : "s", host ? node : node - t->hosts);
    }
    return name;
}

inlay_id inlay_machine_host(const inlay_machine *machine, inlay_id processor)
{
    return machine->unlike.host_of != NULL ? machine->unlike.host_of[processor] : processor / machine->cores;
}

inlay_id inlay_machine_main(const inlay_machine *machine)
{
    inlay_id host = 0, hosts = machine->unlike.host == NULL ? 0 : machine->topology->hosts;
    while (host < hosts && !machine->unlike.host[host].main) {
        host++;
    }
    return host < hosts ? host : -1;
}

inlay_id inlay_machine_route(const inlay_machine *machine, inlay_id from, inlay_id to, inlay_id *links, inlay_id room)
{
    inlay_id a = inlay_machine_host(machine, from), b = inlay_machine_host(machine, to);
    if (machine->topology == NULL || a == b) {
        return 0;
    }
    route_list route = {0};
    bool found = machine->topology->route(machine->topology, a, b, &route);
    inlay_id length = found ? (inlay_id)route.count : -1;
    for (inlay_id i = 0; i < length && i < room; i++) {
        links[i] = route.link[i];
    }
    route_clear(&route);
    return length;
}

const char *inlay_machine_document(const inlay_machine *machine)
{
    return machine->document;
}

const char *inlay_machine_format(const inlay_machine *machine)
{
    return machine->format;
}

/* ---- Processors ---- */

bool inlay_machine_unlike(const inlay_machine *machine)
{
    return machine->unlike.differ;
}

inlay_processor inlay_machine_processor(const inlay_machine *machine, inlay_id processor)
{
    if (machine->unlike.host == NULL) {
        return (inlay_processor){machine->value[ATTRIBUTE_TYPE], machine->alike.speed, machine->processor_memory};
    }
    const machine_host *host = &machine->unlike.host[inlay_machine_host(machine, processor)];
    return (inlay_processor){host->type, host->speed, host->memory};
}
