/*
 * When processors are free: gaps between what is booked, and the end of all of it. A gap is looked for in a treap by time,
 * in which every node knows the longest gap below it, so that a search takes the depth of it, however many gaps there are.
 */
#ifndef CLUSTER_TIMELINE_H
#define CLUSTER_TIMELINE_H

#include <inlay/app.h>
#include <stdbool.h>

typedef struct timeline_gap {
    double begin, end;
    double longest;      /**< of the gaps from here down, or a bit more: rounded up */
    int32_t left, right; /**< -1 none */
} timeline_gap;

/** What is known of a processor's gaps: none takes `least` or more from `ready` on, or from later. */
typedef struct timeline_full {
    double ready, least;
} timeline_full;

typedef struct timeline {
    double *tail;        /**< of every processor: when the last of what is booked ends */
    int32_t *root;       /**< of its gaps, -1 none */
    timeline_full *full; /**< of every processor; searches that find nothing note it, and most need not be made then */
    timeline_gap *gap;
    size_t gaps, room;
} timeline;

bool timeline_make(timeline *t, inlay_id processors); /**< all free from 0 on; false when out of memory */
void timeline_clear(timeline *t);

/** From `ready` on, the first time at which the processor is free for so long. What takes no time needs a gap too. */
double timeline_find(const timeline *t, inlay_id processor, double ready, double time);

/** Book what timeline_find() found, or any time from the tail on; false when out of memory. */
bool timeline_book(timeline *t, inlay_id processor, double start, double time);

#endif
