/* Reduction of parallelism, H1 and H2 of Houstis, Houstis, Rice, section 4. */
#ifndef MAPPING_REDUCE_H
#define MAPPING_REDUCE_H

#include "mapping/partition.h"

/**
 * Merge clusters until at most `processors` are left, as far as memory, pins and `limit` (INT64_MAX: time does not
 * bind) allow: part->count tells whether it was reached.
 * @param next  the least sum of work rejected for time: lowered, never raised. May be NULL.
 */
int reduce_parallelism(partition *part, inlay_id processors, inlay_reduce heuristic, bool by_traffic, inlay_time limit,
                       inlay_time *next, inlay_diag *diag);

#endif
