/*
 * Process counts: how many processes of an unchanged SPMD program each of some unlike processors should run.
 *
 * A program that deals its data evenly among its processes waits for the slowest processor. If faster processors run
 * several of its processes, they get more of the data and nothing in the program changes. inlay_processes() finds the
 * number of processes on each processor, and of all of them together, for which the program ends first:
 *
 *     inlay_performance *f = NULL;                       // the speed of one type of processor
 *     int status = inlay_performance_constant(1000, &f, diag);
 *     inlay_processors rows[2] = {{.name = "new", .count = 2, .performance = f},
 *                                 {.name = "old", .count = 6, .performance = f, .speed = 0.4}};
 *     inlay_process_problem problem = {.rows = 2, .row = rows, .data = 216000};
 *     inlay_process_plan *plan = NULL;
 *     status = inlay_processes(&problem, NULL, &plan, diag);
 *
 * or, with processors and measured speeds in a file, after inlay_process_platform_read().
 *
 * The model (A. Kalinov, S. Klimov, "Optimal mapping of a parallel application processes onto heterogeneous platform"):
 *
 *     f_i(x, y)                       speed of processor i, in data per time, while x processes on it share y data
 *     W_i = l_i W / l                 data of processor i: l_i of the l processes, W all data                  (eq. 1)
 *     t_i(l_i) = W_i / f_i(l_i, W_i)  its time, t_i(0) = 0
 *     t_HoHo = max (W/p) / f_i(1, W/p)   one process on each of the p processors, equal data
 *     t_HoHe                          one process on each, data dealt so that the last one ends soonest
 *
 * The time of a placement is the largest t_i. For a given l the shortest is found exactly, for all l from 1 to a limit:
 * the l with the least time wins, and of equal ones (to within 1e-12 of them) the smallest. Some l have no placement with all t_i <= t_HoHo; they
 * are left out and the search goes on behind them. Given l, the processes are those that the paper's algorithm deals out:
 * one after the other, each to the processor on which it would end first, of equal ones to the first.
 *
 * All this needs t_i that do not fall as l_i rises (the paper's assumption 4). It is checked when a performance function
 * is made, for every W and l at once: f must not grow faster than proportionally as x and y grow in step. Where f keeps up
 * with that exactly, as that of a processor with idle cores does, t_i stays the same for some l_i, and like processors
 * are then filled evenly.
 *
 * Data are divided as if they had no units, W / l for each process; programs deal whole units. With `whole_units` each
 * process counts with as many as the one that has most, W / l rounded up, in HoHo too: then no program takes longer.
 *
 * In print, t_HoHo has f_i(l, W/p), one process too many a processor for a strategy that runs one on each, and the
 * search ends at the first l without a placement, which is l = 1 for most platforms. Both are put right here.
 *
 * Ownership: what is passed in is only read during the call, but for performance functions, to which rows of processors
 * point. Whoever receives an object frees it. What an object returns pointers to lives as long as it does.
 *
 * Errors: INLAY_BAD_ARGUMENT where the problem or the options say something that cannot be; INLAY_OVERFLOW where a time
 * leaves the range of numbers; INLAY_NO_ANSWER where no l or no shape fits. Outputs are then unchanged.
 */
#ifndef INLAY_PROCESSES_H
#define INLAY_PROCESSES_H

#include <inlay/status.h>
#include <inlay/units.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Performance functions ---- */

/** What f(x, y) is made of. */
typedef enum inlay_performance_form {
    INLAY_PERFORMANCE_AS_GIVEN, /**< only as a choice when a file is read: what the file says */
    INLAY_PERFORMANCE_CONSTANT, /**< f = c */
    INLAY_PERFORMANCE_TABLE,    /**< measured points with interpolation between them */
    INLAY_PERFORMANCE_PAPER,    /**< f = c / (x^2/a^2 + y^2/b^2), as the paper has it (section 6) */
    INLAY_PERFORMANCE_OFFSET    /**< f = c / (1 + x^2/a^2 + y^2/b^2): c is the speed of few processes with few data */
} inlay_performance_form;

/** "as-given", "constant", "table", "paper", "offset"; NULL for others. */
INLAY_API const char *inlay_performance_form_name(inlay_performance_form form);

/** Immutable once made. */
typedef struct inlay_performance inlay_performance;

/** One run on one processor. */
typedef struct inlay_measurement {
    int64_t processes; /**< x, at least 1 */
    double data;       /**< y of all of them together, above 0 */
    double speed;      /**< y over the time that they took, above 0 */
} inlay_measurement;

/** The numbers of a formula. */
typedef struct inlay_performance_numbers {
    double c; /**< above 0 */
    double a; /**< above 0; 0: f does not depend on x */
    double b; /**< above 0, in data; 0: f does not depend on y */
} inlay_performance_numbers;

INLAY_API int inlay_performance_constant(double speed, inlay_performance **performance, inlay_diag *diag);

/** PAPER (a and b must not both be 0) or OFFSET with known numbers. */
INLAY_API int inlay_performance_formula(inlay_performance_form form, const inlay_performance_numbers *numbers,
                                        inlay_performance **performance, inlay_diag *diag);

/**
 * A table: one measurement for each pair of some x and some y, in any order. Between the y, f follows Steffen's monotone
 * cubics (GSL), which never leave the range of the two values beside them; between the x it is linear. Outside:
 *
 *     y below the smallest or above the largest     the speed that it has there
 *     x below the smallest                          the speed that it has there
 *     x above the largest                           the time of a given y goes on to grow by a share of that at the last
 *                                                   x for each process: the mean share over the y between the last two
 *                                                   x, or 0 where they fall
 *
 * Refused where t_i would fall: where for one x more data take less time, or where speed grows by a larger factor than
 * x and y do together. inlay_processes() warns where its answer lies outside.
 */
INLAY_API int inlay_performance_table(const inlay_measurement *measurement, size_t count,
                                      inlay_performance **performance, inlay_diag *diag);

/**
 * CONSTANT, PAPER or OFFSET fitted: the least sum of squares of relative errors (f / measured - 1) over all numbers that
 * the form allows (GSL, Levenberg-Marquardt). Points may be measured several times. What the measurements cannot tell,
 * since they are all of one x or of one y, is left out of OFFSET with a warning. Warns too where some measurement is
 * missed by more than a tenth, and then names another form that comes closer, if one does. PAPER often cannot fit: it
 * has no constant, so f falls to a quarter each time that x and y double.
 */
INLAY_API int inlay_performance_fit(inlay_performance_form form, const inlay_measurement *measurement, size_t count,
                                    inlay_performance **performance, inlay_diag *diag);

INLAY_API void inlay_performance_free(inlay_performance *performance);

/** f(x, y) for x >= 1 and y > 0. */
INLAY_API double inlay_performance_speed(const inlay_performance *performance, double processes, double data);

INLAY_API inlay_performance_form inlay_performance_form_of(const inlay_performance *performance);

/** The numbers of a formula, given or fitted; of a constant c alone; of a table zeroes. */
INLAY_API inlay_performance_numbers inlay_performance_numbers_of(const inlay_performance *performance);

/** How well a fit does: errors are f / measured - 1. */
typedef struct inlay_performance_errors {
    size_t measurements;
    double rms;                           /**< root of the mean square */
    double worst;                         /**< the largest, with its sign */
    inlay_measurement missed;             /**< where that is */
    const double *error;                  /**< of each measurement, in the order given */
    const inlay_measurement *measurement; /**< these */
} inlay_performance_errors;

/** NULL for what was not fitted. */
INLAY_API const inlay_performance_errors *inlay_performance_errors_of(const inlay_performance *performance);

/** The x and y between which there are measurements. */
typedef struct inlay_performance_range {
    bool known; /**< false for formulas and constants that were given: they hold everywhere */
    int64_t processes[2];
    double data[2];
} inlay_performance_range;

INLAY_API inlay_performance_range inlay_performance_range_of(const inlay_performance *performance);

/* ---- Processors ---- */

enum { INLAY_PROCESSES_PROCESSORS = 1 << 24 /**< most of them together */ };

/** Processors that are alike. */
typedef struct inlay_processors {
    const char *name; /**< for messages and hosts; NULL: its number among the rows */
    int64_t count;    /**< at least 1 */
    const inlay_performance *performance;
    double speed;            /**< what f is multiplied by, above 0; 0: 1 */
    const char *const *host; /**< a name for each of the processors; NULL: made of the row's name */
} inlay_processors;

/** W_i / f_i of one of these processors: the time that x processes with y data take. */
INLAY_API double inlay_processors_time(const inlay_processors *row, double processes, double data);

/** The processors are numbered from 0 through the rows: those of row 0, then those of row 1. */
typedef struct inlay_process_problem {
    size_t rows;
    const inlay_processors *row;
    int64_t data; /**< W, 1 to 2^53 units that are not divided */
} inlay_process_problem;

/** Room for the name of a host, where it is made of the row's. */
enum { INLAY_PROCESSOR_NAME = 128 };

/** The host's name of a processor: given, or the row's name, with a number from 0 behind it where the row has several. */
INLAY_API const char *inlay_processor_name(const inlay_process_problem *problem, int64_t processor,
                                           char room[INLAY_PROCESSOR_NAME]);

/** The name of a row of processors, or its number. */
INLAY_API const char *inlay_processors_name(const inlay_process_problem *problem, size_t row,
                                            char room[INLAY_PROCESSOR_NAME]);

/* ---- The best number of processes ---- */

/** Zero-initialised, every member that is not set has its plain meaning. */
typedef struct inlay_process_options {
    bool beyond_hoho; /**< also placements that take longer than one process a processor; false: all t_i <= t_HoHo */
    bool whole_units; /**< each process has W / l rounded up to whole units of data; false: W / l */
    int64_t from;     /**< smallest l, at least 1; 0: 1 */
    int64_t to;       /**< largest, at most W; 0: 1000, or 10 p where that is more, but at most W */
    int32_t best;     /**< how many l to give, best first, at most 100000; 0: 1 */
    double within;    /**< for inlay_process_plan_fewest(): a share of the least time; 0: 0.01 */
} inlay_process_options;

/** What the processors of a row get: `each`, and the first `extra` of them one more. */
typedef struct inlay_process_share {
    int64_t each;
    int64_t extra; /**< below the row's count */
} inlay_process_share;

typedef struct inlay_process_answer {
    int64_t total;                    /**< l */
    double time;                      /**< the largest t_i */
    double unit;                      /**< data of a process: W / l, with whole units rounded up */
    const inlay_process_share *share; /**< processes; an entry a row */
    size_t last;                      /**< the row that takes so long, the first of them */
    int64_t used;                     /**< processors with a process */
    bool measured;                    /**< all t_i lie where their performance functions were measured, or hold */
} inlay_process_answer;

/**
 * By how much the largest share of a process is above the mean, which the times count with, where data are dealt in whole
 * units: 0.5 for 3 units in place of 2. With options->whole_units 0: that is counted.
 */
INLAY_API double inlay_process_uneven(const inlay_process_problem *problem, const inlay_process_options *options,
                                      const inlay_process_answer *answer);

typedef struct inlay_process_plan inlay_process_plan;

/**
 * The l with the least times, `options` NULL: zeroes. Warns where the best of them, HoHo or HoHe use a performance
 * function outside of what was measured. Time O(R) for an l that is not among the best, with R rows, and about
 * O(R log (l / R)) for others.
 */
INLAY_API int inlay_processes(const inlay_process_problem *problem, const inlay_process_options *options,
                              inlay_process_plan **plan, inlay_diag *diag);

INLAY_API void inlay_process_plan_free(inlay_process_plan *plan);

/** Best first, of equal times the smaller l first; at least one, fewer than asked for where there are no more. */
INLAY_API size_t inlay_process_plan_count(const inlay_process_plan *plan);
INLAY_API const inlay_process_answer *inlay_process_plan_at(const inlay_process_plan *plan, size_t i);

/** The fewest processes whose time is within options->within of the best one's. */
INLAY_API const inlay_process_answer *inlay_process_plan_fewest(const inlay_process_plan *plan);

/** The two strategies beside it. */
typedef struct inlay_process_rivals {
    double hoho;                     /**< t_HoHo */
    double hohe;                     /**< t_HoHe, the exact optimum in whole units of data */
    const inlay_process_share *data; /**< what HoHe gives each processor, in units of data; an entry a row */
    int64_t from, to;                /**< the l that were looked at */
} inlay_process_rivals;

INLAY_API const inlay_process_rivals *inlay_process_plan_rivals(const inlay_process_plan *plan);

/** The least time for one l. */
typedef struct inlay_process_point {
    int64_t total;
    double time; /**< NaN where no placement keeps all t_i <= t_HoHo */
} inlay_process_point;

/**
 * Time over l: all l of the options where there are at most `most` (2 or more), else `most` of them, evenly spread, the
 * first and the last among them.
 * @param point  room for `most`; *count of them are filled in, by rising l
 */
INLAY_API int inlay_processes_curve(const inlay_process_problem *problem, const inlay_process_options *options,
                                    size_t most, inlay_process_point *point, size_t *count, inlay_diag *diag);

/* ---- Process grids ---- */

enum { INLAY_PROCESS_GRID_PROCESSES = 1 << 16 /**< most in a grid */ };

/** A grid of data, dealt to a grid of processes; each exchanges with its neighbours the layers next to them. */
typedef struct inlay_process_grid_options {
    int64_t data[3];    /**< points along each axis, 0: 1; at most 2^53 of them together */
    int64_t halo;       /**< layers that a process needs of each neighbour; 0: 1 */
    int32_t dimensions; /**< of the process grid at most, 1 to 3; 0: 3 */
} inlay_process_grid_options;

/** One shape. Processes are ranked as MPI_Cart_create does it: rank = (i n_1 + j) n_2 + k for shape n_0 n_1 n_2. */
typedef struct inlay_process_grid {
    int64_t shape[3];         /**< of the process grid, along the axes of the data */
    int32_t dimensions;       /**< how many of these are above 1; at least 1 */
    int64_t links;            /**< pairs of neighbours */
    int64_t internal;         /**< of these, on one processor */
    double volume;            /**< points that all processes send in one exchange */
    double external;          /**< of these, to other processors */
    double busiest;           /**< the most that one processor sends to others */
    const int32_t *processor; /**< of each rank */
} inlay_process_grid;

typedef struct inlay_process_grids inlay_process_grids;

/**
 * All shapes for the processes of an answer, least external volume first, then least volume, fewest dimensions, longest
 * along the first axis. No shape is longer than the data along any axis; shapes that differ only by axes of equal
 * length are given once. In each, the processes of one processor are placed so that little goes to other processors: the
 * best of runs along the axes and, where l log2 p is at most 10^5, of recursive bisection, improved by exchanges. That
 * is no proven optimum.
 */
INLAY_API int inlay_process_grids_make(const inlay_process_problem *problem, const inlay_process_answer *answer,
                                       const inlay_process_grid_options *options, inlay_process_grids **grids,
                                       inlay_diag *diag);

INLAY_API void inlay_process_grids_free(inlay_process_grids *grids);
INLAY_API size_t inlay_process_grids_count(const inlay_process_grids *grids);
INLAY_API const inlay_process_grid *inlay_process_grids_at(const inlay_process_grids *grids, size_t i);

/* ---- All that `inlay processes` tells, by one call ---- */

typedef struct inlay_process_question {
    const char *data_unit; /**< in words */
    inlay_unit time_unit;
    inlay_process_problem problem;
    inlay_process_options options;
    inlay_process_grid_options grid; /**< no points along the first axis: no shapes are wanted */
    size_t points;                   /**< most of time over l; 0: none are wanted */
} inlay_process_question;

typedef struct inlay_process_result {
    inlay_process_question asked; /**< what it points to is the caller's, and has to live as long */
    int64_t processors;
    const inlay_process_plan *plan;
    const inlay_process_answer *best, *fewest;    /**< of the plan; they may have as many processes */
    const inlay_process_grids *grids;             /**< of the best answer; NULL: none were asked for */
    const inlay_process_grids *const *next_grids; /**< of each answer of the plan, NULL where no shape fits; or NULL */
    const inlay_process_grids *fewest_grids;      /**< of the fewest processes; NULL as these */
    const inlay_process_point *point;             /**< time over l */
    size_t points;
} inlay_process_result;

/**
 * Finds all of it. Where there is no answer, the diagnostic's remedy is the --max or --min that gives one.
 * Free the result with inlay_process_result_free().
 */
INLAY_API int inlay_processes_ask(const inlay_process_question *question, inlay_process_result **result,
                                  inlay_diag *diag);
INLAY_API void inlay_process_result_free(inlay_process_result *result);

/* ---- Files ---- */

/** What a file holds; docs/processes.md has the formats. */
typedef struct inlay_process_platform {
    inlay_process_problem problem; /**< problem.data is 0 where the file gives none */
    inlay_unit time_unit;          /**< of 1 / speed; INLAY_UNIT_S where the file does not say */
    const char *data_unit;         /**< in words, "" where the file does not say */
} inlay_process_platform;

/**
 * Reads CSV or JSON, told apart by content, or any other machine that inlay_machine_read() takes, by
 * inlay_machine_process_platform(); "-" is standard input.
 * @param form  for types that have measurements: TABLE, or PAPER, OFFSET or CONSTANT fitted to them; AS_GIVEN: what the
 *              file says, tables where it says nothing
 */
INLAY_API int inlay_process_platform_read(const char *text_or_path, inlay_performance_form form,
                                          inlay_process_platform **platform, inlay_diag *diag);
INLAY_API void inlay_process_platform_free(inlay_process_platform *platform);

#endif
