/* One run: making it, putting it back to the beginning, and why it failed. */
#include "base/diag.h"
#include "base/memory.h"
#include "simulate/run.h"
#include <inttypes.h>
#include <stdlib.h>

void run_clear(run *r)
{
    free(r->module);
    free(r->processor);
    free(r->factor);
    for (size_t t = 0; t < r->trains_room && r->train != NULL; t++) {
        free(r->train[t].alone_until);
    }
    free(r->train);
    free(r->until);
    calendar_clear(&r->calendar);
    if (r->shared != NULL) {
        calendar_clear(&r->shared->starts);
        free(r->shared->module);
        free(r->shared);
    }
    if (r->memory != NULL) {
        bandwidth_clear(r->memory);
        free(r->memory);
    }
    if (r->passing != NULL) {
        calendar_clear(&r->passing->due);
        free(r->passing->had);
        free(r->passing);
    }
    run_rendezvous_clear(r);
    free(r->behind);
    fabric_clear(&r->fabric);
    random_clear(&r->random);
    *r = (run){0};
}

static bool make_scratch(const plan *p, run *r)
{
    r->until = p->links == NULL ? NULL : memory_zeroed((size_t)p->links->longest, sizeof *r->until);
    return p->links == NULL || r->until != NULL;
}

static bool make_shared(const plan *p, run *r)
{
    if (p->cores == 0) {
        return true;
    }
    r->shared = memory_zeroed(1, sizeof *r->shared);
    if (r->shared == NULL) {
        return false;
    }
    r->shared->module = memory_array((size_t)p->processors, sizeof *r->shared->module);
    return r->shared->module != NULL && calendar_make(&r->shared->starts, p->processors);
}

/* In the simulation's unit. */
static bool make_memory(const plan *p, run *r)
{
    const interconnect *n = &p->network;
    inlay_id boards = inlay_machine_processors(n->machine);
    if (!p->memory) {
        return true;
    }
    r->memory = memory_zeroed(1, sizeof *r->memory);
    return r->memory != NULL && bandwidth_make(p->processors, boards, n->memory_bandwidth / p->grain,
                                               n->core_bandwidth / p->grain, r->memory);
}

static bool make_passing(const plan *p, run *r)
{
    if (p->sent.pass == NULL) {
        return true;
    }
    r->passing = memory_zeroed(1, sizeof *r->passing);
    if (r->passing == NULL || p->sent.entries > INT32_MAX) {
        return false;
    }
    r->passing->had = memory_array((size_t)p->sent.entries, sizeof *r->passing->had);
    return r->passing->had != NULL && calendar_make(&r->passing->due, (int32_t)p->sent.entries);
}

/* What a processor sends next is not the next of its modules' items. */
static bool make_queues(const plan *p, run *r)
{
    if (p->sent.pass == NULL && p->rendezvous.waits == NULL) {
        return true;
    }
    r->behind = memory_array((size_t)(plan_entries_most(p) + p->app->use_begin[p->app->blocks]), sizeof *r->behind);
    return r->behind != NULL;
}

int run_make(const plan *p, run *r, inlay_diag *diag)
{
    size_t modules = (size_t)p->app->modules;
    bool factors = module_times_random(&p->times);
    *r = (run){.plan = p};
    r->module = memory_array(modules, sizeof *r->module);
    r->processor = memory_array((size_t)p->processors, sizeof *r->processor);
    r->factor = factors ? memory_array(modules, sizeof *r->factor) : NULL;
    if (r->module == NULL || r->processor == NULL || (factors && r->factor == NULL) || !random_make(&r->random) ||
        !calendar_make(&r->calendar, p->processors) || fabric_make(&p->fabric, &r->fabric) != INLAY_OK ||
        !make_scratch(p, r) || !make_shared(p, r) || !make_memory(p, r) || !make_passing(p, r) ||
        !run_rendezvous_make(p, r) || !make_queues(p, r)) {
        run_clear(r);
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

bool run_doubt(run *r)
{
    r->factor = r->factor != NULL ? r->factor : memory_array((size_t)r->plan->app->modules, sizeof *r->factor);
    r->doubtful = r->factor != NULL;
    return r->doubtful;
}

static double draw_doubt(double cv, run *r, random_stream stream)
{
    const inlay_spread spread = {INLAY_SPREAD_NORMAL, cv < 1 ? cv : 1};
    return spread_is_random(&spread) ? spread_draw(&spread, &r->random, stream) : 1;
}

/* Of every module by itself, of all together, and of all messages. */
static void draw_doubts(run *r)
{
    const inlay_doubts d = inlay_machine_doubts(inlay_mapping_machine(r->plan->mapping));
    double common = draw_doubt(d.time_error, r, STREAM_DOUBTS);
    r->network = draw_doubt(d.network_error, r, STREAM_DOUBTS);
    r->fabric.links.slower = r->fabric.flows.slower = r->network;
    bool drawn = module_times_random(&r->plan->times);
    for (inlay_id i = 0; i < r->plan->app->modules; i++) {
        r->factor[i] = (drawn ? r->factor[i] : 1) * common * draw_doubt(d.time_spread, r, STREAM_MODULES);
    }
}

void record_clear(run_record *record)
{
    free(record->start);
    free(record->end);
    free(record->due);
    free(record->message);
    *record = (run_record){0};
}

int record_make(const plan *p, run_record *record, inlay_diag *diag)
{
    size_t modules = (size_t)p->app->modules;
    bool clocks = p->cores > 0 || p->memory; /* when something was due is not known from when its module started */
    size_t items = clocks ? (size_t)plan_numbers(p) : 0;
    *record = (run_record){.start = memory_array(modules, sizeof *record->start),
                           .end = memory_array(modules, sizeof *record->end),
                           .due = !clocks ? NULL : memory_array(items, sizeof *record->due),
                           .message = memory_array((size_t)p->crossing, sizeof *record->message)};
    if (record->start == NULL || record->end == NULL || record->message == NULL || (clocks && record->due == NULL)) {
        record_clear(record);
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

static void reset_processor(const plan *p, inlay_id c, run_processor *w)
{
    const plan_processor *own = &p->processor[c];
    *w = (run_processor){.module = own->module, .modules = own->modules, .scale = own->scale, .awaited = -1};
    w->speed = own->speed;
    w->type_time = own->type_time;
    w->first = w->last = -1;
    inlay_id first = own->module[0];
    w->due = w->send = p->item_begin[p->cluster_of[first] == c ? first : first + 1]; /* nothing of a guest's */
}

void run_reset(run *r, int64_t replication)
{
    const plan *p = r->plan;
    const int64_t *in_begin = p->app->in_begin;
    calendar_empty(&r->calendar);
    if (r->shared != NULL) {
        calendar_empty(&r->shared->starts);
        shared_clock_reset(&r->shared->clock, p->cores);
    }
    if (r->memory != NULL) {
        run_memory_reset(r);
    }
    if (r->passing != NULL) {
        calendar_empty(&r->passing->due);
    }
    run_rendezvous_reset(r);
    fabric_reset(&r->fabric);
    if (p->random || p->fabric.memories > 0 || r->doubtful) { /* else nothing is drawn */
        random_seed(&r->random, p->options.seed, replication);
    }
    for (inlay_id c = 0; c < p->processors; c++) {
        reset_processor(p, c, &r->processor[c]);
    }
    for (inlay_id i = 0; i < p->app->modules; i++) {
        r->module[i].ready = 0;
        const inlay_id *guest;
        r->module[i].pending = (int32_t)(in_begin[i + 1] - in_begin[i]) + run_guests(r, i, &guest);
        r->module[i].pending += p->sent.awaited == NULL ? 0 : p->sent.awaited[i];
        r->module[i].cluster = p->cluster_of[i];
    }
    r->network = 1;
    if (module_times_random(&p->times)) {
        module_times_draw(&p->times, &r->random, r->factor);
    }
    if (r->doubtful) {
        draw_doubts(r);
    }
    r->trains = 0;
    r->free_train = -1;
    r->no_memory = r->given_up = false;
    r->last = r->last_module = 0;
    r->ended = 0;
    r->events = 0;
    r->cut_short = false;
    r->events_most = r->plan->options.max_events > 0 ? r->plan->options.max_events : INT64_MAX;
}

/* ---- Failures ---- */

bool run_passes_range(const run *r)
{
    bool passes = !isfinite(r->last);
    for (inlay_id c = 0; c < r->plan->processors; c++) {
        passes |= r->processor[c].running || r->processor[c].sending;
    }
    return passes;
}

void run_refuse(const run *r, inlay_diag *diag)
{
    if (r->no_memory) {
        (void)diag_no_memory(diag);
        return;
    }
    if (r->cut_short) {
        diag_fail(diag, INLAY_NO_ANSWER, "the run takes more than %" PRId64 " events", r->events_most);
        return;
    }
    if (run_passes_range(r)) {
        diag_fail(diag, INLAY_OVERFLOW,
                  "the simulated times pass the range of numbers; expected less traffic, or networks of more capacity");
        return;
    }
    for (inlay_id c = 0; c < r->plan->processors; c++) {
        if (r->processor[c].awaited >= 0) {
            diag_fail(diag, INLAY_NO_ANSWER,
                      "module '%s' waits for one that comes after it in the order of its processor, or of another that "
                      "waits too",
                      inlay_app_module_name(r->plan->app, r->processor[c].awaited));
        }
    }
}
