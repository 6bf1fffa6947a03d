/*
 * Which rank computes which iteration (paper, section 3.2; see irregular.h for the rules).
 *
 * The runtime iteration graph, RIG, lists the elements that each iteration touches; it is local, a plain CSR that the
 * program fills. Dereferenced it becomes the RIPA: how many different elements each iteration has on each rank. The
 * iteration partitioner then chooses.
 *
 *     inlay_ripa_make()          deref_rig              from elements to ranks
 *     inlay_iterations_make()    iteration_partitioner  the iterations of this rank, with their RIG
 *     inlay_iterations_order()                          those first that need nothing of others
 */
#ifndef INLAY_IRREGULAR_ITERATIONS_H
#define INLAY_IRREGULAR_ITERATIONS_H

#include <inlay/irregular_table.h>

/** The iterations that this rank holds, and what they touch. All arrays are the caller's. */
typedef struct inlay_rig {
    int32_t iterations;
    const int64_t *iteration; /**< [iterations]: global numbers; NULL: first, first + 1, ... */
    int64_t first;
    const int64_t *start;   /**< [iterations + 1] into `element`; NULL: `touched` elements each */
    int32_t touched;        /**< of each iteration, where `start` is NULL */
    const int64_t *element; /**< global numbers; the first of an iteration is the one that it writes (owner computes) */
} inlay_rig;

/** Of each iteration the ranks on which it has elements, ascending, and how many different ones. */
typedef struct inlay_ripa {
    int32_t iterations;
    int64_t *start; /**< [iterations + 1] */
    int32_t *rank;
    int32_t *count;
    int32_t *writer; /**< [iterations]: the owner of the first element; -1 for an iteration that touches nothing */
} inlay_ripa;

/** INLAY_BAD_ARGUMENT where an element is out of range, start[] does not ascend from 0, or a number is negative. Collective. */
INLAY_API int inlay_ripa_make(const inlay_table *table, const inlay_rig *rig, inlay_ripa **ripa, inlay_diag *diag);
INLAY_API void inlay_ripa_free(inlay_ripa *ripa);

typedef enum inlay_iteration_rule {
    INLAY_ITERATION_OWNER,     /**< owner computes: the rank that owns the element written */
    INLAY_ITERATION_MAX_OWNER, /**< the rank with most elements; of t equal ones number (iteration mod t), ascending */
    INLAY_ITERATION_BALANCED /**< as MAX_OWNER, but no rank gets more than (1 + imbalance) times the average, or than the
                                  average rounded up: iterations move from full ranks to those where they lose the fewest
                                  elements */
} inlay_iteration_rule;

/** The iterations that this rank shall compute, ascending by global number. */
typedef struct inlay_iterations {
    int32_t count;
    int64_t *iteration; /**< [count]: global numbers */
    int64_t *start;     /**< [count + 1] into `element` */
    int64_t *element;   /**< their RIG, as it was given */
    int64_t local;      /**< of all ranks: different elements that are touched on their own rank */
    int64_t elements;   /**< of all ranks: different elements of each iteration, added up */
} inlay_iterations;

/**
 * @param rig, ripa  of the same iterations, each of which is held by one rank
 * @param rule       the same on all ranks
 * @param imbalance  of INLAY_ITERATION_BALANCED, >= 0, in shares of the average: 0.05; the same on all ranks
 *
 * An iteration that touches nothing goes to rank (iteration mod P). INLAY_BAD_ARGUMENT where the arguments are others, and
 * where two ranks hold the same iteration, as far as both give it to the same rank. Collective.
 */
INLAY_API int inlay_iterations_make(const inlay_table *table, const inlay_rig *rig, const inlay_ripa *ripa,
                                    inlay_iteration_rule rule, double imbalance, inlay_iterations **iterations,
                                    inlay_diag *diag);

/**
 * Puts the iterations of this rank in the order in which they are to run: first those that touch elements of this rank alone, which need
 * not wait for values of others, then the others; each by the lowest offset in `table` of what they touch, then by number.
 * The table of their own is then inlay_table_owned() of `iteration`.
 *
 * @param inner  how many the first are
 * Collective.
 */
INLAY_API int inlay_iterations_order(const inlay_table *table, inlay_iterations *iterations, int32_t *inner,
                                     inlay_diag *diag);
INLAY_API void inlay_iterations_free(inlay_iterations *iterations);

#endif
