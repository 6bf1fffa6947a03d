/* One run of a job on SimGrid. */
#ifndef TOOLS_SIMGRID_RUN_H
#define TOOLS_SIMGRID_RUN_H

#include "job.h"
#include "platform.h"

typedef struct run_result {
    double makespan, last_module;      /**< simulated seconds */
    double processor_seconds;          /**< what the run took this computer, without reading mapping and platform */
    inlay_engine_processor *processor; /**< by cluster, in seconds; the caller frees it */
} run_result;

/**
 * SimGrid has one engine, so a program can do this once. What SimGrid itself finds wrong ends the program.
 * @param where    has the platform; it is removed as soon as that is read
 * @param seconds  about what will be simulated; times are right to 10^-12 of it
 * @return INLAY_NO_MEMORY, or INLAY_BAD_INPUT where the platform has no host of some name, which `missing` then has
 */
int simgrid_run_job(const job *j, folder *where, double seconds, run_result *result, char missing[INLAY_MACHINE_NAME]);

/** Seconds of processor time that this program has taken so far. */
double simgrid_processor_time(void);

/** SimGrid's model that a machine is simulated by: LV08 where its contention is, else CM02. */
const char *simgrid_model(const inlay_machine *machine);

/** "3.32" */
enum { SIMGRID_VERSION_TEXT = 32 };
char *simgrid_version(char text[SIMGRID_VERSION_TEXT]);

#endif
