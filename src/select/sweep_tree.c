/*
 * The shortest cycle of a tree: largest T_i + second largest + R (u - 1) with W / sum r_i P_i. For the second largest,
 * t, the leaves may as well have all the processors that t allows, and are the fastest of those; for each root cluster
 * r with T_r(p) >= t, the best p follows from the derivative of T_r(p) + W / (S + r p), or from where the two meet.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "select/best.h"
#include "select/events.h"
#include <math.h>
#include <stdlib.h>

typedef struct candidate {
    double cost, threshold;
    int32_t root, processors; /* of the root */
    int32_t used;             /* u, with the root */
} candidate;

typedef struct tree_sweep {
    const select_model *model;
    select_events events;
    double *steepness; /* W / (r s), s the slope of T_r over p or over ln p; infinite where it has none */
    double least_computation;
    candidate best;
    int64_t looked_at;
} tree_sweep;

/* ---- The root ---- */

/* The p at which T_r(p) + W / (S + r p) is least for real p, as far as it lies inside. */
static double stationary(const tree_sweep *s, int32_t r, double leaves)
{
    double ahead = leaves / s->model->rate[r]; /* S in processors of r */
    double k = s->steepness[r];
    if (isinf(k)) {
        return INFINITY;
    }
    if (s->model->growth[r] == INLAY_GROWTH_LINEAR) {
        return k - ahead;
    }
    /* (S/r + p)^2 = k p: the larger root is the minimum */
    double half = k / 2 - ahead;
    double square = half * half - ahead * ahead;
    return half > 0 && square > 0 ? half + sqrt(square) : 0;
}

/* `base` is the communication besides the root's own. */
static double root_cost(const tree_sweep *s, int32_t r, double leaves, double base, int32_t p)
{
    return select_combined(s->model, s->model->work / (leaves + s->model->rate[r] * p), s->model->time[r][p] + base);
}

/* The same where both overlap: where communication, which rises, meets computation, which falls. */
static double best_root_overlapped(const tree_sweep *s, int32_t r, double leaves, double base, int32_t from,
                                   int32_t *at)
{
    int32_t low = from;
    int32_t high = s->model->most[r];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (s->model->time[r][middle] + base < s->model->work / (leaves + s->model->rate[r] * middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    double cost = root_cost(s, r, leaves, base, high);
    double before = high > from ? root_cost(s, r, leaves, base, high - 1) : INFINITY;
    *at = before < cost ? high - 1 : high;
    return fmin(cost, before);
}

/* The best p from `from` on. */
static double best_root(const tree_sweep *s, int32_t r, double leaves, double base, int32_t from, int32_t *at)
{
    if (s->model->overlap) {
        return best_root_overlapped(s, r, leaves, base, from, at);
    }
    const int32_t most = s->model->most[r];
    double x = fmin(fmax(stationary(s, r, leaves), from), most);
    int32_t down = (int32_t)x;
    double cost = root_cost(s, r, leaves, base, down);
    *at = down;
    /* what is no convex function of p may be least at an end */
    int32_t others[3] = {down + 1, from, most};
    int count = s->model->growth[r] == INLAY_GROWTH_LINEAR ? 1 : 3;
    for (int n = 0; n < count; n++) {
        if (others[n] <= most) {
            double other = root_cost(s, r, leaves, base, others[n]);
            if (other < cost) {
                cost = other;
                *at = others[n];
            }
        }
    }
    return cost;
}

/* The fewest processors with which cluster r communicates no shorter than t; beyond N_r where it cannot. */
static int32_t fewest(const tree_sweep *s, int32_t r)
{
    int32_t p = s->events.processors[r];
    return p > 0 && s->model->time[r][p] == s->events.threshold ? p : p + 1;
}

/* ---- One threshold ---- */

static void take(tree_sweep *s, double cost, int32_t root, int32_t processors, int32_t used)
{
    if (cost < s->best.cost) {
        s->best = (candidate){cost, s->events.threshold, root, processors, used};
    }
}

/* What no cycle with u clusters falls below; `least` is that of all leaves with one router. */
static double floor_of(const tree_sweep *s, int32_t r, int32_t from, double least, int32_t u)
{
    const double router = s->model->router_cost;
    return s->model->overlap ? fmax(least, s->model->time[r][from] + s->events.threshold + router * (u - 1))
                             : least + router * (u - 2);
}

/* The leaves that pay for their router, the fastest first. */
static void look_at_counts(tree_sweep *s, int32_t r, int32_t from, double least)
{
    const select_events *e = &s->events;
    const double router = s->model->router_cost;
    double leaves = 0;
    int32_t used = 1;
    for (int32_t n = 0; n < e->active && floor_of(s, r, from, least, used + 1) < s->best.cost; n++) {
        if (e->order[n] != r) {
            int32_t at = 0;
            leaves += e->speed[e->order[n]];
            used++;
            double cost = best_root(s, r, leaves, e->threshold + router * (used - 1), from, &at);
            take(s, cost, r, at, used);
        }
    }
}

static void look_at_roots(tree_sweep *s, int32_t changed)
{
    const select_events *e = &s->events;
    const double router = s->model->router_cost;
    for (int32_t r = 0; r < s->model->clusters; r++) {
        int32_t leaves = e->active - (e->processors[r] > 0);
        int32_t from = fewest(s, r);
        /* for the cluster that has just gained, a shorter t allowed the same leaves */
        if (r == changed || leaves == 0 || from > s->model->most[r]) {
            continue;
        }
        int32_t at = 0;
        double least = best_root(s, r, e->total - e->speed[r], e->threshold + router, from, &at);
        if (router == 0) {
            take(s, least, r, at, leaves + 1);
        } else if (least < s->best.cost) {
            look_at_counts(s, r, from, least);
        }
    }
    s->looked_at++;
}

/* Every `stride`-th threshold. */
static void sweep(tree_sweep *s, int64_t stride)
{
    select_events_begin(&s->events);
    for (int64_t n = 0;; n++) {
        int32_t changed = select_events_next(&s->events);
        double floor_cost =
            select_combined(s->model, s->least_computation, 2 * s->events.threshold + s->model->router_cost);
        if (changed < 0 || floor_cost >= s->best.cost) {
            return;
        }
        if (n % stride == 0) {
            look_at_roots(s, stride == 1 ? changed : -1);
        }
    }
}

/* ---- The whole ---- */

static void look_at_single_clusters(tree_sweep *s)
{
    for (int32_t i = 0; i < s->model->clusters; i++) {
        for (int32_t p = 1; p <= s->model->most[i]; p++) {
            take(s, root_cost(s, i, 0, 0, p), i, p, 1);
        }
    }
}

static void measure_slopes(tree_sweep *s)
{
    const select_model *model = s->model;
    for (int32_t r = 0; r < model->clusters; r++) {
        double slope = model->slope[r];
        s->steepness[r] = INFINITY;
        if (slope > 0 && model->growth[r] == INLAY_GROWTH_LINEAR) {
            s->steepness[r] = sqrt(model->work / slope / model->rate[r]);
        } else if (slope > 0 && model->growth[r] == INLAY_GROWTH_LOG2) {
            s->steepness[r] = model->work / (slope / log(2)) / model->rate[r];
        }
    }
}

/* The best configuration into the events' processors. */
static void rebuild(tree_sweep *s)
{
    select_events *e = &s->events;
    int32_t leaves = 0;
    select_events_begin(e);
    select_events_to(e, s->best.threshold);
    for (int32_t n = 0; n < s->model->clusters; n++) {
        int32_t i = e->order[n];
        if (i == s->best.root) {
            e->processors[i] = s->best.processors;
        } else if (leaves + 1 < s->best.used) {
            leaves++;
        } else {
            e->processors[i] = 0;
        }
    }
}

int select_sweep_tree(const select_model *model, select_best *best, inlay_diag *diag)
{
    enum { SMALL = 1000, COARSE = 200 }; /* with so many processors, a coarse sweep first finds what prunes */
    tree_sweep s = {.model = model, .best = {.cost = INFINITY}};
    bool made = select_events_make(&s.events, model);
    s.steepness = memory_array((size_t)model->clusters, sizeof *s.steepness);
    if (!made || s.steepness == NULL) {
        free(s.steepness);
        select_events_clear(&s.events);
        return diag_no_memory(diag);
    }
    measure_slopes(&s);
    s.least_computation = model->work / select_events_speed(model);
    look_at_single_clusters(&s);
    if (model->processors > SMALL) {
        sweep(&s, model->processors / COARSE);
    }
    sweep(&s, 1);
    rebuild(&s);
    select_best_offer(best, s.events.processors, select_cycle(model, s.events.processors));
    best->looked_at += s.looked_at;
    best->lower_bound = best->cost[0];
    best->proven = true;
    free(s.steepness);
    select_events_clear(&s.events);
    return INLAY_OK;
}
