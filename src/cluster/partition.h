/*
 * A partition of the modules into clusters that only ever merge: who belongs where, what merging two would cost, and
 * whether it is allowed. Clusters are named by their root, a module of theirs.
 */
#ifndef CLUSTER_PARTITION_H
#define CLUSTER_PARTITION_H

#include "base/hash.h"
#include "cluster/eligible.h"
#include "cluster/slot_set.h"
#include "cluster/traffic_table.h"
#include "problem/problem.h"

/* With overlap: the modules of a cluster. */
typedef struct crew {
    uint64_t *conflict; /**< union of their rows */
    inlay_id *members;
    inlay_id size;
} crew;

/* What a cluster of several modules keeps beside its sums. */
typedef struct merged {
    traffic_table neighbours; /**< root of every communicating cluster -> traffic with it */
    slot_set slots;           /**< that its modules occupy */
    crew *crew;               /**< NULL by level */
} merged;

typedef struct cluster {
    inlay_time work;
    int64_t memory;
    inlay_id least; /**< smallest module number */
    inlay_id pin;   /**< processor, or -1 */
    merged *more;   /**< NULL for a single module, whose facts are the problem's */
} cluster;

typedef struct partition {
    const problem *p;
    inlay_id count;    /**< clusters left */
    inlay_id *parent;  /**< union-find */
    cluster *clusters; /**< valid at roots */
    inlay_id *changed; /**< scratch: roots whose traffic with the last merged cluster is the sum of two */
    size_t changed_count, changed_capacity;
    int64_t queue_operations; /**< of the greedy rule: pairs put into its queues and taken out */
    eligible *eligible;       /**< where processors differ, and a time frame is in force; else NULL. Owned */
    bool forgetful;           /**< clusters forget neighbours that they can never merge with: smaller tables */
} partition;

void cluster_add(cluster *into, const cluster *from); /**< the sums of two clusters */
void cluster_forget(cluster *c);                      /**< frees what it keeps beside them */

/** Singletons; modules pinned to one processor are together from the start. */
int partition_make(const problem *p, partition *result, inlay_diag *diag);

/** The clusters of `cluster_of`, numbers below `clusters`. */
int partition_from(const problem *p, const inlay_id *cluster_of, inlay_id clusters, partition *result,
                   inlay_diag *diag);
void partition_clear(partition *part);

static inline inlay_id partition_root(const partition *part, inlay_id module)
{
    while (part->parent[module] != module) {
        part->parent[module] = part->parent[part->parent[module]];
        module = part->parent[module];
    }
    return module;
}

/**
 * The time frame that binds from now on, in grains (INT64_MAX: none). Only processors that differ make partition_fits()
 * look at it: then there must be enough of them for the clusters that they alone can take.
 */
int partition_bind(partition *part, inlay_time limit);

/** Traffic between two clusters, by their roots. */
int64_t partition_traffic(const partition *part, inlay_id a, inlay_id b);

/** Whether pins and memory, and where processors differ the bound time frame, let two clusters merge. */
bool partition_fits(const partition *part, inlay_id a, inlay_id b);

/** Whether two clusters hold modules that are parallel. */
bool partition_parallel(const partition *part, inlay_id a, inlay_id b);

/** Whether a cluster occupies a slot. */
bool partition_has_slot(const partition *part, inlay_id root, int32_t slot);

/**
 * Merge two clusters; *root is the root of the new one. part->changed then holds the clusters that communicated with
 * both. INLAY_NO_MEMORY leaves the partition unusable but safe to clear.
 */
int partition_merge(partition *part, inlay_id a, inlay_id b, inlay_id *root);

/** Ends being forgetful, and finds all neighbours again. INLAY_NO_MEMORY leaves it unusable but safe to clear. */
int partition_remember(partition *part);

/** Walk over neighbours or slots of a cluster. */
typedef struct walk {
    int64_t at;
    uint32_t slot;
} walk;

/** The next neighbour; a single module's may name one cluster several times, each with a part of the traffic. */
bool partition_next_neighbour(const partition *part, inlay_id root, walk *w, inlay_id *neighbour, int64_t *traffic);
bool partition_next_slot(const partition *part, inlay_id root, walk *w, int32_t *slot);

/** How many clusters occupy each slot; freed by the caller. NULL when out of memory. */
inlay_id *partition_count_slots(const partition *part);

/** Upper bound of the number of neighbours: what walking over them costs. */
int64_t partition_degree(const partition *part, inlay_id root);

/** Numbers clusters by their smallest module: fills cluster_of[modules]. */
void partition_label(const partition *part, inlay_id *cluster_of);

#endif
