/* What the files of `inlay decompose` share. */
#ifndef TOOLS_DECOMPOSE_H
#define TOOLS_DECOMPOSE_H

#include "options.h"
#include <inlay/decompose.h>
#include <stdio.h>

/** Choices are places in the words of their option. */
typedef struct decompose_values {
    common_values common;
    const char *pattern, *flops, *item, *mflops, *mtu, *method, *unit, *sizes; /**< not given: NULL */
    const char *owners;                                                        /**< not given: NULL */
    const char *output, *csv, *svg, *crossover;                                /**< not given: NULL */
    text_list phases;
    double latency, per_byte; /**< seconds */
    int wiring, fewer, shares;
    inlay_id networks, tries, points;
    bool bounded, alike, down;
} decompose_values;

/* ---- The question ---- */

/** All of it is ours. */
typedef struct decompose_question {
    inlay_grid_problem problem;  /**< speeds in operations per second */
    inlay_grid_program *program; /**< with at least one phase */
    inlay_grid_machines *machines;
    int32_t *owner;                         /**< NULL: no map of owners */
    inlay_grid_network network;             /**< seconds */
    bool latency_assumed, per_byte_assumed; /**< neither the machines nor the options say what it is */
    inlay_grid_routes routes;               /**< of the machines, where `network` rests on them; else no pairs */
    inlay_grid_rank_options options;
} decompose_question;

/** What operands and options ask. Returns an exit status, and has said what is wrong. */
int decompose_read_question(const invocation *call, decompose_question *to, inlay_diag *diag);

void decompose_question_clear(decompose_question *question);

/* ---- The answer ---- */

/** Sizes for which one method is the best, one range after the other. */
typedef struct decompose_range {
    int64_t from, to;         /**< rows */
    inlay_grid_method method; /**< of the shortest cycle */
} decompose_range;

/** Costs over the size of the grid. Columns grow as rows do. All of it is ours. */
typedef struct decompose_crossover {
    int64_t *rows; /**< rising */
    double *size;  /**< the same as numbers */
    size_t sizes;
    double *seconds[INLAY_GRID_METHODS]; /**< by size; NAN: no answer. NULL: the method was not asked for */
    decompose_range *range;
    size_t ranges;
} decompose_crossover;

typedef struct decomposed {
    const invocation *call;
    decompose_question question;
    inlay_grid_ranking *ranking; /**< ours */
    decompose_crossover crossover;
} decomposed;

/** Costs of the methods over sizes of the grid. Returns a status of the library. */
int decompose_find_crossover(decomposed *of, int64_t from, int64_t to, size_t points, inlay_diag *diag);
void decompose_crossover_clear(decompose_crossover *crossover);

/** Columns of a grid of so many rows that has the shape of the question's; at least 1. */
int64_t decompose_columns(const decompose_question *question, int64_t rows);

/** A method in a few words. */
const char *decompose_method_words(inlay_grid_method method);

/** The name of a processor, or its number from 0 on in `room`. */
enum { PROCESSOR_NAME = 24 };
const char *decompose_processor_name(const decompose_question *question, int32_t processor, char room[PROCESSOR_NAME]);

/** The name of a phase, else the name of its pattern. */
const char *decompose_phase_name(const decompose_question *question, size_t phase);

/** The table for people. Returns a status of the library. */
int decompose_print(const cli_answer *a);
int decompose_put_members(inlay_json *out, const cli_answer *a);
void decompose_put_csv(FILE *to, const cli_answer *a);

/** Pictures. Return statuses of the library. */
int decompose_draw(const cli_answer *a, const char *path);
int decompose_draw_crossover(const cli_answer *a, const char *path);

#endif
