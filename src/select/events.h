/*
 * A threshold t that rises over all T_i(p): for each t, the most processors that every cluster can have with T_i(P_i)
 * <= t, and the clusters by falling speed r_i P_i. What the two sweeps share.
 */
#ifndef SELECT_EVENTS_H
#define SELECT_EVENTS_H

#include "base/memory.h"
#include "select/model.h"

typedef struct select_events {
    memory_pool arrays; /**< owns them */
    const select_model *model;
    double threshold;
    int32_t *processors; /**< largest p with T_i(p) <= t, among the events that were taken */
    double *speed;       /**< r_i times that */
    double total;        /**< sum of the speeds */
    int32_t *order;      /**< clusters by falling speed, the lower number first among equals at the start */
    int32_t *place;      /**< of a cluster in `order` */
    int32_t active;      /**< clusters with a speed above 0: the first ones in order */
    int32_t *heap;       /**< clusters with a next event, by its time */
    int32_t waiting;     /**< how many there are */
} select_events;

/** False where there is no memory; cleared all the same. */
bool select_events_make(select_events *events, const select_model *model);
void select_events_clear(select_events *events);

/** Back to the start, where no cluster has a processor. */
void select_events_begin(select_events *events);

/** Takes the least T_i(p) that is left, and gives i; -1 where none is. */
int32_t select_events_next(select_events *events);

/** Takes all events up to and with `threshold`. */
void select_events_to(select_events *events, double threshold);

/** Sum of r_i N_i. */
double select_events_speed(const select_model *model);

#endif
