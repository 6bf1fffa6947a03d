/*
 * One schedule of an application after another, simulated: what a search asks for thousands of times. It gives what
 * inlay_simulate() gives for a mapping of that schedule under the same options, to the last bit, but makes no mapping, and
 * gives up early what takes too long.
 */
#ifndef SIMULATE_RERUN_H
#define SIMULATE_RERUN_H

#include "simulate/run.h"

typedef struct rerun {
    struct inlay_mapping mapping; /**< of the schedule at hand, as far as a run asks for it */
    plan plan;
    run run;
    inlay_id places;         /**< processors that schedules may use: the first so many */
    plan_processor *on;      /**< of every such processor */
    inlay_id *cluster_there; /**< likewise */
    inlay_id *list;          /**< modules, processor by processor */
} rerun;

/**
 * @param p       without data blocks, modules of several cores, and data in trees; what it points to has to outlive the
 *                result, which stays where it is
 * @param places  at most the machine's processors
 */
int rerun_make(const problem *p, inlay_id places, const inlay_simulation_options *options, rerun *result,
               inlay_diag *diag);
void rerun_clear(rerun *r);

/**
 * Simulate a schedule.
 * @param processor_of  of every module, below `places`
 * @param order         all modules; a processor runs its own as they stand here
 * @param tail          by module, grains: from its start to the end of all this schedule takes at least so long; or NULL
 * @param limit         grains; what is to take longer by `tail` is given up
 * @param elapsed       grains; INFINITY where it was given up, or cannot be run
 * @return INLAY_OK, INLAY_NO_MEMORY, or INLAY_OVERFLOW where times leave the range; without a message
 */
int rerun_schedule(rerun *r, const inlay_id *processor_of, const inlay_id *order, const double *tail, double limit,
                   double *elapsed);

#endif
