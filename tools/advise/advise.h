/* What the files of `inlay advise` share. */
#ifndef TOOLS_ADVISE_H
#define TOOLS_ADVISE_H

#include "options.h"

/** The table of an inlay_advice. A status of the library. */
int advise_print_table(const cli_answer *a);

#endif
