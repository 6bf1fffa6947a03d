/* The order of execution: one topological order for all, of which every processor runs its own modules. */
#ifndef PROBLEM_ORDER_H
#define PROBLEM_ORDER_H

#include "problem/problem.h"

/**
 * The order that takes, among modules whose predecessors are all taken, the least (b, -bottom level, number).
 * @param order  array of `modules` entries, filled in
 */
int execution_order(const problem *p, inlay_id *order, inlay_diag *diag);

#endif
