/* What a call may use: bytes that are unpacked, and memory. */
#ifndef TOOLS_ALLOWED_H
#define TOOLS_ALLOWED_H

#include "limits.h"
#include <inlay/status.h>

/** Sets both for the rest of the process; 0: the defaults. Programs that it starts inherit the memory. */
void limit_calls(int64_t unpacked, int64_t memory);

/** inlay_diag_new() with the limit in it, which keeps warnings: a command tells those of all its calls at its end. */
inlay_diag *new_diag(void);

/** What belongs behind "out of memory": that an option says how much there is, or nothing. */
const char *said_of_memory(void);

/** The kilobytes of memory that an MPI launcher and its ranks may each have by `ulimit -v` or --max-memory; 0: no limit. */
int64_t memory_allowed(void);

#endif
