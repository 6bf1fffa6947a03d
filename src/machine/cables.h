/* Cables between nodes, laid one after another, and which link leads from a node to another. */
#ifndef MACHINE_CABLES_H
#define MACHINE_CABLES_H

#include "machine/topology.h"

/** The links of every node, by the node that they lead to: row of node n is begin[n] .. begin[n+1]-1. */
typedef struct cables {
    int64_t *begin;
    inlay_id *to;
    inlay_id *link;
} cables;

/** How cables are: links of this capacity and latency, one that is shared or two. */
typedef struct cable_kind {
    topology_link like;
    bool half_duplex;
} cable_kind;

/** Room for so many links is there already: a cable of the topology's kind adds two, or one that is shared. */
void cables_lay(topology *t, inlay_id a, inlay_id b, const cable_kind *kind);

/** Sorts the links by their ends; false when out of memory. */
bool cables_sort(const topology *t, cables *result);
void cables_clear(cables *c);

/** The link from a node to another that is cabled to it; number `nth` (modulo their number) of parallel ones. */
inlay_id cables_link(const cables *c, inlay_id from, inlay_id to, inlay_id nth);

#endif
