/* What the files of `inlay processes` share. */
#ifndef TOOLS_PROCESSES_H
#define TOOLS_PROCESSES_H

#include "options.h"
#include <inlay/processes.h>
#include <stdio.h>

/** Choices are places in the words of their option. */
typedef struct processes_values {
    common_values common;
    uint64_t data, best;
    inlay_id min, max, points, halo, dimensions;
    int fit;
    bool beyond_hoho, whole_units;
    const char *within, *grid;                            /**< not given: NULL */
    const char *output, *csv, *svg, *hostfile, *rankfile; /**< not given: NULL */
} processes_values;

/** The question, and all that was found. Zero-initialise; what is not asked for stays NULL. All of it is ours. */
typedef struct processes_found {
    const invocation *call;
    inlay_process_platform *platform;
    inlay_process_problem problem; /**< the platform's, with W */
    int64_t processors;
    inlay_process_options options;
    inlay_process_plan *plan;
    const inlay_process_answer *best, *fewest; /**< they may have as many processes */
    bool has_grid;
    inlay_process_grid_options grid;
    inlay_process_grids *grids;       /**< of the best */
    inlay_process_grids **next_grids; /**< of each answer of the plan, NULL among them where no shape fits */
    inlay_process_grids *fewest_grids;
    inlay_process_point *point; /**< time over l */
    size_t points;
} processes_found;

/**
 * Reads the operand and finds all that the options ask for. Returns a status of the library, or an exit status where it
 * has said what is wrong; clear it in every case.
 */
int processes_find(const invocation *call, processes_found *found, inlay_diag *diag);
void processes_clear(processes_found *found);

/** The path of the file, or what stands for it. */
const char *processes_name(const processes_found *of);

/** By how much an answer takes longer than the best one, as a fraction. */
double processes_longer(const processes_found *of, const inlay_process_answer *answer);

/** The best shape; NULL where there is none. */
const inlay_process_grid *processes_shape(const inlay_process_grids *grids);

/** The table for people. Returns a status of the library. */
int processes_print(const cli_answer *a);

/** The processor of each of the best answer's processes, by rank; NULL without memory. The caller's. */
int32_t *processes_ranks(const processes_found *of);

/** Files for mpirun. Return a status of the library, or an exit status where they have said what went wrong. */
int processes_write_hostfile(const cli_answer *a, const char *path);
int processes_write_rankfile(const cli_answer *a, const char *path);

#endif
