/*
 * Families of machines, each in a file of its own in machine/families and a row of the table in families.c: the only place
 * that tells one family from another. To add one, write its file, name its row here and in families.c, and give it an
 * index in inlay/machine.h.
 *
 * A family with links has a shape: its sizes by dimension or level, cabled in its own way. A route goes from node to node,
 * each step told by next(); the link of a step is looked up among the cables. Nodes are the hosts, then the switches.
 */
#ifndef MACHINE_FAMILY_H
#define MACHINE_FAMILY_H

#include "base/text.h"
#include "machine/cables.h"

enum { FAMILY_DIMENSIONS = 8 };

/** Sizes by dimension or level; `up` and `cables` of fat trees, `cables` of dragonflies. */
typedef struct family_shape {
    int dimensions;
    bool round; /**< of a grid: the ends of its dimensions are joined */
    inlay_id size[FAMILY_DIMENSIONS];
    inlay_id up[FAMILY_DIMENSIONS];
    inlay_id cables[FAMILY_DIMENSIONS];
} family_shape;

/** What counting nodes and links needs before anything is made: numbers above 2^31 - 1 are too many. */
typedef struct family_size {
    int64_t hosts, switches, cables;
} family_size;

/** A place in a picture, counted in cells: x to the right and y down. */
typedef struct family_place {
    double x, y;
} family_place;

typedef struct machine_family machine_family;

/** What routes of one family need. */
typedef struct family_way {
    const machine_family *family;
    family_shape shape;
    inlay_id hosts, nodes;
    cables cables;
    inlay_id first[FAMILY_DIMENSIONS + 1]; /**< trees: first node of every level */
} family_way;

struct machine_making;

/** One family. Every member has to be there, but flags and where it says otherwise. */
struct machine_family {
    const char *name;    /**< in strings and files */
    const char *operand; /**< how its processors are written: "K", "AxB" */
    const char *summary; /**< a phrase */
    const char *others;  /**< other people's words for it, or for what it stands for, each between blanks; or NULL */
    const char *sample;  /**< a small machine with the attributes that are the family's own */

    uint64_t takes;       /**< bit 1 << attribute_id: the attributes that it has */
    const char *expected; /**< of processors in several numbers: in words; else NULL */
    int sizes[2];         /**< how many these are, at least and at most */
    bool grows_first;     /**< more processors lengthen the first dimension, else the last */
    /** The number of hosts, from this one on, that it can have; NULL: this one. */
    int64_t (*enough)(const inlay_machine *machine, int64_t hosts);
    /** Its word in Scotch's target files; false where there is none: it is written by its distances. */
    bool (*tgt)(const inlay_machine *machine, text_buffer *to);

    inlay_network network;

    /* Where there are no links. */

    /** What no attribute alone can tell, and the values that are shown although nobody gave them. */
    int (*complete)(const struct machine_making *making);
    /** Distance between different processors; NULL: all are as far. */
    int (*apart)(const inlay_machine *machine, inlay_id from, inlay_id to);

    /* INLAY_NETWORK_LINKS */

    int uncabled; /**< the last so many dimensions have no number of `cables` */
    /** Says what is wrong with a shape, or completes it; NULL: nothing is. */
    int (*check)(const struct machine_making *making);
    family_size (*measure)(const family_shape *shape);
    /** Lays the cables. */
    void (*cable)(topology *t, family_way *way, const cable_kind *cable);
    /** The node behind `at` on the way to host `to`; *nth: which of the parallel cables. */
    inlay_id (*next)(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth);
    /** Length of a route, for which layouts ask again and again; NULL: its steps are counted. */
    int (*distance)(const topology *t, inlay_id from, inlay_id to);
    /** Where a node stands in a picture, or behind the nodes what stands for the missing ends of links. */
    family_place (*place)(const family_way *way, inlay_id node);
    /** Cables between two halves of the hosts, at least so many; -1 where they are not known. */
    int64_t (*bisection)(const family_shape *shape);
    bool inputs; /**< every host has one link, its input: the other ends are nowhere */
    bool spokes; /**< a route is its sender's cable and its receiver's */
    bool bows;   /**< in a picture lines along a row or column bow around what stands between their ends */
};

#define FAMILY_SIZES "whole numbers with an x in between such as 4x4"

/* The rows, in the files of machine/families. */
extern const machine_family bus_family, multibus_family, omega_family, omega_pe_family, crossbar_family, star_family,
    ring_family, mesh_family, torus_family, hypercube_family, tree_family, fat_tree_family, dragonfly_family,
    ring_of_rings_family;

const machine_family *family_row(inlay_family family);

/** Whether there is a family, or `links`, of that name. */
bool family_find(const char *name, inlay_family *family);

/** Adds "bus, multibus, ... or dragonfly". */
void family_names(text_buffer *to);

/** Adds ", perhaps 'bus'", the families that may have been meant. */
void family_nearest(const char *name, text_buffer *to);

/**
 * The topology of a family with links. NULL when out of memory. The rest of it (unit, in_bytes, ...) is the caller's.
 */
topology *family_make(const machine_family *family, const family_shape *shape, const cable_kind *cable);

/* ---- What families share ---- */

/** The product of the sizes, or more than 2^31 - 1. */
int64_t family_hosts(const family_shape *shape);
int64_t family_half(const family_shape *shape); /**< half of the hosts */
int64_t family_unknown(const family_shape *shape);

/** On a circle, so many parts of a turn clockwise from the top. */
family_place family_around(double radius, double part);
/** The middle of one of several groups of nodes on a circle, each so wide. */
family_place family_around_groups(double wide, inlay_id group, inlay_id groups);
/** Hosts round a circle from the top on, so wide that neighbours do not touch; its radius. */
double family_radius(inlay_id hosts);
/** All hosts round a circle, what else there is in its middle. */
family_place family_circle(const family_way *way, inlay_id node);

bool family_complete_graph(const inlay_machine *machine, text_buffer *to);
bool family_no_word(const inlay_machine *machine, text_buffer *to);

/** Whole numbers, "3 4\n" with a blank in front. */
void family_add_sizes(const family_shape *shape, text_buffer *to);

#endif
