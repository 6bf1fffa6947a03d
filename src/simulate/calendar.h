/*
 * The calendar: for each of a fixed number of slots the time of its next event, and which comes first.
 *
 * A tree of winners: a node holds the earlier of the two below it, the left one where they are equal. So events of one
 * time come by slot, and a change costs one comparison a level, none of which depends on what was compared before.
 */
#ifndef SIMULATE_CALENDAR_H
#define SIMULATE_CALENDAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct calendar_node {
    double time;
    int32_t slot;
} calendar_node;

typedef struct calendar {
    calendar_node *node; /**< the root is 1; node n stands over 2n and 2n + 1 */
    int32_t leaves;      /**< a power of two; slot s is node leaves + s */
} calendar;

/** With so many slots, all without an event; false when out of memory. */
bool calendar_make(calendar *c, int32_t slots);
void calendar_clear(calendar *c);
void calendar_empty(calendar *c); /**< no slot has an event any more */

/** The next event of a slot: INFINITY where it has none. */
static inline void calendar_set(calendar *c, int32_t slot, double time)
{
    calendar_node best = {time, slot};
    uint32_t at = (uint32_t)(c->leaves + slot);
    c->node[at] = best;
    for (; at > 1; at >>= 1) {
        calendar_node beside = c->node[at ^ 1];
        bool right = (at & 1) != 0;
        bool other = right ? beside.time <= best.time : beside.time < best.time;
        best.time = other ? beside.time : best.time;
        best.slot = other ? beside.slot : best.slot;
        c->node[at >> 1] = best;
    }
}

/** The first event of all; its time is INFINITY where there is none. */
static inline calendar_node calendar_first(const calendar *c)
{
    return c->node[1];
}

#endif
