/* Runs under a run-time scheduler: replications become figures. */
#include "base/diag.h"
#include "runtime/nodes.h"
#include "runtime/schedulers.h"
#include "simulate/replicate.h"
#include <stdlib.h>
#include <string.h>

struct inlay_scheduled {
    runtime_plan plan;
    inlay_scheduled_summary summary;
    inlay_scheduled_core *core; /* sums over replications, in grains, until they are done */
    double *makespan;           /* of every replication */
    runtime_record record;
    inlay_id *place;
    inlay_scheduled_memory *memory; /* of hosts; NULL without a main memory, and so the next */
    int64_t *least, *carried;       /* of hosts, and of the machine's links: bytes */
    memory_pool pool;
};

void inlay_scheduled_free(inlay_scheduled *result)
{
    if (result != NULL) {
        runtime_plan_clear(&result->plan);
        pool_clear(&result->pool);
        free(result);
    }
}

/* ---- Replications ---- */

static int run_one(void *own, int64_t replication)
{
    runtime_run *r = own;
    return runtime_replication(r, replication, replication == 0 ? &r->kept : NULL);
}

typedef struct whole_run {
    inlay_scheduled *of;
    inlay_diag *diag;
} whole_run;

/* What became of memories. */
static void keep_nodes(inlay_scheduled *s, const node_run *n)
{
    const node_plan *p = n->plan;
    inlay_scheduled_summary *sum = &s->summary;
    for (inlay_id k = 0; k < p->nodes; k++) {
        const node_memory *m = &n->memory[k];
        s->memory[k] = (inlay_scheduled_memory){k, p->capacity[k], m->peak, m->loaded, 0, m->evictions, m->write_backs};
        sum->evictions += m->evictions;
        sum->write_backs += m->write_backs;
    }
    for (inlay_id k = 0; k < p->links->links; k++) {
        s->carried[p->links->link[k].number] += n->carried[k];
    }
    sum->winner = n->winner;
    sum->moved = n->moved;
    sum->transfers = n->transfers;
    sum->inputs = n->inputs;
    sum->hits = n->hits;
}

static void merge_one(void *whole, const void *own, int64_t replication)
{
    const whole_run *w = whole;
    inlay_scheduled *s = w->of;
    const runtime_run *r = own;
    s->makespan[replication] = r->last / s->plan.grain;
    for (inlay_id k = 0; k < s->plan.cores; k++) {
        const runtime_core *c = &r->core[k];
        inlay_scheduled_core *sum = &s->core[k];
        sum->busy += c->busy;
        sum->overhead += c->overhead;
        sum->fetching += c->fetching;
        sum->modules += c->modules;
        sum->messages += c->fetched;
    }
    if (replication == 0) {
        memcpy(s->place, r->place, (size_t)s->plan.app->modules * sizeof *s->place);
        if (r->nodes != NULL) {
            keep_nodes(s, r->nodes);
        }
    }
}

static void refuse_one(void *whole, const void *own)
{
    const whole_run *w = whole;
    (void)own;
    (void)diag_fail(w->diag, INLAY_OVERFLOW, "times pass the range of numbers");
}

static int run_all(inlay_scheduled *s, inlay_diag *diag)
{
    const inlay_scheduled_options *o = &s->plan.options;
    int threads = o->replications < o->threads ? (int)o->replications : o->threads, made = 0;
    runtime_run *run = memory_zeroed((size_t)threads, sizeof *run);
    void **own = memory_array((size_t)threads, sizeof *own);
    int status = run != NULL && own != NULL ? INLAY_OK : diag_no_memory(diag);
    while (status == INLAY_OK && made < threads) {
        status = runtime_run_make(&s->plan, &run[made], diag);
        run[made].kept = s->record;
        own[made] = &run[made];
        made += status == INLAY_OK;
    }
    if (status == INLAY_OK) {
        whole_run whole = {s, diag};
        const replication_job job = {run_one, merge_one, refuse_one, &whole};
        status = replicate(&job, own, threads, o->replications);
        status = status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
    }
    while (made > 0) {
        runtime_run_clear(&run[--made]);
    }
    free(run);
    free(own);
    return status;
}

/* ---- Figures ---- */

static void finish_cores(inlay_scheduled *s)
{
    double count = (double)s->summary.replications;
    for (inlay_id k = 0; k < s->plan.cores; k++) {
        inlay_scheduled_core *c = &s->core[k];
        s->summary.messages += c->messages;
        c->processor = k;
        c->busy /= count * s->plan.grain;
        c->overhead /= count * s->plan.grain;
        c->fetching /= count * s->plan.grain;
        c->idle = s->summary.makespan - c->busy - c->overhead - c->fetching;
        c->idle = c->idle > 0 ? c->idle : 0; /* what rounding leaves */
        c->modules = llround((double)c->modules / count);
        c->messages = llround((double)c->messages / count);
        s->summary.work += c->busy;
    }
    s->summary.messages = llround((double)s->summary.messages / count);
}

static int finish_nodes(inlay_scheduled *s, inlay_diag *diag)
{
    const runtime_plan *p = &s->plan;
    inlay_scheduled_summary *sum = &s->summary;
    double area = nodes_area(p);
    if (area < 0 || nodes_least_loads(p, s->place, s->record.start, s->least) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    for (inlay_id k = 0; k < p->nodes->nodes; k++) {
        s->memory[k].least = s->least[k];
        sum->least_moved += s->least[k];
    }
    for (inlay_id i = 0; i < p->app->modules; i++) {
        sum->operations += inlay_app_arithmetic(p->app, i) + inlay_app_functions(p->app, i);
    }
    sum->has_memories = true;
    sum->winner = p->scheduler->tries_all ? sum->winner : sum->scheduler;
    sum->prefetch = p->options.prefetch;
    sum->path_bound = p->nodes->path / p->grain;
    sum->area_bound = area / p->grain;
    return INLAY_OK;
}

static int finish(inlay_scheduled *s, inlay_diag *diag)
{
    inlay_scheduled_summary *sum = &s->summary;
    run_times of;
    if (run_times_of(s->makespan, sum->replications, &of) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    sum->scheduler = s->plan.scheduler->of.name;
    sum->processors = s->plan.cores;
    sum->makespan = of.mean.mean;
    sum->half_width = of.mean.half_width;
    sum->p05 = of.p05;
    sum->p50 = of.p50;
    sum->p95 = of.p95;
    sum->least = of.least;
    sum->most = of.most;
    sum->critical_path = inlay_app_in_units(s->plan.app, s->plan.timing.critical_path);
    sum->random = runtime_plan_draws(&s->plan);
    finish_cores(s);
    return s->plan.nodes == NULL ? INLAY_OK : finish_nodes(s, diag);
}

/* ---- The call ---- */

static int make(const inlay_app *app, const inlay_machine *machine, const inlay_scheduled_options *options,
                inlay_scheduled *s, inlay_diag *diag)
{
    int status = runtime_plan_make(app, machine, options, &s->plan, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t n = (size_t)app->modules;
    s->core = pool_zeroed(&s->pool, (size_t)s->plan.cores, sizeof *s->core);
    s->makespan = pool_array(&s->pool, (size_t)s->plan.options.replications, sizeof *s->makespan);
    s->place = pool_array(&s->pool, n, sizeof *s->place);
    s->summary.replications = s->plan.options.replications;
    double **kept[] = {&s->record.ready, &s->record.taken, &s->record.start, &s->record.end};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        *kept[i] = pool_array(&s->pool, n, sizeof **kept[i]);
    }
    if (s->plan.nodes != NULL) {
        size_t hosts = (size_t)s->plan.nodes->nodes, links = (size_t)inlay_machine_links(machine);
        s->memory = pool_zeroed(&s->pool, hosts, sizeof *s->memory);
        s->least = pool_zeroed(&s->pool, hosts, sizeof *s->least);
        s->carried = pool_zeroed(&s->pool, links, sizeof *s->carried);
    }
    if (s->pool.failed) {
        return diag_no_memory(diag);
    }
    status = run_all(s, diag);
    return status == INLAY_OK ? finish(s, diag) : status;
}

int inlay_simulate_scheduled(const inlay_app *app, const inlay_machine *machine, const inlay_scheduled_options *options,
                             inlay_scheduled **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (app == NULL || machine == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a run needs an application and a machine");
    }
    inlay_scheduled *s = memory_zeroed(1, sizeof *s);
    if (s == NULL) {
        return diag_no_memory(diag);
    }
    int status = make(app, machine, options, s, diag);
    if (status != INLAY_OK) {
        inlay_scheduled_free(s);
        return status;
    }
    *result = s;
    return INLAY_OK;
}

const inlay_app *inlay_scheduled_app(const inlay_scheduled *result)
{
    return result->plan.app;
}

const inlay_machine *inlay_scheduled_machine(const inlay_scheduled *result)
{
    return result->plan.machine;
}

const inlay_scheduled_summary *inlay_scheduled_result(const inlay_scheduled *result)
{
    return &result->summary;
}

inlay_scheduled_core inlay_scheduled_core_at(const inlay_scheduled *result, inlay_id core)
{
    return result->core[core];
}

inlay_scheduled_memory inlay_scheduled_memory_at(const inlay_scheduled *result, inlay_id memory)
{
    return result->memory[memory];
}

int64_t inlay_scheduled_carried(const inlay_scheduled *result, inlay_id link)
{
    return result->carried[link];
}

inlay_scheduled_module inlay_scheduled_module_at(const inlay_scheduled *result, inlay_id module)
{
    const runtime_record *r = &result->record;
    double grain = result->plan.grain;
    return (inlay_scheduled_module){result->place[module], r->ready[module] / grain, r->taken[module] / grain,
                                    r->start[module] / grain, r->end[module] / grain};
}
