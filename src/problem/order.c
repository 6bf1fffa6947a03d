/* The order of execution, with a heap of the modules that are ready. */
#include "problem/order.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/app.h"
#include <stdlib.h>

typedef struct ordering {
    const problem *p;
    const given_order *given; /* NULL: none */
    inlay_id *ready;          /* a heap */
    inlay_id count;
    int64_t *waiting; /* of every module: those that have to be taken before it; -1 where it is taken */
    inlay_id *before; /* of every module: the one before it on its processor, or -1; NULL where no order is given */
    inlay_id *behind; /* the one behind it */
} ordering;

/* ---- The heap ---- */

static bool earlier(const void *context, const void *left, const void *right)
{
    const ordering *o = context;
    const timing *t = &o->p->timing;
    inlay_id i = *(const inlay_id *)left, j = *(const inlay_id *)right;
    if (o->p->options.order != INLAY_ORDER_BOTTOM_LEVEL && t->b[i] != t->b[j]) {
        return t->b[i] < t->b[j];
    }
    return t->bottom[i] != t->bottom[j] ? t->bottom[i] > t->bottom[j] : i < j;
}

static void put(ordering *o, inlay_id module)
{
    o->ready[o->count] = module;
    heap_put((heap){o->ready, sizeof *o->ready, earlier, o}, (size_t)o->count++);
}

static inlay_id take(ordering *o)
{
    inlay_id top = o->ready[0];
    heap_drop((heap){o->ready, sizeof *o->ready, earlier, o}, (size_t)--o->count);
    return top;
}

/* ---- What waits for what ---- */

/* The modules of every cluster in a chain, by rank. */
static int chain(ordering *o)
{
    size_t n = (size_t)o->p->modules;
    inlay_id *at_rank = memory_array(n, sizeof *at_rank), *last = memory_array(n, sizeof *last);
    o->before = memory_array(n, sizeof *o->before);
    o->behind = memory_array(n, sizeof *o->behind);
    bool fine = at_rank != NULL && last != NULL && o->before != NULL && o->behind != NULL;
    for (inlay_id i = 0; fine && i < o->p->modules; i++) {
        at_rank[o->given->rank[i]] = i;
        last[i] = o->before[i] = o->behind[i] = -1;
    }
    for (inlay_id r = 0; fine && r < o->p->modules; r++) {
        inlay_id i = at_rank[r], c = o->given->cluster_of[i];
        o->before[i] = last[c];
        if (last[c] >= 0) {
            o->behind[last[c]] = i;
        }
        last[c] = i;
    }
    free(at_rank);
    free(last);
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

static void done_before(ordering *o, inlay_id module)
{
    if (--o->waiting[module] == 0) {
        put(o, module);
    }
}

static void begin(ordering *o)
{
    const inlay_app *app = o->p->app;
    for (inlay_id i = 0; i < o->p->modules; i++) {
        o->waiting[i] = app->in_begin[i + 1] - app->in_begin[i] + (o->before != NULL && o->before[i] >= 0);
        if (o->waiting[i] == 0) {
            put(o, i);
        }
    }
}

static inlay_id run(ordering *o, inlay_id *order)
{
    const inlay_app *app = o->p->app;
    inlay_id taken = 0;
    while (o->count > 0) {
        inlay_id i = order[taken++] = take(o);
        o->waiting[i] = -1;
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
                done_before(o, app->out_to[l]);
            }
        }
        if (o->behind != NULL && o->behind[i] >= 0) {
            done_before(o, o->behind[i]);
        }
    }
    return taken;
}

/* ---- An order that cannot be run ---- */

/* Whom a module that is left waits for: the one before it on its processor, or else a predecessor that is left. */
static inlay_id awaited(const ordering *o, inlay_id module)
{
    const inlay_app *app = o->p->app;
    if (o->before != NULL && o->before[module] >= 0 && o->waiting[o->before[module]] > 0) {
        return o->before[module];
    }
    int64_t l = app->in_begin[module];
    while (o->waiting[app->in_from[l]] < 0) {
        l++;
    }
    return app->in_from[l];
}

enum { SHOWN = 8 };

/* Going from module to module that is awaited leads into a cycle, which is told the way it would run. */
static int refuse_cycle(ordering *o, inlay_diag *diag)
{
    text_buffer cycle = {0};
    inlay_id *awaiting = o->ready; /* nobody is */
    inlay_id from = 0, length = 0;
    while (o->waiting[from] < 0) {
        from++;
    }
    for (inlay_id steps = 0; steps < o->p->modules; steps++) {
        from = awaited(o, from);
    }
    for (inlay_id at = from; length == 0 || at != from; at = awaited(o, at)) {
        awaiting[length++] = at;
    }
    for (inlay_id k = length - 1, shown = 0; k >= 0; k = shown++ < SHOWN ? k - 1 : -1) {
        text_addf(&cycle, "'%s' -> ", inlay_app_module_name(o->p->app, awaiting[k]));
    }
    text_addf(&cycle, "%s'%s'", length > SHOWN + 1 ? "... -> " : "",
              inlay_app_module_name(o->p->app, awaiting[length - 1]));
    int status = cycle.failed
                     ? diag_no_memory(diag)
                     : diag_fail(diag, INLAY_BAD_ARGUMENT,
                                 "the order can never be run, for each of these comes before the next: %s", cycle.data);
    text_clear(&cycle);
    return status;
}

int execution_order(const problem *p, const given_order *given, inlay_id *order, inlay_diag *diag)
{
    ordering o = {.p = p, .given = given};
    o.waiting = memory_array((size_t)p->modules, sizeof *o.waiting);
    o.ready = memory_array((size_t)p->modules, sizeof *o.ready);
    bool fine = o.waiting != NULL && o.ready != NULL;
    if (fine && given != NULL && given->rank != NULL && p->options.order == INLAY_ORDER_GIVEN) {
        fine = chain(&o) == INLAY_OK;
    }
    int status = fine ? INLAY_OK : diag_no_memory(diag);
    if (fine) {
        begin(&o);
        status = run(&o, order) == p->modules ? INLAY_OK : refuse_cycle(&o, diag);
    }
    free(o.before);
    free(o.behind);
    free(o.waiting);
    free(o.ready);
    return status;
}
