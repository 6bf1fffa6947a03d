/* The network at run time: what the families share. */
#include "simulate/fabric.h"
#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The plan ---- */

static void plan_omega(const interconnect *network, double unit, fabric_plan *plan)
{
    const inlay_omega *omega = &network->omega;
    bool common = inlay_machine_network(network->machine) == INLAY_NETWORK_OMEGA;
    double once = unit * network->transfers / (double)plan->visits;
    plan->kind = FABRIC_OMEGA;
    inlay_omega_stages(omega->processors, omega->switch_size, &plan->stages);
    plan->switch_size = (inlay_id)omega->switch_size;
    plan->ports = (inlay_id)omega->processors;
    plan->place[0] = 1;
    for (int s = 0; s < plan->stages; s++) {
        plan->place[s + 1] = plan->place[s] * plan->switch_size;
    }
    plan->transit = (common ? omega->transit : omega->cycle) * once;
    plan->taken = (double)omega->packets * omega->cycle * once;
    plan->tail = (double)(omega->packets - 1) * omega->cycle * once;
    plan->exits = !common;
    plan->capacity = 1;
}

void fabric_plan_make(const interconnect *network, double unit, inlay_id senders, fabric_plan *plan)
{
    const inlay_machine *machine = network->machine;
    *plan = (fabric_plan){.senders = senders, .memories = inlay_machine_memories(machine)};
    plan->visits = network->transfers > 1 ? (int64_t)ceil(network->transfers) : 1;
    if (inlay_machine_has_links(machine)) {
        plan->kind = FABRIC_LINKS;
        plan->visits = 1;
        plan->numerator = unit * network->transfers;
    } else if (inlay_machine_switch(machine) > 0) {
        plan_omega(network, unit, plan);
    } else {
        plan->kind = inlay_machine_network(machine) == INLAY_NETWORK_MULTIBUS ? FABRIC_MULTIBUS : FABRIC_BUS;
        plan->buses = inlay_machine_buses(machine);
        plan->numerator = unit * network->transfers / (double)plan->visits;
        plan->capacity = network->capacity;
    }
    plan->draws_memory = plan->memories > 1;
}

/* ---- Making ---- */

size_t fabric_usages(const fabric_plan *plan)
{
    switch (plan->kind) {
    case FABRIC_BUS: return 1;
    case FABRIC_MULTIBUS: return (size_t)plan->buses + (size_t)plan->memories;
    case FABRIC_OMEGA: return (size_t)plan->stages * (size_t)(plan->ports / plan->switch_size);
    case FABRIC_LINKS: return (size_t)plan->links->links;
    default: return 0;
    }
}

/* Slots of its calendar: what can be under way at once. */
static int32_t slots_of(const fabric_plan *plan)
{
    switch (plan->kind) {
    case FABRIC_BUS: return 1;
    case FABRIC_MULTIBUS: return plan->buses < plan->senders ? plan->buses : plan->senders;
    case FABRIC_OMEGA: return plan->senders;
    default: return 0;
    }
}

static bool make_multibus(fabric *f)
{
    int32_t buses = slots_of(f->plan);
    f->memory = memory_array((size_t)f->plan->memories, sizeof *f->memory);
    f->served = memory_array((size_t)buses, sizeof *f->served);
    return f->memory != NULL && f->served != NULL && calendar_make(&f->ready, f->plan->memories) &&
           calendar_make(&f->free_bus, buses);
}

int fabric_make(const fabric_plan *plan, fabric *f)
{
    *f = (fabric){.plan = plan, .usages = fabric_usages(plan)};
    f->transfer = memory_zeroed((size_t)plan->senders, sizeof *f->transfer);
    f->usage = memory_array(f->usages, sizeof *f->usage);
    bool made = f->transfer != NULL && f->usage != NULL && calendar_make(&f->calendar, slots_of(plan));
    if (plan->kind == FABRIC_BUS) {
        f->ring = memory_array((size_t)plan->senders, sizeof *f->ring);
        made = made && f->ring != NULL;
    } else if (plan->kind == FABRIC_MULTIBUS) {
        made = made && make_multibus(f);
    } else if (plan->kind == FABRIC_OMEGA) {
        f->output_free = memory_array((size_t)plan->stages * (size_t)plan->ports, sizeof *f->output_free);
        made = made && f->output_free != NULL;
    } else if (plan->kind == FABRIC_LINKS) {
        made = made && links_make(plan->links, f->usage, &f->links);
        made = made && (plan->sharing == NULL ||
                        flows_make(plan->links, plan->sharing, plan->unit, plan->in_bytes, f->usage, &f->flows));
    }
    if (!made) {
        fabric_clear(f);
        return INLAY_NO_MEMORY;
    }
    fabric_reset(f);
    return INLAY_OK;
}

void fabric_clear(fabric *f)
{
    free(f->transfer);
    free(f->usage);
    free(f->ring);
    calendar_clear(&f->calendar);
    free(f->memory);
    calendar_clear(&f->ready);
    calendar_clear(&f->free_bus);
    free(f->served);
    free(f->output_free);
    links_clear(&f->links);
    flows_clear(&f->flows);
    *f = (fabric){0};
}

void fabric_reset(fabric *f)
{
    memset(f->usage, 0, f->usages * sizeof *f->usage);
    calendar_empty(&f->calendar);
    f->ring_first = f->ring_count = 0;
    f->bus_free = 0;
    f->next_number = 0;
    if (f->plan->kind == FABRIC_MULTIBUS) {
        calendar_empty(&f->ready);
        calendar_empty(&f->free_bus);
        for (int32_t b = 0; b < slots_of(f->plan); b++) {
            calendar_set(&f->free_bus, b, 0);
        }
        for (inlay_id m = 0; m < f->plan->memories; m++) {
            f->memory[m] = (memory_queue){-1, -1, false};
        }
    } else if (f->plan->kind == FABRIC_OMEGA) {
        for (size_t o = 0; o < (size_t)f->plan->stages * (size_t)f->plan->ports; o++) {
            f->output_free[o] = 0;
        }
    } else if (f->plan->kind == FABRIC_LINKS) {
        links_reset(&f->links);
        flows_reset(&f->flows);
    }
}

/* ---- Names ---- */

void fabric_name(const fabric_plan *plan, size_t i, inlay_resource *resource)
{
    inlay_id number = (inlay_id)i;
    resource->stage = -1;
    if (plan->kind == FABRIC_LINKS) {
        resource->kind = INLAY_RESOURCE_LINK;
        resource->index = plan->links->link[i].number;
        inlay_machine_link_name(plan->links->machine, resource->index, resource->name);
    } else if (plan->kind == FABRIC_OMEGA) {
        inlay_id switches = plan->ports / plan->switch_size;
        resource->kind = INLAY_RESOURCE_SWITCH;
        resource->stage = number / switches;
        resource->index = number % switches;
        snprintf(resource->name, sizeof resource->name, "switch %d.%d", resource->stage, resource->index);
    } else if (number < plan->buses) {
        resource->kind = INLAY_RESOURCE_BUS;
        resource->index = number;
        snprintf(resource->name, sizeof resource->name, plan->kind == FABRIC_BUS ? "bus" : "bus %d", number);
    } else {
        resource->kind = INLAY_RESOURCE_MEMORY;
        resource->index = number - plan->buses;
        snprintf(resource->name, sizeof resource->name, "memory %d", resource->index);
    }
}
