/*
 * The slow simulator beside the event engine: the checker's own (check/simulator.h), asked about a mapping, with all that it
 * did.
 */
#ifndef UNIT_SLOW_RUN_H
#define UNIT_SLOW_RUN_H

#include "check/simulator.h"

enum { SLOW_RUN_MODULES = 64, SLOW_RUN_ITEMS = 4096, SLOW_RUN_LINKS = 1024 };

typedef struct slow_link {
    double busy, waited;
    int64_t requests, largest; /**< largest: that ever waited at once */
} slow_link;

/** Times in the application's grains. */
typedef struct slow_run {
    double elapsed; /**< in its unit */
    double start[SLOW_RUN_MODULES], end[SLOW_RUN_MODULES];
    int items;
    check_sent item[SLOW_RUN_ITEMS]; /**< in the order of their first requests */
    slow_link link[SLOW_RUN_LINKS];
} slow_run;

/** The run of a mapping: overlap, contention, transfer times and seed are those of the options. It has to succeed. */
void slow_simulate(const inlay_mapping *mapping, const inlay_simulation_options *options, slow_run *run);

/** Its screen. */
void slow_screen(const inlay_mapping *mapping, inlay_contention contention, slow_run *run);

/** The engine, recorded, did the same, to the last digit: starts, ends, what was sent when, elapsed time. */
void expect_like_slow(const inlay_simulation *fast, const slow_run *slow);

#endif
