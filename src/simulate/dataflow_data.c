/* Values for several modules. */
#include "simulate/dataflow_data.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>

void data_log_clear(data_log *log)
{
    free(log->value);
    free(log->group);
    *log = (data_log){0};
}

/* FNV-1a (Fowler, Noll and Vo 1991). */
static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

bool data_log_add(data_log *log, data_value value, const void *bytes)
{
    if (!memory_grow((void **)&log->value, &log->room, log->count + 1, sizeof *log->value)) {
        return false;
    }
    value.hash = hash_of(bytes, value.size);
    log->value[log->count++] = value;
    return true;
}

/* ---- Who gets the same ---- */

static int compare_kinds(const data_value *x, const data_value *y)
{
    return x->from != y->from   ? (x->from > y->from) - (x->from < y->from)
           : x->size != y->size ? (x->size > y->size) - (x->size < y->size)
                                : (x->hash > y->hash) - (x->hash < y->hash);
}

static int compare_targets(const data_value *x, const data_value *y)
{
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->channel > y->channel) - (x->channel < y->channel);
}

/* By kind and target. */
static int by_target(const void *a, const void *b)
{
    int kinds = compare_kinds(a, b);
    return kinds != 0 ? kinds : compare_targets(a, b);
}

/* By kind and turn: those of one turn are one value. */
static int by_turn(const void *a, const void *b)
{
    const data_value *x = a, *y = b;
    int kinds = compare_kinds(x, y);
    return kinds != 0 ? kinds : x->turn != y->turn ? (x->turn > y->turn) - (x->turn < y->turn) : compare_targets(x, y);
}

static bool are_one(const data_value *x, const data_value *y)
{
    return compare_kinds(x, y) == 0 && x->turn == y->turn;
}

/* By producer and by the modules that they go to. */
static int compare_groups(const void *a, const void *b)
{
    const data_group *x = a, *y = b;
    const data_value *v = x->begin, *w = y->begin;
    if (v->from != w->from) {
        return (v->from > w->from) - (v->from < w->from);
    }
    while (v < x->end && w < y->end && v->to == w->to) {
        v++;
        w++;
    }
    return v == x->end || w == y->end ? (w == y->end) - (v == x->end) : (v->to > w->to) - (v->to < w->to);
}

/* Turns of all values, then the groups: values that go to several modules. Those of the same producer and modules follow each other. */
static bool find_groups(data_log *log)
{
    data_value *all = log->value;
    qsort(all, log->count, sizeof *all, by_target);
    for (size_t k = 1; k < log->count; k++) {
        bool again = compare_kinds(&all[k - 1], &all[k]) == 0 && all[k - 1].to == all[k].to;
        all[k].turn = again ? all[k - 1].turn + 1 : 0;
    }
    qsort(all, log->count, sizeof *all, by_turn);
    log->group = memory_array(log->count / 2 + 1, sizeof *log->group);
    for (size_t at = 0, end; log->group != NULL && at < log->count; at = end) {
        for (end = at + 1; end < log->count && are_one(&all[at], &all[end]); end++) {
        }
        if (end > at + 1) {
            log->group[log->groups++] = (data_group){all + at, all + end};
        }
    }
    if (log->group != NULL && log->groups > 0) {
        qsort(log->group, log->groups, sizeof *log->group, compare_groups);
    }
    return log->group != NULL;
}

/* ---- The data ---- */

/* Groups of one producer and the same modules, up to before `end`: a datum of that number. */
static int write_datum(const data_group *group, const data_group *end, int number, inlay_app_builder *builder,
                       int64_t *left, inlay_diag *diag)
{
    char name[16];
    int64_t bytes = 0;
    int status = INLAY_OK;
    for (const data_group *g = group; g < end; g++) {
        bytes += (int64_t)g->begin->size;
        for (const data_value *v = g->begin; v < g->end; v++) {
            left[v->channel]--;
        }
    }
    (void)snprintf(name, sizeof name, "v%d", number);
    for (const data_value *v = group->begin; status == INLAY_OK && v < group->end; v++) {
        status = inlay_app_add_data_link(builder, v->from, v->to, name, end - group, bytes, diag);
    }
    return status;
}

int data_log_write(data_log *log, inlay_app_builder *builder, int64_t *left, inlay_diag *diag)
{
    if (log->count == 0) {
        return INLAY_OK;
    }
    if (!find_groups(log)) {
        return diag_no_memory(diag);
    }
    const data_group *last = log->group + log->groups;
    int status = INLAY_OK, number = 0;
    for (const data_group *g = log->group, *end; status == INLAY_OK && g < last; g = end) {
        number = g > log->group && g[-1].begin->from == g->begin->from ? number + 1 : 1;
        for (end = g + 1; end < last && compare_groups(g, end) == 0; end++) {
        }
        status = write_datum(g, end, number, builder, left, diag);
    }
    return status;
}
