/*
 * Acyclic parts, then a list: after M. Y. Ozkaya, A. Benoit, B. Ucar, J. Herrmann and U. V. Catalyurek, "A scalable
 * clustering-based task scheduler for homogeneous processors using DAG partitioning", IPDPS 2019, with greedy graph growing
 * (J. Herrmann and others, "Acyclic partitioning of large directed acyclic graphs", CCGRID 2017) in place of a multilevel partitioner.
 *
 * A part begins with the ready module of the greatest upward rank: one whose predecessors all have a part. Of the modules that
 * it has made ready, it takes the one to which it sends the longest messages, again and again, until there is none, or that one would
 * make it longer than a quarter of a processor's share of all work, or pins or memory forbid it. So links between parts lead to
 * later ones alone. Of equal ranks or messages the smaller module is taken. Times are means over the processors. The parts become a schedule
 * by a list, with messages booked (cluster_list.h).
 */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/cluster_list.h"
#include "cluster/idle.h"
#include "cluster/keyed.h"
#include "cluster/method.h"
#include "graph/app.h"
#include <stdlib.h>

enum { PARTS_EACH = 4 /* of a processor, at least */ };

typedef struct growth {
    const problem *p;
    idle_means means;
    memory_pool pool;
    double *rank;
    double most; /* work of a part, unless one module is more */
    inlay_id *part_of, *waiting;
    double *sent;          /* by the part `sender` of every module, to it */
    inlay_id *sender;      /* the last that sent it something, -1 none */
    keyed_heap ready;      /* and some that have a part already */
    keyed_heap made_ready; /* by the part that grows */
    /* That part. */
    inlay_id part;
    double work;
    cluster_limits limits;
} growth;

static bool make(const problem *p, growth *g)
{
    const idle_network network = idle_network_of(p);
    size_t n = (size_t)p->modules;
    double all = 0;
    *g = (growth){.p = p, .means = idle_means_of(&network), .part = -1};
    g->rank = pool_array(&g->pool, n, sizeof *g->rank);
    g->part_of = pool_array(&g->pool, n, sizeof *g->part_of);
    g->waiting = pool_array(&g->pool, n, sizeof *g->waiting);
    g->sent = pool_array(&g->pool, n, sizeof *g->sent);
    g->sender = pool_array(&g->pool, n, sizeof *g->sender);
    if (g->pool.failed) {
        return false;
    }
    idle_upward(&g->means, true, g->rank);
    bool fine = true;
    for (inlay_id i = 0; i < p->modules; i++) {
        all += idle_mean_time(&g->means, i);
        g->part_of[i] = g->sender[i] = -1;
        g->waiting[i] = (inlay_id)(p->app->in_begin[i + 1] - p->app->in_begin[i]);
        fine = (g->waiting[i] > 0 || keyed_push(&g->ready, g->rank[i], i)) && fine;
    }
    g->most = all / PARTS_EACH / p->processors;
    return fine;
}

/* A module joins the part that grows, and those of its successors that wait for nothing else are ready. */
static bool join(growth *g, inlay_id module)
{
    const inlay_app *app = g->p->app;
    bool fine = true;
    g->part_of[module] = g->part;
    g->work += idle_mean_time(&g->means, module);
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        inlay_id to = app->out_to[l];
        if (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
            continue;
        }
        double before = g->sender[to] == g->part ? g->sent[to] : 0;
        g->sender[to] = g->part;
        g->sent[to] = before + idle_mean_message(&g->means, l);
        if (--g->waiting[to] == 0) {
            fine = keyed_push(&g->ready, g->rank[to], to) && keyed_push(&g->made_ready, g->sent[to], to) && fine;
        }
    }
    return fine;
}

static bool begin(growth *g, inlay_id module)
{
    g->part++;
    g->work = 0;
    g->limits = cluster_limits_of(g->p, module);
    g->made_ready.count = 0;
    return join(g, module);
}

static bool grow(growth *g)
{
    bool fine = true, fits = true;
    while (fine && fits && g->made_ready.count > 0) {
        inlay_id next = keyed_take(&g->made_ready).module;
        fits = g->work + idle_mean_time(&g->means, next) <= g->most &&
               cluster_limits_join(g->p, &g->limits, cluster_limits_of(g->p, next));
        fine = !fits || join(g, next);
    }
    return fine;
}

static bool grow_all(growth *g)
{
    bool fine = true;
    while (fine && g->ready.count > 0) {
        inlay_id first = keyed_take(&g->ready).module;
        if (g->part_of[first] < 0) {
            fine = begin(g, first) && grow(g);
        }
    }
    return fine;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    growth g;
    int status = make(p, &g) && grow_all(&g)
                     ? cluster_list_place(p, g.part_of, g.part + 1, true, processor_of, order, diag)
                     : diag_no_memory(diag);
    free(g.ready.item);
    free(g.made_ready.item);
    pool_clear(&g.pool);
    return status;
}

const cluster_method acyclic_method = {
    .is = {.name = "acyclic",
           .description = "acyclic parts grown along the longest messages, and heft-contention of these",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
