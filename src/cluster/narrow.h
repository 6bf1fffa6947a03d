/*
 * Clusters crowded into slots (levels, instants): which pair of one slot to merge so that the narrowing thins out.
 */
#ifndef CLUSTER_NARROW_H
#define CLUSTER_NARROW_H

#include "cluster/partition.h"

typedef struct narrow_rule {
    inlay_id most;     /**< stop when no slot holds more clusters */
    bool fullest_only; /**< H2: pairs of a slot with the most clusters; H1: of any slot */
    bool one_slot;     /**< all clusters as if in one slot: any pair will do */
    bool by_traffic;   /**< the most traffic first, not the least work */
    bool want_next;    /**< the least sum of work rejected for time is asked for; narrow_thin() knows by itself */
    inlay_time limit;  /**< most work of a cluster; INT64_MAX where time does not bind */
} narrow_rule;

/**
 * Merge the pair with the smallest sum of work (then the larger traffic, then the smaller numbers) until the rule is
 * met or no allowed pair is left.
 */
int narrow_thin(partition *part, const narrow_rule *rule, inlay_time *next, inlay_diag *diag);

/** Most clusters with a module in one slot; -1 when out of memory. */
inlay_id narrow_most(const partition *part);

#endif
