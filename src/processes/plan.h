/* What the search for the best number of processes works on. */
#ifndef PROCESSES_PLAN_H
#define PROCESSES_PLAN_H

#include "processes/spread.h"

/** INLAY_BAD_ARGUMENT with what cannot be. */
int process_problem_check(const inlay_process_problem *problem, inlay_diag *diag);

/** Checks options against a problem that is right, and fills in what they leave open. `given` may be NULL. */
int process_options_settle(const inlay_process_problem *problem, const inlay_process_options *given,
                           inlay_process_options *settled, inlay_diag *diag);

int64_t process_problem_processors(const inlay_process_problem *problem); /**< p */

/** Data of one of `total` processes, in whole units rounded up. */
double process_unit(const inlay_process_problem *problem, int64_t total, bool whole);

/** t_HoHo, which may be infinite. */
double process_hoho(const inlay_process_problem *problem, bool whole);

int process_overflow(inlay_diag *diag);

/** The warning for x processes with y data outside of what was measured for a row; "HoHo: ...". */
void process_warn_outside(const inlay_process_problem *problem, size_t row, double processes, double data,
                          const char *what, inlay_diag *diag);

#endif
