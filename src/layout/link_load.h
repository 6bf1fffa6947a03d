/*
 * What a placement puts on the links of its machine: flows from cluster to cluster, the route of each, how long every link
 * works for them, and what a message of each flow takes within a time frame.
 *
 * The traffic c of a flow works c x transfers / capacity on every link of its route; a link's utilisation u is the sum of
 * that over T, and its delay D(u) that of an M/D/1 or M/M/1 queue (inlay/network.h). One unit of a flow's traffic takes
 *
 *   store-and-forward   tau = sum over links of D(u) transfers / capacity
 *   cut-through         tau = the largest transfers / capacity + sum over links of (D(u) - 1) transfers / capacity
 *
 * and every message the latencies of its links besides. Parallel links have D = 1. Cores of one host: tau = 0.
 */
#ifndef LAYOUT_LINK_LOAD_H
#define LAYOUT_LINK_LOAD_H

#include "base/sorted.h"
#include "layout/sent.h"
#include "machine/topology.h"

typedef struct link_load {
    const interconnect *network;
    inlay_id clusters;
    int64_t *begin; /**< flows from cluster c: begin[c] .. begin[c+1]-1, ordered by the cluster that they go to */
    inlay_id *to;
    int64_t *traffic; /**< of every flow */
    size_t flows, flow_capacity[2];
    route_list route; /**< of all flows, one after another */
    size_t *route_begin;
    double *latency;  /**< of every flow: of one message over its links */
    double *tau;      /**< of every flow, at the time frame that was asked for last */
    double *demand;   /**< of every link: for how long its traffic keeps it at work */
    int64_t *carried; /**< of every link: the traffic */
    double *factor;   /**< scratch: D of every link */
    inlay_id busiest; /**< link with most demand that messages queue for; -1 where there is none */
} link_load;

/** Which flows there are, their routes and the links' demands. Only for machines with links. */
int link_load_make(const problem *p, const placement *place, const sendings *s, link_load *result, inlay_diag *diag);
void link_load_clear(link_load *load);

/** For how long the busiest link is at work: what its utilisation follows from, and so the network's. */
static inline double link_load_demand(const link_load *load)
{
    return load->busiest < 0 ? 0 : load->demand[load->busiest];
}

/** tau of every flow within T; INLAY_NO_ANSWER where a link is saturated. T = INFINITY: on idle links. */
int link_load_at(link_load *load, double time_frame);

/** The flow from a cluster to another, or -1 where nothing goes there. */
static inline int64_t link_load_flow(const link_load *load, inlay_id from, inlay_id to)
{
    int64_t end = load->begin[from + 1], flow = sorted_at(load->to, load->begin[from], end, to);
    return flow < end && load->to[flow] == to ? flow : -1;
}

#endif
