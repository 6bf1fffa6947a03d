/*
 * All work over what P processors can do.
 *
 * Processors of kind k get a weight w_k. Whoever runs module i takes c_i t_ik of its kind, so that within B
 *
 *     sum over i of c_i min over k of w_k t_ik  <=  B x (the sum of the P largest weights),
 *
 * each kind counted as often as there are processors of it: any weights give a bound, and the best ones that of the linear
 * program whose dual this is. The search starts from the rates of kinds.h and moves one weight at a time; where kinds
 * differ in speed alone, the start is the optimum.
 */
#include "base/memory.h"
#include "mapping/bounds.h"
#include <math.h>
#include <stdlib.h>

/* Module times that are looked at in the search, all kinds together. */
static const double most_steps = 2e7;

/* Whether a module may run on a kind. */
static bool may_run(const bounds_question *q, inlay_id module, const processor_kind *k)
{
    const problem *p = q->p;
    if (inlay_machine_has_links(p->machine) && bounds_cores(q, module) > k->cores) {
        return false;
    }
    if (!kind_runs(k, module)) {
        return false;
    }
    if (!q->keeps) {
        return true;
    }
    inlay_id pin = inlay_app_pin(q->app, module);
    return (pin < 0 || kinds_of(&p->kinds, pin) == k) &&
           (k->memory < 0 || inlay_app_memory(q->app, module) <= k->memory);
}

/* Time of every module on every kind, over all its cores; infinite where it may not run. By module. */
static void fill_times(const bounds_question *q, double *time)
{
    const kinds *all = &q->p->kinds;
    for (inlay_id i = 0; i < q->app->modules; i++) {
        for (int k = 0; k < all->count; k++) {
            const processor_kind *kind = &all->kind[k];
            double held = inlay_app_in_units(q->app, kind_time(q->app, kind, i)) / kind->speed * bounds_cores(q, i);
            *time++ = may_run(q, i, kind) ? held : INFINITY;
        }
    }
}

/* The sum of the P largest weights. */
static double capacity(const bounds_question *q, const double *weight)
{
    const kinds *all = &q->p->kinds;
    bool taken[KINDS_MOST] = {false};
    double sum = 0;
    for (inlay_id left = q->processors; left > 0;) {
        int best = -1;
        for (int k = 0; k < all->count; k++) {
            best = !taken[k] && (best < 0 || weight[k] > weight[best]) ? k : best;
        }
        if (best < 0) {
            break;
        }
        inlay_id count = all->kind[best].count < left ? all->kind[best].count : left;
        taken[best] = true;
        sum += count * weight[best];
        left -= count;
    }
    return sum;
}

static double bound_with(const bounds_question *q, const double *time, const double *weight)
{
    int count = q->p->kinds.count;
    double sum = 0;
    for (inlay_id i = 0; i < q->app->modules; i++, time += count) {
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            double weighed = weight[k] * time[k];
            least = weighed < least ? weighed : least;
        }
        sum += isinf(least) ? 0 : least; /* of one that may run nowhere nothing is claimed */
    }
    double most = capacity(q, weight);
    return most > 0 ? sum / most : 0;
}

/* One weight at a time, by steps that halve: as many rounds as the module times that may be looked at allow. */
static double search(const bounds_question *q, const double *time, double *weight)
{
    int count = q->p->kinds.count;
    double best = bound_with(q, time, weight);
    double rounds = most_steps / (2.0 * count * count * q->app->modules);
    double factor = 2;
    for (int r = 0; r < 40 && r < rounds; r++, factor = sqrt(factor)) {
        for (int k = 0; k < 2 * count; k++) {
            double *one = &weight[k / 2], before = *one;
            *one = k % 2 == 0 ? before * factor : before / factor;
            double now = bound_with(q, time, weight);
            if (now > best) {
                best = now;
            } else {
                *one = before;
            }
        }
    }
    return best;
}

static int by_kind(const bounds_question *q, inlay_bound *bound)
{
    const kinds *all = &q->p->kinds;
    double *time = memory_array((size_t)q->app->modules * (size_t)all->count, sizeof *time);
    if (time == NULL) {
        return INLAY_NO_MEMORY;
    }
    q->found->weights = all->count;
    for (int k = 0; k < all->count; k++) {
        q->found->weight[k] = all->kind[k].rate;
    }
    fill_times(q, time);
    bound->value = search(q, time, q->found->weight);
    free(time);
    return INLAY_OK;
}

int bounds_work(const bounds_question *q, inlay_bound *bound)
{
    if (q->processors == 0) {
        return INLAY_OK;
    }
    if (q->p != NULL && q->p->kinds.count > 1) {
        return by_kind(q, bound);
    }
    inlay_time total = 0;
    for (inlay_id i = 0; i < q->app->modules; i++) {
        total += q->timing->m[i] * bounds_cores(q, i);
    }
    bound->value = inlay_app_in_units(q->app, total) / q->processors / q->speed;
    return INLAY_OK;
}
