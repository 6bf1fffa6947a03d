/* Data: found among the links of each module, and the links once more apart. */
#include "graph/data.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/sorted.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void data_clear(inlay_app *app)
{
    void *arrays[] = {app->own_messages,    app->own_bytes,   app->data_begin,     (void *)app->datum_name,
                      app->datum_messages,  app->datum_bytes, app->consumer_begin, app->consumer,
                      app->stated_messages, app->stated_bytes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

inlay_id inlay_app_data(const inlay_app *app)
{
    return app->data;
}

/* The module whose row of data has this one. */
static inlay_id producer_of(const inlay_app *app, inlay_id datum)
{
    return (inlay_id)sorted_at(app->data_begin, 1, app->modules, datum + 1) - 1;
}

inlay_datum inlay_app_datum(const inlay_app *app, inlay_id datum)
{
    int64_t at = app->consumer_begin[datum];
    return (inlay_datum){.name = app->datum_name[datum],
                         .producer = producer_of(app, datum),
                         .messages = app->datum_messages[datum],
                         .bytes = app->datum_bytes[datum],
                         .consumers = app->consumer_begin[datum + 1] - at,
                         .consumer = app->consumer + at};
}

/* ---- Links as they were added ---- */

void stated_rows_clear(stated_rows *rows)
{
    free(rows->begin);
    free(rows->link);
    *rows = (stated_rows){0};
}

bool stated_rows_make(const inlay_app_builder *builder, stated_rows *rows)
{
    const built_links *links = &builder->links;
    size_t modules = builder->modules.count;
    rows->begin = column_zeroed(modules + 1, sizeof *rows->begin);
    rows->link = column_new(links->count, sizeof *rows->link);
    if (rows->begin == NULL || rows->link == NULL) {
        stated_rows_clear(rows);
        return false;
    }
    for (size_t i = 0; i < links->count; i++) {
        rows->begin[links->from[i] + 1] += !(links->flags[i] & INLAY_LINK_TRAFFIC_ONLY);
    }
    for (size_t i = 0; i < modules; i++) {
        rows->begin[i + 1] += rows->begin[i];
    }
    for (size_t i = 0; i < links->count; i++) {
        if (!(links->flags[i] & INLAY_LINK_TRAFFIC_ONLY)) {
            rows->link[rows->begin[links->from[i]]++] =
                (stated_link){links->to[i], links->data[i], -1, links->messages[i], links->bytes[i]};
            rows->named += links->data[i] >= 0;
        }
    }
    memmove(rows->begin + 1, rows->begin, modules * sizeof *rows->begin); /* each had moved to its end */
    rows->begin[0] = 0;
    return true;
}

/* ---- Data out of them ---- */

typedef struct making {
    const stated_names *names;
    const stated_rows *rows;
    inlay_app *app;
    inlay_id *datum_of;   /* by name: the last datum of that name */
    int64_t *link_to;     /* by module: the link of the producer at hand to it */
    stated_link *carried; /* the links of the producer at hand that have data */
} making;

/* Which links belong to one datum, producer by producer, and how many data there are. */
static int number_data(making *m, inlay_diag *diag)
{
    inlay_app *app = m->app;
    for (size_t name = 0; name < m->names->count; name++) {
        m->datum_of[name] = -1;
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        app->data_begin[i] = app->data;
        for (int64_t l = m->rows->begin[i]; l < m->rows->begin[i + 1]; l++) {
            stated_link *link = &m->rows->link[l];
            if (link->name < 0) {
                continue;
            }
            if (m->datum_of[link->name] < app->data_begin[i]) {
                if (app->data == INT32_MAX) {
                    return diag_fail(diag, INLAY_OVERFLOW, "too many data; expected at most %d", INT32_MAX);
                }
                m->datum_of[link->name] = app->data++;
            }
            link->datum = m->datum_of[link->name];
        }
    }
    app->data_begin[app->modules] = app->data;
    return INLAY_OK;
}

static int compare_links(const void *left, const void *right)
{
    const stated_link *a = left, *b = right;
    return a->datum != b->datum ? (a->datum > b->datum) - (a->datum < b->datum) : (a->to > b->to) - (a->to < b->to);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The links of a producer that have data, by datum and consumer, those of one pair and name merged; how many. */
static size_t gather(making *m, inlay_id producer)
{
    size_t count = 0, kept = 0;
    bool sorted = true;
    for (int64_t l = m->rows->begin[producer]; l < m->rows->begin[producer + 1]; l++) {
        if (m->rows->link[l].datum >= 0) {
            m->carried[count] = m->rows->link[l];
            sorted = sorted && (count == 0 || compare_links(&m->carried[count - 1], &m->carried[count]) < 0);
            count++;
        }
    }
    if (sorted) {
        return count;
    }
    qsort(m->carried, count, sizeof *m->carried, compare_links);
    for (size_t i = 0; i < count; i++) {
        stated_link *last = kept == 0 ? NULL : &m->carried[kept - 1];
        if (last != NULL && compare_links(last, &m->carried[i]) == 0) {
            last->messages = larger(last->messages, m->carried[i].messages);
            last->bytes = larger(last->bytes, m->carried[i].bytes);
        } else {
            m->carried[kept++] = m->carried[i];
        }
    }
    return kept;
}

/* The data of a producer, from its links in order of datum and consumer. */
static void fill_data(making *m, size_t count)
{
    inlay_app *app = m->app;
    for (size_t i = 0; i < count; i++) {
        const stated_link *link = &m->carried[i];
        inlay_id d = link->datum;
        if (i == 0 || m->carried[i - 1].datum != d) {
            app->datum_name[d] = m->names->name[link->name];
            app->datum_messages[d] = app->datum_bytes[d] = 0;
            app->consumer_begin[d + 1] = app->consumer_begin[d];
        }
        int64_t at = app->consumer_begin[d + 1]++;
        app->consumer[at] = link->to;
        app->stated_messages[at] = link->messages;
        app->stated_bytes[at] = link->bytes;
        app->datum_messages[d] = larger(app->datum_messages[d], link->messages);
        app->datum_bytes[d] = larger(app->datum_bytes[d], link->bytes);
    }
}

/* What the links of a producer carry: their own, and each of their data once. */
static void fill_links(making *m, inlay_id producer, size_t count)
{
    inlay_app *app = m->app;
    for (int64_t l = app->out_begin[producer]; l < app->out_begin[producer + 1]; l++) {
        app->own_messages[l] = app->out_messages[l];
        app->own_bytes[l] = app->out_bytes[l];
        if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            m->link_to[app->out_to[l]] = l;
            app->own_messages[l] = -1;
            app->own_bytes[l] = app->out_messages[l] = app->out_bytes[l] = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        int64_t l = m->link_to[m->carried[i].to];
        app->out_messages[l] = larger(app->out_messages[l], m->carried[i].messages);
        app->out_bytes[l] += m->carried[i].bytes;
    }
    for (int64_t s = m->rows->begin[producer]; s < m->rows->begin[producer + 1]; s++) {
        const stated_link *link = &m->rows->link[s];
        if (link->datum < 0) {
            int64_t l = m->link_to[link->to];
            app->own_messages[l] = larger(app->own_messages[l], 0) + link->messages;
            app->own_bytes[l] += link->bytes;
            app->out_messages[l] += link->messages;
            app->out_bytes[l] += link->bytes;
        }
    }
}

/* Data count once a consumer in sums; those stay small enough. */
static int check_sums(const inlay_app *app, const char *file, inlay_diag *diag)
{
    int64_t messages = largest_sum, bytes = largest_sum; /* that are left */
    for (inlay_id d = 0; d < app->data; d++) {
        int64_t consumers = app->consumer_begin[d + 1] - app->consumer_begin[d];
        if (app->datum_messages[d] > messages / consumers || app->datum_bytes[d] > bytes / consumers) {
            return diag_fail_at(diag, INLAY_OVERFLOW, file, 0,
                                "messages or bytes of the data add up to more than 2^62 where each goes to all its "
                                "consumers; expected less");
        }
        messages -= app->datum_messages[d] * consumers;
        bytes -= app->datum_bytes[d] * consumers;
    }
    return INLAY_OK;
}

/* Data whose links do not all say the same are told; where there are none, what links say need not be kept. */
static int compare_stated(const making *m, inlay_diag *diag)
{
    inlay_app *app = m->app;
    bool *differs = memory_zeroed((size_t)app->data, sizeof *differs);
    if (differs == NULL) {
        return diag_no_memory(diag);
    }
    inlay_id count = 0;
    for (int64_t l = 0; l < m->rows->begin[app->modules]; l++) {
        const stated_link *link = &m->rows->link[l];
        inlay_id d = link->datum;
        if (d >= 0 && !differs[d] && (link->messages != app->datum_messages[d] || link->bytes != app->datum_bytes[d])) {
            differs[d] = true;
            count++;
        }
    }
    free(differs);
    if (count > 0 && m->names->file != NULL) {
        diag_warn(diag,
                  "%s: %" PRId32 " of %" PRId32 " data have links that state different messages or bytes; the "
                  "largest count",
                  m->names->file, count, app->data);
    }
    if (count == 0) {
        free(app->stated_messages);
        free(app->stated_bytes);
        app->stated_messages = app->stated_bytes = NULL;
    }
    return INLAY_OK;
}

static bool open_links(making *m)
{
    inlay_app *app = m->app;
    size_t links = (size_t)app->links;
    app->own_messages = column_new(links, sizeof *app->own_messages);
    app->own_bytes = column_new(links, sizeof *app->own_bytes);
    app->data_begin = column_new((size_t)app->modules + 1, sizeof *app->data_begin);
    m->datum_of = memory_array(m->names->count, sizeof *m->datum_of);
    m->link_to = memory_array((size_t)app->modules, sizeof *m->link_to);
    return app->own_messages != NULL && app->own_bytes != NULL && app->data_begin != NULL && m->datum_of != NULL &&
           m->link_to != NULL;
}

static bool open_data(making *m)
{
    inlay_app *app = m->app;
    size_t data = (size_t)app->data, named = (size_t)m->rows->named;
    app->datum_name = column_new(data, sizeof *app->datum_name);
    app->datum_messages = column_new(data, sizeof *app->datum_messages);
    app->datum_bytes = column_new(data, sizeof *app->datum_bytes);
    app->consumer_begin = column_zeroed(data + 1, sizeof *app->consumer_begin);
    app->consumer = column_new(named, sizeof *app->consumer);
    app->stated_messages = column_new(named, sizeof *app->stated_messages);
    app->stated_bytes = column_new(named, sizeof *app->stated_bytes);
    m->carried = memory_array(named, sizeof *m->carried);
    return app->datum_name != NULL && app->datum_messages != NULL && app->datum_bytes != NULL &&
           app->consumer_begin != NULL && app->consumer != NULL && app->stated_messages != NULL &&
           app->stated_bytes != NULL && m->carried != NULL;
}

int data_make(const stated_names *names, const stated_rows *rows, inlay_app *app, inlay_diag *diag)
{
    making m = {.names = names, .rows = rows, .app = app};
    int status = open_links(&m) ? number_data(&m, diag) : diag_no_memory(diag);
    if (status == INLAY_OK && !open_data(&m)) {
        status = diag_no_memory(diag);
    }
    for (inlay_id i = 0; status == INLAY_OK && i < app->modules; i++) {
        size_t count = gather(&m, i);
        fill_data(&m, count);
        fill_links(&m, i, count);
    }
    if (status == INLAY_OK) {
        status = check_sums(app, names->file == NULL ? "application" : names->file, diag);
    }
    if (status == INLAY_OK) {
        status = compare_stated(&m, diag);
    }
    free(m.datum_of);
    free(m.link_to);
    free(m.carried);
    return status;
}

/* ---- Links apart ---- */

static bool next_own(apart_links *links, apart_link *next)
{
    const inlay_app *app = links->app;
    for (; app->out_begin[links->from] + links->link < app->out_begin[links->from + 1]; links->link++) {
        int64_t l = app->out_begin[links->from] + links->link;
        int64_t messages = app->own_messages == NULL ? app->out_messages[l] : app->own_messages[l];
        if (messages >= 0) {
            int64_t bytes = app->own_bytes == NULL ? app->out_bytes[l] : app->own_bytes[l];
            *next = (apart_link){app->out_to[l], messages, bytes, app->out_flags[l], NULL};
            links->link++;
            return true;
        }
    }
    return false;
}

bool apart_next(apart_links *links, apart_link *next)
{
    const inlay_app *app = links->app;
    if (next_own(links, next)) {
        return true;
    }
    if (app->data == 0 || app->data_begin[links->from] + links->datum == app->data_begin[links->from + 1]) {
        return false;
    }
    inlay_id d = app->data_begin[links->from] + links->datum;
    int64_t at = app->consumer_begin[d] + links->consumer++;
    *next = (apart_link){
        app->consumer[at], app->stated_messages == NULL ? app->datum_messages[d] : app->stated_messages[at],
        app->stated_bytes == NULL ? app->datum_bytes[d] : app->stated_bytes[at], 0, app->datum_name[d]};
    if (at + 1 == app->consumer_begin[d + 1]) {
        links->datum++;
        links->consumer = 0;
    }
    return true;
}

int apart_add(inlay_app_builder *builder, inlay_id from, const apart_link *link, inlay_diag *diag)
{
    return link->data == NULL
               ? inlay_app_add_link(builder, from, link->to, link->messages, link->bytes, link->flags, diag)
               : inlay_app_add_data_link(builder, from, link->to, link->data, link->messages, link->bytes, diag);
}

int64_t apart_count(const inlay_app *app)
{
    int64_t count = app->data == 0 ? app->links : app->consumer_begin[app->data];
    for (int64_t l = 0; app->data > 0 && l < app->links; l++) {
        count += app->own_messages[l] >= 0;
    }
    return count;
}
