/* Graphs of PREESM on their way into one dataflow graph: each in its place, with its parameters. */
#ifndef IO_PREESM_BUILD_H
#define IO_PREESM_BUILD_H

#include "base/memory.h"
#include "io/preesm/preesm.h"

enum {
    MOST_DEPTH = 32,      /* of hierarchy, and of parameters that parameters depend on */
    MOST_NODES = 1 << 20, /* after all graphs are in their places */
    NO_ACTOR = -1         /* actors from 0; -2 - i: instance i */
};

/* A graph in its place, with its parameters. */
typedef struct instance {
    const pi_graph *g;
    const char *path; /* "top/Stabilization" */
    int32_t *actor;   /* by node */
    const char **parameter_name;
    double *parameter_value;
    int32_t *parameter_node;
    int32_t *number; /* of the parameter that a node is, -1 none */
    bool *known;
    size_t parameters;
    int64_t *total; /* by node: tokens that an interface puts or takes inside, in one run of the graph */
} instance;

typedef struct building {
    const scenario *s; /* NULL: none */
    name_store **names;
    inlay_diag *diag;
    inlay_sdf *sdf;
    memory_pool arrays;
    pi_graph **graph;
    size_t graphs, graph_room;
    name_map graph_of;
    int64_t nodes;
    bool typed;            /* timings are of several types */
    int32_t *processor_of; /* by operator of the scenario; -1: not in the architecture */
    const char **type_of;  /* by processor; NULL: not known */
    size_t processors;
    int64_t untimed, unable, choosy, set_delays; /* counted for warnings */
    const char *untimed_name, *unable_name, *choosy_name;
} building;

/** "FILE:LINE: what 'name'; expected ..."; INLAY_BAD_INPUT. */
int preesm_fail(const building *b, const instance *in, long line, const char *what, const char *name,
                const char *expected);

bool preesm_is_parameter(const pi_node *node);

int preesm_make_instance(building *b, const pi_graph *g, const char *path, instance *in);

/** What comes from outside by the names that the graph's interfaces have. */
void preesm_bind(const instance *outer, const pi_node *node, const instance *in);

/** Finds the value of a parameter of the graph, after those that it depends on. @param depth  0 */
int preesm_know(building *b, const instance *in, size_t number, int depth);

/** A count of tokens by an expression over what a node knows. */
int preesm_tokens_at(building *b, const instance *in, const pi_node *node, const char *text, int64_t *tokens);

/** The end of a fifo at a node: how many tokens a firing puts or takes; INLAY_BAD_INPUT where there is no such port. */
int preesm_rate_at(building *b, const instance *in, const pi_fifo *fifo, bool puts, int64_t *tokens);

/** Finds `total` of the interfaces, once all parameters are known. */
int preesm_find_totals(building *b, const instance *in);

#endif
