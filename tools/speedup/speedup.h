/* What the files of `inlay speedup` share. */
#ifndef TOOLS_SPEEDUP_H
#define TOOLS_SPEEDUP_H

#include "options.h"
#include <inlay/speedup.h>

/** The table for people. A status of the library. */
int speedup_print_table(const cli_answer *a);

#endif
