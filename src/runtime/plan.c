/* What all replications under a run-time scheduler share. */
#include "runtime/plan.h"
#include "base/diag.h"
#include "base/workers.h"
#include "runtime/nodes.h"
#include "runtime/schedulers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void runtime_plan_clear(runtime_plan *p)
{
    timing_clear(&p->timing);
    links_plan_free(p->links);
    nodes_plan_clear(p->nodes);
    module_times_clear(&p->times);
    kinds_clear(&p->kinds);
    pool_clear(&p->pool);
    *p = (runtime_plan){0};
}

/* ---- Options ---- */

static int check_options(const runtime_plan *p, inlay_diag *diag)
{
    const inlay_scheduled_options *o = &p->options;
    inlay_id all = inlay_machine_processors(p->machine);
    if (p->scheduler == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "there is no scheduler '%s'", o->scheduler);
    }
    if (p->scheduler->next == NULL && !p->scheduler->tries_all) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "%s is for nodes with accelerators; expected a machine with a main memory, a host main=true",
                         o->scheduler);
    }
    if (o->processors < 1 || o->processors > all) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%" PRId32 " processors are asked for; the machine has %" PRId32,
                         o->processors, all);
    }
    if (o->replications < 1 || o->replications > INT32_MAX) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%" PRId64 " replications are asked for; expected 1 to %d",
                         o->replications, INT32_MAX);
    }
    if ((unsigned)o->contention > INLAY_CONTENTION_FREE) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "contention is %d; expected 0 to %d", (int)o->contention,
                         INLAY_CONTENTION_FREE);
    }
    return INLAY_OK;
}

static inlay_scheduled_options complete(const inlay_scheduled_options *options, const inlay_machine *machine)
{
    static const inlay_scheduled_options defaults = {0};
    inlay_scheduled_options o = options == NULL ? defaults : *options;
    o.scheduler = o.scheduler == NULL ? "stealing" : o.scheduler;
    o.processors = o.processors == 0 ? inlay_machine_processors(machine) : o.processors;
    o.replications += o.replications == 0;
    o.prefetch = o.prefetch == 0 ? 2 : o.prefetch < 0 ? 0 : o.prefetch;
    o.threads = workers_of(o.threads, WORKERS_MOST);
    o.contention = contention_of(machine, o.contention);
    return o;
}

/* The overhead of a task, in grains. */
static int plan_overhead(runtime_plan *p, inlay_diag *diag)
{
    inlay_duration given =
        p->options.has_task_overhead ? p->options.task_overhead : inlay_machine_task_overhead(p->machine);
    double value = inlay_decimal_double(given.value),
           own = interconnect_unit_seconds(p->app->unit, p->options.tick_seconds);
    double unit = interconnect_unit_seconds(given.unit, p->options.tick_seconds);
    bool same = given.unit == INLAY_UNIT_NONE || given.unit == p->app->unit;
    if (!(value >= 0 && value < INFINITY)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the overhead of a task is %g; expected 0 or more", value);
    }
    if (!same && value > 0 && !(own > 0 && unit > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the overhead of a task is in %s and the application in %s; expected the length of a tick",
                         inlay_unit_name(given.unit), inlay_unit_name(p->app->unit));
    }
    p->overhead = value > 0 ? value * (same ? 1 : unit / own) * p->grain : 0;
    return INLAY_OK;
}

/* ---- What no scheduler looks at ---- */

/* `asked` is the prefetch that was asked for, 0 none. */
static void warn_of_left_out(const runtime_plan *p, inlay_id asked, inlay_diag *diag)
{
    const inlay_app *app = p->app;

    int64_t traffic = app->links - app->precedence_links;
    if (traffic > 0) {
        diag_warn(diag, "%" PRId64 " links of traffic without precedence are left out: nobody waits for them", traffic);
    }
    if (app->blocks > 0 && p->nodes == NULL) {
        diag_warn(diag, "%" PRId32 " data blocks are left out: they have no place without a mapping", app->blocks);
    }
    if (p->nodes != NULL && app->memory != NULL) {
        diag_warn(diag, "memory of modules is left out: their data take memory here");
    }
    if (p->nodes == NULL && asked != 0) {
        diag_warn(diag, "how many modules have their data fetched ahead is left out: there is no main memory");
    }
    if (app->blocking != NULL) {
        diag_warn(diag, "blocking times are left out: a module waits for the end of those before it");
    }
    if (inlay_machine_send_overhead(p->machine)->count + inlay_machine_receive_overhead(p->machine)->count > 0) {
        diag_warn(diag, "o_send and o_recv of the machine are left out: cores fetch what they need without being kept");
    }
    if (inlay_machine_rendezvous_above(p->machine) < INT64_MAX) {
        diag_warn(diag, "rendezvous=late is left out: cores fetch what they need when they have come to it");
    }
    if (inlay_machine_sharing(p->machine) != NULL) {
        diag_warn(diag, "contention=%s is left out: links serve messages one after another",
                  inlay_machine_contention_word(p->machine));
    }
}

/* Who gives modules to whatever core is free needs that they may run on each; dmda, that there is one. */
static int refuse_types(const runtime_plan *p, inlay_diag *diag)
{
    bool any = p->scheduler->of.keeps_types || inlay_machine_main(p->machine) >= 0;
    for (inlay_id i = 0; p->app->types > 0 && i < p->app->modules; i++) {
        inlay_id allowed = 0;
        for (inlay_id k = 0; k < p->cores; k++) {
            allowed += isfinite(runtime_time(p, i, k));
        }
        if (allowed == 0 || (allowed < p->cores && !any)) {
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module %s may run on %" PRId32 " of the %" PRId32
                             " processors, and %s gives modules to any; expected dmda%s",
                             p->app->name[i], allowed, p->cores, p->scheduler->of.name,
                             allowed > 0 ? "" : ", and a processor that may");
        }
    }
    return INLAY_OK;
}

static int refuse_what_it_cannot(const runtime_plan *p, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    inlay_id widest = 0, held = 0;
    for (inlay_id k = 0; k < p->cores; k++) {
        held = k > 0 && p->processor[k].board == p->processor[k - 1].board ? held + 1 : 1;
        widest = held > widest ? held : widest;
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        const char *name = app->name[i];
        if (app->pin != NULL && app->pin[i] >= 0) {
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module %s is pinned, and a run-time scheduler keeps to no place; "
                             "expected modules without a pin",
                             name);
        }
        inlay_id cores = inlay_app_cores(app, i);
        if (cores > 1 && !p->scheduler->of.holds_cores) {
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module %s needs %" PRId32 " cores, and %s runs modules of one; expected %s", name, cores,
                             p->scheduler->of.name,
                             inlay_machine_main(p->machine) >= 0 ? "modules of one core" : "fifo, lifo or priority");
        }
        if (cores > widest) {
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "module %s needs %" PRId32 " cores; no host has more than %" PRId32 " that take part",
                             name, cores, widest);
        }
    }
    return refuse_types(p, diag);
}

/* ---- Processors ---- */

static int plan_processors(runtime_plan *p, inlay_diag *diag)
{
    bool common = inlay_machine_memory_kind(p->machine) == INLAY_MEMORY_COMMON && !inlay_machine_has_links(p->machine);
    int status = kinds_make(p->app, p->machine, &p->kinds, diag);
    p->processor = pool_array(&p->pool, (size_t)p->cores, sizeof *p->processor);
    if (status != INLAY_OK || p->processor == NULL) {
        return status != INLAY_OK ? status : diag_no_memory(diag);
    }
    for (inlay_id k = 0; k < p->cores; k++) {
        inlay_id host = inlay_machine_host(p->machine, k);
        p->processor[k] = (runtime_processor){host, common ? 0 : host, kinds_of(&p->kinds, k)};
        p->hosts = host + 1 > p->hosts ? host + 1 : p->hosts;
    }
    return INLAY_OK;
}

/* ---- Network ---- */

static int plan_links(runtime_plan *p, const interconnect *network, inlay_diag *diag)
{
    inlay_id *self = memory_array((size_t)p->cores, sizeof *self);
    link_pairs pairs = {0};
    bool room = self != NULL;
    for (inlay_id from = 0; room && from < p->cores; from++) {
        self[from] = from;
        for (inlay_id to = 0; room && to < p->cores; to++) {
            room = p->processor[to].host == p->processor[from].host || link_pairs_add(&pairs, from, to);
        }
    }
    int status = room ? links_plan_make(network, p->grain, &pairs, self, p->cores, &p->links) : INLAY_NO_MEMORY;
    free(self);
    free(pairs.pair);
    p->alone.links = p->links;
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

bool runtime_input_make(const runtime_plan *p, const interconnect *network, runtime_input *input, int64_t messages,
                        int64_t bytes)
{
    int64_t pieces = messages;
    if (!network->in_bytes) {
        pieces = interconnect_messages(network, messages, bytes);
    }
    input->messages = pieces > 0 ? pieces : network->in_bytes && bytes > 0;
    if (input->messages == 0) {
        return false;
    }
    input->share = (double)(network->in_bytes ? bytes : pieces) / (double)input->messages;
    input->latency = (double)pieces * (network->latency * p->grain) +
                     interconnect_along(&network->latency_by_size, network, messages, bytes) * p->grain;
    input->latency = p->options.contention == INLAY_CONTENTION_FREE ? 0 : input->latency;
    return true;
}

/* Where the inputs of a module go, and how many there were: put nowhere, they are counted alone. */
typedef struct input_row {
    runtime_input *at;
    int64_t count;
} input_row;

static void add_input(input_row *row, const runtime_input *in)
{
    if (row->at != NULL) {
        row->at[row->count] = *in;
    }
    row->count++;
}

/* What a link carries by itself, then its data. */
static int64_t inputs_of(const runtime_plan *p, const interconnect *network, inlay_id module, runtime_input *put)
{
    const inlay_app *app = p->app;
    const int64_t *messages = app->data > 0 ? app->own_messages : app->out_messages;
    const int64_t *bytes = app->data > 0 ? app->own_bytes : app->out_bytes;
    input_row row = {put, 0};
    for (int64_t k = app->in_begin[module]; k < app->in_begin[module + 1]; k++) {
        runtime_input in = {.from = app->in_from[k], .datum = -1};
        int64_t l = app_link_to(app, in.from, module);
        if (messages[l] >= 0 && runtime_input_make(p, network, &in, messages[l], bytes[l])) {
            add_input(&row, &in);
        }
        for (in.datum = app->data > 0 ? app->data_begin[in.from] : 0;
             app->data > 0 && in.datum < app->data_begin[in.from + 1]; in.datum++) {
            if (app_consumes(app, in.datum, module) &&
                runtime_input_make(p, network, &in, app->datum_messages[in.datum], app->datum_bytes[in.datum])) {
                add_input(&row, &in);
            }
        }
    }
    return row.count;
}

static int plan_inputs(runtime_plan *p, const interconnect *network, inlay_diag *diag)
{
    bool fetches = p->alone.kind != FABRIC_NONE || interconnect_is_late(network);
    p->input_begin = pool_zeroed(&p->pool, (size_t)p->app->modules + 1, sizeof *p->input_begin);
    if (p->input_begin == NULL || !fetches) {
        return p->input_begin != NULL ? INLAY_OK : diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->app->modules; i++) {
        p->input_begin[i + 1] = p->input_begin[i] + inputs_of(p, network, i, NULL);
    }
    p->input = pool_array(&p->pool, (size_t)p->input_begin[p->app->modules], sizeof *p->input);
    for (inlay_id i = 0; p->input != NULL && i < p->app->modules; i++) {
        (void)inputs_of(p, network, i, p->input + p->input_begin[i]);
    }
    return p->input != NULL ? INLAY_OK : diag_no_memory(diag);
}

static int plan_network(runtime_plan *p, inlay_diag *diag)
{
    if (inlay_machine_main(p->machine) >= 0) {
        return nodes_plan_make(p, diag);
    }
    if (p->hosts == 1) {
        p->input_begin = pool_zeroed(&p->pool, (size_t)p->app->modules + 1, sizeof *p->input_begin);
        return p->input_begin != NULL ? INLAY_OK : diag_no_memory(diag);
    }
    network_unit unit = {p->app->unit, p->options.tick_seconds, p->app->label};
    interconnect network;
    int status = interconnect_make(p->machine, &unit, &network, diag);
    if (status != INLAY_OK) {
        return status;
    }
    fabric_plan_make(&network, p->grain, p->cores, &p->alone);
    bool free = p->options.contention == INLAY_CONTENTION_FREE;
    bool idle = network.free && p->alone.kind != FABRIC_LINKS;
    p->alone.kind = free || idle ? FABRIC_NONE : p->alone.kind;
    if (p->alone.kind == FABRIC_LINKS) {
        status = plan_links(p, &network, diag);
    }
    p->fabric = p->alone;
    p->fabric.kind = p->options.contention == INLAY_CONTENTION_QUEUES ? p->fabric.kind : FABRIC_NONE;
    status = status == INLAY_OK ? plan_inputs(p, &network, diag) : status;
    interconnect_clear(&network);
    return status;
}

/* Whose cores share memory. */
static int plan_memory(runtime_plan *p, inlay_diag *diag)
{
    network_unit unit = {p->app->unit, p->options.tick_seconds, p->app->label};
    interconnect of = interconnect_counting(p->machine, false);
    int status = p->app->traffic_memory == NULL ? INLAY_OK : interconnect_bandwidths(&of, &unit, diag);
    p->bandwidth = of.memory_bandwidth / p->grain;
    p->core_bandwidth = of.core_bandwidth / p->grain;
    return status;
}

/* ---- Chance ---- */

bool runtime_plan_draws(const runtime_plan *p)
{
    bool memories = p->fabric.kind != FABRIC_NONE && p->fabric.draws_memory && p->input != NULL;
    bool victims = (strcmp(p->scheduler->of.name, "stealing") == 0 || p->scheduler->tries_all) && p->cores > 2;
    return module_times_random(&p->times) || memories || victims;
}

/* ---- The whole ---- */

int runtime_plan_make(const inlay_app *app, const inlay_machine *machine, const inlay_scheduled_options *options,
                      runtime_plan *result, inlay_diag *diag)
{
    runtime_plan p = {.app = app, .machine = machine, .options = complete(options, machine)};
    bool nodes = inlay_machine_main(machine) >= 0;
    p.scheduler = nodes ? nodes_scheduler_named(p.options.scheduler) : scheduler_named(p.options.scheduler);
    p.cores = p.options.processors;
    p.grain = pow(10, app->decimals);
    int status = check_options(&p, diag);
    status = status == INLAY_OK ? plan_overhead(&p, diag) : status;
    status = status == INLAY_OK ? timing_make(app, NULL, false, &p.timing, diag) : status;
    status = status == INLAY_OK ? plan_processors(&p, diag) : status;
    status = status == INLAY_OK ? refuse_what_it_cannot(&p, diag) : status;
    status = status == INLAY_OK ? plan_network(&p, diag) : status;
    status = status == INLAY_OK ? plan_memory(&p, diag) : status;
    status = status == INLAY_OK ? module_times_make(app, &p.options.module_time, &p.times, diag) : status;
    if (status != INLAY_OK) {
        runtime_plan_clear(&p);
        return status;
    }
    warn_of_left_out(&p, options == NULL ? 0 : options->prefetch, diag);
    *result = p;
    return INLAY_OK;
}
