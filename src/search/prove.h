/* The best schedules of a portfolio proven to be the optimum, or replaced by it, where the application is small. */
#ifndef SEARCH_PROVE_H
#define SEARCH_PROVE_H

#include "search/improve.h"

/**
 * Search all schedules on as many processors as count `k` has, those before it being proven: its first schedule is the best
 * then, and `least` what no other is below. What comes of it depends on no larger count.
 * @param until  a moment of the monotonic clock, where the effort is a time
 * @return INLAY_NO_MEMORY without a message
 */
int prove_count(const improvement *of, size_t k, double until);

/** The same of the last count, in its share of the time that is left where the effort is a time. */
int prove_last(const improvement *of);

/**
 * Improve all counts and prove the last, where the effort is a time: what is small is improved for a little of it, and for
 * what is left where the proof did not end.
 * @return as prove_count()
 */
int prove_in_time(improvement *of);

#endif
