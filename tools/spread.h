/* Distributions as options spell them: normal:0.2. */
#ifndef TOOLS_SPREAD_H
#define TOOLS_SPREAD_H

#include "options.h"
#include <inlay/simulate.h>

/** "normal:0.2"; NULL is constant. False where it is none. */
bool read_spread(const char *text, inlay_spread *spread);

/** Says what was expected of an option for times of modules, or of transfers. An exit status. */
int refuse_spread(const invocation *call, const char *option, bool of_modules, const char *text);

/** A number up to the end of the text or a comma, above 0; NULL, or what comes behind it. */
const char *read_factor(const char *text, double *number);

#endif
