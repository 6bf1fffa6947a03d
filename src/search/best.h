/* The search of method "best", count by count of processors. */
#ifndef SEARCH_BEST_H
#define SEARCH_BEST_H

#include "cluster/method.h"

/** The shortest schedule found on at most so many processors. What it points to is valid during the call. */
typedef struct best_schedule {
    const problem *p; /**< of so many processors */
    const inlay_winner *winner;
    const inlay_id *processor_of,
        *order; /**< of every module; all modules, each processor running its own in this order */
} best_schedule;

typedef struct best_search {
    const cluster_method *only; /**< the one method that is asked; NULL: all */
    /** Called with every count of processors that is tried, rising, once something is found; what it returns other than
     *  INLAY_OK ends the search and is returned. NULL: not called */
    int (*each)(void *context, const best_schedule *found);
    void *context;
} best_search;

/**
 * The shortest schedule on at most p->processors.
 * @param winner  `method` is NULL where none was found
 * INLAY_OK, INLAY_NO_MEMORY without a message, or what `each` returned.
 */
int best_find(const problem *p, const best_search *search, inlay_id *processor_of, inlay_id *order,
              inlay_winner *winner);

#endif
