/* What a builder has gathered, for the files that gather and finish it. */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "base/hash.h"
#include "graph/columns.h"
#include "graph/names.h"
#include <inlay/app.h>

typedef struct built_block {
    const char *name;
    int64_t size;
    inlay_decimal time;
} built_block;

typedef struct built_type_time {
    inlay_id module;
    int type;
    inlay_decimal time;
    bool never;
} built_type_time;

/* Words that recur: kinds, processor types. */
typedef struct word_list {
    char **words;
    size_t count, capacity;
    name_map numbers;
} word_list;

/* Names of data, which stay in the store of all names: links have their numbers. */
typedef struct data_names {
    const char **name;
    size_t count, capacity;
    name_map numbers;
} data_names;

struct inlay_app_builder {
    char *label;
    inlay_unit unit;
    double reference_speed;
    double period;
    char *file;
    long (*line_of)(void *context, inlay_id from, inlay_id to);
    void *context;
    bool rebuilds; /* from an application, of whose data was said what there is to say */

    name_store *names;
    name_map by_name; /* as in struct inlay_app */
    word_list kinds, types;

    built_modules modules;
    built_links links;
    data_names data;
    built_block *blocks;
    size_t block_count, block_capacity;
    built_links uses;
    built_type_time *type_times;
    size_t type_time_count, type_time_capacity;
};

/* The line for a complaint about a module (to < 0) or a link. */
long builder_line(const inlay_app_builder *builder, inlay_id from, inlay_id to);

/**
 * What a module has beside name and time, given later: memory, what it moves, cores, pin, operations, kind and deadline, each where `details`
 * has more than the default.
 */
int builder_add_details(inlay_app_builder *builder, inlay_id module, const inlay_module *details, inlay_diag *diag);

/** How many links were added before the first one from -> to with precedence; -1 where there is none. */
int64_t builder_find_link(const inlay_app_builder *builder, inlay_id from, inlay_id to);

/** Forget everything that was added. */
void builder_clear(inlay_app_builder *builder);

#endif
