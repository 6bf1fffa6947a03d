/*
 * Reading a metasystem from DOT: nodes are clusters, subgraphs whose names begin with `cluster` are networks, edges are
 * ways that cost something of their own. docs/select.md has the attributes.
 */
#ifndef IO_DOT_METASYSTEM_H
#define IO_DOT_METASYSTEM_H

#include "base/hash.h"
#include "base/text.h"
#include "graph/names.h"
#include "io/dot/values.h"
#include <inlay/metasystem.h>

/** A metasystem that was read, and what it points to. */
typedef struct metasystem_file {
    inlay_metasystem metasystem; /**< first: what callers have */
    name_store *names;
    inlay_metasystem_cluster *cluster; /**< each with its own `usable` */
    inlay_metasystem_network *network;
    inlay_metasystem_route *route;
    size_t network_capacity;
} metasystem_file;

enum {
    METASYSTEM_PROCESSORS,
    METASYSTEM_AVAILABLE,
    METASYSTEM_LOADS,
    METASYSTEM_THRESHOLD,
    METASYSTEM_RATE,
    METASYSTEM_TYPE,
    METASYSTEM_INTERCONNECT,
    METASYSTEM_EXTENT,
    METASYSTEM_FORMAT,
    METASYSTEM_PRICE,
    METASYSTEM_POWER,
    METASYSTEM_PATTERN, /**< the first of INLAY_PATTERNS */
    METASYSTEM_NODE_ATTRIBUTES = METASYSTEM_PATTERN + INLAY_PATTERNS
};

typedef struct metasystem_reader {
    dot_source source;
    dot_graph graph;
    inlay_diag *diag;
    inlay_unit unit;
    metasystem_file *made;
    name_map number; /**< of a cluster by its name */
    const dot_symbol *attribute[METASYSTEM_NODE_ATTRIBUTES];
} metasystem_reader;

/** inlay_metasystem_read() from memory; `source` stands for the file in messages. */
int dot_metasystem_from(const char *data, size_t size, const char *source, inlay_metasystem **metasystem,
                        inlay_diag *diag);

/** Appends a metasystem that inlay_metasystem_check() passes, as dot_metasystem_from() reads it. */
int dot_metasystem_to(const inlay_metasystem *metasystem, text_buffer *to, inlay_diag *diag);

/** All of a node's attributes into its cluster. */
int metasystem_read_cluster(metasystem_reader *r, const dot_node *node, inlay_metasystem_cluster *cluster);

/** The networks, and of every cluster the one that it is in. */
int metasystem_read_networks(metasystem_reader *r);

/**
 * A number from 0 on, with a unit of time where the graph's is another. *wrong and *expected say why it is none.
 * @param per_byte  "/B" may follow
 */
bool metasystem_read_time(const metasystem_reader *r, const char *value, bool per_byte, double *time,
                          const char **wrong, const char **expected);

#endif
