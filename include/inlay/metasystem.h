/*
 * Metasystems: networks of clusters whose processors are alike within a cluster and unlike between them, as
 * J. B. Weissman and A. S. Grimshaw describe them in "A framework for partitioning parallel computations in
 * heterogeneous environments", section 2.1.
 *
 * A cluster says how many processors it has and how many of them may be used, how fast they are, what joins them, and
 * what a cycle of communication in each pattern costs, as a benchmark has found (EQ 1). Clusters lie in networks:
 * those in one network share its bandwidth and reach each other without a router, those in different networks through
 * routers. Networks may lie in networks. Clusters whose data formats differ pay coercion.
 *
 * All structures are open: a program may fill them in by hand, or read a file with inlay_metasystem_read().
 * Zero-initialised, every member that is not set has its plain meaning. Times are in one unit of the caller's choice,
 * rates are instructions per that unit.
 */
#ifndef INLAY_METASYSTEM_H
#define INLAY_METASYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlay/status.h>
#include <inlay/units.h>

/* ---- Communication ---- */

/**
 * The pattern in which processors communicate. The first ones cost what a cluster's function says; the others are
 * algorithms, whose stages cost what a step of the cluster's ring does (docs/select.md).
 */
typedef enum inlay_pattern {
    INLAY_PATTERN_LINE,       /**< all exchange with both neighbours at once */
    INLAY_PATTERN_RING,       /**< one message goes around */
    INLAY_PATTERN_TREE,       /**< fan-in to a root, and back */
    INLAY_PATTERN_ALL_TO_ALL, /**< each has another message for each */
    INLAY_PATTERN_ALLREDUCE,  /**< all get the sum of what each has */
    INLAY_PATTERN_BROADCAST,  /**< all get what one has */
    INLAY_PATTERN_2D,         /**< borders of a square, cut into a grid of blocks */
    INLAY_PATTERN_3D          /**< borders of a cube */
} inlay_pattern;

enum { INLAY_PATTERNS = 3 /**< with a function */, INLAY_ALL_PATTERNS = 8 };

/** "1-D", "ring", "tree", "all-to-all", "allreduce", "broadcast", "2-D", "3-D"; NULL for others. */
INLAY_API const char *inlay_pattern_name(inlay_pattern pattern);

/** The i-th algorithm of a pattern that is one, "pairwise" and so on; NULL behind the last, and for the other patterns. */
INLAY_API const char *inlay_pattern_algorithm(inlay_pattern pattern, size_t i);

/** How the communication of a cluster grows with its processors: f of EQ 1. */
typedef enum inlay_growth {
    INLAY_GROWTH_LINEAR,  /**< f(p) = p: a bus; a ring on anything; with small c2, c4 a line on a mesh */
    INLAY_GROWTH_LOG2,    /**< f(p) = log2 p: a tree on a mesh */
    INLAY_GROWTH_CONSTANT /**< f(p) = 1 */
} inlay_growth;

/** "linear", "log", "constant"; NULL for others. */
INLAY_API const char *inlay_growth_name(inlay_growth growth);

/** T(p) = c1 + c2 f(p) + b (c3 + c4 f(p)) for p processors and messages of b bytes (EQ 1). */
typedef struct inlay_communication {
    bool given;    /**< programs with this pattern can run here */
    double c1, c2; /**< time */
    double c3, c4; /**< time per byte */
    inlay_growth growth;
} inlay_communication;

/* ---- Clusters, networks, routers ---- */

/** What joins the processors of a cluster; it decides how tasks are placed on them. */
typedef enum inlay_interconnect {
    INLAY_INTERCONNECT_BUS, /**< all equally far: any placement is as good */
    INLAY_INTERCONNECT_SWITCH,
    INLAY_INTERCONNECT_RING,
    INLAY_INTERCONNECT_MESH,     /**< rows x columns, without wraparound */
    INLAY_INTERCONNECT_HYPERCUBE /**< processors a power of 2 */
} inlay_interconnect;

/** "bus", "switch", "ring", "mesh", "hypercube"; NULL for others. */
INLAY_API const char *inlay_interconnect_name(inlay_interconnect interconnect);

typedef struct inlay_metasystem_cluster {
    const char *name;   /**< not NULL, unique */
    const char *type;   /**< processor type, by which programs give their arch_cost; NULL: the name */
    int32_t total;      /**< processors, at least 0 */
    int32_t available;  /**< of them those that may be used, at most `total` */
    const bool *usable; /**< which: `total` entries, `available` of them true; NULL: the first ones */
    double rate;        /**< instructions per time of one processor; 0: none given, programs must give arch_cost */
    const char *format; /**< data format; NULL is a format like any other */
    int32_t network;    /**< its network; with no networks given, each cluster is in one of its own */
    inlay_interconnect interconnect;
    int32_t rows, columns; /**< of a mesh, rows x columns = total */
    inlay_communication communication[INLAY_PATTERNS];
    double price; /**< of one processor for an hour, in the metasystem's currency; 0: it costs nothing */
    double power; /**< watts that one processor takes; 0: none is given */
} inlay_metasystem_cluster;

/**
 * A network of clusters or of networks. Its router joins the networks that lie in it: a message between clusters of two
 * of them pays it. A message that leaves deeper networks pays the router of each network that it comes out into, up to
 * the one that holds both ends, and of each that it goes down through.
 */
typedef struct inlay_metasystem_network {
    const char *name;       /**< not NULL, unique */
    int32_t parent;         /**< the network around it, a smaller number; -1: none, the metasystem itself */
    double router_latency;  /**< r1, time */
    double router_per_byte; /**< r2, time per byte */
} inlay_metasystem_network;

/** What a message between two clusters costs in place of what the networks between them say; symmetric. */
typedef struct inlay_metasystem_route {
    int32_t from, to; /**< clusters */
    double latency;   /**< r1 */
    double per_byte;  /**< r2 */
    double coercion;  /**< e1, per byte */
} inlay_metasystem_route;

typedef struct inlay_metasystem {
    const char *name;     /**< for messages; may be NULL */
    inlay_unit time_unit; /**< of every time here: a real unit or INLAY_UNIT_TICK; of callers that do not care,
                               INLAY_UNIT_NONE */
    size_t clusters;
    const inlay_metasystem_cluster *cluster;
    size_t networks; /**< 0: each cluster is a network of its own */
    const inlay_metasystem_network *network;
    double router_latency;  /**< r1 between networks that lie in none */
    double router_per_byte; /**< r2 */
    double coercion;        /**< e1 between clusters whose formats differ, time per byte */
    size_t routes;
    const inlay_metasystem_route *route;
    const char *currency; /**< of the prices; NULL: none is given */
} inlay_metasystem;

/** INLAY_BAD_ARGUMENT with the member that cannot be: a number below 0 or not finite, a wrong index, two like names. */
INLAY_API int inlay_metasystem_check(const inlay_metasystem *metasystem, inlay_diag *diag);

/** r1, r2 and e1 of a message between two clusters, as networks and routes give them. The metasystem must be right. */
INLAY_API inlay_metasystem_route inlay_metasystem_way(const inlay_metasystem *metasystem, int32_t from, int32_t to);

/**
 * Reads a metasystem file (DOT; docs/select.md), or any other machine that inlay_machine_read() takes, by
 * inlay_machine_metasystem(). Free it with inlay_metasystem_free(); all that it points to lives as long. "-" is standard
 * input.
 */
INLAY_API int inlay_metasystem_read(const char *text_or_path, inlay_metasystem **metasystem, inlay_diag *diag);
INLAY_API void inlay_metasystem_free(inlay_metasystem *metasystem);

#endif
