/* The estimate of the elapsed time, and how busy a cluster is. */
#include "mapping/check.h"

#include <math.h>
#include <stdlib.h>

double check_units(const check *k, inlay_time grains)
{
    return (double)grains / (double)k->grains_per_unit;
}

double check_utilisation(const check *k, inlay_id cluster)
{
    double sent = (double)k->cluster[cluster].weighted_out;
    return (check_units(k, k->cluster[cluster].work) + k->tau * sent) / k->time_frame;
}

/* Time from the start of module i until its link `l` is satisfied, the message's journey counted. */
static double satisfied_after(const check *k, inlay_id i, const inlay_links *out, int64_t l, double tau)
{
    inlay_id j = out->module[l];
    const check_cluster *from = &k->cluster[k->cluster_of[i]], *to = &k->cluster[k->cluster_of[j]];
    double wait = check_units(k, check_lag(k, i, j));
    if (from == to) return wait;
    int64_t traffic = check_traffic(k, out->messages[l], out->bytes[l]);
    double messages = (double)check_messages(k, out->messages[l], out->bytes[l]);
    double distance = inlay_machine_distance(k->machine, from->processor, to->processor);
    if (traffic > 0) wait += (double)traffic * tau * distance; /* tau may be infinite */
    return wait + k->network.latency * messages;
}

int check_estimate(const check *k, double tau, double *estimate)
{
    double *satisfied = calloc((size_t)k->modules + 1, sizeof *satisfied);
    double *idle_from = calloc((size_t)k->clusters + 1, sizeof *idle_from);
    double last = 0;

    if (!satisfied || !idle_from) {
        free(satisfied);
        free(idle_from);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = k->order[at];
        double *processor = &idle_from[k->cluster_of[i]];
        double start = fmax(satisfied[i], *processor);
        *processor = start + check_units(k, k->time[i]);
        last = fmax(last, *processor);
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            double *there = &satisfied[out.module[l]];
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY))
                *there = fmax(*there, start + satisfied_after(k, i, &out, l, tau));
        }
    }
    free(satisfied);
    free(idle_from);
    *estimate = last;
    return INLAY_OK;
}
