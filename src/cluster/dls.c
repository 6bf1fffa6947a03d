/*
 * Dynamic level scheduling: G. C. Sih and E. A. Lee, "A compile-time scheduling heuristic for
 * interconnection-constrained heterogeneous processor architectures", IEEE Transactions on Parallel and Distributed
 * Systems 4(2), 1993. Of all modules that are ready and all processors, the pair with the greatest dynamic level is
 * taken, again and again:
 *
 *   DL(i, p) = SL(i) - max(when i's data can be at p, when p is free) + delta(i, p)
 *
 * SL(i), the static level, is the longest path of median times from i to an exit, messages left out; delta the median
 * time of i less its time on p. Messages take what they take on an idle network. Of equal levels, the one of the smaller
 * module is taken, then that of the smaller processor. Processors run their modules in the order in which they got them.
 *
 * A level never rises: processors become busier and fuller. So a module's best level, found once, is a bound until it is
 * the greatest of all, and has to be found again only then, and only if its processor took a module since, or its host has no room now.
 */
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "graph/app.h"
#include "problem/remedy.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct schedule {
    const problem *p;
    double tau;       /* of one unit of traffic */
    memory_pool pool; /* of all arrays but those in `arrival` */

    /* Of modules. */
    double *median;       /* of its times on the processors */
    double *static_level; /* SL */
    double *level;        /* DL on its best processor, when that was found */
    inlay_id *best;       /* that processor */
    inlay_id *seen;       /* and how many modules it had then */
    inlay_id *waiting;    /* predecessors without a processor */
    double **arrival;     /* when its data can be at each processor; NULL: nothing was sent to it */
    inlay_id *ready;      /* a heap by level */
    inlay_id ready_count;

    /* Of processors. */
    double *free_at;
    inlay_id *held; /* modules */
    int64_t *room;  /* of hosts, whose processors share it: bytes left beside what is pinned there */
} schedule;

static void schedule_clear(schedule *s)
{
    for (inlay_id i = 0; s->arrival != NULL && i < s->p->modules; i++) {
        free(s->arrival[i]);
    }
    pool_clear(&s->pool);
}

static bool greater(const void *context, const void *a, const void *b)
{
    const double *level = context;
    inlay_id i = *(const inlay_id *)a, j = *(const inlay_id *)b;
    return level[i] > level[j] || (!(level[i] < level[j]) && i < j);
}

static heap ready_heap(schedule *s)
{
    return (heap){s->ready, sizeof *s->ready, greater, s->level};
}

/* ---- Static levels ---- */

static int compare_times(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Of an even number of processors, the mean of the two in the middle. */
static double median_time(const problem *p, inlay_id module, double *times)
{
    size_t n = (size_t)p->processors;
    if (p->kinds.count == 1) {
        return problem_time_on(p, module, 0);
    }
    for (size_t q = 0; q < n; q++) {
        times[q] = problem_time_on(p, module, (inlay_id)q);
    }
    qsort(times, n, sizeof *times, compare_times);
    return (times[(n - 1) / 2] + times[n / 2]) / 2;
}

static void find_static_levels(schedule *s)
{
    const inlay_app *app = s->p->app;
    for (inlay_id k = s->p->modules - 1; k >= 0; k--) {
        inlay_id i = app->topological[k];
        double behind = 0;
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            bool follows = !(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
            behind = follows ? fmax(behind, s->static_level[app->out_to[l]]) : behind;
        }
        s->median[i] = median_time(s->p, i, s->free_at); /* which is not in use as yet */
        s->static_level[i] = s->median[i] + behind;
    }
}

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
static bool has_room(const schedule *s, inlay_id module, inlay_id processor)
{
    const problem *p = s->p;
    return p->memory == NULL || *room_at(s, processor) >= (inlay_app_pin(p->app, module) < 0 ? p->memory[module] : 0);
}

static int refuse(const schedule *s, inlay_id module, inlay_diag *diag)
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
                                "module '%s' needs %" PRId64 " bytes of memory, and where method dls has put the "
                                "others no processor that it may run on has as many left",
                                inlay_app_module_name(p->app, module), memory_of(p, module));
}

/* ---- Dynamic levels ---- */

static double start_on(const schedule *s, inlay_id module, inlay_id processor)
{
    const double *arrival = s->arrival[module];
    return arrival == NULL ? s->free_at[processor] : fmax(arrival[processor], s->free_at[processor]);
}

/* The best level of a ready module. */
static int find_level(schedule *s, inlay_id module, inlay_diag *diag)
{
    const processor_kind *kind = NULL;
    double delta = 0;
    inlay_id best = -1, pin = inlay_app_pin(s->p->app, module);
    for (inlay_id q = pin < 0 ? 0 : pin; q < (pin < 0 ? s->p->processors : pin + 1); q++) {
        if (kind != kinds_of(&s->p->kinds, q)) { /* most stand beside their like */
            kind = kinds_of(&s->p->kinds, q);
            delta = s->median[module] - problem_time_on(s->p, module, q);
        }
        if (has_room(s, module, q)) {
            double level = s->static_level[module] - start_on(s, module, q) + delta;
            if (best < 0 || level > s->level[module]) {
                s->level[module] = level;
                best = q;
            }
        }
    }
    if (best < 0) {
        return refuse(s, module, diag);
    }
    s->best[module] = best;
    s->seen[module] = s->held[best];
    return INLAY_OK;
}

static int make_ready(schedule *s, inlay_id module, inlay_diag *diag)
{
    int status = find_level(s, module, diag);
    if (status == INLAY_OK) {
        s->ready[s->ready_count] = module;
        heap_put(ready_heap(s), (size_t)s->ready_count++);
    }
    return status;
}

/* Whether the level is what it was when it was found. */
static bool still_holds(const schedule *s, inlay_id module)
{
    inlay_id best = s->best[module];
    return s->seen[module] == s->held[best] && has_room(s, module, best);
}

/* The level of the first of the ready modules, which may not be the first with it. */
static int find_again(schedule *s, inlay_diag *diag)
{
    int status = find_level(s, s->ready[0], diag);
    heap_sink(ready_heap(s), (size_t)s->ready_count, 0);
    return status;
}

/* ---- A module gets its processor ---- */

/* The data of a link can be at each processor; false when out of memory. */
static bool send(schedule *s, inlay_id from, int64_t link, double start)
{
    const problem *p = s->p;
    inlay_id to = p->app->out_to[link], here = s->best[from];
    if (s->arrival[to] == NULL) {
        s->arrival[to] = memory_zeroed((size_t)p->processors, sizeof *s->arrival[to]);
    }
    if (s->arrival[to] == NULL) {
        return false;
    }
    double satisfied = start + problem_lag_on(p, from, to, here);
    double traffic = (double)problem_link_traffic(p, link) * s->tau;
    double latency = p->network.latency *
                     (double)interconnect_messages(&p->network, p->app->out_messages[link], p->app->out_bytes[link]);
    for (inlay_id q = 0; q < p->processors; q++) {
        double message = q == here ? 0 : traffic * interconnect_distance(&p->network, here, q) + latency;
        s->arrival[to][q] = fmax(s->arrival[to][q], satisfied + message);
    }
    return true;
}

/* The first of the ready modules. */
static int put(schedule *s, inlay_diag *diag)
{
    const inlay_app *app = s->p->app;
    inlay_id module = s->ready[0], here = s->best[module];
    heap_drop(ready_heap(s), (size_t)--s->ready_count);
    double start = start_on(s, module, here);
    s->free_at[here] = start + problem_time_on(s->p, module, here);
    *room_at(s, here) -= inlay_app_pin(app, module) < 0 ? memory_of(s->p, module) : 0;
    s->held[here]++;
    free(s->arrival[module]);
    s->arrival[module] = NULL;
    int status = INLAY_OK;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1] && status == INLAY_OK; l++) {
        inlay_id to = app->out_to[l];
        if (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
            continue;
        }
        status = send(s, module, l, start) ? INLAY_OK : diag_no_memory(diag);
        if (status == INLAY_OK && --s->waiting[to] == 0) {
            status = make_ready(s, to, diag);
        }
    }
    return status;
}

/* ---- The whole ---- */

static int schedule_make(const problem *p, schedule *result)
{
    size_t n = (size_t)p->modules, processors = (size_t)p->processors;
    network_point idle = {0};
    schedule s = {.p = p};
    s.tau = interconnect_at_utilisation(&p->network, 0, &idle) == INLAY_OK ? idle.tau : 0;
    s.median = pool_array(&s.pool, n, sizeof *s.median);
    s.static_level = pool_array(&s.pool, n, sizeof *s.static_level);
    s.level = pool_array(&s.pool, n, sizeof *s.level);
    s.best = pool_array(&s.pool, n, sizeof *s.best);
    s.seen = pool_array(&s.pool, n, sizeof *s.seen);
    s.waiting = pool_array(&s.pool, n, sizeof *s.waiting);
    s.arrival = pool_zeroed(&s.pool, n, sizeof *s.arrival);
    s.ready = pool_array(&s.pool, n, sizeof *s.ready);
    s.free_at = pool_array(&s.pool, processors, sizeof *s.free_at);
    s.held = pool_zeroed(&s.pool, processors, sizeof *s.held);
    s.room = pool_array(&s.pool, (size_t)inlay_machine_hosts(p->machine), sizeof *s.room);
    if (s.pool.failed) {
        schedule_clear(&s);
        return INLAY_NO_MEMORY;
    }
    find_static_levels(&s);
    find_room(&s);
    for (inlay_id q = 0; q < p->processors; q++) {
        s.free_at[q] = 0;
    }
    *result = s;
    return INLAY_OK;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    if (schedule_make(p, &s) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    int status = INLAY_OK;
    for (inlay_id i = 0; i < p->modules && status == INLAY_OK; i++) {
        s.waiting[i] = (inlay_id)(p->app->in_begin[i + 1] - p->app->in_begin[i]);
        status = s.waiting[i] == 0 ? make_ready(&s, i, diag) : INLAY_OK;
    }
    for (inlay_id taken = 0; status == INLAY_OK && s.ready_count > 0;) {
        inlay_id first = s.ready[0];
        if (still_holds(&s, first)) {
            processor_of[first] = s.best[first];
            order[taken++] = first;
            status = put(&s, diag);
        } else {
            status = find_again(&s, diag);
        }
    }
    schedule_clear(&s);
    return status;
}

const cluster_method dls_method = {
    .is = {.name = "dls",
           .description = "dynamic level scheduling: the ready module and the processor of the greatest level, again "
                          "and again",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .places = true},
    .place = place,
};
