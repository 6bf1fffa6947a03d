/* Times along the precedence links. */
#include "graph/timing.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include <stdlib.h>
#include <string.h>

void timing_clear(timing *t)
{
    free(t->m);
    free(t->b);
    free(t->bottom);
    *t = (timing){0};
}

static inline bool precedes(const inlay_app *app, int64_t link)
{
    return !(app->out_flags[link] & INLAY_LINK_TRAFFIC_ONLY);
}

/* Earliest starts by the lags in force. Sums stay below the sum of all m, which the builder keeps inside 2^62. */
static void earliest_starts(const inlay_app *app, const timing *t, inlay_time *start)
{
    memset(start, 0, (size_t)app->modules * sizeof *start);
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id i = app->topological[k];
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            inlay_id j = app->out_to[l];
            if (precedes(app, l) && start[i] + timing_lag(t, i, j) > start[j]) {
                start[j] = start[i] + timing_lag(t, i, j);
            }
        }
    }
}

static void bottom_levels(const inlay_app *app, timing *t)
{
    for (inlay_id k = app->modules - 1; k >= 0; k--) {
        inlay_id i = app->topological[k];
        inlay_time longest = -1;
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (precedes(app, l)) {
                inlay_time path = timing_lag(t, i, app->out_to[l]) + t->bottom[app->out_to[l]];
                longest = path > longest ? path : longest;
            }
        }
        t->bottom[i] = longest < 0 ? t->m[i] : longest;
    }
}

int timing_make(const inlay_app *app, const inlay_time *time, bool streamed, timing *result, inlay_diag *diag)
{
    size_t n = (size_t)app->modules;
    timing t = {.streamed = streamed};
    t.m = memory_array(n, sizeof *t.m);
    t.b = memory_array(n, sizeof *t.b);
    t.bottom = memory_array(n, sizeof *t.bottom);
    inlay_time *start = memory_array(n, sizeof *start);
    if (t.m == NULL || t.b == NULL || t.bottom == NULL || start == NULL) {
        free(start);
        timing_clear(&t);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        t.m[i] = time == NULL ? inlay_app_time(app, i) : time[i];
        t.b[i] = inlay_app_blocking(app, i);
    }
    earliest_starts(app, &t, start);
    for (inlay_id i = 0; i < app->modules; i++) {
        inlay_time end = start[i] + t.m[i];
        t.critical_path = end > t.critical_path ? end : t.critical_path;
    }
    if (!streamed) {
        memcpy(t.b, start, n * sizeof *start);
    }
    bottom_levels(app, &t);
    free(start);
    *result = t;
    return INLAY_OK;
}
