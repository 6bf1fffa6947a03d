/* Random times of modules. */
#include "simulate/module_times.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

void module_times_clear(module_times *t)
{
    free(t->of_kind);
    free(t->kind_begin);
    *t = (module_times){0};
}

/* Two places ahead at first: they move one when the modules are put. */
static void sort_by_kind(module_times *t)
{
    const inlay_app *app = t->app;
    for (inlay_id i = 0; i < app->modules; i++) {
        if (app->kind[i] >= 0) {
            t->kind_begin[app->kind[i] + 2]++;
        }
    }
    for (int32_t k = 2; k < app->kinds + 2; k++) {
        t->kind_begin[k] += t->kind_begin[k - 1];
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        if (app->kind[i] >= 0) {
            t->of_kind[t->kind_begin[app->kind[i] + 1]++] = i;
        }
    }
}

int module_times_make(const inlay_app *app, const inlay_spread *spread, module_times *result, inlay_diag *diag)
{
    module_times t = {.app = app, .spread = *spread};
    if (spread->kind != INLAY_SPREAD_KIND) {
        *result = t;
        return spread_check(spread, "module times", diag);
    }
    if (app->kind == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "no module has a kind whose times could be drawn; expected kind=");
    }
    t.kind_begin = memory_zeroed((size_t)app->kinds + 2, sizeof *t.kind_begin);
    t.of_kind = memory_array((size_t)app->modules, sizeof *t.of_kind);
    if (t.kind_begin == NULL || t.of_kind == NULL) {
        module_times_clear(&t);
        return diag_no_memory(diag);
    }
    sort_by_kind(&t);
    *result = t;
    return INLAY_OK;
}

bool module_times_random(const module_times *t)
{
    return t->kind_begin != NULL || spread_is_random(&t->spread);
}

/* The time of one of its kind over its own; modules without a kind, or without a time, keep to theirs. */
static double of_its_kind(const module_times *t, random_streams *random, inlay_id module)
{
    int32_t kind = t->app->kind[module];
    double own = (double)t->app->time[module];
    if (kind < 0) {
        return 1;
    }
    inlay_id count = t->kind_begin[kind + 1] - t->kind_begin[kind];
    inlay_id like = t->of_kind[t->kind_begin[kind] + random_id(random, STREAM_MODULES, count)];
    return own > 0 ? (double)t->app->time[like] / own : 1;
}

void module_times_draw(const module_times *t, random_streams *random, double *factor)
{
    for (inlay_id i = 0; i < t->app->modules; i++) {
        factor[i] = t->kind_begin != NULL ? of_its_kind(t, random, i) : spread_draw(&t->spread, random, STREAM_MODULES);
    }
}
