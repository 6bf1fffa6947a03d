/* What list schedulers share. */
#include "cluster/schedule.h"
#include "base/diag.h"
#include "base/heap.h"
#include "cluster/method.h"
#include "graph/app.h"
#include "problem/remedy.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- Memory and pins ---- */

static int64_t memory_of(const problem *p, inlay_id module)
{
    return p->memory == NULL ? 0 : p->memory[module];
}

static int64_t *room_at(const schedule *s, inlay_id processor)
{
    return &s->room[inlay_machine_host(s->p->machine, processor)];
}

static void find_room(schedule *s)
{
    for (inlay_id q = 0; q < s->p->processors; q++) {
        int64_t memory = kinds_of(&s->p->kinds, q)->memory;
        *room_at(s, q) = memory < 0 ? INT64_MAX : memory;
    }
    for (inlay_id i = 0; i < s->p->modules; i++) {
        inlay_id pin = inlay_app_pin(s->p->app, i);
        if (pin >= 0) {
            *room_at(s, pin) -= memory_of(s->p, i);
        }
    }
}

/* What is pinned has its room there from the beginning, if there is enough for all. */
static inline bool has_room(const schedule *s, inlay_id module, inlay_id processor)
{
    const problem *p = s->p;
    if (!problem_runs_on(p, module, processor) || (p->cores != NULL && !problem_has_seat(p, module, processor))) {
        return false;
    }
    return p->memory == NULL || *room_at(s, processor) >= (inlay_app_pin(p->app, module) < 0 ? p->memory[module] : 0);
}

bool schedule_may(const schedule *s, inlay_id module, inlay_id processor)
{
    schedule_range range = schedule_range_of(s, module);
    return processor >= range.first && processor < range.end && has_room(s, module, processor);
}

schedule_range schedule_range_of(const schedule *s, inlay_id module)
{
    inlay_id pin = inlay_app_pin(s->p->app, module);
    return pin < 0 ? (schedule_range){0, s->p->processors - problem_cores(s->p, module) + 1}
                   : (schedule_range){pin, pin + 1};
}

int schedule_refuse(const schedule *s, inlay_id module, inlay_diag *diag)
{
    const problem *p = s->p;
    inlay_id pin = inlay_app_pin(p->app, module);
    int64_t all = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        all += memory_of(p, i);
    }
    remedy_machine(p->machine, diag, "processor_memory", all);
    return pin >= 0 ? diag_fail(diag, INLAY_NO_ANSWER,
                                "what is pinned to processor %d, or to others of its host, needs %" PRId64
                                " bytes of memory more than are there",
                                pin, -*room_at(s, pin))
                    : diag_fail(diag, INLAY_NO_ANSWER,
                                "module '%s' needs %" PRId64 " bytes of memory, and where method %s has put the "
                                "others no processor that it may run on has as many left",
                                inlay_app_module_name(p->app, module), memory_of(p, module),
                                method_of(&p->options)->is.name);
}

/* ---- Making ---- */

int schedule_make(const problem *p, bool inserts, inlay_id *processor_of, schedule *result, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    schedule s = {.p = p, .network = idle_network_of(p), .inserts = inserts, .processor_of = processor_of};
    s.start = pool_array(&s.pool, n, sizeof *s.start);
    s.taken = pool_array(&s.pool, n, sizeof *s.taken);
    s.waiting = pool_array(&s.pool, n, sizeof *s.waiting);
    s.ready = pool_array(&s.pool, n, sizeof *s.ready);
    if (s.network.near) {
        s.data = pool_array(&s.pool, n, sizeof *s.data);
    } else {
        s.arrival = pool_zeroed(&s.pool, n, sizeof *s.arrival);
    }
    s.held = pool_zeroed(&s.pool, (size_t)p->processors, sizeof *s.held);
    s.room = pool_array(&s.pool, (size_t)inlay_machine_hosts(p->machine), sizeof *s.room);
    if (s.pool.failed || !timeline_make(&s.line, p->processors)) {
        pool_clear(&s.pool);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        processor_of[i] = -1;
        s.waiting[i] = (inlay_id)(p->app->in_begin[i + 1] - p->app->in_begin[i]);
        if (s.waiting[i] == 0) {
            s.ready[s.ready_count++] = i;
        }
        if (s.data != NULL) {
            s.data[i] = (schedule_data){0, 0, 0, -1};
        }
    }
    find_room(&s);
    *result = s;
    return INLAY_OK;
}

static void clear(schedule *s)
{
    for (inlay_id i = 0; s->arrival != NULL && i < s->p->modules; i++) {
        free(s->arrival[i]);
    }
    timeline_clear(&s->line);
    pool_clear(&s->pool);
}

/* ---- Where a module fits ---- */

double schedule_slot_on_all(const schedule *s, inlay_id module, inlay_id processor, double ready, double time)
{
    double before;
    do {
        before = ready;
        for (inlay_id core = 0; core < problem_cores(s->p, module); core++) {
            ready = schedule_slot_on_one(s, processor + core, ready, time);
        }
    } while (ready > before);
    return ready;
}

inlay_id schedule_earliest_finish(const schedule *s, inlay_id module, double *finish)
{
    const processor_kind *kind = NULL;
    schedule_range range = schedule_range_of(s, module);
    inlay_id best = -1;
    double time = 0, least = 0;
    for (inlay_id q = range.first; q < range.end; q++) {
        if (kind != kinds_of(&s->p->kinds, q)) { /* most stand beside their like */
            kind = kinds_of(&s->p->kinds, q);
            time = idle_time_on_kind(&s->network, kind, module);
        }
        double ready = schedule_ready(s, module, q);
        if ((best >= 0 && ready + time >= least) || !has_room(s, module, q)) {
            continue;
        }
        double end = schedule_slot(s, module, q, ready, time) + time;
        if (best < 0 || end < least) {
            best = q;
            least = end;
        }
    }
    if (finish != NULL) {
        *finish = least;
    }
    return best;
}

inlay_id schedule_earliest_start(const schedule *s, inlay_id module, double *start)
{
    schedule_range range = schedule_range_of(s, module);
    inlay_id best = -1;
    double least = 0, least_end = 0;
    for (inlay_id q = range.first; q < range.end; q++) {
        double ready = schedule_ready(s, module, q), time = idle_time(&s->network, module, q);
        if ((best >= 0 && (ready > least || (ready >= least && ready + time >= least_end))) ||
            !has_room(s, module, q)) {
            continue;
        }
        double begin = schedule_slot(s, module, q, ready, time);
        if (best < 0 || begin < least || (begin <= least && begin + time < least_end)) {
            best = q;
            least = begin;
            least_end = begin + time;
        }
    }
    *start = least;
    return best;
}

/* ---- A module gets its processor ---- */

/* The data of a link can be at each processor; false when out of memory. */
static bool send(schedule *s, inlay_id from, int64_t link)
{
    const problem *p = s->p;
    inlay_id to = p->app->out_to[link], here = s->processor_of[from];
    idle_cost cost = idle_cost_of(&s->network, link);
    double satisfied = s->start[from] + idle_lag_on_kind(&s->network, kinds_of(&p->kinds, here), from, to);
    if (s->arrival == NULL) {
        schedule_note(&s->data[to], here, satisfied, satisfied + cost.far + cost.each);
        return true;
    }
    if (s->arrival[to] == NULL) {
        s->arrival[to] = memory_zeroed((size_t)p->processors, sizeof *s->arrival[to]);
    }
    double *arrival = s->arrival[to];
    for (inlay_id q = 0; arrival != NULL && q < p->processors; q++) {
        double there = satisfied + idle_message(&s->network, cost, here, q);
        arrival[q] = there > arrival[q] ? there : arrival[q];
    }
    return arrival != NULL;
}

/* Whose data have all been sent becomes ready: behind the others, not in its place among them. */
int schedule_put(schedule *s, inlay_id module, inlay_id processor, inlay_diag *diag)
{
    const inlay_app *app = s->p->app;
    double time = idle_time(&s->network, module, processor);
    double data = s->messages != NULL ? booking_ready(s->messages, module, processor, true)
                                      : schedule_ready(s, module, processor);
    double start = schedule_slot(s, module, processor, data, time);
    bool fine = s->messages == NULL || !s->messages->no_memory;
    for (inlay_id core = 0; core < problem_cores(s->p, module); core++) {
        fine = timeline_book(&s->line, processor + core, start, time) && fine;
        s->held[processor + core]++;
    }
    s->processor_of[module] = processor;
    s->start[module] = start;
    s->taken[s->taken_count++] = module;
    *room_at(s, processor) -= inlay_app_pin(app, module) < 0 ? memory_of(s->p, module) : 0;
    if (s->arrival != NULL) {
        free(s->arrival[module]);
        s->arrival[module] = NULL;
    }
    for (int64_t l = app->out_begin[module]; fine && l < app->out_begin[module + 1]; l++) {
        if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            fine = s->messages != NULL || send(s, module, l);
            s->ready[s->ready_count] = app->out_to[l];
            s->ready_count += --s->waiting[app->out_to[l]] == 0;
        }
    }
    return fine ? INLAY_OK : diag_no_memory(diag);
}

/* ---- By priority ---- */

static bool goes_first(const void *context, const void *a, const void *b)
{
    const double *priority = context;
    inlay_id i = *(const inlay_id *)a, j = *(const inlay_id *)b;
    return priority[i] > priority[j] || (!(priority[i] < priority[j]) && i < j);
}

int schedule_by_priority(schedule *s, const double *priority, schedule_choice *choose, const void *own,
                         inlay_diag *diag)
{
    heap ready = {s->ready, sizeof *s->ready, goes_first, priority};
    int status = INLAY_OK;
    heap_order(ready, (size_t)s->ready_count);
    while (status == INLAY_OK && s->ready_count > 0) {
        inlay_id first = s->ready[0], left = s->ready_count - 1;
        inlay_id processor = choose(s, first, own);
        heap_drop(ready, (size_t)left);
        s->ready_count = left;
        status = processor < 0 ? schedule_refuse(s, first, diag) : schedule_put(s, first, processor, diag);
        for (; status == INLAY_OK && left < s->ready_count; left++) {
            heap_put(ready, (size_t)left);
        }
    }
    return status;
}

/* ---- The order ---- */

typedef struct started {
    double start;
    inlay_id taken; /* place in which it got its processor */
} started;

static int compare_started(const void *a, const void *b)
{
    const started *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start ? 1 : (x->taken > y->taken) - (x->taken < y->taken);
}

static int find_order(const schedule *s, inlay_id *order, inlay_diag *diag)
{
    size_t n = (size_t)s->p->modules;
    started *all = memory_array(n, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t k = 0; k < n; k++) {
        all[k] = (started){s->start[s->taken[k]], (inlay_id)k};
    }
    qsort(all, n, sizeof *all, compare_started);
    for (size_t k = 0; k < n; k++) {
        order[k] = s->taken[all[k].taken];
    }
    free(all);
    return INLAY_OK;
}

int schedule_finish(schedule *s, int status, inlay_id *order, inlay_diag *diag)
{
    status = status == INLAY_OK ? find_order(s, order, diag) : status;
    clear(s);
    return status;
}
