/* --curves: which curve of a file belongs to which processor or cluster. */
#ifndef TOOLS_CURVES_H
#define TOOLS_CURVES_H

#include "options.h"
#include <inlay/curves.h>

/** The name of what number `i` is; NULL: it has none. */
typedef const char *curves_name(const void *of, size_t i);

/**
 * A curve for each of `count`, by their names, or where the first has none in the order of the file, which has as many
 * then. Times are multiplied by `factor`. free() them all at once. An exit status, and has said what is wrong.
 */
int curves_for(const invocation *call, const char *path, size_t count, curves_name *name, const void *of, double factor,
               inlay_curve **made, inlay_diag *diag);

#endif
