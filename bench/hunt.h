/* Small cases that are searched for, by annealing, to make a method look bad. */
#ifndef BENCH_HUNT_H
#define BENCH_HUNT_H

#include "judged.h"

/**
 * T. Coleman and B. Krishnamachari, "PISA: an adversarial approach to comparing task graph scheduling algorithms", 2024: of
 * each method the worst case that a thousand changes found, and of best beside its proven bound.
 */
int hunt(const judge *q);

#endif
