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

/**
 * What the operand and options ask; it points to the platform, which is the caller's to free in every case. Returns an
 * exit status, and has said what is wrong.
 */
int processes_read_question(const invocation *call, inlay_process_platform **platform, inlay_process_question *to,
                            inlay_diag *diag);

/** The path of the file, or what stands for it. */
const char *processes_name(const invocation *call);

/** The table for people. Returns a status of the library. */
int processes_print(const cli_answer *a);

/** Files for mpirun. Return a status of the library, or an exit status where they have said what went wrong. */
int processes_write_hostfile(const cli_answer *a, const char *path);
int processes_write_rankfile(const cli_answer *a, const char *path);

#endif
