/* The shortest schedule of a small application. */
#include "optimum.h"
#include <math.h>
#include <string.h>

typedef struct enumeration {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_id modules, processors;
    bool alike;
    double time[OPTIMUM_MOST][OPTIMUM_MOST];                /* of modules on processors */
    double tail[OPTIMUM_MOST];                              /* the longest way to the end of all, messages being free */
    unsigned before[OPTIMUM_MOST];                          /* predecessors, a bit each */
    inlay_id module[OPTIMUM_MOST], processor[OPTIMUM_MOST]; /* as they are taken */
    double start[OPTIMUM_MOST], end[OPTIMUM_MOST];          /* of modules, messages being free */
    double free[OPTIMUM_MOST];                              /* of processors */
    double optimum;
    int status;
} enumeration;

int optimum_elapsed(const inlay_mapping *mapping, double *elapsed)
{
    const inlay_simulation_options options = {.threads = 1};
    inlay_simulation *simulation = NULL;
    int status = inlay_simulate(mapping, &options, &simulation, NULL);
    if (status == INLAY_OK) {
        *elapsed = inlay_simulation_result(simulation)->makespan;
        inlay_simulation_free(simulation);
    }
    return status;
}

static void judge(enumeration *e)
{
    inlay_task_schedule schedule = {
        .entries = e->modules, .module = e->module, .processor = e->processor, .ordered = true};
    const inlay_options options = {0};
    inlay_mapping *mapping = NULL;
    double elapsed = INFINITY;
    e->status = inlay_evaluate_schedule(e->app, e->machine, &schedule, &options, &mapping, NULL);
    if (e->status == INLAY_OK) {
        e->status = optimum_elapsed(mapping, &elapsed);
        inlay_mapping_free(mapping);
    }
    e->optimum = elapsed < e->optimum ? elapsed : e->optimum;
}

/*
 * Modules are taken as they start where messages are free, of one start by number: so every schedule comes up once, for
 * those of one start are on different processors and do not wait for each other.
 */
static void extend(enumeration *e, inlay_id taken, unsigned done) /* NOLINT(misc-no-recursion): as deep as modules */
{
    if (taken == e->modules) {
        judge(e);
        return;
    }
    inlay_id last = taken == 0 ? -1 : e->module[taken - 1];
    for (inlay_id i = 0; i < e->modules; i++) {
        if ((done >> i & 1) || (e->before[i] & ~done)) {
            continue;
        }
        double ready = 0;
        for (inlay_id j = 0; j < e->modules; j++) {
            ready = (e->before[i] >> j & 1) && e->end[j] > ready ? e->end[j] : ready;
        }
        bool fresh = false;
        for (inlay_id q = 0; q < e->processors && !(fresh && e->alike) && e->status == INLAY_OK; q++) {
            double was = e->free[q], start = was > ready ? was : ready;
            fresh = !(was > 0);
            for (inlay_id k = 0; fresh && k < taken; k++) {
                fresh = e->processor[k] != q;
            }
            if (last >= 0 && (start < e->start[last] || (!(start > e->start[last]) && i < last))) {
                continue;
            }
            if (start + e->time[i][q] + e->tail[i] >= e->optimum) {
                continue;
            }
            e->module[taken] = i;
            e->processor[taken] = q;
            e->start[i] = start;
            e->end[i] = e->free[q] = start + e->time[i][q];
            extend(e, taken + 1, done | 1U << i);
            e->free[q] = was;
        }
    }
}

static void find_times(enumeration *e)
{
    for (inlay_id i = 0; i < e->modules; i++) {
        for (inlay_id q = 0; q < e->processors; q++) {
            inlay_processor what = inlay_machine_processor(e->machine, q);
            e->time[i][q] = inlay_app_in_units(e->app, inlay_app_time(e->app, i)) / what.speed;
        }
    }
    for (inlay_id i = 0; i < e->modules; i++) {
        int64_t count;
        const inlay_id *from = inlay_app_predecessors(e->app, i, &count);
        for (int64_t k = 0; k < count; k++) {
            e->before[i] |= 1U << from[k];
        }
    }
    for (inlay_id round = 0; round < e->modules; round++) { /* as often as the longest way has links */
        for (inlay_id i = 0; i < e->modules; i++) {
            double least = INFINITY;
            for (inlay_id q = 0; q < e->processors; q++) {
                least = fmin(least, e->time[i][q]);
            }
            for (inlay_id j = 0; j < e->modules; j++) {
                e->tail[j] = (e->before[i] >> j & 1) ? fmax(e->tail[j], least + e->tail[i]) : e->tail[j];
            }
        }
    }
}

int optimum_find(const inlay_app *app, const inlay_machine *machine, bool alike, double known, double *optimum)
{
    enumeration e = {.app = app,
                     .machine = machine,
                     .modules = inlay_app_modules(app),
                     .processors = inlay_machine_processors(machine),
                     .alike = alike,
                     .optimum = known};
    if (e.modules > OPTIMUM_MOST || e.processors > OPTIMUM_MOST || inlay_app_blocks(app) > 0) {
        return INLAY_BAD_ARGUMENT;
    }
    for (inlay_id i = 0; i < e.modules; i++) {
        if (inlay_app_time(app, i) == 0) {
            return INLAY_BAD_ARGUMENT;
        }
    }
    find_times(&e);
    extend(&e, 0, 0);
    *optimum = e.optimum;
    return e.status;
}
