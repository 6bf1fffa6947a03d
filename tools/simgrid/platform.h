/* The machine of a mapping as a platform file for SimGrid. */
#ifndef TOOLS_SIMGRID_PLATFORM_H
#define TOOLS_SIMGRID_PLATFORM_H

#include <inlay/inlay.h>
#include <limits.h>

/** A folder of its own, with the file in it. Zero-initialised there is none. */
typedef struct platform {
    char folder[PATH_MAX]; /**< "" where there is none */
    char file[PATH_MAX];
} platform;

/**
 * Write it. Machines that count messages, but do not say of how many bytes, are written as if a message were 1 byte.
 * @param free_network  messages take no time where the machine has no capacity; else it is 1 message a tick there
 * @param tick_seconds  length of a tick
 */
int simgrid_platform_write(const inlay_machine *machine, bool free_network, double tick_seconds, platform *result,
                           inlay_diag *diag);

/** Remove file and folder. */
void simgrid_platform_remove(platform *p);

#endif
