/* A schedule as it would be handed over, and what it is judged by. */
#ifndef SEARCH_TRIAL_H
#define SEARCH_TRIAL_H

#include "problem/problem.h"

typedef struct trial {
    double elapsed; /**< as simulated, in the application's unit; NaN where it cannot be run */
    double period;  /**< its least period where that is the objective; else 0 */
} trial;

/** Below 0 where `a` is better: of shorter period, then of shorter time. Periods that differ in rounding are one. */
int trial_compare(const trial *a, const trial *b);

/**
 * A mapping without cost, its blocks where they go then; each processor runs its own of `order`.
 * @param period  its least period; NULL: not asked for
 * INLAY_NO_MEMORY, or another status, without a message.
 */
int trial_make(const problem *p, const inlay_id *processor_of, const inlay_id *order, inlay_mapping **mapping,
               double *period);

/** What it is judged by, on at most so many events. INLAY_OK, or a status without a message where it cannot be run. */
int trial_judge(const problem *p, const inlay_id *processor_of, const inlay_id *order, int64_t max_events,
                trial *result);

#endif
