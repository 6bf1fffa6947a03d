/* What the files of `inlay explain` share. */
#ifndef TOOLS_EXPLAIN_H
#define TOOLS_EXPLAIN_H

#include "options.h"
#include <inlay/explain.h>

/** `overlap` is the place in the words of its option. */
typedef struct explain_values {
    common_values common;
    const char *app;
    int overlap;
    inlay_id top;
} explain_values;

/** The lines of an inlay_explained. A status of the library. */
int explain_print_lines(const cli_answer *a);

#endif
