/* Finishing an application graph: decimals, rows, precedence. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/app.h"
#include "graph/builder.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 12, CYCLE_NAMES = 12 };

static const int64_t largest_sum = INT64_C(1) << 62;

/* ---- Times ---- */

static int most_decimals(const inlay_app_builder *b)
{
    int most = 0;
    for (size_t i = 0; i < b->module_count; i++) {
        int scale = b->modules[i].time.scale;
        int blocking = b->modules[i].has_blocking ? b->modules[i].blocking.scale : 0;
        scale = blocking > scale ? blocking : scale;
        most = scale > most ? scale : most;
    }
    for (size_t i = 0; i < b->block_count; i++) {
        most = b->blocks[i].time.scale > most ? b->blocks[i].time.scale : most;
    }
    for (size_t i = 0; i < b->type_time_count; i++) {
        most = b->type_times[i].time.scale > most ? b->type_times[i].time.scale : most;
    }
    return most < MOST_DECIMALS ? most : MOST_DECIMALS;
}

static bool add_grains(int64_t *sum, inlay_decimal value, int decimals)
{
    int64_t grains;
    return decimal_grains(value, decimals, &grains) && !__builtin_add_overflow(*sum, grains, sum) &&
           *sum <= largest_sum;
}

/* Whether every sum of times stays inside 2^62 grains. */
static bool sums_fit(const inlay_app_builder *b, int decimals)
{
    int64_t sum = 0;
    for (size_t i = 0; i < b->module_count; i++) {
        if (!add_grains(&sum, b->modules[i].time, decimals) ||
            (b->modules[i].has_blocking && !add_grains(&sum, b->modules[i].blocking, decimals))) {
            return false;
        }
    }
    for (size_t i = 0; i < b->block_count; i++) {
        if (!add_grains(&sum, b->blocks[i].time, decimals)) {
            return false;
        }
    }
    for (size_t i = 0; i < b->type_time_count; i++) {
        if (!add_grains(&sum, b->type_times[i].time, decimals)) {
            return false;
        }
    }
    return true;
}

static int choose_decimals(const inlay_app_builder *b, int *decimals, inlay_diag *diag)
{
    int wanted = most_decimals(b);
    for (int d = wanted; d >= 0; d--) {
        if (sums_fit(b, d)) {
            if (d < wanted) {
                diag_warn(diag, "%s: times are kept to %d decimals of a %s, so that sums stay exact", b->file, d,
                          inlay_unit_name(b->unit));
            }
            *decimals = d;
            return INLAY_OK;
        }
    }
    return diag_fail_at(diag, INLAY_OVERFLOW, b->file, 0,
                        "the times add up to more than 2^62 %s; expected a larger unit", inlay_unit_name(b->unit));
}

static inlay_time grains(inlay_decimal value, int decimals)
{
    int64_t result = 0;
    decimal_grains(value, decimals, &result); /* cannot fail: sums_fit() has done it before */
    return result;
}

/* ---- Modules ---- */

static int fill_optional_columns(const inlay_app_builder *b, inlay_app *app)
{
    bool memory = false, cores = false, pin = false, arithmetic = false, functions = false, kind = false;
    for (size_t i = 0; i < b->module_count; i++) {
        const built_module *m = &b->modules[i];
        memory |= m->memory != 0;
        cores |= m->cores != 1;
        pin |= m->pin >= 0;
        arithmetic |= m->arithmetic > 0;
        functions |= m->functions > 0;
        kind |= m->kind >= 0;
    }
    size_t n = b->module_count;
    if ((memory && !(app->memory = memory_array(n, sizeof *app->memory))) ||
        (cores && !(app->cores = memory_array(n, sizeof *app->cores))) ||
        (pin && !(app->pin = memory_array(n, sizeof *app->pin))) ||
        (arithmetic && !(app->arithmetic = memory_array(n, sizeof *app->arithmetic))) ||
        (functions && !(app->functions = memory_array(n, sizeof *app->functions))) ||
        (kind && !(app->kind = memory_array(n, sizeof *app->kind)))) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const built_module *m = &b->modules[i];
        if (memory) {
            app->memory[i] = m->memory;
        }
        if (cores) {
            app->cores[i] = m->cores;
        }
        if (pin) {
            app->pin[i] = m->pin;
        }
        if (arithmetic) {
            app->arithmetic[i] = m->arithmetic;
        }
        if (functions) {
            app->functions[i] = m->functions;
        }
        if (kind) {
            app->kind[i] = m->kind;
        }
    }
    return INLAY_OK;
}

static int fill_type_times(const inlay_app_builder *b, inlay_app *app)
{
    if (b->types.count == 0) {
        return INLAY_OK;
    }
    app->type_names = memory_zeroed(b->types.count, sizeof *app->type_names);
    app->type_time = memory_array(b->types.count * b->module_count, sizeof *app->type_time);
    if (app->type_names == NULL || app->type_time == NULL) {
        return INLAY_NO_MEMORY;
    }
    app->types = (int)b->types.count;
    for (size_t i = 0; i < b->types.count * b->module_count; i++) {
        app->type_time[i] = -1;
    }
    for (size_t i = 0; i < b->type_time_count; i++) {
        const built_type_time *t = &b->type_times[i];
        app->type_time[(int64_t)t->type * app->modules + t->module] = grains(t->time, app->decimals);
    }
    for (size_t i = 0; i < b->types.count; i++) {
        app->type_names[i] = memory_string(b->types.words[i]);
        if (app->type_names[i] == NULL) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

static int fill_kinds(const inlay_app_builder *b, inlay_app *app)
{
    app->kind_names = memory_zeroed(b->kinds.count, sizeof *app->kind_names);
    if (app->kind_names == NULL) {
        return INLAY_NO_MEMORY;
    }
    app->kinds = (int32_t)b->kinds.count;
    for (size_t i = 0; i < b->kinds.count; i++) {
        app->kind_names[i] = memory_string(b->kinds.words[i]);
        if (app->kind_names[i] == NULL) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

/* Blocking times are given for all modules or for none. */
static int check_blocking(const inlay_app_builder *b, bool *given, inlay_diag *diag)
{
    size_t with = 0;
    for (size_t i = 0; i < b->module_count; i++) {
        with += b->modules[i].has_blocking;
    }
    *given = with > 0;
    if (with == 0 || with == b->module_count) {
        return INLAY_OK;
    }
    size_t without = 0;
    while (b->modules[without].has_blocking) {
        without++;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, b->file, builder_line(b, (inlay_id)without, -1),
                        "module '%s' has no blocking time but %zu of %zu modules have one; expected all or none",
                        b->modules[without].name, with, b->module_count);
}

static int fill_modules(const inlay_app_builder *b, inlay_app *app, inlay_diag *diag)
{
    bool blocking;
    int status = check_blocking(b, &blocking, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t n = b->module_count;
    app->name = memory_array(n + b->block_count, sizeof *app->name);
    app->time = memory_array(n, sizeof *app->time);
    app->blocking = blocking ? memory_array(n, sizeof *app->blocking) : NULL;
    if (app->name == NULL || app->time == NULL || (blocking && app->blocking == NULL) ||
        fill_optional_columns(b, app) != INLAY_OK || fill_kinds(b, app) != INLAY_OK ||
        fill_type_times(b, app) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < n; i++) {
        app->name[i] = b->modules[i].name;
        app->time[i] = grains(b->modules[i].time, app->decimals);
        if (blocking) {
            app->blocking[i] = grains(b->modules[i].blocking, app->decimals);
        }
    }
    return INLAY_OK;
}

/* ---- Rows ---- */

/* Links sorted by (from, to, flags) in two stable counting passes. */
static built_link *sort_links(const built_link *links, size_t count, size_t sources, size_t targets)
{
    size_t most = sources > targets * 2 ? sources : targets * 2;
    size_t *begin = memory_zeroed(most + 1, sizeof *begin);
    built_link *by_target = memory_array(count, sizeof *by_target);
    built_link *sorted = memory_array(count, sizeof *sorted);
    if (begin == NULL || by_target == NULL || sorted == NULL) {
        free(sorted);
        sorted = NULL;
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        begin[(size_t)links[i].to * 2 + links[i].flags + 1]++;
    }
    for (size_t i = 0; i < targets * 2; i++) {
        begin[i + 1] += begin[i];
    }
    for (size_t i = 0; i < count; i++) {
        by_target[begin[(size_t)links[i].to * 2 + links[i].flags]++] = links[i];
    }
    memset(begin, 0, (most + 1) * sizeof *begin);
    for (size_t i = 0; i < count; i++) {
        begin[by_target[i].from + 1]++;
    }
    for (size_t i = 0; i < sources; i++) {
        begin[i + 1] += begin[i];
    }
    for (size_t i = 0; i < count; i++) {
        sorted[begin[by_target[i].from]++] = by_target[i];
    }
done:
    free(begin);
    free(by_target);
    return sorted;
}

/* Links of one pair and flag become one; the new count, or -1 where a sum leaves 2^62. */
static int64_t merge_links(built_link *links, size_t count)
{
    size_t kept = 0;
    int64_t messages = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (__builtin_add_overflow(messages, links[i].messages, &messages) || messages > largest_sum ||
            __builtin_add_overflow(bytes, links[i].bytes, &bytes) || bytes > largest_sum) {
            return -1;
        }
        built_link *last = kept > 0 ? &links[kept - 1] : NULL;
        if (last != NULL && last->from == links[i].from && last->to == links[i].to && last->flags == links[i].flags) {
            last->messages += links[i].messages;
            last->bytes += links[i].bytes;
        } else {
            links[kept++] = links[i];
        }
    }
    return (int64_t)kept;
}

/* Where a set of links goes: rows of `sources` entries. */
typedef struct rows {
    int64_t *begin;
    inlay_id *to;
    int64_t *messages, *bytes;
    uint8_t *flags;
    int64_t count;
} rows;

static int make_rows(const inlay_app_builder *b, const built_link *links, size_t count, size_t sources, rows *out,
                     inlay_diag *diag)
{
    built_link *sorted = sort_links(links, count, sources, b->module_count);
    if (sorted == NULL) {
        return diag_no_memory(diag);
    }
    out->count = merge_links(sorted, count);
    if (out->count < 0) {
        free(sorted);
        diag_fail_at(diag, INLAY_OVERFLOW, b->file, 0, "messages or bytes add up to more than 2^62; expected less");
        return INLAY_OVERFLOW;
    }
    size_t kept = (size_t)out->count;
    out->begin = memory_zeroed(sources + 1, sizeof *out->begin);
    out->to = memory_array(kept, sizeof *out->to);
    out->messages = memory_array(kept, sizeof *out->messages);
    out->bytes = memory_array(kept, sizeof *out->bytes);
    out->flags = memory_array(kept, sizeof *out->flags);
    bool made = out->begin && out->to && out->messages && out->bytes && out->flags;
    for (size_t i = 0; made && i < kept; i++) {
        out->begin[sorted[i].from + 1]++;
        out->to[i] = sorted[i].to;
        out->messages[i] = sorted[i].messages;
        out->bytes[i] = sorted[i].bytes;
        out->flags[i] = sorted[i].flags;
    }
    for (size_t i = 0; made && i < sources; i++) {
        out->begin[i + 1] += out->begin[i];
    }
    free(sorted);
    return made ? INLAY_OK : diag_no_memory(diag);
}

static int fill_links(const inlay_app_builder *b, inlay_app *app, inlay_diag *diag)
{
    rows links = {0};
    int status = make_rows(b, b->links, b->link_count, b->module_count, &links, diag);
    app->links = links.count;
    app->out_begin = links.begin;
    app->out_to = links.to;
    app->out_messages = links.messages;
    app->out_bytes = links.bytes;
    app->out_flags = links.flags;
    return status;
}

static int fill_blocks(const inlay_app_builder *b, inlay_app *app, inlay_diag *diag)
{
    app->blocks = (inlay_id)b->block_count;
    app->block_size = memory_array(b->block_count, sizeof *app->block_size);
    app->block_time = memory_array(b->block_count, sizeof *app->block_time);
    if (app->block_size == NULL || app->block_time == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < b->block_count; i++) {
        app->name[b->module_count + i] = b->blocks[i].name;
        app->block_size[i] = b->blocks[i].size;
        app->block_time[i] = grains(b->blocks[i].time, app->decimals);
    }
    rows uses = {0};
    int status = make_rows(b, b->uses, b->use_count, b->block_count, &uses, diag);
    app->use_begin = uses.begin;
    app->use_module = uses.to;
    app->use_messages = uses.messages;
    app->use_bytes = uses.bytes;
    app->use_flags = uses.flags;
    return status;
}

/* ---- Precedence ---- */

static int fill_predecessors(inlay_app *app, inlay_diag *diag)
{
    size_t n = (size_t)app->modules;
    app->in_begin = memory_zeroed(n + 1, sizeof *app->in_begin);
    if (app->in_begin == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t l = 0; l < app->links; l++) {
        if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            app->in_begin[app->out_to[l] + 1]++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        app->in_begin[i + 1] += app->in_begin[i];
    }
    app->precedence_links = app->in_begin[n];
    app->in_from = memory_array((size_t)app->precedence_links, sizeof *app->in_from);
    int64_t *next = memory_array(n, sizeof *next);
    if (app->in_from == NULL || next == NULL) {
        free(next);
        return diag_no_memory(diag);
    }
    memcpy(next, app->in_begin, n * sizeof *next);
    for (inlay_id i = 0; i < app->modules; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
                app->in_from[next[app->out_to[l]]++] = i;
            }
        }
    }
    free(next);
    return INLAY_OK;
}

/* Kahn's order by rounds; how many modules it reaches. waiting[i] > 0 is left on modules on or behind a cycle. */
static inlay_id sort_modules(inlay_app *app, int64_t *waiting)
{
    inlay_id done = 0, ready = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        waiting[i] = app->in_begin[i + 1] - app->in_begin[i];
        if (waiting[i] == 0) {
            app->topological[ready++] = i;
        }
    }
    for (; done < ready; done++) {
        inlay_id i = app->topological[done];
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) && --waiting[app->out_to[l]] == 0) {
                app->topological[ready++] = app->out_to[l];
            }
        }
    }
    return done;
}

/* A predecessor that is still waiting: going back through those must come round. */
static inlay_id waiting_predecessor(const inlay_app *app, const int64_t *waiting, inlay_id module)
{
    for (int64_t l = app->in_begin[module]; l < app->in_begin[module + 1]; l++) {
        if (waiting[app->in_from[l]] > 0) {
            return app->in_from[l];
        }
    }
    return -1;
}

/* Names on one cycle, beginning and ending with its smallest module. */
static int report_cycle(const inlay_app_builder *b, const inlay_app *app, int64_t *waiting, inlay_diag *diag)
{
    inlay_id at = 0;
    while (waiting[at] == 0) {
        at++;
    }
    inlay_id *back = memory_array((size_t)app->modules + 1, sizeof *back);
    if (back == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < app->modules; i++) { /* surely on a cycle after that many steps */
        at = waiting_predecessor(app, waiting, at);
    }
    inlay_id length = 0, smallest = 0;
    inlay_id first = at;
    do {
        back[length] = at;
        smallest = at < back[smallest] ? length : smallest;
        length++;
        at = waiting_predecessor(app, waiting, at);
    } while (at != first);
    text_buffer names = {0};
    for (inlay_id step = 0; step < length && step < CYCLE_NAMES; step++) {
        /* `back` runs against the arrows */
        text_addf(&names, "%s -> ", app->name[back[(smallest - step + length) % length]]);
    }
    if (length > CYCLE_NAMES) {
        text_addf(&names, "... (%d more) -> ", length - CYCLE_NAMES);
    }
    inlay_id from = back[smallest], to = back[(smallest - 1 + length) % length];
    free(back);
    int status =
        names.failed
            ? diag_no_memory(diag)
            : diag_fail_at(diag, INLAY_BAD_INPUT, b->file, builder_line(b, from, to),
                           "precedence cycle %s%s; expected an acyclic graph (kind=traffic for traffic without "
                           "precedence)",
                           names.data, app->name[from]);
    text_clear(&names);
    return status;
}

static int fill_order(const inlay_app_builder *b, inlay_app *app, inlay_diag *diag)
{
    int64_t *waiting = memory_array((size_t)app->modules, sizeof *waiting);
    app->topological = memory_array((size_t)app->modules, sizeof *app->topological);
    int status = INLAY_OK;
    if (waiting == NULL || app->topological == NULL) {
        status = diag_no_memory(diag);
    } else if (sort_modules(app, waiting) < app->modules) {
        status = report_cycle(b, app, waiting, diag);
    }
    free(waiting);
    return status;
}

/* ---- The whole ---- */

int inlay_app_build(inlay_app_builder *builder, inlay_app **result, inlay_diag *diag)
{
    if (builder->module_count == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, 0, "no modules; expected at least one");
    }
    inlay_app *app = memory_zeroed(1, sizeof *app);
    if (app == NULL) {
        return diag_no_memory(diag);
    }
    app->unit = builder->unit;
    app->modules = (inlay_id)builder->module_count;
    int status = choose_decimals(builder, &app->decimals, diag);
    if (status == INLAY_OK) {
        status = fill_modules(builder, app, diag);
    }
    if (status == INLAY_OK) {
        status = fill_blocks(builder, app, diag);
    }
    if (status == INLAY_OK) {
        status = fill_links(builder, app, diag);
    }
    if (status == INLAY_OK) {
        status = fill_predecessors(app, diag);
    }
    if (status == INLAY_OK) {
        status = fill_order(builder, app, diag);
    }
    if (status != INLAY_OK) {
        inlay_app_free(app);
        return status;
    }
    /* The names change hands: the builder is empty from here on. */
    app->label = builder->label;
    app->names = builder->names;
    app->by_name = builder->by_name;
    builder->label = NULL;
    builder->names = NULL;
    builder->by_name = (name_map){0};
    builder->module_count = builder->block_count = builder->link_count = 0;
    builder->use_count = builder->type_time_count = 0;
    *result = app;
    return INLAY_OK;
}
