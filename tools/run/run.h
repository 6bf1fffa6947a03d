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

/* ---- What was predicted ---- */

/** Times are told in `unit`: the application's or, where it is in ticks of a known length, seconds. */
typedef struct run_prediction {
    const inlay_mapping *mapping;
    const inlay_simulation *simulation;
    inlay_synth_options options; /**< of the program */
    inlay_unit unit;
    double from_app;     /**< told units in one of the application's */
    double from_seconds; /**< told units in a second */
    double tick_seconds; /**< of a platform file */
    inlay_id cores;      /**< that all ranks have; 0: one each */
} run_prediction;

double run_estimate(const run_prediction *p);  /**< told */
double run_simulated(const run_prediction *p); /**< told */

/** Of one cluster, told. Wait is all the time in which it does not compute before its last module has ended. */
typedef struct run_shares {
    double busy, wait, idle;
} run_shares;

run_shares run_simulated_shares(const run_prediction *p, inlay_id cluster);

/* ---- What was measured ---- */

typedef struct measured_rank {
    char *host; /**< ours */
    double busy, wait, other, idle;
} measured_rank;

/** What the program printed, in seconds. Zero-initialise. */
typedef struct measurement {
    double elapsed, least, most;
    int64_t runs;
    double *run; /**< elapsed time of each; ours */
    inlay_id ranks;
    measured_rank *rank;
} measurement;

/**
 * Read the JSON object in what a program printed; what stands before it and behind it does not matter.
 * @param ranks  that it has to tell of
 * @return INLAY_BAD_INPUT where there is none, or one that lacks something
 */
int measurement_read(FILE *said, inlay_id ranks, measurement *read);
void measurement_clear(measurement *m);

/* ---- Compiling and launching ---- */

/** What became of the program, from its text to its end. */
typedef struct run_made {
    const inlay_synth *synth;
    folder where;
    char launcher_version[LAUNCHER_LINE]; /**< the first line of `LAUNCHER --version`; "" where it prints none */
    const char *compiler, *launcher;      /**< as given, or the engine's */
    inlay_id processes;                   /**< that were started */
    int64_t program_bytes;
    double compile_seconds;
    measurement measured;
} run_made;

/** Whether there are more ranks than cores for them. */
bool run_shares_cores(const run_prediction *p, const run_made *made);

/** Files of the folder, by name. */
#define RUN_SOURCE "prog.c"
#define RUN_BINARY "prog"
#define RUN_HOSTS  "hosts"

/** Write the program and, for SimGrid, platform and hosts. Returns an exit status, and has said what went wrong. */
int run_write_files(const invocation *call, const run_prediction *p, run_made *made, inlay_diag *diag);

/**
 * Make the program, compile and launch it, as the options say. Returns an exit status, and has said what went wrong.
 * made->where is the caller's to remove, and made->measured to clear.
 */
int run_program(const invocation *call, const run_prediction *p, run_made *made, inlay_diag *diag);

/** `inlay run: text`. Returns EXIT_SYSTEM. */
int run_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- Telling ---- */

/** (predicted - measured) / measured; NaN where nothing took time. */
double run_error(double predicted, double measured);

/** What is given out. */
typedef struct run_answer {
    const run_prediction *p;
    const run_made *made;
} run_answer;

/** The table for people. A status of the library. */
int run_print_table(const cli_answer *a);
int run_put_members(inlay_json *out, const cli_answer *a);

#endif
