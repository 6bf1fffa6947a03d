/* The best schedules of a portfolio proven to be the optimum, or replaced by it, where the application is small. */
#ifndef SEARCH_PROVE_H
#define SEARCH_PROVE_H

#include "search/improve.h"

/**
 * Search all schedules on as many processors as count `k` has, those before it being proven: its first schedule is the best
 * then, and `least` what no other is below. What comes of it depends on no larger count.
 * @return INLAY_NO_MEMORY without a message
 */
int prove_count(const improvement *of, size_t k);

#endif
