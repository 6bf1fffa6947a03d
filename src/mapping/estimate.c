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
    *e = (estimator){0};
}

int estimator_make(const problem *p, const inlay_id *order, const placement *place, estimator *result, inlay_diag *diag)
{
    estimator e = {.p = p, .order = order, .place = place};
    e.m = memory_array((size_t)p->modules, sizeof *e.m);
    e.start = memory_array((size_t)p->modules, sizeof *e.start);
    e.free_at = memory_array((size_t)place->clusters, sizeof *e.free_at);
    if (e.m == NULL || e.start == NULL || e.free_at == NULL) {
        estimator_clear(&e);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        e.m[i] = inlay_app_in_units(p->app, p->timing.m[i]);
    }
    *result = e;
    return INLAY_OK;
}

/* Time from the start of a producer until its link is satisfied, its message's time counted where it crosses. */
static double link_time(const estimator *e, inlay_id from, int64_t link, double tau)
{
    const problem *p = e->p;
    const inlay_app *app = p->app;
    inlay_id to = app->out_to[link];
    double lag = p->timing.streamed ? inlay_app_in_units(app, timing_lag(&p->timing, from, to)) : e->m[from];
    inlay_id here = e->place->cluster_of[from], there = e->place->cluster_of[to];
    if (here == there) {
        return lag;
    }
    int distance = interconnect_distance(&p->network, e->place->processor[here], e->place->processor[there]);
    int64_t messages = interconnect_messages(&p->network, app->out_messages[link], app->out_bytes[link]);
    return lag + (double)problem_link_traffic(p, link) * distance * tau + (double)messages * p->network.latency;
}

double estimate_at(estimator *e, double tau)
{
    const inlay_app *app = e->p->app;
    double elapsed = 0;
    memset(e->start, 0, (size_t)e->p->modules * sizeof *e->start);
    memset(e->free_at, 0, (size_t)e->place->clusters * sizeof *e->free_at);
    for (inlay_id k = 0; k < e->p->modules; k++) {
        inlay_id i = e->order[k];
        double *free_at = &e->free_at[e->place->cluster_of[i]];
        e->start[i] = fmax(e->start[i], *free_at);
        *free_at = e->start[i] + e->m[i];
        elapsed = fmax(elapsed, *free_at);
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
                double satisfied = e->start[i] + link_time(e, i, l, tau);
                e->start[app->out_to[l]] = fmax(e->start[app->out_to[l]], satisfied);
            }
        }
    }
    return elapsed;
}

/* ---- The fixed point: a root of E(T) - T, which falls with T since tau does ---- */

typedef struct fixed_point {
    estimator *e;
    double traffic;
} fixed_point;

/* E(T) - T; +inf at saturation, which only the lower end of the bracket touches. */
static double excess(double time_frame, void *context)
{
    fixed_point *f = context;
    network_point at = {0};
    if (interconnect_at(&f->e->p->network, f->traffic, time_frame, &at) != INLAY_OK) {
        return INFINITY;
    }
    return estimate_at(f->e, at.tau) - time_frame;
}

/* GSL's own handler would end the process: off while it works. */
static int solve(fixed_point *f, double low, double high, double *root, inlay_diag *diag)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_function function;
    function.function = excess;
    function.params = f;
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
static double frame_above(fixed_point *f, double low)
{
    network_point idle = {0};
    if (interconnect_at(&f->e->p->network, 0, 1, &idle) != INLAY_OK) {
        return INFINITY;
    }
    double high = fmax(estimate_at(f->e, idle.tau), low) * (1 + 1e-9);
    while (isfinite(high) && excess(high, f) > 0) {
        high *= 2;
    }
    return high;
}

int estimate_fixed_point(estimator *e, double traffic, double *result, inlay_diag *diag)
{
    fixed_point f = {e, traffic};
    const interconnect *network = &e->p->network;
    if (network->free || !(traffic > 0)) {
        *result = estimate_at(e, 0); /* nothing crosses, or it costs nothing */
        return INLAY_OK;
    }
    /* At saturation D of buses stays finite: where E is below T even there, no T has E = T. */
    double low = interconnect_saturation_frame(network, traffic) * (1 + 1e-12);
    double at_low = excess(low, &f);
    if (!(at_low > 0) || !isfinite(at_low)) {
        *result = at_low == 0 ? low : NAN;
        return INLAY_OK;
    }
    double high = frame_above(&f, low), root = high;
    if (!isfinite(high)) {
        *result = NAN;
        return INLAY_OK;
    }
    int status = solve(&f, low, high, &root, diag);
    *result = status == INLAY_OK ? root : *result;
    return status;
}
