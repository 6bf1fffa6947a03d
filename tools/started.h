/* The user's command, started as it would be without us, and what else the computer does meanwhile. */
#ifndef TOOLS_STARTED_H
#define TOOLS_STARTED_H

#include "folder.h"
#include "options.h"
#include "process.h"
#include <inlay/capture.h>

typedef struct started {
    process_end end;
    double others;              /**< processor time of other programs meanwhile, as a share of all; NaN: not known */
    const process_follower *by; /**< set before: what stands between; NULL: nothing */
} started;

/**
 * Run the operands from `first` on with the environment as it is now. It reads what we read, unless that is a terminal, and prints
 * to standard error. Returns an exit status, and has said what is wrong.
 */
int command_run(const invocation *call, int first, const folder *guarded_by, started *run);

/** Of two runs what is worse: the first status that is not 0, and the larger share of others. */
started command_worse(const started *a, const started *b);

/** The median, of an even number the mean of the two in the middle, and the range. Sorts the times. */
inlay_run_times command_times(double *times, size_t count);

/** What a run leaves to be said: its status, and that others were at work. */
void command_warn(const started *run, const char *then, inlay_diag *diag);

/** Put a path before those of a variable of the environment, which are separated by ':'. */
void environment_prepend(const char *name, const char *first);

#endif
