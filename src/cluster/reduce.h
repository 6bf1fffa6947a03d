/* Reduction of parallelism, H1 and H2 of Houstis, Houstis, Rice, section 4. */
#ifndef CLUSTER_REDUCE_H
#define CLUSTER_REDUCE_H

#include "cluster/partition.h"

/**
 * Merge clusters until at most `processors` are left, as far as memory, pins and `limit` (INT64_MAX: time does not
 * bind) allow: part->count tells whether it was reached.
 * @param next  the least sum of work rejected for time: lowered, never raised. May be NULL.
 */
int reduce_parallelism(partition *part, inlay_id processors, inlay_reduce heuristic, bool by_traffic, inlay_time limit,
                       inlay_time *next, inlay_diag *diag);

#endif
