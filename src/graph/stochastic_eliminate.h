/*
 * Linear equations of a stochastic graph, part by part: x = b + P^T x (forward: visits) and x = b + P x (backward: what
 * a visit causes), with P the links inside strongly connected parts.
 *
 * Modules are eliminated one at a time: each way i -> k -> j through module k becomes a link i -> j. What is left of
 * 1 - p_kk at that moment is the pivot; all pivots are positive where, and only where, the visits are finite (I - P^T
 * is an M-matrix: Berman and Plemmons, "Nonnegative Matrices in the Mathematical Sciences", chapter 6). Where no visit
 * multiplies, the pivot is taken as the sum of the ways out in place of the difference, as in W. K. Grassmann, M. I.
 * Taksar and D. P. Heyman, Oper. Res. 33 (1985): nothing is ever subtracted, and all digits are right however close to
 * 1 the gain of a loop is.
 *
 * Modules with the fewest new links come first. Where the links of a part have become too many, the modules that are
 * left, its core, are solved by sweeps (stochastic_sweep.c), or where these do not settle soon by BiCGSTAB
 * (stochastic_krylov.c); where that does not either, elimination goes on.
 */
#ifndef GRAPH_STOCHASTIC_ELIMINATE_H
#define GRAPH_STOCHASTIC_ELIMINATE_H

#include "base/memory.h"
#include "graph/stochastic.h"

typedef struct sg_entry {
    inlay_id id;
    double value;
} sg_entry;

/** A row or column: entries in the pool, from `begin` on. */
typedef struct sg_row {
    size_t begin;
    int32_t count, room;
    int32_t tidy; /**< entries when it was last without doublets and eliminated modules */
} sg_row;

typedef struct sg_matrix {
    memory_pool arrays; /**< owns them */
    inlay_id modules;
    sg_entry *pool;
    size_t used, capacity;
    sg_row *row,
        *column;  /**< links out of and into each module; those of eliminated ones as they were at that moment */
    double *back; /**< p_kk */
    double *leak; /**< 1 - sum of the row: what leaves the part; of use where `clean` */
    bool *clean;  /**< nothing was subtracted to find `leak` */
    double *pivot;
    bool *gone;      /**< eliminated */
    inlay_id *order; /**< of each part at its place: the eliminated modules in turn, then its core */
    inlay_id *core;  /**< by part: how many of its modules are left as its core, breadth-first */
    inlay_id *mark;  /**< for one row at a time: place of an id + 1, 0 where it is not there */
} sg_matrix;

/** Zero-initialised is empty; false when out of memory. Cleared in every case. */
bool sg_matrix_open(sg_matrix *m, inlay_id modules, inlay_id parts);
void sg_matrix_clear(sg_matrix *m);

typedef enum sg_outcome {
    SG_DONE,
    SG_NO_MEMORY,
    SG_GROWS,     /**< a visit to *culprit brings at least one more on the average: the visits are infinite */
    SG_STAYS,     /**< no visit leaves the part */
    SG_UNSETTLED, /**< the sweeps do not come to an end: the gain is too close to 1 */
} sg_outcome;

/** Fill in the links of a part; SG_STAYS where no visit leaves it. All its modules are its core then. */
sg_outcome sg_begin_part(sg_matrix *m, const inlay_stochastic *graph, const sg_parts *parts, inlay_id part);

/**
 * Eliminate modules of a part that has begun, until none is left or its links have become about half as many again. Called
 * again, it goes on. `gain` is what a visit to the culprit brings at least, where it grows.
 */
sg_outcome sg_eliminate(sg_matrix *m, const sg_parts *parts, inlay_id part, inlay_id *culprit, double *gain);

/** What goes through a part: the solution of the forward equations and their right-hand side. */
typedef struct sg_flow_through {
    const double *visits, *entering;
} sg_flow_through;

/**
 * Solve a part after its elimination. `b` is written over; `x` is filled in, for the part's modules alone.
 * @param sweeps   at most over its core, about
 * @param through  NULL: forward; else backward
 */
sg_outcome sg_solve_part(const sg_matrix *m, const sg_parts *parts, inlay_id part, int sweeps,
                         const sg_flow_through *through, double *b, double *x);

/** The core of a part by sweeps and BiCGSTAB, in the same way; sg_solve_part() calls it. `through` is of the core alone. */
sg_outcome sg_sweep(const sg_matrix *m, const inlay_id *core, inlay_id count, int sweeps,
                    const sg_flow_through *through, const double *b, double *x);

#endif
