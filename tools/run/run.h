/* What the files of `inlay run` share. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include "folder.h"
#include "launcher.h"
#include "process.h"
#include "synth/synth.h"
#include <inlay/inlay.h>

/** Choices are places in the words of their option. */
typedef struct run_values {
    synth_values synth;
    int engine;
    const char *compiler, *launcher, *hostfile, *keep;
    inlay_id processes, runs, cores;
} run_values;

/** Places in the words of --engine. */
enum { RUN_MPI, RUN_SMPI };

/** The groups of options. */
extern const cli_group run_launch, run_outputs;

/* ---- Compiling and launching ---- */

/** What becomes of the program, from its text to its end. */
typedef struct run_made {
    inlay_measured_run told;
    inlay_synth_options options; /**< of the program */
    double tick_seconds;         /**< of a platform file */
    folder where;
    char launcher_version[LAUNCHER_LINE]; /**< the first line of `LAUNCHER --version`; "" where it prints none */
} run_made;

/** Files of the folder, by name. */
#define RUN_SOURCE "prog.c"
#define RUN_BINARY "prog"
#define RUN_HOSTS  "hosts"

/** Write the program and, for SimGrid, platform and hosts. Returns an exit status, and has said what went wrong. */
int run_write_files(const invocation *call, run_made *made, inlay_diag *diag);

/**
 * Make the program, compile and launch it, as the options say. Returns an exit status, and has said what went wrong.
 * made->where is the caller's to remove, and made->told.measured to clear.
 */
int run_program(const invocation *call, run_made *made, inlay_diag *diag);

/** The table for people. A status of the library. */
int run_print_table(const cli_answer *a);

#endif
