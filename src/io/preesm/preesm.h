/*
 * PREESM's files (M. Pelcat et al., EDERC 2014): .pi, dataflow graphs with parameters and hierarchy (K. Desnos et al., SAMOS
 * 2013); .scenario, which names one and an architecture, with timings and constraints.
 */
#ifndef IO_PREESM_PREESM_H
#define IO_PREESM_PREESM_H

#include "base/hash.h"
#include "graph/names.h"
#include <inlay/io.h>
#include <inlay/sdf.h>

/* ---- .pi ---- */

typedef enum pi_kind {
    PI_ACTOR,
    PI_SPECIAL, /**< broadcast, fork, join, roundbuffer: hand on what they get */
    PI_SOURCE,  /**< an input of the graph */
    PI_SINK,    /**< an output of the graph */
    PI_PARAMETER,
    PI_INTERFACE, /**< a parameter that comes from outside */
    PI_DELAY
} pi_kind;

typedef struct pi_node {
    pi_kind kind;
    bool copies;             /**< a broadcast */
    const char *id, *expr;   /**< expr: of a parameter or a delay; NULL: none */
    const char *description; /**< a file: `.pi` for what the actor consists of; NULL: none */
    size_t port, ports;      /**< the first, and how many */
    size_t binding, bindings;
    long line;
} pi_node;

typedef struct pi_port {
    const char *name, *expr; /**< expr NULL: of a parameter */
    bool puts;
} pi_port;

typedef struct pi_fifo {
    int32_t from, to; /**< nodes */
    const char *from_port, *to_port, *type, *delay;
    long line;
} pi_fifo;

/** A parameter's way into a node. */
typedef struct pi_binding {
    int32_t parameter, node;
    const char *name; /**< what the node calls it */
} pi_binding;

typedef struct pi_graph {
    const char *path, *name;
    pi_node *node;
    pi_port *port;
    pi_fifo *fifo;
    pi_binding *binding; /**< by node */
    size_t nodes, ports, fifos, bindings;
    size_t node_room, port_room, fifo_room, binding_room;
    name_map node_of;
} pi_graph;

/** @param names  keeps all texts */
int pi_read(const char *data, size_t size, const char *path, name_store **names, pi_graph *graph, inlay_diag *diag);
void pi_clear(pi_graph *graph);

/* ---- .scenario ---- */

typedef struct timing {
    const char *type, *time;
    int32_t next; /**< of the same actor, -1 none */
    long line;
} timing;

/** An operator that may run a task. */
typedef struct permission {
    int32_t operator_number, next;
} permission;

typedef struct preset {
    const char *name, *parent, *value;
} preset;

typedef struct scenario {
    const char *source;
    inlay_diag *diag;
    name_store **names;
    const char *algorithm, *architecture;
    bool in_bits;
    timing *timing;
    permission *permission;
    preset *preset;
    int64_t *type_size; /**< of data types, as the file has it */
    const char **operator_name;
    size_t timings, permissions, presets, types, operators;
    size_t timing_room, permission_room, preset_room, type_room, operator_room;
    name_map timing_of;     /**< by actor: its first one */
    name_map permission_of; /**< by task: its first one */
    name_map type_of, operator_of;
    int32_t group; /**< operator of the group that is read; -1 none yet */
    int groups;
} scenario;

int scenario_read(const char *data, size_t size, scenario *s);
void scenario_clear(scenario *s);

/* ---- Files that files name ---- */

/**
 * The file that is meant: its path, or it without its first folder, from the folder of `from` or one that this lies in. Only
 * those that end in `extension`, and lead out of no folder.
 * @param found  the caller's to free; NULL: there is none
 */
int preesm_find(const char *from, const char *path, const char *extension, char **found, inlay_diag *diag);

/* ---- Both together ---- */

/** @param s  NULL: the algorithm alone */
int preesm_build(const char *data, size_t size, const char *source, name_store **names, const scenario *s,
                 int32_t iterations, inlay_app **app, inlay_diag *diag);

/** Name and type of each operator of an architecture, in the order of their numbers; *words and each are the caller's to free. */
int slam_operators(const char *path, char ***words, size_t *count, inlay_diag *diag);

#endif
