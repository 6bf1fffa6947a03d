/*
 * `inlay measure --data`: runs of a program of the user's, with x processes and y data, as often as --repeat says, on one
 * or more types of processors. The medians are written as a file of processor speeds, for `inlay processes`.
 */
#ifndef TOOLS_MEASURE_PROCESSES_H
#define TOOLS_MEASURE_PROCESSES_H

#include "measure_values.h"

extern const cli_group measure_program;

/** The whole mode; an exit status. */
int measure_processes(const invocation *call);

/* ---- Between its own two files ---- */

enum { PERF_NUMBERS = 32 /**< in a list of numbers, at most */, PERF_TYPES = 64 /**< types, at most */ };

/** What was run and how long it took. */
typedef struct perf_runs {
    char *type[PERF_TYPES]; /**< names; ours, as are the times */
    int64_t processes[PERF_NUMBERS];
    int64_t size[PERF_NUMBERS]; /**< as --data has them */
    int types, columns, sizes;  /**< how many of each */
    int runs;                   /**< of each setting */
    int dimensions;             /**< the data are size to this power */
    double *seconds;            /**< of type, size, column and run, the run fastest */
} perf_runs;

/** One setting: a type, a size and a number of processes. */
typedef struct perf_setting {
    int type, size, column;
} perf_setting;

double perf_data(const perf_runs *all, const perf_setting *s);

/** The times of a setting, one a run. */
double *perf_times(const perf_runs *all, const perf_setting *s);

/** Goes through the settings, type after type, size after size; false behind the last. */
bool perf_next(const perf_runs *all, perf_setting *s);

/** Writes --output and --raw, prints the table and warns of what `inlay processes` will not take; an exit status. */
int perf_deliver(const invocation *call, const perf_runs *all);

#endif
