/*
 * A DOT graph as it was read: nodes, edges and what is said of them, each with its line. Graphs in other formats that say
 * the same (GraphML, CSV) are put together here too.
 *
 * What is said of an object is a chain of settings, the last one first, of which the earlier ones may be shared: an
 * object begins with the defaults of the place where it was made. So a graph takes room in proportion to its text.
 */
#ifndef IO_DOT_GRAPH_H
#define IO_DOT_GRAPH_H

#include "base/hash.h"
#include "io/dot/scan.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The text of a graph, the caller's. */
typedef struct dot_source {
    const char *data;
    size_t size;
    const char *name;  /**< what messages call it */
    const char *graph; /**< of several graphs: a name, or a number from 1; NULL: the one graph that there is */

    /** Tells of a graph that is written down otherwise, as dot_walk() does of DOT; NULL: the text is DOT. */
    int (*walk)(const struct dot_source *source, dot_handler *handler, void *context, inlay_diag *diag);
    const char *edges; /**< what messages call the text of the edges, where it is another; NULL: the same */
} dot_source;

typedef enum dot_kind { DOT_GRAPHS, DOT_NODES, DOT_EDGES, DOT_KINDS } dot_kind;

/** An attribute's name that occurs with objects of one kind. */
typedef struct dot_symbol {
    const char *name;
    int32_t number;
    int32_t line; /**< where it first stands */
} dot_symbol;

/** name=value. */
typedef struct dot_setting {
    const struct dot_setting *before;
    const char *value;
    int32_t line;
    uint32_t symbol : 31; /**< its number */
    uint32_t own : 1;     /**< of this object, not a default */
} dot_setting;

typedef struct dot_object {
    const dot_setting *said; /**< NULL: nothing */
    int32_t line;            /**< where it is first mentioned */
} dot_object;

typedef struct dot_node {
    dot_object is;
    const char *name;
} dot_node;

typedef struct dot_edge {
    dot_object is;
    int32_t tail, head; /**< nodes */
} dot_edge;

typedef struct dot_graph {
    dot_object is;
    const char *source;      /**< what messages call the text */
    const char *edge_source; /**< and that of the edges */
    const char *name;        /**< NULL: none */
    bool directed;
    dot_node *node; /**< in the order in which they are first mentioned */
    dot_edge *edge; /**< in the order of the text */
    int32_t nodes, edges;
    int32_t *out;                  /**< edges by their tails, then by their heads, then in the order of the text */
    int32_t *first;                /**< by node: its first in `out`, which ends where the next node's begin */
    dot_symbol *symbol[DOT_KINDS]; /**< sorted by name */
    size_t symbols[DOT_KINDS];
    dot_object default_of[DOT_KINDS]; /**< of nodes and edges that a statement at the end of the graph would make */
    struct name_store *names;
    struct dot_block *blocks; /**< of settings */
} dot_graph;

/**
 * Read a graph of a text. Refused with FILE:LINE: what is no DOT graph, what follows behind it, and a node to
 * which two statements of its own give a `time`. The graph points to source->name.
 */
int dot_graph_read(const dot_source *source, dot_graph *graph, inlay_diag *diag);
void dot_graph_close(dot_graph *graph);

/** A node's place in the order. */
static inline int32_t dot_number(const dot_graph *graph, const dot_node *node)
{
    return (int32_t)(node - graph->node);
}

/** An edge's ends. */
static inline const dot_node *dot_tail(const dot_graph *graph, const dot_edge *edge)
{
    return &graph->node[edge->tail];
}

static inline const dot_node *dot_head(const dot_graph *graph, const dot_edge *edge)
{
    return &graph->node[edge->head];
}

/** NULL where no object of that kind has such an attribute. */
const dot_symbol *dot_find_symbol(const dot_graph *graph, dot_kind kind, const char *name);

/** The value of an attribute; NULL where it is not given (or given as ""). `symbol` may be NULL. */
const char *dot_value(const dot_object *object, const dot_symbol *symbol);

/** Whether it is given as "". */
bool dot_is_empty(const dot_object *object, const dot_symbol *symbol);

/** The value of an attribute of the graph as a whole. */
const char *dot_graph_value(const dot_graph *graph, const char *name);

/** The graph's name: its own or that of the file without folder and extension. The caller frees; NULL: no memory. */
char *dot_graph_name(const dot_graph *graph);

/* ---- Lines ---- */

/** Where an attribute of an object is given, else where the object is first mentioned. `symbol` may be NULL. */
long dot_line(const dot_object *object, const dot_symbol *symbol);

/** Where an attribute of that name first stands for an object of that kind; 0 where it does not. */
long dot_line_of_attribute(const dot_graph *graph, dot_kind kind, const char *name);

/** Where the first edge between two nodes stands. */
long dot_line_of_edge(const dot_graph *graph, int32_t tail, int32_t head);

/* ---- Attributes ---- */

/** Whether Graphviz knows the attribute for objects of that kind. */
bool dot_is_graphviz(dot_kind kind, const char *name);

/**
 * Refuse an attribute that is neither Graphviz's nor one of `own`, which ends with NULL; "time.TYPE" there stands for
 * any name behind the point.
 */
int dot_check_attributes(const dot_graph *graph, dot_kind kind, const char *const *own, inlay_diag *diag);

#endif
