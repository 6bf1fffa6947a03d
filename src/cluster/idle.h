/*
 * What methods know of the network before anything is mapped: the time of a message from one processor to another while
 * nobody else sends, and the mean of that over all pairs. Times are grains, so that whole ones have exact sums.
 *
 * A message with c units of traffic takes c tau d + latency, d the distance and tau that of an idle network; where links
 * differ it is that of the narrowest.
 */
#ifndef CLUSTER_IDLE_H
#define CLUSTER_IDLE_H

#include "problem/problem.h"

typedef struct idle_network {
    const problem *p;
    double tau, latency; /**< of a unit of traffic a distance, and of a message */
    double grain;        /**< grains of a unit */
    bool near;           /**< all processors are at distance 1 from each other */
} idle_network;

/** What a link of the application costs: `far` times the distance, and `each` wherever it leaves its processor. */
typedef struct idle_cost {
    double far, each;
} idle_cost;

idle_network idle_network_of(const problem *p);

/** Of all messages of a link. */
double idle_latency(const idle_network *network, int64_t messages, int64_t bytes);

idle_cost idle_cost_of(const idle_network *network, int64_t link);

static inline double idle_message(const idle_network *network, idle_cost cost, inlay_id from, inlay_id to)
{
    return from == to      ? 0
           : network->near ? cost.far + cost.each
                           : cost.far * interconnect_distance(&network->p->network, from, to) + cost.each;
}

/** Time of a module on a kind of processors. */
static inline double idle_time_on_kind(const idle_network *network, const processor_kind *k, inlay_id module)
{
    return (double)kind_time(network->p->app, k, module) / k->speed;
}

static inline double idle_time(const idle_network *network, inlay_id module, inlay_id processor)
{
    return idle_time_on_kind(network, kinds_of(&network->p->kinds, processor), module);
}

/** From the start of a module there until a link of it is satisfied, messages aside. */
double idle_lag_on_kind(const idle_network *network, const processor_kind *k, inlay_id from, inlay_id to);

/**
 * Means over the first P processors and all pairs of them, each times `scale`: so they are sums, and whole times have no
 * rounding that could decide between equals.
 */
typedef struct idle_means {
    idle_network network;
    double scale;              /**< P (P - 1), or 1 where there is one processor */
    double weight[KINDS_MOST]; /**< of a kind's time in the mean */
    double distance, crossing; /**< of idle_cost.far, and of .each */
} idle_means;

idle_means idle_means_of(const idle_network *network);

double idle_mean_time(const idle_means *means, inlay_id module);
double idle_mean_message(const idle_means *means, int64_t link);
double idle_mean_lag(const idle_means *means, inlay_id from, inlay_id to);

/**
 * Upward rank: the longest way of mean times and messages from the start of every module to the end of all.
 * @param messages  false: messages left out
 */
void idle_upward(const idle_means *means, bool messages, double *rank);

/** Downward rank: the longest such way from the beginning to the start of every module. */
void idle_downward(const idle_means *means, double *rank);

#endif
