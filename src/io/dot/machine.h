/*
 * Machines as DOT graphs: attributes of the graph alone for a family, nodes and edges for an explicit one.
 *
 *   attribute of    is
 *   node            kind (host, switch, router), type, speed, memory, cores, main (true, false)
 *   edge            capacity, latency, duplex (full, half), parallel (true, false), weight, name
 *
 * An edge of a graph is a cable, which is a link each way; with duplex=half one link that both ways share. An edge of a
 * digraph is one link, unless its duplex says that it is a cable.
 */
#ifndef IO_DOT_MACHINE_H
#define IO_DOT_MACHINE_H

#include "base/text.h"
#include "io/dot/graph.h"
#include "machine/machine.h"

/** dot_machine_from() with further attributes of the whole machine, which replace the file's own of the same name. */
int dot_machine_with(const char *data, size_t size, const char *source, const inlay_attribute *attributes, size_t count,
                     inlay_machine **machine, inlay_diag *diag);

/**
 * The machine that the nodes and edges of a graph are.
 * @param attributes  of the whole machine, `network` not among them
 */
int dot_explicit_from(const dot_source *source, const dot_graph *graph, const inlay_attribute *attributes, size_t count,
                      inlay_machine **machine, inlay_diag *diag);

/** Whether all cables of an explicit machine carry both ways, so that it can be a graph; else it is a digraph. */
bool dot_explicit_is_graph(const inlay_machine *machine);

/**
 * Appends hosts, switches and cables of an explicit machine, which dot_explicit_from() reads back.
 * @param good  set to false where DOT has no way to write a name
 * INLAY_BAD_INPUT where its links have no ends. Routes that are not the shortest are told as a warning.
 */
int dot_explicit_to(const inlay_machine *machine, text_buffer *to, bool *good, inlay_diag *diag);

/** The name of one link of a named cable that is two: "NAME FROM-TO". The caller frees; NULL: no memory. */
char *dot_link_name(const char *name, const char *from, const char *to);

#endif
