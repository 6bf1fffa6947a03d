/* What `inlay reduce` tells of a stochastic graph and of what it became. */
#ifndef TOOLS_REDUCE_H
#define TOOLS_REDUCE_H

#include "options.h"
#include <inlay/stochastic.h>

typedef struct reduced {
    const inlay_stochastic *graph;
    inlay_stochastic_options options; /**< executions at least 1 */
    const inlay_app *app;             /**< G(A) */
    const char *path;                 /**< of its file, NULL where it is not written */
} reduced;

/** The tables. Returns a status of the library. */
int reduced_print(const cli_answer *a);

#endif
