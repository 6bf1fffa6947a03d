/*
 * The links of a machine as a simulation wants them: those that some route uses, numbered anew, and the routes between
 * all pairs of groups that talk. A group is a cluster of a mapping, or a processor of a closed workload.
 */
#ifndef SIMULATE_LINKS_PLAN_H
#define SIMULATE_LINKS_PLAN_H

#include "base/sorted.h"
#include "problem/interconnect.h"

/** One link in the simulation's unit of time. */
typedef struct link_figures {
    double capacity; /**< traffic in a unit of the interconnect's time; INFINITY: it takes no time */
    double latency;
    inlay_id number; /**< of the machine's link */
    bool parallel;
} link_figures;

typedef struct links_plan {
    const inlay_machine *machine;
    link_figures *link;
    inlay_id links;
    inlay_id longest;     /**< links of the longest route */
    int64_t *pair_begin;  /**< by the group that data leave, and one more */
    inlay_id *pair_to;    /**< where they go, in order */
    int64_t *route_begin; /**< of every pair, and one more */
    inlay_id *route;      /**< numbers in `link` */
    bool cut_through;
} links_plan;

/** Pairs of groups, growing. Zero-initialised is empty. */
typedef struct link_pairs {
    uint64_t *pair;
    size_t count, capacity;
} link_pairs;

/** False when out of memory. A pair may be there already. */
bool link_pairs_add(link_pairs *pairs, inlay_id from, inlay_id to);

/**
 * @param unit      of the simulation in one unit of `network`
 * @param pairs     who talks to whom; in any order, which is changed
 * @param processor of every group
 * @return INLAY_NO_MEMORY without a message
 */
int links_plan_make(const interconnect *network, double unit, link_pairs *pairs, const inlay_id *processor,
                    inlay_id groups, links_plan **result);
void links_plan_free(links_plan *p);

/** A route: links in the order in which they are passed. */
typedef struct link_route {
    const inlay_id *at, *end;
} link_route;

/** Between two groups that talk. */
static inline link_route links_plan_route(const links_plan *p, inlay_id from, inlay_id to)
{
    int64_t pair = sorted_at(p->pair_to, p->pair_begin[from], p->pair_begin[from + 1], to);
    return (link_route){p->route + p->route_begin[pair], p->route + p->route_begin[pair + 1]};
}

/** When a message has a link, and until when it holds it. */
typedef struct link_passage {
    double begin, end;
} link_passage;

/**
 * A message asks for a link.
 * @param until   when nobody holds it any more; moved on
 * @param size    what the link divides by its capacity
 * @param before  when all of the message is at this link, at the latest
 */
static inline link_passage link_pass(const link_figures *link, double *until, double now, double size, double before)
{
    double begin = link->parallel || now > *until ? now : *until;
    double end = begin + size / link->capacity;
    end = before > end ? before : end;
    *until = end;
    return (link_passage){begin, end};
}

/** When a message asks for the link behind this one, with latencies that are so many times as long. */
static inline double link_leave(const links_plan *p, const link_figures *link, const link_passage *passage,
                                double slower)
{
    return (p->cut_through ? passage->begin : passage->end) + link->latency * slower;
}

/**
 * A message of a train that meets nobody but the others of it.
 * @param ask   when it asks for the first link; afterwards, when the next one does
 * @param until of every link of the route, when the train is through with it; 0 before the first
 * @param slower  factor of the latencies
 * @return when it arrives
 */
double links_alone(const links_plan *p, link_route route, double size, double slower, double *ask, double *until);

#endif
