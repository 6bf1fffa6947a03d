/* Clusterings before the processors are known, each as its article or file has it, with no heap, no bound and no table. */
#ifndef UNIT_SLOW_CLUSTERS_H
#define UNIT_SLOW_CLUSTERS_H

#include "slow.h"

/** Means of times; links by pair. */
typedef struct slow_tasks {
    const slow_problem *problem;
    int processors;
    double time[SLOW_MODULES];
    double lag[SLOW_MODULES][SLOW_MODULES], message[SLOW_MODULES][SLOW_MODULES];
    double rank[SLOW_MODULES];     /**< upward */
    int topological[SLOW_MODULES]; /**< place of every module in the application's order */
} slow_tasks;

/** @param of  cluster of every module, filled in; numbers with holes */
void slow_dsc(const slow_tasks *t, int *of);
void slow_sarkar(const slow_tasks *t, int *of);
void slow_acyclic(const slow_tasks *t, int *of);

#endif
