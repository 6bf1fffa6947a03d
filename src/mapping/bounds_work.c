/* All work over what P processors can do. The weights of problem/work_bound.h start from the rates of kinds.h, which are the optimum where kinds
   differ in speed alone. */
#include "base/memory.h"
#include "mapping/bounds.h"
#include "problem/work_bound.h"
#include <math.h>
#include <stdlib.h>

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
    inlay_id count[KINDS_MOST];
    for (int k = 0; k < all->count; k++) {
        count[k] = all->kind[k].count;
    }
    const work_question work = {all->count, count, q->processors, q->app->modules, time};
    bound->value = work_bound(&work, q->found->weight);
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
