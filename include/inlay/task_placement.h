/*
 * Task placement: which task of an SPMD program runs on which processor of the clusters that were selected for it
 * (J. B. Weissman, A. S. Grimshaw, section 2.2, figure 4).
 *
 * Between clusters, tasks that exchange messages lie so that as few messages as can be cross routers: the used clusters
 * are joined by the cheapest chain (line and ring) or tree of those that cross least often, so that clusters of one
 * network lie next to each other, and each holds a connected piece of the pattern. On the line clusters hold segments
 * one after the other; the ring closes from the last segment to the first; in the tree each cluster holds a subtree,
 * whose root answers to the root of its neighbour in the tree of clusters, and the cluster of the longest communication
 * holds the root of all.
 *
 * Within a cluster, neighbours in the pattern lie on neighbouring processors where that can be (dilation 1): lines and
 * rings follow a reflected Gray code through the mesh and the hypercube, trees are binomial in the hypercube and breadth
 * first in the mesh and the ring. A ring of an odd number of tasks has one way of two links there, for no such cycle
 * exists. On a bus or a switch all processors are equally far. Processors that may not be used are left out; what that
 * does to the dilation is told.
 */
#ifndef INLAY_TASK_PLACEMENT_H
#define INLAY_TASK_PLACEMENT_H

#include <inlay/metasystem.h>
#include <inlay/status.h>

typedef struct inlay_task_placement inlay_task_placement;

/** One task; tasks are numbered from 0 along the line or the ring, in the tree so that parents come before children. */
typedef struct inlay_task {
    int32_t cluster;
    int32_t processor; /**< of the cluster, 0 to total - 1; of a mesh: row x columns + column */
    int32_t parent; /**< tree: the task that it answers to, -1 for the root. Line, ring: the task before it; the first
                            has -1 on the line and the last task on the ring (-1 where it is alone) */
} inlay_task;

/** How one cluster holds its piece. */
typedef struct inlay_task_piece {
    int32_t cluster;
    int32_t first, tasks; /**< tasks first .. first + tasks - 1 */
    int32_t dilation;     /**< the longest way between neighbours within the cluster, in hops; 0: no two are there */
    double mean_dilation; /**< over all neighbours within the cluster; 0 likewise */
    int32_t depth;        /**< tree: neighbours on the longest way from the first task of the piece; else 0 */
} inlay_task_piece;

/**
 * @param processors  P_i of each cluster, at most what is available
 * @param bytes       of a message: decides which way between clusters is cheapest
 * @param time        T_i of each cluster, to choose the root of a tree: the longest, the first of equals. NULL: the
 *                    first used cluster
 * INLAY_BAD_ARGUMENT where `processors` or the metasystem cannot be.
 */
INLAY_API int inlay_task_placement_make(const inlay_metasystem *metasystem, inlay_pattern pattern,
                                        const int32_t *processors, double bytes, const double *time,
                                        inlay_task_placement **placement, inlay_diag *diag);
INLAY_API void inlay_task_placement_free(inlay_task_placement *placement);

INLAY_API int32_t inlay_task_placement_tasks(const inlay_task_placement *placement);
INLAY_API const inlay_task *inlay_task_placement_at(const inlay_task_placement *placement, int32_t task);

/** One piece a used cluster, in the order of their first tasks. */
INLAY_API int32_t inlay_task_placement_pieces(const inlay_task_placement *placement);
INLAY_API const inlay_task_piece *inlay_task_placement_piece(const inlay_task_placement *placement, int32_t i);

/** Neighbours in the pattern whose clusters differ, and whose networks differ; the sum of their r1 + (r2 + e1) bytes. */
INLAY_API int32_t inlay_task_placement_crossings(const inlay_task_placement *placement);
INLAY_API int32_t inlay_task_placement_router_crossings(const inlay_task_placement *placement);
INLAY_API double inlay_task_placement_cost(const inlay_task_placement *placement);

#endif
