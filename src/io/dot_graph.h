/*
 * A DOT graph read by cgraph, and the lines of its text. Inside this directory only.
 *
 * Kinds of objects are cgraph's AGRAPH, AGNODE, AGEDGE.
 */
#ifndef IO_DOT_GRAPH_H
#define IO_DOT_GRAPH_H

#include <cgraph.h>
#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

/** The text of a graph, the caller's. */
typedef struct dot_source {
    const char *data;
    size_t size;
    const char *name; /**< what messages call it */
} dot_source;

typedef struct dot_graph {
    Agraph_t *graph;
    char *name; /**< NULL where the file gives none: cgraph makes one up */
} dot_graph;

/**
 * Read the one graph of a text. Refused with FILE:LINE: what is no DOT graph, what follows behind it, and a node to
 * which two statements of its own give a `time`.
 */
int dot_graph_read(const dot_source *source, dot_graph *graph, inlay_diag *diag);
void dot_graph_close(dot_graph *graph);

/** A node's name as the file has it. */
const char *dot_node_name(Agnode_t *node);

/** The value of an attribute; NULL where it is not given (or given as ""). `symbol` may be NULL. */
const char *dot_value(void *object, Agsym_t *symbol);

/** The graph's name: its own or that of the file without folder and extension. The caller frees; NULL: no memory. */
char *dot_graph_name(const dot_source *source, const dot_graph *graph);

/* ---- Lines, for messages: each reads the text again, as far as it was found to be a graph ---- */

/**
 * Where `attribute` of a node is set: by its own statement, else as a default, else where the node is first mentioned.
 * @param attribute, value  NULL: where the node is first mentioned; value NULL: any
 */
long dot_line_of_node(const dot_source *source, const char *node, const char *attribute, const char *value);

/** The same for an edge. */
long dot_line_of_edge(const dot_source *source, const char *from, const char *to, const char *attribute,
                      const char *value);

/** Where an attribute of that name is first set for an object of that kind. */
long dot_line_of_attribute(const dot_source *source, int kind, const char *attribute);

/** Where the graph begins. */
long dot_line_of_graph(const dot_source *source);

/* ---- Attributes ---- */

/** Whether Graphviz knows the attribute for objects of that kind. */
bool dot_is_graphviz(int kind, const char *name);

/**
 * Refuse an attribute that is neither Graphviz's nor one of `own`, which ends with NULL; "time.TYPE" there stands for
 * any name behind the point.
 */
int dot_check_attributes(const dot_source *source, Agraph_t *graph, int kind, const char *const *own, inlay_diag *diag);

#endif
