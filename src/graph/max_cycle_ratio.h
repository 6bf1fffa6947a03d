/*
 * The largest ratio of weight to delay over all cycles of a directed graph, exactly.
 *
 * By policy iteration (R. A. Howard) on each strongly connected part: A. Dasdan, "Experimental analysis of the fastest
 * optimum cycle ratio and mean algorithms", ACM TODAES 9 (2004). Values are whole numbers of 128 bits, so that no
 * tolerance decides when it ends.
 */
#ifndef GRAPH_MAX_CYCLE_RATIO_H
#define GRAPH_MAX_CYCLE_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Links out of node i: those from begin[i] to begin[i + 1] - 1. Weights and delays are 0 or more, and each sum < 2^62. */
typedef struct cycle_graph {
    int32_t nodes;
    const size_t *begin; /**< nodes + 1 */
    const int32_t *to;
    const int64_t *weight, *delay; /**< every cycle has a delay above 0 */
} cycle_graph;

typedef struct cycle_ratio {
    bool found; /**< whether there is a cycle */
    int64_t weight, delay;
    int32_t *node; /**< the cycle, `count` of them: the caller's to free; NULL without one */
    int32_t count;
} cycle_ratio;

/** False when out of memory. */
bool max_cycle_ratio(const cycle_graph *graph, cycle_ratio *best);

#endif
