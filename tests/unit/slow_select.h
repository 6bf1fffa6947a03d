/*
 * Processor selection the slow way, written from the specification: every processor has its own share, T of EQ 5 is
 * found by bisection, and the best configurations are those of all.
 */
#ifndef UNIT_SLOW_SELECT_H
#define UNIT_SLOW_SELECT_H

#include <inlay/select_plain.h>

enum { SLOW_CLUSTERS = 8, SLOW_KEPT = 8 };

typedef struct slow_cycle {
    long double computation, communication, cycle;
    long double share[SLOW_CLUSTERS]; /**< largest of a cluster's processors */
} slow_cycle;

/** Rates must be whole numbers where the map is in whole units. */
slow_cycle slow_select_cost(const inlay_select_problem *problem, const int32_t *processors);

/** The costs of the best configurations, rising, and the first of them that was found; gives how many there are. */
int slow_select_best(const inlay_select_problem *problem, int keep, double *cost, int32_t *processors);

#endif
