/*
 * Hosts, switches and the links between them, and the route of a message: what machines with distance are made of.
 *
 * A host is where processors stand: its cores. A link carries one message at a time in one direction; a cable that
 * carries both ways at once is two links, a shared medium (a half-duplex cable, a bus of a platform file) one link that
 * routes use in both directions. A route is the list of links from one host to another, in the order in which a message
 * passes them; its length is their distance.
 */
#ifndef MACHINE_TOPOLOGY_H
#define MACHINE_TOPOLOGY_H

#include <inlay/machine.h>

/** One link. Capacity and latency are counted in the topology's unit. */
typedef struct topology_link {
    double
        capacity;   /**< bytes or messages in one unit of time, above 0; where none is known, its share of a cable: 1 */
    double latency; /**< time through the link, behind any waiting */
    inlay_id from, to; /**< nodes; -1 where a platform file names a link without saying where it lies */
    bool shared;       /**< routes use it in both directions */
    bool parallel;     /**< messages do not meet on it: each has all of its capacity ("fat pipe") */
} topology_link;

/** Links of a route, growing. Zero-initialised is empty. */
typedef struct route_list {
    inlay_id *link;
    size_t count, capacity;
} route_list;

bool route_add(route_list *route, inlay_id link); /**< false when out of memory */
void route_clear(route_list *route);

typedef struct topology topology;

struct topology {
    inlay_id hosts; /**< nodes 0 .. hosts-1 */
    inlay_id nodes; /**< with switches and routers behind the hosts */
    inlay_id links;
    topology_link *link; /**< owned */
    inlay_unit unit;     /**< of capacities and latencies: INLAY_UNIT_S or INLAY_UNIT_TICK */
    bool in_bytes;       /**< capacities count bytes, else messages */
    bool has_capacity;   /**< else no link has one: a message a tick, or in seconds messages cost nothing but latency */
    bool cut_through;    /**< links are passed at once by a message's head, else one after the other by all of it */

    char **node_name; /**< owned, one a node; NULL: hosts are named p0, p1, ..., switches s0, s1, ... */
    char **link_name; /**< owned, one a link; NULL: named by their ends */

    /** Appends the route between two different hosts. false when out of memory. */
    bool (*route)(const topology *t, inlay_id from, inlay_id to, route_list *route);
    /** The length of that route; NULL: count it. */
    int (*distance)(const topology *t, inlay_id from, inlay_id to);

    void *own; /**< what the two need */
    void (*free_own)(void *own);
};

void topology_free(topology *t);

/** Length of the route between two hosts, 0 from a host to itself; -1 when out of memory. */
int topology_distance(const topology *t, inlay_id from, inlay_id to);

#endif
