/* Stochastic graphs inside the library: what one holds, and the steps in which it is checked and solved. */
#ifndef GRAPH_STOCHASTIC_H
#define GRAPH_STOCHASTIC_H

#include "base/hash.h"
#include <inlay/stochastic.h>

typedef struct sg_module {
    const char *name; /**< in the graph's store */
    bool eor, has_entries;
    double entries;
    double time; /**< m, in the graph's unit */
    double arithmetic, functions;
    int64_t memory;
} sg_module;

typedef struct sg_link {
    inlay_id from, to;
    double probability; /**< P_ij; below 0 until it is known */
    double time;        /**< a_ij */
    int64_t messages, bytes;
} sg_link;

/** Links, once sorted by `from` and then as they were added: those of module i from begin[i] to begin[i + 1] - 1. */
typedef struct sg_links {
    sg_link *link;
    size_t count, capacity;
    size_t *begin; /**< NULL until sorted */
} sg_links;

typedef struct sg_block {
    const char *name;
    int64_t size;
    double time; /**< d */
} sg_block;

typedef struct sg_use {
    inlay_id block, module;
    int64_t messages, bytes;
} sg_use;

struct inlay_stochastic {
    char *label;
    inlay_unit unit;
    struct name_store *names;
    name_map by_name; /**< module i as i, block j as -2 - j */
    sg_module *module;
    size_t modules, module_capacity;
    sg_block *block;
    size_t blocks, block_capacity;
    sg_links control, traffic;
    sg_use *use;
    size_t uses, use_capacity;

    inlay_id *part; /**< numbered by their first modules */
    bool *looped;   /**< by module */
    double *visits; /**< v */
    double *own;    /**< m' = m + sum of P a: the work of one visit */
    double *mean;   /**< w: expected work that one visit causes, its own and that of all visits that come of it */
    double *variance;
    inlay_stochastic_summary summary;
};

struct inlay_stochastic_builder {
    inlay_stochastic *graph; /**< made on first use */
    char *name, *file;
    inlay_unit unit;
    long (*line_of)(void *context, inlay_id from, inlay_id to);
    void *context;
};

/** The line of a module (to < 0) or a link, 0 where unknown. */
long sg_line(const inlay_stochastic_builder *builder, inlay_id from, inlay_id to);

/** "module 'a'", "modules 'a', 'b', 'c' and 2 more", for messages. NULL: out of memory; freed by the caller. */
char *sg_names(const inlay_stochastic *graph, const inlay_id *module, size_t count);

/**
 * Settle what was left open: probabilities of all links, which sum to 1 for an EOR module, links of probability 0 left
 * out, entries. Every module can be reached from an entry afterwards.
 */
int sg_check(const inlay_stochastic_builder *builder, inlay_diag *diag);

/** The strongly connected parts, each behind those that lead to it. Freed by sg_parts_clear(). */
typedef struct sg_parts {
    inlay_id count;
    inlay_id *of;     /**< part of each module */
    inlay_id *begin;  /**< count + 1: where its modules begin in `member` */
    inlay_id *member; /**< by rising number in every part */
} sg_parts;

/** Tarjan's algorithm on the links of control; false when out of memory. */
bool sg_find_parts(const inlay_stochastic *graph, sg_parts *parts);
void sg_parts_clear(sg_parts *parts);

/** Fill in what a graph has beside what was added. */
int sg_solve(const inlay_stochastic_builder *builder, inlay_diag *diag);

#endif
