/* How far a command is: a line on standard error, where that is a terminal. */
#ifndef TOOLS_METER_H
#define TOOLS_METER_H

#include "options.h"

/**
 * From two seconds on the line says how long the command has worked, and once it was told its share about how long it
 * goes on. Nothing with --quiet, or where standard error is no terminal.
 */
void meter_begin(const invocation *call);
void meter_end(void); /**< removes the line, if any: before anything is printed */

/** How far it is, 0 .. 1, and "3 of 12 points". */
void meter_tell_count(int64_t done, int64_t of, double share, const char *what);

/** What options are to have, NULL where there is no meter. */
const inlay_progress *meter_progress(void);

#endif
