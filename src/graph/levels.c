/* Levels, width, and what `inlay info` tells. */
#include "graph/levels.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/timing.h"
#include "graph/width.h"
#include <stdlib.h>

int32_t graph_levels(const inlay_app *app, int32_t *level)
{
    int32_t depth = 0;
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id i = app->topological[k];
        level[i] = 0;
        for (int64_t l = app->in_begin[i]; l < app->in_begin[i + 1]; l++) {
            int32_t behind = level[app->in_from[l]] + 1;
            level[i] = behind > level[i] ? behind : level[i];
        }
        depth = level[i] + 1 > depth ? level[i] + 1 : depth;
    }
    return depth;
}

inlay_id graph_level_width(const inlay_app *app, const int32_t *level, int32_t depth)
{
    inlay_id *count = memory_zeroed((size_t)depth, sizeof *count);
    if (count == NULL) {
        return -1;
    }
    inlay_id width = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        inlay_id here = ++count[level[i]];
        width = here > width ? here : width;
    }
    free(count);
    return width;
}

int inlay_app_levels(const inlay_app *app, int32_t *level, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (app == NULL || level == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "levels need an application and an array");
    }
    graph_levels(app, level);
    return INLAY_OK;
}

static int describe_shape(const inlay_app *app, inlay_app_info *info, inlay_diag *diag)
{
    int32_t *level = memory_array((size_t)app->modules, sizeof *level);
    if (level == NULL) {
        return diag_no_memory(diag);
    }
    info->depth = graph_levels(app, level);
    info->level_width = graph_level_width(app, level, info->depth);
    free(level);
    return info->level_width < 0 ? diag_no_memory(diag) : graph_exact_width(app, &info->exact_width, diag);
}

inlay_app_totals inlay_app_sum(const inlay_app *app)
{
    inlay_app_totals sum = {0};
    for (inlay_id i = 0; i < app->modules; i++) {
        sum.work += inlay_app_time(app, i);
    }
    for (int64_t l = 0; l < app->links; l++) {
        sum.messages += app->out_messages[l];
        sum.bytes += app->out_bytes[l];
    }
    return sum;
}

double inlay_app_ccr(const inlay_app *app, double bandwidth)
{
    bool ticks = app->unit == INLAY_UNIT_TICK;
    const inlay_app_totals sum = inlay_app_sum(app);
    double work = inlay_app_in_units(app, sum.work) * (ticks ? 1 : inlay_unit_seconds(app->unit));
    double usual = ticks ? 1 : 1e9;
    return (double)(ticks ? sum.messages : sum.bytes) / (bandwidth > 0 ? bandwidth : usual) / work;
}

int inlay_app_describe(const inlay_app *app, inlay_app_info *info, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_app_info found = {.precedence_links = app->precedence_links, .streamed = app->blocking != NULL};
    int status = describe_shape(app, &found, diag);
    if (status != INLAY_OK) {
        return status;
    }
    timing t;
    status = timing_make(app, NULL, found.streamed, &t, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        inlay_time held;
        if (__builtin_mul_overflow(t.m[i], inlay_app_cores(app, i), &held) ||
            __builtin_add_overflow(found.work, held, &found.work)) {
            timing_clear(&t);
            return diag_fail(diag, INLAY_OVERFLOW, "the times of all modules, over all their cores, pass 2^63 grains");
        }
        found.longest_module = t.m[i] > found.longest_module ? t.m[i] : found.longest_module;
    }
    found.messages = inlay_app_sum(app).messages;
    found.bytes = inlay_app_sum(app).bytes;
    for (inlay_id d = 0; d < app->data; d++) {
        found.data_bytes += app->datum_bytes[d];
        found.data_bytes_each += app->datum_bytes[d] * inlay_app_datum(app, d).consumers;
    }
    found.critical_path = t.critical_path;
    timing_clear(&t);
    *info = found;
    return INLAY_OK;
}
