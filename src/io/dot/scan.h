/*
 * Walking over DOT text: dot_walk() reads the one graph that the text holds and tells a function of the caller what it
 * meets, in order, with lines. The language is the one that Graphviz documents and its library reads.
 */
#ifndef IO_DOT_SCAN_H
#define IO_DOT_SCAN_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum dot_event_kind {
    DOT_GRAPH,     /**< the header; name is the graph's, NULL where it has none */
    DOT_STATEMENT, /**< a statement begins */
    DOT_STATEMENT_END,
    DOT_SUBGRAPH, /**< a subgraph begins, whose `depth` this is; name is NULL where it has none */
    DOT_SUBGRAPH_END,
    DOT_NODE,     /**< a node is mentioned */
    DOT_ARROW,    /**< an edge operator: what follows is the other end of what came before */
    DOT_ATTRIBUTE /**< name = value for `owner`; behind the nodes of its statement */
} dot_event_kind;

typedef enum dot_owner {
    DOT_OF_GRAPH, /**< of the graph, or of a subgraph where depth > 1 */
    DOT_OF_NODES, /**< default of nodes: node [...] */
    DOT_OF_EDGES, /**< default of edges: edge [...] */
    DOT_OF_NODE,  /**< of the nodes that the statement mentions */
    DOT_OF_EDGE,  /**< of the edges that the statement makes */
    DOT_OF_GROUP  /**< behind a subgraph that is no end of an edge: without effect in Graphviz */
} dot_owner;

typedef struct dot_event {
    dot_event_kind kind;
    dot_owner owner;
    long line;
    int depth;        /**< open braces */
    bool directed;    /**< digraph or graph */
    bool strict;      /**< two edges between the same nodes are one */
    bool known;       /**< of a node: an end of an edge, which a statement of its own has to have told before */
    const char *name; /**< without quotes and escapes, as Graphviz has it; lives during the call */
    const char
        *value; /**< likewise; letters behind a number ("4KiB") belong to it, which Graphviz would split in two */
} dot_event;

/** Returns false to end the walk early; the walk then returns INLAY_OK. */
typedef bool dot_handler(void *context, const dot_event *event);

/**
 * Walk over the graph in data[0 .. size-1].
 * @param source  what messages name
 * INLAY_BAD_INPUT where the text is not one DOT graph, with the line and what was expected.
 */
int dot_walk(const char *data, size_t size, const char *source, dot_handler *handler, void *context, inlay_diag *diag);

/**
 * The same of one of several graphs in the text.
 * @param graph  its name, or its number from 1; NULL: the text is one graph
 */
int dot_walk_one(const char *data, size_t size, const char *source, const char *graph, dot_handler *handler,
                 void *context, inlay_diag *diag);

#endif
