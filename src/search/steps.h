/*
 * The clustering under one time frame after the other, rising. Runs share what they have in common: see replay.h and
 * untied.h. With overlap, and for graphs too large for that, runs share their beginning alone: see ascent.h.
 */
#ifndef SEARCH_STEPS_H
#define SEARCH_STEPS_H

#include "cluster/ascent.h"
#include "search/untied.h"
#include "search/replay.h"

typedef struct steps {
    const problem *p;
    inlay_id *cluster_of; /**< of every module, numbered by smallest module */
    inlay_id clusters;
    inlay_time next; /**< the least time frame at which the run is another; INT64_MAX where there is none. Grains */
    int64_t queue_operations; /**< of the runs of their own so far: what they cost */
    bool shared;              /**< runs share work */
    bool begun;
    ascent ascent; /**< where they do not, but for their beginning */
    replay replay;
    untied untied;
} steps;

/** @param shared  whether runs may share work, where that is possible */
int steps_make(const problem *p, bool shared, steps *result, inlay_diag *diag);
void steps_clear(steps *s);

/** Go on to a time frame above the last one, which admits every module alone; grains. */
int steps_to(steps *s, inlay_time limit, inlay_diag *diag);

#endif
