/* Lower bounds anew: what all build on, those for any mapping, and the comparison. */
#include "check/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many modules, and links, all of them are looked at, else the one that the file names. */
enum { ALL_MODULES = 60, ALL_LINKS = 2000, ROUTE = 1024 };

/* ---- What all build on ---- */

static bool is_kept(const check *k)
{
    inlay_id processors = inlay_machine_processors(k->machine);
    int64_t *taken = calloc((size_t)processors + 1, sizeof *taken);
    bool kept = taken != NULL;
    for (inlay_id i = 0; i < k->modules && kept; i++) {
        inlay_id at = k->cluster[k->cluster_of[i]].processor, pin = inlay_app_pin(k->app, i);
        int64_t limit = check_class_of(k, at)->memory;
        int64_t *here = &taken[inlay_machine_host(k->machine, at)];
        *here = check_add(*here, inlay_app_memory(k->app, i));
        kept = (pin < 0 || pin == at) && (limit < 0 || *here <= limit);
    }
    free(taken);
    return kept;
}

static void fill_units(check_limits *limits)
{
    const check *k = limits->k;
    double transfers = inlay_machine_transfers(k->machine);
    int64_t reached = 1, inputs = inlay_machine_switch(k->machine);
    int stages = 0;
    bool links = inlay_machine_has_links(k->machine);
    limits->far = links ? 0 : (long double)check_tau(&k->network, k->network.open ? k->network.delay_least : 1);
    limits->unit = limits->far;
    for (; k->network.open && reached < inlay_machine_processors(k->machine); reached *= inputs)
        stages++;
    if (inlay_machine_network(k->machine) == INLAY_NETWORK_OMEGA_PE) {
        long double packets = inlay_machine_packets(k->machine);
        limits->unit = limits->far * packets / (stages + packets - 1);
    }
    bool once = transfers >= 2 && !links && !inlay_machine_has_distance(k->machine);
    limits->again = once ? (transfers - 1) / (long double)transfers : 1;
}

static void fill_ends(check_limits *limits)
{
    const check *k = limits->k;
    memcpy(limits->before, k->earliest, (size_t)k->modules * sizeof *limits->before);
    for (inlay_id at = k->modules - 1; at >= 0; at--) {
        inlay_id i = k->sequence[at];
        inlay_links out = inlay_app_out(k->app, i);
        limits->behind[i] = k->time[i];
        for (int64_t l = 0; l < out.count; l++) {
            if (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) continue;
            inlay_time whole = check_lag(k, i, out.module[l], k->time[i]) + limits->behind[out.module[l]];
            if (whole > limits->behind[i]) limits->behind[i] = whole;
        }
    }
}

int check_limits_make(const check *k, check_limits *limits)
{
    size_t room = (size_t)k->modules + 1;
    *limits = (check_limits){.k = k, .keeps = is_kept(k)};
    limits->before = calloc(room, sizeof *limits->before);
    limits->behind = calloc(room, sizeof *limits->behind);
    if (!limits->before || !limits->behind) return INLAY_NO_MEMORY;
    fill_units(limits);
    fill_ends(limits);
    return INLAY_OK;
}

void check_limits_clear(check_limits *limits)
{
    free(limits->before);
    free(limits->behind);
}

long double check_least_lag(const check_limits *limits, inlay_id from, inlay_id to)
{
    return check_long(limits->k, check_lag(limits->k, from, to, limits->k->time[from]));
}

static int64_t most_memory(const check *k)
{
    int64_t most = 0;
    for (int c = 0; c < k->classes; c++) {
        if (k->class[c].memory < 0) return -1;
        if (k->class[c].memory > most) most = k->class[c].memory;
    }
    return most;
}

bool check_keep_apart(const check_limits *limits, inlay_id a, inlay_id b)
{
    const check *k = limits->k;
    inlay_id one = inlay_app_pin(k->app, a), other = inlay_app_pin(k->app, b);
    int64_t most = most_memory(k);
    if (!limits->keeps) return false;
    if (one >= 0 && other >= 0 && inlay_machine_host(k->machine, one) != inlay_machine_host(k->machine, other))
        return true;
    return most >= 0 && check_add(inlay_app_memory(k->app, a), inlay_app_memory(k->app, b)) > most;
}

check_load check_load_of(const check *k, int64_t messages, int64_t bytes)
{
    if (messages < 0) return (check_load){0};
    check_load load = {.traffic = (long double)check_traffic(k, messages, bytes)};
    int64_t pieces = check_messages(k, messages, bytes);
    load.latency = (long double)pieces * k->network.latency + check_latency_by_size(k, messages, bytes);
    load.messages = pieces > 0 ? (long double)pieces : k->network.in_bytes && bytes > 0;
    return load;
}

check_load check_own_load(const check *k, const inlay_links *out, int64_t l)
{
    bool own = check_copies(k);
    return own ? check_load_of(k, out->own_messages[l], out->own_bytes[l])
               : check_load_of(k, out->messages[l], out->bytes[l]);
}

check_load check_datum_load(const check *k, inlay_id datum)
{
    inlay_datum d = inlay_app_datum(k->app, datum);
    return check_load_of(k, d.messages, d.bytes);
}

/* ---- Work ---- */

static bool may_run(const check_limits *limits, inlay_id module, int class)
{
    const check *k = limits->k;
    const check_class *of = &k->class[class];
    inlay_id pin = inlay_app_pin(k->app, module);
    if (inlay_machine_has_links(k->machine) && check_cores(k, module) > 1) {
        inlay_id most = 0, count = 0;
        for (inlay_id p = 0; p < inlay_machine_processors(k->machine); p++) {
            bool same = p > 0 && inlay_machine_host(k->machine, p) == inlay_machine_host(k->machine, p - 1);
            count = same ? count + 1 : 1;
            if (check_class_of(k, p) == of && count > most) most = count;
        }
        if (check_cores(k, module) > most) return false;
    }
    if (!check_may_run_on(k, module, of)) return false;
    if (!limits->keeps) return true;
    return (pin < 0 || check_class_of(k, pin) == of) &&
           (of->memory < 0 || inlay_app_memory(k->app, module) <= of->memory);
}

/* With the file's weights; at least what the fastest do by their rates. */
static double weighed_work(check *k, const check_limits *limits, const json_t *weights, double least)
{
    long double sum = 0, capacity = 0;
    inlay_id left = k->processors;
    for (inlay_id i = 0; i < k->modules; i++) {
        long double best = INFINITY;
        for (int c = 0; c < k->classes; c++) {
            long double time = (long double)check_time_on(k, i, &k->class[c]) / k->class[c].speed;
            time *= json_number_value(json_array_get(weights, (size_t)c)) * check_cores(k, i);
            if (may_run(limits, i, c)) best = fminl(best, time);
        }
        sum += isinf(best) ? 0 : best;
    }
    for (double below = INFINITY; left > 0;) { /* the largest weight that was not counted yet */
        double next = -1;
        inlay_id count = 0;
        for (int c = 0; c < k->classes; c++) {
            double weight = json_number_value(json_array_get(weights, (size_t)c));
            if (weight < below && weight > next) count = 0;
            if (weight < below && weight >= next) {
                next = weight;
                count += k->class[c].processors;
            }
        }
        if (next < 0) break;
        capacity += (long double)next * (count < left ? count : left);
        left -= count < left ? count : left;
        below = next;
    }
    double bound = capacity > 0 ? (double)(sum / (long double)k->grains_per_unit / capacity) : 0;
    if (bound < least * (1 - 1e-9)) check_find(k, "bounds: weights give %g for work, rates %g", bound, least);
    return bound;
}

/* ---- Intervals ---- */

/* The work that must lie between two times, in grains, and what is over of it. */
static long double over(const check_limits *limits, inlay_time from, inlay_time to, long double power, bool differ)
{
    const check *k = limits->k;
    long double within = 0;
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_time m = k->time[i], early = limits->before[i] + m - from;
        inlay_time late = to - (k->critical_path - limits->behind[i]), part = early < m ? early : m;
        if (differ && limits->before[i] < from)
            part = late >= m ? part : 0;
        else if (late < part)
            part = late;
        if (part > to - from) part = to - from;
        within += part > 0 ? (long double)part * check_cores(k, i) : 0;
    }
    return within / power - (long double)(to - from);
}

static int compare_times(const void *a, const void *b)
{
    inlay_time x = *(const inlay_time *)a, y = *(const inlay_time *)b;
    return (x > y) - (x < y);
}

/* End points of the intervals, each once: of all modules, or of every n-th where there are more than 2^16. */
static inlay_time *end_points(const check_limits *limits, int64_t *count)
{
    const check *k = limits->k;
    inlay_id step = 1 + (k->modules - 1) / 65536;
    inlay_time *point = calloc((size_t)k->modules / (size_t)step * 2 + 4, sizeof *point);
    int64_t all = 2, kept = 0;
    if (!point) return NULL;
    point[0] = 0;
    point[1] = k->critical_path;
    for (inlay_id i = 0; i < k->modules; i += step) {
        point[all++] = limits->before[i];
        point[all++] = k->critical_path - limits->behind[i] + k->time[i];
    }
    qsort(point, (size_t)all, sizeof *point, compare_times);
    for (int64_t p = 0; p < all; p++)
        if (kept == 0 || point[p] != point[kept - 1]) point[kept++] = point[p];
    *count = kept;
    return point;
}

static inlay_time grains_said(const check *k, const json_t *proof, const char *name)
{
    double said = json_number_value(json_object_get(proof, name));
    return (inlay_time)llround(said * (double)k->grains_per_unit * k->speed);
}

static int intervals(check *k, const check_limits *limits, const json_t *proofs, double *bound)
{
    enum { MOST_POINTS = 2000 };
    double rate = 0;
    int64_t count = 0;
    bool differ = k->classes > 1 && !k->streamed;
    int status = check_rate(k, k->processors, &rate);
    inlay_time *point = status == INLAY_OK ? end_points(limits, &count) : NULL;
    if (!point) return status == INLAY_OK ? INLAY_NO_MEMORY : status;
    long double power = differ && rate > 0 ? (long double)rate / k->speed : k->processors, best = 0;
    inlay_time from = grains_said(k, proofs, "from"), to = grains_said(k, proofs, "to");
    bool sane = from >= 0 && from <= to && to <= k->critical_path;
    if (sane) best = fmaxl(over(limits, from, to, power, differ), 0);
    if (!sane || (best <= 0 && to > 0))
        check_find(k, "bound_proofs: %lld to %lld is no interval that adds to the critical path", (long long)from,
                   (long long)to);
    if (k->modules <= ALL_MODULES) {
        best = 0;
        from = to = 0;
        for (int64_t a = 0; a < count; a++)
            for (int64_t b = a; b < count; b++) {
                long double found = over(limits, point[a], point[b], power, differ);
                if (found <= best + 1e-12L * (long double)k->critical_path) continue;
                best = found;
                from = point[a];
                to = point[b];
            }
    }
    free(point);
    check_number(k, "bound_proofs", proofs, "from", (double)check_long(k, from));
    check_number(k, "bound_proofs", proofs, "to", (double)check_long(k, to));
    check_count(k, "bound_proofs", proofs, "points", count < MOST_POINTS ? count : MOST_POINTS);
    check_count(k, "bound_proofs", proofs, "of", count);
    *bound = (double)(((long double)k->critical_path + best) / (long double)k->grains_per_unit / k->speed);
    return INLAY_OK;
}

/* ---- The critical path with transfers ---- */

/* Links between two pinned modules, of a train of messages. */
static long double over_route(const check *k, inlay_id from, inlay_id to, const check_load *load)
{
    inlay_id route[ROUTE];
    inlay_id count = inlay_machine_route(k->machine, from, to, route, ROUTE);
    long double latency = 0, sum = 0, longest = 0, queue = 0;
    if (count < 0 || count > ROUTE) return 0;
    for (inlay_id h = 0; h < count; h++) {
        inlay_machine_link link = inlay_machine_link_at(k->machine, route[h]);
        long double service =
            k->network.free ? 0 : load->traffic / load->messages * k->network.link_time / link.capacity;
        latency += (long double)link.latency * k->network.link_latency;
        sum += service;
        longest = fmaxl(longest, service);
        if (h == 0 || !link.parallel) queue = fmaxl(queue, service);
    }
    if (inlay_machine_cut_through(k->machine)) return latency + fmaxl(longest, load->messages * queue);
    return latency + sum + (load->messages - 1) * queue;
}

static long double crosses(const check_limits *limits, inlay_id from, inlay_id to, bool direct, const check_load *load)
{
    const check *k = limits->k;
    inlay_id here = inlay_app_pin(k->app, from), there = inlay_app_pin(k->app, to);
    if (load->messages <= 0) return 0;
    if (!inlay_machine_has_links(k->machine)) return load->latency + load->traffic * limits->unit;
    return load->latency + (direct && here >= 0 && there >= 0 ? over_route(k, here, there, load) : 0);
}

static void later(long double *at, long double time)
{
    *at = fmaxl(*at, time);
}

static void follow(const check_limits *limits, inlay_id i, long double *start)
{
    const check *k = limits->k;
    inlay_links out = inlay_app_out(k->app, i);
    for (int64_t l = 0; l < out.count; l++) {
        inlay_id j = out.module[l];
        if (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) continue;
        check_load load = check_own_load(k, &out, l);
        long double due = start[i] + check_least_lag(limits, i, j);
        later(&start[j], due + (check_keep_apart(limits, i, j) ? crosses(limits, i, j, true, &load) : 0));
    }
    for (inlay_id d = k->datum_from[i]; check_copies(k) && d < k->datum_from[i + 1]; d++) {
        inlay_datum datum = inlay_app_datum(k->app, d);
        check_load load = check_datum_load(k, d);
        long double due = INFINITY;
        bool direct = datum.consumers == 1 || !inlay_machine_broadcasts_in_trees(k->machine);
        if (datum.consumers > 1) load.traffic *= limits->again;
        for (int64_t c = 0; c < datum.consumers; c++)
            due = fminl(due, check_least_lag(limits, i, datum.consumer[c]));
        for (int64_t c = 0; c < datum.consumers; c++)
            if (check_keep_apart(limits, i, datum.consumer[c]))
                later(&start[datum.consumer[c]], start[i] + due + crosses(limits, i, datum.consumer[c], direct, &load));
    }
}

static bool asks_for_room(const check *k)
{
    for (inlay_id i = 0; i < k->modules; i++)
        if (inlay_app_pin(k->app, i) >= 0 || (inlay_app_memory(k->app, i) > 0 && most_memory(k) >= 0)) return true;
    return false;
}

static int transfer_path(const check_limits *limits, double *bound)
{
    const check *k = limits->k;
    *bound = NAN;
    bool costs = inlay_machine_contention(k->machine) != INLAY_CONTENTION_FREE;
    if (!costs || !limits->keeps || !asks_for_room(k)) return INLAY_OK;
    long double *start = calloc((size_t)k->modules + 1, sizeof *start), end = 0;
    if (!start) return INLAY_NO_MEMORY;
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = k->sequence[at];
        follow(limits, i, start);
        later(&end, start[i] + check_long(k, k->time[i]));
    }
    free(start);
    *bound = (double)end;
    return INLAY_OK;
}

/* ---- One end ---- */

static int one_end(check *k, const check_limits *limits, const json_t *proofs, bool sends, double *bound)
{
    bool null;
    const char *end = sends ? "sender" : "receiver";
    const json_t *said = check_field_or_null(k, "bound_proofs", proofs, end, CHECK_STRING, &null);
    inlay_id module = said ? inlay_app_find_module(k->app, json_string_value(said)) : -1;
    bool all = k->modules <= ALL_LINKS && inlay_app_links(k->app) <= ALL_LINKS;
    int status = INLAY_OK;
    *bound = NAN;
    if (module >= 0) status = check_split(limits, module, sends, bound);
    if (said && isnan(*bound)) check_find(k, "bound_proofs: the %s bounds nothing", end);
    for (inlay_id i = 0; status == INLAY_OK && all && i < k->modules; i++) {
        double other = NAN;
        status = check_split(limits, i, sends, &other);
        *bound = fmax(*bound, other);
    }
    return status;
}

/* ---- Comparing ---- */

/* A bound that is a time of modules, counted at the speed of the fastest processor: exact where that is 1. */
static void compare_bound(check *k, const json_t *bounds, const char *name, inlay_time counted)
{
    if (k->plain)
        check_time(k, "bounds", bounds, name, counted);
    else
        check_number(k, "bounds", bounds, name, check_units(k, counted) / k->speed);
}

typedef struct named {
    const char *name;
    double value;
} named;

/* The first of the largest, which the file names, too; nothing but NaN: the first. */
static double compare_largest(check *k, const json_t *makespan, const char *of, const named *all, size_t count)
{
    size_t largest = 0;
    for (size_t i = 1; i < count; i++)
        if (all[i].value > all[largest].value * (1 + 1e-9) || (isnan(all[largest].value) && !isnan(all[i].value)))
            largest = i;
    const json_t *said = check_field(k, "makespan", makespan, of, CHECK_STRING);
    bool met = false;
    for (size_t i = 0; said && i < count; i++)
        met = met || (strcmp(all[i].name, json_string_value(said)) == 0 &&
                      (i == largest || all[i].value >= all[largest].value * (1 - 1e-9)));
    check_counted(k, 1);
    if (said && !met)
        check_find(k, "makespan: %s is '%s', the file says '%.100s'", of, all[largest].name, json_string_value(said));
    double most = all[largest].value;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, all[i].value);
    return most;
}

/* What a search of method best has proven: only a search can tell. */
static double searched(check *k, const json_t *bounds)
{
    bool null;
    const json_t *value = check_field_or_null(k, "bounds", bounds, "branch_and_bound", CHECK_NUMBER, &null);
    check_believed(k, value != NULL);
    if (!value) return NAN;
    double bound = json_number_value(value);
    if (!json_object_get(k->root, "best")) check_find(k, "bounds: branch_and_bound goes with method best");
    if (!(bound > 0 && bound <= k->elapsed * (1 + 1e-9)))
        check_find(k, "bounds: branch_and_bound is at most the elapsed time of %.15g, the file says %.15g", k->elapsed,
                   bound);
    return bound;
}

static int any_mapping(check *k, const check_limits *limits, const json_t *makespan, double *lower)
{
    enum { PATH, WORK, LONGEST, TRANSFERS, INTERVAL, SENDER, RECEIVER, SEARCH, ALL };
    named all[ALL] = {{"critical_path", 0},     {"work", 0},       {"longest_module", 0}, {"transfer_path", 0},
                      {"fernandez_bussell", 0}, {"one_sender", 0}, {"one_receiver", 0},   {"branch_and_bound", NAN}};
    const json_t *bounds = check_field(k, "makespan", makespan, "bounds", CHECK_OBJECT);
    const json_t *proofs = check_field(k, "makespan", makespan, "bound_proofs", CHECK_OBJECT);
    double rate = 0;
    int status = check_rate(k, k->processors, &rate);
    if (status != INLAY_OK || !bounds || !proofs) return status;
    const json_t *weights = check_field(k, "bound_proofs", proofs, "weights", CHECK_ARRAY);

    all[PATH].value = (double)check_long(k, k->critical_path);
    all[LONGEST].value = (double)check_long(k, k->longest);
    all[WORK].value = rate > 0 ? check_units(k, k->total_time) / rate : 0;
    if (json_array_size(weights) != (size_t)(k->classes > 1 ? k->classes : 0))
        check_find(k, "bound_proofs: %zu weights for %d kinds of processors", json_array_size(weights), k->classes);
    if (k->classes > 1) all[WORK].value = weighed_work(k, limits, weights, all[WORK].value);
    status = transfer_path(limits, &all[TRANSFERS].value);
    if (status == INLAY_OK) status = intervals(k, limits, proofs, &all[INTERVAL].value);
    if (status == INLAY_OK) status = one_end(k, limits, proofs, true, &all[SENDER].value);
    if (status == INLAY_OK) status = one_end(k, limits, proofs, false, &all[RECEIVER].value);
    if (status != INLAY_OK) return status;

    k->bound_work = all[WORK].value;
    all[SEARCH].value = searched(k, bounds);
    compare_bound(k, bounds, "critical_path", k->critical_path);
    compare_bound(k, bounds, "longest_module", k->longest);
    for (int i = 0; i < ALL; i++)
        if (i != PATH && i != LONGEST && i != SEARCH) check_number(k, "bounds", bounds, all[i].name, all[i].value);
    *lower = compare_largest(k, makespan, "lower_bound_of", all, ALL);
    return INLAY_OK;
}

static int this_placement(check *k, const check_limits *limits, const json_t *makespan)
{
    enum { PROCESSOR, SENDER, BUS, MEMORY, LINK, ALL };
    check_placed placed;
    int status = check_placement(limits, &placed);
    const json_t *bounds = check_field(k, "makespan", makespan, "placement_bounds", CHECK_OBJECT);
    named all[ALL] = {{"compute", 0},
                      {"sender", placed.sender},
                      {"bus", placed.bus},
                      {"memory", placed.memory},
                      {"link", placed.link}};
    if (status != INLAY_OK || !bounds) return status;
    for (inlay_id c = 0; c < k->clusters; c++)
        all[PROCESSOR].value = fmax(all[PROCESSOR].value, k->cluster[c].own_busy);
    for (int i = 0; i < ALL; i++)
        check_number(k, "placement_bounds", bounds, all[i].name, all[i].value);
    double most = compare_largest(k, makespan, "placement_bound_of", all, ALL);
    k->bound_placement = most;
    check_number(k, "makespan", makespan, "placement_bound", most);
    return INLAY_OK;
}

int check_bounds(check *k, const json_t *makespan, double *lower)
{
    check_limits limits;
    int status = check_limits_make(k, &limits);
    if (status == INLAY_OK) status = any_mapping(k, &limits, makespan, lower);
    if (status == INLAY_OK) status = this_placement(k, &limits, makespan);
    check_limits_clear(&limits);
    return status;
}
