/*
 * The mapped run. A module that has its processor runs ahead of the clock of the whole until it asks for something that
 * is not known to be there by its own clock; then its processor decides, when the clock of the whole has come to that:
 * the module goes on where the thing has come by then, else the first one that can.
 */
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "graph/app.h"
#include "mapping/mapping.h"
#include "simulate/dataflow_network.h"
#include <stdlib.h>
#include <string.h>

/* A module by time or by rank: of equal times the least rank goes first. */
typedef struct waiting {
    double time; /* 0 where the rank alone counts */
    inlay_id rank, module;
} waiting;

typedef struct module_heap {
    waiting *entry;
    size_t count;
} module_heap;

typedef struct worker {
    inlay_id running;    /* module that has the processor, -1 none */
    module_heap ready;   /* modules that can go on, by rank */
    module_heap pending; /* those that can from a time that is known and was to come, by that */
} worker;

typedef struct mapped_run {
    memory_pool arrays; /**< owns them */
    engine engine;
    const inlay_mapping *mapping;
    inlay_id *cluster_of, *rank; /* of the program's modules */
    inlay_id *module_of;         /* the program's number of every module of the application */
    double *start;               /* of the program's modules */
    worker *worker;              /* of every cluster */
    inlay_id workers;
    calendar decide; /* when a processor decides next */
    double now;
    dataflow_network network;
} mapped_run;

struct inlay_program_run {
    inlay_program_summary summary;
    inlay_program_processor *processor; /* of every cluster */
    double *start, *end;                /* of the application's modules */
    char check[CHECK_TEXT];
};

void inlay_program_run_free(inlay_program_run *run)
{
    if (run != NULL) {
        free(run->processor);
        free(run->start);
        free(run->end);
        free(run);
    }
}

/* ---- Who goes on ---- */

static bool goes_first(const void *context, const void *left, const void *right)
{
    const waiting *a = left, *b = right;
    (void)context;
    return a->time < b->time || (a->time == b->time && a->rank < b->rank);
}

static void put_heap(const mapped_run *m, module_heap *to, double time, inlay_id module)
{
    to->entry[to->count] = (waiting){time, m->rank[module], module};
    heap_put((heap){to->entry, sizeof *to->entry, goes_first, NULL}, to->count++);
}

static inlay_id take_first(module_heap *from)
{
    inlay_id module = from->entry[0].module;
    heap_drop((heap){from->entry, sizeof *from->entry, goes_first, NULL}, --from->count);
    return module;
}

/* What a module without its processor waited for is there from then on: it need not be told again. */
static void set_pending(const mapped_run *m, inlay_actor *a, double time)
{
    a->awaited = NULL;
    put_heap(m, &m->worker[m->cluster_of[a->module]].pending, time, a->module);
}

/* One that has its processor still finds out by itself. */
static void wake(engine *e, inlay_actor *actor, double time)
{
    mapped_run *m = e->context;
    inlay_id cluster = m->cluster_of[actor->module];
    const worker *w = &m->worker[cluster];
    if (w->running == actor->module) {
        return;
    }
    set_pending(m, actor, time);
    if (w->running < 0) {
        calendar_set(&m->decide, cluster, w->pending.entry[0].time);
    }
}

static void value_sent(engine *e, int32_t channel, size_t number)
{
    mapped_run *m = e->context;
    const program_channel *c = &e->program->channel[channel];
    double now = e->actor[c->from].clock;
    if (m->cluster_of[c->from] == m->cluster_of[c->to]) {
        engine_arrived(e, channel, number, now);
    } else {
        dataflow_network_send(&m->network, channel, number, now);
    }
}

static void go_on(mapped_run *m, inlay_id cluster, inlay_actor *a)
{
    worker *w = &m->worker[cluster];
    w->running = a->module;
    if (!a->begun) {
        m->start[a->module] = m->now;
    }
    a->clock = m->now;
    (void)engine_go_on(&m->engine, a);
    calendar_set(&m->decide, cluster, a->clock);
}

/* The module that has the processor gives it up, where it has to. */
static bool keeps_processor(mapped_run *m, worker *w)
{
    inlay_actor *a = &m->engine.actor[w->running];
    if (!a->ended) {
        double there = engine_awaited(a);
        if (there <= m->now) {
            return true;
        }
        if (there < INFINITY) {
            set_pending(m, a, there);
        }
    }
    w->running = -1;
    return false;
}

static void decide(mapped_run *m, inlay_id cluster)
{
    worker *w = &m->worker[cluster];
    if (w->running >= 0 && keeps_processor(m, w)) {
        go_on(m, cluster, &m->engine.actor[w->running]);
        return;
    }
    while (w->pending.count > 0 && w->pending.entry[0].time <= m->now) {
        put_heap(m, &w->ready, 0, take_first(&w->pending));
    }
    if (w->ready.count > 0) {
        go_on(m, cluster, &m->engine.actor[take_first(&w->ready)]);
    } else {
        calendar_set(&m->decide, cluster, w->pending.count > 0 ? w->pending.entry[0].time : INFINITY);
    }
}

/* Until nothing is left that has a time: of one time the network comes first. */
static void run_events(mapped_run *m)
{
    while (m->engine.status == INLAY_OK) {
        calendar_node next = calendar_first(&m->decide);
        double network = dataflow_network_time(&m->network);
        m->now = network < next.time ? network : next.time;
        if (isinf(m->now)) {
            break;
        }
        if (network <= next.time) {
            dataflow_network_event(&m->network);
        } else {
            decide(m, next.slot);
        }
    }
}

static int run_program(mapped_run *m)
{
    engine *e = &m->engine;
    e->sent = value_sent;
    e->wake = wake;
    e->context = m;
    for (inlay_id i = 0; i < (inlay_id)e->program->modules; i++) {
        put_heap(m, &m->worker[m->cluster_of[i]].ready, 0, i);
    }
    for (inlay_id c = 0; c < m->workers; c++) {
        m->worker[c].running = -1;
        calendar_set(&m->decide, c, 0);
    }
    run_events(m);
    if (e->status == INLAY_OK && (m->network.under_way > 0 || !isfinite(m->network.last))) {
        return engine_fail(e, INLAY_OVERFLOW,
                           "the simulated times pass the range of numbers; expected less traffic, or networks of more "
                           "capacity");
    }
    return engine_finish(e);
}

/* ---- The mapping as the run wants it ---- */

/* Modules are known by name. */
static int match_modules(mapped_run *m, inlay_diag *diag)
{
    const inlay_program *p = m->engine.program;
    const inlay_app *app = inlay_mapping_app(m->mapping);
    if ((size_t)inlay_app_modules(app) != p->modules) {
        return diag_fail(
            diag, INLAY_BAD_INPUT,
            "%s: the mapping is of %d modules, and the program has %zu; expected a mapping of its profile, "
            "with the same parameters",
            p->name, inlay_app_modules(app), p->modules);
    }
    for (size_t i = 0; i < p->modules; i++) {
        inlay_id module = inlay_app_find_module(app, p->module[i].name);
        if (module < 0) {
            return diag_fail(
                diag, INLAY_BAD_INPUT,
                "%s: the mapping has no module '%s'; expected a mapping of the program's profile, with the "
                "same parameters",
                p->name, p->module[i].name);
        }
        m->module_of[module] = (inlay_id)i;
    }
    return INLAY_OK;
}

/* One cluster's modules. */
static int place_cluster(mapped_run *m, inlay_id cluster, inlay_diag *diag)
{
    const inlay_app *app = inlay_mapping_app(m->mapping);
    inlay_cluster_info info = inlay_mapping_cluster(m->mapping, cluster);
    inlay_processor processor = inlay_machine_processor(inlay_mapping_machine(m->mapping), info.processor);
    for (inlay_id k = 0; k < info.modules; k++) {
        inlay_id module = info.module[k], own = m->module_of[module];
        if (app_time_on(app, processor.type, module) != app->time[module]) {
            return diag_fail(diag, INLAY_BAD_INPUT,
                             "%s: module '%s' has a time of its own on processors of type '%s', which says nothing of "
                             "its operations; expected processors that differ in speed alone",
                             m->engine.program->name, app->name[module], processor.type);
        }
        m->cluster_of[own] = cluster;
        m->rank[own] = k;
        m->engine.actor[own].speed = processor.speed;
    }
    return INLAY_OK;
}

static void clear_run(mapped_run *m)
{
    dataflow_network_clear(&m->network);
    engine_clear(&m->engine);
    calendar_clear(&m->decide);
    pool_clear(&m->arrays);
}

static bool make_arrays(mapped_run *m)
{
    size_t modules = m->engine.program->modules;
    m->workers = inlay_mapping_summary(m->mapping)->clusters;
    m->cluster_of = pool_array(&m->arrays, modules, sizeof *m->cluster_of);
    m->rank = pool_array(&m->arrays, modules, sizeof *m->rank);
    m->module_of = pool_array(&m->arrays, modules, sizeof *m->module_of);
    m->start = pool_array(&m->arrays, modules, sizeof *m->start);
    m->worker = pool_zeroed(&m->arrays, (size_t)m->workers, sizeof *m->worker);
    for (inlay_id c = 0; !m->arrays.failed && c < m->workers; c++) { /* a module stands in one of them, once */
        size_t room = (size_t)inlay_mapping_cluster(m->mapping, c).modules;
        m->worker[c].ready.entry = pool_array(&m->arrays, room, sizeof(waiting));
        m->worker[c].pending.entry = pool_array(&m->arrays, room, sizeof(waiting));
    }
    return !m->arrays.failed && calendar_make(&m->decide, m->workers);
}

static int make_run(mapped_run *m, const inlay_program_run_options *options, inlay_diag *diag)
{
    int status = make_arrays(m) ? match_modules(m, diag) : diag_no_memory(diag);
    for (inlay_id c = 0; status == INLAY_OK && c < m->workers; c++) {
        status = place_cluster(m, c, diag);
    }
    if (status == INLAY_OK) {
        status = dataflow_network_make(&m->network, &m->engine, m->mapping, m->cluster_of, options, diag);
    }
    return status;
}

/* ---- The result ---- */

/* Of one cluster, in grains. */
static double fill_processor(const mapped_run *m, inlay_id cluster, inlay_program_run *r)
{
    inlay_cluster_info info = inlay_mapping_cluster(m->mapping, cluster);
    inlay_program_processor *w = &r->processor[cluster];
    double end = 0;
    *w = (inlay_program_processor){.processor = info.processor,
                                   .sent = m->network.sender[cluster].sent,
                                   .received = m->network.sender[cluster].received};
    for (inlay_id k = 0; k < info.modules; k++) {
        const inlay_actor *a = &m->engine.actor[m->module_of[info.module[k]]];
        w->busy += a->work;
        end = a->clock > end ? a->clock : end;
    }
    w->waiting = end - w->busy > 0 ? end - w->busy : 0; /* with speeds, sums are rounded */
    return end;
}

static void fill_run(const mapped_run *m, inlay_program_run *r)
{
    const engine *e = &m->engine;
    double unit = pow(10, e->costs.decimals), last = 0;
    for (inlay_id c = 0; c < m->workers; c++) {
        double end = fill_processor(m, c, r);
        last = end > last ? end : last;
    }
    double elapsed = m->network.last > last ? m->network.last : last;
    for (inlay_id c = 0; c < m->workers; c++) {
        inlay_program_processor *w = &r->processor[c];
        w->busy /= unit;
        w->waiting /= unit;
        w->idle = elapsed / unit - w->busy - w->waiting;
        w->idle = w->idle > 0 ? w->idle : 0;
    }
    for (size_t i = 0; i < e->program->modules; i++) {
        const inlay_actor *a = &e->actor[m->module_of[i]];
        r->start[i] = m->start[m->module_of[i]] / unit;
        r->end[i] = a->clock / unit;
    }
    r->summary = (inlay_program_summary){.elapsed = elapsed / unit,
                                         .last_module = last / unit,
                                         .messages = m->network.messages,
                                         .values = e->values,
                                         .left = e->values - e->got,
                                         .switches = e->switches,
                                         .check = r->check};
}

static inlay_program_run *new_result(const mapped_run *m)
{
    size_t modules = m->engine.program->modules;
    inlay_program_run *r = memory_zeroed(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->processor = memory_array((size_t)m->workers, sizeof *r->processor);
    r->start = memory_array(modules, sizeof *r->start);
    r->end = memory_array(modules, sizeof *r->end);
    if (r->processor == NULL || r->start == NULL || r->end == NULL) {
        inlay_program_run_free(r);
        return NULL;
    }
    return r;
}

int inlay_program_execute(inlay_program *program, const inlay_mapping *mapping,
                          const inlay_program_run_options *options, inlay_program_run **run, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_program_run_options defaults = {0};
    options = options == NULL ? &defaults : options;
    mapped_run m = {.mapping = mapping};
    if ((unsigned)options->contention > INLAY_CONTENTION_FREE) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "contention is %d; expected 0 to %d", (int)options->contention,
                         INLAY_CONTENTION_FREE);
    }
    int status = engine_make(&m.engine, program, &options->program, inlay_app_unit(inlay_mapping_app(mapping)), diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_program_run *r = NULL;
    status = make_run(&m, options, diag);
    if (status == INLAY_OK) {
        status = run_program(&m);
    }
    if (status == INLAY_OK) {
        r = new_result(&m);
        status = r == NULL ? diag_no_memory(diag) : program_checked(program, r->check, diag);
    }
    if (status == INLAY_OK) {
        fill_run(&m, r);
        *run = r;
    } else {
        inlay_program_run_free(r);
    }
    clear_run(&m);
    return status;
}

inlay_program_summary inlay_program_run_summary(const inlay_program_run *run)
{
    return run->summary;
}

inlay_program_processor inlay_program_run_processor(const inlay_program_run *run, inlay_id cluster)
{
    return run->processor[cluster];
}

double inlay_program_run_start(const inlay_program_run *run, inlay_id module)
{
    return run->start[module];
}

double inlay_program_run_end(const inlay_program_run *run, inlay_id module)
{
    return run->end[module];
}
