/*
 * Local search on the simulated time of a schedule: modules are taken out, most often where the longest way goes, and put
 * back where the times of terms.h are best. What comes of it is judged by the engine, unless nothing meets in the network and
 * these times are its own. A schedule that is longer is gone on from with a probability that falls to nothing
 * (Kirkpatrick, Gelatt and Vecchi 1983).
 */
#ifndef SEARCH_CLIMB_H
#define SEARCH_CLIMB_H

#include "search/draft.h"
#include "simulate/rerun.h"

/** How long a search may go on: so many evaluations, or until a moment of the monotonic clock. */
typedef struct climb_effort {
    int64_t evaluations;
    double from, until; /**< seconds; 0: by evaluations */
} climb_effort;

typedef struct climb {
    const terms *t;
    rerun *rerun;
    inlay_kept kept; /**< what of the schedule stays */
    uint64_t state;  /**< of its random numbers */
    climb_effort effort;

    /* The schedule: at first where it begins, then the best. */
    inlay_id *place_of, *order;
    double elapsed;      /**< as simulated, grains */
    int64_t evaluations; /**< done */
} climb;

/** INLAY_OK or INLAY_NO_MEMORY, without a message. */
int climb_run(climb *c);

#endif
