/* Routes through any network: shortest paths, one tree from every host. */
#ifndef MACHINE_GRAPH_ROUTES_H
#define MACHINE_GRAPH_ROUTES_H

#include "machine/topology.h"

/** What the tables of routes may take at most: four bytes for every pair of a host and a node. */
enum { GRAPH_ROUTES_LIMIT_MIB = 512 };

/**
 * Gives a topology, both ends of all whose links are known, its routes: those with the least sum of weights. Where
 * several have it, the way back from the end goes over the nodes with the lowest numbers. Of links of equal weight side
 * by side between two nodes, host number i sends over the i-th (modulo their number).
 * @param weight  one a link, above 0; NULL: 1 each, which is the fewest links
 * @param source  what messages name
 * INLAY_BAD_INPUT where a host cannot reach another, or the tables would be too large; the topology is unchanged then.
 */
int graph_routes_make(topology *t, const double *weight, const char *source, inlay_diag *diag);

/** Whether graph_routes_make() gave the topology its routes. */
bool graph_routes_are(const topology *t);

/** The weight of a link that graph_routes_make() was given; 1 where other routes are in force. */
double graph_routes_weight(const topology *t, inlay_id link);

#endif
