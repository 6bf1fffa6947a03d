/*
 * The network at run time: senders ask it for transfers, one at a time each, and are told when one is over.
 *
 * Its calendar says when it wants to be called next, for which bus or sender. Times are in whatever unit the plan was made
 * for.
 */
#ifndef SIMULATE_FABRIC_H
#define SIMULATE_FABRIC_H

#include "problem/interconnect.h"
#include "simulate/calendar.h"
#include "simulate/fabric_flows.h"
#include "simulate/fabric_links.h"
#include <inlay/simulate.h>

typedef enum fabric_kind { FABRIC_NONE, FABRIC_BUS, FABRIC_MULTIBUS, FABRIC_OMEGA, FABRIC_LINKS } fabric_kind;

/** What messages meet where `asked` is asked for: the machine's own contention where that leaves more out. */
static inline inlay_contention contention_of(const inlay_machine *machine, inlay_contention asked)
{
    inlay_contention own = inlay_machine_contention(machine);
    return own > asked ? own : asked;
}

enum { OMEGA_STAGES = 31 }; /* of switches of 2 and up to 2^31 - 1 processors */

/** What never changes: the machine's network in the simulation's unit of time. */
typedef struct fabric_plan {
    fabric_kind kind;
    inlay_id senders;  /**< numbered from 0 */
    int64_t visits;    /**< transfers of a message */
    double numerator;  /**< buses, links: c units of traffic take c * numerator / capacity a transfer */
    double capacity;   /**< 1 in omega networks, where a message is one unit */
    inlay_id buses;    /**< 0 in omega networks */
    inlay_id memories; /**< 0 where there are none in common */
    bool draws_memory; /**< a message that names none goes to any */

    int stages;
    inlay_id switch_size, ports;
    inlay_id place[OMEGA_STAGES + 1]; /**< powers of switch_size */
    double transit, taken, tail;      /**< of one message: head through a stage, output taken, tail behind the head */
    bool exits;                       /**< a message leaves after the first stage where that is enough */

    const inlay_sharing *sharing; /**< links: messages share them; NULL: they queue */
    double unit;                  /**< then the simulation's time in one of the network's, and ... */
    bool in_bytes;                /**< ... whether traffic is bytes, which their figures hold for */
    const links_plan *links;      /**< links: set behind fabric_plan_make(), by whom they belong to */
} fabric_plan;

/** One sender's transfer that is under way. */
typedef struct transfer {
    double asked, begin, service; /**< service: the time without any waiting */
    double scale;                 /**< omega: factor of its times */
    double number;                /**< multibus: orders the requests */
    inlay_id next;                /**< multibus: the next sender that waits for the same memory, -1 none */
    inlay_id memory;
    inlay_id address, to;  /**< omega: where the head is, and goes */
    int32_t stage, stages; /**< omega: passed, and to pass in all */
    bool queued;           /**< omega: waits for an output, of the switch of this usage */
    usage *at;
} transfer;

typedef struct fabric_bus_entry {
    double end;
    inlay_id sender;
} fabric_bus_entry;

typedef struct memory_queue {
    inlay_id first, last; /**< senders that wait, -1 none */
    bool taken;
} memory_queue;

typedef struct fabric {
    const fabric_plan *plan;
    calendar calendar;  /**< a slot a bus or, in omega networks, a sender */
    transfer *transfer; /**< of every sender */
    usage *usage;       /**< buses, then memories of a multiple bus; or switches, stage by stage; or links */
    size_t usages;

    fabric_bus_entry *ring; /**< bus: requests in their order, the first of them is served; room for all senders */
    inlay_id ring_first, ring_count;
    double bus_free; /**< end of the last request */

    memory_queue *memory;
    calendar ready;    /**< multibus: by memory, the number of its first request where it can be served but for a bus */
    calendar free_bus; /**< 0 where a bus is free */
    inlay_id *served;  /**< sender that each bus serves */
    double next_number;  /**< of a request */
    double *output_free; /**< omega: by stage and address, when the output is no longer taken */

    flows_state flows; /**< links that are shared */
    links_state links; /**< links: who asks next stands there, and `calendar` and `transfer` are not used */
} fabric;

/**
 * @param unit    of the simulation in one unit of `network`
 * @param senders how many processors send
 */
void fabric_plan_make(const interconnect *network, double unit, inlay_id senders, fabric_plan *plan);

/** Resources that it counts: entries of fabric.usage. */
size_t fabric_usages(const fabric_plan *plan);

/** `plan` has to outlive it. INLAY_NO_MEMORY without a message. */
int fabric_make(const fabric_plan *plan, fabric *f);
void fabric_clear(fabric *f);
void fabric_reset(fabric *f); /**< idle at time 0, nothing counted */

/** When something happens next on links. */
static inline double fabric_links_time(const fabric *f)
{
    double asked = links_time(&f->links);
    return f->plan->sharing == NULL || asked < flows_time(&f->flows) ? asked : flows_time(&f->flows);
}

/** What a transfer of so much traffic takes where nobody else is: over that distance, in stages. */
static inline double fabric_alone(const fabric_plan *plan, double traffic, int stages)
{
    return plan->kind == FABRIC_OMEGA ? traffic * (stages * plan->transit + plan->tail)
                                      : traffic * plan->numerator / plan->capacity;
}

/** Stages between two addresses. */
static inline int fabric_stages(const fabric_plan *plan, inlay_id from, inlay_id to)
{
    return plan->exits && from / plan->switch_size == to / plan->switch_size ? 1 : plan->stages;
}

/**
 * A sender asks for a transfer.
 * @param traffic  how much, times any factor of its time
 * @param from,to  omega: addresses, processor and memory or processor; multibus: `to` is the memory
 */
void fabric_multibus_request(fabric *f, inlay_id sender, double now, double traffic, inlay_id to);
void fabric_omega_request(fabric *f, inlay_id sender, double now, double traffic, inlay_id from, inlay_id to);

/** A slot's event: the sender whose transfer is over, or -1. */
inlay_id fabric_multibus_event(fabric *f, int32_t slot, double now);
inlay_id fabric_omega_event(fabric *f, int32_t slot, double now);

/* The single bus is what large runs spend their time in: first come, first served, so that the end is known at once. */

static inline void fabric_bus_request(fabric *f, inlay_id sender, double now, double traffic)
{
    transfer *t = &f->transfer[sender];
    usage *g = &f->usage[0];
    t->asked = now;
    t->service = traffic * f->plan->numerator / f->plan->capacity;
    t->begin = now > f->bus_free ? now : f->bus_free;
    f->bus_free = t->begin + t->service;
    inlay_id at = f->ring_first + f->ring_count++;
    at -= at >= f->plan->senders ? f->plan->senders : 0;
    f->ring[at] = (fabric_bus_entry){f->bus_free, sender};
    if (f->ring_count == 1) {
        calendar_set(&f->calendar, 0, f->bus_free);
    }
    g->busy += t->service;
    g->waited += t->begin - now;
    g->requests++;
    g->largest = f->ring_count - 1 > g->largest ? f->ring_count - 1 : g->largest;
}

static inline inlay_id fabric_bus_event(fabric *f)
{
    inlay_id sender = f->ring[f->ring_first].sender;
    f->ring_first = f->ring_first + 1 == f->plan->senders ? 0 : f->ring_first + 1;
    f->ring_count--;
    calendar_set(&f->calendar, 0, f->ring_count > 0 ? f->ring[f->ring_first].end : INFINITY);
    return sender;
}

static inline void fabric_request(fabric *f, inlay_id sender, double now, double traffic, inlay_id from, inlay_id to)
{
    switch (f->plan->kind) {
    case FABRIC_NONE:
    case FABRIC_LINKS: break;
    case FABRIC_BUS: fabric_bus_request(f, sender, now, traffic); break;
    case FABRIC_MULTIBUS: fabric_multibus_request(f, sender, now, traffic, to); break;
    case FABRIC_OMEGA: fabric_omega_request(f, sender, now, traffic, from, to); break;
    }
}

static inline inlay_id fabric_event(fabric *f, int32_t slot, double now)
{
    switch (f->plan->kind) {
    case FABRIC_BUS: return fabric_bus_event(f);
    case FABRIC_MULTIBUS: return fabric_multibus_event(f, slot, now);
    case FABRIC_OMEGA: return fabric_omega_event(f, slot, now);
    default: return -1;
    }
}

/** The resource that usage number `i` stands for: kind, stage, index and name are filled in. */
void fabric_name(const fabric_plan *plan, size_t i, inlay_resource *resource);

#endif
