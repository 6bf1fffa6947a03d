/* What must hold of every run, whatever was simulated: nothing is lost, and nobody does two things at once. */
#ifndef UNIT_SOUND_RUN_H
#define UNIT_SOUND_RUN_H

#include <inlay/inlay.h>

/**
 * Checks the figures of a simulation and, where it has constant and unscaled times and was recorded, its run: every
 * module in its place and after its inputs, every message sent once, the resources, the critical path.
 */
void expect_sound(const inlay_simulation *simulation);

/** inlay_simulate(), which must succeed, recorded and checked. */
inlay_simulation *simulated(const inlay_mapping *mapping, const inlay_simulation_options *options);

/** The same, and its makespan alone. */
double simulated_makespan(const inlay_mapping *mapping, const inlay_simulation_options *options);

/** inlay_mapping_screen(), which must succeed. */
double screen_of(const inlay_mapping *mapping, inlay_contention contention);

/**
 * Checks the screen of a run's mapping: so long, up to `digits` of it; as long as the simulated time where nobody meets; no
 * shorter than with less contention, and than anything of the run works that the screen has too.
 * @param run  with default options, recorded
 */
void expect_screen(const inlay_simulation *run, double expected, double digits);

/** A module a processor, or whatever `processor_of` says; T is the default. */
inlay_mapping *placed(const inlay_app *app, const inlay_machine *machine, const inlay_id *processor_of,
                      const inlay_options *options);

/** Modules of 1 to 4 cores on any processors of any host that has as many, in an order given or by the rule. */
inlay_mapping *placed_on_cores(uint64_t *state, inlay_app *app, const inlay_machine *machine);

/** By default options; once in two each processor runs its modules in a random order that can be run. */
inlay_mapping *placed_anyhow(uint64_t *state, const inlay_app *app, const inlay_machine *machine,
                             inlay_id *processor_of);

#endif
