/*
 * A slow, plain reference for layouts on machines with distance: traffic and distances as square tables, sums anew each
 * time, the best of all layouts, and what single exchanges bring.
 */
#ifndef UNIT_SLOW_FAR_H
#define UNIT_SLOW_FAR_H

#include "layout/far.h"

enum { FAR_MOST = 100 };

typedef struct far_case {
    inlay_id clusters, processors;
    int64_t traffic[FAR_MOST][FAR_MOST]; /**< symmetric */
    int distance[FAR_MOST][FAR_MOST];    /**< symmetric */
    inlay_id pin[FAR_MOST];
    bool barred[FAR_MOST][FAR_MOST]; /**< [cluster][processor]: it may not stand there */

    /* The same for far_layout(), filled in by far_case_problem(). */
    int64_t begin[FAR_MOST + 1];
    inlay_id neighbour[FAR_MOST * FAR_MOST];
    int64_t weight[FAR_MOST * FAR_MOST];
} far_case;

/** The distances of a machine: "mesh", "torus", "ring", "hypercube", "star", "tree", "cores" (four a host), "random"
    (some processors are far from all). */
void far_case_distances(far_case *c, const char *machine, inlay_id processors, uint64_t *state);

/** One pair of clusters in `sparseness` has traffic, 1 to `most`. No pins, nothing barred. */
void far_case_traffic(far_case *c, inlay_id clusters, int sparseness, int most, uint64_t *state);

/** Some clusters are pinned, and some processors barred; a layout is left. */
void far_case_restrict(far_case *c, uint64_t *state);

far_problem far_case_problem(far_case *c);

/** Sum of traffic times distance. */
int64_t slow_far_sum(const far_case *c, const inlay_id *processor);

/** Aborts the test unless every cluster stands on a processor of its own that it may stand on. */
void slow_far_check(const far_case *c, const inlay_id *processor, const char *what);

/** The least sum of all layouts. */
int64_t slow_far_optimum(const far_case *c);

/** The least sum after one exchange, or one move to a free processor; the sum itself where none lowers it. */
int64_t slow_far_after_exchange(const far_case *c, const inlay_id *processor);

#endif
