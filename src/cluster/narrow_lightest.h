/* Merging the lightest clusters where every pair may merge. */
#ifndef CLUSTER_NARROW_LIGHTEST_H
#define CLUSTER_NARROW_LIGHTEST_H

#include "cluster/partition.h"

/**
 * Merge the pair with the smallest sum of work (then the larger traffic, then the smaller numbers) while more than
 * `most` clusters are left and the sum is at most `limit`. Nothing else forbids a pair, and no cluster is without work.
 * @param next  the least sum of work rejected for time: lowered, never raised
 */
int narrow_merge_lightest(partition *part, inlay_id most, inlay_time limit, inlay_time *next);

#endif
