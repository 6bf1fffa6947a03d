/* Merging the clusters that communicate most where every pair may merge. */
#ifndef MAPPING_CROWD_BUSIEST_H
#define MAPPING_CROWD_BUSIEST_H

#include "mapping/partition.h"

/**
 * Merge the communicating pair with the most traffic (then the smallest sum of work, then the smaller numbers) that pins
 * and memory allow, while there is one and more than `most` clusters are left.
 * @param next  the least sum of work rejected for time: lowered, never raised
 */
int crowd_merge_busiest(partition *part, inlay_id most, inlay_time limit, inlay_time *next);

#endif
