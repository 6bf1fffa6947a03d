/* The idle network, and levels of modules by what takes place on it. */
#include "cluster/idle.h"
#include "graph/app.h"
#include <math.h>

enum { SOURCES = 512 }; /* processors whose distances to all others make the mean, evenly among them */

idle_network idle_network_of(const problem *p)
{
    const interconnect *network = &p->network;
    double grain = pow(10, inlay_app_decimals(p->app));
    network_point idle = {0};
    bool known = interconnect_at_utilisation(network, 0, &idle) == INLAY_OK;
    return (idle_network){.p = p,
                          .tau = known ? idle.tau * grain : 0,
                          .latency = network->latency * grain,
                          .grain = grain,
                          .near = !inlay_machine_has_distance(p->machine)};
}

double idle_latency(const idle_network *network, int64_t messages, int64_t bytes)
{
    const interconnect *of = &network->p->network;
    return (double)interconnect_messages(of, messages, bytes) * network->latency +
           interconnect_along(&of->latency_by_size, of, messages, bytes) * network->grain;
}

idle_cost idle_cost_of(const idle_network *network, int64_t link)
{
    const problem *p = network->p;
    double latency = interconnect_is_late(&p->network)
                         ? idle_latency(network, p->app->out_messages[link], p->app->out_bytes[link])
                         : 0;
    return (idle_cost){(double)problem_link_traffic(p, link) * network->tau, latency};
}

double idle_lag_on_kind(const idle_network *network, const processor_kind *k, inlay_id from, inlay_id to)
{
    const problem *p = network->p;
    inlay_time time = kind_time(p->app, k, from);
    if (p->timing.streamed) {
        inlay_time wait = p->timing.b[to] - p->timing.b[from];
        time = wait < 0 ? 0 : wait < time ? wait : time;
    }
    return (double)time / k->speed;
}

/* ---- Means ---- */

static double mean_distance(const problem *p)
{
    inlay_id processors = p->processors, sources = processors < SOURCES ? processors : SOURCES;
    double sum = 0;
    for (inlay_id s = 0; s < sources; s++) {
        inlay_id from = (inlay_id)((int64_t)s * processors / sources);
        for (inlay_id to = 0; to < processors; to++) {
            sum += interconnect_distance(&p->network, from, to);
        }
    }
    return sources == processors ? sum : sum / sources * processors;
}

idle_means idle_means_of(const idle_network *network)
{
    const problem *p = network->p;
    double others = p->processors - 1;
    idle_means means = {.network = *network, .scale = 1};
    if (p->processors > 1) {
        means.scale = means.crossing = p->processors * others;
        means.distance = network->near ? means.crossing : mean_distance(p);
    }
    for (inlay_id q = 0; q < p->processors; q++) {
        means.weight[p->kinds.of == NULL ? 0 : p->kinds.of[q]] += p->processors > 1 ? others : 1;
    }
    return means;
}

double idle_mean_time(const idle_means *means, inlay_id module)
{
    const kinds *all = &means->network.p->kinds;
    double sum = 0;
    for (int k = 0; k < all->count; k++) {
        sum += means->weight[k] * idle_time_on_kind(&means->network, &all->kind[k], module);
    }
    return sum;
}

double idle_mean_message(const idle_means *means, int64_t link)
{
    idle_cost cost = idle_cost_of(&means->network, link);
    return cost.far * means->distance + cost.each * means->crossing;
}

double idle_mean_lag(const idle_means *means, inlay_id from, inlay_id to)
{
    const kinds *all = &means->network.p->kinds;
    double sum = 0;
    for (int k = 0; k < all->count; k++) {
        sum += means->weight[k] * idle_lag_on_kind(&means->network, &all->kind[k], from, to);
    }
    return sum;
}

/* ---- Levels ---- */

void idle_upward(const idle_means *means, bool messages, double *rank)
{
    const inlay_app *app = means->network.p->app;
    for (inlay_id k = app->modules - 1; k >= 0; k--) {
        inlay_id i = app->topological[k];
        double longest = idle_mean_time(means, i);
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
                double message = messages ? idle_mean_message(means, l) : 0;
                longest = fmax(longest, idle_mean_lag(means, i, app->out_to[l]) + message + rank[app->out_to[l]]);
            }
        }
        rank[i] = longest;
    }
}

void idle_downward(const idle_means *means, double *rank)
{
    const inlay_app *app = means->network.p->app;
    for (inlay_id i = 0; i < app->modules; i++) {
        rank[i] = 0;
    }
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id i = app->topological[k];
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            inlay_id to = app->out_to[l];
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
                rank[to] = fmax(rank[to], rank[i] + idle_mean_lag(means, i, to) + idle_mean_message(means, l));
            }
        }
    }
}
