/* The slow reference for processors that differ. */
#include "base/plain.h"
#include "check_subject.h"
#include "random_app.h"
#include "slow_unlike.h"

#include <inlay/io.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 16384 };

static const char *const type_names[] = {NULL, "gpu", "dsp"};
enum { TYPES = 3 };

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int more = plain_vprint(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(length + (size_t)more, TEXT);
}

static void add_modules(slow_unlike *ask, char *text, bool blocking)
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
static void make_app(slow_unlike *ask)
{
    static char text[TEXT];
    bool blocking = random_once_in(&ask->state, 3);
    ask->modules = 1 + (int)random_below(&ask->state, UNLIKE_MODULES);
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

static void choose_host(slow_unlike *ask, slow_host *h)
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

static void make_machine(slow_unlike *ask)
{
    static char text[TEXT];
    ask->hosts = 1 + (int)random_below(&ask->state, UNLIKE_HOSTS);
    ask->cut_through = random_once_in(&ask->state, 2);
    ask->exponential = random_once_in(&ask->state, 2);
    ask->latency = (double)random_below(&ask->state, 3);
    plain_print(text, sizeof text, "graph m { graph [network=links, switching=\"%s\", model=%s, latency=\"%gtick\"];\n",
                ask->cut_through ? "cut-through" : "store-and-forward", ask->exponential ? "mm1" : "md1", ask->latency);
    add(text, "s [kind=switch];\n");
    for (int i = 0; i < ask->hosts; i++) {
        slow_host *h = &ask->host[i];
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
inlay_time slow_unlike_time(const slow_unlike *ask, int module, const slow_host *h)
{
    for (int t = 0; h->type > 0 && t < inlay_app_types(ask->app); t++)
        if (strcmp(inlay_app_type_name(ask->app, t), type_names[h->type]) == 0 &&
            inlay_app_type_time(ask->app, t, module) >= 0)
            return inlay_app_type_time(ask->app, t, module);
    return inlay_app_time(ask->app, module);
}

static bool all_alike(const slow_unlike *ask)
{
    for (int i = 1; i < ask->hosts; i++)
        if (ask->host[i].type != ask->host[0].type || ask->host[i].speed != ask->host[0].speed ||
            ask->host[i].memory != ask->host[0].memory)
            return false;
    return true;
}

/** The least times, in whole grains at the speed of the fastest; and what each processor does of these at best. */
static void count_times(slow_unlike *ask)
{
    for (int i = 0; i < ask->hosts; i++)
        ask->fastest = fmax(ask->fastest, ask->host[i].speed);
    for (int m = 0; m < ask->modules; m++) {
        ask->best[m] = INT64_MAX;
        for (int i = 0; i < ask->hosts; i++) {
            long double at = (long double)slow_unlike_time(ask, m, &ask->host[i]) * ask->fastest / ask->host[i].speed;
            inlay_time whole = (inlay_time)floorl(at + 1e-9L);
            ask->best[m] = whole < ask->best[m] ? whole : ask->best[m];
        }
    }
    for (int p = 0; p < ask->processors; p++) {
        const slow_host *h = &ask->host[ask->host_of[p]];
        ask->rate[p] = all_alike(ask) ? h->speed : 0;
        for (int m = 0; m < ask->modules && !all_alike(ask); m++)
            if (slow_unlike_time(ask, m, h) > 0)
                ask->rate[p] = fmaxl(ask->rate[p],
                                     (long double)ask->best[m] * h->speed / (long double)slow_unlike_time(ask, m, h));
    }
}

static bool precedes(const slow_unlike *ask, int i, int j, int64_t *messages)
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
static inlay_time lag(const slow_unlike *ask, int i, int j, inlay_time time)
{
    inlay_time wait = inlay_app_blocking(ask->app, j) - inlay_app_blocking(ask->app, i);
    if (!ask->streamed) return time;
    return wait < 0 ? 0 : wait < time ? wait : time;
}

/** Earliest starts with free messages; modules are numbered in the order of the links. Their end. */
inlay_time slow_unlike_earliest(const slow_unlike *ask, inlay_time *start)
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

void slow_unlike_open(slow_unlike *ask, int seed)
{
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    inlay_time start[UNLIKE_MODULES];
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    ask->state = (uint64_t)seed;
    make_app(ask);
    make_machine(ask);
    ask->options.blocking = blocking[random_below(&ask->state, 3)];
    count_times(ask);
    slow_unlike_earliest(ask, start);
    bool counts =
        ask->options.blocking == INLAY_BLOCKING_YES || (ask->options.blocking == INLAY_BLOCKING_AUTO && ask->streamed);
    for (int i = 0; i < ask->modules; i++) {
        ask->ready[i] = ask->streamed ? inlay_app_blocking(ask->app, i) : start[i];
        ask->waits[i] = counts ? ask->ready[i] : 0;
    }
}

void slow_unlike_close(slow_unlike *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

/* ---- Messages ---- */

static long double delay(const slow_unlike *ask, long double u)
{
    return ask->exponential ? 1 / (1 - u) : 1 + u / (2 * (1 - u));
}

/** Time of one unit of traffic from a processor to another, within T. */
long double slow_unlike_tau(const slow_unlike *ask, int from, int to, long double frame)
{
    const slow_host *a = &ask->host[ask->host_of[from]], *b = &ask->host[ask->host_of[to]];
    if (a == b) return 0;
    long double one = 1 / (long double)a->capacity, other = 1 / (long double)b->capacity;
    long double up = delay(ask, a->works[0] / frame), down = delay(ask, b->works[b->half ? 0 : 1] / frame);
    return ask->cut_through ? fmaxl(one, other) + (up - 1) * one + (down - 1) * other : up * one + down * other;
}

static long double message_latency(const slow_unlike *ask, int from, int to)
{
    const slow_host *a = &ask->host[ask->host_of[from]], *b = &ask->host[ask->host_of[to]];
    return ask->latency + (a == b ? 0 : a->latency + b->latency);
}

static void send(slow_unlike *ask, int from, inlay_links links)
{
    for (int64_t l = 0; l < links.count; l++)
        if (ask->of[links.module[l]] != from) ask->traffic[from][ask->of[links.module[l]]] += links.messages[l];
}

static void load_links(slow_unlike *ask)
{
    ask->busiest = 0;
    for (int i = 0; i < ask->hosts; i++)
        ask->host[i].works[0] = ask->host[i].works[1] = 0;
    for (int from = 0; from < ask->processors; from++)
        for (int to = 0; to < ask->processors; to++) {
            slow_host *a = &ask->host[ask->host_of[from]], *b = &ask->host[ask->host_of[to]];
            if (a == b) continue;
            a->works[0] += (long double)ask->traffic[from][to] / a->capacity;
            b->works[b->half ? 0 : 1] += (long double)ask->traffic[from][to] / b->capacity;
        }
    for (int i = 0; i < ask->hosts; i++)
        ask->busiest = fmaxl(ask->busiest, fmaxl(ask->host[i].works[0], ask->host[i].works[1]));
}

int slow_unlike_home(const slow_unlike *ask, inlay_id block)
{
    return inlay_mapping_cluster(ask->mapping, inlay_mapping_home(ask->mapping, block)).processor;
}

/** Puts the mapping's modules and blocks where it has them. */
void slow_unlike_lay(slow_unlike *ask, const inlay_mapping *mapping)
{
    memset(ask->traffic, 0, sizeof ask->traffic);
    ask->mapping = mapping;
    for (int i = 0; i < ask->modules; i++)
        ask->of[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
    for (int i = 0; i < ask->modules; i++)
        send(ask, ask->of[i], inlay_app_out(ask->app, i));
    for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
        send(ask, slow_unlike_home(ask, d), inlay_app_uses(ask->app, d));
    load_links(ask);
}

/* ---- The estimate ---- */

static inlay_time bottom_level(const slow_unlike *ask, int module) /* NOLINT(misc-no-recursion): few modules */
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

static int next_module(const slow_unlike *ask, const bool *taken, const inlay_time *bottom)
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
long double slow_unlike_elapsed(const slow_unlike *ask, long double frame, long double *start)
{
    long double free_at[UNLIKE_PROCESSORS] = {0}, end = 0;
    inlay_time bottom[UNLIKE_MODULES];
    bool taken[UNLIKE_MODULES] = {false};
    int64_t messages;
    for (int i = 0; i < ask->modules; i++) {
        start[i] = 0;
        bottom[i] = bottom_level(ask, i);
    }
    for (int at = 0; at < ask->modules; at++) {
        int i = next_module(ask, taken, bottom), here = ask->of[i];
        const slow_host *h = &ask->host[ask->host_of[here]];
        taken[i] = true;
        start[i] = fmaxl(start[i], free_at[here]);
        free_at[here] = start[i] + (long double)slow_unlike_time(ask, i, h) / h->speed;
        end = fmaxl(end, free_at[here]);
        for (int j = i + 1; j < ask->modules; j++) {
            if (!precedes(ask, i, j, &messages)) continue;
            long double then = start[i] + (long double)lag(ask, i, j, slow_unlike_time(ask, i, h)) / h->speed;
            if (ask->of[j] != here)
                then += (long double)messages *
                        (slow_unlike_tau(ask, here, ask->of[j], frame) + message_latency(ask, here, ask->of[j]));
            start[j] = fmaxl(start[j], then);
        }
    }
    return end;
}

/* ---- Together ---- */

/** What the fastest so many processors do in a unit of time. */
long double slow_unlike_rate(const slow_unlike *ask, int processors)
{
    bool taken[UNLIKE_PROCESSORS] = {false};
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
