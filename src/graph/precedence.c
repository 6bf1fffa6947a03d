/* Predecessors, Kahn's topological order, and what to say of a cycle. */
#include "graph/precedence.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/app.h"
#include <stdlib.h>

enum { CYCLE_NAMES = 12 };

static inline bool precedes(const inlay_app *app, int64_t link)
{
    return !(app->out_flags[link] & INLAY_LINK_TRAFFIC_ONLY);
}

static int fill_predecessors(inlay_app *app, inlay_diag *diag)
{
    size_t n = (size_t)app->modules;
    app->in_begin = column_zeroed(n + 1, sizeof *app->in_begin);
    if (app->in_begin == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t l = 0; l < app->links; l++) {
        app->in_begin[app->out_to[l]] += precedes(app, l);
    }
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += app->in_begin[i];
        app->in_begin[i] = sum;
    }
    app->in_begin[n] = app->precedence_links = sum;
    app->in_from = column_new((size_t)sum, sizeof *app->in_from);
    if (app->in_from == NULL) {
        return diag_no_memory(diag);
    }
    /* From the last link to the first, each in front of the one before: every begin moves from its end to its place. */
    for (inlay_id i = app->modules; i-- > 0;) {
        for (int64_t l = app->out_begin[i + 1]; l-- > app->out_begin[i];) {
            if (precedes(app, l)) {
                app->in_from[--app->in_begin[app->out_to[l]]] = i;
            }
        }
    }
    return INLAY_OK;
}

/* Kahn's order by rounds; how many modules it reaches. waiting[i] > 0 is left on modules on or behind a cycle. */
static inlay_id sort_modules(const inlay_app *app, inlay_id *waiting)
{
    inlay_id done = 0, ready = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        waiting[i] = (inlay_id)(app->in_begin[i + 1] - app->in_begin[i]);
        if (waiting[i] == 0) {
            app->topological[ready++] = i;
        }
    }
    for (; done < ready; done++) {
        inlay_id i = app->topological[done];
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (precedes(app, l) && --waiting[app->out_to[l]] == 0) {
                app->topological[ready++] = app->out_to[l];
            }
        }
    }
    return done;
}

/* ---- Cycles ---- */

/*
 * In place of the count of each module that is still waiting its first predecessor that is: going back through those
 * must come round. The others get -1.
 */
static void point_back(const inlay_app *app, inlay_id *waiting)
{
    for (inlay_id i = 0; i < app->modules; i++) {
        waiting[i] = waiting[i] > 0 ? 0 : -1;
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        int64_t l = app->in_begin[i];
        while (waiting[i] >= 0 && waiting[app->in_from[l]] < 0) {
            l++;
        }
        waiting[i] = waiting[i] >= 0 ? app->in_from[l] : -1;
    }
}

/* The cycle that going back leads into, its smallest module first and then against the arrows; its length. */
static inlay_id find_cycle(const inlay_app *app, const inlay_id *previous, inlay_id *cycle)
{
    inlay_id at = 0;
    while (previous[at] < 0) {
        at++;
    }
    for (inlay_id i = 0; i < app->modules; i++) { /* surely on a cycle after that many steps */
        at = previous[at];
    }
    inlay_id smallest = at;
    for (inlay_id on = previous[at]; on != at; on = previous[on]) {
        smallest = on < smallest ? on : smallest;
    }
    inlay_id length = 0;
    at = smallest;
    do {
        cycle[length++] = at;
        at = previous[at];
    } while (at != smallest);
    return length;
}

/* Names on one cycle, beginning and ending with its smallest module. @param waiting  is written over */
static int report_cycle(const inlay_app_builder *b, const inlay_app *app, inlay_id *waiting, inlay_diag *diag)
{
    inlay_id *cycle = memory_array((size_t)app->modules, sizeof *cycle);
    if (cycle == NULL) {
        return diag_no_memory(diag);
    }
    point_back(app, waiting);
    inlay_id length = find_cycle(app, waiting, cycle);
    text_buffer names = {0};
    for (inlay_id step = 0; step < length && step < CYCLE_NAMES; step++) {
        text_addf(&names, "%s -> ", app->name[cycle[(length - step) % length]]);
    }
    if (length > CYCLE_NAMES) {
        text_addf(&names, "... (%d more) -> ", length - CYCLE_NAMES);
    }
    inlay_id from = cycle[0], to = cycle[length - 1];
    free(cycle);
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

int precedence_make(const inlay_app_builder *builder, inlay_app *app, inlay_diag *diag)
{
    int status = fill_predecessors(app, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id *waiting = column_new((size_t)app->modules, sizeof *waiting);
    app->topological = column_new((size_t)app->modules, sizeof *app->topological);
    if (waiting == NULL || app->topological == NULL) {
        status = diag_no_memory(diag);
    } else if (sort_modules(app, waiting) < app->modules) {
        status = report_cycle(builder, app, waiting, diag);
    }
    free(waiting);
    return status;
}
