/*
 * Figures of machines whose processors differ, or whose messages go over links, and of applications whose data are copied:
 * what a time frame costs is no line in tau there, so that the estimate itself is asked.
 */
#include "search/figures_exact.h"
#include "graph/app.h"
#include <math.h>

bool figures_need_exact(const problem *p)
{
    return inlay_machine_has_links(p->machine) || p->kinds.count > 1 || problem_copies(p);
}

int figures_exact_lay(const figures *f, figures_desk *desk, const placement *place)
{
    const problem *p = f->p;
    estimator_clear(&desk->exact);
    bool alike = !inlay_machine_has_links(p->machine) && p->kinds.count == 1;
    desk->placed = alike || place->clusters <= inlay_machine_processors(p->machine);
    desk->demand = 0;
    if (!desk->placed) {
        return INLAY_OK;
    }
    for (inlay_id c = 0; c < place->clusters; c++) {
        desk->own_work[c] = inlay_app_in_units(p->app, desk->clusters[c].work) / p->kinds.speed;
    }
    for (inlay_id i = 0; i < p->modules; i++) { /* what it takes where it is, beyond what it takes at best */
        inlay_id c = place->cluster_of[i];
        double best = inlay_app_in_units(p->app, p->timing.m[i]) / p->kinds.speed;
        desk->own_work[c] += problem_time_on(p, i, place->processor[c]) - best;
    }
    int status = estimator_make(p, f->order, place, (double)desk->weighted, &desk->exact, NULL);
    desk->demand = desk->exact.demand;
    return status;
}

/* Work and messages of a cluster, with the network as estimate_network() left it. */
static double load_of(const figures_desk *desk, const network_point *at, inlay_id cluster)
{
    const link_load *load = &desk->exact.load;
    double time = desk->own_work[cluster];
    if (load->begin == NULL) {
        return time + at->tau * (double)desk->clusters[cluster].sent;
    }
    for (int64_t flow = load->begin[cluster]; flow < load->begin[cluster + 1]; flow++) {
        time += (double)load->traffic[flow] * load->tau[flow];
    }
    return time;
}

static double communication(const figures_desk *desk, const network_point *at)
{
    const link_load *load = &desk->exact.load;
    double time = 0;
    for (size_t flow = 0; flow < load->flows; flow++) {
        time += (double)load->traffic[flow] * load->tau[flow];
    }
    return load->begin == NULL ? at->tau * (double)desk->weighted : time;
}

void figures_exact_cost(figures_desk *desk, double time_frame, inlay_sweep_cost *cost)
{
    network_point at;
    if (!desk->placed) {
        cost->u = cost->load = NAN; /* there is no such machine: nothing is known of its network */
        return;
    }
    if (estimate_network(&desk->exact, time_frame, &at) != INLAY_OK) {
        return;
    }
    cost->saturated = false;
    cost->delay = at.delay;
    cost->tau = at.tau;
    cost->communication = communication(desk, &at);
    cost->estimate = estimate_at(&desk->exact, &at);
    cost->utilisation_least = INFINITY;
    cost->utilisation_most = cost->utilisation_mean = 0;
    for (inlay_id c = 0; c < desk->cluster_count; c++) {
        double utilisation = load_of(desk, &at, c) / time_frame;
        cost->utilisation_least = fmin(cost->utilisation_least, utilisation);
        cost->utilisation_most = fmax(cost->utilisation_most, utilisation);
        cost->utilisation_mean += utilisation;
    }
    cost->utilisation_mean /= desk->cluster_count;
}

double figures_exact_fixed_point(figures_desk *desk)
{
    double result = NAN;
    return desk->placed && estimate_fixed_point(&desk->exact, &result, NULL) == INLAY_OK ? result : NAN;
}

static bool fits(figures_desk *desk, double time_frame)
{
    network_point at;
    bool all = estimate_network(&desk->exact, time_frame, &at) == INLAY_OK;
    for (inlay_id c = 0; all && c < desk->cluster_count; c++) {
        all = load_of(desk, &at, c) / time_frame <= 1;
    }
    return all;
}

/* What a cluster has to do falls as T grows: doubling, then halving the interval to the last digit. */
double figures_exact_fit(figures_desk *desk, double from, double until)
{
    if (!desk->placed || !(from < until)) {
        return NAN;
    }
    double low = from, high = from;
    while (isfinite(high) && !fits(desk, high)) {
        low = high;
        high *= 2;
    }
    while (isfinite(high) && nextafter(low, high) < high) {
        double middle = low + (high - low) / 2;
        if (fits(desk, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high < until ? high : NAN;
}
