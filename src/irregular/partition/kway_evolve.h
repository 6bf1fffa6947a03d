/* Many partitions of a graph that one rank has whole, and better ones made of them. */
#ifndef IRREGULAR_PARTITION_KWAY_EVOLVE_H
#define IRREGULAR_PARTITION_KWAY_EVOLVE_H

#include "irregular/partition/kway.h"

enum { KWAY_POPULATION = 12 };

/** The partitions there are: the best of them is never lost. */
typedef struct kway_population {
    const kway_graph *graph;
    const kway_goal *goal;
    uint64_t seed; /**< of what comes next */
    int members;
    int32_t *part[KWAY_POPULATION]; /**< [vertices] */
    kway_worth worth[KWAY_POPULATION];
} kway_population;

void kway_population_clear(kway_population *p);

/** A partition that is known: improved first, then taken in. */
int kway_population_add(kway_population *p, const int32_t *part, inlay_diag *diag);

/**
 * One more: a new one until there are `begin`; from then on the child of two that were drawn, the better of which it
 * begins with, or of one. It takes the place of the one most like it among those that are no better (P. Sanders and
 * C. Schulz, Distributed evolutionary graph partitioning, 2012).
 */
int kway_population_step(kway_population *p, int begin, inlay_diag *diag);

/** The best member; -1: there is none. */
int kway_population_best(const kway_population *p);

#endif
