/* What must hold of every run. */
#include "schedules.h"
#include "sound_run.h"
#include "graph/app.h"
#include "random_app.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are sums and quotients of a few thousand doubles. */
static const double digits = 1e-9;

static void expect_same(double a, double b)
{
    ck_assert_double_eq_tol(a, b, digits * fmax(1, fabs(b)));
}

/* a <= b */
static void expect_order(double a, double b)
{
    ck_assert_double_le(a, b + digits * fmax(1, fabs(b)));
}

/* A message is due when its sender has come to it: then is known to the slow simulator alone. */
static bool has_overheads(const inlay_machine *machine)
{
    return inlay_machine_send_overhead(machine)->count + inlay_machine_receive_overhead(machine)->count > 0;
}

static void expect_due(const inlay_mapping *mapping, double due, double without)
{
    if (has_overheads(inlay_mapping_machine(mapping)))
        expect_order(without, due);
    else
        expect_same(due, without);
}

/* ---- Figures ---- */

static void check_processors(const inlay_simulation *s)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(s);
    const inlay_summary *mapped = inlay_mapping_summary(inlay_simulation_mapping(s));
    int64_t sent = 0, received = 0;
    for (inlay_id c = 0; c < mapped->clusters; c++) {
        inlay_simulated_processor p = inlay_simulation_processor(s, c);
        ck_assert_int_eq(p.cluster, c);
        ck_assert_int_eq(p.processor, inlay_mapping_cluster(inlay_simulation_mapping(s), c).processor);
        expect_same(p.busy + p.communicating + p.blocked + p.idle, sum->makespan);
        expect_order(0, fmin(fmin(p.busy, p.communicating), fmin(p.blocked, p.idle)));
        sent += p.sent;
        received += p.received;
    }
    ck_assert_int_eq(sent, received);
    ck_assert_int_eq(sum->messages, sent);
    ck_assert_int_ge(sent, mapped->messages); /* traffic without messages takes one */
    expect_order(sum->last_module, sum->makespan);
    expect_order(sum->least, sum->p05);
    expect_order(sum->p05, sum->p50);
    expect_order(sum->p50, sum->p95);
    expect_order(sum->p95, sum->most);
}

static void check_resources(const inlay_simulation *s)
{
    int64_t bus_transfers = 0, memory_transfers = 0;
    bool memories = false;
    for (size_t i = 0; i < inlay_simulation_resources(s); i++) {
        inlay_resource r = inlay_simulation_resource(s, i);
        expect_order(0, r.utilisation);
        if (r.kind != INLAY_RESOURCE_LINK) expect_order(r.utilisation, 1); /* of parallel ones it may be more */
        expect_order(0, r.mean_queue);
        expect_order(r.mean_queue, (double)r.largest_queue);
        expect_order(0, r.mean_delay);
        ck_assert(r.name[0] != '\0');
        bus_transfers += r.kind == INLAY_RESOURCE_BUS ? r.transfers : 0;
        memory_transfers += r.kind == INLAY_RESOURCE_MEMORY ? r.transfers : 0;
        memories |= r.kind == INLAY_RESOURCE_MEMORY;
    }
    if (memories && inlay_simulation_result(s)->replications == 1) ck_assert_int_eq(bus_transfers, memory_transfers);
}

/* ---- Modules ---- */

typedef struct run_view {
    const inlay_simulation *s;
    const inlay_mapping *mapping;
    const inlay_app *app;
    const inlay_simulated_message *message;
    size_t messages;
    const inlay_simulated_message **of_link; /**< of every link and use, or NULL */
    size_t links, uses;
} run_view;

static double units(const run_view *v, inlay_time time)
{
    return inlay_app_in_units(v->app, time);
}

/* The general time alone: the tests have no typed processors. */
static double time_of(const run_view *v, inlay_id module)
{
    return units(v, inlay_app_time(v->app, module));
}

/* How long after its module's start a link is due, where nothing holds it back. */
static double lag_of(const run_view *v, inlay_id from, inlay_id to, bool traffic_only)
{
    if (!inlay_mapping_summary(v->mapping)->streamed || traffic_only) return time_of(v, from);
    double wait = units(v, inlay_app_blocking(v->app, to) - inlay_app_blocking(v->app, from));
    return fmin(fmax(wait, 0), time_of(v, from));
}

static void check_order(const run_view *v)
{
    for (inlay_id c = 0; c < inlay_mapping_summary(v->mapping)->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(v->mapping, c);
        double free_at = 0;
        for (inlay_id k = 0; k < info.modules; k++) {
            inlay_id i = info.module[k];
            double start = inlay_simulation_start(v->s, i), end = inlay_simulation_end(v->s, i);
            expect_order(free_at, start);
            expect_same(end - start, time_of(v, i));
            free_at = end;
        }
        expect_order(free_at, inlay_simulation_recorded_makespan(v->s));
    }
}

static inlay_id host_of(const run_view *v, inlay_id cluster)
{
    inlay_id processor = inlay_mapping_cluster(v->mapping, cluster).processor;
    return inlay_machine_has_links(inlay_mapping_machine(v->mapping))
               ? inlay_machine_host(inlay_mapping_machine(v->mapping), processor)
               : cluster;
}

/* When a cluster that is not its producer's has a datum that it passes on. */
static double had_at(const run_view *v, inlay_id d, inlay_id cluster)
{
    for (size_t m = 0; m < v->messages; m++)
        if (v->message[m].datum == d && v->message[m].receiver == cluster) return v->message[m].arrival;
    ck_abort_msg("nothing comes to who passes it on");
}

/* The copy of a datum that comes to a module, of which there is one; when it arrives. */
static double check_copy(const run_view *v, inlay_id d, inlay_id to)
{
    inlay_datum datum = inlay_app_datum(v->app, d);
    inlay_id from = inlay_mapping_cluster_of(v->mapping, datum.producer);
    inlay_id host = host_of(v, inlay_mapping_cluster_of(v->mapping, to));
    bool trees = inlay_machine_broadcasts_in_trees(inlay_mapping_machine(v->mapping));
    double due = INFINITY, arrival = 0;
    int copies = 0;
    for (int64_t k = 0; k < datum.consumers; k++)
        if (host_of(v, inlay_mapping_cluster_of(v->mapping, datum.consumer[k])) == host)
            due = fmin(due, lag_of(v, datum.producer, datum.consumer[k], false));
    if (inlay_simulation_chosen(v->s)->no_overlap) due = time_of(v, datum.producer);
    for (size_t m = 0; m < v->messages; m++) {
        const inlay_simulated_message *copy = &v->message[m];
        if (copy->datum != d || host_of(v, copy->receiver) != host) continue;
        ck_assert(copy->from == datum.producer && copy->awaited && copy->block < 0);
        if (trees && copy->sender == from && !has_overheads(inlay_mapping_machine(v->mapping)))
            expect_order(copy->due, inlay_simulation_start(v->s, datum.producer) + due);
        if (trees && copy->sender != from) expect_same(copy->due, had_at(v, d, copy->sender));
        if (!trees) ck_assert_int_eq(copy->sender, from);
        if (!trees) expect_due(v->mapping, copy->due, inlay_simulation_start(v->s, datum.producer) + due);
        arrival = copy->arrival;
        copies++;
    }
    bool free = inlay_simulation_chosen(v->s)->contention == INLAY_CONTENTION_FREE;
    ck_assert_int_eq(copies, !free && (datum.messages > 0 || (datum.bytes > 0 && copies > 0)));
    return arrival;
}

/* When all copies for a module that a link leads to are there; 0 where it awaits none. */
static double check_copies(const run_view *v, inlay_id from, inlay_id to)
{
    double latest = 0;
    for (inlay_id d = 0; d < inlay_app_data(v->app); d++) {
        inlay_datum datum = inlay_app_datum(v->app, d);
        for (int64_t k = 0; datum.producer == from && k < datum.consumers; k++)
            if (datum.consumer[k] == to) latest = fmax(latest, check_copy(v, d, to));
    }
    return latest;
}

/* Link number `l`, from module `i`: its message is there where it crosses, and its module does not start before it. */
static void check_link(const run_view *v, inlay_id i, inlay_links out, int64_t k, size_t l)
{
    bool alone = out.flags[k] & INLAY_LINK_TRAFFIC_ONLY;
    bool no_overlap = inlay_simulation_chosen(v->s)->no_overlap;
    inlay_id j = out.module[k];
    const inlay_simulated_message *m = v->of_link[l];
    double due = inlay_simulation_start(v->s, i) + lag_of(v, i, j, alone), satisfied = due;
    inlay_id here = inlay_mapping_cluster_of(v->mapping, i), there = inlay_mapping_cluster_of(v->mapping, j);
    bool crosses = here != there, once = inlay_mapping_summary(v->mapping)->options.copies == INLAY_COPIES_ONCE;
    bool copied = once && !alone && out.own_messages != NULL && host_of(v, here) != host_of(v, there);
    int64_t messages = copied ? out.own_messages[k] : out.messages[k];
    ck_assert(m == NULL || crosses);
    if (m != NULL) {
        ck_assert_int_eq(m->from, i);
        ck_assert_int_eq(m->to, j);
        ck_assert_int_eq(m->sender, inlay_mapping_cluster_of(v->mapping, i));
        ck_assert_int_eq(m->receiver, inlay_mapping_cluster_of(v->mapping, j));
        ck_assert(m->awaited == !alone);
        expect_due(v->mapping, m->due, no_overlap ? inlay_simulation_end(v->s, i) : due);
        satisfied = m->arrival;
    } else if (crosses) {
        ck_assert(inlay_simulation_chosen(v->s)->contention == INLAY_CONTENTION_FREE || messages <= 0 ||
                  inlay_mapping_summary(v->mapping)->traffic_in_bytes);
    }
    if (copied) satisfied = fmax(satisfied, check_copies(v, i, j));
    if (!alone) expect_order(satisfied, inlay_simulation_start(v->s, j));
}

static void check_links(const run_view *v)
{
    size_t l = 0;
    for (inlay_id i = 0; i < inlay_app_modules(v->app); i++) {
        inlay_links out = inlay_app_out(v->app, i);
        for (int64_t k = 0; k < out.count; k++)
            check_link(v, i, out, k, l++);
    }
}

/* ---- Messages ---- */

static void check_message(const run_view *v, const inlay_simulated_message *m)
{
    double latency = inlay_simulation_chosen(v->s)->contention == INLAY_CONTENTION_FREE
                         ? 0
                         : inlay_mapping_summary(v->mapping)->latency;
    ck_assert_int_ne(m->sender, m->receiver);
    ck_assert_int_ge(m->messages, 1);
    expect_order(m->due, m->request);
    expect_order(m->request, m->begin);
    expect_order(m->begin, m->sent);
    expect_order(m->service, m->sent - m->request);
    expect_order(m->sent, m->arrival);
    if (inlay_machine_latency_by_size(inlay_mapping_machine(v->mapping))->count ==
        0) /* else the slow simulator tells */
        expect_order(m->arrival, m->sent + (double)m->messages * latency);
    expect_order(m->arrival, inlay_simulation_recorded_makespan(v->s));
    ck_assert((m->from < 0) == (m->block >= 0));
}

/* Two intervals that hold one thing. */
static void expect_apart(double from_a, double to_a, double from_b, double to_b)
{
    ck_assert(to_a <= from_b + digits * fmax(1, from_b) || to_b <= from_a + digits * fmax(1, from_a));
}

/* A sender has one message under way, but over links; a bus serves one, a multiple bus no more than it has and a memory one. */
static void check_exclusion(const run_view *v)
{
    const inlay_machine *machine = inlay_mapping_machine(v->mapping);
    bool single = inlay_machine_transfers(machine) <= 1; /* else there is waiting between the transfers */
    bool links = inlay_machine_has_links(machine);
    inlay_id buses = inlay_machine_buses(machine);
    if (inlay_simulation_resources(v->s) == 0) return;
    for (size_t a = 0; a < v->messages; a++) {
        const inlay_simulated_message *x = &v->message[a];
        inlay_id at_once = 1;
        for (size_t b = 0; b < v->messages; b++) {
            const inlay_simulated_message *y = &v->message[b];
            if (a == b) continue;
            if (x->sender == y->sender && !links) expect_apart(x->request, x->sent, y->request, y->sent);
            if (!single || buses == 0 || x->messages > 1 || y->messages > 1) continue;
            if (buses == 1 || (x->memory >= 0 && x->memory == y->memory))
                expect_apart(x->begin, x->sent, y->begin, y->sent);
            double middle = (x->begin + x->sent) / 2;
            at_once += y->begin < middle && middle < y->sent;
        }
        if (buses > 0) ck_assert_int_le(at_once, buses);
    }
}

static void check_messages(const run_view *v)
{
    int64_t messages = 0;
    double before = 0;
    for (size_t m = 0; m < v->messages; m++) {
        check_message(v, &v->message[m]);
        messages += v->message[m].messages;
        ck_assert_double_le(before, v->message[m].request);
        before = v->message[m].request;
    }
    if (inlay_simulation_chosen(v->s)->contention != INLAY_CONTENTION_FREE)
        ck_assert_int_eq(messages, inlay_simulation_result(v->s)->messages);
    check_exclusion(v);
}

/* ---- The critical path ---- */

static void check_step(const run_view *v, const inlay_step *step)
{
    ck_assert_double_lt(step->from, step->to);
    if (step->kind == INLAY_STEP_COMPUTE) {
        expect_order(inlay_simulation_start(v->s, step->module), step->from);
        expect_order(step->to, inlay_simulation_end(v->s, step->module));
        return;
    }
    if (step->kind == INLAY_STEP_OVERHEAD) {
        bool before = step->from < inlay_simulation_start(v->s, step->module);
        ck_assert(has_overheads(inlay_mapping_machine(v->mapping)));
        if (before)
            expect_order(step->to, inlay_simulation_start(v->s, step->module));
        else
            expect_order(inlay_simulation_end(v->s, step->module), step->from);
        return;
    }
    ck_assert_int_ge(step->message, 0);
    const inlay_simulated_message *m = &v->message[step->message];
    expect_order(m->due, step->from);
    expect_order(step->to, m->arrival);
    if (step->kind == INLAY_STEP_WAIT) expect_order(step->to, m->request);
}

static void check_path(const run_view *v)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(v->s);
    size_t count;
    const inlay_step *step = inlay_simulation_path(v->s, &count);
    double at = 0, makespan = inlay_simulation_recorded_makespan(v->s);
    for (size_t i = 0; i < count; i++) {
        check_step(v, &step[i]);
        ck_assert_double_eq(step[i].from, at);
        at = step[i].to;
    }
    ck_assert_double_eq(at, makespan);
    if (makespan > 0) expect_same(sum->compute + sum->wait + sum->network, 1);
}

/* ---- All of it ---- */

static void check_record(const inlay_simulation *s)
{
    run_view v = {.s = s, .mapping = inlay_simulation_mapping(s)};
    v.app = inlay_mapping_app(v.mapping);
    v.message = inlay_simulation_messages(s, &v.messages);
    v.links = (size_t)inlay_app_links(v.app);
    for (inlay_id d = 0; d < inlay_app_blocks(v.app); d++)
        v.uses += (size_t)inlay_app_uses(v.app, d).count;
    v.of_link = calloc(v.links + v.uses + 1, sizeof *v.of_link);
    for (size_t m = 0; m < v.messages; m++) {
        size_t link = (size_t)v.message[m].link;
        ck_assert_uint_lt(link, v.links + v.uses);
        if (v.message[m].datum >= 0) continue;
        ck_assert_ptr_null(v.of_link[link]); /* once */
        v.of_link[link] = &v.message[m];
    }
    check_order(&v);
    check_links(&v);
    check_messages(&v);
    check_path(&v);
    free(v.of_link);
}

void expect_sound(const inlay_simulation *simulation)
{
    const inlay_simulation_options *o = inlay_simulation_chosen(simulation);
    check_processors(simulation);
    check_resources(simulation);
    bool plain = o->module_time.kind == INLAY_SPREAD_CONSTANT && o->compute_scale == 1 && o->network_scale == 1;
    if (inlay_simulation_recorded(simulation) && plain) check_record(simulation);
}

inlay_simulation *simulated(const inlay_mapping *mapping, const inlay_simulation_options *options)
{
    inlay_simulation_options recorded = options == NULL ? (inlay_simulation_options){0} : *options;
    inlay_simulation *simulation = NULL;
    recorded.record = recorded.processor_scale == NULL; /* of which the result does not tell */
    ck_assert_int_eq(inlay_simulate(mapping, &recorded, &simulation, NULL), INLAY_OK);
    expect_sound(simulation);
    return simulation;
}

double simulated_makespan(const inlay_mapping *mapping, const inlay_simulation_options *options)
{
    inlay_simulation *simulation = simulated(mapping, options);
    double makespan = inlay_simulation_result(simulation)->makespan;
    inlay_simulation_free(simulation);
    return makespan;
}

/* ---- Screens ---- */

double screen_of(const inlay_mapping *mapping, inlay_contention contention)
{
    double screen = NAN;
    ck_assert_int_eq(inlay_mapping_screen(mapping, contention, &screen, NULL), INLAY_OK);
    return screen;
}

/* What each processor, each sender and all buses together work. */
static void expect_covered(const inlay_simulation *run, double screen)
{
    const inlay_machine *machine = inlay_mapping_machine(inlay_simulation_mapping(run));
    bool links = inlay_machine_has_links(machine);
    double makespan = inlay_simulation_result(run)->makespan, buses = 0;
    size_t count;
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    for (inlay_id c = 0; c < inlay_mapping_summary(inlay_simulation_mapping(run))->clusters; c++) {
        double sends = 0;
        for (size_t i = 0; i < count; i++)
            sends += m[i].sender == c && !links ? m[i].service : 0;
        ck_assert_double_ge(screen * (1 + digits), fmax(sends, inlay_simulation_processor(run, c).busy));
    }
    for (size_t i = 0; i < inlay_simulation_resources(run); i++) {
        inlay_resource r = inlay_simulation_resource(run, i);
        buses += r.kind == INLAY_RESOURCE_BUS ? r.utilisation * makespan : 0;
    }
    if (buses > 0) ck_assert_double_ge(screen * (1 + digits), buses / inlay_machine_buses(machine));
}

void expect_screen(const inlay_simulation *run, double expected, double tolerance)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(run);
    double screen[INLAY_CONTENTION_FREE + 1];
    for (int k = INLAY_CONTENTION_QUEUES; k <= INLAY_CONTENTION_FREE; k++)
        screen[k] = screen_of(mapping, (inlay_contention)k);
    for (int k = INLAY_CONTENTION_NONE; k <= INLAY_CONTENTION_FREE; k++) {
        inlay_simulation_options options = {.contention = (inlay_contention)k};
        inlay_simulation *less = NULL;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &less, NULL), INLAY_OK);
        expect_same(screen[k], inlay_simulation_result(less)->makespan);
        inlay_simulation_free(less);
        ck_assert_double_ge(screen[k - 1] * (1 + digits), screen[k]);
    }
    ck_assert_double_le(fabs(screen[INLAY_CONTENTION_QUEUES] - expected), tolerance * fmax(1, expected));
    expect_covered(run, screen[INLAY_CONTENTION_QUEUES]);
}

/* ---- Placements ---- */

inlay_mapping *placed(const inlay_app *app, const inlay_machine *machine, const inlay_id *processor_of,
                      const inlay_options *options)
{
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_evaluate(app, machine, processor_of, options, &mapping, NULL), INLAY_OK);
    return mapping;
}

/* The processors of the host that a processor is of: those that share a memory, or what the machine says. */
static inlay_id host_begin(const inlay_machine *machine, inlay_id at, inlay_id *count)
{
    inlay_id all = inlay_machine_processors(machine), begin = at, end = at;
    if (!inlay_machine_has_links(machine)) {
        *count = all;
        return 0;
    }
    while (begin > 0 && inlay_machine_host(machine, begin - 1) == inlay_machine_host(machine, at))
        begin--;
    while (end < all && inlay_machine_host(machine, end) == inlay_machine_host(machine, at))
        end++;
    *count = end - begin;
    return begin;
}

inlay_mapping *placed_on_cores(uint64_t *state, inlay_app *app, const inlay_machine *machine)
{
    inlay_id order[RANDOM_MODULES], module[4 * RANDOM_MODULES], processor[4 * RANDOM_MODULES];
    inlay_task_schedule schedule = {0, module, processor, random_once_in(state, 2), NULL};
    inlay_mapping *mapping = NULL;
    app->cores = calloc((size_t)app->modules, sizeof *app->cores);
    random_topological(state, app, order);
    for (inlay_id k = 0; k < app->modules; k++) {
        int32_t wanted = 1 + (int32_t)(random_once_in(state, 2) ? random_below(state, 4) : 0);
        inlay_id at = (inlay_id)random_below(state, inlay_machine_processors(machine)), count;
        inlay_id begin = host_begin(machine, at, &count), step = random_once_in(state, 2) ? 1 : count - 1;
        app->cores[order[k]] = wanted < count ? wanted : count;
        for (int32_t core = 0; core < app->cores[order[k]]; core++, at += step) {
            module[schedule.entries] = order[k];
            processor[schedule.entries++] = begin + (at - begin) % count;
        }
    }
    ck_assert_int_eq(inlay_evaluate_schedule(app, machine, &schedule, NULL, &mapping, NULL), INLAY_OK);
    return mapping;
}

inlay_mapping *placed_anyhow(uint64_t *state, const inlay_app *app, const inlay_machine *machine,
                             inlay_id *processor_of)
{
    const inlay_options options = {.copies = random_once_in(state, 4) ? INLAY_COPIES_EACH : INLAY_COPIES_ONCE};
    if (random_once_in(state, 2)) return placed(app, machine, processor_of, &options);
    inlay_id order[RANDOM_MODULES], at[RANDOM_MODULES] = {0};
    inlay_mapping *mapping = NULL;
    random_topological(state, app, order);
    inlay_id entry[RANDOM_MODULES];
    const inlay_task_schedule schedule = ordered_schedule(inlay_app_modules(app), processor_of, order, entry);
    ck_assert_int_eq(inlay_evaluate_schedule(app, machine, &schedule, &options, &mapping, NULL), INLAY_OK);
    ck_assert(inlay_mapping_summary(mapping)->order_given);
    for (inlay_id k = 0; k < inlay_app_modules(app); k++) {
        inlay_id c = inlay_mapping_cluster_of(mapping, order[k]);
        ck_assert_int_eq(inlay_mapping_cluster(mapping, c).module[at[c]++], order[k]);
    }
    return mapping;
}
