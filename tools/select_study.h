/* `inlay select --study`: tables 2 and 3 and figure 13 of the paper, computed anew beside what it prints. */
#ifndef TOOLS_SELECT_STUDY_H
#define TOOLS_SELECT_STUDY_H

#include "options.h"
#include <stdio.h>
#include <inlay/select_study.h>

/** The options that it reads besides the common ones: part of the values of `inlay select`. */
typedef struct select_study_values {
    inlay_id metasystems; /**< --metasystems, OPTION_COUNT: of a cell; 0: 2000 */
    inlay_id instances;   /**< --instances, OPTION_COUNT: programs on each; 0: 36 */
    inlay_select_map map; /**< --map: of H2 and H3 */
    const char *csv;      /**< --csv: where the cells go; NULL: nowhere */
} select_study_values;

/** Computes and prints it; --seed, --threads, --json and --quiet are those of `call`. Returns the exit status. */
int select_study_command(const invocation *call, const select_study_values *values);

/* ---- What its files share ---- */

enum { FIGURE_CLUSTERS = 4 };

/** One of the two configurations of figure 13. */
typedef struct figure_row {
    const char *key, *label;
    int32_t processors[FIGURE_CLUSTERS];
    double t_cycle, paper; /**< T_c here and as printed, usec */
} figure_row;

enum { FIGURE_H2, FIGURE_OPTIMUM, FIGURE_ROWS };

typedef struct select_study {
    inlay_study_options options; /**< as they were used */
    inlay_study_cell cell[INLAY_STUDY_CELLS];
    figure_row figure[FIGURE_ROWS];
} select_study;

/** "2a" to "3b". */
const char *select_study_table(const inlay_study_cell *cell);

/** Of the runs that exhaustive search was made for: all, and those where the exact method was not the best. */
int64_t select_study_checked(const select_study *study, int64_t *unequal);

void select_study_print_json(const invocation *call, const select_study *study, const inlay_diag *diag);

/** The cells as CSV. Returns the exit status, and has said what went wrong. */
void select_study_put_csv(FILE *to, const void *of);

#endif
