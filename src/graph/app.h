/* The application graph's arrays, for the library's own loops. */
#ifndef GRAPH_APP_H
#define GRAPH_APP_H

#include "base/sorted.h"
#include "base/hash.h"
#include "base/memory.h"
#include <inlay/app.h>

struct inlay_app {
    char *label;     /**< the application's own name */
    char sha256[65]; /**< of the file that it was read from; "" where it was built */
    inlay_unit unit;
    double reference_speed; /**< flop/s of the processor that times hold on; 0 unknown */
    double period;          /**< from one run to the next, in units; 0 not said */
    int decimals;
    struct inlay_sdf *sdf; /**< whose firings are the modules; NULL: none's */
    int32_t iterations;    /**< of that, or 0 */

    inlay_recorded *recorded; /**< or NULL */
    memory_pool records;      /**< keeps it and all that it points to */

    inlay_id modules;
    struct name_store *names; /**< keeps the characters */
    const char **name;        /**< of modules, then of blocks */
    name_map by_name;         /**< module i as i, block j as -2 - j */
    inlay_time *time;         /**< m */
    inlay_time *blocking;     /**< b, or NULL */
    int64_t *memory;          /**< or NULL: 0 everywhere */
    int64_t *traffic_memory;  /**< or NULL: 0 everywhere */
    int32_t *cores;           /**< or NULL: 1 everywhere */
    inlay_id *pin;            /**< or NULL: -1 everywhere */
    double *arithmetic;       /**< or NULL */
    double *functions;        /**< or NULL */
    inlay_time *deadline;     /**< 0 none; or NULL */
    int32_t *kind;            /**< number of a kind name, -1 none; or NULL */
    int32_t kinds;
    char **kind_names;
    int types;
    char **type_names;
    inlay_time *type_time; /**< types x modules, -1 where not given */

    int64_t links;
    int64_t *out_begin; /**< modules + 1 */
    inlay_id *out_to;
    int64_t *out_messages;
    int64_t *out_bytes;
    uint8_t *out_flags;

    /* NULL where there are no data: by link as above, then by datum. */
    int64_t *own_messages; /**< -1 where everything is a datum */
    int64_t *own_bytes;
    inlay_id data;
    inlay_id *data_begin; /**< modules + 1 */
    const char **datum_name;
    int64_t *datum_messages;
    int64_t *datum_bytes;
    int64_t *consumer_begin; /**< data + 1 */
    inlay_id *consumer;
    int64_t *stated_messages; /**< by consumer: what its link says; NULL where all say what their datum has */
    int64_t *stated_bytes;

    int64_t precedence_links;
    int64_t *in_begin; /**< modules + 1; precedence alone */
    inlay_id *in_from;
    inlay_id *topological; /**< modules, every one behind its predecessors */

    inlay_id blocks;
    int64_t *block_size;
    inlay_time *block_time;
    int64_t *use_begin; /**< blocks + 1 */
    inlay_id *use_module;
    int64_t *use_messages;
    int64_t *use_bytes;
    uint8_t *use_flags; /**< all 0: so that uses read like links */
};

/** The times of all modules on a type of processors, -1 or INLAY_NEVER where one has none; NULL where none has. */
const inlay_time *app_times_on(const inlay_app *app, const char *type);

/** The time of a module on processors of a type (NULL: the general time). */
inlay_time app_time_on(const inlay_app *app, const char *type, inlay_id module);

/** The link with precedence from a module to another, of which there is one. */
static inline int64_t app_link_to(const inlay_app *app, inlay_id from, inlay_id to)
{
    int64_t l = sorted_at(app->out_to, app->out_begin[from], app->out_begin[from + 1], to);
    return app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY ? l + 1 : l;
}

/** Whether a module needs a datum. */
static inline bool app_consumes(const inlay_app *app, inlay_id datum, inlay_id module)
{
    int64_t end = app->consumer_begin[datum + 1];
    int64_t at = sorted_at(app->consumer, app->consumer_begin[datum], end, module);
    return at < end && app->consumer[at] == module;
}

#endif
