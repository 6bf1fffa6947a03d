/* The local graph of the statements of one rank (see inlay/irregular_graph.h). */
#ifndef IRREGULAR_RDG_H
#define IRREGULAR_RDG_H

#include <inlay/irregular_graph.h>

/** An edge, both of whose arcs have been counted so often: the paper adds 1 to (f, g) and to (g, f) alike. */
typedef struct rdg_edge {
    uint64_t low, high; /**< its elements, low < high */
    uint64_t count;
} rdg_edge;

/** Edges in the order of the statements. The same one may be there more than once: at most `room` in all. */
struct inlay_rdg {
    int64_t n;
    rdg_edge *edge;
    int64_t used, room;
};

#endif
