/*
 * Remedies that work: what a refusal proposes is tried out, what that is refused for is mended too, and where nothing
 * comes of it nothing is proposed.
 */
#ifndef PROBLEM_REMEDY_H
#define PROBLEM_REMEDY_H

#include <inlay/mapping.h>

/** A question once more. `with` has all remedies, for what is neither among the options nor the machine. */
typedef int remedy_ask(const void *context, const inlay_machine *machine, const inlay_options *options,
                       const inlay_diag *with, inlay_diag *diag);

/**
 * Leaves in `diag`, where `status` is a refusal, remedies with which `ask` gives INLAY_OK, or none. Returns `status`.
 */
int remedy_prove(int status, const inlay_machine *machine, const inlay_options *options, remedy_ask *ask,
                 const void *context, inlay_diag *diag);

/** The value of a remedy; NULL where it is not among them. */
const char *remedy_value(const inlay_diag *with, const char *option);

/** A remedy on the machine itself: option "MACHINE", the machine's string with one attribute changed. */
void remedy_machine(const inlay_machine *machine, inlay_diag *diag, const char *attribute, int64_t value);

/** Takes over what a question of its own has found, for one that asks it in between. */
void remedy_pass_on(const inlay_diag *from, inlay_diag *to);

#endif
