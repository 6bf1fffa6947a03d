/*
 * Runs beside their predictions: results of `inlay run --json`, a row a file, and how far predictions are from them.
 *
 *     inlay_runs *runs = NULL;
 *     int status = inlay_runs_read(paths, 2, &runs, diag);
 *
 * Times of a row are in its own unit, as the file has them. Free the runs with inlay_runs_free().
 */
#ifndef INLAY_MEASURED_H
#define INLAY_MEASURED_H

#include <inlay/simulate.h>
#include <inlay/synth.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** What a run was predicted by, in the order of the columns. */
enum { INLAY_BY_ESTIMATE, INLAY_BY_SIMULATION, INLAY_PREDICTIONS };

/** What modules of a program did that ran: how far its times tell of more than messages. */
typedef enum inlay_run_work {
    INLAY_RUN_UNKNOWN, /**< the file does not tell, as those of older versions */
    INLAY_RUN_TIMES,   /**< synthetic: they did nothing but take their time */
    INLAY_RUN_COUNTS,  /**< synthetic: they calculated what the application counts */
    INLAY_RUN_MIXED,   /**< synthetic: some did the one, some the other */
    INLAY_RUN_PROGRAM, /**< a program of the user's own, with its kernels */
    INLAY_RUN_WORKS
} inlay_run_work;

/** "unknown", "time", "counts", "mixed", "program". */
INLAY_API const char *inlay_run_work_name(inlay_run_work work);

/** One result of `inlay run`. */
typedef struct inlay_run_row {
    const char *operand; /**< its path; the caller's */
    char *application;   /**< its own name; ours */
    char *machine;       /**< as a string that Inlay reads; ours */
    char *name;          /**< of the machine: its file's or string's; ours */
    size_t number;       /**< of the machine, in the order in which they come first */
    inlay_unit unit;
    inlay_run_work work;
    double time_frame; /**< NaN where the file does not tell */
    int64_t ranks;     /**< 0 where the file does not tell */
    int64_t cores;     /**< that the ranks share; 0 where the file does not tell */
    double predicted[INLAY_PREDICTIONS];
    double *runs; /**< elapsed time of each, in the order of the file; ours */
    size_t run_count;
    double median, least, most; /**< of the runs; the median of an even number is the lower of the two in the middle */
} inlay_run_row;

/** Rows of all files or of one machine: how far the medians are from what was predicted. */
enum { INLAY_ERROR_LEVELS = 4 };
typedef struct inlay_run_errors {
    size_t rows;
    double median[INLAY_PREDICTIONS]; /**< of |error|; of an even number the mean of the two in the middle */
    double worst[INLAY_PREDICTIONS];  /**< |error| */
    size_t within[INLAY_PREDICTIONS][INLAY_ERROR_LEVELS]; /**< rows whose |error| is at most inlay_run_level() */
} inlay_run_errors;

typedef struct inlay_runs {
    inlay_run_row *rows; /**< ours, in the order of the paths */
    size_t count;
    size_t *first; /**< ours: of each machine, by its number, the first row */
    size_t machines;
    inlay_run_errors *errors; /**< ours: of each machine, then of all rows */
    bool strings;             /**< machines are shown as strings, since some have one name */
} inlay_runs;

/** Read results of `inlay run --json`; "-" is standard input. INLAY_BAD_INPUT where a file is none. */
INLAY_API int inlay_runs_read(const char *const *paths, size_t count, inlay_runs **runs, inlay_diag *diag);
INLAY_API void inlay_runs_free(inlay_runs *runs);

/** What messages call a file: its path, or "standard input". */
INLAY_API const char *inlay_runs_place(const inlay_run_row *row);

/* ---- Figures ---- */

/** (predicted - median) / median. */
INLAY_API double inlay_run_error(const inlay_run_row *row, int prediction);

/** (most - least) / median; NaN of a single run. */
INLAY_API double inlay_run_spread(const inlay_run_row *row);

/** 0.05, 0.1, 0.15, 0.3. */
INLAY_API double inlay_run_level(size_t i);

/** "estimate", "simulated". */
INLAY_API const char *inlay_prediction_name(int prediction);

/** The first row on the machine of that number. */
INLAY_API const inlay_run_row *inlay_runs_machine(const inlay_runs *all, size_t number);

/** What a machine is shown as: its name, or where that is not its alone the string; it lasts as long as the rows. */
INLAY_API const char *inlay_runs_label(const inlay_runs *all, size_t number);

/* ---- One run of a synthetic program: what `inlay run` tells ---- */

/** Seconds of a rank: busy + wait + other + idle is the elapsed time. */
typedef struct inlay_measured_rank {
    char *host; /**< ours */
    double busy, wait, other, idle;
} inlay_measured_rank;

/** What the program printed with --json, in seconds. Zero-initialise. */
typedef struct inlay_measured_program {
    double elapsed, least, most; /**< the median of all runs, and their range */
    int64_t runs;
    double *run; /**< elapsed time of each; ours */
    inlay_id ranks;
    inlay_measured_rank *rank;
} inlay_measured_program;

/**
 * Read the JSON object in what a program printed, from its beginning; what stands before the object and behind it does
 * not matter.
 * @param ranks  that it has to tell of
 * INLAY_BAD_INPUT where there is none, or one that lacks something; INLAY_NO_MEMORY.
 */
INLAY_API int inlay_measured_program_read(FILE *said, inlay_id ranks, inlay_measured_program *read);
INLAY_API void inlay_measured_program_clear(inlay_measured_program *m);

/** A program that ran, beside its predictions. Times are told in `unit`. */
typedef struct inlay_measured_run {
    const char *file; /**< of the mapping, as the user named it */
    const inlay_mapping *mapping;
    const inlay_simulation *simulation;
    const inlay_synth *synth;
    inlay_unit unit;     /**< the application's or, where it is in ticks of a known length, seconds */
    double from_app;     /**< told units in one of the application's */
    double from_seconds; /**< told units in a second */
    const char *engine;  /**< "mpi" or "smpi" */
    const char *compiler, *launcher, *launcher_version;
    const char *hostfile; /**< NULL: this computer */
    inlay_id processes;   /**< that were started */
    inlay_id cores;       /**< that all ranks have; 0: one each */
    int64_t program_bytes;
    double compile_seconds;
    inlay_measured_program measured;
} inlay_measured_run;

INLAY_API double inlay_measured_estimate(const inlay_measured_run *run);  /**< of the mapping, told */
INLAY_API double inlay_measured_simulated(const inlay_measured_run *run); /**< elapsed time, told */

/** Whether there are more ranks than cores for them. */
INLAY_API bool inlay_measured_shares_cores(const inlay_measured_run *run);

/** Times, counts or both, as the program was written; of SimGrid's engine always times. */
INLAY_API inlay_run_work inlay_measured_work(const inlay_measured_run *run);

/** (predicted - measured) / measured; NaN where nothing took time. */
INLAY_API double inlay_measured_error(double predicted, double measured);

/** A rank in the simulation, told. Wait is all the time in which it does not compute before its last module has ended. */
typedef struct inlay_measured_shares {
    double busy, wait, idle;
} inlay_measured_shares;

INLAY_API inlay_measured_shares inlay_measured_simulated_shares(const inlay_measured_run *run, inlay_id rank);

#endif
