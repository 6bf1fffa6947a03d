/*
 * Clusters that Slurm runs: slurm.conf with topology.conf, and what sinfo prints.
 *
 * Both become nodes and partitions; a topology becomes switches above the nodes; then the nodes of one partition are
 * written down as hosts and cables.
 */
#ifndef IO_SLURM_SLURM_H
#define IO_SLURM_SLURM_H

#include "base/hash.h"
#include "base/text.h"
#include "graph/names.h"
#include "io/owned.h"
#include <inlay/machine.h>

enum {
    SLURM_MOST_NODES = 100000,
    SLURM_MOST_CORES = 1000000,
    SLURM_MOST_NAMES = 10000000 /**< of hosts in all lists together */
};

/** One `Key=Value`. */
typedef struct slurm_pair {
    const char *key, *value;
} slurm_pair;

/** What records of the name DEFAULT said so far: kept. */
typedef struct slurm_defaults {
    slurm_pair *pair;
    size_t count, capacity;
} slurm_defaults;

/** A place in a file. */
typedef struct slurm_place {
    const char *file;
    long line;
} slurm_place;

typedef struct slurm_node {
    const char *name;
    int64_t cores; /**< and further hardware threads: */
    int64_t threads;
    int64_t memory; /**< MiB; -1: not told */
    int64_t gpus;
    const char *features; /**< a list; NULL: none */
    bool out;             /**< down, drained or not there yet */
    bool chosen;          /**< of the partition that is the machine */
    int32_t above;        /**< the switch; -1: none */
    slurm_place place;
} slurm_node;

/** A partition, or a set of nodes. */
typedef struct slurm_group {
    const char *name;
    text_buffer nodes;   /**< a list of hosts */
    const char *feature; /**< of a set: nodes with it are of it too; NULL: none */
    const char *most;    /**< MaxNodes; NULL: not told */
    bool is_default;
    bool chosen; /**< of a set: its nodes are */
    slurm_place place;
} slurm_group;

typedef struct slurm_groups {
    slurm_group *group;
    size_t count, capacity;
    name_map numbers;
} slurm_groups;

typedef struct slurm_switch {
    const char *name, *nodes, *switches; /**< lists; NULL: none */
    int32_t above;                       /**< -1: none */
    int64_t below;                       /**< chosen nodes under it, at any depth */
    slurm_place place;
} slurm_switch;

/** Warned about once, with their counts. */
typedef struct slurm_ignored {
    int64_t keys; /**< of nodes and partitions, that no version of Slurm has */
    const char *key;
    slurm_place key_place;
    int64_t speeds;    /**< LinkSpeed */
    int64_t strangers; /**< nodes of a topology that are none of the cluster */
    const char *stranger;
} slurm_ignored;

typedef struct slurm {
    const char *source;
    inlay_diag *diag;
    owned own;
    name_store *names;   /**< keeps all texts */
    const char *cluster; /**< its name; NULL: not told */
    slurm_node *node;
    size_t nodes, node_capacity;
    name_map node_numbers;
    slurm_groups partitions, sets;
    slurm_defaults node_defaults, partition_defaults;
    text_buffer down; /**< lists of nodes that are */
    slurm_place down_place;
    bool all_down, all_chosen;
    int64_t listed; /**< names of hosts in lists so far */
    slurm_switch *switches;
    size_t switch_count, switch_capacity;
    name_map switch_numbers;
    bool counts_threads; /**< CPUs may be hardware threads: nothing tells */
    slurm_ignored ignored;
} slurm;

/* ---- Lines ---- */

/** Its texts live until the handler returns. */
typedef struct slurm_record {
    slurm_place place;
    slurm_pair *pair;
    size_t count;
} slurm_record;

/** The value of a key, in any case; NULL: not there. */
const char *slurm_value(const slurm_record *record, const char *key);

/** Takes the records of a file, and those of the files that it includes, in turn. */
int slurm_records(slurm *s, const char *data, size_t size, const char *path,
                  int (*take)(slurm *s, const slurm_record *record));

/** The path of a file in the folder of another one; the caller frees. NULL: no memory. */
char *slurm_beside(const char *path, const char *name);

int slurm_fail(const slurm *s, slurm_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Keeps a text; NULL: no memory, which is told. */
const char *slurm_keep(slurm *s, const char *text);

/* ---- Lists of hosts ---- */

/** Gives every name of a list such as "n[00-07,9],m1" to `take`, with `what`; stops at a status that is not INLAY_OK. */
int slurm_hosts(slurm *s, slurm_place place, const char *list, int (*take)(slurm *s, const char *name, void *what),
                void *what);

/* ---- What the files hold ---- */

int slurm_config(slurm *s, const char *data, size_t size);
int slurm_sinfo(slurm *s, const char *data, size_t size);

/** A new node, perhaps one of several alike, or INLAY_BAD_INPUT where its name is not new. */
int slurm_add_node(slurm *s, const char *name, const slurm_node *like);

/** A new group of that name, `what` for messages; INLAY_BAD_INPUT where the name is not new. */
int slurm_add_group(slurm *s, slurm_groups *groups, const char *name, const char *what, slurm_place place,
                    slurm_group **group);

/** GPUs of a Gres such as "gpu:a100:4(S:0-1),shard:8". */
int64_t slurm_gpus(const char *gres);

/** Whether a list of states says that jobs cannot run there. */
bool slurm_is_out(const char *states);

/** A whole number from `least` to `most`. */
bool slurm_number(const char *text, int64_t least, int64_t most, int64_t *number);

/** Switches of topology.conf, at its path. */
int slurm_topology(slurm *s, const char *path);

/** Chooses the nodes of the partition, and says which. */
int slurm_choose(slurm *s);

/** Hosts and cables in DOT, for explicit_machine(). */
int slurm_write(const void *of, text_buffer *to, inlay_diag *diag);

#endif
