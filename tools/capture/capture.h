/* What the files of `inlay capture` share. */
#ifndef TOOLS_CAPTURE_CAPTURE_H
#define TOOLS_CAPTURE_CAPTURE_H

#include "folder.h"
#include "options.h"
#include "started.h"
#include <inlay/capture.h>

typedef struct capture_values {
    common_values common;
    duration_value grain;
    bool tasks_only, dry, mpi, keep, processes;
    int coalesce; /* inlay_coalesce */
    text_list like;
    int64_t data_bytes;
    inlay_id overhead;
    const char *name, *logs, *from, *output, *format, *csv;
} capture_values;

/** How the command ran. */
typedef struct captured_run {
    started run;
    size_t pairs;             /**< runs with and without recorder */
    inlay_run_times overhead; /**< over the pairs: the time with it over the time without, less 1 */
} captured_run;

/** What is printed and written. */
typedef struct captured {
    const inlay_capture *capture;
    const captured_run *run; /**< NULL: the logs were there */
} captured;

/**
 * Run the command with a recorder in it, whose logs go to `logs`; with --overhead as often without it, in turn. Returns
 * an exit status, and has said what is wrong.
 */
int capture_run(const invocation *call, folder *logs, captured_run *run);

int capture_print_table(const cli_answer *a);

#endif
