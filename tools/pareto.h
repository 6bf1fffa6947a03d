/* What the files of `inlay pareto` share. */
#ifndef TOOLS_PARETO_H
#define TOOLS_PARETO_H

#include "options.h"
#include <stdio.h>
#include <inlay/pareto.h>

/** How a mapping came about, in short: "clustered", "H2 after", "H1 before", "H2 by traffic". */
const char *pareto_method_words(const inlay_pareto_point *point);

int pareto_print_table(const cli_answer *a);
void pareto_put_csv(FILE *to, const cli_answer *a); /**< a line a point */

#endif
