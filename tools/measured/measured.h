/*
 * `inlay compare --measured`: results of `inlay run --json` beside each other, a row a file.
 *
 * Times of a row are in its own unit, as the file has them.
 */
#ifndef TOOLS_MEASURED_H
#define TOOLS_MEASURED_H

#include "compare/compare.h"

/** What a run was predicted by, in the order of the columns. */
enum { BY_ESTIMATE, BY_SIMULATION, PREDICTIONS };

/** One result of `inlay run`. */
typedef struct measured_row {
    const char *operand; /**< as the user typed it */
    char *application;   /**< its own name; ours */
    char *machine;       /**< as a string that Inlay reads; ours */
    char *name;          /**< of the machine: its file's or string's; ours */
    size_t number;       /**< of the machine, in the order in which they come first */
    inlay_unit unit;
    double time_frame; /**< NaN where the file does not tell */
    int64_t ranks;     /**< 0 where the file does not tell */
    int64_t cores;     /**< that the ranks share; 0 where the file does not tell */
    double predicted[PREDICTIONS];
    double *runs; /**< elapsed time of each, in the order of the file; ours */
    size_t run_count;
    double median, least, most; /**< of the runs; the median of an even number is the lower of the two in the middle */
} measured_row;

/** Rows of all files or of one machine: how far the medians are from what was predicted. */
enum { ERROR_LEVELS = 4 };
typedef struct measured_errors {
    size_t rows;
    double median[PREDICTIONS];               /**< of |error|; of an even number the mean of the two in the middle */
    double worst[PREDICTIONS];                /**< |error| */
    size_t within[PREDICTIONS][ERROR_LEVELS]; /**< rows whose |error| is at most measured_level() */
} measured_errors;

/** Zero-initialise. */
typedef struct measured_runs {
    measured_row *rows; /**< ours, in the order of the command line */
    size_t count;
    size_t *first; /**< ours: of each machine, by its number, the first row */
    size_t machines;
    measured_errors *errors; /**< ours: of each machine, then of all rows */
    bool strings;            /**< machines are shown as strings, since some have one name */
} measured_runs;

/** The command with --measured. A status of the library, or an exit status where it has said what went wrong. */
int measured_compare(const invocation *call, inlay_diag *diag);

/* ---- Reading ---- */

/**
 * Read one result; `row` is untouched where that fails, which is said on standard error. Returns the exit status.
 */
int measured_read(const char *operand, measured_row *row);
void measured_clear_row(measured_row *row);

/** An operand on standard error, as messages begin with it. */
void measured_say_place(const char *operand);

/* ---- Figures ---- */

/** (predicted - median) / median. */
double measured_error(const measured_row *row, int prediction);

/** (most - least) / median; NaN of a single run. */
double measured_spread(const measured_row *row);

/** 0.05, 0.1, 0.15, 0.3. */
double measured_level(size_t i);

/** "estimate", "simulated". */
const char *measured_word(int prediction);

/** The first row on the machine of that number. */
const measured_row *measured_machine(const measured_runs *all, size_t number);

/** What a machine is shown as: its name, or where that is not its alone the string; it lasts as long as the rows. */
const char *measured_label(const measured_runs *all, size_t number);

/** Fills `all->errors`. A status of the library. */
int measured_sum_up(measured_runs *all);

/* ---- Results ---- */

/** Statuses of the library. */
int measured_print_table(const cli_answer *a);
int measured_put_members(inlay_json *out, const void *of); /**< of measured_runs, as the next */
void measured_put_csv(FILE *to, const void *of);

/** A status of the library, or the exit status where it has said what went wrong. */
int measured_draw(const cli_answer *a, const char *path);

#endif
