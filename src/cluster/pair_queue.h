/*
 * The communicating pairs of a partition in the order of the greedy rule. Merging changes the keys of all pairs of a
 * cluster at once, which is found out when they come up. A cluster with very many neighbours keeps its pairs apart, in an
 * order that does not change as it grows, and one of them stands in the queue for all.
 */
#ifndef CLUSTER_PAIR_QUEUE_H
#define CLUSTER_PAIR_QUEUE_H

#include "cluster/pair_heap.h"
#include "cluster/partition.h"

typedef struct pair_hub {
    pair_heap others; /**< .traffic, and .work and .low of the other cluster alone */
    pair shown;       /**< the pair that stands for them; .traffic < 0: none */
} pair_hub;

typedef struct pair_queue {
    partition *part;
    bool together; /**< parallel clusters may be one, too */
    pair_heap pairs;
    id_map hub_of; /**< root -> index of its hub, plus 1 */
    pair_hub *hubs;
    size_t hub_count, hub_capacity;
} pair_queue;

/** With all pairs of the partition as it is; INLAY_NO_MEMORY leaves it fit for pair_queue_clear() alone, as below. */
int pair_queue_make(partition *part, bool together, pair_queue *result);
void pair_queue_clear(pair_queue *queue);

/** Take out the first pair that pins, memory and parallelism allow; *a < 0 where there is none. */
int pair_queue_next(pair_queue *queue, pair *first, inlay_id *a, inlay_id *b);

/** Merge two clusters; traffic of theirs that grew waits anew. */
int pair_queue_merge(pair_queue *queue, inlay_id a, inlay_id b);

#endif
