/*
 * The methods, each a file of its own and a row of the table in methods.c. A row says what a method keeps to
 * (inlay_method in inlay/mapping.h), and how it is run in one of four ways:
 *
 *   merge         clusters of one module each are merged; reduction to P processors and the layout follow
 *   merge_under   the same under a time frame
 *   place         every module is given a processor; nothing follows
 *   choose        the same, of what other methods do
 */
#ifndef CLUSTER_METHOD_H
#define CLUSTER_METHOD_H

#include "cluster/ascent.h"
#include "cluster/partition.h"
#include "problem/frame.h"

typedef struct cluster_method {
    inlay_method is; /**< what is said of it in public; first, so that a pointer to it is one to the row */

    /** Merge clusters, of single modules at first, where pins and memory allow it. */
    int (*merge)(partition *part, inlay_diag *diag);

    /**
     * The same in place of `merge`, under a time frame that the clusters follow.
     * @param limit      the time frame in grains: no cluster has more work
     * @param want_next  find `next` exactly, which may cost a search more
     * @param next       the least sum of work rejected for time: lowered, never raised
     */
    int (*merge_under)(partition *part, inlay_time limit, bool want_next, inlay_time *next, inlay_diag *diag);

    /** The beginning that runs under rising time frames share; NULL: none, they begin with single modules. */
    int (*begin)(ascent *shared, const problem *p, inlay_time limit, partition *result, inlay_diag *diag);

    /**
     * In place of `merge`.
     * @param processor_of  of every module, filled in: one of the first p->processors
     * @param order         filled in: all modules, each behind its predecessors; a processor runs its own as they stand here
     */
    int (*place)(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag);

    /** In place of `place`. @param winner  filled in: whose schedule it is */
    int (*choose)(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_winner *winner, inlay_diag *diag);
} cluster_method;

/* The rows, each in the file of its name. */
extern const cluster_method houstis_method, linear_method, dls_method, heft_method, heft_contention_method, cpop_method,
    peft_method, lookahead_method, etf_method, mcp_method, min_min_method, max_min_method, dsc_method,
    dsc_contention_method, sarkar_method, acyclic_method, one_method, round_robin_method, blocks_method,
    block_cyclic_method, random_method, multilevel_method, metis_method, scotch_method, best_method;

/** The method that the options ask for: the first of the table by default. */
const cluster_method *method_of(const inlay_options *options);

/** Its row in the table. */
size_t method_row(const inlay_method *method);

/** INLAY_BAD_ARGUMENT where the problem has something that the method takes no account of. */
int method_check(const problem *p, inlay_diag *diag);

/** INLAY_BAD_ARGUMENT where its clusters do not follow the time frame, which is what is to be looked at. */
int method_needs_frame(const inlay_options *options, inlay_diag *diag);

#endif
