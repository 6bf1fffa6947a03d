/* What the files of `inlay simulate` share. */
#ifndef TOOLS_SIMULATE_H
#define TOOLS_SIMULATE_H

#include "options.h"
#include "scheduling.h"
#include <inlay/simulate.h>

/** Choices are places in the words of their option. */
typedef struct simulate_values {
    common_values common;
    const char *app;
    int engine, contention;
    int scheduler;         /**< 0: the mapping */
    scheduling_values run; /**< module times and replications: of either */
    const char *transfer_time, *scale;
    inlay_id cores, confidence; /**< 0: not given; confidence in per cent */
    const char *gantt, *trace, *paje, *csv, *csv_messages;
} simulate_values;

/** Places in the words of --engine. */
enum { ENGINE_INLAY, ENGINE_SIMGRID };

/** The groups of options, in their order. */
extern const cli_group simulate_input, simulate_rules, simulate_chance, simulate_outputs;

/** Everything about the options that needs no file. Returns an exit status, and has said what is wrong. */
int simulate_check_usage(const invocation *call);

/**
 * The library's options from the command's. `*scale`, a factor for each processor, is the caller's to free; NULL where
 * none is scaled by itself. Returns an exit status, and has said what is wrong.
 */
int simulate_options(const invocation *call, const inlay_machine *machine, inlay_simulation_options *options,
                     double **scale);

extern const cli_output simulate_files[];

/** The table for people, of an inlay_simulation. A status of the library. */
int simulate_print_table(const cli_answer *a);

/** The same of an inlay_scheduled. */
int simulate_print_scheduled(const cli_answer *a);

#endif
