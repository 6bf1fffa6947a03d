/*
 * Links that messages share: all that are on their way move at once. A flow waits for its route's latency, and then goes at
 * the rate that is max-min fair by weights: the lowest of all, for its weight, is as high as can be, then the next, until
 * every flow is held by a link without capacity left or by a bound of its own. Rates change when a flow begins or ends.
 */
#ifndef SIMULATE_FABRIC_FLOWS_H
#define SIMULATE_FABRIC_FLOWS_H

#include "simulate/links_plan.h"
#include "simulate/usage.h"
#include <math.h>

/** What a flow takes of a link, times its rate. */
typedef struct flow_use {
    inlay_id link;
    double share;
} flow_use;

/** A message on its way. */
typedef struct flow {
    flow_use *use; /**< of its links, each once; owned, and kept for the next when it has ended */
    inlay_id uses, room;
    double left, rate; /**< size to go, and how much of it a unit of time */
    double weight, bound;
    double due;     /**< its latency is over, or all of it is there; INFINITY where it stands still */
    double began;   /**< when it was sent */
    int64_t number; /**< of two that are due at one time the lower comes first */
    int32_t train;
    bool moves;
} flow;

typedef struct flows_state {
    const links_plan *plan;
    const inlay_sharing *sharing;
    double window, rtt_weight, unit; /**< in the simulation's time; window 0: none */
    usage *usage;                    /**< the fabric's */
    flow *flow;                      /**< those under way, then those that are kept */
    size_t flows, made, room;
    double now;           /**< up to when `left` counts */
    double *left, *claim; /**< scratch, of every link: capacity, and weights that claim it; claim is 0 between times */
    inlay_id *touched;    /**< scratch: links with a claim */
    int64_t numbers;
    double slower; /**< factor of all latencies of a run */
    double next;
    size_t first; /**< the flow that is due then */
} flows_state;

bool flows_make(const links_plan *plan, const inlay_sharing *sharing, double unit, bool in_bytes, usage *usages,
                flows_state *s); /**< false when out of memory */
void flows_clear(flows_state *s);
void flows_reset(flows_state *s); /**< `slower` is 1 */

/** What a message of that size takes on a route where nobody else is. */
double flows_alone(const flows_state *s, link_route route, double size);

/** A message sets out on its route at time `now`; `back` is the way back. False when out of memory. */
bool flows_put(flows_state *s, link_route route, link_route back, double size, int32_t train, double now);

/** When the next flow begins or ends; INFINITY where none does. */
static inline double flows_time(const flows_state *s)
{
    return s->next;
}

/** It does: gives its train where it has ended, else -1. */
int32_t flows_event(flows_state *s);

#endif
