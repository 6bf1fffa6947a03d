/*
 * Modules and links on their way into an application, in columns as it has them: what a graph does not use takes no
 * memory, and most columns go over into the application as they are.
 */
#ifndef GRAPH_COLUMNS_H
#define GRAPH_COLUMNS_H

#include <inlay/app.h>

/** memory_array() and memory_zeroed() for what will be filled from end to end: faster where it is large. */
void *column_new(size_t count, size_t size);
void *column_zeroed(size_t count, size_t size);

/* Sums of times, messages and bytes stay inside this, so that two of them can be added. */
static const int64_t largest_sum = INT64_C(1) << 62;

/* Times are digits x 10^-scale of the application's unit. */
typedef struct built_modules {
    size_t count, capacity;
    const char **name;
    int64_t *time;
    uint8_t *time_scale;

    /* NULL where no module has anything but the default. */
    int64_t *blocking; /* -1: this module has none */
    uint8_t *blocking_scale;
    int64_t *memory, *traffic_memory;
    int32_t *cores;
    inlay_id *pin;
    double *arithmetic, *functions;
    int32_t *kind;     /* -1 none */
    int64_t *deadline; /* 0 none */
    uint8_t *deadline_scale;
} built_modules;

/* Links between modules, or uses (from = block). */
typedef struct built_links {
    size_t count, capacity;
    inlay_id *from, *to;
    int64_t *messages, *bytes;
    uint8_t *flags;
    int32_t *data;                   /* number of a name, -1 none; NULL where no link has one */
    int64_t messages_sum, bytes_sum; /* up to largest_sum */
    bool too_many;                   /* one of them would be more */
    int64_t last;                    /* link_order() of the last one */
    bool unsorted;                   /* some link does not stand behind the one before it in that order */
} built_links;

/* Links are ordered by from, to and flags; the same number means the same pair and flags. */
static inline int64_t link_order(inlay_id from, inlay_id to, uint8_t flags)
{
    return (int64_t)from << 32 | (int64_t)to << 1 | flags;
}

/** Room for so many in all; false when out of memory. Where one more than there is room for is wanted, more are made. */
bool built_modules_reserve(built_modules *m, size_t wanted);
bool built_links_reserve(built_links *links, size_t wanted);

/** Begin the columns that this module is the first to want; false when out of memory. */
bool built_modules_open(built_modules *m, const inlay_module *given);

/** Defaults for entry `id` in the columns that are there. */
void built_modules_begin(const built_modules *m, inlay_id id);

/** Replace those of memory, what it moves, cores, pin, operations, kind and deadline for which more than the default is given. */
void built_modules_set(const built_modules *m, inlay_id id, const inlay_module *given, int32_t kind,
                       inlay_decimal deadline);

/** Begin the column of data; false when out of memory. */
bool built_links_open_data(built_links *links);

/** Append a link, without a datum; false when out of memory. */
bool built_links_add(built_links *links, inlay_id from, inlay_id to, int64_t messages, int64_t bytes, uint8_t flags);

void built_modules_clear(built_modules *m);
void built_links_clear(built_links *links);

#endif
