/*
 * The critical path with the messages that cannot be spared: between modules that pins or memory keep apart.
 *
 * What goes there is due at its lag, or, being a datum, with the least lag of its links, and takes at least what it takes
 * where nobody else is. Where it goes is known of pinned modules; else a message over links costs its latency alone.
 */
#include "base/memory.h"
#include "mapping/bounds.h"
#include "mapping/bounds_wire.h"
#include <math.h>
#include <stdlib.h>

typedef struct path {
    const bounds_question *q;
    double *start; /* of every module, at the soonest */
    inlay_id *route;
    inlay_id room;
} path;

static inline double lag(const bounds_question *q, inlay_id from, inlay_id to)
{
    return bounds_units(q, timing_lag(q->timing, from, to));
}

/* Over the links between two pinned modules: latencies, and service on one link after the other or on the longest. */
static double over_links(path *v, inlay_id from, inlay_id to, const wire *w)
{
    const interconnect *network = &v->q->p->network;
    const inlay_machine *machine = network->machine;
    inlay_id count = inlay_machine_route(machine, from, to, v->route, v->room);
    if (count > v->room || count < 0) {
        return 0;
    }
    double latency = 0, sum = 0, longest = 0, queue = 0, each = w->traffic / (double)w->messages;
    for (inlay_id k = 0; k < count; k++) {
        inlay_machine_link link = inlay_machine_link_at(machine, v->route[k]);
        double service = network->free ? 0 : each * network->transfers / (link.capacity * network->link_capacity);
        latency += link.latency * network->link_latency;
        sum += service;
        longest = fmax(longest, service);
        queue = k == 0 || !link.parallel ? fmax(queue, service) : queue;
    }
    double others = (double)(w->messages - 1) * queue; /* a train's messages follow each other on each link */
    return latency + (inlay_machine_cut_through(machine) ? fmax(longest, queue + others) : sum + others);
}

/* The least time of what goes from one module to another that cannot be with it; `direct`: none passes it on. */
static double transfer(path *v, inlay_id from, inlay_id to, bool direct, const wire *w)
{
    const problem *p = v->q->p;
    if (w->messages == 0) {
        return 0;
    }
    double time = w->latency;
    if (!inlay_machine_has_links(p->machine)) {
        return time + w->traffic * wire_unit(&p->network);
    }
    inlay_id here = inlay_app_pin(p->app, from), there = inlay_app_pin(p->app, to);
    return direct && here >= 0 && there >= 0 ? time + over_links(v, here, there, w) : time;
}

static void raise(path *v, inlay_id to, double time)
{
    v->start[to] = time > v->start[to] ? time : v->start[to];
}

static void follow_links(path *v, inlay_id from)
{
    const inlay_app *app = v->q->app;
    bool copies = problem_copies(v->q->p);
    for (int64_t l = app->out_begin[from]; l < app->out_begin[from + 1]; l++) {
        inlay_id to = app->out_to[l];
        if (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
            continue;
        }
        double due = v->start[from] + lag(v->q, from, to);
        raise(v, to, due);
        if (bounds_apart(v->q, from, to)) {
            wire w = copies ? wire_of(&v->q->p->network, app->own_messages[l], app->own_bytes[l])
                            : wire_of(&v->q->p->network, app->out_messages[l], app->out_bytes[l]);
            raise(v, to, due + transfer(v, from, to, true, &w));
        }
    }
}

static void follow_data(path *v, inlay_id from)
{
    const inlay_app *app = v->q->app;
    for (inlay_id d = app->data_begin[from]; d < app->data_begin[from + 1]; d++) {
        int64_t begin = app->consumer_begin[d], end = app->consumer_begin[d + 1];
        double due = INFINITY;
        for (int64_t c = begin; c < end; c++) {
            due = fmin(due, lag(v->q, from, app->consumer[c]));
        }
        wire w = wire_of(&v->q->p->network, app->datum_messages[d], app->datum_bytes[d]);
        bool direct = end - begin == 1 || !inlay_machine_broadcasts_in_trees(v->q->p->machine);
        w.traffic *= end - begin > 1 ? wire_further(&v->q->p->network) : 1;
        for (int64_t c = begin; c < end; c++) {
            if (bounds_apart(v->q, from, app->consumer[c])) {
                raise(v, app->consumer[c], v->start[from] + due + transfer(v, from, app->consumer[c], direct, &w));
            }
        }
    }
}

int bounds_path(const bounds_question *q, inlay_bound *bound)
{
    const inlay_app *app = q->app;
    bool pinned = app->pin != NULL, kept = q->p != NULL && q->keeps, limited = kept && q->p->memory_limit >= 0;
    bool costs = kept && inlay_machine_contention(q->p->machine) != INLAY_CONTENTION_FREE;
    if (!costs || (!pinned && (app->memory == NULL || !limited))) {
        return INLAY_OK;
    }
    enum { LONGEST_ROUTE = 1024 };
    inlay_id route[LONGEST_ROUTE];
    path v = {
        .q = q, .start = memory_zeroed((size_t)app->modules, sizeof *v.start), .route = route, .room = LONGEST_ROUTE};
    if (v.start == NULL) {
        return INLAY_NO_MEMORY;
    }
    double last = 0;
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id i = app->topological[k];
        follow_links(&v, i);
        if (problem_copies(q->p)) {
            follow_data(&v, i);
        }
        last = fmax(last, v.start[i] + bounds_units(q, q->timing->m[i]));
    }
    bound->value = last;
    free(v.start);
    return INLAY_OK;
}
