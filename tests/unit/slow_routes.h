/*
 * A slow, plain reference for the families with links: which nodes are cabled to which, and which way a message goes,
 * from the table of docs/links.md. Nodes have coordinates; two are cabled where their coordinates say so, which every
 * question finds out anew.
 */
#ifndef UNIT_SLOW_ROUTES_H
#define UNIT_SLOW_ROUTES_H

#include <inlay/machine.h>

enum { SLOW_DIMENSIONS = 8, SLOW_ROUTE = 64 };

/** A family's machine: `size` as behind its name; `up` and `cables` of a fat tree, `cables` of a dragonfly, else 1. */
typedef struct slow_shape {
    inlay_family family;
    int dimensions;
    int size[SLOW_DIMENSIONS], up[SLOW_DIMENSIONS], cables[SLOW_DIMENSIONS];
} slow_shape;

/** Hosts, and nodes with the switches behind them. */
int slow_hosts(const slow_shape *shape);
int slow_nodes(const slow_shape *shape);

/** Cables by the formula of the family; 0 for a crossbar, which has inputs in their place. */
int slow_cables(const slow_shape *shape);

/** What lies between two nodes: so many like cables, each with so many times the capacity of one. */
typedef struct slow_bundle {
    int cables;
    int width;
} slow_bundle;

/** Between two different nodes of a family that is no crossbar; no cables where they are not neighbours. */
slow_bundle slow_between(const slow_shape *shape, int a, int b);

/** One step of a route: to that node, over that one of the parallel cables. */
typedef struct slow_step {
    int node, cable;
} slow_step;

/** The route between two different hosts of a family that is no crossbar; its length. */
int slow_route(const slow_shape *shape, int from, int to, slow_step route[SLOW_ROUTE]);

/** The machine as a string, without attributes that all families have. */
char *slow_shape_text(const slow_shape *shape, char *text, size_t size);

#endif
