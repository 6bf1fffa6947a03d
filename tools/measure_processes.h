/*
 * `inlay measure --data`: runs of a program of the user's, with x processes and y data, as often as --repeat says, on one
 * or more types of processors. The medians are written as a file of processor speeds, for `inlay processes`.
 */
#ifndef TOOLS_MEASURE_PROCESSES_H
#define TOOLS_MEASURE_PROCESSES_H

#include "folder.h"
#include "measure_values.h"

extern const cli_group measure_program;

/** The whole mode; an exit status. */
int measure_processes(const invocation *call);

/** `inlay measure --curve`: the same for one curve of time over size. */
int measure_curve(const invocation *call);

/** The first option of a curve alone that is given; NULL: none. */
const char *measure_curve_option(const measure_values *values);

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
    bool is_curve;              /**< the places are {size} and {device} */
    double *seconds;            /**< of type, size, column and run, the run fastest */
} perf_runs;

/** One setting: a type, a size and a number of processes. */
typedef struct perf_setting {
    int type, size, column;
} perf_setting;

double perf_data(const perf_runs *all, const perf_setting *s);

/** The times of a setting, one a run. */
double *perf_times(const perf_runs *all, const perf_setting *s);

/** One run of COMMAND, whose time is told. An exit status, and has said what is wrong. */
int perf_run(const invocation *call, const folder *where, const perf_runs *all, const perf_setting *s, double *seconds);

/** This computer's name, or another that may stand in a file; ours. An exit status. */
int perf_own_type(perf_runs *all);
bool perf_good_name(const char *name, size_t length);

/** Whether a word of COMMAND has a place in it. */
bool perf_mentions(const invocation *call, const char *place);

/** The comment above a file: the command that it comes from. */
void perf_put_command(FILE *file, const invocation *call);

/** The first option that says how this computer itself is measured; NULL where none is given. */
const char *perf_other_option(const measure_values *values);

/** Goes through the settings, type after type, size after size; false behind the last. */
bool perf_next(const perf_runs *all, perf_setting *s);

/** Writes --output and --raw, prints the table and warns of what `inlay processes` will not take; an exit status. */
int perf_deliver(const invocation *call, const perf_runs *all);

#endif
