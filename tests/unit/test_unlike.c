/*
 * Processors that differ in type, speed, memory and cores, on hosts around one switch, against the rules of docs/links.md
 * counted anew: times on each processor, work, bounds, the default time frame, the estimate. The independent checker accepts
 * all of it, and objects to what was altered.
 */
#include "check_subject.h"
#include "random_app.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 200, MODULES = 14, HOSTS = 6, PROCESSORS = 3 * HOSTS, TEXT = 16384 };

/* ---- What is asked ---- */

static const char *const type_names[] = {NULL, "gpu", "dsp"};
enum { TYPES = 3 };

/** A host, and the cable to the switch, by which it sends and by which it receives. */
typedef struct host {
    int type;
    double speed;
    int64_t memory; /* -1: unlimited */
    int cores;
    bool half; /* one link for both ways */
    double capacity, latency;
    long double works[2]; /* for how long the links to the switch and from it do */
} host;

typedef struct question {
    int seed;
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    int modules, hosts, processors;
    host host[HOSTS];
    int host_of[PROCESSORS];
    bool cut_through, exponential;
    double latency;

    /* Counted at the speed of the fastest, grains. */
    double fastest;
    bool streamed;
    inlay_time best[MODULES], ready[MODULES], waits[MODULES]; /* waits: blocking that counts in work */
    long double rate[PROCESSORS];                             /* what a processor does in a unit of time */

    /* With the modules on processors. */
    const inlay_mapping *mapping;
    int of[MODULES];
    int64_t traffic[PROCESSORS][PROCESSORS];
    long double busiest;
} question;

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(length + (size_t)more, TEXT);
}

static void add_modules(question *ask, char *text, bool blocking)
{
    for (int i = 0; i < ask->modules; i++) {
        add(text, "m%d [time=%d", i, (int)random_below(&ask->state, 40));
        for (int t = 1; t < TYPES; t++)
            if (random_once_in(&ask->state, 3))
                add(text, ", \"time.%s\"=%d", type_names[t], 1 + (int)random_below(&ask->state, 60));
        if (random_once_in(&ask->state, 4)) add(text, ", memory=%d", 1 + (int)random_below(&ask->state, 900));
        if (blocking) add(text, ", blocking=%d", (int)random_below(&ask->state, 60));
        add(text, "];\n");
    }
}

/** With links of both kinds, and a few data blocks. */
static void make_app(question *ask)
{
    static char text[TEXT];
    bool blocking = random_once_in(&ask->state, 3);
    ask->modules = 1 + (int)random_below(&ask->state, MODULES);
    snprintf(text, sizeof text, "digraph a { graph [time_unit=tick];\n");
    add_modules(ask, text, blocking);
    for (int i = 0; i < ask->modules; i++)
        for (int j = i + 1; j < ask->modules; j++)
            if (random_once_in(&ask->state, 4))
                add(text, "m%d -> m%d [messages=%d%s];\n", i, j, (int)random_below(&ask->state, 9),
                    random_once_in(&ask->state, 6) ? ", kind=traffic" : "");
    int blocks = (int)random_below(&ask->state, 3);
    for (int d = 0; d < blocks; d++)
        add(text, "d%d [kind=data, size=%d, time=%d]; d%d -> m%d [messages=3]; d%d -> m%d;\n", d,
            (int)random_below(&ask->state, 500), (int)random_below(&ask->state, 9), d,
            (int)random_below(&ask->state, (ask->modules + 1) / 2), d,
            (int)((ask->modules + 1) / 2 + random_below(&ask->state, ask->modules / 2 + 1)) % ask->modules);
    add(text, "}\n");
    ask->app = subject_read(text);
    ask->streamed = blocking;
}

static void choose_host(question *ask, host *h)
{
    static const double speeds[] = {1, 2, 0.5, 3, 0.25, 1.5};
    static const double capacities[] = {0.5, 2, 8};
    h->type = (int)random_below(&ask->state, TYPES);
    h->speed = speeds[random_below(&ask->state, 6)];
    h->memory = random_once_in(&ask->state, 4) ? 4000 : -1;
    h->cores = 1 + (int)random_below(&ask->state, 3);
    h->half = random_once_in(&ask->state, 4);
    h->capacity = capacities[random_below(&ask->state, 3)];
    h->latency = (double)random_below(&ask->state, 3) / 2;
}

static void make_machine(question *ask)
{
    static char text[TEXT];
    ask->hosts = 1 + (int)random_below(&ask->state, HOSTS);
    ask->cut_through = random_once_in(&ask->state, 2);
    ask->exponential = random_once_in(&ask->state, 2);
    ask->latency = (double)random_below(&ask->state, 3);
    snprintf(text, sizeof text,
             "graph m { graph [network=\"graph\", switching=\"%s\", model=%s, latency=\"%gtick\"];\n",
             ask->cut_through ? "cut-through" : "store-and-forward", ask->exponential ? "mm1" : "md1", ask->latency);
    add(text, "s [kind=switch];\n");
    for (int i = 0; i < ask->hosts; i++) {
        host *h = &ask->host[i];
        choose_host(ask, h);
        add(text, "h%d [speed=%g, cores=%d", i, h->speed, h->cores);
        if (h->type > 0) add(text, ", type=%s", type_names[h->type]);
        if (h->memory >= 0) add(text, ", memory=%lld", (long long)h->memory);
        add(text, "]; h%d -- s [capacity=\"%gmsg/tick\", latency=\"%gtick\"%s];\n", i, h->capacity, h->latency,
            h->half ? ", duplex=half" : "");
        for (int core = 0; core < h->cores; core++)
            ask->host_of[ask->processors++] = i;
    }
    add(text, "}\n");
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &ask->machine, diag);
    ck_assert_msg(status == INLAY_OK, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    inlay_diag_free(diag);
}

/* ---- Times ---- */

/** Time of a module on a host were its speed 1, grains. */
static inlay_time time_on(const question *ask, int module, const host *h)
{
    for (int t = 0; h->type > 0 && t < inlay_app_types(ask->app); t++)
        if (strcmp(inlay_app_type_name(ask->app, t), type_names[h->type]) == 0 &&
            inlay_app_type_time(ask->app, t, module) >= 0)
            return inlay_app_type_time(ask->app, t, module);
    return inlay_app_time(ask->app, module);
}

static bool all_alike(const question *ask)
{
    for (int i = 1; i < ask->hosts; i++)
        if (ask->host[i].type != ask->host[0].type || ask->host[i].speed != ask->host[0].speed ||
            ask->host[i].memory != ask->host[0].memory)
            return false;
    return true;
}

/** The least times, in whole grains at the speed of the fastest; and what each processor does of these at best. */
static void count_times(question *ask)
{
    for (int i = 0; i < ask->hosts; i++)
        ask->fastest = fmax(ask->fastest, ask->host[i].speed);
    for (int m = 0; m < ask->modules; m++) {
        ask->best[m] = INT64_MAX;
        for (int i = 0; i < ask->hosts; i++) {
            long double at = (long double)time_on(ask, m, &ask->host[i]) * ask->fastest / ask->host[i].speed;
            inlay_time whole = (inlay_time)floorl(at + 1e-9L);
            ask->best[m] = whole < ask->best[m] ? whole : ask->best[m];
        }
    }
    for (int p = 0; p < ask->processors; p++) {
        const host *h = &ask->host[ask->host_of[p]];
        ask->rate[p] = all_alike(ask) ? h->speed : 0;
        for (int m = 0; m < ask->modules && !all_alike(ask); m++)
            if (time_on(ask, m, h) > 0)
                ask->rate[p] =
                    fmaxl(ask->rate[p], (long double)ask->best[m] * h->speed / (long double)time_on(ask, m, h));
    }
}

static bool precedes(const question *ask, int i, int j, int64_t *messages)
{
    inlay_links out = inlay_app_out(ask->app, i);
    for (int64_t l = 0; l < out.count; l++)
        if (out.module[l] == j && !(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            *messages = out.messages[l];
            return true;
        }
    return false;
}

/** The lag of a link whose module takes so long, in grains. */
static inlay_time lag(const question *ask, int i, int j, inlay_time time)
{
    inlay_time wait = inlay_app_blocking(ask->app, j) - inlay_app_blocking(ask->app, i);
    if (!ask->streamed) return time;
    return wait < 0 ? 0 : wait < time ? wait : time;
}

/** Earliest starts with free messages; modules are numbered in the order of the links. Their end. */
static inlay_time earliest(const question *ask, inlay_time *start)
{
    inlay_time end = 0;
    int64_t messages;
    for (int j = 0; j < ask->modules; j++) {
        start[j] = 0;
        for (int i = 0; i < j; i++)
            if (precedes(ask, i, j, &messages) && start[i] + lag(ask, i, j, ask->best[i]) > start[j])
                start[j] = start[i] + lag(ask, i, j, ask->best[i]);
        end = start[j] + ask->best[j] > end ? start[j] + ask->best[j] : end;
    }
    return end;
}

static void open_question(question *ask, int seed)
{
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    inlay_time start[MODULES];
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    ask->state = (uint64_t)seed;
    make_app(ask);
    make_machine(ask);
    ask->options.blocking = blocking[random_below(&ask->state, 3)];
    count_times(ask);
    earliest(ask, start);
    bool counts =
        ask->options.blocking == INLAY_BLOCKING_YES || (ask->options.blocking == INLAY_BLOCKING_AUTO && ask->streamed);
    for (int i = 0; i < ask->modules; i++) {
        ask->ready[i] = ask->streamed ? inlay_app_blocking(ask->app, i) : start[i];
        ask->waits[i] = counts ? ask->ready[i] : 0;
    }
}

static void close_question(question *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

/* ---- Messages ---- */

static long double delay(const question *ask, long double u)
{
    return ask->exponential ? 1 / (1 - u) : 1 + u / (2 * (1 - u));
}

/** Time of one unit of traffic from a processor to another, within T. */
static long double tau(const question *ask, int from, int to, long double frame)
{
    const host *a = &ask->host[ask->host_of[from]], *b = &ask->host[ask->host_of[to]];
    if (a == b) return 0;
    long double one = 1 / (long double)a->capacity, other = 1 / (long double)b->capacity;
    long double up = delay(ask, a->works[0] / frame), down = delay(ask, b->works[b->half ? 0 : 1] / frame);
    return ask->cut_through ? fmaxl(one, other) + (up - 1) * one + (down - 1) * other : up * one + down * other;
}

static long double message_latency(const question *ask, int from, int to)
{
    const host *a = &ask->host[ask->host_of[from]], *b = &ask->host[ask->host_of[to]];
    return ask->latency + (a == b ? 0 : a->latency + b->latency);
}

static void send(question *ask, int from, inlay_links links)
{
    for (int64_t l = 0; l < links.count; l++)
        if (ask->of[links.module[l]] != from) ask->traffic[from][ask->of[links.module[l]]] += links.messages[l];
}

static void load_links(question *ask)
{
    ask->busiest = 0;
    for (int i = 0; i < ask->hosts; i++)
        ask->host[i].works[0] = ask->host[i].works[1] = 0;
    for (int from = 0; from < ask->processors; from++)
        for (int to = 0; to < ask->processors; to++) {
            host *a = &ask->host[ask->host_of[from]], *b = &ask->host[ask->host_of[to]];
            if (a == b) continue;
            a->works[0] += (long double)ask->traffic[from][to] / a->capacity;
            b->works[b->half ? 0 : 1] += (long double)ask->traffic[from][to] / b->capacity;
        }
    for (int i = 0; i < ask->hosts; i++)
        ask->busiest = fmaxl(ask->busiest, fmaxl(ask->host[i].works[0], ask->host[i].works[1]));
}

static int home_of(const question *ask, inlay_id block)
{
    return inlay_mapping_cluster(ask->mapping, inlay_mapping_home(ask->mapping, block)).processor;
}

/** Puts the mapping's modules and blocks where it has them. */
static void lay(question *ask, const inlay_mapping *mapping)
{
    memset(ask->traffic, 0, sizeof ask->traffic);
    ask->mapping = mapping;
    for (int i = 0; i < ask->modules; i++)
        ask->of[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
    for (int i = 0; i < ask->modules; i++)
        send(ask, ask->of[i], inlay_app_out(ask->app, i));
    for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
        send(ask, home_of(ask, d), inlay_app_uses(ask->app, d));
    load_links(ask);
}

/* ---- The estimate ---- */

static inlay_time bottom_level(const question *ask, int module) /* NOLINT(misc-no-recursion): few modules */
{
    inlay_time longest = -1;
    int64_t messages;
    for (int j = module + 1; j < ask->modules; j++)
        if (precedes(ask, module, j, &messages)) {
            inlay_time path = lag(ask, module, j, ask->best[module]) + bottom_level(ask, j);
            longest = path > longest ? path : longest;
        }
    return longest < 0 ? ask->best[module] : longest;
}

static int next_module(const question *ask, const bool *taken, const inlay_time *bottom)
{
    int next = -1;
    int64_t messages;
    for (int i = 0; i < ask->modules; i++) {
        bool ready = !taken[i];
        for (int j = 0; j < ask->modules; j++)
            ready = ready && (taken[j] || !precedes(ask, j, i, &messages));
        if (ready && (next < 0 || ask->ready[i] < ask->ready[next] ||
                      (ask->ready[i] == ask->ready[next] && bottom[i] > bottom[next])))
            next = i;
    }
    return next;
}

/** In units of time; `start` of every module. */
static long double elapsed(const question *ask, long double frame, long double *start)
{
    long double free_at[PROCESSORS] = {0}, end = 0;
    inlay_time bottom[MODULES];
    bool taken[MODULES] = {false};
    int64_t messages;
    for (int i = 0; i < ask->modules; i++) {
        start[i] = 0;
        bottom[i] = bottom_level(ask, i);
    }
    for (int at = 0; at < ask->modules; at++) {
        int i = next_module(ask, taken, bottom), here = ask->of[i];
        const host *h = &ask->host[ask->host_of[here]];
        taken[i] = true;
        start[i] = fmaxl(start[i], free_at[here]);
        free_at[here] = start[i] + (long double)time_on(ask, i, h) / h->speed;
        end = fmaxl(end, free_at[here]);
        for (int j = i + 1; j < ask->modules; j++) {
            if (!precedes(ask, i, j, &messages)) continue;
            long double then = start[i] + (long double)lag(ask, i, j, time_on(ask, i, h)) / h->speed;
            if (ask->of[j] != here)
                then += (long double)messages *
                        (tau(ask, here, ask->of[j], frame) + message_latency(ask, here, ask->of[j]));
            start[j] = fmaxl(start[j], then);
        }
    }
    return end;
}

/* ---- Comparing ---- */

static void near(const question *ask, const char *what, double found, long double expected)
{
    ck_assert_msg(fabs(found - (double)expected) <= 1e-9 * fabs((double)expected) + 1e-15,
                  "seed %d: %s is %.15g, not %.15Lg", ask->seed, what, found, expected);
}

/** What the fastest so many processors do in a unit of time. */
static long double rate_of(const question *ask, int processors)
{
    bool taken[PROCESSORS] = {false};
    long double sum = 0;
    for (int n = 0; n < processors; n++) {
        int best = -1;
        for (int p = 0; p < ask->processors; p++)
            if (!taken[p] && (best < 0 || ask->rate[p] > ask->rate[best])) best = p;
        taken[best] = true;
        sum += ask->rate[best];
    }
    return sum;
}

static void compare_clusters(const question *ask, const inlay_summary *s)
{
    for (inlay_id c = 0; c < s->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(ask->mapping, c);
        const host *h = &ask->host[ask->host_of[info.processor]];
        long double busy = 0, rest = 0, sent = 0;
        int64_t memory = 0;
        for (int i = 0; i < ask->modules; i++) {
            if (ask->of[i] != info.processor) continue;
            busy += (long double)time_on(ask, i, h) / h->speed;
            rest += (long double)ask->waits[i] / ask->fastest;
            memory += inlay_app_memory(ask->app, i);
        }
        for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
            if (home_of(ask, d) == info.processor) {
                rest += (long double)inlay_app_block_time(ask->app, d) / ask->fastest;
                memory += inlay_app_block_size(ask->app, d);
            }
        for (int to = 0; to < ask->processors; to++)
            if (ask->traffic[info.processor][to] > 0)
                sent += (long double)ask->traffic[info.processor][to] * tau(ask, info.processor, to, s->time_frame);
        ck_assert_msg(fabsl((long double)info.busy - busy) <= 0.5L + 1e-9L, "seed %d: busy %lld, not %Lg", ask->seed,
                      (long long)info.busy, busy);
        ck_assert_msg(fabsl((long double)info.work - busy - rest) <= 0.5L + 1e-9L, "seed %d: work %lld, not %Lg",
                      ask->seed, (long long)info.work, busy + rest);
        ck_assert_msg(info.memory == memory, "seed %d: memory", ask->seed);
        near(ask, "a utilisation", info.utilisation, ((long double)info.work + sent) / s->time_frame);
    }
}

static void compare_bounds(const question *ask, const inlay_summary *s)
{
    inlay_time start[MODULES], total = 0, longest = 0;
    long double path = (long double)earliest(ask, start) / ask->fastest, rate = rate_of(ask, s->processors);
    for (int i = 0; i < ask->modules; i++) {
        total += ask->best[i];
        longest = ask->best[i] > longest ? ask->best[i] : longest;
    }
    long double work = total > 0 ? (long double)total / rate : 0;
    near(ask, "the critical path", s->bound_critical_path, path);
    near(ask, "the longest module", s->bound_longest, (long double)longest / ask->fastest);
    near(ask, "the bound of work", s->bound_work, work);
    near(ask, "the lower bound", s->lower_bound, fmaxl(fmaxl(path, work), (long double)longest / ask->fastest));
    ck_assert_msg(s->lower_bound <= s->estimate * (1 + 1e-12), "seed %d: no lower bound", ask->seed);
    if (s->estimate > 0) near(ask, "speedup", s->speedup, (long double)total / ask->fastest / s->estimate);
}

static void compare(question *ask, const inlay_mapping *mapping)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    long double start[MODULES], time = 0;
    int64_t carried = 0;
    lay(ask, mapping);
    near(ask, "u", s->u, ask->busiest / s->time_frame);
    for (int from = 0; from < ask->processors; from++)
        for (int to = 0; to < ask->processors; to++) {
            bool far = ask->host_of[from] != ask->host_of[to];
            if (ask->traffic[from][to] > 0)
                time += (long double)ask->traffic[from][to] * tau(ask, from, to, s->time_frame);
            carried += far ? 2 * ask->traffic[from][to] : 0;
        }
    ck_assert_int_eq(s->weighted_traffic, carried);
    if (carried > 0) near(ask, "tau", s->tau, time / (long double)carried);
    compare_clusters(ask, s);
    compare_bounds(ask, s);
    near(ask, "the estimate", s->estimate, elapsed(ask, s->time_frame, start));
    for (int i = 0; i < ask->modules; i++)
        near(ask, "a start", inlay_mapping_start(mapping, i), start[i]);
}

/** The module that a block counts with before anything is placed: most messages, the smallest number. */
static inlay_id first_home(const question *ask, inlay_id block)
{
    inlay_links uses = inlay_app_uses(ask->app, block);
    int64_t best = 0;
    for (int64_t u = 1; u < uses.count; u++)
        best = uses.messages[u] > uses.messages[best] ? u : best;
    return uses.module[best];
}

/** max(largest work, total work / what P processors do), in units of time. */
static long double least_frame(const question *ask, int processors)
{
    long double work[MODULES], largest = 0, all = 0;
    for (int i = 0; i < ask->modules; i++)
        work[i] = (long double)ask->best[i] + (long double)ask->waits[i];
    for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
        work[first_home(ask, d)] += (long double)inlay_app_block_time(ask->app, d);
    for (int i = 0; i < ask->modules; i++) {
        largest = fmaxl(largest, work[i]);
        all += work[i];
    }
    long double rate = rate_of(ask, processors);
    return fmaxl(largest / ask->fastest, rate > 0 ? all / rate : 0);
}

static bool some_time(const question *ask)
{
    for (int i = 0; i < ask->modules; i++)
        if (ask->best[i] > 0) return true;
    return false;
}

static void write_and_check(const question *ask, const inlay_mapping *mapping)
{
    char what[40];
    inlay_origin origin = {.command = "map", .app_path = subject_app(), .app_format = "dot"};
    snprintf(what, sizeof what, "seed %d", ask->seed);
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    subject_findings(NULL, true, what);
}

/** By default T of a placement is what the work needs, or twice what the busiest link does. */
START_TEST(placements)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        inlay_id of[MODULES];
        inlay_mapping *mapping = NULL;
        open_question(&ask, seed);
        for (int i = 0; i < ask.modules; i++)
            of[i] = (inlay_id)random_below(&ask.state, ask.processors);
        if (some_time(&ask)) {
            int status = inlay_evaluate(ask.app, ask.machine, of, &ask.options, &mapping, NULL);
            ck_assert_msg(status == INLAY_OK, "seed %d: status %d", seed, status);
            compare(&ask, mapping);
            long double least = least_frame(&ask, ask.processors), all = ask.busiest < least ? least : 2 * ask.busiest;
            ck_assert_msg(fabsl(inlay_mapping_summary(mapping)->time_frame - all) <= 3e-11L * all,
                          "seed %d: T is %.15g, not %.15Lg", seed, inlay_mapping_summary(mapping)->time_frame, all);
            write_and_check(&ask, mapping);
            inlay_mapping_free(mapping);
        }
        close_question(&ask);
    }
}
END_TEST

/** Hosts have the memory for what the method puts there. */
static void check_memory(const question *ask, const inlay_mapping *mapping)
{
    int64_t used[HOSTS] = {0};
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        used[ask->host_of[info.processor]] += info.memory;
    }
    for (int i = 0; i < ask->hosts; i++)
        ck_assert_msg(ask->host[i].memory < 0 || used[i] <= ask->host[i].memory, "seed %d: host %d is full", ask->seed,
                      i);
}

START_TEST(maps)
{
    int compared = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        inlay_mapping *mapping = NULL;
        open_question(&ask, seed);
        if (random_once_in(&ask.state, 2))
            ask.options.processors = 1 + (inlay_id)random_below(&ask.state, ask.processors);
        if (some_time(&ask) && inlay_map(ask.app, ask.machine, &ask.options, &mapping, NULL) == INLAY_OK) {
            const inlay_summary *s = inlay_mapping_summary(mapping);
            compare(&ask, mapping);
            ck_assert_msg(s->time_frame >= (double)least_frame(&ask, s->processors) * (1 - 1e-12), "seed %d: T", seed);
            check_memory(&ask, mapping);
            write_and_check(&ask, mapping);
            compared++;
        }
        inlay_mapping_free(mapping);
        close_question(&ask);
    }
    ck_assert_int_gt(compared, SEEDS * 3 / 4);
}
END_TEST

/* ---- By hand ---- */

static const char hand_app[] = "digraph g { graph [time_unit=tick];\n"
                               "a [time=30, \"time.gpu\"=8]; b [time=24]; c [time=12, \"time.gpu\"=40];\n"
                               "a -> b [messages=2]; a -> c [messages=1]; }";
static const char hand_machine[] = "graph m { graph [network=\"graph\"]; s [kind=switch];\n"
                                   "slow; fast [speed=3]; gpu [type=gpu, speed=2];\n"
                                   "edge [capacity=\"1msg/tick\"]; slow -- s; fast -- s; gpu -- s; }";

static inlay_mapping *by_hand(const inlay_id *of, inlay_app **app, inlay_machine **machine)
{
    inlay_mapping *mapping = NULL;
    inlay_options options = {.has_time_frame = true, .time_frame = {{100, 0}, INLAY_UNIT_NONE}};
    inlay_origin origin = {.command = "evaluate", .app_path = subject_app(), .app_format = "dot"};
    *app = subject_read(hand_app);
    ck_assert_int_eq(inlay_machine_read_memory(hand_machine, strlen(hand_machine), "m.dot", "dot", machine, NULL),
                     INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(*app, *machine, of, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    return mapping;
}

/**
 * a takes 30, 10 and 4 on slow, fast and gpu; b 24, 8, 12; c 12, 4, 20. Counted at speed 3 the least are 12, 24 and 12. The
 * fast one does 3 in a tick; slow 1, by b and c; gpu 3, by a.
 */
START_TEST(three_by_hand)
{
    static const inlay_id of[] = {2, 1, 0};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = by_hand(of, &app, &machine);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    double bound = (12 + 24) / 3.0;
    ck_assert_int_eq(inlay_mapping_cluster(mapping, 0).busy, 4);
    ck_assert_int_eq(inlay_mapping_cluster(mapping, 1).busy, 8);
    ck_assert_int_eq(inlay_mapping_cluster(mapping, 2).busy, 12);
    ck_assert_double_eq_tol(s->bound_critical_path, bound, 1e-12);
    ck_assert_double_eq_tol(s->bound_longest, 8, 1e-12);
    ck_assert_double_eq_tol(s->bound_work, 48 / 7.0, 1e-12);
    ck_assert_double_eq_tol(s->speedup * s->estimate, 16, 1e-9);
    /* gpu sends 3 in 100 ticks, so D = 1 + 0.03/1.94; fast takes 2, slow 1 */
    double b = 4 + 2 * (2 + 0.03 / 1.94 + 0.02 / 1.96) + 8, c = 4 + (2 + 0.03 / 1.94 + 0.01 / 1.98) + 12;
    ck_assert_double_eq_tol(s->estimate, fmax(b, c), 1e-12);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    subject_findings(NULL, true, "by hand");
}
END_TEST

static const alteration changes[] = {
    {"clusters.0.busy", "+"},
    {"clusters.0.busy", "30"},
    {"clusters.1.busy", "24"},
    {"clusters.2.work", "4"},
    {"clusters.1.work", "8.4"},
    {"clusters.0.processor", "0"},
    {"clusters.1.utilisation", "*"},
    {"makespan.lower_bound", "*"},
    {"makespan.lower_bound", "36"},
    {"makespan.bounds.critical_path", "36"},
    {"makespan.bounds.longest_module", "24"},
    {"makespan.bounds.work", "16"},
    {"makespan.estimate", "*"},
    {"makespan.estimate_fixed_point", "*"},
    {"makespan.gap", "*"},
    {"speedup", "*"},
    {"efficiency", "*"},
    {"network.u", "*"},
    {"network.tau", "*"},
};

START_TEST(objects_to_an_altered_figure)
{
    static const inlay_id of[] = {2, 1, 0};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping_free(by_hand(of, &app, &machine));
    inlay_machine_free(machine);
    inlay_app_free(app);
    json_t *root = subject_load();
    subject_alter(root, &changes[_i]);
    subject_save(root);
    ck_assert_msg(subject_findings(NULL, false, changes[_i].path) > 0, "%s = %s passed", changes[_i].path,
                  changes[_i].value);
}
END_TEST

/** Whether one of the findings says that another assignment of clusters to kinds would be better. */
static bool says_better(void)
{
    inlay_findings *findings = NULL;
    bool says = false;
    ck_assert_int_eq(inlay_check_file(subject_mapping(), NULL, &findings, NULL), INLAY_OK);
    for (size_t i = 0; i < inlay_findings_count(findings); i++)
        says |= strstr(inlay_findings_text(findings, i), "longest cluster takes longer") != NULL;
    inlay_findings_free(findings);
    return says;
}

/**
 * Layouts that are said to be the method's: the longest cluster of each may be no longer than in another. The best takes
 * 12, where b or c is on slow, fast or gpu takes b, and a is not on slow.
 */
START_TEST(knows_the_least_longest_cluster)
{
    static const struct {
        inlay_id of[3];
        bool best;
    } layouts[] = {{{2, 1, 0}, true},  {{1, 2, 0}, true},  {{1, 0, 2}, false},
                   {{0, 1, 2}, false}, {{0, 2, 1}, false}, {{2, 0, 1}, false}};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping_free(by_hand(layouts[_i].of, &app, &machine));
    inlay_machine_free(machine);
    inlay_app_free(app);
    ck_assert(!says_better());
    json_t *root = subject_load();
    json_object_set_new(root, "method", json_string("houstis"));
    subject_save(root);
    ck_assert_int_eq(says_better(), !layouts[_i].best);
}
END_TEST

Suite *suite_unlike(void)
{
    Suite *suite = suite_create("unlike");
    TCase *tests = tcase_create("unlike");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_test(tests, placements);
    tcase_add_test(tests, maps);
    tcase_add_test(tests, three_by_hand);
    tcase_add_loop_test(tests, objects_to_an_altered_figure, 0, (int)(sizeof changes / sizeof *changes));
    tcase_add_loop_test(tests, knows_the_least_longest_cluster, 0, 6);
    suite_add_tcase(suite, tests);
    return suite;
}
