/* What the files of `inlay pareto` share. */
#ifndef TOOLS_PARETO_H
#define TOOLS_PARETO_H

#include "options.h"
#include <stdio.h>
#include <inlay/pareto.h>

/** How a mapping came about, in short: "clustered", "H2 after", "H1 before", "H2 by traffic". */
const char *pareto_method_words(const inlay_pareto_point *point);

/** The table for people; `all`: every point. A status of the library. */
int pareto_print_table(const inlay_pareto_result *front, bool all);

void pareto_print_json(const invocation *call, const inlay_pareto_result *front, const inlay_diag *diag);

/** The points as CSV. Returns the exit status, and has said what went wrong. */
void pareto_put_csv(FILE *to, const void *of);

#endif
