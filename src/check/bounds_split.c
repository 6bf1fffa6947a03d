/* What one module sends or receives: the least B at which the best split fits, by halving. */
#include "check/bounds.h"

#include <math.h>
#include <stdlib.h>

typedef struct part {
    long double wire, home;
} part;

typedef struct split {
    const check_limits *limits;
    part *part;
    size_t parts, room;
    long double at_home, on_wire;
    long double cores, unit;
} split;

/* ---- The machine ---- */

/* The most that any one host's links carry in a unit of time; 0 where it is not known. */
static long double widest_host(const check *k, bool out)
{
    long double most = 0;
    for (inlay_id host = 0; host < inlay_machine_hosts(k->machine); host++) {
        long double sum = 0;
        for (inlay_id l = 0; l < inlay_machine_links(k->machine); l++) {
            inlay_machine_link link = inlay_machine_link_at(k->machine, l);
            if (link.from < 0 || link.to < 0) return 0;
            bool meets = (out ? link.from : link.to) == host || (link.shared && (link.from == host || link.to == host));
            if (meets) sum += link.parallel ? INFINITY : (long double)link.capacity;
        }
        most = fmaxl(most, sum);
    }
    return most;
}

static void find_unit(split *s, bool sends)
{
    const check *k = s->limits->k;
    inlay_id buses = inlay_machine_buses(k->machine), memories = inlay_machine_memories(k->machine), most = 1,
             count = 1;
    s->cores = 1;
    s->unit = s->limits->unit;
    if (inlay_machine_network(k->machine) == INLAY_NETWORK_MULTIBUS && !sends)
        s->unit /= buses < memories ? buses : memories;
    if (k->network.open && !sends) s->unit = 0;
    if (!inlay_machine_has_links(k->machine)) return;
    for (inlay_id p = 1; p < inlay_machine_processors(k->machine); p++) {
        count = inlay_machine_host(k->machine, p) == inlay_machine_host(k->machine, p - 1) ? count + 1 : 1;
        most = count > most ? count : most;
    }
    s->cores = most < k->processors ? most : k->processors;
    long double rate = widest_host(k, sends);
    s->unit = rate > 0 ? k->network.link_time / rate : 0;
}

/* ---- Parts ---- */

static int add(split *s, long double wire, long double home)
{
    if (s->parts == s->room) {
        size_t room = 2 * s->room + 8;
        part *more = realloc(s->part, room * sizeof *more);
        if (!more) return INLAY_NO_MEMORY;
        s->part = more;
        s->room = room;
    }
    s->part[s->parts++] = (part){wire, home};
    return INLAY_OK;
}

/* A module's time on the cores of one place. */
static long double home_time(const split *s, inlay_id module)
{
    const check *k = s->limits->k;
    long double time = check_long(k, k->time[module]);
    return inlay_machine_has_links(k->machine) ? time * check_cores(k, module) / s->cores : time;
}

static bool takes(const check *k, inlay_id datum, inlay_id module)
{
    inlay_datum d = inlay_app_datum(k->app, datum);
    int64_t low = 0, high = d.consumers;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (d.consumer[middle] < module)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d.consumers && d.consumer[low] == module;
}

/* How many parts of one producer a consumer has: what its link carries, and data. */
static int shares(const split *s, inlay_id from, inlay_id to, bool has_own)
{
    const check *k = s->limits->k;
    int count = has_own;
    for (inlay_id d = k->datum_from[from]; check_copies(k) && d < k->datum_from[from + 1]; d++)
        count += takes(k, d, to);
    return count;
}

typedef struct least {
    long double rest, tail, lag;
} least;

static void meet(const split *s, inlay_id from, inlay_id to, long double latency, least *e)
{
    const check *k = s->limits->k;
    long double tail = check_long(k, s->limits->behind[to]);
    e->rest = fminl(e->rest, k->streamed ? 0 : tail - check_long(k, k->time[to]));
    e->tail = fminl(e->tail, tail + latency);
    e->lag = fminl(e->lag, check_least_lag(s->limits, from, to));
}

static bool link_sends(const check *k, const inlay_links *out, int64_t l)
{
    return !(out->flags[l] & INLAY_LINK_TRAFFIC_ONLY) && check_own_load(k, out, l).traffic > 0;
}

/* Whether the link with precedence between two modules carries something beside data. */
static bool has_own(const check *k, const inlay_links *out, inlay_id to)
{
    for (int64_t l = 0; l < out->count; l++)
        if (out->module[l] == to && link_sends(k, out, l)) return true;
    return false;
}

static int sent(split *s, inlay_id from)
{
    const check *k = s->limits->k;
    least e = {INFINITY, INFINITY, INFINITY};
    inlay_links out = inlay_app_out(k->app, from);
    int status = INLAY_OK;
    for (int64_t l = 0; status == INLAY_OK && l < out.count; l++) {
        inlay_id to = out.module[l];
        if (!link_sends(k, &out, l)) continue;
        check_load load = check_own_load(k, &out, l);
        bool apart = check_keep_apart(s->limits, from, to);
        status = add(s, load.traffic * s->unit, apart ? INFINITY : home_time(s, to) / shares(s, from, to, true));
        meet(s, from, to, load.latency, &e);
    }
    for (inlay_id d = k->datum_from[from]; status == INLAY_OK && check_copies(k) && d < k->datum_from[from + 1]; d++) {
        inlay_datum datum = inlay_app_datum(k->app, d);
        check_load load = check_datum_load(k, d);
        long double home = 0;
        if (load.traffic <= 0) continue;
        for (int64_t c = 0; c < datum.consumers; c++) {
            inlay_id to = datum.consumer[c];
            bool apart = check_keep_apart(s->limits, from, to);
            home += apart ? INFINITY : home_time(s, to) / shares(s, from, to, has_own(k, &out, to));
            meet(s, from, to, load.latency, &e);
        }
        status = add(s, load.traffic * s->unit, home);
    }
    long double start = check_long(k, s->limits->before[from]), end = start + check_long(k, k->time[from]);
    s->at_home = (s->cores > 1 ? fminl(end, start + e.lag) : end) + e.rest;
    s->on_wire = start + e.lag + e.tail;
    return status;
}

static int received(split *s, inlay_id to)
{
    const check *k = s->limits->k;
    long double due = INFINITY, latency = INFINITY, tail = check_long(k, s->limits->behind[to]);
    int64_t count;
    const inlay_id *from = inlay_app_predecessors(k->app, to, &count);
    int status = INLAY_OK;
    s->at_home = INFINITY;
    for (int64_t p = 0; status == INLAY_OK && p < count; p++) {
        inlay_links out = inlay_app_out(k->app, from[p]);
        long double traffic = 0, start = check_long(k, s->limits->before[from[p]]);
        for (int64_t l = 0; l < out.count; l++) {
            if (out.module[l] != to || !link_sends(k, &out, l)) continue;
            check_load load = check_own_load(k, &out, l);
            traffic += load.traffic;
            due = fminl(due, start + check_least_lag(s->limits, from[p], to));
            latency = fminl(latency, load.latency);
        }
        for (inlay_id d = k->datum_from[from[p]]; check_copies(k) && d < k->datum_from[from[p] + 1]; d++) {
            inlay_datum datum = inlay_app_datum(k->app, d);
            check_load load = check_datum_load(k, d);
            if (!takes(k, d, to) || load.traffic <= 0) continue;
            traffic += load.traffic * (datum.consumers > 1 ? s->limits->again : 1);
            latency = fminl(latency, load.latency);
            for (int64_t c = 0; c < datum.consumers; c++)
                due = fminl(due, start + check_least_lag(s->limits, from[p], datum.consumer[c]));
        }
        if (traffic <= 0) continue;
        s->at_home = fminl(s->at_home, start);
        bool apart = check_keep_apart(s->limits, from[p], to);
        status = add(s, traffic * s->unit, apart ? INFINITY : home_time(s, from[p]));
    }
    s->at_home += tail;
    s->on_wire = due + latency + tail;
    return status;
}

/* ---- Halving ---- */

/* Those that spare most of the wire for their time at home come first. */
static int compare_parts(const void *a, const void *b)
{
    const part *x = a, *y = b;
    long double one = x->home > 0 ? x->wire / x->home : INFINITY, other = y->home > 0 ? y->wire / y->home : INFINITY;
    return (one < other) - (one > other);
}

static bool fits(const split *s, long double bound)
{
    long double left = fmaxl(bound - s->at_home, 0), wire = 0;
    bool open = bound >= s->at_home, all_home = open; /* before that nobody has ended at home, however short */
    for (size_t p = 0; p < s->parts; p++) {
        const part *one = &s->part[p];
        if (one->home > left) all_home = false;
        long double share = !open || isinf(one->home) ? 0 : one->home <= left ? 1 : left / one->home;
        wire += one->wire * (1 - share);
        left -= fminl(left, one->home);
    }
    return all_home || wire <= bound - s->on_wire;
}

int check_split(const check_limits *limits, inlay_id module, bool sends, double *bound)
{
    const check *k = limits->k;
    split s = {.limits = limits};
    *bound = NAN;
    find_unit(&s, sends);
    if (!check_queued(k) || !(s.unit > 0) || (!sends && k->streamed && s.cores > 1)) return INLAY_OK;
    int status = sends ? sent(&s, module) : received(&s, module);
    if (status == INLAY_OK && s.parts > 0) {
        long double low = 0, high = s.on_wire;
        qsort(s.part, s.parts, sizeof *s.part, compare_parts);
        for (size_t p = 0; p < s.parts; p++)
            high += s.part[p].wire;
        if (fits(&s, 0)) high = 0;
        for (int step = 0; step < 100; step++) {
            long double middle = (low + high) / 2;
            if (fits(&s, middle))
                high = middle;
            else
                low = middle;
        }
        *bound = (double)high;
    }
    free(s.part);
    return status;
}
