/* What the files of `inlay processes` share. */
#ifndef TOOLS_PROCESSES_H
#define TOOLS_PROCESSES_H

#include "options.h"
#include <inlay/decompose.h>
#include <inlay/dense.h>
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
    const char *kernel, *block, *shape, *mflops, *rates;  /**< the same */
    double latency, per_byte;
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

/* ---- Dense linear algebra: dense.c, dense_print.c ---- */

/** Whether the options say a kernel, or go with one. An exit status; it has said what is wrong. */
int dense_check(const invocation *call);

/** The question, its answer, and give_out() of a dense_found. A status, as a command's answer has it. */
int dense_answer(const invocation *call, inlay_diag *diag);

/** What was found, and on which processors. */
typedef struct dense_found {
    const inlay_dense_result *result;
    const inlay_grid_machines *machines;
} dense_found;

int dense_print(const cli_answer *a);
int dense_write_json(const cli_answer *a, const char *path);
int dense_write_csv(const cli_answer *a, const char *path);

#endif
