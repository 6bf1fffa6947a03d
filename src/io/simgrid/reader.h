/*
 * Reading platform files: what the parts of the reader share.
 *
 * The document comes element by element. The table of elements (simgrid_elements.c) says which attributes an element has
 * and in which others it may stand; a handler of its own puts it into the tree of zones. Names are looked up where they
 * are used: what a file refers to stands before that, as SimGrid has it.
 */
#ifndef IO_SIMGRID_READER_H
#define IO_SIMGRID_READER_H

#include "base/diag.h"
#include "base/hash.h"
#include "machine/machine.h"
#include "machine/zone.h"

enum { SIMGRID_ATTRIBUTES = 20 };

typedef struct simgrid_reader simgrid_reader;
typedef struct simgrid_tag simgrid_tag;

/** The elements, in the order of their table. */
typedef enum simgrid_element {
    SIMGRID_PLATFORM,
    SIMGRID_CONFIG,
    SIMGRID_RANDOM,
    SIMGRID_INCLUDE,
    SIMGRID_PROP,
    SIMGRID_MODEL_PROP,
    SIMGRID_ZONE,
    SIMGRID_AS,
    SIMGRID_HOST,
    SIMGRID_DISK,
    SIMGRID_ROUTER,
    SIMGRID_LINK,
    SIMGRID_BACKBONE,
    SIMGRID_CLUSTER,
    SIMGRID_CABINET,
    SIMGRID_PEER,
    SIMGRID_HOST_LINK,
    SIMGRID_ROUTE,
    SIMGRID_ZONE_ROUTE,
    SIMGRID_AS_ROUTE,
    SIMGRID_BYPASS_ROUTE,
    SIMGRID_BYPASS_ZONE_ROUTE,
    SIMGRID_BYPASS_AS_ROUTE,
    SIMGRID_LINK_CTN,
    SIMGRID_TRACE,
    SIMGRID_TRACE_CONNECT,
    SIMGRID_STORAGE_TYPE,
    SIMGRID_STORAGE,
    SIMGRID_MOUNT,
    SIMGRID_PROCESS,
    SIMGRID_ACTOR,
    SIMGRID_ARGUMENT,
    SIMGRID_ELEMENTS
} simgrid_element;

typedef struct simgrid_attribute {
    const char *name;
    const char *fallback; /**< the value where the file gives none; NULL: has to be given */
} simgrid_attribute;

typedef struct simgrid_rule {
    const char *name;
    unsigned parents; /**< bit 1 << element of what it may stand in */
    int (*open)(simgrid_reader *in, const simgrid_tag *tag);
    int (*close)(simgrid_reader *in);
    simgrid_attribute attribute[SIMGRID_ATTRIBUTES];
} simgrid_rule;

const simgrid_rule *simgrid_rule_of(simgrid_element element);
/** The element of a name, or SIMGRID_ELEMENTS. */
simgrid_element simgrid_element_of(const char *name);

/** An element's begin: its attributes' values in the order of its rule, defaults filled in. */
struct simgrid_tag {
    const simgrid_rule *rule;
    const char *value[SIMGRID_ATTRIBUTES];
    long line;
};

const char *simgrid_value(const simgrid_tag *tag, const char *name);

/** A route that is being read. */
typedef struct simgrid_way {
    const simgrid_rule *rule; /**< NULL outside of routes */
    int32_t from, to, gw_from, gw_to;
    bool symmetrical;
    long line;
    inlay_id *link; /**< and back[i], which stands for it on the way back */
    inlay_id *back;
    size_t count, capacity, back_capacity;
} simgrid_way;

/** A host's link within a cluster zone, whose links may follow it. */
typedef struct simgrid_spoke {
    int32_t point;
    char *up, *down; /**< names, owned; NULL where the links are known: */
    inlay_id up_link, down_link;
    long line;
} simgrid_spoke;

struct simgrid_reader {
    const char *source;
    inlay_diag *diag;
    zone_tree *tree;
    int32_t zone;    /**< the innermost one that is open; -1 outside */
    long *zone_line; /**< by zone */
    size_t zone_capacity;
    machine_host *host; /**< by number of the host; speed is in flops */
    size_t hosts, host_capacity;
    name_map points, links, cables; /**< cables: split-duplex links, by the link up; that down comes next */
    char **cable_name;
    size_t cables_named, cable_capacity;
    simgrid_element stack[ZONE_MAX_DEPTH + 8]; /**< open elements */
    int depth;
    double flops; /**< of speed 1, where the file says so; else 0 */
    bool rooted;  /**< the outermost zone was there */
    simgrid_way way;
    simgrid_spoke *spoke; /**< of the cluster zone that is open */
    size_t spokes, spoke_capacity;
    inlay_id backbone;               /**< of that zone; -1 without */
    int32_t tree_position;           /**< hosts in fat trees so far */
    int64_t tree_cables, fly_cables; /**< cables of fat trees and of dragonflies so far: SimGrid numbers them on */
    bool told_profiles, told_fatpipe, told_config;
};

/** Takes the document's elements in turn. */
int simgrid_parse(simgrid_reader *in, const char *data, size_t size);

/** Says "FILE:LINE: ..."; as an expression it is INLAY_BAD_INPUT, for readers and analysers to see. */
#define simgrid_fail(...) (simgrid_say(__VA_ARGS__), (int)INLAY_BAD_INPUT)
void simgrid_say(const simgrid_reader *in, long line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Speeds, bandwidths and latencies go their own ways in time: said once. */
void simgrid_leave_profile(simgrid_reader *in, const simgrid_tag *tag);

/* Quantities, with the units of SimGrid 3.32: flops, bytes and seconds. */

int simgrid_speed_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, const char *text,
                     double *flops);
int simgrid_bandwidth_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, double *bytes);
int simgrid_time_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, double *seconds);
/** A whole number. */
int simgrid_count_of(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, int32_t least,
                     int32_t most, int32_t *count);

/** Speed in a processor state, of a list "1Gf,500Mf". */
int simgrid_state_speed(const simgrid_reader *in, const simgrid_tag *tag, int32_t state, double *flops);

/* Things with names; all names are checked for being new. */

int simgrid_add_host(simgrid_reader *in, const char *name, machine_host host, long line, int32_t *point);
int simgrid_add_router(simgrid_reader *in, const char *name, long line, int32_t *point);
int simgrid_add_zone(simgrid_reader *in, const char *name, zone_kind kind, long line);

/** What a link is beside its name. */
typedef struct simgrid_cable {
    double capacity, latency;
    bool split; /**< two links, NAME_UP and NAME_DOWN */
    bool parallel;
    bool one_way;     /**< a link that is used in one direction alone */
    int32_t from, to; /**< points; -1 where not known */
} simgrid_cable;

/** A link, or two for a split one: *link is that up, the next one that down. */
int simgrid_add_cable(simgrid_reader *in, const char *name, const simgrid_cable *cable, long line, inlay_id *link);

/** The links that make a way. */
int simgrid_set_way(const simgrid_reader *in, const inlay_id *links, size_t count, zone_way *way);

/* Handlers of the table, by the file that they stand in. */

int simgrid_open_platform(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_refuse_include(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_config(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_trace(simgrid_reader *in, const simgrid_tag *tag);

int simgrid_open_zone(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_close_zone(simgrid_reader *in);
int simgrid_open_host(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_peer(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_router(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_prop(simgrid_reader *in, const simgrid_tag *tag);

int simgrid_open_link(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_backbone(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_host_link(simgrid_reader *in, const simgrid_tag *tag);
/** The spokes of a cluster zone, at its end. */
int simgrid_join_spokes(simgrid_reader *in);

int simgrid_open_cluster(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_open_cabinet(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_shaped_cluster(simgrid_reader *in, const simgrid_tag *tag, zone_kind kind);

/** Cores and speed of a cluster's hosts. */
int simgrid_cluster_host(const simgrid_reader *in, const simgrid_tag *tag, machine_host *host);
/** Whether the cables of a cluster are split. */
int simgrid_cluster_sharing(simgrid_reader *in, const simgrid_tag *tag, bool *split);
/** A link that a cluster has if its bandwidth is given. */
int simgrid_extra_link(const simgrid_reader *in, const simgrid_tag *tag, const char *bandwidth, const char *latency,
                       simgrid_cable *cable, bool *given);

/** "0-3,7" as a list of ranges; each within 0 .. INT32_MAX, all together at most ZONE_MAX_HOSTS. */
typedef struct simgrid_range {
    int32_t first, last;
} simgrid_range;
int simgrid_radical_of(const simgrid_reader *in, const simgrid_tag *tag, simgrid_range **ranges, size_t *count,
                       int64_t *numbers);

int simgrid_open_route(simgrid_reader *in, const simgrid_tag *tag);
int simgrid_close_route(simgrid_reader *in);
int simgrid_open_link_ctn(simgrid_reader *in, const simgrid_tag *tag);

#endif
