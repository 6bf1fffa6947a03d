/* The greedy rule among clusters without traffic between them, which comes when no communicating pair is left. */
#ifndef CLUSTER_UNRELATED_H
#define CLUSTER_UNRELATED_H

#include "cluster/greedy.h"

/**
 * Merge the compatible pair of the least work (then the smaller member numbers) until none fits the limit or so few
 * clusters are left as the rule says.
 * @param next  the least sum of work rejected for time: lowered, never raised
 */
int merge_unrelated(partition *part, const greedy_rule *rule, inlay_time *next);

#endif
