/* The parallelism profile: how many modules run at once, each as early as it can. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/timing.h"
#include <stdlib.h>

typedef struct change {
    inlay_time at;
    int by; /* 1: a module starts, -1: it ends */
} change;

static int compare(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Each when its links allow it. */
static void find_starts(const inlay_app *app, const timing *t, inlay_time *start)
{
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id module = app->topological[k];
        int64_t count;
        const inlay_id *from = inlay_app_predecessors(app, module, &count);
        start[module] = 0;
        for (int64_t p = 0; p < count; p++) {
            inlay_time satisfied = start[from[p]] + timing_lag(t, from[p], module);
            start[module] = satisfied > start[module] ? satisfied : start[module];
        }
    }
}

/* Modules that take no time run at no time. */
static size_t list_changes(const inlay_app *app, const timing *t, const inlay_time *start, change *to)
{
    size_t count = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        if (t->m[i] > 0) {
            to[count++] = (change){start[i], 1};
            to[count++] = (change){start[i] + t->m[i], -1};
        }
    }
    qsort(to, count, sizeof *to, compare);
    return count;
}

/* Steps where the number changes; the last has none left. */
static size_t add_up(const change *changes, size_t count, inlay_parallelism_step *steps)
{
    size_t made = 1;
    inlay_id running = 0;
    steps[0] = (inlay_parallelism_step){0, 0};
    for (size_t i = 0; i < count; i++) {
        running += changes[i].by;
        if (i + 1 < count && changes[i + 1].at == changes[i].at) {
            continue;
        }
        if (changes[i].at > 0 && running != steps[made - 1].modules) {
            steps[made++] = (inlay_parallelism_step){changes[i].at, running};
        } else {
            steps[made - 1].modules = running;
        }
    }
    return made;
}

int inlay_app_parallelism(const inlay_app *app, inlay_parallelism_step **steps, size_t *count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    timing t;
    int status = timing_make(app, NULL, app->blocking != NULL, &t, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t modules = (size_t)app->modules;
    change *changes = memory_array(2 * modules, sizeof *changes);
    inlay_time *start = memory_array(modules, sizeof *start);
    inlay_parallelism_step *made = memory_array(2 * modules + 1, sizeof *made);
    if (changes != NULL && start != NULL && made != NULL) {
        find_starts(app, &t, start);
        *count = add_up(changes, list_changes(app, &t, start, changes), made);
        *steps = made;
    } else {
        free(made);
        status = diag_no_memory(diag);
    }
    free(changes);
    free(start);
    timing_clear(&t);
    return status;
}
