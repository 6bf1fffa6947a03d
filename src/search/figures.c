/* What a clustering costs, over flat arrays. */
#include "search/figures_exact.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "problem/order.h"
#include "search/crossing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The arrays that all clusterings share ---- */

void figures_clear(figures *f)
{
    pool_clear(&f->arrays);
    *f = (figures){0};
}

static bool is_precedence(const inlay_app *app, int64_t link)
{
    return !(app->out_flags[link] & INLAY_LINK_TRAFFIC_ONLY);
}

static bool allocate(figures *f)
{
    const problem *p = f->p;
    size_t n = (size_t)p->modules, links = (size_t)p->app->links;
    for (int64_t l = 0; l < p->app->links; l++) {
        f->others += !is_precedence(p->app, l);
    }
    size_t others = (size_t)f->others;
    links -= others;
    f->order = pool_array(&f->arrays, n, sizeof *f->order);
    f->m = pool_array(&f->arrays, n, sizeof *f->m);
    f->begin = pool_array(&f->arrays, n + 1, sizeof *f->begin);
    f->to = pool_array(&f->arrays, links, sizeof *f->to);
    f->lag = pool_array(&f->arrays, links, sizeof *f->lag);
    f->late = interconnect_is_late(&p->network) ? pool_array(&f->arrays, links, sizeof *f->late) : NULL;
    f->traffic = pool_array(&f->arrays, links, sizeof *f->traffic);
    f->messages = pool_array(&f->arrays, links, sizeof *f->messages);
    f->other_from = pool_array(&f->arrays, others, sizeof *f->other_from);
    f->other_to = pool_array(&f->arrays, others, sizeof *f->other_to);
    f->other_traffic = pool_array(&f->arrays, others, sizeof *f->other_traffic);
    f->other_messages = pool_array(&f->arrays, others, sizeof *f->other_messages);
    return !f->arrays.failed;
}

/* Links of the module at place k; `with` and `without` precedence are filled up to there. */
static void copy_links(figures *f, const inlay_id *rank, inlay_id k, int64_t *with, int64_t *without)
{
    const problem *p = f->p;
    const inlay_app *app = p->app;
    inlay_id i = f->order[k];
    for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
        inlay_id j = app->out_to[l];
        int64_t traffic = problem_link_traffic(p, l);
        int64_t messages = interconnect_messages(&p->network, app->out_messages[l], app->out_bytes[l]);
        if (is_precedence(app, l)) {
            int64_t at = (*with)++;
            f->to[at] = rank[j];
            f->lag[at] =
                p->timing.streamed ? inlay_app_in_units(app, timing_lag(&p->timing, i, j)) / p->kinds.speed : f->m[k];
            f->traffic[at] = traffic;
            f->messages[at] = messages;
            if (f->late != NULL) {
                f->late[at] = interconnect_latency(&p->network, app->out_messages[l], app->out_bytes[l]);
            }
        } else {
            int64_t at = (*without)++;
            f->other_from[at] = k;
            f->other_to[at] = rank[j];
            f->other_traffic[at] = traffic;
            f->other_messages[at] = messages;
        }
    }
}

static int fill(figures *f, inlay_diag *diag)
{
    const problem *p = f->p;
    inlay_id *rank = memory_array((size_t)p->modules, sizeof *rank);
    int status = rank == NULL || !allocate(f) ? diag_no_memory(diag) : execution_order(p, NULL, f->order, diag);
    if (status != INLAY_OK) {
        free(rank);
        return status;
    }
    for (inlay_id k = 0; k < p->modules; k++) {
        rank[f->order[k]] = k;
        f->m[k] = inlay_app_in_units(p->app, p->timing.m[f->order[k]]) / p->kinds.speed;
    }
    int64_t with = 0, without = 0;
    for (inlay_id k = 0; k < p->modules; k++) {
        f->begin[k] = with;
        copy_links(f, rank, k, &with, &without);
    }
    f->begin[p->modules] = with;
    free(rank);
    return INLAY_OK;
}

int figures_make(const problem *p, figures *result, inlay_diag *diag)
{
    figures f = {.p = p};
    network_point idle = {0};
    int status = fill(&f, diag);
    if (status == INLAY_OK && !p->network.free && interconnect_at(&p->network, 0, 1, &idle) != INLAY_OK) {
        status = diag_fail(diag, INLAY_OVERFLOW, "the delay of the idle network passes the range of floating point");
    }
    if (status != INLAY_OK) {
        figures_clear(&f);
        return status;
    }
    f.idle_tau = idle.tau;
    *result = f;
    return INLAY_OK;
}

/* ---- The workspace ---- */

void figures_workspace_clear(figures_workspace *workspace)
{
    pool_clear(&workspace->arrays);
    estimator_clear(&workspace->exact);
    *workspace = (figures_workspace){0};
}

int figures_workspace_make(const figures *f, figures_workspace *workspace, inlay_diag *diag)
{
    size_t n = (size_t)f->p->modules, links = (size_t)f->begin[n], slots = (size_t)f->p->slots;
    figures_workspace d = {0};
    d.cluster_of = pool_array(&d.arrays, n, sizeof *d.cluster_of);
    d.weight = pool_array(&d.arrays, links, sizeof *d.weight);
    d.late = f->late != NULL ? pool_array(&d.arrays, links, sizeof *d.late) : NULL;
    d.start = pool_array(&d.arrays, n, sizeof *d.start);
    d.carried = pool_array(&d.arrays, n, sizeof *d.carried);
    d.free_at = pool_array(&d.arrays, n, sizeof *d.free_at);
    d.brought = pool_array(&d.arrays, n, sizeof *d.brought);
    d.clusters = pool_array(&d.arrays, n, sizeof *d.clusters);
    d.seen = pool_array(&d.arrays, slots, sizeof *d.seen);
    d.count = pool_array(&d.arrays, slots, sizeof *d.count);
    d.sorted = pool_array(&d.arrays, n, sizeof *d.sorted);
    d.begin = pool_array(&d.arrays, n + 1, sizeof *d.begin);
    d.own_work = figures_need_exact(f->p) ? pool_array(&d.arrays, n, sizeof *d.own_work) : NULL;
    if (d.arrays.failed) {
        figures_workspace_clear(&d);
        return diag_no_memory(diag);
    }
    *workspace = d;
    return INLAY_OK;
}

/* ---- A clustering on the workspace ---- */

/* Between two clusters; 1 where there are more of them than processors, so that they stand nowhere. */
static int distance_of(const problem *p, const placement *place, inlay_id from, inlay_id to)
{
    return inlay_machine_has_links(p->machine) && place->clusters > inlay_machine_processors(p->machine)
               ? 1
               : interconnect_distance(&p->network, place->processor[from], place->processor[to]);
}

/* One link or use that may cross; its distance, 0 within a cluster. */
static int count_crossing(const figures *f, figures_workspace *workspace, const placement *place, inlay_id from,
                          inlay_id to, int64_t traffic, int64_t messages)
{
    if (from == to) {
        return 0;
    }
    int distance = distance_of(f->p, place, from, to);
    workspace->messages += messages;
    workspace->traffic += traffic;
    workspace->weighted += traffic * distance;
    workspace->clusters[from].sent += traffic * distance;
    return distance;
}

static void lay_links(const figures *f, figures_workspace *workspace, const placement *place)
{
    for (inlay_id k = 0; k < f->p->modules; k++) {
        inlay_id here = workspace->cluster_of[k];
        for (int64_t l = f->begin[k]; l < f->begin[k + 1]; l++) {
            int distance = count_crossing(f, workspace, place, here, workspace->cluster_of[f->to[l]], f->traffic[l],
                                          f->messages[l]);
            workspace->weight[l] = (double)f->traffic[l] * distance;
            if (f->late != NULL) {
                workspace->late[l] = distance > 0 ? f->late[l] : 0;
            }
        }
    }
    for (int64_t l = 0; l < f->others; l++) {
        count_crossing(f, workspace, place, workspace->cluster_of[f->other_from[l]],
                       workspace->cluster_of[f->other_to[l]], f->other_traffic[l], f->other_messages[l]);
    }
}

typedef struct copies_count {
    const figures *f;
    figures_workspace *workspace;
    const placement *place;
} copies_count;

static void count_message(void *context, const sent_message *m)
{
    const copies_count *c = context;
    const interconnect *network = &c->f->p->network;
    count_crossing(c->f, c->workspace, c->place, m->from, m->to, interconnect_traffic(network, m->messages, m->bytes),
                   interconnect_messages(network, m->messages, m->bytes));
}

/* The same of copies, which depend on the clustering. */
static int lay_copies(const figures *f, figures_workspace *workspace, const placement *place)
{
    return sent_each(f->p, place, count_message, &(copies_count){f, workspace, place});
}

static void lay_blocks(const figures *f, figures_workspace *workspace, const placement *place)
{
    const problem *p = f->p;
    const inlay_app *app = p->app;
    for (inlay_id d = 0; d < app->blocks; d++) {
        /* the problem counts a block's time with its home module; it may have moved since */
        workspace->clusters[place->cluster_of[p->home[d]]].work -= app->block_time[d];
        workspace->clusters[place->home[d]].work += app->block_time[d];
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            count_crossing(f, workspace, place, place->home[d], place->cluster_of[app->use_module[u]],
                           interconnect_traffic(&p->network, app->use_messages[u], app->use_bytes[u]),
                           interconnect_messages(&p->network, app->use_messages[u], app->use_bytes[u]));
        }
    }
}

int figures_lay(const figures *f, figures_workspace *workspace, const placement *place)
{
    const problem *p = f->p;
    workspace->cluster_count = place->clusters;
    workspace->messages = workspace->traffic = workspace->weighted = 0;
    memset(workspace->clusters, 0, (size_t)place->clusters * sizeof *workspace->clusters);
    for (inlay_id k = 0; k < p->modules; k++) {
        inlay_id c = place->cluster_of[f->order[k]];
        workspace->cluster_of[k] = c;
        workspace->clusters[c].work += p->work[f->order[k]];
    }
    if (!problem_copies(p)) {
        lay_links(f, workspace, place);
    } else if (lay_copies(f, workspace, place) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    lay_blocks(f, workspace, place);
    workspace->demand = (double)workspace->weighted;
    return workspace->own_work == NULL ? INLAY_OK : figures_exact_lay(f, workspace, place);
}

inlay_id figures_parallelism(const figures *f, figures_workspace *workspace)
{
    const problem *p = f->p;
    inlay_id most = 0;
    memset(workspace->begin, 0, ((size_t)workspace->cluster_count + 1) * sizeof *workspace->begin);
    memset(workspace->count, 0, (size_t)p->slots * sizeof *workspace->count);
    memset(workspace->seen, 0xFF, (size_t)p->slots * sizeof *workspace->seen); /* -1: nobody */
    for (inlay_id k = 0; k < p->modules; k++) {
        workspace->begin[workspace->cluster_of[k] + 1]++;
    }
    for (inlay_id c = 0; c < workspace->cluster_count; c++) {
        workspace->begin[c + 1] += workspace->begin[c];
    }
    for (inlay_id k = 0; k < p->modules; k++) {
        workspace->sorted[workspace->begin[workspace->cluster_of[k]]++] = k;
    }
    for (inlay_id at = 0; at < p->modules; at++) { /* cluster by cluster */
        inlay_id k = workspace->sorted[at], i = f->order[k], c = workspace->cluster_of[k];
        for (int32_t slot = p->first_slot[i]; slot <= p->last_slot[i]; slot++) {
            if (workspace->seen[slot] != c) {
                workspace->seen[slot] = c;
                most = ++workspace->count[slot] > most ? workspace->count[slot] : most;
            }
        }
    }
    return most;
}

/* ---- The estimate ---- */

/*
 * One pass in execution order, as estimate_at(). The longest path to a module makes its start: `carried` is the traffic
 * on it, so that the elapsed time is a line in tau near this one, and from below everywhere.
 */
static crossing_line estimate_line(const figures *f, figures_workspace *workspace, double tau)
{
    inlay_id n = f->p->modules;
    double *start = workspace->start, *carried = workspace->carried;
    double elapsed = 0, weight = 0;
    memset(start, 0, (size_t)n * sizeof *start);
    memset(carried, 0, (size_t)n * sizeof *carried);
    memset(workspace->free_at, 0, (size_t)workspace->cluster_count * sizeof *workspace->free_at);
    memset(workspace->brought, 0, (size_t)workspace->cluster_count * sizeof *workspace->brought);
    for (inlay_id k = 0; k < n; k++) {
        inlay_id c = workspace->cluster_of[k];
        if (workspace->free_at[c] > start[k]) {
            start[k] = workspace->free_at[c];
            carried[k] = workspace->brought[c];
        }
        double begun = start[k], brings = carried[k], end = begun + f->m[k];
        workspace->free_at[c] = end;
        workspace->brought[c] = brings;
        if (end > elapsed) {
            elapsed = end;
            weight = brings;
        }
        for (int64_t l = f->begin[k]; l < f->begin[k + 1]; l++) {
            double satisfied = f->lag[l] + workspace->weight[l] * tau;
            satisfied = begun + (workspace->late != NULL ? satisfied + workspace->late[l] : satisfied);
            if (satisfied > start[f->to[l]]) {
                start[f->to[l]] = satisfied;
                carried[f->to[l]] = brings + workspace->weight[l];
            }
        }
    }
    return (crossing_line){elapsed, elapsed - weight * tau, weight};
}

/* Near saturation: what the fixed point and the fit look at first. */
static double above_saturation(const figures *f, const figures_workspace *workspace)
{
    return interconnect_saturation_frame(&f->p->network, (double)workspace->weighted) * (1 + 1e-12);
}

double figures_fixed_point(const figures *f, figures_workspace *workspace)
{
    if (workspace->own_work != NULL) {
        return figures_exact_fixed_point(workspace);
    }
    const interconnect *network = &f->p->network;
    double traffic = (double)workspace->weighted;
    if (network->free || workspace->weighted == 0) {
        return estimate_line(f, workspace, 0).value; /* nothing crosses, or it costs nothing */
    }
    double low = above_saturation(f, workspace);
    double at = fmax(low, estimate_line(f, workspace, f->idle_tau).value);
    /* At saturation D of buses stays finite: where E is below T even there, no T has E = T. */
    for (double before = NAN;;) {
        network_point here;
        if (interconnect_at(network, traffic, at, &here) != INLAY_OK) {
            return NAN;
        }
        crossing_line line = estimate_line(f, workspace, here.tau);
        if (!isfinite(line.value) || (at == low && line.value < low)) {
            return NAN;
        }
        /* every line runs below E(T), so that the roots rise towards the fixed point */
        if (!(line.value > at) || at == before) {
            return at;
        }
        before = at;
        at = crossing(network, traffic, &line, at, line.value);
    }
}

/* ---- What fits ---- */

/* The processor with most to do at that tau. */
static crossing_line busiest(const figures *f, const figures_workspace *workspace, double tau)
{
    crossing_line most = {.value = -1};
    for (inlay_id c = 0; c < workspace->cluster_count; c++) {
        double work = inlay_app_in_units(f->p->app, workspace->clusters[c].work) / f->p->kinds.speed;
        double sent = (double)workspace->clusters[c].sent;
        double value = work + tau * sent;
        if (value > most.value) {
            most = (crossing_line){value, work, sent};
        }
    }
    return most;
}

static bool fits_at(const figures *f, const figures_workspace *workspace, double time_frame)
{
    network_point here;
    return interconnect_at(&f->p->network, (double)workspace->weighted, time_frame, &here) == INLAY_OK &&
           busiest(f, workspace, here.tau).value / time_frame <= 1;
}

double figures_fit(const figures *f, figures_workspace *workspace, double from, double until)
{
    if (workspace->own_work != NULL) {
        return figures_exact_fit(workspace, from, until);
    }
    const interconnect *network = &f->p->network;
    double traffic = (double)workspace->weighted, at = from;
    while (at < until) {
        network_point here;
        if (interconnect_at(network, traffic, at, &here) != INLAY_OK) {
            return NAN;
        }
        crossing_line line = busiest(f, workspace, here.tau);
        if (line.value / at <= 1) {
            while (at > from && fits_at(f, workspace, nextafter(at, from))) { /* the quotient rounds */
                at = nextafter(at, from);
            }
            return at;
        }
        double next = line.value > at ? crossing(network, traffic, &line, at, line.value) : at;
        at = next > at ? next : nextafter(at, INFINITY); /* to the last digit: the first number at which it does */
    }
    return NAN;
}

/* ---- Cost ---- */

static void fill_utilisation(const figures *f, const figures_workspace *workspace, double time_frame,
                             inlay_sweep_cost *cost)
{
    cost->utilisation_least = INFINITY;
    cost->utilisation_most = cost->utilisation_mean = 0;
    for (inlay_id c = 0; c < workspace->cluster_count; c++) {
        double work = inlay_app_in_units(f->p->app, workspace->clusters[c].work) / f->p->kinds.speed;
        double utilisation = (work + cost->tau * (double)workspace->clusters[c].sent) / time_frame;
        cost->utilisation_least = fmin(cost->utilisation_least, utilisation);
        cost->utilisation_most = fmax(cost->utilisation_most, utilisation);
        cost->utilisation_mean += utilisation;
    }
    cost->utilisation_mean /= workspace->cluster_count;
}

void figures_cost(const figures *f, figures_workspace *workspace, double time_frame, inlay_sweep_cost *cost)
{
    const interconnect *network = &f->p->network;
    double u = interconnect_utilisation(network, workspace->demand, time_frame);
    network_point at;
    *cost = (inlay_sweep_cost){.saturated = true,
                               .u = u,
                               .load = u / network->u_limit,
                               .delay = NAN,
                               .tau = NAN,
                               .communication = NAN,
                               .utilisation_least = NAN,
                               .utilisation_mean = NAN,
                               .utilisation_most = NAN,
                               .estimate = NAN};
    if (workspace->own_work != NULL) {
        figures_exact_cost(workspace, time_frame, cost);
        return;
    }
    if (interconnect_at(network, (double)workspace->weighted, time_frame, &at) != INLAY_OK) {
        return;
    }
    cost->saturated = false;
    cost->delay = at.delay;
    cost->tau = at.tau;
    cost->communication = at.tau * (double)workspace->weighted;
    cost->estimate = estimate_line(f, workspace, at.tau).value;
    fill_utilisation(f, workspace, time_frame, cost);
}
