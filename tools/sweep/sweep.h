/* What the files of `inlay sweep` share. */
#ifndef TOOLS_SWEEP_H
#define TOOLS_SWEEP_H

#include "mapping.h"
#include <inlay/sweep.h>

/** What the table says of the points, in its order. */
typedef struct sweep_point_name {
    const char *label, *meaning;
} sweep_point_name;

enum { SWEEP_POINTS = 6 };
extern const sweep_point_name sweep_point_names[SWEEP_POINTS];

/** The i-th of these points. */
const inlay_sweep_point *sweep_point(const inlay_sweep_result *sweep, size_t i);

int sweep_print_table(const cli_answer *a);

#endif
