/* What a builder has gathered, for the two files that gather and finish it. */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "base/hash.h"
#include "graph/names.h"
#include <inlay/app.h>

typedef struct built_module {
    const char *name;
    inlay_decimal time, blocking; /* in the application's unit */
    bool has_blocking;
    int64_t memory;
    int32_t cores;
    inlay_id pin;
    double arithmetic, functions;
    int32_t kind; /* -1 none */
} built_module;

/* A link between modules, or a use (from = block). */
typedef struct built_link {
    inlay_id from, to;
    int64_t messages, bytes;
    uint8_t flags;
} built_link;

typedef struct built_block {
    const char *name;
    int64_t size;
    inlay_decimal time;
} built_block;

typedef struct built_type_time {
    inlay_id module;
    int type;
    inlay_decimal time;
} built_type_time;

/* Words that recur: kinds, processor types. */
typedef struct word_list {
    char **words;
    size_t count, capacity;
} word_list;

struct inlay_app_builder {
    char *label;
    inlay_unit unit;
    char *file;
    long (*line_of)(void *context, inlay_id from, inlay_id to);
    void *context;

    name_store *names;
    name_map by_name; /* as in struct inlay_app */
    word_list kinds, types;

    built_module *modules;
    size_t module_count, module_capacity;
    built_link *links;
    size_t link_count, link_capacity;
    built_block *blocks;
    size_t block_count, block_capacity;
    built_link *uses;
    size_t use_count, use_capacity;
    built_type_time *type_times;
    size_t type_time_count, type_time_capacity;
};

/* Where a complaint about a module (to < 0) or a link belongs. */
const char *builder_file(const inlay_app_builder *builder);
long builder_line(const inlay_app_builder *builder, inlay_id from, inlay_id to);

#endif
