/* A machine like another, one attribute changed: what a remedy names. */
#ifndef MACHINE_VARIANT_H
#define MACHINE_VARIANT_H

#include <inlay/machine.h>

/**
 * The machine's string with `attribute` set to a whole number (a number of processors to the next that the family can
 * have); freed by the caller, NULL where it cannot be made.
 */
char *machine_text_with(const inlay_machine *machine, const char *attribute, int64_t value);

#endif
