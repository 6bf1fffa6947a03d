/*
 * Links at run time. A link serves in the order of asking, so that a message knows when it will have it, and until when,
 * as soon as it asks: all that has to happen in the order of time is asking. The messages that will ask for something
 * stand in a heap; of one time they ask in the order of their numbers.
 */
#ifndef SIMULATE_FABRIC_LINKS_H
#define SIMULATE_FABRIC_LINKS_H

#include "simulate/usage.h"
#include "simulate/links_plan.h"
#include <math.h>

/** A message on its way. */
typedef struct flight {
    double size;   /**< what a link divides by its capacity */
    double before; /**< when all of it is at the next link, at the latest */
    link_route left;
    int64_t number;
    int32_t train; /**< what it belongs to; of one that is not used, the next such or -1 */
    bool first;    /**< it has not asked yet */
} flight;

/** A message that will ask. */
typedef struct link_ask {
    double time;
    int64_t number;
    int32_t flight;
} link_ask;

/** One that has asked, and waits. */
typedef struct link_waiter {
    double begin;
    int32_t next; /**< behind it, or the next that is not used; -1 none */
} link_waiter;

/** What a link is busy with. */
typedef struct link_now {
    double until;        /**< when nobody holds it any more */
    int32_t first, last; /**< waiters, -1 none; those whose time has come are taken off by the next */
} link_now;

typedef struct links_state {
    const links_plan *plan;
    link_now *link;
    usage *usage; /**< the fabric's */
    flight *flight;
    size_t flights, flights_room;
    int32_t free_flight;
    link_ask *heap; /**< four below each; the root is the first of all */
    size_t asks, asks_room;
    link_waiter *waiter;
    size_t waiters, waiters_room;
    int32_t free_waiter;
    int64_t numbers; /**< given so far */
    double slower;   /**< factor of all latencies of a run */
} links_state;

bool links_make(const links_plan *plan, usage *usages, links_state *s); /**< false when out of memory */
void links_clear(links_state *s);
void links_reset(links_state *s); /**< `slower` is 1; usages are the fabric's */

/** A new message, which has not asked yet; -1 when out of memory. */
int32_t links_new(links_state *s, link_route route, double size, int32_t train);
void links_release(links_state *s, int32_t message);

/** It will ask then; false when out of memory. */
bool links_put(links_state *s, int32_t message, double time);

/** When the first message asks; INFINITY where there is none. */
static inline double links_time(const links_state *s)
{
    return s->asks > 0 ? s->heap[0].time : INFINITY;
}

/** The first message asks again at that time; INFINITY: never. */
void links_move_first(links_state *s, double time);

/** A message asks for the next link of its way; `*next` is when it asks again. False when out of memory. */
bool links_ask(links_state *s, int32_t message, double now, link_passage *passage, double *next);

#endif
