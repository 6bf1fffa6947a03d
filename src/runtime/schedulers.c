/* Run-time schedulers: which of the modules that are ready a core takes. */
#include "runtime/schedulers.h"
#include "base/heap.h"
#include <string.h>

/* ---- Queues ---- */

void queue_put_last(runtime_run *r, task_queue *q, inlay_id module)
{
    r->before[module] = q->last;
    r->behind[module] = -1;
    *(q->last < 0 ? &q->first : &r->behind[q->last]) = module;
    q->last = module;
    q->count++;
    r->waiting++;
}

void queue_leave(runtime_run *r, task_queue *q, inlay_id module)
{
    inlay_id before = r->before[module], behind = r->behind[module];
    *(before < 0 ? &q->first : &r->behind[before]) = behind;
    *(behind < 0 ? &q->last : &r->before[behind]) = before;
    q->count--;
    r->waiting--;
}

/* ---- One queue for all ---- */

static void common_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    (void)now;
    queue_put_last(r, &r->queue, module);
}

static inlay_id fifo_next(runtime_run *r, inlay_id core)
{
    (void)core;
    return r->queue.first;
}

static inlay_id lifo_next(runtime_run *r, inlay_id core)
{
    (void)core;
    return r->queue.last;
}

static void common_take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    (void)core;
    (void)now;
    queue_leave(r, &r->queue, module);
}

/* ---- By bottom level ---- */

static bool before_by_level(const void *context, const void *a, const void *b)
{
    const inlay_time *bottom = context;
    inlay_id x = *(const inlay_id *)a, y = *(const inlay_id *)b;
    return bottom[x] != bottom[y] ? bottom[x] > bottom[y] : x < y;
}

static heap levels(const runtime_run *r)
{
    return (heap){r->heap, sizeof *r->heap, before_by_level, r->plan->timing.bottom};
}

static void priority_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    (void)now;
    r->heap[r->waiting] = module;
    heap_put(levels(r), r->waiting++);
}

static inlay_id priority_next(runtime_run *r, inlay_id core)
{
    (void)core;
    return r->waiting > 0 ? r->heap[0] : -1;
}

static void priority_take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    (void)core;
    (void)module;
    (void)now;
    heap_drop(levels(r), --r->waiting);
}

/* ---- A queue a core ---- */

static void stealing_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)now;
    queue_put_last(r, &r->core[core].queue, module);
}

/* The core's own last; or the first of another's, each that has one as likely. */
static inlay_id stealing_next(runtime_run *r, inlay_id core)
{
    if (r->core[core].queue.count > 0 || r->waiting == 0) {
        return r->core[core].queue.last;
    }
    inlay_id others = 0;
    for (inlay_id k = 0; k < r->plan->cores; k++) {
        others += r->core[k].queue.count > 0;
    }
    inlay_id victim = random_id(&r->random, STREAM_VICTIMS, others), k = 0;
    for (; r->core[k].queue.count == 0 || victim > 0; k++) {
        victim -= r->core[k].queue.count > 0;
    }
    return r->core[k].queue.first;
}

static void stealing_take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    (void)core;
    (void)now;
    queue_leave(r, &r->core[r->place[module]].queue, module); /* who ended the last before it has it in his */
}

/* ---- To whom should end it first ---- */

static double expected_length(runtime_run *r, inlay_id module, inlay_id core)
{
    return r->plan->overhead + runtime_expected_fetch(r, module, core) + runtime_time(r->plan, module, core);
}

static void dmda_ready(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    (void)core;
    inlay_id best = 0;
    double best_end = INFINITY, best_length = 0;
    for (inlay_id k = 0; k < r->plan->cores; k++) {
        double length = expected_length(r, module, k), end = expected_free(&r->core[k], now) + length;
        if (end < best_end) {
            best = k;
            best_end = end;
            best_length = length;
        }
    }
    r->core[best].queued += best_length;
    r->expected[module] = best_length;
    queue_put_last(r, &r->core[best].queue, module);
}

static inlay_id dmda_next(runtime_run *r, inlay_id core)
{
    return r->core[core].queue.first;
}

static void dmda_take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    runtime_core *c = &r->core[core];
    queue_leave(r, &c->queue, module);
    c->queued = c->queue.count == 0 ? 0 : c->queued - r->expected[module];
    c->expected = now + r->expected[module];
}

/* ---- The table ---- */

/* clang-format off */
static const scheduler table[] = {
    {.of = {"stealing", "a queue a core, last in first out; idle cores steal the oldest, as OpenMP's run-time does", false, false, false},
     .ready = stealing_ready, .next = stealing_next, .take = stealing_take},
    {.of = {"fifo", "one queue, in the order in which modules become ready", true, false, false},
     .ready = common_ready, .next = fifo_next, .take = common_take, .common = true},
    {.of = {"lifo", "one stack: what became ready last goes first", true, false, false},
     .ready = common_ready, .next = lifo_next, .take = common_take, .common = true},
    {.of = {"priority", "one queue, the longest way to the end first", true, false, false},
     .ready = priority_ready, .next = priority_next, .take = priority_take, .common = true},
    {.of = {"dmda", "each module to the core that should end it first, transfers counted, as StarPU's dmda", false, true, false},
     .ready = dmda_ready, .next = dmda_next, .take = dmda_take},
    {.of = {"dmdas", "dmda whose queues have the longest way to the end first, as StarPU's dmdas", false, true, true}},
    {.of = {"planned", "where a list schedule places each module, the longest way to the end first", false, true, true}},
    {.of = {"best", "whichever of the others ends first", false, true, true}},
};
/* clang-format on */

enum { SCHEDULERS = sizeof table / sizeof *table };

const scheduler *scheduler_named(const char *name)
{
    for (size_t i = 0; i < SCHEDULERS; i++) {
        if (strcmp(table[i].of.name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const inlay_scheduler *inlay_scheduler_at(size_t i)
{
    return i < SCHEDULERS ? &table[i].of : NULL;
}
