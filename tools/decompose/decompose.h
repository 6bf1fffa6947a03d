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

typedef struct decomposed {
    const invocation *call;
    decompose_question question;
    inlay_grid_ranking *ranking; /**< ours */
    inlay_grid_crossover crossover;
} decomposed;

/** The table for people. Returns a status of the library. */
int decompose_print(const cli_answer *a);

/** Pictures. Return statuses of the library. */
int decompose_draw(const cli_answer *a, const char *path);
int decompose_draw_crossover(const cli_answer *a, const char *path);

#endif
