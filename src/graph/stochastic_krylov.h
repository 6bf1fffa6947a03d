/*
 * The core of a part by BiCGSTAB: H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992), with an incomplete
 * factorisation before it. It is for loops that form a plane or a space: they neither come apart by elimination nor
 * settle by sweeps.
 */
#ifndef GRAPH_STOCHASTIC_KRYLOV_H
#define GRAPH_STOCHASTIC_KRYLOV_H

#include "base/memory.h"
#include "graph/stochastic_eliminate.h"

/** Equations pivot_t x_t = b_t + sum of share x_place, for t = 0 .. count-1. A solver owns none of the arrays. */
typedef struct sg_equations {
    inlay_id count;
    size_t *begin; /**< count + 1: of each equation in the two arrays that follow */
    inlay_id *place;
    double *share;
    double *b, *pivot;
    double *leak;  /**< pivot - the shares of x_t in all equations (forward) or in its own one (backward) */
    bool balanced; /**< no visit multiplies: every leak is 0 or more, and right in all digits */
    bool backward;
} sg_equations;

/** What is right for as long as the equations stay. Zero-initialised is empty. */
typedef struct sg_krylov {
    memory_pool arrays; /**< owns them */
    const sg_equations *equations;
    size_t *split;              /**< of each equation: where the shares of later places begin */
    double *diagonal, *inverse; /**< of the incomplete factors, and 1 / that */
    double *vectors;            /**< all that follow */
    double *residual, *shadow, *direction, *image, *step, *step_image, *solution, *scratch;
} sg_krylov;

/** Make the factors. Sorts the shares of each equation: earlier places first. False when out of memory. */
bool sg_krylov_open(sg_krylov *k, sg_equations *equations);
void sg_krylov_clear(sg_krylov *k);

/** Solve for what is missing in x, until a ten-millionth of the residual is left: added to x. */
sg_outcome sg_krylov_correct(sg_krylov *k, double *x);

#endif
