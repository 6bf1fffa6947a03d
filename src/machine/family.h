/*
 * Families of machines with links: their shapes, how they are cabled, and how a message finds its way.
 *
 * A route goes from node to node, each step told by next(); the link of a step is looked up among the cables. Nodes are
 * the hosts, then the switches.
 *
 *   family      shape                     cables                                  way
 *   crossbar    hosts                     none: every host has one input          straight
 *   star        hosts                     every host to one switch                over the switch
 *   ring        hosts                     to the next                             the shorter, forward where equal
 *   mesh        A x B [x C]               neighbours in every dimension           dimension by dimension, the first first
 *   torus       A x B [x C]               the same, and round the ends            the same, each the shorter way
 *   hypercube   2^d hosts                 one bit apart                           bit by bit, the lowest first
 *   tree        children a level, from    every child to its switch               up to the first common switch, and down
 *               the hosts up
 *   fat tree    the same                  every node to up[l] switches, by        the same; which way up is told by the
 *                                         cables[l] cables each                   destination (D-mod-k of E. Zahavi)
 *   dragonfly   groups x chassis x        routers of a chassis, like routers of   within a chassis, across chassis; one
 *               routers x hosts           a group's chassis, and groups: all to   cable from group to group
 *                                         all
 */
#ifndef MACHINE_FAMILY_H
#define MACHINE_FAMILY_H

#include "machine/cables.h"

enum { FAMILY_DIMENSIONS = 8 };

/** Sizes by dimension or level; `up` and `cables` of fat trees, `cables` of dragonflies. */
typedef struct family_shape {
    int dimensions;
    inlay_id size[FAMILY_DIMENSIONS];
    inlay_id up[FAMILY_DIMENSIONS];
    inlay_id cables[FAMILY_DIMENSIONS];
} family_shape;

typedef struct family_way family_way;

/** What routes of one family need. */
struct family_way {
    family_shape shape;
    inlay_id hosts;
    cables cables;
    /** The node behind `at` on the way to host `to`; *nth: which of the parallel cables. */
    inlay_id (*next)(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);
    inlay_id first[FAMILY_DIMENSIONS + 1]; /**< trees: first node of every level */
};

/** What counting nodes and links needs before anything is made: numbers above 2^31 - 1 are too many. */
typedef struct family_size {
    int64_t hosts, switches, cables;
} family_size;

family_size family_measure(inlay_family family, const family_shape *shape);

/**
 * The topology of a family.
 * @param like  capacity and latency of a cable
 * NULL when out of memory. The rest of it (unit, in_bytes, ...) is the caller's.
 */
topology *family_make(inlay_family family, const family_shape *shape, const topology_link *like, bool half_duplex);

/* Families, each in a file of its own: cabling, the step of a route, and its length. */
void grid_cable(topology *t, const family_shape *shape, bool round, const topology_link *like, bool half);
inlay_id mesh_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);
inlay_id torus_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);
int mesh_distance(const topology *t, inlay_id from, inlay_id to);
int torus_distance(const topology *t, inlay_id from, inlay_id to);
int hypercube_distance(const topology *t, inlay_id from, inlay_id to);
void hypercube_cable(topology *t, const topology_link *like, bool half);
inlay_id hypercube_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);

int fat_tree_distance(const topology *t, inlay_id from, inlay_id to);
family_size fat_tree_measure(const family_shape *shape);
void fat_tree_cable(topology *t, family_way *way, const topology_link *like, bool half);
inlay_id fat_tree_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);

family_size dragonfly_measure(const family_shape *shape);
void dragonfly_cable(topology *t, const family_way *way, const topology_link *like, bool half);
inlay_id dragonfly_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);

#endif
