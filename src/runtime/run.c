/* The loop over all events of a run under a run-time scheduler. */
#include "runtime/run.h"
#include "base/diag.h"
#include "runtime/fetch.h"
#include "runtime/nodes.h"
#include "runtime/schedulers.h"
#include <stdlib.h>
#include <string.h>

/* ---- Cores ---- */

static void enter(runtime_run *r, inlay_id core, core_phase phase, double now)
{
    runtime_core *c = &r->core[core];
    r->idle += (phase == CORE_IDLE) - (c->phase == CORE_IDLE);
    c->phase = phase;
    c->since = now;
}

/* Processors that follow `core` and run its module, too. */
static inlay_id held_by(const runtime_run *r, inlay_id core)
{
    const int32_t *cores = r->plan->app->cores;
    return cores == NULL ? 1 : cores[r->core[core].module];
}

/* The idle cores of a board from `core` on, of which a module of several takes so many. */
static inlay_id next_idle(const runtime_run *r, inlay_id core)
{
    inlay_id board = r->plan->processor[core].board;
    for (core++; core < r->plan->cores && r->plan->processor[core].board == board; core++) {
        if (r->core[core].phase == CORE_IDLE) {
            return core;
        }
    }
    return -1;
}

/* Where memory has a bandwidth: when what runs on a core should end. */
static void end_moves(void *context, inlay_id core)
{
    runtime_run *r = context;
    calendar_set(&r->calendar, core, bandwidth_time(r->memory, core, r->core[core].until));
}

static void compute(runtime_run *r, inlay_id core, double now)
{
    runtime_core *c = &r->core[core];
    if (r->memory != NULL && c->there > now) {
        c->fetching += now - c->since;
        enter(r, core, CORE_COMES, now);
        calendar_set(&r->calendar, core, c->there);
        return;
    }
    double start = c->there > now ? c->there : now;
    double m = runtime_time(r->plan, c->module, core) * (r->factor == NULL ? 1 : r->factor[c->module]);
    c->fetching += start - c->since;
    enter(r, core, CORE_RUNS, start);
    c->until = start + m;
    if (r->memory != NULL) {
        const inlay_app *app = r->plan->app;
        bandwidth_join(r->memory, core, (double)inlay_app_traffic_memory(app, c->module), m, held_by(r, core), start);
        end_moves(r, core);
    } else {
        calendar_set(&r->calendar, core, c->until);
    }
    if (r->record.start != NULL) {
        r->record.start[c->module] = start;
    }
}

/* On a node with accelerators: where there is no room, it waits until others end. */
static void acquire(runtime_run *r, inlay_id core, double now)
{
    calendar_set(&r->calendar, core, INFINITY);
    if (nodes_acquire(r, core, now, &r->core[core].there)) {
        compute(r, core, now);
    }
}

static void fetch(runtime_run *r, inlay_id core, double now)
{
    runtime_core *c = &r->core[core];
    enter(r, core, CORE_FETCHES, now);
    if (r->nodes != NULL) {
        acquire(r, core, now);
        return;
    }
    c->there = now;
    c->input = r->plan->input_begin[c->module];
    if (!fetch_next(r, core, now)) {
        compute(r, core, now);
    }
}

static void take(runtime_run *r, inlay_id core, inlay_id module, double now)
{
    runtime_core *c = &r->core[core];
    r->scheduler->take(r, core, module, now);
    r->place[module] = core;
    c->module = module;
    c->modules++;
    if (r->record.taken != NULL) {
        r->record.taken[module] = now;
    }
    enter(r, core, CORE_PREPARES, now);
    inlay_id other = core;
    for (inlay_id k = 1; k < held_by(r, core); k++) {
        other = next_idle(r, other);
        r->core[other].module = module;
        enter(r, other, CORE_HELD, now);
    }
    if (r->plan->overhead > 0) {
        calendar_set(&r->calendar, core, now + r->plan->overhead);
    } else {
        fetch(r, core, now);
    }
}

/* ---- Modules end ---- */

static void satisfy(runtime_run *r, inlay_id module, inlay_id core, double now)
{
    r->place[module] = core;
    if (--r->pending[module] == 0) {
        r->fresh[r->freshes++] = module;
        if (r->record.ready != NULL) {
            r->record.ready[module] = now;
        }
    }
}

static void free_held(runtime_run *r, inlay_id core, double now)
{
    inlay_id board = r->plan->processor[core].board, module = r->core[core].module;
    for (inlay_id k = core + 1; k < r->plan->cores && r->plan->processor[k].board == board; k++) {
        runtime_core *c = &r->core[k];
        if (c->phase == CORE_HELD && c->module == module) {
            c->busy += now - r->core[core].since;
            c->overhead += r->core[core].since - c->since; /* it waited with the other, whatever for */
            enter(r, k, CORE_IDLE, now);
        }
    }
}

static void end_module(runtime_run *r, inlay_id core, double now)
{
    const inlay_app *app = r->plan->app;
    runtime_core *c = &r->core[core];
    if (held_by(r, core) > 1) {
        free_held(r, core, now);
    }
    if (r->memory != NULL) {
        bandwidth_leave(r->memory, core, now);
    }
    if (r->record.end != NULL) {
        r->record.end[c->module] = now;
    }
    c->busy += now - c->since;
    enter(r, core, CORE_IDLE, now);
    calendar_set(&r->calendar, core, INFINITY);
    if (r->nodes != NULL) {
        nodes_release(r, core, now);
    }
    r->ended++;
    r->last = now;
    for (int64_t l = app->out_begin[c->module]; l < app->out_begin[c->module + 1]; l++) {
        if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            satisfy(r, app->out_to[l], core, now);
        }
    }
}

static void core_event(runtime_run *r, inlay_id core, double now)
{
    switch (r->core[core].phase) {
    case CORE_PREPARES:
        r->core[core].overhead += now - r->core[core].since;
        fetch(r, core, now);
        break;
    case CORE_FETCHES:
        if (!fetch_came(r, core, now)) {
            compute(r, core, now);
        }
        break;
    case CORE_COMES: compute(r, core, now); break;
    case CORE_RUNS: end_module(r, core, now); break;
    case CORE_IDLE:
    case CORE_HELD: break;
    }
}

/* ---- Idle cores take ---- */

/* The lowest core that is idle, with so many more on its board; -1 where there is none. */
static inlay_id find_place(const runtime_run *r, inlay_id cores)
{
    for (inlay_id k = 0; r->idle >= cores && k < r->plan->cores; k++) {
        inlay_id found = 1;
        for (inlay_id on = k; r->core[k].phase == CORE_IDLE && found < cores && (on = next_idle(r, on)) >= 0;) {
            found++;
        }
        if (r->core[k].phase == CORE_IDLE && found == cores) {
            return k;
        }
    }
    return -1;
}

static void take_from_one(runtime_run *r, double now)
{
    const scheduler *s = r->scheduler;
    for (inlay_id module; r->idle > 0 && (module = s->next(r, 0)) >= 0;) {
        inlay_id core = find_place(r, inlay_app_cores(r->plan->app, module));
        if (core < 0) {
            return;
        }
        take(r, core, module, now);
    }
}

static void take_each(runtime_run *r, double now)
{
    const scheduler *s = r->scheduler;
    for (inlay_id k = 0; r->idle > 0 && r->waiting > 0 && k < r->plan->cores; k++) {
        inlay_id module = r->core[k].phase == CORE_IDLE ? s->next(r, k) : -1;
        if (module >= 0) {
            take(r, k, module, now);
        }
    }
}

static int compare_ids(const void *a, const void *b)
{
    inlay_id x = *(const inlay_id *)a, y = *(const inlay_id *)b;
    return (x > y) - (x < y);
}

/* What has become ready waits, and idle cores take. */
static void dispatch(runtime_run *r, double now)
{
    const scheduler *s = r->scheduler;
    if (r->freshes > 1) {
        qsort(r->fresh, (size_t)r->freshes, sizeof *r->fresh, compare_ids);
    }
    for (inlay_id i = 0; i < r->freshes; i++) {
        s->ready(r, r->fresh[i], r->place[r->fresh[i]], now);
    }
    r->freshes = 0;
    for (inlay_id k = 0; r->nodes != NULL && k < r->plan->cores; k++) {
        if (r->core[k].phase == CORE_FETCHES) {
            acquire(r, k, now);
        }
    }
    if (s->common) {
        take_from_one(r, now);
    } else {
        take_each(r, now);
    }
    if (r->nodes != NULL && r->plan->options.prefetch > 0) {
        nodes_prefetch(r, now);
    }
}

/* ---- The whole ---- */

static double network_time(const runtime_run *r)
{
    return r->plan->fabric.kind == FABRIC_NONE    ? INFINITY
           : r->plan->fabric.kind == FABRIC_LINKS ? links_time(&r->fabric.links)
                                                  : calendar_first(&r->fabric.calendar).time;
}

static void network_event(runtime_run *r, double now)
{
    if (r->plan->fabric.kind == FABRIC_LINKS) {
        fetch_over_links(r);
        return;
    }
    inlay_id core = fabric_event(&r->fabric, calendar_first(&r->fabric.calendar).slot, now);
    if (core >= 0 && !fetch_came(r, core, now)) {
        compute(r, core, now);
    }
}

static void run_events(runtime_run *r)
{
    double now = 0;
    for (inlay_id idle = -1; !r->no_memory;) {
        calendar_node first = calendar_first(&r->calendar);
        double network = network_time(r), next = first.time <= network ? first.time : network;
        if (next > now && (r->freshes > 0 || r->idle != idle)) {
            dispatch(r, now);
            idle = r->idle;
            continue;
        }
        if (isinf(next)) {
            return;
        }
        now = next;
        if (first.time <= network) {
            core_event(r, first.slot, now);
        } else {
            network_event(r, now);
        }
    }
}

static void reset(runtime_run *r, int64_t replication)
{
    const runtime_plan *p = r->plan;
    random_seed(&r->random, p->options.seed, replication);
    if (r->factor != NULL) {
        module_times_draw(&p->times, &r->random, r->factor);
    }
    calendar_empty(&r->calendar);
    if (p->fabric.kind != FABRIC_NONE) {
        fabric_reset(&r->fabric);
    }
    for (inlay_id k = 0; k < p->cores; k++) {
        r->core[k] = (runtime_core){.queue = {-1, -1, 0}};
    }
    if (r->memory != NULL) {
        for (inlay_id k = 0; k < p->cores; k++) {
            r->memory->user[k].board = inlay_machine_board(p->machine, k);
        }
        bandwidth_reset(r->memory);
    }
    if (r->nodes != NULL) {
        nodes_reset(r);
    }
    r->idle = p->cores;
    r->queue = (task_queue){-1, -1, 0};
    r->waiting = 0;
    r->freshes = 0;
    r->ended = 0;
    r->last = 0;
    if (r->had != NULL) {
        memset(r->had, 0, (size_t)p->app->data * (size_t)p->hosts);
    }
    for (inlay_id i = 0; i < p->app->modules; i++) {
        r->place[i] = 0;
        r->pending[i] = (inlay_id)(p->app->in_begin[i + 1] - p->app->in_begin[i]);
        if (r->pending[i] == 0) {
            r->fresh[r->freshes++] = i;
            if (r->record.ready != NULL) {
                r->record.ready[i] = 0;
            }
        }
    }
}

static int replication_under(runtime_run *r, int64_t replication, const runtime_record *record)
{
    static const runtime_record none = {0};
    r->record = record == NULL ? none : *record;
    reset(r, replication);
    run_events(r);
    if (r->no_memory) {
        return INLAY_NO_MEMORY;
    }
    return r->ended == r->plan->app->modules && isfinite(r->last) ? INLAY_OK : INLAY_OVERFLOW;
}

int runtime_replication(runtime_run *r, int64_t replication, const runtime_record *record)
{
    r->scheduler = r->plan->scheduler;
    return r->scheduler->tries_all ? nodes_best(r, replication, record, replication_under)
                                   : replication_under(r, replication, record);
}

/* ---- Making ---- */

int runtime_run_make(const runtime_plan *p, runtime_run *r, inlay_diag *diag)
{
    size_t n = (size_t)p->app->modules, data = p->input == NULL ? 0 : (size_t)p->app->data;
    *r = (runtime_run){.plan = p};
    r->core = pool_array(&r->pool, (size_t)p->cores, sizeof *r->core);
    r->pending = pool_array(&r->pool, n, sizeof *r->pending);
    r->place = pool_array(&r->pool, n, sizeof *r->place);
    r->behind = pool_array(&r->pool, n, sizeof *r->behind);
    r->before = pool_array(&r->pool, n, sizeof *r->before);
    r->fresh = pool_array(&r->pool, n, sizeof *r->fresh);
    r->heap = pool_array(&r->pool, n, sizeof *r->heap);
    r->expected = pool_array(&r->pool, n, sizeof *r->expected);
    r->had = data == 0 ? NULL : pool_array(&r->pool, data, (size_t)p->hosts);
    r->factor = module_times_random(&p->times) ? pool_array(&r->pool, n, sizeof *r->factor) : NULL;
    r->until = pool_array(&r->pool, p->links == NULL ? 0 : (size_t)p->links->longest, sizeof *r->until);
    bool made = !r->pool.failed && calendar_make(&r->calendar, p->cores) && random_make(&r->random);
    if (made && p->fabric.kind != FABRIC_NONE) {
        made = fabric_make(&p->fabric, &r->fabric) == INLAY_OK;
    }
    made = made && (p->nodes == NULL || nodes_run_make(r));
    if (made && p->bandwidth > 0) {
        r->memory = pool_array(&r->pool, 1, sizeof *r->memory);
        made = r->memory != NULL && bandwidth_make(p->cores, inlay_machine_processors(p->machine), p->bandwidth,
                                                   p->core_bandwidth, r->memory);
    }
    if (made && r->memory != NULL) {
        r->memory->changed = end_moves;
        r->memory->context = r;
    }
    if (!made) {
        runtime_run_clear(r);
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

void runtime_run_clear(runtime_run *r)
{
    calendar_clear(&r->calendar);
    if (r->fabric.plan != NULL) {
        fabric_clear(&r->fabric);
    }
    if (r->memory != NULL) {
        bandwidth_clear(r->memory);
    }
    random_clear(&r->random);
    pool_clear(&r->pool);
    *r = (runtime_run){0};
}
