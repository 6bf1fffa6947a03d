/*
 * Edge zeroing: V. Sarkar, "Partitioning and scheduling parallel programs for multiprocessors", MIT Press, 1989, chapter 4.
 * Every module begins as a cluster. Links are looked at by falling time of their messages: where the clusters of both ends
 * as one make the whole no longer, as if every cluster had a processor, they become one, and pins and memory allow it.
 *
 * A cluster runs its modules by falling upward rank. Times are means over the processors, as those of the ranks, which do
 * not change. Of equal links the one of the smaller producer is looked at first, then that of the smaller consumer; of equal ranks the
 * module that comes first in topological order. The clusters become a schedule by a list (cluster_list.h).
 *
 * A trial is not made where both, one module after the other, would end too late. It calculates anew what it changes, from the first
 * such module on, until something would.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/cluster_list.h"
#include "cluster/idle.h"
#include "cluster/method.h"
#include "graph/app.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 50000 }; /* that every trial may look at all of */

typedef struct zeroed_link {
    double message;
    inlay_id from, to;
} zeroed_link;

typedef struct undone {
    inlay_id module;
    double start;
} undone;

typedef struct zeroing {
    const problem *p;
    idle_means means;
    memory_pool pool;
    double elapsed; /* of all */
    /* Of modules. */
    double *rank, *alone; /* upward; alone: messages left out */
    double *soonest;      /* start if no message took time */
    inlay_id *at;         /* by place: the module */
    inlay_id *place;      /* in the order that clusters keep to */
    double *time, *start;
    inlay_id *cluster_of;
    inlay_id *before, *behind; /* in the cluster, -1 none */
    /* Of links with precedence, row by row of consumers. */
    double *lag, *message;
    zeroed_link *links;
    int64_t count;
    /* Of clusters, each named by a module. */
    inlay_id *first;
    cluster_limits *limits;
    /* Of a trial. */
    uint64_t *stale; /* by place: whether its start may not be right, a bit each */
    inlay_id words;
    undone *undo;
    inlay_id undo_count;
} zeroing;

/* ---- The order ---- */

typedef struct entry {
    double rank;
    inlay_id turn, module; /* turn: in topological order */
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->rank > y->rank ? -1 : x->rank < y->rank ? 1 : (x->turn > y->turn) - (x->turn < y->turn);
}

static bool find_places(zeroing *z)
{
    const inlay_app *app = z->p->app;
    entry *all = memory_array((size_t)app->modules, sizeof *all);
    if (all == NULL) {
        return false;
    }
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id i = app->topological[k];
        all[k] = (entry){z->rank[i], k, i};
    }
    qsort(all, (size_t)app->modules, sizeof *all, compare_entries);
    for (inlay_id k = 0; k < app->modules; k++) {
        z->place[all[k].module] = k;
        z->at[k] = all[k].module;
    }
    free(all);
    return true;
}

/* ---- Starts ---- */

static void spoil(zeroing *z, inlay_id module)
{
    z->stale[z->place[module] / 64] |= UINT64_C(1) << z->place[module] % 64;
}

/* Behind the one before it, and its data; a and b are one cluster. */
static double find_start(const zeroing *z, inlay_id module, inlay_id a, inlay_id b)
{
    const inlay_app *app = z->p->app;
    inlay_id before = z->before[module], own = z->cluster_of[module];
    double start = before >= 0 ? z->start[before] + z->time[before] : 0;
    for (int64_t l = app->in_begin[module]; l < app->in_begin[module + 1]; l++) {
        inlay_id from = app->in_from[l], other = z->cluster_of[from];
        bool together = own == other || ((own == a || own == b) && (other == a || other == b));
        double there = z->start[from] + z->lag[l] + (together ? 0 : z->message[l]);
        start = there > start ? there : start;
    }
    return start;
}

/* The module starts then; what follows it has to look again. */
static void change(zeroing *z, inlay_id module, double start)
{
    const inlay_app *app = z->p->app;
    z->undo[z->undo_count++] = (undone){module, z->start[module]};
    z->start[module] = start;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            spoil(z, app->out_to[l]);
        }
    }
    if (z->behind[module] >= 0) {
        spoil(z, z->behind[module]);
    }
}

/* Whether all that is stale from a place on, and what that changes, ends no later than everything did. Nothing is stale then. */
static bool settle(zeroing *z, inlay_id place, inlay_id a, inlay_id b)
{
    for (inlay_id word = place / 64; word < z->words; word++) {
        while (z->stale[word] != 0) {
            inlay_id module = z->at[word * 64 + __builtin_ctzll(z->stale[word])];
            double start = find_start(z, module, a, b);
            z->stale[word] &= z->stale[word] - 1;
            if (start + z->alone[module] > z->elapsed) {
                memset(&z->stale[word], 0, (size_t)(z->words - word) * sizeof *z->stale);
                return false;
            }
            if (start < z->start[module] || start > z->start[module]) {
                change(z, module, start);
            }
        }
    }
    return true;
}

/* ---- Clusters ---- */

static void append(zeroing *z, inlay_id module, inlay_id *first, inlay_id *last)
{
    z->before[module] = *last;
    z->behind[module] = -1;
    if (*last >= 0) {
        z->behind[*last] = module;
    } else {
        *first = module;
    }
    *last = module;
}

/* Whether one after the other, with no message that takes time, they would end too late already. */
static bool is_too_long(const zeroing *z, inlay_id a, inlay_id b)
{
    inlay_id i = z->first[a], j = z->first[b];
    double end = 0;
    while (i >= 0 || j >= 0) {
        inlay_id module = j < 0 || (i >= 0 && z->place[i] < z->place[j]) ? i : j;
        double start = end > z->soonest[module] ? end : z->soonest[module];
        i = module == i ? z->behind[i] : i;
        j = module == j ? z->behind[j] : j;
        if (start + z->alone[module] > z->elapsed) {
            return true;
        }
        end = start + z->time[module];
    }
    return false;
}

/* Both in one list; gives its first. All that may change is stale. */
static inlay_id interleave(zeroing *z, inlay_id a, inlay_id b)
{
    inlay_id i = z->first[a], j = z->first[b], first = -1, last = -1;
    while (i >= 0 || j >= 0) {
        bool takes_i = j < 0 || (i >= 0 && z->place[i] < z->place[j]);
        inlay_id module = takes_i ? i : j;
        i = takes_i ? z->behind[i] : i;
        j = takes_i ? j : z->behind[j];
        append(z, module, &first, &last);
        spoil(z, module);
    }
    return first;
}

static void take_apart(zeroing *z, inlay_id list, inlay_id a, inlay_id b)
{
    inlay_id last_a = -1, last_b = -1;
    for (inlay_id i = list, next; i >= 0; i = next) {
        next = z->behind[i];
        append(z, i, z->cluster_of[i] == a ? &z->first[a] : &z->first[b], z->cluster_of[i] == a ? &last_a : &last_b);
    }
}

static void find_elapsed(zeroing *z)
{
    z->elapsed = 0;
    for (inlay_id i = 0; i < z->p->modules; i++) {
        double end = z->start[i] + z->time[i];
        z->elapsed = end > z->elapsed ? end : z->elapsed;
    }
}

static void try_link(zeroing *z, const zeroed_link *link)
{
    inlay_id a = z->cluster_of[link->from], b = z->cluster_of[link->to];
    cluster_limits limits = z->limits[a];
    if (a == b || !cluster_limits_join(z->p, &limits, z->limits[b]) || is_too_long(z, a, b)) {
        return;
    }
    z->undo_count = 0;
    inlay_id list = interleave(z, a, b);
    if (settle(z, z->place[list], a, b)) {
        for (inlay_id i = list; i >= 0; i = z->behind[i]) {
            z->cluster_of[i] = a;
        }
        z->first[a] = list;
        z->limits[a] = limits;
        find_elapsed(z);
        return;
    }
    while (z->undo_count > 0) {
        undone last = z->undo[--z->undo_count];
        z->start[last.module] = last.start;
    }
    take_apart(z, list, a, b);
}

/* ---- The whole ---- */

static int compare_links(const void *a, const void *b)
{
    const zeroed_link *x = a, *y = b;
    return x->message > y->message   ? -1
           : x->message < y->message ? 1
           : x->from != y->from      ? (x->from > y->from) - (x->from < y->from)
                                     : (x->to > y->to) - (x->to < y->to);
}

/* Row by row of consumers, each behind its producers. */
static void read_links(zeroing *z)
{
    const inlay_app *app = z->p->app;
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id i = app->topological[k];
        for (int64_t l = app->in_begin[i]; l < app->in_begin[i + 1]; l++) {
            inlay_id from = app->in_from[l];
            z->lag[l] = idle_mean_lag(&z->means, from, i);
            z->message[l] = idle_mean_message(&z->means, app_link_to(app, from, i));
            z->links[z->count++] = (zeroed_link){z->message[l], from, i};
            double soonest = z->soonest[from] + z->lag[l];
            z->soonest[i] = soonest > z->soonest[i] ? soonest : z->soonest[i];
        }
    }
    qsort(z->links, (size_t)z->count, sizeof *z->links, compare_links);
}

static bool make(const problem *p, zeroing *z)
{
    const idle_network network = idle_network_of(p);
    size_t n = (size_t)p->modules, links = (size_t)p->app->precedence_links;
    memory_pool *pool = &z->pool;
    *z = (zeroing){.p = p, .means = idle_means_of(&network)};
    z->rank = pool_array(pool, n, sizeof *z->rank);
    z->alone = pool_array(pool, n, sizeof *z->alone);
    z->soonest = pool_zeroed(pool, n, sizeof *z->soonest);
    z->at = pool_array(pool, n, sizeof *z->at);
    z->place = pool_array(pool, n, sizeof *z->place);
    z->time = pool_array(pool, n, sizeof *z->time);
    z->start = pool_zeroed(pool, n, sizeof *z->start);
    z->cluster_of = pool_array(pool, n, sizeof *z->cluster_of);
    z->before = pool_array(pool, n, sizeof *z->before);
    z->behind = pool_array(pool, n, sizeof *z->behind);
    z->first = pool_array(pool, n, sizeof *z->first);
    z->limits = pool_array(pool, n, sizeof *z->limits);
    z->words = (p->modules + 63) / 64;
    z->stale = pool_zeroed(pool, (size_t)z->words, sizeof *z->stale);
    z->undo = pool_array(pool, n, sizeof *z->undo);
    z->lag = pool_array(pool, links, sizeof *z->lag);
    z->message = pool_array(pool, links, sizeof *z->message);
    z->links = pool_array(pool, links, sizeof *z->links);
    if (pool->failed) {
        return false;
    }
    idle_upward(&z->means, true, z->rank);
    idle_upward(&z->means, false, z->alone);
    if (!find_places(z)) {
        return false;
    }
    read_links(z);
    for (inlay_id i = 0; i < p->modules; i++) {
        z->time[i] = idle_mean_time(&z->means, i);
        z->cluster_of[i] = z->first[i] = i;
        z->before[i] = z->behind[i] = -1;
        z->limits[i] = cluster_limits_of(p, i);
    }
    return true;
}

static void zero(zeroing *z)
{
    for (inlay_id k = 0; k < z->p->modules; k++) {
        inlay_id i = z->p->app->topological[k];
        z->start[i] = find_start(z, i, i, i);
    }
    find_elapsed(z);
    for (int64_t k = 0; k < z->count; k++) {
        try_link(z, &z->links[k]);
    }
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    zeroing z;
    if (p->app->precedence_links > MOST_LINKS) {
        return diag_fail(
            diag, INLAY_BAD_ARGUMENT,
            "method sarkar looks at all links for each of them, and at most %d; the application has %" PRId64
            "; expected another method, such as dsc",
            MOST_LINKS, p->app->precedence_links);
    }
    bool fine = make(p, &z);
    if (fine) {
        zero(&z);
    }
    int status =
        fine ? cluster_list_place(p, z.cluster_of, p->modules, false, processor_of, order, diag) : diag_no_memory(diag);
    pool_clear(&z.pool);
    return status;
}

const cluster_method sarkar_method = {
    .is = {.name = "sarkar",
           .description = "edge zeroing: clusters merge along the links with the longest messages where that makes the "
                          "whole no longer",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
