/* The order of execution, with a heap of the modules that are ready. */
#include "problem/order.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/app.h"
#include <stdlib.h>
#include <string.h>

typedef struct ordering {
    const problem *p;
    const order_lists *given; /* NULL: none */
    inlay_id *ready;          /* a heap */
    inlay_id count;
    int64_t *waiting;     /* of every module: those that have to be taken before it; -1 where it is taken */
    int64_t *entry_begin; /* modules + 1: where it stands in the lists that are given; NULL: none are */
    int64_t *entry;
    bool *first; /* of every entry: of its list */
} ordering;

/* ---- Lists ---- */

void order_lists_clear(order_lists *lists)
{
    free(lists->begin);
    free(lists->module);
    *lists = (order_lists){0};
}

int order_lists_copy(const order_lists *from, order_lists *result)
{
    size_t lists = (size_t)from->clusters + 1, entries = (size_t)from->begin[from->clusters];
    order_lists copy = {from->clusters, memory_array(lists, sizeof *copy.begin),
                        memory_array(entries, sizeof *copy.module)};
    if (copy.begin == NULL || copy.module == NULL) {
        order_lists_clear(&copy);
        return INLAY_NO_MEMORY;
    }
    memcpy(copy.begin, from->begin, lists * sizeof *copy.begin);
    memcpy(copy.module, from->module, entries * sizeof *copy.module);
    *result = copy;
    return INLAY_OK;
}

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

/* Where every module stands. */
static int chain(ordering *o)
{
    const order_lists *lists = o->given;
    size_t n = (size_t)o->p->modules, entries = (size_t)lists->begin[lists->clusters];
    o->entry_begin = memory_zeroed(n + 2, sizeof *o->entry_begin);
    o->entry = memory_array(entries, sizeof *o->entry);
    o->first = memory_zeroed(entries + 1, sizeof *o->first);
    if (o->entry_begin == NULL || o->entry == NULL || o->first == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id c = 0; c <= lists->clusters; c++) {
        o->first[lists->begin[c]] = true; /* behind the last entry, too */
    }
    for (size_t e = 0; e < entries; e++) {
        o->entry_begin[lists->module[e] + 2]++;
    }
    for (size_t i = 0; i < n; i++) {
        o->entry_begin[i + 2] += o->entry_begin[i + 1];
    }
    for (size_t e = 0; e < entries; e++) { /* rows fill from one ahead, and end where they belong */
        o->entry[o->entry_begin[lists->module[e] + 1]++] = (int64_t)e;
    }
    return INLAY_OK;
}

static void done_before(ordering *o, inlay_id module)
{
    if (--o->waiting[module] == 0) {
        put(o, module);
    }
}

static int64_t first_entry(const ordering *o, inlay_id module)
{
    return o->entry_begin == NULL ? 0 : o->entry_begin[module];
}

static int64_t last_entry(const ordering *o, inlay_id module)
{
    return o->entry_begin == NULL ? 0 : o->entry_begin[module + 1];
}

static void begin(ordering *o)
{
    const inlay_app *app = o->p->app;
    for (inlay_id i = 0; i < o->p->modules; i++) {
        o->waiting[i] = app->in_begin[i + 1] - app->in_begin[i];
        for (int64_t e = first_entry(o, i); e < last_entry(o, i); e++) {
            o->waiting[i] += !o->first[o->entry[e]];
        }
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
        for (int64_t e = first_entry(o, i); e < last_entry(o, i); e++) {
            if (!o->first[o->entry[e] + 1]) {
                done_before(o, o->given->module[o->entry[e] + 1]);
            }
        }
    }
    return taken;
}

/* ---- An order that cannot be run ---- */

/* Whom a module that is left waits for: the one before it on a processor, or else a predecessor that is left. */
static inlay_id awaited(const ordering *o, inlay_id module)
{
    const inlay_app *app = o->p->app;
    for (int64_t e = first_entry(o, module); e < last_entry(o, module); e++) {
        int64_t at = o->entry[e];
        if (!o->first[at] && o->waiting[o->given->module[at - 1]] > 0) {
            return o->given->module[at - 1];
        }
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

int execution_order(const problem *p, const order_lists *given, inlay_id *order, inlay_diag *diag)
{
    ordering o = {.p = p, .given = given};
    o.waiting = memory_array((size_t)p->modules, sizeof *o.waiting);
    o.ready = memory_array((size_t)p->modules, sizeof *o.ready);
    bool fine = o.waiting != NULL && o.ready != NULL;
    if (fine && given != NULL && given->begin != NULL && p->options.order == INLAY_ORDER_GIVEN) {
        fine = chain(&o) == INLAY_OK;
    }
    int status = fine ? INLAY_OK : diag_no_memory(diag);
    if (fine) {
        begin(&o);
        status = run(&o, order) == p->modules ? INLAY_OK : refuse_cycle(&o, diag);
    }
    free(o.entry_begin);
    free(o.entry);
    free(o.first);
    free(o.waiting);
    free(o.ready);
    return status;
}
