/* What a mapping took on SimGrid and on Inlay's own engine, and how it is told. */
#ifndef TOOLS_SIMGRID_SIMGRID_H
#define TOOLS_SIMGRID_SIMGRID_H

#include "run.h"
#include "simulate/simulate.h"

/** A status of the library. */
int simgrid_print_table(const simulate_values *values, const inlay_engine_run *c);

#endif
