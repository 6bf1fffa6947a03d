/* What the files of `inlay decompose` share. */
#ifndef TOOLS_DECOMPOSE_H
#define TOOLS_DECOMPOSE_H

#include "options.h"
#include <inlay/decompose.h>
#include <stdio.h>

/** Choices are places in the words of their option. */
typedef struct decompose_values {
    common_values common;
    const char *pattern, *flops, *item, *mflops, *mtu, *method, *unit, *sizes;   /**< not given: NULL */
    const char *owners, *weights, *write_owners, *cell_memory, *memory, *curves; /**< not given: NULL */
    const char *output, *csv, *svg, *crossover;                                  /**< not given: NULL */
    text_list phases;
    double latency, per_byte; /**< seconds */
    int wiring, fewer, shares;
    inlay_id networks, tries, points;
    bool bounded, alike, down;
} decompose_values;

/** What operands and options ask; all that it points to is ours. Returns an exit status, and has said what is wrong. */
int decompose_read_question(const invocation *call, inlay_grid_question *to, inlay_diag *diag);

void decompose_question_clear(inlay_grid_question *question);

/** The table for people. Returns a status of the library. */
int decompose_print(const cli_answer *a);

/** Pictures. Return statuses of the library. */
int decompose_draw(const cli_answer *a, const char *path);
int decompose_draw_crossover(const cli_answer *a, const char *path);

#endif
