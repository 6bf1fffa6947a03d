/* Stretches and links become an application. */
#include "capture/trace.h"
#include "base/diag.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trace_clear(trace *t)
{
    for (size_t i = 0; i < t->kind_count; i++) {
        free(t->kinds[i]);
    }
    free(t->kinds);
    free(t->stretches);
    free(t->links);
    *t = (trace){0};
}

inlay_id trace_add(trace *t, stretch s, inlay_diag *diag)
{
    if (t->count >= INT32_MAX) {
        (void)diag_fail(diag, INLAY_OVERFLOW, "the program has more than %d stretches", INT32_MAX);
        return -1;
    }
    if (!memory_grow((void **)&t->stretches, &t->capacity, t->count + 1, sizeof *t->stretches)) {
        (void)diag_no_memory(diag);
        return -1;
    }
    t->stretches[t->count] = s;
    return (inlay_id)t->count++;
}

int trace_link_add(trace *t, trace_link link, inlay_diag *diag)
{
    if (!memory_grow((void **)&t->links, &t->link_capacity, t->link_count + 1, sizeof *t->links)) {
        return diag_no_memory(diag);
    }
    t->links[t->link_count++] = link;
    return INLAY_OK;
}

int32_t trace_kind(trace *t, const char *name, inlay_diag *diag)
{
    for (size_t i = 0; i < t->kind_count; i++) {
        if (strcmp(t->kinds[i], name) == 0) {
            return (int32_t)i;
        }
    }
    char *copy = memory_string(name);
    if (copy == NULL || t->kind_count >= INT32_MAX ||
        !memory_grow((void **)&t->kinds, &t->kind_capacity, t->kind_count + 1, sizeof *t->kinds)) {
        free(copy);
        (void)diag_no_memory(diag);
        return -1;
    }
    t->kinds[t->kind_count] = copy;
    return (int32_t)t->kind_count++;
}

/* ---- The application ---- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Stretches by owner, as owner x 2^32 + number; NULL: no memory. */
static int64_t *order(const trace *t)
{
    int64_t *ordered = memory_array(t->count, sizeof *ordered);
    for (size_t i = 0; ordered != NULL && i < t->count; i++) {
        ordered[i] = (int64_t)t->stretches[i].owner << 32 | (int64_t)i;
    }
    if (ordered != NULL && t->count > 0) {
        qsort(ordered, t->count, sizeof *ordered, by_number);
    }
    return ordered;
}

/* Which module a stretch becomes goes to `module_of`. */
static int add_modules(const trace *t, inlay_app_builder *builder, inlay_id *module_of, inlay_diag *diag)
{
    int64_t *number = memory_zeroed(t->kind_count + 1, sizeof *number); /* the last: without a kind */
    int64_t *ordered = order(t);
    int status = number != NULL && ordered != NULL ? INLAY_OK : diag_no_memory(diag);
    for (size_t i = 0; status == INLAY_OK && i < t->count; i++) {
        char name[PATH_MAX];
        size_t from = (size_t)(ordered[i] & INT32_MAX);
        const stretch *s = &t->stretches[from];
        size_t kind = s->kind >= 0 ? (size_t)s->kind : t->kind_count;
        const char *kind_name = s->kind >= 0 ? t->kinds[kind] : NULL;
        (void)snprintf(name, sizeof name, "%s.%" PRId64, kind_name != NULL ? kind_name : "module",
                       number[kind]++ + (t->from_zero ? 0 : 1));
        const inlay_module module = {.name = name,
                                     .kind = kind_name,
                                     .pinned = s->pinned,
                                     .pin = s->pinned ? s->owner : 0,
                                     .time = {.value = {.digits = s->time, .scale = 9}, .unit = INLAY_UNIT_S}};
        module_of[from] = (inlay_id)i;
        status = inlay_app_add_module(builder, &module, diag);
    }
    free(ordered);
    free(number);
    return status;
}

static int add_links(const trace *t, const inlay_id *module_of, inlay_app_builder *builder, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < t->link_count; i++) {
        const trace_link *link = &t->links[i];
        inlay_id from = module_of[link->from], to = module_of[link->to];
        int64_t messages = link->bytes < 0 ? 0 : link->messages > 0 ? link->messages : 1;
        int64_t bytes = link->bytes > 0 ? link->bytes : 0;
        if (link->datum >= 0 && link->bytes >= 0) {
            char datum[32];
            (void)snprintf(datum, sizeof datum, "d%" PRId64, link->datum);
            status = inlay_app_add_data_link(builder, from, to, datum, messages, bytes, diag);
        } else {
            status = inlay_app_add_link(builder, from, to, messages, bytes,
                                        link->traffic_only ? INLAY_LINK_TRAFFIC_ONLY : 0, diag);
        }
    }
    return status;
}

int trace_app(const trace *t, const char *name, inlay_app **app, inlay_diag *diag)
{
    inlay_app_builder *builder = inlay_app_builder_new(name, INLAY_UNIT_S);
    inlay_id *module_of = memory_array(t->count, sizeof *module_of);
    int status = builder != NULL && module_of != NULL
                     ? inlay_app_builder_reserve(builder, (int64_t)t->count, (int64_t)t->link_count, diag)
                     : diag_no_memory(diag);
    status = status == INLAY_OK ? add_modules(t, builder, module_of, diag) : status;
    status = status == INLAY_OK ? add_links(t, module_of, builder, diag) : status;
    status = status == INLAY_OK ? inlay_app_build(builder, app, diag) : status;
    inlay_app_builder_free(builder);
    free(module_of);
    return status;
}
