/* What a mapping took on SimGrid and on Inlay's own engine, and how it is told. */
#ifndef TOOLS_SIMGRID_SIMGRID_H
#define TOOLS_SIMGRID_SIMGRID_H

#include "run.h"
#include "simulate/simulate.h"

/** Times in the application's unit. */
typedef struct comparison {
    const inlay_mapping *mapping;
    const run_processor *processor;        /**< by cluster */
    double makespan, last_module;          /**< SimGrid's */
    int64_t messages;                      /**< between processors */
    double inlay;                          /**< elapsed time by Inlay's engine */
    double simgrid_seconds, inlay_seconds; /**< processor time of both runs on this computer */
} comparison;

/** Inlay's elapsed time against SimGrid's: 0.01 where it is 1 % longer; NaN where nothing takes time. */
double simgrid_difference(const comparison *c);

/** Modules that an engine ran in a second of this computer. */
double simgrid_speed(const comparison *c, double seconds);

/** A status of the library. */
int simgrid_print_table(const simulate_values *values, const comparison *c);
int simgrid_print_json(const invocation *call, const comparison *c, inlay_diag *diag);

#endif
