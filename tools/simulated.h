/* The simulated elapsed time beside the estimate, of the commands that map: --simulate. */
#ifndef TOOLS_SIMULATED_H
#define TOOLS_SIMULATED_H

#include "mapping.h"
#include <inlay/simulate.h>

/**
 * Transfers in the network up to which a mapping of the application is simulated, as --simulate says: 0 for none at all.
 */
int64_t simulated_most(const mapping_values *values, const inlay_app *app);

/**
 * Simulate a mapping once, as --simulate says: NULL where it says not to. `auto` does without where the simulation has
 * no answer. A status of the library; the simulation is the caller's.
 */
int simulated_run(const mapping_values *values, const inlay_mapping *mapping, inlay_simulation **simulation,
                  inlay_diag *diag);

/** Its elapsed time, NaN of NULL. */
double simulated_time(const inlay_simulation *simulation);

/** By what the estimate is off, in percent of the simulated time: "+2.41 %"; "-" where that is 0 or NaN. Returns `text`. */
enum { ERROR_TEXT = 32 };
char *simulated_error_text(double estimate, double simulated, char text[ERROR_TEXT]);

#endif
