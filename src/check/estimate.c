/* The estimate of the elapsed time, and how busy a cluster is. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>

double check_units(const check *k, inlay_time grains)
{
    return (double)grains / (double)k->grains_per_unit;
}

/* The time that a cluster's messages take. */
static double sending(const check *k, inlay_id cluster)
{
    if (!inlay_machine_has_links(k->machine)) return k->tau * (double)k->cluster[cluster].weighted_out;
    return (double)k->cluster[cluster].sending;
}

double check_utilisation(const check *k, inlay_id cluster)
{
    return (k->cluster[cluster].own_work + sending(k, cluster)) / k->time_frame;
}

/* Time of a module on the processor of its cluster, and the lag of a link there, in the application's unit. */
static double time_there(const check *k, inlay_id module)
{
    const check_class *class = check_class_of(k, k->cluster[k->cluster_of[module]].processor);
    return check_units(k, check_time_on(k, module, class)) / class->speed;
}

static double lag_there(const check *k, inlay_id i, inlay_id j)
{
    const check_class *class = check_class_of(k, k->cluster[k->cluster_of[i]].processor);
    return check_units(k, check_lag(k, i, j, check_time_on(k, i, class))) / class->speed;
}

/* Over links: what the flow takes that the message is part of. */
static double journey(const check *k, inlay_id from, inlay_id to, int64_t traffic, double messages)
{
    const check_flow *flow = check_flow_of(k, from, to);
    if (!flow) return 0;
    return (double)((long double)traffic * flow->tau + (long double)messages * (k->network.latency + flow->latency));
}

/* A lag from the start of a module, and behind it the journey of so much to another cluster. */
static check_path journey_to(const check *k, double lag, const check_crossing *of, double tau)
{
    const check_cluster *from = &k->cluster[of->from], *to = &k->cluster[of->to];
    check_path way = {lag, 0};
    if (from == to) return way;
    int64_t traffic = check_traffic(k, of->messages, of->bytes);
    double messages = (double)check_messages(k, of->messages, of->bytes);
    if (inlay_machine_has_links(k->machine)) {
        way.length += journey(k, of->from, of->to, traffic, messages);
        return way;
    }
    way.carried = (double)traffic * inlay_machine_distance(k->machine, from->processor, to->processor);
    if (way.carried > 0) way.length += tau * way.carried; /* tau may be infinite */
    way.length += k->network.latency * messages;
    return way;
}

/* The way from the start of module i until its link `l` is satisfied, what it carries of its own counted. */
static check_path way_to(const check *k, inlay_id i, const inlay_links *out, int64_t l, double tau)
{
    inlay_id j = out->module[l];
    check_crossing of = {.from = k->cluster_of[i], .to = k->cluster_of[j]};
    bool stays = check_keeper(k, NULL, of.from) == check_keeper(k, NULL, of.to);
    check_own(k, out, l, stays, &of.messages, &of.bytes);
    return journey_to(k, lag_there(k, i, j), &of, tau);
}

static check_path behind(check_path path, check_path next)
{
    return (check_path){path.length + next.length, path.carried + next.carried};
}

static void keep_longer(check_path *longest, check_path path)
{
    if (path.length > longest->length) *longest = path;
}

/* What comes to a keeper of the datum at hand. */
typedef struct delivery {
    inlay_id datum; /* the datum at hand, or an earlier one */
    double least;   /* the least lag of those that wait there, or to where it is sent on */
    check_path arrival;
} delivery;

/* The place of holder h of the datum at hand. */
static delivery *place_of(const check *k, delivery *to_keeper, inlay_id h)
{
    return &to_keeper[check_keeper(k, NULL, k->holder[h].cluster)];
}

/* A datum comes to every keeper once: from its producer, with the lag of the first that waits for it, or from another. */
static void hand_out(const check *k, inlay_id number, check_path start, double tau, delivery *to_keeper,
                     check_path *satisfied)
{
    inlay_datum datum = inlay_app_datum(k->app, number);
    check_crossing of = {-1, -1, datum.messages, datum.bytes, false};
    inlay_id home = check_keeper(k, NULL, k->cluster_of[datum.producer]), holders = check_holders(k, NULL, number);
    for (int64_t j = 0; j < datum.consumers; j++) {
        delivery *here = &to_keeper[check_keeper(k, NULL, k->cluster_of[datum.consumer[j]])];
        if (here->datum != number) *here = (delivery){number, INFINITY, {-1, 0}};
        here->least = fmin(here->least, lag_there(k, datum.producer, datum.consumer[j]));
    }
    for (inlay_id h = holders, giver; h > 0; h--)
        if ((giver = check_giver(k, h)) > 0) {
            delivery *by = place_of(k, to_keeper, giver);
            by->least = fmin(by->least, place_of(k, to_keeper, h)->least);
        }
    for (inlay_id h = 1; h <= holders; h++) {
        inlay_id giver = check_giver(k, h);
        delivery *here = place_of(k, to_keeper, h);
        of.from = k->holder[giver].cluster;
        of.to = k->holder[h].cluster;
        here->arrival = giver > 0 ? behind(place_of(k, to_keeper, giver)->arrival, journey_to(k, 0, &of, tau))
                                  : behind(start, journey_to(k, here->least, &of, tau));
    }
    for (int64_t j = 0; j < datum.consumers; j++) {
        inlay_id keeper = check_keeper(k, NULL, k->cluster_of[datum.consumer[j]]);
        if (keeper != home) keep_longer(&satisfied[datum.consumer[j]], to_keeper[keeper].arrival);
    }
}

/* Looks up when the processors of a module are idle, the latest; or notes when they are. */
static void each_seat(const check *k, inlay_id module, inlay_id *next, check_path *idle_from, check_path *when,
                      bool note)
{
    bool several = k->seats[module] > 1;
    for (inlay_id c = several ? 0 : k->cluster_of[module]; c < k->clusters; c++) {
        bool here = next[c] < k->cluster[c].end && k->listed[next[c]] == module;
        if (here && note) {
            idle_from[c] = *when;
            next[c]++;
        } else if (here) {
            keep_longer(when, idle_from[c]);
        }
        if (!several) return;
    }
}

int check_estimate(const check *k, double tau, check_path *longest)
{
    check_path *satisfied = calloc((size_t)k->modules + 1, sizeof *satisfied);
    check_path *idle_from = calloc((size_t)k->clusters + 1, sizeof *idle_from);
    inlay_id *next = calloc((size_t)k->clusters + 1, sizeof *next); /* of every cluster: in check.listed */
    size_t keepers = check_copies(k) ? (size_t)k->clusters + (size_t)inlay_machine_processors(k->machine) : 0;
    delivery *to_keeper = calloc(keepers + 1, sizeof *to_keeper);
    check_path last = {0, 0};

    if (!satisfied || !idle_from || !next || !to_keeper) {
        free(to_keeper);
        free(satisfied);
        free(idle_from);
        free(next);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id c = 0; c < k->clusters; c++)
        next[c] = k->cluster[c].first;
    for (size_t h = 0; h < keepers; h++)
        to_keeper[h].datum = -1;
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = k->sequence[at];
        check_path start = satisfied[i];
        each_seat(k, i, next, idle_from, &start, false);
        check_path end = behind(start, (check_path){time_there(k, i), 0});
        each_seat(k, i, next, idle_from, &end, true);
        keep_longer(&last, end);
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++)
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY))
                keep_longer(&satisfied[out.module[l]], behind(start, way_to(k, i, &out, l, tau)));
        for (inlay_id d = k->datum_from[i]; check_copies(k) && d < k->datum_from[i + 1]; d++)
            hand_out(k, d, start, tau, to_keeper, satisfied);
    }
    free(to_keeper);
    free(satisfied);
    free(idle_from);
    free(next);
    *longest = last;
    return INLAY_OK;
}
