/*
 * Branch and bound over all schedules of a small application: every placement in every order, as far as the times of
 * terms.h do not exclude them. What it ends with is the optimum; where it is stopped, a lower bound is left.
 *
 * Modules are taken in the order in which they start where nothing meets in the network, so that every schedule comes up
 * once (Sinnen 2014 has the states, and what makes two of them one).
 */
#ifndef SEARCH_EXACT_H
#define SEARCH_EXACT_H

#include "search/terms.h"
#include "simulate/rerun.h"

typedef struct exact {
    const terms *t; /**< with t->below */
    rerun *rerun;
    int64_t steps; /**< soonest starts of a module on a place that may be worked out; what is done is counted off */
    double until;  /**< a moment of the monotonic clock; 0: none */

    /* The shortest schedule that is known, and what comes of the search. */
    inlay_id *place_of, *order;
    double elapsed; /**< as simulated, grains */
    double least;   /**< filled in: no schedule is shorter, grains; `elapsed` where that is the optimum */
} exact;

/** With more modules or processors there is no hope. */
enum { EXACT_MODULES = 128, EXACT_PLACES = 64 };

/** INLAY_OK or INLAY_NO_MEMORY, without a message. */
int exact_run(exact *e);

#endif
