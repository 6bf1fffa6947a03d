/*
 * Walking over DOT text with line numbers, which cgraph does not keep.
 *
 * dot_walk() reads the one graph that the text holds and tells a function of the caller what it meets, in order. It
 * checks the grammar on the way (the DOT language as Graphviz documents it), so that cgraph is only given text that it
 * can read: its scanner keeps state between calls, and a text that it gives up in the middle of would reach into the
 * next one.
 */
#ifndef IO_DOT_SCAN_H
#define IO_DOT_SCAN_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum dot_event_kind {
    DOT_GRAPH,     /**< the header; name is the graph's, NULL where it has none */
    DOT_STATEMENT, /**< a statement begins */
    DOT_SUBGRAPH,  /**< a subgraph begins, whose `depth` this is; name is NULL where it has none */
    DOT_NODE,      /**< a node is mentioned */
    DOT_ARROW,     /**< an edge operator: what follows is the other end of what came before */
    DOT_ATTRIBUTE  /**< name = value for `owner`; behind the nodes of its statement */
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
    int depth;         /**< open braces */
    bool directed;     /**< digraph or graph */
    const char *name;  /**< without quotes and escapes, as cgraph has it; lives during the call */
    const char *value; /**< likewise */
    const char *raw;   /**< where the node's name or the attribute's value stands in the text, with its quotes */
    size_t raw_size;
    bool joined; /**< a value written as a number and letters ("4KiB"), which Graphviz would split in two */
} dot_event;

/** The graph in its text, from the first byte to read to the byte behind its closing brace. */
typedef struct dot_extent {
    const char *begin, *end;
} dot_extent;

/** Returns false to end the walk early; the walk then returns INLAY_OK. */
typedef bool dot_handler(void *context, const dot_event *event);

/**
 * Walk over the graph in data[0 .. size-1].
 * @param source  what messages name
 * @param extent  where the graph is; may be NULL; not set where `handler` ends the walk
 * INLAY_BAD_INPUT where the text is not one DOT graph, with the line and what was expected.
 */
int dot_walk(const char *data, size_t size, const char *source, dot_handler *handler, void *context, dot_extent *extent,
             inlay_diag *diag);

#endif
