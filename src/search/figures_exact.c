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

int figures_exact_lay(const figures *f, figures_workspace *workspace, const placement *place)
{
    const problem *p = f->p;
    estimator_clear(&workspace->exact);
    bool alike = !inlay_machine_has_links(p->machine) && p->kinds.count == 1;
    workspace->placed = alike || place->clusters <= inlay_machine_processors(p->machine);
    workspace->demand = 0;
    if (!workspace->placed) {
        return INLAY_OK;
    }
    for (inlay_id c = 0; c < place->clusters; c++) {
        workspace->own_work[c] = inlay_app_in_units(p->app, workspace->clusters[c].work) / p->kinds.speed;
    }
    for (inlay_id i = 0; i < p->modules; i++) { /* what it takes where it is, beyond what it takes at best */
        inlay_id c = place->cluster_of[i];
        double best = inlay_app_in_units(p->app, p->timing.m[i]) / p->kinds.speed;
        workspace->own_work[c] += problem_time_on(p, i, place->processor[c]) - best;
    }
    int status = estimator_make(p, f->order, place, (double)workspace->weighted, &workspace->exact, NULL);
    workspace->demand = workspace->exact.demand;
    return status;
}

/* Work and messages of a cluster, with the network as estimate_network() left it. */
static double load_of(const figures_workspace *workspace, const network_point *at, inlay_id cluster)
{
    const link_load *load = &workspace->exact.load;
    double time = workspace->own_work[cluster];
    if (load->begin == NULL) {
        return time + at->tau * (double)workspace->clusters[cluster].sent;
    }
    for (int64_t flow = load->begin[cluster]; flow < load->begin[cluster + 1]; flow++) {
        time += (double)load->traffic[flow] * load->tau[flow];
    }
    return time;
}

static double communication(const figures_workspace *workspace, const network_point *at)
{
    const link_load *load = &workspace->exact.load;
    double time = 0;
    for (size_t flow = 0; flow < load->flows; flow++) {
        time += (double)load->traffic[flow] * load->tau[flow];
    }
    return load->begin == NULL ? at->tau * (double)workspace->weighted : time;
}

void figures_exact_cost(figures_workspace *workspace, double time_frame, inlay_sweep_cost *cost)
{
    network_point at;
    if (!workspace->placed) {
        cost->u = cost->load = NAN; /* there is no such machine: nothing is known of its network */
        return;
    }
    if (estimate_network(&workspace->exact, time_frame, &at) != INLAY_OK) {
        return;
    }
    cost->saturated = false;
    cost->delay = at.delay;
    cost->tau = at.tau;
    cost->communication = communication(workspace, &at);
    cost->estimate = estimate_at(&workspace->exact, &at);
    cost->utilisation_least = INFINITY;
    cost->utilisation_most = cost->utilisation_mean = 0;
    for (inlay_id c = 0; c < workspace->cluster_count; c++) {
        double utilisation = load_of(workspace, &at, c) / time_frame;
        cost->utilisation_least = fmin(cost->utilisation_least, utilisation);
        cost->utilisation_most = fmax(cost->utilisation_most, utilisation);
        cost->utilisation_mean += utilisation;
    }
    cost->utilisation_mean /= workspace->cluster_count;
}

double figures_exact_fixed_point(figures_workspace *workspace)
{
    double result = NAN;
    return workspace->placed && estimate_fixed_point(&workspace->exact, &result, NULL) == INLAY_OK ? result : NAN;
}

static bool fits(figures_workspace *workspace, double time_frame)
{
    network_point at;
    bool all = estimate_network(&workspace->exact, time_frame, &at) == INLAY_OK;
    for (inlay_id c = 0; all && c < workspace->cluster_count; c++) {
        all = load_of(workspace, &at, c) / time_frame <= 1;
    }
    return all;
}

/* What a cluster has to do falls as T grows: doubling, then halving the interval to the last digit. */
double figures_exact_fit(figures_workspace *workspace, double from, double until)
{
    if (!workspace->placed || !(from < until)) {
        return NAN;
    }
    double low = from, high = from;
    while (isfinite(high) && !fits(workspace, high)) {
        low = high;
        high *= 2;
    }
    while (isfinite(high) && nextafter(low, high) < high) {
        double middle = low + (high - low) / 2;
        if (fits(workspace, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high < until ? high : NAN;
}
