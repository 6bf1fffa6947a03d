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

/** Who runs where, in which order: a list a cluster. A module of several cores stands in as many lists. */
typedef struct order_lists {
    inlay_id clusters;
    int64_t *begin;   /**< clusters + 1 */
    inlay_id *module; /**< list by list */
} order_lists;

void order_lists_clear(order_lists *lists);

/** A copy. INLAY_NO_MEMORY without a message. */
int order_lists_copy(const order_lists *from, order_lists *result);

/**
 * @param given  NULL, or without an array: none. It is not looked at where the options ask for a rule
 * @param order  array of `modules` entries, filled in
 * INLAY_BAD_ARGUMENT where the order that is given can never be run: the diagnostic names the modules that wait for each other.
 */
int execution_order(const problem *p, const order_lists *given, inlay_id *order, inlay_diag *diag);

#endif
