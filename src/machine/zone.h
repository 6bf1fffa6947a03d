/*
 * Zones: machines whose routes are told zone by zone, as platform files do.
 *
 * A zone holds hosts and routers, or other zones. Within a zone its kind of routing tells the links from one of its
 * points to another. A message that leaves a zone passes through a gateway, a host or router somewhere in that zone:
 * its route goes on from the gateway of the one zone over the links between the zones to the gateway of the other, and
 * so on inwards. Nothing is kept for pairs of hosts: routes are put together when they are asked for.
 *
 * A tree is filled point by point and link by link, then sealed into a topology, which owns it from there on.
 */
#ifndef MACHINE_ZONE_H
#define MACHINE_ZONE_H

#include "machine/topology.h"

/** What a file may ask for at most: beyond, it is refused before anything is allocated. */
enum {
    ZONE_MAX_HOSTS = 1000000,
    ZONE_MAX_LINKS = 8000000,
    ZONE_MAX_DEPTH = 64,     /**< zones within zones */
    ZONE_MAX_VIVALDI = 1024, /**< points of a zone with a latency for every pair */
    ZONE_MAX_TABLE = 1024,   /**< points of a zone with a table of shortest ways; above, ways are sought one by one */
    ZONE_MAX_DIMENSIONS = 16 /**< of a torus; levels of a fat tree */
};

typedef enum zone_kind {
    ZONE_FULL,     /**< a route for every pair */
    ZONE_FLOYD,    /**< the fewest links over routes between neighbours; ties as Floyd's algorithm leaves them */
    ZONE_DIJKSTRA, /**< the same with the ties of Dijkstra's */
    ZONE_STAR,     /**< every point has links up and links down */
    ZONE_VIVALDI,  /**< a star with a latency between the points' coordinates; of zones, between their gateways' */
    ZONE_NONE,     /**< no routes */
    ZONE_TORUS,
    ZONE_FAT_TREE,
    ZONE_DRAGONFLY
} zone_kind;

typedef enum point_kind { POINT_HOST, POINT_ROUTER, POINT_ZONE } point_kind;

/** A host, a router, or a zone as seen from the zone around it. */
typedef struct zone_point {
    point_kind kind;
    int32_t zone;   /**< that it stands in; -1 for the root */
    int32_t rank;   /**< among the points of that zone */
    int32_t refers; /**< the zone that it is; else its node, once sealed */
} zone_point;

/** Links in the order in which a message passes them: a part of the tree's list. */
typedef struct zone_way {
    size_t first;
    int32_t count;
} zone_way;

/** The way from one point of a zone to another. Points that are zones have gateways; else these are -1. */
typedef struct zone_route {
    int32_t from, to;       /**< ranks */
    int32_t gw_from, gw_to; /**< points */
    zone_way way;
    size_t order; /**< in which it was given */
    long line;    /**< in the file */
} zone_route;

/** A way that replaces all others between two points, or two zones at any depth. */
typedef struct zone_bypass {
    int32_t from, to; /**< points */
    int32_t gw_from, gw_to;
    zone_way way;
    long line;
} zone_bypass;

/** A point of a star. */
typedef struct zone_spoke {
    zone_way up, down;
} zone_spoke;

/** Sizes and links of a torus, a fat tree or a dragonfly. */
typedef struct zone_shape {
    int32_t dimensions;                  /**< torus: dimensions; fat tree: levels; dragonfly: 4 */
    int32_t size[ZONE_MAX_DIMENSIONS];   /**< torus; children a level; groups, chassis, blades, nodes */
    int32_t up[ZONE_MAX_DIMENSIONS];     /**< fat tree: parents a level */
    int32_t cables[ZONE_MAX_DIMENSIONS]; /**< fat tree: cables to each parent; dragonfly: of groups, chassis, blades */
    bool split;                          /**< a cable is two links, up and down; else one for both ways */
    bool limited;                        /**< nodes have a limiter */
    inlay_id link;                       /**< first of the cables' links */
    inlay_id limiter;                    /**< first of the limiters */
    int32_t position;                    /**< fat tree: of its first host among those of all fat trees of the file */
} zone_shape;

typedef struct zone {
    zone_kind kind;
    int32_t parent; /**< -1 for the root */
    int32_t depth;
    int32_t self; /**< its point */
    int32_t points;
    int32_t hosts; /**< within it, at any depth; known once sealed */
    bool nests;    /**< its points are zones */

    zone_route *route; /**< full, Floyd, Dijkstra: by from and to once sealed */
    size_t routes, route_capacity;
    size_t *row;     /**< first route from every point */
    int32_t *before; /**< [from][to]: the point before `to` on the shortest way, -1 where none; NULL: to be sought */
    int32_t *order;  /**< Dijkstra: number of a point in the order in which routes name them */

    zone_spoke *spoke; /**< star, Vivaldi: by rank */
    size_t spoke_capacity;
    double (*place)[3]; /**< x, y and height by rank, in milliseconds; only where some are given */
    size_t place_capacity;
    int32_t *gateway;   /**< Vivaldi of zones: the point by rank through which messages enter and leave */
    inlay_id pair_link; /**< Vivaldi: first of the links that stand for the latency of a pair */

    zone_shape shape;

    zone_bypass *bypass;
    size_t bypasses, bypass_capacity;
} zone;

typedef struct zone_tree {
    zone *zone;
    size_t zones, zone_capacity;
    zone_point *point;
    char **point_name; /**< owned */
    size_t points, point_capacity, name_capacity;
    topology_link *link;
    char **link_name; /**< owned */
    size_t links, link_capacity, link_name_capacity;
    inlay_id *hop; /**< the links of all ways */
    size_t hops, hop_capacity;
    inlay_id *host; /**< points of the hosts, in the order of the file */
    size_t hosts, host_capacity;
    int32_t *member; /**< once sealed: the points of every zone by rank, those of zone z from first_member[z] on */
    size_t *first_member;
    inlay_id nowhere; /**< the link that stands for a missing route; -1 where none is missing */
} zone_tree;

void zone_tree_free(zone_tree *tree);

/* Filling. All return the new number, or -1 when out of memory; names are copied. */

/** A zone in another one (-1: the root), which is a point of that one. */
int32_t zone_add(zone_tree *tree, int32_t parent, zone_kind kind, const char *name);
int32_t zone_add_point(zone_tree *tree, int32_t number, point_kind kind, const char *name);
inlay_id zone_add_link(zone_tree *tree, const char *name, double capacity, double latency);

/** Takes a list of links as a way; false when out of memory. */
bool zone_add_way(zone_tree *tree, const inlay_id *links, size_t count, zone_way *way);
bool zone_add_route(zone_tree *tree, int32_t number, const zone_route *route);
bool zone_add_bypass(zone_tree *tree, int32_t number, const zone_bypass *bypass);

/** The spoke of a point of a star or Vivaldi zone, empty at first; NULL when out of memory. */
zone_spoke *zone_spoke_of(zone_tree *tree, int32_t point);
/** x, y and height of a point, to be set; NULL when out of memory. NAN at first. */
double *zone_place_of(zone_tree *tree, int32_t point);
/** Whether a point has coordinates. */
bool zone_is_placed(const zone_tree *tree, int32_t point);

/** Whether a point lies in a zone, at any depth. */
bool zone_holds(const zone_tree *tree, int32_t number, int32_t point);

/* Sealing. */

/** What is wrong with a tree, for a message. */
typedef struct zone_fault {
    int32_t from, to;        /**< points without a route */
    int32_t zone;            /**< theirs; -1 where every two hosts have a route */
    const zone_route *twice; /**< a route that was given before, and otherwise; NULL where none was */
    size_t repeated;         /**< routes between zones that were given before alike: they are dropped */
    int32_t twice_zone;
    const zone_bypass *bypass_twice; /**< the same of a bypass */
} zone_fault;

/**
 * The topology of a full tree, in seconds and bytes; it owns the tree, which is left empty.
 * @return INLAY_OK; INLAY_NO_MEMORY; INLAY_BAD_INPUT for what was given twice: see the fault
 */
int zone_seal(zone_tree *tree, zone_fault *fault, topology **sealed);

/* Parts of it, each in a file of its own. */

/** Sorts routes and finds the shortest ways. */
int zone_seal_routes(zone_tree *tree, zone_fault *fault);
/** The routes from a point to another, as a list of them in `path`; *count 0 where there is none. */
bool zone_path(const zone *z, int32_t from, int32_t to, const zone_route ***path, size_t *count);
/** The route that was given for two points of a full, Floyd or Dijkstra zone; NULL where none was. */
const zone_route *zone_route_given(const zone *z, int32_t from, int32_t to);
/** Looks for points that no route joins. */
int zone_find_missing(const zone_tree *tree, zone_fault *fault);

bool zone_star_route(const zone_tree *tree, const zone *z, int32_t from, int32_t to, route_list *route);
bool zone_torus_route(const zone *z, int32_t from, int32_t to, route_list *route);
bool zone_fat_tree_route(const zone *z, int32_t from, int32_t to, route_list *route);
bool zone_dragonfly_route(const zone *z, int32_t from, int32_t to, route_list *route);

/** Brings the bypasses of a zone into the order in which they are looked up; gives one that was given before, or NULL. */
const zone_bypass *zone_sort_bypasses(zone *z);
/** The route between two points that are hosts or routers. */
bool zone_route_between(const zone_tree *tree, int32_t from, int32_t to, route_list *route);

/** Hosts, cables and nodes with limiters of a torus, a fat tree or a dragonfly; above any limit where they overflow. */
typedef struct zone_size {
    int64_t hosts, cables, switches;
} zone_size;

zone_size zone_measure(zone_kind kind, const zone_shape *shape);

/** Numbers of a fat tree's nodes: hosts are level 0. */
int64_t zone_fat_tree_nodes(const zone_shape *shape, int level);

#endif
