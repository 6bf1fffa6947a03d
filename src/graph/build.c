/* Finishing an application graph: decimals, columns of modules, rows of links. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/builder.h"
#include "graph/data.h"
#include "graph/precedence.h"
#include "graph/rows.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 12 };

/* ---- Times ---- */

static int most_scale(const uint8_t *scale, size_t count)
{
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        most = scale[i] > most ? scale[i] : most;
    }
    return most;
}

static int most_decimals(const inlay_app_builder *b)
{
    const built_modules *m = &b->modules;
    int most = most_scale(m->time_scale, m->count);
    if (m->blocking != NULL) {
        int blocking = most_scale(m->blocking_scale, m->count);
        most = blocking > most ? blocking : most;
    }
    if (m->deadline != NULL) {
        int deadline = most_scale(m->deadline_scale, m->count);
        most = deadline > most ? deadline : most;
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
    int64_t grains = value.digits;
    return (value.scale == decimals || decimal_grains(value, decimals, &grains)) &&
           !__builtin_add_overflow(*sum, grains, sum) && *sum <= largest_sum;
}

/* Add a column of times; -1 stands where there is none. */
static bool add_column(int64_t *sum, const int64_t *digits, const uint8_t *scale, size_t count, int decimals)
{
    for (size_t i = 0; digits != NULL && i < count; i++) {
        if (digits[i] >= 0 && !add_grains(sum, (inlay_decimal){digits[i], scale[i]}, decimals)) {
            return false;
        }
    }
    return true;
}

/* Whether every sum of times stays inside 2^62 grains. */
static bool sums_fit(const inlay_app_builder *b, int decimals)
{
    const built_modules *m = &b->modules;
    int64_t sum = 0;
    if (!add_column(&sum, m->time, m->time_scale, m->count, decimals) ||
        !add_column(&sum, m->blocking, m->blocking_scale, m->count, decimals) ||
        !add_column(&sum, m->deadline, m->deadline_scale, m->count, decimals)) {
        return false;
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

/* Times above 0, and how many of them no decimal is left of. */
typedef struct time_tally {
    size_t all, lost;
} time_tally;

static inlay_time grains(inlay_decimal value, int decimals, time_tally *tally)
{
    int64_t result = 0;
    decimal_grains(value, decimals, &result); /* cannot fail: sums_fit() has done it before */
    bool some = value.digits > 0 || decimal_lost(value);
    tally->all += some;
    tally->lost += some && result == 0;
    return result;
}

/* Times that become 0 are told; where all do, nothing of the file is left. */
static int tell_lost(const inlay_app_builder *b, int decimals, const time_tally *tally, inlay_diag *diag)
{
    const char *unit = inlay_unit_name(b->unit);
    if (tally->lost > 0 && tally->lost == tally->all) {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, b->file, 0,
            "all %zu times are below half of 10^-%d %s, so that they would count as 0; expected a smaller "
            "unit of time",
            tally->all, decimals, unit);
    }
    if (tally->lost > 0) {
        diag_warn(diag,
                  "%s: %zu of %zu times are below half of 10^-%d %s, and count as 0; a smaller unit of time keeps them",
                  b->file, tally->lost, tally->all, decimals, unit);
    }
    return INLAY_OK;
}

/* Times become grains where they stand. */
static void column_to_grains(int64_t *digits, const uint8_t *scale, size_t count, int decimals, time_tally *tally)
{
    for (size_t i = 0; digits != NULL && i < count; i++) {
        if (scale[i] != decimals || digits[i] == 0) {
            digits[i] = grains((inlay_decimal){digits[i], scale[i]}, decimals, tally);
        } else {
            tally->all++;
        }
    }
}

/* ---- Modules ---- */

/* A column without the room that it has to spare; it stays as it is where the system would rather not. */
static void *fit(void *column, size_t count, size_t size)
{
    void *fitted = column == NULL ? NULL : realloc(column, count * size);
    return fitted == NULL ? column : fitted;
}

static int fill_type_times(const inlay_app_builder *b, inlay_app *app, time_tally *tally)
{
    if (b->types.count == 0) {
        return INLAY_OK;
    }
    app->type_names = memory_zeroed(b->types.count, sizeof *app->type_names);
    app->type_time = memory_array(b->types.count * b->modules.count, sizeof *app->type_time);
    if (app->type_names == NULL || app->type_time == NULL) {
        return INLAY_NO_MEMORY;
    }
    app->types = (int)b->types.count;
    for (size_t i = 0; i < b->types.count * b->modules.count; i++) {
        app->type_time[i] = -1;
    }
    for (size_t i = 0; i < b->type_time_count; i++) {
        const built_type_time *t = &b->type_times[i];
        app->type_time[(int64_t)t->type * app->modules + t->module] =
            t->never ? INLAY_NEVER : grains(t->time, app->decimals, tally);
    }
    for (size_t i = 0; i < b->types.count; i++) {
        app->type_names[i] = memory_string(b->types.words[i]);
        if (app->type_names[i] == NULL) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

/* Blocking times are given for all modules or for none. */
static int check_blocking(const inlay_app_builder *b, inlay_diag *diag)
{
    const built_modules *m = &b->modules;
    size_t with = 0, without = m->count;
    for (size_t i = 0; m->blocking != NULL && i < m->count; i++) {
        with += m->blocking[i] >= 0;
        without = m->blocking[i] < 0 && without == m->count ? i : without;
    }
    if (with == 0 || with == m->count) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, b->file, builder_line(b, (inlay_id)without, -1),
                        "module '%s' has no blocking time but %zu of %zu modules have one; expected all or none",
                        m->name[without], with, m->count);
}

/* The columns and the words change hands. */
static int fill_modules(inlay_app_builder *b, inlay_app *app, time_tally *tally, inlay_diag *diag)
{
    built_modules *m = &b->modules;
    size_t n = m->count;
    const char **names = realloc((void *)m->name, (n + b->block_count) * sizeof *names);
    if (names == NULL) {
        return diag_no_memory(diag);
    }
    m->name = names;
    if (fill_type_times(b, app, tally) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    column_to_grains(m->time, m->time_scale, n, app->decimals, tally);
    column_to_grains(m->blocking, m->blocking_scale, n, app->decimals, tally);
    column_to_grains(m->deadline, m->deadline_scale, n, app->decimals, tally);
    app->name = names;
    app->time = fit(m->time, n, sizeof *m->time);
    app->blocking = fit(m->blocking, n, sizeof *m->blocking);
    app->memory = fit(m->memory, n, sizeof *m->memory);
    app->traffic_memory = fit(m->traffic_memory, n, sizeof *m->traffic_memory);
    app->cores = fit(m->cores, n, sizeof *m->cores);
    app->pin = fit(m->pin, n, sizeof *m->pin);
    app->arithmetic = fit(m->arithmetic, n, sizeof *m->arithmetic);
    app->functions = fit(m->functions, n, sizeof *m->functions);
    app->kind = fit(m->kind, n, sizeof *m->kind);
    app->deadline = fit(m->deadline, n, sizeof *m->deadline);
    free(m->time_scale);
    free(m->blocking_scale);
    free(m->deadline_scale);
    *m = (built_modules){.count = n};
    app->kinds = (int32_t)b->kinds.count;
    app->kind_names = b->kinds.words;
    b->kinds.words = NULL;
    b->kinds.count = 0;
    return INLAY_OK;
}

/* ---- Links, data blocks and their uses ---- */

static int fill_rows(inlay_app_builder *b, built_links *links, size_t sources, link_rows *rows, inlay_diag *diag)
{
    if (links->too_many) {
        return diag_fail_at(diag, INLAY_OVERFLOW, b->file, 0,
                            "messages or bytes add up to more than 2^62; expected less");
    }
    return link_rows_make(links, sources, rows) ? INLAY_OK : diag_no_memory(diag);
}

/* Columns that are the rows' own by now. */
static void give_up(built_links *links, const inlay_id *to)
{
    if (links->to == to) {
        links->to = NULL;
        links->messages = links->bytes = NULL;
        links->flags = NULL;
    }
}

static int fill_links(inlay_app_builder *b, inlay_app *app, inlay_diag *diag)
{
    link_rows rows = {0};
    stated_rows stated = {0};
    if (b->links.data != NULL && !stated_rows_make(b, &stated)) { /* before the rows take the columns */
        return diag_no_memory(diag);
    }
    int status = fill_rows(b, &b->links, (size_t)app->modules, &rows, diag);
    app->links = rows.count;
    app->out_begin = rows.begin;
    app->out_to = rows.to;
    app->out_messages = rows.messages;
    app->out_bytes = rows.bytes;
    app->out_flags = rows.flags;
    if (status == INLAY_OK) {
        status = precedence_make(b, app, diag); /* while the builder can still tell where a link stood */
    }
    give_up(&b->links, rows.to);
    if (status == INLAY_OK && stated.link != NULL) {
        const stated_names names = {b->data.name, b->data.count, b->rebuilds ? NULL : b->file};
        status = data_make(&names, &stated, app, diag);
    }
    stated_rows_clear(&stated);
    return status;
}

static int fill_blocks(inlay_app_builder *b, inlay_app *app, time_tally *tally, inlay_diag *diag)
{
    app->blocks = (inlay_id)b->block_count;
    app->block_size = memory_array(b->block_count, sizeof *app->block_size);
    app->block_time = memory_array(b->block_count, sizeof *app->block_time);
    if (app->block_size == NULL || app->block_time == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < b->block_count; i++) {
        app->name[app->modules + (inlay_id)i] = b->blocks[i].name;
        app->block_size[i] = b->blocks[i].size;
        app->block_time[i] = grains(b->blocks[i].time, app->decimals, tally);
    }
    link_rows uses = {0};
    int status = fill_rows(b, &b->uses, b->block_count, &uses, diag);
    app->use_begin = uses.begin;
    app->use_module = uses.to;
    app->use_messages = uses.messages;
    app->use_bytes = uses.bytes;
    app->use_flags = uses.flags;
    give_up(&b->uses, uses.to);
    return status;
}

/* ---- The whole ---- */

static int fill(inlay_app_builder *builder, inlay_app *app, inlay_diag *diag)
{
    time_tally tally = {0};
    int status = fill_modules(builder, app, &tally, diag);
    if (status == INLAY_OK) {
        status = fill_blocks(builder, app, &tally, diag);
    }
    if (status == INLAY_OK) {
        status = tell_lost(builder, app->decimals, &tally, diag);
    }
    if (status == INLAY_OK) {
        status = fill_links(builder, app, diag);
    }
    return status;
}

int inlay_app_build(inlay_app_builder *builder, inlay_app **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (builder->modules.count == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, 0, "no modules; expected at least one");
    }
    int decimals = 0;
    int status = choose_decimals(builder, &decimals, diag);
    if (status == INLAY_OK) {
        status = check_blocking(builder, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    inlay_app *app = memory_zeroed(1, sizeof *app);
    if (app == NULL) {
        return diag_no_memory(diag);
    }
    app->unit = builder->unit;
    app->decimals = decimals;
    app->modules = (inlay_id)builder->modules.count;
    status = fill(builder, app, diag);
    if (status == INLAY_OK) {
        app->label = builder->label;
        app->reference_speed = builder->reference_speed;
        app->period = builder->period;
        app->names = builder->names;
        app->by_name = builder->by_name;
        builder->label = NULL;
        builder->names = NULL;
        builder->by_name = (name_map){0};
        *result = app;
    } else {
        inlay_app_free(app);
    }
    builder_clear(builder); /* its columns have gone over, wholly or in part */
    return status;
}
