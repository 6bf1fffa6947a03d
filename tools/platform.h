/* The machine of a mapping as a platform file for SimGrid. */
#ifndef TOOLS_PLATFORM_H
#define TOOLS_PLATFORM_H

#include "folder.h"
#include <inlay/inlay.h>

/** Its name in the folder. */
#define PLATFORM_FILE "platform.xml"

/**
 * Write it into a folder. Machines that count messages, but do not say of how many bytes, are written as if a message were
 * 1 byte.
 * @param free_network  messages take no time where the machine has no capacity; else it is 1 message a tick there
 * @param tick_seconds  length of a tick
 */
int platform_write(const inlay_machine *machine, bool free_network, double tick_seconds, const folder *where,
                   inlay_diag *diag);

/** Bytes of a message there, where the machine counts messages. */
int64_t platform_message_size(const inlay_machine *machine);

/** The platform's name of a host. Returns `name`. */
char *platform_host(const inlay_machine *machine, inlay_id host, char name[INLAY_MACHINE_NAME]);

/**
 * Seconds in a unit of the application's time. Times of ticks without a length come back in ticks, so that any will do;
 * but SimGrid rounds rates to 10^-5 a second, and a power of two makes no other digits.
 * @param given  length of a tick; 0: none
 */
double platform_seconds(const inlay_app *app, double given, double *tick_seconds);

#endif
