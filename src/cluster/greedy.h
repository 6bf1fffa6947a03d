/* The greedy rule: merge the allowed pair with the most traffic, as long as there is one. */
#ifndef CLUSTER_GREEDY_H
#define CLUSTER_GREEDY_H

#include "cluster/pair_heap.h"
#include "cluster/partition.h"

typedef struct greedy_rule {
    inlay_time limit;    /**< most work of a cluster; INT64_MAX where time does not bind */
    bool unrelated;      /**< pairs without traffic merge too, once no other pair is left */
    inlay_id stop_at;    /**< stop when so few clusters are left; 1 for never */
    bool want_next;      /**< find `next` exactly, which may cost a search more */
    bool forget;         /**< traffic between clusters that can never merge may get lost, which is faster: until
                           partition_remember() */
    bool until_rejected; /**< stop at the first pair that is rejected for time: up to there all longer time frames make
                              the same clusters */
} greedy_rule;

/**
 * Run the rule on a partition.
 * @param next  the least sum of work rejected for time (INT64_MAX where none was): lowered, never raised. May be NULL.
 */
int greedy_merge(partition *part, const greedy_rule *rule, inlay_time *next, inlay_diag *diag);

/**
 * Its first part, for communicating pairs, under the time frame that is bound; the rule's `limit` and `stop_at` count.
 * @param together  parallel clusters may be one, too
 * @param next      the least sum of work rejected for time: lowered, never raised
 */
int greedy_communicating(partition *part, const greedy_rule *rule, bool together, inlay_time *next);

/** Two clusters as a candidate for merging. */
pair greedy_pair(const partition *part, inlay_id a, inlay_id b, int64_t traffic);

/** Whether two clusters may be one, time aside. */
static inline bool greedy_compatible(const partition *part, inlay_id a, inlay_id b)
{
    return partition_fits(part, a, b) && !partition_parallel(part, a, b);
}

#endif
