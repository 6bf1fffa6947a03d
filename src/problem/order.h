/*
 * The order of execution: one topological order for all, of which every processor runs its own modules.
 *
 * Where nobody gives an order it is the paper's: of the modules whose predecessors are all taken, the one with the least
 * blocking time b, then the longest way to an exit, then the smallest number; or by bottom level alone. Where an order is
 * given for each processor, the order for all is one that keeps to each.
 */
#ifndef PROBLEM_ORDER_H
#define PROBLEM_ORDER_H

#include "problem/problem.h"

/** An order that was given: clusters run their modules by rising rank. Without `rank`, none is. */
typedef struct given_order {
    const inlay_id *cluster_of; /**< of every module */
    const inlay_id *rank;       /**< of every module, each another of 0 .. modules-1; NULL: no order is given */
} given_order;

/**
 * @param given  NULL: none. It is not looked at where the options ask for a rule
 * @param order  array of `modules` entries, filled in
 * INLAY_BAD_ARGUMENT where the order that is given can never be run: the diagnostic names the modules that wait for each other.
 */
int execution_order(const problem *p, const given_order *given, inlay_id *order, inlay_diag *diag);

#endif
