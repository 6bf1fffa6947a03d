/*
 * Which numbers of processes can be dealt so that no processor needs more than a time, from the smallest on. The more
 * processes, the less data of each: a processor ends as many or more of them by the time, and only when it ends one more
 * has anything changed. So each row waits for the next l at which that happens, and nothing is done for it before.
 */
#ifndef PROCESSES_WALK_H
#define PROCESSES_WALK_H

#include "processes/spread.h"

/** The rows by rising keys, as a heap. */
typedef struct walk_queue {
    double *key;
    size_t *row, *place; /**< of the heap, and of each row in it */
} walk_queue;

typedef struct walk {
    const inlay_process_problem *problem;
    spread *dealer;
    bool whole;    /**< W / l is rounded up */
    int64_t total; /**< l that was last found, or the one before the first */
    int64_t last;  /**< l to end with */
    double time;
    int64_t *each;   /**< of each row, the processes that a processor has; all end within the time */
    int64_t done;    /**< their sum */
    walk_queue due;  /**< by the l at which a processor of the row can have one more, or less than that */
    walk_queue ends; /**< by when a processor of the row ends, negative, or later than that */
} walk;

/** False where there is no memory. The dealer is used for what it knows of the rows, and asked some questions. */
bool walk_make(walk *w, const inlay_process_problem *problem, spread *dealer, bool whole);
void walk_clear(walk *w);

/** From `first` to `last`. */
void walk_begin(walk *w, int64_t first, int64_t last, double time);

/** Goes to the next l that can be dealt within the time; false where there is none. */
bool walk_next(walk *w);

/** The least time of the l that was found; infinite where that is better asked of the dealer. */
double walk_least(walk *w);

/** From the next l on a shorter time holds. */
void walk_shorten(walk *w, double time);

#endif
