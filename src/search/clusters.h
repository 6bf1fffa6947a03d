/*
 * Clusters that merge and come apart again, last in, first out. What src/mapping/partition.h does once, in less memory,
 * this does over and over: every module has its table of neighbours from the start, and a merged cluster keeps its own.
 *
 * Parallel by level alone: a cluster's levels are bits, and clusters that merge have none in common.
 */
#ifndef SEARCH_CLUSTERS_H
#define SEARCH_CLUSTERS_H

#include "base/memory.h"
#include "cluster/pair_heap.h"
#include "cluster/traffic_table.h"
#include "problem/problem.h"

typedef struct group {
    inlay_time work;
    int64_t memory;
    inlay_id least; /**< smallest module number */
    inlay_id pin;   /**< processor, or -1 */
    traffic_table neighbours;
} group;

/** A merger: `from` became part of `into`, which before had this least module and this pin. */
typedef struct joint {
    inlay_id into, from, least, pin;
} joint;

typedef struct clusters {
    memory_pool arrays; /**< owns them */
    const problem *p;
    inlay_id *root;   /**< of every module: the module that its cluster is named by */
    inlay_id *after;  /**< of every module: the next one of its cluster, in a ring */
    group *groups;    /**< valid at roots, and as they were where merged */
    uint64_t *levels; /**< `words` of them a group */
    size_t words;
    joint *joints; /**< that can be taken back */
    size_t joined;
    inlay_id *changed; /**< roots whose traffic with the last merged cluster is the sum of two */
    inlay_id changed_count;
} clusters;

/** Bytes that it will take, tables aside. */
double clusters_bytes(const problem *p);

/** Singletons; modules pinned to one processor are together for good. */
int clusters_make(const problem *p, clusters *result, inlay_diag *diag);
void clusters_clear(clusters *c);

/** The pair of two roots as a candidate. */
pair clusters_pair(const clusters *c, inlay_id a, inlay_id b, int64_t traffic);

/** Whether two clusters may be one, time aside. */
bool clusters_compatible(const clusters *c, inlay_id a, inlay_id b);

static inline int64_t clusters_traffic(const clusters *c, inlay_id a, inlay_id b)
{
    return traffic_table_get(&c->groups[a].neighbours, b, 0);
}

static inline const uint64_t *clusters_levels(const clusters *c, inlay_id root)
{
    return c->levels + (size_t)root * c->words;
}

/** Merge; *root is the root of both. False when out of memory: then it is fit for clusters_clear() alone. */
bool clusters_merge(clusters *c, inlay_id a, inlay_id b, inlay_id *root);

/** Take mergers back until `joined` are left. False as above. */
bool clusters_part(clusters *c, size_t joined);

#endif
