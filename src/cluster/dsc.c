/*
 * Dominant sequence clustering: T. Yang and A. Gerasoulis, "DSC: scheduling parallel tasks on an unbounded number of
 * processors", IEEE Transactions on Parallel and Distributed Systems 5(9), 1994. Modules get clusters behind their
 * predecessors. Of those that may come next, the one with the longest way through it does: its start plus its upward rank.
 * It would start when all its data are there, in a cluster of its own. Sooner it starts
 *
 *   behind the cluster that its last data come from, which need no message then, or
 *   behind that and some of its other predecessors, which come there before it: those whose data are the last, as many as make
 *   it start first. Each is alone in its cluster, and nothing else waits for it.
 *
 * Where neither is sooner, or pins or memory forbid it, it begins a cluster. A module of which only some predecessors have
 * clusters may be on a longer way. Where it would start sooner behind the cluster that its last data come from, nobody else
 * joins that one now (DSRW). Of equal ways the smaller module goes first.
 *
 * Times are means over the processors, as in upward ranks. The clusters, for as many processors as there are clusters,
 * become a schedule by a list (cluster_list.h), of dsc-contention with messages booked.
 */
#include "base/diag.h"
#include "cluster/cluster_list.h"
#include "cluster/keyed.h"
#include "cluster/method.h"
#include "cluster/schedule.h"
#include "graph/app.h"
#include <stdlib.h>

/* A predecessor in another cluster than the last data come from. */
typedef struct parent {
    double arrival, start;
    inlay_id module;
    inlay_id turn; /* by falling arrival, from 0 on */
} parent;

typedef struct own_cluster {
    double end;
    inlay_id modules;
    cluster_limits limits;
} own_cluster;

typedef struct dominance {
    const problem *p;
    idle_means means;
    memory_pool pool;
    double *rank;
    double *start;       /* of modules with a cluster */
    schedule_data *data; /* of all: `from` is a cluster */
    inlay_id *waiting;   /* predecessors without a cluster */
    inlay_id *followers;
    inlay_id *cluster_of;
    own_cluster *cluster;
    inlay_id clusters;
    keyed_heap ready;  /* whose predecessors all have clusters, by the way through them */
    keyed_heap partly; /* of whose predecessors some have; ways that have become longer stay in it */
    parent *parents;   /* scratch */
} dominance;

/* ---- Ways ---- */

static double length_of(const dominance *d, inlay_id module)
{
    return d->data[module].last + d->rank[module];
}

/* ---- Behind the cluster that the last data come from ---- */

static double later(double a, double b)
{
    return a > b ? a : b;
}

static double behind(const dominance *d, inlay_id module)
{
    const schedule_data *data = &d->data[module];
    return later(d->cluster[data->from].end, schedule_at_sender(data));
}

/* The cluster that nobody may join but a module that waits for others, -1 none. */
static inlay_id find_reserved(dominance *d, double length)
{
    keyed_heap *h = &d->partly;
    while (h->count > 0 && (d->waiting[h->item[0].module] == 0 || h->item[0].key < length_of(d, h->item[0].module))) {
        keyed_take(h);
    }
    if (h->count == 0 || !(h->item[0].key > length)) {
        return -1;
    }
    inlay_id module = h->item[0].module;
    return behind(d, module) < d->data[module].last ? d->data[module].from : -1;
}

/* ---- With other predecessors ---- */

static int by_arrival(const void *a, const void *b)
{
    const parent *x = a, *y = b;
    return x->arrival > y->arrival   ? -1
           : x->arrival < y->arrival ? 1
                                     : (x->module > y->module) - (x->module < y->module);
}

static int by_start(const void *a, const void *b)
{
    const parent *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start ? 1 : (x->module > y->module) - (x->module < y->module);
}

static bool is_movable(const dominance *d, inlay_id module, inlay_id into)
{
    inlay_id at = d->cluster_of[module];
    return at != into && d->followers[module] == 1 && d->cluster[at].modules == 1;
}

static bool some_movable(const dominance *d, inlay_id module, inlay_id into)
{
    const inlay_app *app = d->p->app;
    for (int64_t l = app->in_begin[module]; l < app->in_begin[module + 1]; l++) {
        if (is_movable(d, app->in_from[l], into)) {
            return true;
        }
    }
    return false;
}

/* The predecessors in other clusters, by falling arrival. */
static inlay_id list_parents(const dominance *d, inlay_id module, inlay_id into)
{
    const inlay_app *app = d->p->app;
    inlay_id count = 0;
    for (int64_t l = app->in_begin[module]; l < app->in_begin[module + 1]; l++) {
        inlay_id i = app->in_from[l];
        if (d->cluster_of[i] != into) {
            double arrival = d->start[i] + idle_mean_lag(&d->means, i, module) +
                             idle_mean_message(&d->means, app_link_to(app, i, module));
            d->parents[count++] = (parent){arrival, d->start[i], i, 0};
        }
    }
    qsort(d->parents, (size_t)count, sizeof *d->parents, by_arrival);
    for (inlay_id k = 0; k < count; k++) {
        d->parents[k].turn = k;
    }
    return count;
}

/* How many of them may come, one after the other. */
static inlay_id count_movable(const dominance *d, inlay_id module, inlay_id into, inlay_id parents)
{
    cluster_limits limits = d->cluster[into].limits;
    inlay_id count = 0;
    bool fits = cluster_limits_join(d->p, &limits, cluster_limits_of(d->p, module));
    while (fits && count < parents && is_movable(d, d->parents[count].module, into) &&
           cluster_limits_join(d->p, &limits, cluster_limits_of(d->p, d->parents[count].module))) {
        count++;
    }
    return count;
}

/* The start behind the first `moved` of them, which all stand by start now: `end` of that cluster, and what has to arrive. */
typedef struct trial {
    double end, arrives;
} trial;

static trial try_moved(const dominance *d, inlay_id module, inlay_id parents, inlay_id movable, inlay_id moved)
{
    const schedule_data *data = &d->data[module];
    trial t = {d->cluster[data->from].end,
               movable < parents ? later(data->own, d->parents[movable].arrival) : data->own};
    for (inlay_id k = 0; k < movable; k++) {
        const parent *at = &d->parents[k];
        if (at->turn < moved) {
            t.end = later(t.end, at->start) + idle_mean_time(&d->means, at->module);
        } else {
            t.arrives = later(t.arrives, at->arrival);
        }
    }
    return t;
}

/* The fewest moved ones with which no more has to arrive later than `bound`, or than the end where that is later; or all. */
static inlay_id fewest(const dominance *d, inlay_id module, inlay_id parents, inlay_id movable, double bound)
{
    inlay_id low = 0, high = movable;
    while (low < high) {
        inlay_id middle = low + (high - low) / 2;
        trial t = try_moved(d, module, parents, movable, middle);
        if (t.arrives > later(t.end, bound)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/*
 * How many of the movable ones make the module start first, the fewest of equal ones. Of more, the end is later, and what has to
 * arrive is not: the first start is where these meet, or just before.
 */
static inlay_id choose_moved(const dominance *d, inlay_id module, inlay_id parents, inlay_id movable, double *start)
{
    inlay_id met = fewest(d, module, parents, movable, 0);
    trial t = try_moved(d, module, parents, movable, met);
    *start = later(t.end, t.arrives);
    if (met > 0) {
        t = try_moved(d, module, parents, movable, met - 1);
        *start = t.arrives < *start ? t.arrives : *start;
    }
    return fewest(d, module, parents, movable, *start);
}

/* ---- A module gets its cluster ---- */

static void join(dominance *d, inlay_id module, inlay_id into, double start)
{
    own_cluster *c = &d->cluster[into];
    c->end = start + idle_mean_time(&d->means, module);
    c->modules++;
    d->start[module] = start;
    d->cluster_of[module] = into;
}

static void begin(dominance *d, inlay_id module)
{
    d->cluster[d->clusters] = (own_cluster){.limits = cluster_limits_of(d->p, module)};
    join(d, module, d->clusters++, d->data[module].last);
}

/* Those that come before the module. */
static void move(dominance *d, inlay_id into, inlay_id movable, inlay_id moved)
{
    own_cluster *c = &d->cluster[into];
    for (inlay_id k = 0; k < movable; k++) {
        const parent *at = &d->parents[k];
        if (at->turn < moved) {
            d->cluster[d->cluster_of[at->module]].modules = 0;
            cluster_limits_join(d->p, &c->limits, cluster_limits_of(d->p, at->module));
            join(d, at->module, into, later(c->end, at->start));
        }
    }
}

static void settle(dominance *d, inlay_id module, inlay_id reserved)
{
    const schedule_data *data = &d->data[module];
    inlay_id into = data->from, movable = 0, moved = 0;
    if (into < 0 || into == reserved) {
        begin(d, module);
        return;
    }
    double start = behind(d, module);
    if (data->other > later(d->cluster[into].end, data->own) && some_movable(d, module, into)) {
        inlay_id parents = list_parents(d, module, into);
        movable = count_movable(d, module, into, parents);
        qsort(d->parents, (size_t)movable, sizeof *d->parents, by_start);
        moved = choose_moved(d, module, parents, movable, &start);
    }
    cluster_limits limits = d->cluster[into].limits;
    if (!(start < data->last) || !cluster_limits_join(d->p, &limits, cluster_limits_of(d->p, module))) {
        begin(d, module);
        return;
    }
    move(d, into, movable, moved);
    cluster_limits_join(d->p, &d->cluster[into].limits, cluster_limits_of(d->p, module));
    join(d, module, into, start);
}

/* Its successors hear of it. */
static bool tell(dominance *d, inlay_id module)
{
    const inlay_app *app = d->p->app;
    bool fine = true;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        inlay_id to = app->out_to[l];
        if (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
            continue;
        }
        double there = d->start[module] + idle_mean_lag(&d->means, module, to);
        schedule_note(&d->data[to], d->cluster_of[module], there, there + idle_mean_message(&d->means, l));
        d->waiting[to]--;
        fine = keyed_push(d->waiting[to] == 0 ? &d->ready : &d->partly, length_of(d, to), to) && fine;
    }
    return fine;
}

/* ---- The whole ---- */

static inlay_id count_followers(const inlay_app *app, inlay_id module)
{
    inlay_id count = 0;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        count += !(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
    }
    return count;
}

static bool make(const problem *p, dominance *d)
{
    const inlay_app *app = p->app;
    const idle_network network = idle_network_of(p);
    size_t n = (size_t)p->modules;
    inlay_id most = 0;
    *d = (dominance){.p = p, .means = idle_means_of(&network)};
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id parents = (inlay_id)(app->in_begin[i + 1] - app->in_begin[i]);
        most = parents > most ? parents : most;
    }
    d->rank = pool_array(&d->pool, n, sizeof *d->rank);
    d->start = pool_array(&d->pool, n, sizeof *d->start);
    d->data = pool_array(&d->pool, n, sizeof *d->data);
    d->waiting = pool_array(&d->pool, n, sizeof *d->waiting);
    d->followers = pool_array(&d->pool, n, sizeof *d->followers);
    d->cluster_of = pool_array(&d->pool, n, sizeof *d->cluster_of);
    d->cluster = pool_array(&d->pool, n, sizeof *d->cluster);
    d->parents = pool_array(&d->pool, (size_t)most, sizeof *d->parents);
    if (d->pool.failed) {
        return false;
    }
    idle_upward(&d->means, true, d->rank);
    bool fine = true;
    for (inlay_id i = 0; i < p->modules; i++) {
        d->data[i] = (schedule_data){.from = -1};
        d->followers[i] = count_followers(app, i);
        d->waiting[i] = (inlay_id)(app->in_begin[i + 1] - app->in_begin[i]);
        fine = (d->waiting[i] > 0 || keyed_push(&d->ready, d->rank[i], i)) && fine;
    }
    return fine;
}

static bool find_clusters(dominance *d)
{
    bool fine = true;
    while (fine && d->ready.count > 0) {
        keyed_module first = keyed_take(&d->ready);
        settle(d, first.module, find_reserved(d, first.key));
        fine = tell(d, first.module);
    }
    return fine;
}

/* With or without messages booked. */
static int place_any(const problem *p, bool booked, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    dominance d;
    int status = make(p, &d) && find_clusters(&d)
                     ? cluster_list_place(p, d.cluster_of, d.clusters, booked, processor_of, order, diag)
                     : diag_no_memory(diag);
    free(d.ready.item);
    free(d.partly.item);
    pool_clear(&d.pool);
    return status;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    return place_any(p, false, processor_of, order, diag);
}

static int place_booked(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    return place_any(p, true, processor_of, order, diag);
}

const cluster_method dsc_method = {
    .is = {.name = "dsc",
           .description = "dominant sequence clustering: modules on the longest way first, behind those whose messages "
                          "they save",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true,
           .by_name = true},
    .place = place,
};

const cluster_method dsc_contention_method = {
    .is = {.name = "dsc-contention",
           .description = "dsc whose clusters become a schedule with messages booked as in heft-contention",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place_booked,
};
