/*
 * Partitioning a graph that one rank has whole, in many levels: coarsening by pairs, a first partition of the smallest
 * graph, and improvement on every level of the way back. What there already is can be put to use: edges that a given
 * partition cuts are not contracted, so that it is one of the coarser graphs too, and is only ever improved.
 */
#ifndef IRREGULAR_PARTITION_KWAY_H
#define IRREGULAR_PARTITION_KWAY_H

#include "base/memory.h"
#include <inlay/status.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An undirected graph in CSR form: both arcs of an edge, no loops, no duplicates. */
typedef struct kway_graph {
    memory_pool arrays; /**< owns them, where any are owned */
    int32_t vertices;
    int64_t *start; /**< [vertices + 1] */
    int32_t *neighbour;
    int64_t *weight; /**< of arcs */
    int64_t *load;   /**< [vertices x weights] */
    int32_t weights; /**< loads of a vertex, 1 .. INLAY_MOST_WEIGHTS */
} kway_graph;

/** How many parts, and what each may weigh. */
typedef struct kway_goal {
    int32_t parts;
    const int64_t *limit; /**< [parts x weights] */
    const double *scale;  /**< [weights] by which loads of several weights can be compared; NULL where there is one */
} kway_goal;

/** How good a partition is: less is better, `excess` first. */
typedef struct kway_worth {
    int64_t excess; /**< load above the limits */
    int64_t cut;
} kway_worth;

kway_worth kway_worth_of(const kway_graph *g, const kway_goal *goal, const int32_t *part,
                         int64_t *load); /**< load[parts x weights]: out */

/** What loads [parts x weights] are above the limits, all together. */
int64_t kway_excess(const kway_goal *goal, int32_t weights, const int64_t *load);

/** An amount of load, where there are several weights in units that are the same for all. */
static inline int64_t kway_scaled(const kway_goal *goal, int32_t weight, int64_t amount)
{
    return goal->scale == NULL ? amount : (int64_t)ceil((double)amount * goal->scale[weight]);
}

/** Whether two rows of loads together keep to a row of limits; the first weight is often all. */
static inline bool kway_fits(int32_t weights, const int64_t *one, const int64_t *other, const int64_t *limit)
{
    bool fits = one[0] + other[0] <= limit[0];
    for (int32_t w = 1; w < weights && fits; w++) {
        fits = one[w] + other[w] <= limit[w];
    }
    return fits;
}

/** Adds a row of loads to another, `times` over: 1 or -1. */
static inline void kway_add(int32_t weights, int64_t *to, const int64_t *load, int64_t times)
{
    to[0] += times * load[0];
    for (int32_t w = 1; w < weights; w++) {
        to[w] += times * load[w];
    }
}

/** Whether two rows of loads are the same. */
static inline bool kway_same(int32_t weights, const int64_t *one, const int64_t *other)
{
    bool same = one[0] == other[0];
    for (int32_t w = 1; w < weights && same; w++) {
        same = one[w] == other[w];
    }
    return same;
}

/** The loads of vertex v; `weights` numbers. */
static inline const int64_t *kway_load(const kway_graph *g, int32_t v)
{
    return g->load + (ptrdiff_t)v * g->weights;
}

static inline bool kway_better(kway_worth a, kway_worth b)
{
    return a.excess != b.excess ? a.excess < b.excess : a.cut < b.cut;
}

static inline void kway_graph_clear(kway_graph *g)
{
    pool_clear(&g->arrays);
}

/* ---- Levels ---- */

/**
 * Contracts pairs of neighbours, heavy edges between light vertices first.
 *
 * @param label     [vertices] only vertices of equal labels become pairs; NULL: any
 * @param heaviest  [weights] no pair has a greater load
 * @param coarse    [vertices]: out, the vertex of `coarser` that each becomes part of
 */
int kway_coarsen(const kway_graph *g, const int64_t *label, const int64_t *heaviest, uint64_t seed, int32_t *coarse,
                 kway_graph *coarser, inlay_diag *diag);

/** The vertices of one side, and the edges between them. member[]: out, their numbers in g, ascending; room for all. */
int kway_extract(const kway_graph *g, const int32_t *side, int32_t which, int32_t *member, kway_graph *part,
                 inlay_diag *diag);

/* ---- One level ---- */

/**
 * Searches that begin at single vertices of the boundary, in an order drawn by the seed: vertices around move one after
 * the other, best gain first, each once in a round, and the best state on the way is kept (P. Sanders and C. Schulz,
 * Engineering multilevel graph partitioning algorithms, 2011, after Fiduccia and Mattheyses). Parts above their limit give
 * away vertices first. part[vertices]: in and out; never worse than before.
 */
int kway_refine(const kway_graph *g, const kway_goal *goal, uint64_t seed, int32_t *part, inlay_diag *diag);

/**
 * Several loads a vertex: the part and the weight that are furthest above their limit give away vertices, those that cost the
 * least cut first, as long as what is above the limits falls. In small graphs pairs of vertices change places, too, which is
 * also done where that lowers the cut. part[] and load[parts x weights]: in and out; never worse than before.
 */
int kway_balance(const kway_graph *g, const kway_goal *goal, int32_t *part, int64_t *load, inlay_diag *diag);

/** The least cuts between each two parts in a band around their boundary that keep the limits, found by flows. Likewise. */
int kway_flow(const kway_graph *g, const kway_goal *goal, int32_t *part, inlay_diag *diag);

/* ---- All levels ---- */

/** A new partition, by recursive bisection of the smallest graph. part[vertices]: out. */
int kway_begin(const kway_graph *g, const kway_goal *goal, uint64_t seed, int32_t *part, inlay_diag *diag);

/** Improves a partition by a way down and up again that keeps what it cuts, and what `other` cuts (NULL: nothing more). */
int kway_again(const kway_graph *g, const kway_goal *goal, uint64_t seed, const int32_t *other, int32_t *part,
               inlay_diag *diag);

#endif
