/*
 * What one module sends, or one receives: each part goes over a wire that carries one thing at a time, or its other end
 * is at home, where it takes its time on the cores of one place.
 *
 * Of a sender i within B: consumers at home run behind E_i + m_i on its place, those elsewhere wait for parts that are due
 * at E_i + the least lag at the soonest, and after the last of them the tail of a consumer follows. With x the shares that
 * stay at home, of parts of `home` time there and `wire` time on the way,
 *
 *     sum of x home <= B - at_home   and   sum of (1 - x) wire <= B - on_wire,
 *
 * and the least B that has such x is found along the parts by wire / home. Of a receiver j the same holds backwards from
 * B - tail_j. A place is a processor, over links a host with all its cores. A consumer of several parts gives an equal share
 * of its time to each: a part is at home only where all its consumers are.
 */
#include "base/memory.h"
#include "mapping/bounds.h"
#include "mapping/bounds_wire.h"
#include <math.h>
#include <stdlib.h>

typedef struct part {
    double wire, home;
} part;

typedef struct splitting {
    const bounds_question *q;
    double cores;             /* of a place */
    double out_unit, in_unit; /* of one unit of traffic out of a place, and into it; 0: nothing is claimed */
    part *part;
    size_t parts, room;
    int32_t
        *shares; /* of every module: into how many parts its time goes; all 0 between two questions. NULL: one each */
    struct arrivals *arrivals; /* of every module that receives; NULL of senders */
    double at_home, on_wire;
} splitting;

/* ---- The least B ---- */

static int compare_parts(const void *a, const void *b)
{
    const part *x = a, *y = b;
    double left = x->wire * y->home, right = y->wire * x->home;
    if (isinf(x->home) || isinf(y->home)) {
        return isinf(x->home) - isinf(y->home);
    }
    return (left < right) - (left > right);
}

static double all_wires(const splitting *s)
{
    double sum = 0;
    for (size_t k = 0; k < s->parts; k++) {
        sum += s->part[k].wire;
    }
    return sum;
}

static double least(const splitting *s)
{
    double home = s->at_home, on_way = all_wires(s);
    qsort(s->part, s->parts, sizeof *s->part, compare_parts);
    if (s->on_wire + on_way <= home) {
        return s->on_wire + on_way;
    }
    for (size_t k = 0; k < s->parts; k++) {
        const part *p = &s->part[k];
        double rate = p->home > 0 ? p->wire / p->home : INFINITY;
        /* where the rest of the wires ends just as this part's share at home does */
        double both = isinf(rate) ? home : (s->on_wire + on_way + rate * home) / (1 + rate);
        if (!isinf(rate) && both <= home + p->home) {
            return fmax(both, home);
        }
        home += p->home;
        on_way -= p->wire;
    }
    return home; /* nothing is elsewhere: that needs no wire */
}

/* ---- Parts ---- */

static bool add_part(splitting *s, double on_way, double home)
{
    if (!memory_grow((void **)&s->part, &s->room, s->parts + 1, sizeof *s->part)) {
        return false;
    }
    s->part[s->parts++] = (part){on_way, home};
    return true;
}

static inline double at_home(const splitting *s, inlay_id module)
{
    bool host = inlay_machine_has_links(s->q->p->machine);
    double time = bounds_units(s->q, s->q->timing->m[module]);
    return host ? time * bounds_cores(s->q, module) / s->cores : time;
}

static inline double lag(const splitting *s, inlay_id from, inlay_id to)
{
    return bounds_units(s->q, timing_lag(s->q->timing, from, to));
}

/* What a link carries beside data. */
static wire own_wire(const splitting *s, int64_t l)
{
    const inlay_app *app = s->q->app;
    const interconnect *network = &s->q->p->network;
    return problem_copies(s->q->p) ? wire_of(network, app->own_messages[l], app->own_bytes[l])
                                   : wire_of(network, app->out_messages[l], app->out_bytes[l]);
}

static inline bool waits(const inlay_app *app, int64_t l)
{
    return !(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
}

/* ---- One sender ---- */

/* From the end of a consumer to the end of all. */
static inline double rest(const splitting *s, inlay_id module)
{
    const bounds_question *q = s->q;
    return q->timing->streamed ? 0 : bounds_units(q, q->tail[module] - q->timing->m[module]);
}

typedef struct ends {
    double rest, tail, lag; /* the least ones */
} ends;

static void meet_consumer(const splitting *s, inlay_id from, inlay_id to, double latency, ends *e)
{
    e->rest = fmin(e->rest, rest(s, to));
    e->tail = fmin(e->tail, bounds_units(s->q, s->q->tail[to]) + latency);
    e->lag = fmin(e->lag, lag(s, from, to));
}

static inline inlay_id first_datum(const splitting *s, inlay_id module)
{
    return problem_copies(s->q->p) ? s->q->app->data_begin[module] : 0;
}

static inline inlay_id end_of_data(const splitting *s, inlay_id module)
{
    return problem_copies(s->q->p) ? s->q->app->data_begin[module + 1] : 0;
}

/* A consumer's time at home, as far as it goes to one of its parts. */
static inline double share(const splitting *s, inlay_id from, inlay_id to)
{
    int32_t shares = s->shares == NULL ? 1 : s->shares[to];
    return bounds_apart(s->q, from, to) ? INFINITY : at_home(s, to) / shares;
}

/* Into how many parts the consumers of a module go: by `step` more, or less. */
static void count_shares(splitting *s, inlay_id from, int32_t step)
{
    const inlay_app *app = s->q->app;
    for (int64_t l = app->out_begin[from]; l < app->out_begin[from + 1]; l++) {
        s->shares[app->out_to[l]] += waits(app, l) && own_wire(s, l).traffic > 0 ? step : 0;
    }
    for (inlay_id d = first_datum(s, from); d < end_of_data(s, from); d++) {
        for (int64_t c = app->consumer_begin[d]; c < app->consumer_begin[d + 1]; c++) {
            s->shares[app->consumer[c]] += step;
        }
    }
}

static bool sent_links(splitting *s, inlay_id from, ends *e)
{
    const inlay_app *app = s->q->app;
    bool fine = true;
    for (int64_t l = app->out_begin[from]; fine && l < app->out_begin[from + 1]; l++) {
        inlay_id to = app->out_to[l];
        wire w = own_wire(s, l);
        if (!waits(app, l) || !(w.traffic > 0)) {
            continue;
        }
        fine = add_part(s, w.traffic * s->out_unit, share(s, from, to));
        meet_consumer(s, from, to, w.latency, e);
    }
    return fine;
}

/* A datum goes at least once where one of its consumers is elsewhere. */
static bool sent_data(splitting *s, inlay_id from, ends *e)
{
    const inlay_app *app = s->q->app;
    bool fine = true;
    for (inlay_id d = first_datum(s, from); fine && d < end_of_data(s, from); d++) {
        wire w = wire_of(&s->q->p->network, app->datum_messages[d], app->datum_bytes[d]);
        double home = 0;
        if (!(w.traffic > 0)) {
            continue;
        }
        for (int64_t c = app->consumer_begin[d]; c < app->consumer_begin[d + 1]; c++) {
            inlay_id to = app->consumer[c];
            home += share(s, from, to);
            meet_consumer(s, from, to, w.latency, e);
        }
        fine = add_part(s, w.traffic * s->out_unit, home);
    }
    return fine;
}

static bool split_sender(splitting *s, inlay_id from)
{
    const bounds_question *q = s->q;
    ends e = {INFINITY, INFINITY, INFINITY};
    s->parts = 0;
    if (s->shares != NULL) {
        count_shares(s, from, 1);
    }
    bool fine = sent_links(s, from, &e) && sent_data(s, from, &e);
    if (s->shares != NULL) {
        count_shares(s, from, -1);
    }
    double start = bounds_units(q, q->earliest[from]), end = start + bounds_units(q, q->timing->m[from]);
    /* on further cores of a host consumers may run before the sender has ended */
    s->at_home = (s->cores > 1 ? fmin(end, start + e.lag) : end) + e.rest;
    s->on_wire = start + e.lag + e.tail;
    return fine;
}

/* ---- One receiver ---- */

/* What a receiver gets in all, and the least of its parts. */
typedef struct arrivals {
    double traffic, due, latency;
} arrivals;

static void meet_producer(arrivals *a, const wire *w, double due)
{
    if (w->traffic > 0) {
        a->traffic += w->traffic;
        a->due = fmin(a->due, due);
        a->latency = fmin(a->latency, w->latency);
    }
}

/* As one of several copies, which common memories are spared to write. */
static wire datum_wire(const splitting *s, inlay_id datum)
{
    const inlay_app *app = s->q->app;
    wire w = wire_of(&s->q->p->network, app->datum_messages[datum], app->datum_bytes[datum]);
    bool several = app->consumer_begin[datum + 1] - app->consumer_begin[datum] > 1;
    w.traffic *= several ? wire_further(&s->q->p->network) : 1;
    return w;
}

/* A datum leaves with the first of its links. */
static void sum_datum(splitting *s, inlay_id from, inlay_id datum)
{
    const inlay_app *app = s->q->app;
    double due = INFINITY;
    wire w = datum_wire(s, datum);
    for (int64_t c = app->consumer_begin[datum]; c < app->consumer_begin[datum + 1]; c++) {
        due = fmin(due, lag(s, from, app->consumer[c]));
    }
    due += bounds_units(s->q, s->q->earliest[from]);
    for (int64_t c = app->consumer_begin[datum]; c < app->consumer_begin[datum + 1]; c++) {
        meet_producer(&s->arrivals[app->consumer[c]], &w, due);
    }
}

/* Of all modules in one pass: so most receivers are known not to matter. */
static bool sum_arrivals(splitting *s)
{
    const inlay_app *app = s->q->app;
    s->arrivals = memory_array((size_t)app->modules, sizeof *s->arrivals);
    for (inlay_id i = 0; s->arrivals != NULL && i < app->modules; i++) {
        s->arrivals[i] = (arrivals){0, INFINITY, INFINITY};
    }
    for (inlay_id i = 0; s->arrivals != NULL && i < app->modules; i++) {
        double start = bounds_units(s->q, s->q->earliest[i]);
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (waits(app, l)) {
                wire w = own_wire(s, l);
                meet_producer(&s->arrivals[app->out_to[l]], &w, start + lag(s, i, app->out_to[l]));
            }
        }
        for (inlay_id d = first_datum(s, i); d < end_of_data(s, i); d++) {
            sum_datum(s, i, d);
        }
    }
    return s->arrivals != NULL;
}

/* The least time before the first part of a receiver and behind the last. */
static double on_the_way(const splitting *s, inlay_id to)
{
    const arrivals *a = &s->arrivals[to];
    return a->due + a->latency + bounds_units(s->q, s->q->tail[to]);
}

/* All that comes from one producer is one part: where it is elsewhere all of it is on the way. */
static bool received_from(splitting *s, inlay_id from, inlay_id to)
{
    const bounds_question *q = s->q;
    double traffic = own_wire(s, app_link_to(q->app, from, to)).traffic;
    for (inlay_id d = first_datum(s, from); d < end_of_data(s, from); d++) {
        traffic += app_consumes(q->app, d, to) ? datum_wire(s, d).traffic : 0;
    }
    if (!(traffic > 0)) {
        return true;
    }
    s->at_home = fmin(s->at_home, bounds_units(q, q->earliest[from]));
    return add_part(s, traffic * s->in_unit, bounds_apart(q, from, to) ? INFINITY : at_home(s, from));
}

static bool split_receiver(splitting *s, inlay_id to)
{
    const inlay_app *app = s->q->app;
    bool fine = true;
    s->parts = 0;
    s->at_home = INFINITY;
    for (int64_t l = app->in_begin[to]; fine && l < app->in_begin[to + 1]; l++) {
        fine = received_from(s, app->in_from[l], to);
    }
    s->at_home += bounds_units(s->q, s->q->tail[to]);
    s->on_wire = on_the_way(s, to);
    return fine;
}

/* ---- The machine ---- */

/* Capacities of the links that leave, and that reach, each host; infinite where nobody waits. False: it is not known. */
static bool add_capacities(const interconnect *network, double *out, double *in)
{
    const inlay_machine *machine = network->machine;
    inlay_id hosts = inlay_machine_hosts(machine);
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        double capacity = link.parallel ? INFINITY : link.capacity * network->link_capacity;
        if (link.from < 0 || link.to < 0) {
            return false;
        }
        for (int end = 0; end < 2; end++) { /* a medium of both directions leaves and reaches both its ends */
            inlay_id from = end == 0 ? link.from : link.to, to = end == 0 ? link.to : link.from;
            if (end == 1 && !link.shared) {
                continue;
            }
            if (from < hosts) {
                out[from] += capacity;
            }
            if (to < hosts) {
                in[to] += capacity;
            }
        }
    }
    return true;
}

static int units_over_links(splitting *s)
{
    const interconnect *network = &s->q->p->network;
    size_t hosts = (size_t)inlay_machine_hosts(network->machine);
    double *out = memory_zeroed(hosts, sizeof *out), *in = memory_zeroed(hosts, sizeof *in);
    bool room = out != NULL && in != NULL;
    if (room && add_capacities(network, out, in)) {
        double most_out = 0, most_in = 0;
        for (size_t h = 0; h < hosts; h++) {
            most_out = fmax(most_out, out[h]);
            most_in = fmax(most_in, in[h]);
        }
        s->out_unit = most_out > 0 ? network->transfers / most_out : 0;
        s->in_unit = most_in > 0 ? network->transfers / most_in : 0;
    }
    free(out);
    free(in);
    return room ? INLAY_OK : INLAY_NO_MEMORY;
}

static void count_cores(splitting *s)
{
    const problem *p = s->q->p;
    inlay_id most = 1;
    for (int k = 0; k < p->kinds.count; k++) {
        most = p->kinds.kind[k].cores > most ? p->kinds.kind[k].cores : most;
    }
    s->cores = most < s->q->processors ? most : s->q->processors;
}

/* What one place sends and receives in a unit of time. */
static int find_units(splitting *s)
{
    const interconnect *network = &s->q->p->network;
    s->cores = 1;
    switch (inlay_machine_network(network->machine)) {
    case INLAY_NETWORK_BUS: s->out_unit = s->in_unit = wire_unit(network); break;
    case INLAY_NETWORK_MULTIBUS: {
        inlay_id buses = inlay_machine_buses(network->machine), memories = inlay_machine_memories(network->machine);
        s->out_unit = wire_unit(network);
        s->in_unit = s->out_unit / (buses < memories ? buses : memories);
        break;
    }
    case INLAY_NETWORK_OMEGA:
    case INLAY_NETWORK_OMEGA_PE: s->out_unit = wire_unit(network); break;
    case INLAY_NETWORK_LINKS: count_cores(s); return units_over_links(s);
    }
    return INLAY_OK;
}

/* ---- The rows ---- */

/* Looked at closely only where all on the wire would take longer than what was found. */
static bool look_at(splitting *s, inlay_id module, inlay_bound *bound)
{
    const arrivals *a = s->arrivals == NULL ? NULL : &s->arrivals[module];
    if (a != NULL && (!(a->traffic > 0) || on_the_way(s, module) + a->traffic * s->in_unit <= bound->value)) {
        return true;
    }
    if (!(a != NULL ? split_receiver(s, module) : split_sender(s, module))) {
        return false;
    }
    if (s->parts == 0 || s->on_wire + all_wires(s) <= bound->value) {
        return true;
    }
    double value = least(s);
    if (!(value <= bound->value)) {
        bound->value = value;
        bound->at = module;
    }
    return true;
}

static int one_end(const bounds_question *q, bool sends, inlay_bound *bound)
{
    if (!bounds_queued(q) || q->app->links == 0) {
        return INLAY_OK;
    }
    splitting s = {.q = q};
    int status = find_units(&s);
    double unit = sends ? s.out_unit : s.in_unit;
    bool unsure = !sends && q->timing->streamed && s.cores > 1; /* producers on further cores need not have ended */
    if (status != INLAY_OK || !(unit > 0) || unsure) {
        return status;
    }
    bool shared = sends && problem_copies(q->p), fine = true;
    if (shared) {
        s.shares = memory_zeroed((size_t)q->app->modules, sizeof *s.shares);
        fine = s.shares != NULL;
    }
    fine = fine && (sends || sum_arrivals(&s));
    for (inlay_id i = 0; fine && i < q->app->modules; i++) {
        fine = look_at(&s, i, bound);
    }
    free(s.part);
    free(s.shares);
    free(s.arrivals);
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

int bounds_sender(const bounds_question *q, inlay_bound *bound)
{
    return one_end(q, true, bound);
}

int bounds_receiver(const bounds_question *q, inlay_bound *bound)
{
    return one_end(q, false, bound);
}
