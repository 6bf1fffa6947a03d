/* What the files of `inlay sweep` share. */
#ifndef TOOLS_SWEEP_H
#define TOOLS_SWEEP_H

#include "mapping.h"
#include <stdio.h>
#include <inlay/sweep.h>

/** The names of the points in the order of all outputs: those of JSON, and what the table says of them. */
typedef struct sweep_point_name {
    const char *key, *label, *meaning;
} sweep_point_name;

enum { SWEEP_POINTS = 6 };
extern const sweep_point_name sweep_point_names[SWEEP_POINTS];

/** The i-th of these points. */
const inlay_sweep_point *sweep_point(const inlay_sweep_result *sweep, size_t i);

/** The table for people; `all`: every row. A status of the library. */
int sweep_print_table(const inlay_sweep_result *sweep, bool all);

void sweep_print_json(const invocation *call, const inlay_sweep_result *sweep, const inlay_diag *diag);

/** The rows as CSV. Returns the exit status, and has said what went wrong. */
void sweep_put_csv(FILE *to, const void *of);

#endif
