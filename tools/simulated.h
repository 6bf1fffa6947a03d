/* The simulated elapsed time beside the estimate, of the commands that map: --simulate. */
#ifndef TOOLS_SIMULATED_H
#define TOOLS_SIMULATED_H

#include <inlay/simulate.h>
#include <stdio.h>

/** By what the estimate is off, in percent of the simulated time: "+2.41 %"; "-" where that is 0 or NaN. Returns `text`. */
enum { ERROR_TEXT = 32 };
char *simulated_error_text(double estimate, double simulated, char text[ERROR_TEXT]);

/** Of inlay_mapping_interval(): " (207 to 231, 90 %)", or nothing. Returns `text`. */
enum { INTERVAL_TEXT = 64 };
char *simulated_interval_text(double low, double high, char text[INTERVAL_TEXT]);

/** "217.000 ticks", and of a screen "about 217.000 ticks (studied -4 % to +1 %)"; `unit` NULL: without. Returns `text`. */
enum { ELAPSED_TEXT = 64 + INLAY_BAND_TEXT };
char *simulated_elapsed_text(double elapsed, inlay_elapsed_is is, const char *unit, const inlay_machine *machine,
                             double load, char text[ELAPSED_TEXT]);

/** "3400 s planned; starts are estimated 12 s earlier to 40 s later, latest that of NAME", and the line's end. */
void say_plan(const inlay_plan_distance *d, const inlay_app *app, const char *unit, const char *how, FILE *to);

#endif
