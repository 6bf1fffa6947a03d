/*
 * Joining clusters by the thousand. While it lasts only the sums of a cluster are current, and its traffic is asked for
 * where it is wanted; what else a partition keeps of a cluster is made once, at the end. Merging one by one would move
 * every neighbour of a cluster each time.
 */
#ifndef CLUSTER_NARROW_JOIN_H
#define CLUSTER_NARROW_JOIN_H

#include "cluster/partition.h"

typedef struct joining {
    partition *part;
    inlay_id *next; /**< of a cluster of the beginning: the next one in the same cluster, or -1 */
    inlay_id *last; /**< of a root: the last one in its cluster */
} joining;

int joining_begin(partition *part, joining *result); /**< INLAY_OK or INLAY_NO_MEMORY */

/** The second cluster becomes part of the first, which stays a root. */
void joining_join(joining *j, inlay_id into, inlay_id from);

/** Walk over a cluster's neighbours: from {root}. One may come several times, each with a part of the traffic. */
typedef struct joined_walk {
    inlay_id part; /**< cluster of the beginning; -1 when the walk is over */
    walk inside;
} joined_walk;

static inline bool joining_next_neighbour(const joining *j, joined_walk *w, inlay_id *neighbour, int64_t *traffic)
{
    while (w->part >= 0) {
        if (partition_next_neighbour(j->part, w->part, &w->inside, neighbour, traffic)) {
            *neighbour = partition_root(j->part, *neighbour);
            return true;
        }
        *w = (joined_walk){.part = j->next[w->part]};
    }
    return false;
}

/** Make the partition whole again; INLAY_NO_MEMORY leaves it unusable but safe to clear. */
int joining_end(joining *j);
void joining_clear(joining *j);

#endif
