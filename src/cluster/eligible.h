/*
 * Clusters under a time frame on processors that differ: whether there are enough processors for the clusters that only
 * some kinds can take.
 *
 * A kind can take a cluster whose time on it is within T and whose memory is within its hosts'. For every set of kinds (all
 * sets up to eight kinds, else the fastest kinds alone, two, three, ...) the clusters that no other kind can take must not
 * be more than the processors of the set (P. Hall's condition). Merging may not make that worse. A pair that is refused is
 * not asked again.
 */
#ifndef CLUSTER_ELIGIBLE_H
#define CLUSTER_ELIGIBLE_H

#include "problem/problem.h"

enum { ELIGIBLE_ALL_SETS = 8, ELIGIBLE_SETS = 256 };

typedef struct eligible {
    const problem *p;
    double *time;   /**< of every cluster, by root, on every kind; in the application's unit */
    uint64_t *mask; /**< of every cluster, by root: the kinds that can take it */
    double limit;   /**< T */
    double next;    /**< least time above T that kept a cluster from a kind */
    uint64_t every; /**< the set of all kinds */
    size_t sets;
    uint64_t set[ELIGIBLE_SETS];
    int64_t room[ELIGIBLE_SETS];   /**< processors of the set */
    int64_t needed[ELIGIBLE_SETS]; /**< clusters that none but its kinds can take */
} eligible;

/** For the machines of `p` whose processors differ; NULL when out of memory. */
eligible *eligible_new(const problem *p);
void eligible_free(eligible *f);

/**
 * Begin to watch over clusters: `root_of` of every module. `limit` in grains at the fastest speed; INT64_MAX: time does not
 * bind.
 */
void eligible_begin(eligible *f, const inlay_id *root_of, const int64_t *memory_of, const inlay_id *pin_of,
                    inlay_time limit);

/** Whether two clusters may merge; memory: of the merged one, pin: its processor or -1. */
bool eligible_allows(eligible *f, inlay_id a, inlay_id b, int64_t memory, inlay_id pin);

/** Two clusters became one, which has the root `into`. */
void eligible_merge(eligible *f, inlay_id into, inlay_id from, int64_t memory, inlay_id pin);

/** The least limit, in grains at the fastest speed, at which some answer would have been another; INT64_MAX none. */
inlay_time eligible_next(const eligible *f);

#endif
