/*
 * Random mappings for the tests of synthetic code: programs with all that a module, a link and a data block may have, on
 * machines of every kind, laid out at random or by Inlay.
 */
#ifndef UNIT_SYNTH_SUBJECT_H
#define UNIT_SYNTH_SUBJECT_H

#include <inlay/inlay.h>

/** Application, machine and mapping, which are freed together, and how they become a program. */
typedef struct synth_subject {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_synth_options options;
} synth_subject;

enum { SYNTH_MACHINES = 13 };

/** One on the machine of that number, 0 .. SYNTH_MACHINES-1; the test aborts where it cannot be made. */
synth_subject synth_draw(uint64_t *state, int machine);

/** A mapping of an application and a machine in text (DOT, or a machine's string); module i is on processor[i]. */
synth_subject synth_place(const char *app, const char *machine, const inlay_id *processor,
                          const inlay_options *options);

void synth_clear(synth_subject *subject);

#endif
