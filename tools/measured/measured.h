/* `inlay compare --measured`: results of `inlay run --json` beside each other, a row a file. */
#ifndef TOOLS_MEASURED_H
#define TOOLS_MEASURED_H

#include "compare/compare.h"
#include <inlay/measured.h>

/** The command with --measured. A status of the library. */
int measured_compare(const invocation *call, inlay_diag *diag);

/* ---- Results: of inlay_runs ---- */

/** A status of the library. */
int measured_print_table(const cli_answer *a);

#endif
