/* Constraints that no clustering can mend: pins, memory of a module alone, the common memory. */
#ifndef MAPPING_FEASIBLE_H
#define MAPPING_FEASIBLE_H

#include "problem/problem.h"

/** INLAY_NO_ANSWER where one fails, with a machine that would do as the remedy. */
int check_feasible(const problem *p, inlay_diag *diag);

/**
 * The least number of processors from `from` on with which the question has an answer: more of them than a clustering
 * has clusters where T, which is chosen by their number, falls with it. `from` where none is found, or the graph is large.
 */
inlay_id sufficient_processors(const problem *p, inlay_id from);

#endif
