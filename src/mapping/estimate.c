/* The closed-form estimate. */
#include "mapping/estimate.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void estimator_clear(estimator *e)
{
    free(e->m);
    free(e->start);
    free(e->free_at);
    free(e->arrival);
    free(e->stretch);
    free(e->moved);
    free(e->ready);
    sent_clear(&e->sent);
    overheads_clear(&e->overheads);
    rendezvous_clear(&e->rendezvous);
    link_load_clear(&e->load);
    *e = (estimator){0};
}

/* Time from the start of a producer until a link of it is due. */
static double lag_of(const estimator *e, inlay_id from, inlay_id to)
{
    double lag = e->p->timing.streamed ? problem_lag_on(e->p, from, to, e->place->processor[e->place->cluster_of[from]])
                                       : e->m[from];
    return e->stretch == NULL ? lag : lag * e->stretch[from];
}

/* A copy sets out when the first of the links is due that await it, or one that comes of it. */
static double first_lag(const estimator *e, inlay_id from, int64_t entry)
{
    const sendings *s = &e->sent;
    double lag = INFINITY;
    for (int64_t on = entry; on >= 0; on = sent_behind(s, entry, on)) {
        sent_links links = sent_awaiting(s, sent_at(s, on).copy);
        for (int64_t k = 0; k < links.count; k++) {
            lag = fmin(lag, lag_of(e, from, s->app->out_to[links.link[k]]));
        }
    }
    return lag;
}

static bool is_early(const void *context, inlay_id module, int64_t entry)
{
    const estimator *e = context;
    sent_entry of = sent_at(&e->sent, entry);
    bool awaited = !(e->sent.app->out_flags[of.link] & INLAY_LINK_TRAFFIC_ONLY);
    double lag = of.copy != NULL ? first_lag(e, module, entry) : awaited ? lag_of(e, module, of.to) : e->m[module];
    return lag < e->m[module]; /* nothing is stretched yet */
}

static int make_overheads(estimator *e)
{
    overheads_at at = {.network = &e->p->network,
                       .cluster_of = e->place->cluster_of,
                       .processor = e->place->processor,
                       .grains = 1,
                       .early = e->p->timing.streamed ? is_early : NULL,
                       .context = e};
    return overheads_make(&e->sent, &at, &e->overheads);
}

static int make_rendezvous(estimator *e)
{
    const placement *place = e->place;
    int status = rendezvous_make(&e->sent, &e->p->network, place->cluster_of, place->processor, &e->rendezvous);
    if (status == INLAY_OK && e->rendezvous.waits != NULL) {
        e->ready = memory_array((size_t)e->sent.entries, sizeof *e->ready);
        status = e->ready == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    }
    return status;
}

static int make_stretch(estimator *e)
{
    const problem *p = e->p;
    if (!(p->network.memory_bandwidth > 0) || p->app->traffic_memory == NULL) {
        return INLAY_OK;
    }
    inlay_id boards = inlay_machine_processors(p->machine);
    for (inlay_id c = 0; c < e->place->clusters; c++) {
        /* clusters that are still to be reduced stand behind the machine's processors, as on more of the same */
        boards = e->place->processor[c] < boards ? boards : e->place->processor[c] + 1;
    }
    e->stretch = memory_array((size_t)p->modules, sizeof *e->stretch);
    e->moved = memory_zeroed((size_t)e->place->clusters + (size_t)boards, sizeof *e->moved);
    if (e->stretch == NULL || e->moved == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id c = e->place->cluster_of[i];
        e->stretch[i] = 1;
        e->moved[c] += (double)p->app->traffic_memory[i];
        e->moved[e->place->clusters + inlay_machine_board(p->machine, e->place->processor[c])] +=
            (double)p->app->traffic_memory[i];
    }
    return INLAY_OK;
}

int estimator_make(const problem *p, const inlay_id *order, const placement *place, double weighted, estimator *result,
                   inlay_diag *diag)
{
    estimator e = {.p = p, .order = order, .place = place, .demand = weighted};
    e.m = memory_array((size_t)p->modules, sizeof *e.m);
    e.start = memory_array((size_t)p->modules, sizeof *e.start);
    e.free_at = memory_array((size_t)place->clusters, sizeof *e.free_at);
    if (e.m == NULL || e.start == NULL || e.free_at == NULL || sent_by(p, place, &e.sent) != INLAY_OK) {
        estimator_clear(&e);
        return diag_no_memory(diag);
    }
    e.arrival = e.sent.pass == NULL ? NULL : memory_array((size_t)e.sent.entries, sizeof *e.arrival);
    if (e.sent.pass != NULL && e.arrival == NULL) {
        estimator_clear(&e);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        e.m[i] = problem_time_on(p, i, place->processor[place->cluster_of[i]]);
    }
    int status = make_overheads(&e);
    status = status == INLAY_OK ? make_rendezvous(&e) : status;
    status = status == INLAY_OK ? make_stretch(&e) : status;
    if (status != INLAY_OK) {
        diag_no_memory(diag);
    } else if (inlay_machine_has_links(p->machine)) {
        status = link_load_make(p, place, &e.sent, &e.load, diag);
        e.demand = status == INLAY_OK ? link_load_demand(&e.load) : 0;
    } else {
        e.demand -= sent_spared(&e.sent, &p->network);
    }
    if (status != INLAY_OK) {
        estimator_clear(&e);
        return status;
    }
    *result = e;
    return INLAY_OK;
}

/* Mean over all traffic and the links that it passes; where nothing travels, that of the point itself. */
static double mean_tau(const link_load *load, double alone)
{
    double time = 0, carried = 0;
    for (size_t f = 0; f < load->flows; f++) {
        time += (double)load->traffic[f] * load->tau[f];
        carried += (double)load->traffic[f] * (double)(load->route_begin[f + 1] - load->route_begin[f]);
    }
    return carried > 0 ? time / carried : alone;
}

int estimate_network(estimator *e, double time_frame, network_point *at)
{
    const interconnect *network = &e->p->network;
    int status =
        isinf(time_frame) ? interconnect_at(network, 0, 1, at) : interconnect_at(network, e->demand, time_frame, at);
    if (status == INLAY_OK && inlay_machine_has_links(e->p->machine)) {
        status = link_load_at(&e->load, time_frame);
        at->tau = status == INLAY_OK ? mean_tau(&e->load, at->tau) : at->tau;
    }
    return status;
}

/* Time of all messages of an entry from a cluster to another of a machine with links. */
static double over_links(const estimator *e, const sent_entry *of, inlay_id here, inlay_id there, bool idle)
{
    const interconnect *network = &e->p->network;
    int64_t flow = link_load_flow(&e->load, here, there);
    if (flow < 0) {
        return 0;
    }
    int64_t messages = interconnect_messages(network, of->messages, of->bytes);
    double latency = (double)messages * (network->latency + e->load.latency[flow]) +
                     interconnect_along(&network->latency_by_size, network, of->messages, of->bytes);
    int64_t traffic = interconnect_traffic(network, of->messages, of->bytes);
    return idle ? latency : (double)traffic * e->load.tau[flow] + latency;
}

/* A lag, and behind it the time of all messages of an entry where it leaves its cluster. */
static double behind_lag(const estimator *e, double lag, inlay_id from, int64_t entry, const network_point *at)
{
    const interconnect *network = &e->p->network;
    sent_entry of = sent_at(&e->sent, entry);
    inlay_id here = sent_sender(&e->sent, entry, e->place->cluster_of[from]), there = e->place->cluster_of[of.to];
    if (here == there) {
        return lag;
    }
    int64_t traffic = interconnect_traffic(network, of.messages, of.bytes);
    if (inlay_machine_has_links(network->machine)) {
        return lag + over_links(e, &of, here, there, at == NULL);
    }
    double tau = at == NULL ? 0 : at->tau;
    int distance = interconnect_distance(network, e->place->processor[here], e->place->processor[there]);
    return lag + (double)traffic * distance * tau + interconnect_latency(network, of.messages, of.bytes);
}

static void satisfy(estimator *e, inlay_id module, double time)
{
    e->start[module] = fmax(e->start[module], time);
}

/* All that awaits an entry. */
static void satisfy_all(estimator *e, int64_t entry, double time)
{
    int64_t own;
    sent_links links = rendezvous_links(&e->sent, entry, &own);
    for (int64_t k = 0; k < links.count; k++) {
        satisfy(e, e->sent.app->out_to[links.link[k]], time);
    }
}

/*
 * A module comes to the head of its processor at `time`, and with it what waited for that. Of the consumers of a copy that
 * is the first in the order of all: the run's may be another, of another processor of the host.
 */
static void receive(estimator *e, inlay_id module, double time, const network_point *at)
{
    const rendezvous *r = &e->rendezvous;
    for (int64_t k = r->begin[module]; k < r->begin[module + 1]; k++) {
        int64_t entry = r->entry[k];
        if (e->ready[entry] >= 0) {
            inlay_id from = (inlay_id)sorted_row(e->sent.begin, e->p->modules, entry);
            satisfy_all(e, entry, fmax(e->ready[entry], time) + behind_lag(e, 0, from, entry, at));
            e->ready[entry] = -1;
        }
    }
}

/* A copy, and those that come of it. */
static void deliver(estimator *e, inlay_id from, int64_t entry, const network_point *at)
{
    const sendings *s = &e->sent;
    for (int64_t on = entry; on >= 0; on = sent_behind(s, entry, on)) {
        double time = e->start[from];
        double lag = on == entry ? first_lag(e, from, entry) + overheads_of(&e->overheads, entry) : 0;
        if (on != entry) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what comes of a copy is passed on */
            time = e->arrival[s->pass[on].holder];
        }
        double arrival = time + behind_lag(e, lag, from, on, at);
        if (e->arrival != NULL) {
            e->arrival[on] = arrival;
        }
        satisfy_all(e, on, arrival);
    }
}

/* Everything that a module sends. */
static void send_all(estimator *e, inlay_id from, const network_point *at)
{
    const sendings *s = &e->sent;
    for (int64_t entry = s->begin[from]; entry < s->begin[from + 1]; entry++) {
        if (sent_is_passed_on(s, entry)) {
            continue;
        }
        sent_entry of = sent_at(s, entry);
        if (e->ready != NULL && e->rendezvous.waits[entry]) {
            double lag = of.copy != NULL ? first_lag(e, from, entry) : lag_of(e, from, of.to);
            e->ready[entry] = e->start[from] + (lag + overheads_of(&e->overheads, entry));
        } else if (of.copy != NULL) {
            deliver(e, from, entry, at);
        } else if (!(s->app->out_flags[of.link] & INLAY_LINK_TRAFFIC_ONLY)) {
            double lag = lag_of(e, from, of.to) + overheads_of(&e->overheads, entry);
            satisfy(e, of.to, e->start[from] + behind_lag(e, lag, from, entry, at));
        }
    }
}

/* A module of several cores starts when the last of them is free, and frees them together. */
static void await_guests(estimator *e, inlay_id module)
{
    const placement *place = e->place;
    for (int64_t g = place->guest_begin[module]; g < place->guest_begin[module + 1]; g++) {
        e->start[module] = fmax(e->start[module], e->free_at[place->guest[g]]);
    }
}

static void hold_guests(estimator *e, inlay_id module, double held)
{
    const placement *place = e->place;
    for (int64_t g = place->guest_begin[module]; g < place->guest_begin[module + 1]; g++) {
        e->free_at[place->guest[g]] = e->start[module] + held;
    }
}

/* All modules in their order, each by as much longer as it is said to be. */
static double estimate_pass(estimator *e, const network_point *at)
{
    double elapsed = 0;
    memset(e->start, 0, (size_t)e->p->modules * sizeof *e->start);
    for (int64_t k = 0; e->ready != NULL && k < e->sent.entries; k++) {
        e->ready[k] = -1;
    }
    memset(e->free_at, 0, (size_t)e->place->clusters * sizeof *e->free_at);
    for (inlay_id k = 0; k < e->p->modules; k++) {
        inlay_id i = e->order[k];
        double *free_at = &e->free_at[e->place->cluster_of[i]];
        if (e->ready != NULL) {
            receive(e, i, *free_at, at);
        }
        e->start[i] = fmax(e->start[i], *free_at);
        if (e->place->guest_begin != NULL) {
            await_guests(e, i);
        }
        e->start[i] += overheads_before(&e->overheads, i);
        double held = e->m[i] * (e->stretch == NULL ? 1 : e->stretch[i]) + overheads_behind(&e->overheads, i);
        *free_at = e->start[i] + held;
        if (e->place->guest_begin != NULL) {
            hold_guests(e, i, held);
        }
        elapsed = fmax(elapsed, *free_at);
        send_all(e, i, at);
    }
    return elapsed;
}

/*
 * A module takes longer by as much as it and the others of its board ask for more than there is: it while it runs, the
 * other processors on the average over the time that all takes without that.
 */
static void stretch(estimator *e, double elapsed)
{
    const interconnect *n = &e->p->network;
    for (inlay_id i = 0; elapsed > 0 && i < e->p->modules; i++) {
        inlay_id c = e->place->cluster_of[i], board = inlay_machine_board(n->machine, e->place->processor[c]);
        double own = e->m[i] > 0 ? (double)e->p->app->traffic_memory[i] / e->m[i] : 0;
        double most = n->core_bandwidth * (double)inlay_app_cores(e->p->app, i);
        own = most > 0 ? fmin(own, most) : own;
        double others = (e->moved[e->place->clusters + board] - e->moved[c]) / elapsed;
        e->stretch[i] = own > 0 ? fmax(1, (own + others) / n->memory_bandwidth) : 1;
    }
}

double estimate_at(estimator *e, const network_point *at)
{
    if (e->stretch == NULL) {
        return estimate_pass(e, at);
    }
    for (inlay_id i = 0; i < e->p->modules; i++) {
        e->stretch[i] = 1;
    }
    stretch(e, estimate_pass(e, at));
    return estimate_pass(e, at);
}

/* ---- The fixed point: a root of E(T) - T, which falls with T since tau does ---- */

/* E(T) - T; +inf at saturation, which only the lower end of the bracket touches. */
static double excess(double time_frame, void *context)
{
    estimator *e = context;
    network_point at = {0};
    return estimate_network(e, time_frame, &at) == INLAY_OK ? estimate_at(e, &at) - time_frame : INFINITY;
}

/* GSL's own handler would end the process: off while it works. */
static int solve(estimator *e, double low, double high, double *root, inlay_diag *diag)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_function function;
    function.function = excess;
    function.params = e;
    int status = solver == NULL ? GSL_ENOMEM : gsl_root_fsolver_set(solver, &function, low, high);
    for (int step = 0; status == GSL_SUCCESS && step < 100; step++) {
        status = gsl_root_fsolver_iterate(solver);
        *root = gsl_root_fsolver_root(solver);
        if (status == GSL_SUCCESS &&
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, 1e-15) ==
                GSL_SUCCESS) {
            break;
        }
    }
    gsl_root_fsolver_free(solver);
    gsl_set_error_handler(before);
    return status == GSL_SUCCESS ? INLAY_OK
                                 : diag_fail(diag, INLAY_SYSTEM, "the fixed point: %s", gsl_strerror(status));
}

/*
 * A time frame at which E(T) <= T, by doubling from E on an idle network: as T grows, tau and with it E fall towards that.
 * Infinity where none is found.
 */
static double frame_above(estimator *e, double low)
{
    network_point idle = {0};
    if (estimate_network(e, INFINITY, &idle) != INLAY_OK) {
        return INFINITY;
    }
    double high = fmax(estimate_at(e, &idle), low) * (1 + 1e-9);
    while (isfinite(high) && excess(high, e) > 0) {
        high *= 2;
    }
    return high;
}

int estimate_fixed_point(estimator *e, double *result, inlay_diag *diag)
{
    const interconnect *network = &e->p->network;
    network_point idle = {0};
    if (network->free || !(e->demand > 0)) {
        /* nothing crosses that is charged for by its amount and meets others */
        bool links = inlay_machine_has_links(e->p->machine) && estimate_network(e, INFINITY, &idle) == INLAY_OK;
        *result = estimate_at(e, links ? &idle : NULL);
        return INLAY_OK;
    }
    /* At saturation D of buses stays finite: where E is below T even there, no T has E = T. */
    double low = interconnect_saturation_frame(network, e->demand) * (1 + 1e-12);
    double at_low = excess(low, e);
    if (!(at_low > 0) || !isfinite(at_low)) {
        *result = at_low == 0 ? low : NAN;
        return INLAY_OK;
    }
    double high = frame_above(e, low), root = high;
    if (!isfinite(high)) {
        *result = NAN;
        return INLAY_OK;
    }
    int status = solve(e, low, high, &root, diag);
    *result = status == INLAY_OK ? root : *result;
    return status;
}
