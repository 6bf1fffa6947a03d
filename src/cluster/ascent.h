/*
 * Runs of the greedy rule under rising time frames. They are alike up to the first pair that is rejected for time, be it
 * one that communicates or one that does not: what was merged before is kept, and each run begins with it.
 */
#ifndef CLUSTER_ASCENT_H
#define CLUSTER_ASCENT_H

#include "cluster/partition.h"

/** Zero-initialised has begun nothing. */
typedef struct ascent {
    bool begun;
    partition shared;    /**< no pair was rejected up to here; never forgetful */
    inlay_time rejected; /**< sum of the pair that comes next */
    inlay_id *label;     /**< scratch, one a module */
} ascent;

/** A partition from which the greedy rule under `limit`, which does not fall from call to call, goes on as from modules. */
int ascent_to(ascent *a, const problem *p, inlay_time limit, partition *result, inlay_diag *diag);
void ascent_clear(ascent *a);

#endif
