/* What the files of `inlay pareto` share. */
#ifndef TOOLS_PARETO_H
#define TOOLS_PARETO_H

#include "options.h"
#include <inlay/pareto.h>

int pareto_print_table(const cli_answer *a);

#endif
