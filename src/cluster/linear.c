/*
 * Linear clustering: S. J. Kim and J. C. Browne, "A general approach to mapping of parallel computations upon
 * multiprocessor architectures", ICPP 1988. The longest path of the modules that are left, times and messages counted,
 * becomes a cluster, again and again, until no module is left. Messages take what they take on an idle network.
 *
 * Of a path that memory or pins forbid to be one cluster, each module joins the one before it where it may. Of paths
 * equally long, the one whose first module that differs has the smaller number is taken.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "graph/app.h"
#include <stdlib.h>

typedef struct paths {
    const problem *p;
    double tau;        /* of one unit of traffic */
    double *length;    /* of the longest path that begins with a module; negative where it is taken */
    inlay_id *behind;  /* the module behind it on that path, or -1 */
    inlay_id *rank;    /* its place in topological order */
    inlay_id *longest; /* a tournament of the modules: node n is over 2n and 2n+1, the leaves are behind */
    inlay_id leaves;
    uint64_t *stale; /* by rank: whether the path has to be found again */
} paths;

static void paths_clear(paths *s)
{
    free(s->length);
    free(s->behind);
    free(s->rank);
    free(s->longest);
    free(s->stale);
}

/* ---- The longest path from a module ---- */

static double message_time(const paths *s, int64_t link)
{
    const inlay_app *app = s->p->app;
    return s->tau * (double)problem_link_traffic(s->p, link) +
           interconnect_latency(&s->p->network, app->out_messages[link], app->out_bytes[link]);
}

static void find_path(paths *s, inlay_id i)
{
    const inlay_app *app = s->p->app;
    double most = 0;
    s->behind[i] = -1;
    for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
        inlay_id j = app->out_to[l], best = s->behind[i];
        if ((app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) || s->length[j] < 0) {
            continue;
        }
        double path = message_time(s, l) + s->length[j];
        if (best < 0 || path > most || (!(path < most) && j < best)) {
            most = path;
            s->behind[i] = j;
        }
    }
    s->length[i] = inlay_app_in_units(app, s->p->timing.m[i]) / s->p->kinds.speed + most;
}

/* ---- The longest of all ---- */

static inlay_id longer(const paths *s, inlay_id i, inlay_id j)
{
    if (i < 0 || j < 0) {
        return i < 0 ? j : i;
    }
    return s->length[i] > s->length[j] || (!(s->length[i] < s->length[j]) && i < j) ? i : j;
}

static void play(paths *s, inlay_id module)
{
    for (inlay_id node = (s->leaves + module) / 2; node > 0; node /= 2) {
        s->longest[node] = longer(s, s->longest[2 * (size_t)node], s->longest[2 * (size_t)node + 1]);
    }
}

/* ---- Modules that are taken ---- */

/* Whose path went on with the module has to look for another. */
static void spoil(paths *s, inlay_id module)
{
    const inlay_app *app = s->p->app;
    for (int64_t l = app->in_begin[module]; l < app->in_begin[module + 1]; l++) {
        inlay_id i = app->in_from[l];
        if (s->length[i] >= 0 && s->behind[i] == module) {
            s->stale[s->rank[i] / 64] |= UINT64_C(1) << s->rank[i] % 64;
        }
    }
}

/* Find spoilt paths again, from the back of the order on: up to the module of that rank. */
static void mend(paths *s, inlay_id rank)
{
    for (inlay_id word = rank / 64; word >= 0; word--) {
        while (s->stale[word] != 0) {
            int bit = 63 - __builtin_clzll(s->stale[word]);
            inlay_id i = s->p->app->topological[word * 64 + bit];
            double before = s->length[i];
            s->stale[word] &= ~(UINT64_C(1) << bit);
            find_path(s, i);
            play(s, i);
            if (s->length[i] < before) {
                spoil(s, i);
            }
        }
    }
}

/* The longest path becomes a cluster. */
static int take_path(paths *s, partition *part)
{
    inlay_id first = s->longest[1], last = first, root = partition_root(part, first);
    int status = INLAY_OK;
    for (inlay_id i = first; i >= 0 && status == INLAY_OK; i = s->behind[i]) {
        inlay_id own = partition_root(part, i);
        bool joins = own != root && partition_fits(part, root, own);
        status = joins ? partition_merge(part, root, own, &root) : INLAY_OK;
        root = joins ? root : own;
        last = i;
    }
    if (status != INLAY_OK) {
        return status;
    }
    for (inlay_id i = first; i >= 0; i = s->behind[i]) {
        s->length[i] = -1;
        s->longest[s->leaves + i] = -1;
        play(s, i);
    }
    for (inlay_id i = first; i >= 0; i = s->behind[i]) {
        spoil(s, i);
    }
    mend(s, s->rank[last]);
    return INLAY_OK;
}

/* ---- The whole ---- */

static int paths_make(const problem *p, paths *result)
{
    size_t n = (size_t)p->modules;
    network_point idle = {0};
    paths s = {.p = p, .leaves = 1};
    s.tau = interconnect_at_utilisation(&p->network, 0, &idle) == INLAY_OK ? idle.tau : 0;
    while (s.leaves < p->modules) {
        s.leaves *= 2;
    }
    s.length = memory_zeroed(n, sizeof *s.length);
    s.behind = memory_array(n, sizeof *s.behind);
    s.rank = memory_array(n, sizeof *s.rank);
    s.longest = memory_array(2 * (size_t)s.leaves, sizeof *s.longest);
    s.stale = memory_zeroed(n / 64 + 1, sizeof *s.stale);
    if (s.length == NULL || s.behind == NULL || s.rank == NULL || s.longest == NULL || s.stale == NULL) {
        paths_clear(&s);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id k = p->modules - 1; k >= 0; k--) {
        inlay_id i = p->app->topological[k];
        s.rank[i] = k;
        find_path(&s, i);
    }
    for (inlay_id i = 0; i < s.leaves; i++) {
        s.longest[s.leaves + i] = i < p->modules ? i : -1;
    }
    for (inlay_id node = s.leaves - 1; node > 0; node--) {
        s.longest[node] = longer(&s, s.longest[2 * (size_t)node], s.longest[2 * (size_t)node + 1]);
    }
    *result = s;
    return INLAY_OK;
}

static int merge(partition *part, inlay_diag *diag)
{
    paths s;
    if (paths_make(part->p, &s) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    int status = INLAY_OK;
    while (status == INLAY_OK && s.longest[1] >= 0) {
        status = take_path(&s, part);
    }
    paths_clear(&s);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

const cluster_method linear_method = {
    .is = {.name = "linear",
           .description = "linear clustering: the longest path of the modules left becomes a cluster, again and again",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true},
    .merge = merge,
};
