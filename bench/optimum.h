/* The shortest schedule of a small application, found by simulating every schedule that could be shorter than one known. */
#ifndef BENCH_OPTIMUM_H
#define BENCH_OPTIMUM_H

#include <inlay/inlay.h>

enum { OPTIMUM_MOST = 10 }; /* modules */

/**
 * Without data blocks, types of processors, and modules that take no time. Every module on every processor in every order; schedules that are too long even where messages are free are passed
 * over, and of processors that are `alike` a fresh one is taken in their order.
 * @param known    the time of some schedule
 * @param optimum  that, or what is shorter
 */
int optimum_find(const inlay_app *app, const inlay_machine *machine, bool alike, double known, double *optimum);

/** The simulated elapsed time of a mapping. */
int optimum_elapsed(const inlay_mapping *mapping, double *elapsed);

#endif
