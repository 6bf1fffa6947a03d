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

/** What all printing needs. */
typedef struct explain_view {
    const invocation *call;
    const inlay_mapping *mapping;
    const inlay_explanation *explanation;
} explain_view;

/** A change in words, for people. The caller frees it; NULL when out of memory. */
char *explain_change_words(const explain_view *view, const inlay_change *change);

/** The command that realises it, "" where there is none. The caller frees it; NULL when out of memory. */
char *explain_change_command(const explain_view *view, const inlay_change *change);

/** What a part of the elapsed time is, with the figures that show it. The caller frees it; NULL when out of memory. */
char *explain_part_words(const explain_view *view, inlay_part_kind part);

/** Digits in which a time is printed: six, or all in front of its point. */
int explain_digits(double time);

/** A status of the library. */
int explain_print_lines(const cli_answer *a);
int explain_put_members(inlay_json *out, const cli_answer *a);

#endif
