/* `inlay apply` of an MPI program: its ranks on the processors of a mapping, by a rankfile. */
#ifndef TOOLS_APPLY_RANKS_H
#define TOOLS_APPLY_RANKS_H

#include "options.h"
#include "reading.h"
#include <inlay/capture.h>
#include <limits.h>

/** The command with the rankfile. */
typedef struct ranked {
    char rankfile[PATH_MAX];
    char **word; /**< of the command; owned */
    invocation call;
} ranked;

/**
 * Write the rankfile, and make the command that goes by it: of the operands from the second on, the first starts MPI programs.
 * An exit status, and has said what is wrong.
 */
int ranked_make(const invocation *call, const inlay_mapping *mapping, const char *rankfile, ranked *result);
void ranked_clear(ranked *r);

/** What the program takes with ranks in order, rank r on processor r, and as mapped: simulated. A status of the library. */
int ranked_simulate(const inlay_loaded *loaded, const char *segments, inlay_applied *result, inlay_diag *diag);

#endif
