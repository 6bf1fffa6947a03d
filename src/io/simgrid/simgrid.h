/* SimGrid platform files, XML of versions 4 and 4.1: https://simgrid.org/doc/latest/XML_reference.html */
#ifndef IO_SIMGRID_SIMGRID_H
#define IO_SIMGRID_SIMGRID_H

#include "base/text.h"
#include <inlay/machine.h>

/** Bytes a second that stand for no bound: what a link without a capacity is written with, and read from. */
#define SIMGRID_BOUNDLESS 1e24

/** Whether a file is an XML document whose first element is `platform`. */
bool simgrid_looks_like(const char *data, size_t size);

/**
 * The machine of a platform file. Hosts are numbered as the file gives them. Speeds are relative to the fastest host, so
 * that module times hold there; a warning says so where hosts differ.
 * @param attributes  what the user adds to the file
 */
int simgrid_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                         size_t count, inlay_machine **machine, inlay_diag *diag);

/**
 * A machine as a platform file that SimGrid reads, and that simgrid_machine_from() reads back to the same hosts, speeds,
 * capacities and routes. A processor of speed 1 computes 1 Gflop/s.
 * @param tick_seconds  length of a tick; 0 where none is given, which machines in ticks do not accept
 */
int simgrid_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag);

#endif
