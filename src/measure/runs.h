/* Runs, while they are read. */
#ifndef MEASURE_RUNS_H
#define MEASURE_RUNS_H

#include <inlay/measured.h>

/** Fills `all->errors`. A status of the library. */
int runs_sum_up(inlay_runs *all);

#endif
