/* How closely runs of a mapped application can follow each other: what each of them keeps at work, and for how long. */
#include "base/diag.h"
#include "graph/app.h"
#include "mapping/mapping.h"
#include <inlay/sdf.h>
#include <math.h>

/* ---- Cycles of firings ---- */

/*
 * All firings of a cycle take at least this share of their general times, of which the graph's least period is made: where
 * they are, or where they run fastest. Exact on processors that are what the times hold for.
 */
static double least_share(const problem *p, const inlay_mapping *m)
{
    double share = INFINITY;
    for (inlay_id i = 0; i < p->modules; i++) {
        double general = inlay_app_in_units(p->app, inlay_app_time(p->app, i));
        double own = m != NULL ? problem_time_on(p, i, m->clusters[m->cluster_of[i]].processor)
                               : inlay_app_in_units(p->app, p->timing.m[i]) / p->kinds.speed;
        share = general > 0 ? fmin(share, own / general) : share;
    }
    return isfinite(share) ? share : 0;
}

double mapping_cycle(const problem *p, const inlay_mapping *m)
{
    inlay_sdf_period cycle = p->app->sdf != NULL ? inlay_sdf_least_period(p->app->sdf) : (inlay_sdf_period){0};
    return cycle.bounded ? (double)cycle.numerator / (double)cycle.denominator * least_share(p, m) : NAN;
}

/* ---- All together ---- */

/* The larger of a bound of all iterations that there are and a cycle. */
static inlay_bound of_one(const inlay_mapping *m, inlay_bound bound, double cycle)
{
    bound.value /= fmax(1, m->app->iterations);
    return cycle > bound.value || (isnan(bound.value) && !isnan(cycle))
               ? (inlay_bound){.name = "cycle", .words = "cycle of firings", .value = cycle, .at = -1}
               : bound;
}

static inlay_bound placed(const inlay_mapping *m)
{
    return of_one(m, bounds_largest(&m->bounds, true), m->cycle);
}

inlay_least_period inlay_mapping_least_period(const inlay_mapping *mapping)
{
    const inlay_bound *work = &mapping->bounds.of[1], *longest = &mapping->bounds.of[2];
    inlay_least_period result = {.of_placement = placed(mapping)};
    result.of_any = of_one(mapping, longest->value > work->value ? *longest : *work, mapping->any_cycle);
    double least = result.of_placement.value, any = result.of_any.value;
    result.gap = any > 0 ? least / any - 1 : least > 0 ? NAN : 0;
    return result;
}

int mapping_find_period(const problem *p, const placement *place, inlay_mapping *m, double *period)
{
    int status = INLAY_OK;
    if (inlay_machine_has_links(p->machine)) {
        status = placement_demand(p, place, &m->link_demand, NULL);
    }
    status = status == INLAY_OK ? bounds_of_placement(p, m) : status;
    if (status == INLAY_OK) {
        m->cycle = mapping_cycle(p, m);
        *period = placed(m).value;
    }
    return status;
}
