/* The order of execution, with a heap of the modules that are ready. */
#include "problem/order.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "graph/app.h"
#include <stdlib.h>

typedef struct ready {
    const timing *t;
    inlay_id *items;
    inlay_id count;
} ready;

static bool earlier(const void *context, const void *left, const void *right)
{
    const timing *t = context;
    inlay_id i = *(const inlay_id *)left, j = *(const inlay_id *)right;
    if (t->b[i] != t->b[j]) {
        return t->b[i] < t->b[j];
    }
    return t->bottom[i] != t->bottom[j] ? t->bottom[i] > t->bottom[j] : i < j;
}

static void put(ready *r, inlay_id module)
{
    r->items[r->count] = module;
    heap_put((heap){r->items, sizeof *r->items, earlier, r->t}, (size_t)r->count++);
}

static inlay_id take(ready *r)
{
    inlay_id top = r->items[0];
    heap_drop((heap){r->items, sizeof *r->items, earlier, r->t}, (size_t)--r->count);
    return top;
}

int execution_order(const problem *p, inlay_id *order, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    int64_t *waiting = memory_array((size_t)p->modules, sizeof *waiting);
    ready r = {.t = &p->timing, .items = memory_array((size_t)p->modules, sizeof *r.items)};
    if (waiting == NULL || r.items == NULL) {
        free(waiting);
        free(r.items);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        waiting[i] = app->in_begin[i + 1] - app->in_begin[i];
        if (waiting[i] == 0) {
            put(&r, i);
        }
    }
    for (inlay_id k = 0; r.count > 0; k++) {
        inlay_id i = order[k] = take(&r);
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) && --waiting[app->out_to[l]] == 0) {
                put(&r, app->out_to[l]);
            }
        }
    }
    free(waiting);
    free(r.items);
    return INLAY_OK;
}
