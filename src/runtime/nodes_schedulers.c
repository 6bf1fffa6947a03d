/* Run-time schedulers on nodes with accelerators: a worker takes only what its processor and its memory can hold. */
#include "base/heap.h"
#include "runtime/nodes.h"
#include "runtime/schedulers.h"
#include <string.h>

static inlay_id node_of(const runtime_run *r, inlay_id core)
{
    return r->plan->processor[core].host;
}

static bool may_run(const runtime_run *r, inlay_id module, inlay_id core)
{
    return (r->nodes->plan->may[module] >> node_of(r, core) & 1) != 0;
}

/* How many modules of a set a core has in its queue. */
static inlay_id *standing(const runtime_run *r, inlay_id core, int32_t set)
{
    return &r->nodes->stands[(size_t)core * (size_t)r->nodes->plan->sets + (size_t)set];
}

static void put(runtime_run *r, inlay_id module, inlay_id core)
{
    ++*standing(r, core, r->nodes->plan->set_of[module]);
    r->nodes->queued_at[module] = core;
    r->nodes->stale[core] = true;
    queue_put_last(r, &r->core[core].queue, module);
}

static void take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    inlay_id at = r->nodes->queued_at[module];
    (void)now;
    r->nodes->stale[at] = r->nodes->stale[core] = true;
    --*standing(r, at, r->nodes->plan->set_of[module]);
    queue_leave(r, &r->core[at].queue, module);
}

/* ---- One queue for all: as many heaps as there are sets of nodes on which modules can run ---- */

static bool before_by_key(const void *context, const void *a, const void *b)
{
    const double *key = context;
    inlay_id x = *(const inlay_id *)a, y = *(const inlay_id *)b;
    return key[x] > key[y] || (key[x] >= key[y] && x < y);
}

static heap heap_of(const runtime_run *r, int32_t set)
{
    const node_run *n = r->nodes;
    return (heap){n->heap + n->plan->set_begin[set], sizeof *n->heap, before_by_key, n->key};
}

static void wait_with(runtime_run *r, inlay_id module, double key)
{
    node_run *n = r->nodes;
    int32_t set = n->plan->set_of[module];
    inlay_id at = n->waits[set]++;
    n->key[module] = key;
    n->heap[n->plan->set_begin[set] + at] = module;
    heap_put(heap_of(r, set), (size_t)at);
    r->waiting++;
}

static void fifo_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    (void)now;
    wait_with(r, module, -r->nodes->sequence++);
}

static void lifo_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    (void)now;
    wait_with(r, module, r->nodes->sequence++);
}

static void priority_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    (void)now;
    wait_with(r, module, r->nodes->plan->level[module]);
}

static inlay_id common_next(runtime_run *r, inlay_id core)
{
    const node_run *n = r->nodes;
    inlay_id best = -1;
    for (int32_t s = 0; s < n->plan->sets; s++) {
        const inlay_id *first = n->heap + n->plan->set_begin[s];
        bool can = n->waits[s] > 0 && (n->plan->set[s] >> node_of(r, core) & 1) != 0;
        best = can && (best < 0 || before_by_key(n->key, first, &best)) ? *first : best;
    }
    return best;
}

static void common_take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    int32_t set = r->nodes->plan->set_of[module];
    (void)core;
    (void)now;
    heap_drop(heap_of(r, set), (size_t)--r->nodes->waits[set]);
    r->waiting--;
}

/* ---- A queue a core, and idle ones steal ---- */

static void stealing_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)now;
    inlay_id first = 0;
    while (!may_run(r, module, first)) {
        first++;
    }
    put(r, module, may_run(r, module, core) ? core : first);
}

/* The oldest that a core could steal from a queue; -1: none. */
static inlay_id prey(const runtime_run *r, inlay_id core, inlay_id from)
{
    const node_plan *p = r->nodes->plan;
    inlay_id module = r->core[from].queue.first;
    bool any = false;
    for (int32_t s = 0; !any && s < p->sets; s++) {
        any = *standing(r, from, s) > 0 && (p->set[s] >> node_of(r, core) & 1) != 0;
    }
    module = any ? module : -1;
    while (module >= 0 && !may_run(r, module, core)) {
        module = r->behind[module];
    }
    return module;
}

static inlay_id stealing_next(runtime_run *r, inlay_id core)
{
    inlay_id others = 0;
    if (r->core[core].queue.count > 0 || r->waiting == 0) {
        return r->core[core].queue.last;
    }
    for (inlay_id k = 0; k < r->plan->cores; k++) {
        others += prey(r, core, k) >= 0;
    }
    inlay_id victim = others > 0 ? random_id(&r->random, STREAM_VICTIMS, others) : -1, found = -1;
    for (inlay_id k = 0; victim >= 0; k++) {
        found = prey(r, core, k);
        victim -= found >= 0;
    }
    return found;
}

/* ---- To whom should end it first ---- */

static void dmda_choose(runtime_run *r, inlay_id module, double now, inlay_id *chosen)
{
    const runtime_plan *p = r->plan;
    double best_end = INFINITY, best_length = 0, fetch = 0;
    inlay_id node = -1;
    for (inlay_id k = 0; k < p->cores; k++) {
        if (!may_run(r, module, k)) {
            continue;
        }
        if (node_of(r, k) != node) {
            node = node_of(r, k);
            fetch = nodes_expected(r, module, node, now);
        }
        double free = expected_free(&r->core[k], now), time = p->overhead + runtime_time(p, module, k);
        double hidden = p->options.prefetch > 0 ? fmin(fetch, free - now) : 0;
        if (free + fetch + time < best_end) {
            best_end = free + fetch + time;
            best_length = time + (fetch - hidden);
            *chosen = k;
        }
    }
    r->core[*chosen].queued += best_length;
    r->expected[module] = best_length;
}

static void dmda_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    dmda_choose(r, module, now, &core);
    put(r, module, core);
}

static void dmda_take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    runtime_core *c = &r->core[core];
    take(r, core, module, now);
    c->queued = c->queue.count == 0 ? 0 : c->queued - r->expected[module];
    c->expected = now + r->expected[module];
}

static inlay_id queue_next(runtime_run *r, inlay_id core)
{
    return r->core[core].queue.first;
}

/* ---- Queues by the longest way to the end ---- */

static void put_by_level(runtime_run *r, inlay_id module, inlay_id core)
{
    task_queue *q = &r->core[core].queue;
    inlay_id before = q->last;
    while (before >= 0 && before_by_key(r->nodes->plan->level, &module, &before)) {
        before = r->before[before];
    }
    put(r, module, core);
    if (before == r->before[module]) {
        return;
    }
    inlay_id behind = before < 0 ? q->first : r->behind[before];
    q->last = r->before[module];
    r->behind[q->last] = -1;
    r->before[module] = before;
    r->behind[module] = behind;
    r->before[behind] = module;
    *(before < 0 ? &q->first : &r->behind[before]) = module;
}

static void dmdas_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    dmda_choose(r, module, now, &core);
    put_by_level(r, module, core);
}

/* Of those as urgent as the first, the one that lacks least. */
static inlay_id dmdas_next(runtime_run *r, inlay_id core)
{
    const double *level = r->nodes->plan->level;
    inlay_id first = r->core[core].queue.first, best = first;
    int64_t least = INT64_MAX;
    for (inlay_id i = first; i >= 0 && least > 0 && level[i] >= level[first]; i = r->behind[i]) {
        int64_t lacks = nodes_missing(r, i, node_of(r, core));
        best = lacks < least ? i : best;
        least = lacks < least ? lacks : least;
    }
    return best;
}

static void planned_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    (void)now;
    put_by_level(r, module, r->nodes->plan->planned[module]);
}

/* ---- The table: in the order in which the best is looked for ---- */

static const scheduler table[] = {
    {.of.name = "stealing", .ready = stealing_ready, .next = stealing_next, .take = take, .last_first = true},
    {.of.name = "fifo", .ready = fifo_ready, .next = common_next, .take = common_take},
    {.of.name = "lifo", .ready = lifo_ready, .next = common_next, .take = common_take},
    {.of.name = "priority", .ready = priority_ready, .next = common_next, .take = common_take},
    {.of.name = "dmda", .ready = dmda_ready, .next = queue_next, .take = dmda_take},
    {.of.name = "dmdas", .ready = dmdas_ready, .next = dmdas_next, .take = dmda_take},
    {.of.name = "planned", .ready = planned_ready, .next = queue_next, .take = take},
    {.of.name = "best", .tries_all = true},
};

enum { SCHEDULERS = sizeof table / sizeof *table };

const scheduler *nodes_scheduler_named(const char *name)
{
    size_t i = 0;
    while (i < SCHEDULERS && strcmp(table[i].of.name, name) != 0) {
        i++;
    }
    return i < SCHEDULERS ? &table[i] : NULL;
}

int nodes_best(runtime_run *r, int64_t replication, const runtime_record *record,
               int (*run)(runtime_run *, int64_t, const runtime_record *))
{
    const scheduler *winner = table;
    double least = INFINITY;
    for (const scheduler *s = table; !s->tries_all; s++) {
        r->scheduler = s;
        int status = run(r, replication, NULL);
        if (status != INLAY_OK) {
            return status;
        }
        winner = r->last < least ? s : winner;
        least = fmin(least, r->last);
    }
    r->scheduler = winner;
    r->nodes->winner = winner->of.name;
    return run(r, replication, record);
}
