/* The elapsed time of a mapping: simulated, or where that takes too long a screen. */
#ifndef SEARCH_ELAPSED_H
#define SEARCH_ELAPSED_H

#include "mapping/mapping.h"

/** Fills in `elapsed` and what follows from it. INLAY_NO_MEMORY and INLAY_OVERFLOW alone are failures. */
int mapping_time(inlay_mapping *mapping, inlay_diag *diag);

/** mapping_find() and mapping_time(). */
int mapping_timed(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                  inlay_mapping **mapping, inlay_diag *diag);

#endif
