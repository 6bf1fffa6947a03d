/* Data: what several links of one module carry. */
#ifndef GRAPH_DATA_H
#define GRAPH_DATA_H

#include "graph/app.h"
#include "graph/builder.h"

/* ---- Making them ---- */

/* A link as it was added: rows merge those of one pair. */
typedef struct stated_link {
    inlay_id to;
    int32_t name;   /* of its datum, -1 none */
    inlay_id datum; /* filled in by data_make() */
    int64_t messages, bytes;
} stated_link;

/* Links with precedence by producer, as they came. */
typedef struct stated_rows {
    int64_t *begin; /* modules + 1 */
    stated_link *link;
    int64_t named;
} stated_rows;

/** false when out of memory. Cleared in every case. */
bool stated_rows_make(const inlay_app_builder *builder, stated_rows *rows);
void stated_rows_clear(stated_rows *rows);

/* What the names in rows are, and for whom there is a warning where links of a datum disagree. */
typedef struct stated_names {
    const char *const *name; /* stay as long as the application */
    size_t count;
    const char *file; /* NULL: no warning */
} stated_names;

/** The data of an application whose links are in rows; a link's messages and bytes are then as inlay_datum says. */
int data_make(const stated_names *names, const stated_rows *rows, inlay_app *app, inlay_diag *diag);

void data_clear(inlay_app *app);

/* ---- Links apart, as a file has them ---- */

/* One of them: what a link carries beside data, or a datum on its way to one consumer. */
typedef struct apart_link {
    inlay_id to;
    int64_t messages, bytes;
    unsigned flags;
    const char *data; /* or NULL */
} apart_link;

/* Zero-initialise, but for the first two. */
typedef struct apart_links {
    const inlay_app *app;
    inlay_id from;
    int64_t link;   /* of the module */
    inlay_id datum; /* of the module */
    int64_t consumer;
} apart_links;

/**
 * The next link of a module; false behind the last. Links without a datum come by consumer, then the data, each by
 * consumer: who adds them in this order gets the same application.
 */
bool apart_next(apart_links *links, apart_link *next);

/** Adds such a link. */
int apart_add(inlay_app_builder *builder, inlay_id from, const apart_link *link, inlay_diag *diag);

/** How many there are in all; inlay_app_links() where there are no data. */
int64_t apart_count(const inlay_app *app);

#endif
