/*
 * Nodes with accelerators as text of DOT, for explicit_machine(): a host with the CPU's cores and the main memory, and a host
 * of one core for each accelerator.
 */
#ifndef IO_NODE_H
#define IO_NODE_H

#include "io/machine_formats.h"
#include "io/owned.h"

/** The host `main`, whose cores are of type cpu. @param memory  as DOT has it; NULL: unlimited */
void node_add_main(text_buffer *to, const owned *own, int64_t cores, const char *memory);

/** The accelerator of that number, a host called as its type and the number. */
void node_add_device(text_buffer *to, const owned *own, const char *type, int number, const char *memory);

/** What stands in front of the attributes of a machine string: `node:cores=12,gpus=3` or `node:12,gpus=3`. */
extern const char node_word[];

/** The machine of such a string. */
int node_machine(const char *source, const inlay_attribute *attributes, size_t count, inlay_machine **machine,
                 inlay_diag *diag);

/** A number of attribute `name` from `least` to `most`; `initial` where it is not given. */
int node_count(const owned *own, const char *name, int least, int initial, int most, int *count, inlay_diag *diag);

#endif
