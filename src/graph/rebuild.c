/* A graph once more, with other numbers. */
#include "graph/rebuild.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/columns.h"
#include "graph/data.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- Times ---- */

bool time_row_open(time_row *row, const inlay_app *app)
{
    size_t modules = (size_t)app->modules;
    row->blocking = modules;
    row->blocks = row->blocking + (app->blocking != NULL ? modules : 0);
    row->types = row->blocks + (size_t)app->blocks;
    row->deadlines = row->types + (size_t)app->types * modules;
    row->count = row->deadlines + (app->deadline != NULL ? modules : 0);
    row->exact = memory_zeroed(row->count, sizeof *row->exact);
    row->grains = memory_zeroed(row->count, sizeof *row->grains);
    return row->exact != NULL && row->grains != NULL;
}

void time_row_clear(time_row *row)
{
    free(row->exact);
    free(row->grains);
    *row = (time_row){0};
}

/* Whether all times fit with so many decimals. */
static bool round_all(time_row *row, int decimals, bool *exact)
{
    int64_t left = largest_sum;
    *exact = true;
    for (size_t i = 0; i < row->count; i++) {
        if (!long_decimal_grains(row->exact[i], decimals, left, &row->grains[i], exact)) {
            return false;
        }
        left -= row->grains[i];
    }
    row->decimals = decimals;
    return true;
}

/* Times that were above 0 and are 0 now; *left counts those that are above 0 still. */
static size_t count_lost(const time_row *row, size_t *left)
{
    size_t lost = 0;
    *left = 0;
    for (size_t i = 0; i < row->count; i++) {
        lost += row->exact[i].digits > 0 && row->grains[i] == 0;
        *left += row->grains[i] > 0;
    }
    return lost;
}

int time_row_round(time_row *row, int wanted, inlay_unit unit, const char *too_large, const char *too_small,
                   inlay_diag *diag)
{
    bool exact = true;
    int decimals = wanted;
    while (decimals >= 0 && !round_all(row, decimals, &exact)) {
        decimals--;
    }
    if (decimals < 0) {
        return diag_fail(diag, INLAY_OVERFLOW, "the new times add up to more than 2^62 %s; expected %s",
                         inlay_unit_word(unit), too_large);
    }
    size_t left, lost = count_lost(row, &left);
    if (lost > 0 && left == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "at %d decimals of a %s all new times are 0; expected %s", decimals,
                         inlay_unit_name(unit), too_small);
    }
    if (decimals < wanted && !exact) {
        diag_warn(diag, "times are kept to %d decimals of a %s, so that sums stay exact", decimals,
                  inlay_unit_name(unit));
    }
    if (lost > 0) {
        diag_warn(diag, "%zu of %zu times are 0 at %d decimals of a %s", lost, lost + left, decimals,
                  inlay_unit_name(unit));
    }
    return INLAY_OK;
}

void time_row_show(const time_row *row, const inlay_app *app, bool blocking, inlay_unit unit, inlay_app *view)
{
    *view = *app;
    view->unit = unit;
    view->period = unit == app->unit ? app->period : 0;
    view->decimals = row->decimals;
    view->time = row->grains;
    view->blocking = blocking && app->blocking != NULL ? row->grains + row->blocking : NULL;
    view->block_time = row->grains + row->blocks;
    view->type_time = row->grains + row->types;
    view->deadline = app->deadline != NULL ? row->grains + row->deadlines : NULL;
    for (size_t i = row->types; i < row->deadlines; i++) {
        inlay_time given = app->type_time[i - row->types]; /* or none */
        row->grains[i] = given < 0 ? given : row->grains[i];
    }
}

/* ---- The copy ---- */

static inlay_duration duration_of(const inlay_app *app, inlay_time time)
{
    return (inlay_duration){{time, app->decimals}, INLAY_UNIT_NONE};
}

static int add_modules(inlay_app_builder *builder, const inlay_app *app, inlay_diag *diag)
{
    int status = inlay_app_builder_reserve(builder, app->modules, apart_count(app), diag);
    for (inlay_id i = 0; status == INLAY_OK && i < app->modules; i++) {
        const inlay_module module = {.name = app->name[i],
                                     .time = duration_of(app, app->time[i]),
                                     .has_blocking = app->blocking != NULL,
                                     .blocking = duration_of(app, inlay_app_blocking(app, i)),
                                     .memory = inlay_app_memory(app, i),
                                     .traffic_memory = inlay_app_traffic_memory(app, i),
                                     .cores = inlay_app_cores(app, i),
                                     .pinned = inlay_app_pin(app, i) >= 0,
                                     .pin = inlay_app_pin(app, i),
                                     .arithmetic = inlay_app_arithmetic(app, i),
                                     .functions = inlay_app_functions(app, i),
                                     .kind = inlay_app_module_kind(app, i),
                                     .deadline = duration_of(app, inlay_app_deadline(app, i))};
        status = inlay_app_add_module(builder, &module, diag);
    }
    return status;
}

/* Type by type, so that types keep their numbers. */
static int add_type_times(inlay_app_builder *builder, const inlay_app *app, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int type = 0; type < app->types; type++) {
        for (inlay_id i = 0; status == INLAY_OK && i < app->modules; i++) {
            inlay_time time = inlay_app_type_time(app, type, i);
            if (time >= 0) {
                status = inlay_app_add_type_time(builder, i, app->type_names[type], duration_of(app, time), diag);
            } else if (time == INLAY_NEVER) {
                status = inlay_app_forbid_type(builder, i, app->type_names[type], diag);
            }
        }
    }
    return status;
}

static int add_links(inlay_app_builder *builder, const inlay_app *app, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (inlay_id i = 0; i < app->modules; i++) {
        apart_links links = {.app = app, .from = i};
        apart_link l;
        while (status == INLAY_OK && apart_next(&links, &l)) {
            status = apart_add(builder, i, &l, diag);
        }
    }
    return status;
}

static int add_blocks(inlay_app_builder *builder, const inlay_app *app, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (inlay_id b = 0; status == INLAY_OK && b < app->blocks; b++) {
        status = inlay_app_add_block(builder, inlay_app_block_name(app, b), app->block_size[b],
                                     duration_of(app, app->block_time[b]), diag);
        for (int64_t u = app->use_begin[b]; status == INLAY_OK && u < app->use_begin[b + 1]; u++) {
            status = inlay_app_add_use(builder, b, app->use_module[u], app->use_messages[u], app->use_bytes[u], diag);
        }
    }
    return status;
}

int app_rebuild(const inlay_app *view, inlay_app **result, inlay_diag *diag)
{
    inlay_app_builder *builder = inlay_app_builder_new(view->label, view->unit);
    if (builder == NULL) {
        return diag_no_memory(diag);
    }
    builder->rebuilds = true;
    int status =
        view->reference_speed > 0 ? inlay_app_builder_reference(builder, view->reference_speed, diag) : INLAY_OK;
    builder->period = view->period;
    status = status == INLAY_OK ? add_modules(builder, view, diag) : status;
    status = status == INLAY_OK ? add_type_times(builder, view, diag) : status;
    status = status == INLAY_OK ? add_links(builder, view, diag) : status;
    status = status == INLAY_OK ? add_blocks(builder, view, diag) : status;
    status = status == INLAY_OK ? inlay_app_build(builder, result, diag) : status;
    inlay_app_builder_free(builder);
    return status;
}
