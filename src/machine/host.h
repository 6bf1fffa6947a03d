/* This computer, as hwloc sees it. */
#ifndef MACHINE_HOST_H
#define MACHINE_HOST_H

#include "base/text.h"
#include <inlay/status.h>
#include <stdbool.h>

/** Whether the part is in: built with -DINLAY_HWLOC. */
bool host_is_in(void);

/**
 * Appends nodes and cables of this computer in the words of a machine's DOT graph: a host for every NUMA node that has
 * cores (for every package where there is one memory for several; one host where there is neither), each with its cores,
 * hyperthreads not counted, and its memory; and a cable between any two, of which nothing is known. Names and host names
 * are not taken: the same computer gives the same bytes. INLAY_BAD_ARGUMENT where the part is not in.
 */
int host_describe(text_buffer *to, inlay_diag *diag);

#endif
