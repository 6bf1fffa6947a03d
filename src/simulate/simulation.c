/* A simulation: replications become figures. */
#include "simulate/simulation.h"
#include "base/diag.h"
#include "base/memory.h"
#include "simulate/replicate.h"
#include <stdlib.h>

void inlay_simulation_free(inlay_simulation *simulation)
{
    if (simulation != NULL) {
        plan_clear(&simulation->plan);
        free(simulation->makespan);
        free(simulation->processor);
        free(simulation->resource);
        record_clear(&simulation->record);
        free(simulation->step);
        free(simulation);
    }
}

/* ---- Sums over replications ---- */

static void add_resource(resource_sum *sum, double busy, double waited, double passed, int64_t requests,
                         int64_t largest, double makespan)
{
    sum->utilisation += makespan > 0 ? busy / makespan : 0;
    sum->mean_queue += makespan > 0 ? waited / makespan : 0;
    sum->delay += waited + passed;
    sum->requests += requests;
    sum->largest = largest > sum->largest ? largest : sum->largest;
}

static void add_fabric(inlay_simulation *s, const run *r)
{
    const fabric_plan *f = &s->plan.fabric;
    bool omega = f->kind == FABRIC_OMEGA;
    double width = omega ? (double)f->switch_size : 1;
    for (size_t i = 0; i < r->fabric.usages; i++) {
        const usage *g = &r->fabric.usage[i];
        add_resource(&s->resource[i], g->busy / width, g->waited, omega ? g->passed : g->busy, g->requests, g->largest,
                     r->last);
    }
}

static void add_senders(inlay_simulation *s, const run *r)
{
    size_t first = s->resources - (size_t)s->plan.processors;
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        const run_processor *w = &r->processor[c];
        add_resource(&s->resource[first + (size_t)c], w->under_way, w->queue_area, w->under_way, w->sent, w->largest,
                     r->last);
    }
}

static void add_processors(inlay_simulation *s, const run *r)
{
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        const run_processor *w = &r->processor[c];
        inlay_simulated_processor *sum = &s->processor[c];
        sum->busy += w->busy;
        sum->communicating += w->communicating;
        sum->blocked += w->blocked;
        sum->idle += w->idle;
        sum->sent = w->sent;
        sum->received = w->received;
    }
}

void simulation_add(inlay_simulation *s, const run *r, int64_t replication)
{
    s->makespan[replication] = r->last / s->plan.grain;
    s->summary.last_module += r->last_module / s->plan.grain;
    s->summary.events += r->events;
    add_processors(s, r);
    if (s->resources > 0) {
        add_fabric(s, r);
        if (plan_has_senders(&s->plan)) {
            add_senders(s, r);
        }
    }
}

/* ---- Replications ---- */

/* What one thread has for itself. */
typedef struct own_run {
    run run;
    run_record *record; /* of replication 0, or NULL */
} own_run;

typedef struct whole {
    inlay_simulation *s;
    inlay_diag *diag;
} whole;

static int run_one(void *own, int64_t replication)
{
    own_run *o = own;
    return run_replication(&o->run, replication, replication == 0 ? o->record : NULL);
}

static void merge_one(void *context, const void *own, int64_t replication)
{
    const whole *w = context;
    simulation_add(w->s, &((const own_run *)own)->run, replication);
}

static void refuse_one(void *context, const void *own)
{
    const whole *w = context;
    run_refuse(&((const own_run *)own)->run, w->diag);
}

static int run_all(inlay_simulation *s, inlay_diag *diag)
{
    const inlay_simulation_options *o = &s->plan.options;
    int threads = o->replications < o->threads ? (int)o->replications : o->threads, made = 0;
    own_run *own = memory_zeroed((size_t)threads, sizeof *own);
    void **list = memory_array((size_t)threads, sizeof *list);
    int status = own != NULL && list != NULL ? INLAY_OK : diag_no_memory(diag);
    while (status == INLAY_OK && made < threads) {
        own[made].record = o->record ? &s->record : NULL;
        list[made] = &own[made];
        status = run_make(&s->plan, &own[made].run, diag);
        made += status == INLAY_OK;
    }
    if (status == INLAY_OK) {
        whole w = {s, diag};
        const replication_job job = {run_one, merge_one, refuse_one, &w};
        status = replicate(&job, list, threads, o->replications);
    }
    for (int t = 0; t < made; t++) {
        run_clear(&own[t].run);
    }
    free(own);
    free(list);
    return status;
}

/* ---- Means ---- */

static double mean_in_units(const inlay_simulation *s, double sum)
{
    return sum / (double)s->summary.replications / s->plan.grain;
}

static void finish_processors(inlay_simulation *s)
{
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        inlay_simulated_processor *p = &s->processor[c];
        p->cluster = c;
        p->processor = s->plan.processor[c].processor;
        p->busy = mean_in_units(s, p->busy);
        p->communicating = mean_in_units(s, p->communicating);
        p->blocked = mean_in_units(s, p->blocked);
        p->idle = mean_in_units(s, p->idle);
        s->summary.messages += p->sent;
    }
}

static int finish_makespan(inlay_simulation *s, inlay_diag *diag)
{
    inlay_simulation_summary *sum = &s->summary;
    run_times of;
    if (run_times_of(s->makespan, sum->replications, &of) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    sum->makespan = of.mean.mean;
    sum->half_width = of.mean.half_width;
    sum->p05 = of.p05;
    sum->p50 = of.p50;
    sum->p95 = of.p95;
    sum->least = of.least;
    sum->most = of.most;
    sum->last_module /= (double)sum->replications;
    return INLAY_OK;
}

static void record_in_units(inlay_simulation *s)
{
    double grain = s->plan.grain;
    for (inlay_id i = 0; i < s->plan.app->modules; i++) {
        s->record.start[i] /= grain;
        s->record.end[i] /= grain;
    }
    for (size_t i = 0; i < s->record.messages; i++) {
        inlay_simulated_message *m = &s->record.message[i];
        m->due /= grain;
        m->request /= grain;
        m->begin /= grain;
        m->sent /= grain;
        m->arrival /= grain;
        m->service /= grain;
    }
    for (size_t i = 0; i < s->steps; i++) {
        s->step[i].from /= grain;
        s->step[i].to /= grain;
    }
}

static void share_path(inlay_simulation *s)
{
    double length[INLAY_STEP_OVERHEAD + 1] = {0};
    for (size_t i = 0; i < s->steps; i++) {
        length[s->step[i].kind] += s->step[i].to - s->step[i].from;
    }
    s->summary.compute = length[INLAY_STEP_COMPUTE] / s->recorded_makespan;
    s->summary.wait = (length[INLAY_STEP_WAIT] + length[INLAY_STEP_QUEUE]) / s->recorded_makespan;
    s->summary.network = (length[INLAY_STEP_TRANSFER] + length[INLAY_STEP_OVERHEAD]) / s->recorded_makespan;
}

int simulation_finish(inlay_simulation *s, inlay_diag *diag)
{
    s->summary.compute = s->summary.wait = s->summary.network = s->recorded_makespan = NAN;
    finish_processors(s);
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        s->processor[c].memory_peak = -1;
    }
    int status = finish_makespan(s, diag);
    if (status == INLAY_OK && s->plan.options.record) {
        status = simulation_find_path(s, diag);
        s->recorded_makespan = s->makespan[0];
        record_in_units(s);
        share_path(s);
        status = status == INLAY_OK && s->plan.copies ? simulation_find_peaks(s, diag) : status;
    }
    return status;
}

/* ---- The call ---- */

/* Links, or buses, memories and switches; the memory of a bus, which is taken whenever that is; the senders. */
static size_t count_resources(const plan *p, size_t usages)
{
    bool memory = p->fabric.kind == FABRIC_BUS && p->fabric.memories > 0;
    return usages + memory + (plan_has_senders(p) ? (size_t)p->processors : 0);
}

static int make(const inlay_mapping *mapping, const inlay_simulation_options *options, inlay_simulation *s,
                inlay_diag *diag)
{
    int status = plan_make(mapping, options, &s->plan, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_simulation_options *o = &s->plan.options;
    s->summary.replications = o->replications;
    s->summary.modules = s->plan.app->modules;
    s->summary.random = s->plan.random;
    s->resources = count_resources(&s->plan, fabric_usages(&s->plan.fabric));
    s->makespan = memory_array((size_t)o->replications, sizeof *s->makespan);
    s->processor = memory_zeroed((size_t)s->plan.processors, sizeof *s->processor);
    s->resource = memory_zeroed(s->resources, sizeof *s->resource);
    if (s->makespan == NULL || s->processor == NULL || s->resource == NULL) {
        return diag_no_memory(diag);
    }
    return o->record ? record_make(&s->plan, &s->record, diag) : INLAY_OK;
}

int inlay_simulate(const inlay_mapping *mapping, const inlay_simulation_options *options, inlay_simulation **simulation,
                   inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (mapping == NULL || simulation == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a simulation is that of a mapping");
    }
    inlay_simulation *s = memory_zeroed(1, sizeof *s);
    if (s == NULL) {
        return diag_no_memory(diag);
    }
    int status = make(mapping, options, s, diag);
    if (status == INLAY_OK) {
        status = run_all(s, diag);
    }
    if (status == INLAY_OK) {
        status = simulation_finish(s, diag);
    }
    if (status == INLAY_OK) {
        status = simulation_find_interval(s, diag);
    }
    if (status != INLAY_OK) {
        inlay_simulation_free(s);
        return status;
    }
    if (s->plan.options.record) {
        mapping_warn_deadlines(s->plan.mapping, s->record.start, s->record.end, diag);
    }
    simulation_warn_peaks(s, diag);
    *simulation = s;
    return INLAY_OK;
}
