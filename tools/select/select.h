/* What the files of `inlay select` share. */
#ifndef TOOLS_SELECT_H
#define TOOLS_SELECT_H

#include "options.h"
#include "wish.h"
#include <inlay/select.h>
#include <stdio.h>

/** Choices are places in the words of their option. */
typedef struct select_values {
    common_values common;
    text_list set;
    int method, map, router, phases;
    uint64_t best;
    inlay_id limit, points;
    bool placement;
    wish_values wish;
    const char *processors, *curves, *output, *csv, *svg; /**< not given: NULL */
} select_values;

/**
 * What operands and options ask; all that it points to is ours. Returns a status of the library, or an exit status where it
 * has said what is wrong; clear it in every case.
 */
int select_read_question(const invocation *call, inlay_select_question *question, inlay_diag *diag);
void select_question_clear(inlay_select_question *question);

/** The table for people. Returns a status of the library. */
int select_print(const cli_answer *a);

#endif
