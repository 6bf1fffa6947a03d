/*
 * Layout on machines with distance: clusters onto processors so that the sum of c d, traffic times distance, is small.
 * Section 4 of CSD-TR-86-576, rule 3 (nearest placement), and what makes it work at scale.
 *
 * The problem stands by itself: it knows clusters, processors and distances, and nothing of applications or machines.
 */
#ifndef LAYOUT_FAR_H
#define LAYOUT_FAR_H

#include <inlay/machine.h>

enum {
    LAYOUT_TABLE_PROCESSORS =
        4096, /**< up to here distances are asked once and kept, and every exchange is looked at */
    LAYOUT_LARGEST_DISTANCE = 65535 /**< what is beyond counts as this */
};

/** All arrays are the caller's. */
typedef struct far_problem {
    inlay_id clusters;   /**< at most as many as processors */
    inlay_id processors; /**< at least one */

    /* Traffic between clusters, as in cluster_graph.h: each pair stands in both rows, once; no cluster in its own row. */
    const int64_t *begin; /**< clusters + 1 */
    const inlay_id *neighbour;
    const int64_t *traffic; /**< at least 0; the sum of all, times the largest distance, stays below 2^61 */

    const inlay_id *pin; /**< processor of every cluster, or -1; no two alike. NULL: no cluster is pinned */

    /** At least 0; 0 from a processor to itself. Taken as symmetric: it is asked with a < b alone. */
    int (*distance)(const void *context, inlay_id a, inlay_id b);
    /** Whether a cluster may stand on a processor. NULL: everywhere. Not asked for pinned clusters. */
    bool (*allowed)(const void *context, inlay_id cluster, inlay_id processor);
    const void *context; /**< of both */

    uint64_t seed; /**< of the search; the same seed gives the same layout */
} far_problem;

/** Sums of c d, each pair of clusters counted once. */
typedef struct far_figures {
    int64_t nearest; /**< after the nearest placement */
    int64_t sum;     /**< of the layout that is returned */
    bool optimal;    /**< all layouts were looked at: none has a smaller sum */
} far_figures;

/**
 * The best of several layouts, improved by exchanges:
 *
 *   nearest placement: the cluster with most traffic to those that have a place comes next, then the one with most
 *   traffic at all; it goes to the free processor that adds least to the sum. Lower numbers win ties.
 *   in order: pinned clusters where they are pinned, the others in order on the processors that are left.
 *   recursive bisection: processors are split by distance, clusters by traffic (layout_tree.c, layout_bisect.c).
 *   from the best of these a search that puts up with losses for a while (layout_search.c); where there are no more than
 *   8! layouts, all of them are looked at in its place (layout_exact.c).
 *
 * No exchange of two clusters, and no move of one to a free processor, lowers the sum of the result; but where
 * processors x pairs with traffic, or processors, are so many that not all exchanges can be looked at (layout_state.h),
 * this holds of those nearby alone, as far as the steps go that they are given.
 *
 * @param processor  of every cluster, each processor at most once
 * @param figures    may be NULL
 * INLAY_NO_ANSWER, without a message, where `allowed` leaves some cluster without a processor.
 */
int far_layout(const far_problem *problem, inlay_id *processor, far_figures *figures, inlay_diag *diag);

#endif
