/* The simulated elapsed time of a row. */
#ifndef SEARCH_ROW_SIMULATE_H
#define SEARCH_ROW_SIMULATE_H

#include "mapping/mapping.h"

/**
 * Simulate a placement that has no more clusters than the machine has processors. That does not depend on the
 * time frame.
 * @param place      gets processors and memories, as a mapping's
 * @param simulated  NaN where the simulation has no answer; untouched on failure
 * INLAY_OK, or INLAY_NO_MEMORY. It gives no messages, so that it can run in a thread.
 */
int row_simulate(const problem *p, placement *place, uint64_t seed, double *simulated);

#endif
