/*
 * List schedulers against a slow one each: it keeps no gaps, no heaps and no bounds, but looks at all modules of a processor
 * and at all pairs in every step. Clusterings that become schedules by a list against slow ones. The ten tasks of Topcuoglu, Hariri and Wu against what their paper prints.
 */
#include "check_subject.h"
#include "golden.h"
#include "graph/app.h"
#include "random_app.h"
#include "slow.h"
#include "slow_clusters.h"
#include "unit.h"
#include <inlay/io.h>
#include <inlay/simulate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 300, MOST_MODULES = 14, PROCESSORS = 16, TEXT = 300 };

/** A machine, and what one unit of traffic and one message take on it while it is idle. */
typedef struct idle_machine {
    const char *form; /**< @ stands for the application's unit */
    double tau, latency;
    int cores; /**< of the widest host */
} idle_machine;

static const idle_machine machines[] = {
    {"bus:4,capacity=4msg/@", 0.25, 0, 1},
    {"bus:3,memory=distributed,processor_memory=14KiB,capacity=1msg/@,latency=2@,transfers=2", 2, 2, 1},
    {"mesh:3x2,capacity=2msg/@", 0.5, 0, 1},
    {"star:6,cores=2,processor_memory=12KiB,capacity=2msg/@", 0.5, 0, 2},
    {"graph m { graph [network=links]; a [speed=2]; b; c [speed=0.5, cores=2]; d [speed=4];"
     " edge [capacity=\"1msg/@\"]; a -- b -- c -- d; }",
     1, 0, 2},
    {"graph m { graph [network=links]; a [memory=\"8KiB\"]; b [speed=2, memory=\"11KiB\"]; c [cores=3, "
     "memory=\"14KiB\"]; d; edge [capacity=\"8msg/@\"]; a -- b -- c -- d -- a; }",
     0.125, 0, 3},
    {"bus:6,memory=common,capacity=2msg/@,latency=1@", 0.5, 1, 6},
    {"ring:3,cores=4,capacity=2msg/@,latency=1@", 0.5, 1, 4},
};

enum { MACHINES = sizeof machines / sizeof *machines };

/** What is known, and what is decided: of[] is -1 as yet. Times of applications without decimals are whole. */
typedef struct slow_schedule {
    slow_problem problem;
    const idle_machine *idle;
    const inlay_machine *machine;
    int processors;
    int of[SLOW_MODULES];
    int cores[SLOW_MODULES]; /**< that it holds at once: of[] and those behind it */
    double start[SLOW_MODULES];
    int turn[SLOW_MODULES]; /**< in which they got their processors; -1 on trial, -2 as a follower of one */
    int turns;
    double upward[SLOW_MODULES], downward[SLOW_MODULES],
        alone[SLOW_MODULES];               /**< ranks, times the pairs of processors */
    double cost[SLOW_MODULES][PROCESSORS]; /**< OCT, the same */
    bool critical[SLOW_MODULES];
    int critical_processor;
    int cluster[SLOW_MODULES];
    int home[SLOW_MODULES]; /**< of clusters: a processor, or -1 as yet */
    bool apart;             /**< there are no more clusters than processors */
    const inlay_app *app;   /**< where messages are booked; else NULL */
} slow_schedule;

static double time_at(const slow_schedule *d, int i, int q)
{
    return (double)d->problem.time[i] / inlay_machine_processor(d->machine, q).speed;
}

static double lag_at(const slow_schedule *d, int i, int j, int q)
{
    const slow_problem *p = &d->problem;
    inlay_time lag = p->time[i];
    if (p->streamed) lag = p->earliest[j] - p->earliest[i] < lag ? p->earliest[j] - p->earliest[i] : lag;
    return (double)(lag < 0 ? 0 : lag) / inlay_machine_processor(d->machine, q).speed;
}

static double message(const slow_schedule *d, int i, int j, int from, int to)
{
    if (from == to) return 0;
    return (double)d->problem.link_traffic[i][j] * d->idle->tau * inlay_machine_distance(d->machine, from, to) +
           (double)d->problem.link_messages[i][j] * d->idle->latency;
}

/** Sums over all ordered pairs of different processors; of one processor, what it is there. */
static double sum_message(const slow_schedule *d, int i, int j)
{
    double sum = 0;
    for (int a = 0; a < d->processors; a++)
        for (int b = 0; b < d->processors; b++)
            sum += message(d, i, j, a, b);
    return sum;
}

static double pairs(const slow_schedule *d)
{
    return d->processors > 1 ? d->processors * (d->processors - 1) : 1;
}

static double sum_over(const slow_schedule *d, int i, int j)
{
    double sum = 0;
    for (int q = 0; q < d->processors; q++)
        sum += j < 0 ? time_at(d, i, q) : lag_at(d, i, j, q);
    return sum * pairs(d) / d->processors;
}

/** From the ranks of the others as far as they are known: right when all that comes behind is. */
static double upward(const slow_schedule *d, int i, const double *rank, bool messages)
{
    double most = sum_over(d, i, -1);
    for (int j = 0; j < d->problem.modules; j++)
        if (d->problem.link[i][j])
            most = fmax(most, sum_over(d, i, j) + (messages ? sum_message(d, i, j) : 0) + rank[j]);
    return most;
}

static double downward(const slow_schedule *d, int j)
{
    double most = 0;
    for (int i = 0; i < d->problem.modules; i++)
        if (d->problem.link[i][j]) most = fmax(most, d->downward[i] + sum_over(d, i, j) + sum_message(d, i, j));
    return most;
}

/** The optimistic cost as the paper has it, over all processors. */
static double optimistic(const slow_schedule *d, int i, int p)
{
    double most = 0;
    for (int j = 0; j < d->problem.modules; j++) {
        if (!d->problem.link[i][j]) continue;
        double least = INFINITY, sent = sum_message(d, i, j);
        for (int q = 0; q < d->processors; q++)
            least = fmin(least, d->cost[j][q] + time_at(d, j, q) * pairs(d) + (p == q ? 0 : sent));
        most = fmax(most, least);
    }
    return most;
}

/** As often as a way can be long. */
static void find_ranks(slow_schedule *d, bool costs)
{
    const int n = d->problem.modules;
    for (int pass = 0; pass < n; pass++)
        for (int k = 0; k < 2 * n; k++) {
            int i = k < n ? k : 2 * n - 1 - k;
            d->upward[i] = upward(d, i, d->upward, true);
            d->alone[i] = upward(d, i, d->alone, false);
            d->downward[i] = downward(d, i);
            for (int q = 0; q < d->processors && costs; q++)
                d->cost[i][q] = optimistic(d, i, q);
        }
}

/* ---- Where there is time ---- */

/** Whether a module has one of the processors from q on that another would hold. */
static bool meets(const slow_schedule *d, int k, int j, int q)
{
    return d->of[k] >= 0 && d->of[k] < q + d->cores[j] && q < d->of[k] + d->cores[k];
}

static double end_of(const slow_schedule *d, int k)
{
    return d->start[k] + time_at(d, k, d->of[k]);
}

static bool is_free(const slow_schedule *d, int j, int q, double start, double time)
{
    for (int k = 0; k < d->problem.modules; k++) {
        if (!meets(d, k, j, q)) continue;
        double from = d->start[k], to = end_of(d, k);
        if (start < to && (from < start + time || from <= start)) return false;
        if (start < from && from < start + time) return false;
    }
    return true;
}

/** From `ready` on, in a gap or, without insertion, behind all. */
static double slot(const slow_schedule *d, int j, int q, double ready, bool inserts)
{
    double last = ready, first = INFINITY;
    for (int k = 0; k < d->problem.modules; k++)
        if (meets(d, k, j, q)) last = fmax(last, end_of(d, k));
    for (int k = -1; k < d->problem.modules && inserts; k++) {
        if (k >= 0 && !meets(d, k, j, q)) continue;
        double at = k < 0 ? ready : end_of(d, k);
        if (at >= ready && at < first && is_free(d, j, q, at, time_at(d, j, q))) first = at;
    }
    return fmin(first, last);
}

/* ---- Messages that are booked: all of them anew, whenever somebody asks ---- */

enum { BOOKED = 4000, ROUTE = 8, DATA = 400 };

typedef struct slow_book {
    int count;
    struct {
        int resource, module; /**< a processor as sender, the bus as -1, or a link; for which module */
        double begin, end;
    } booked[BOOKED];
    double copy[DATA][PROCESSORS]; /**< when a datum is at a processor, over links at a host; -1: never */
} slow_book;

static bool book_allows(const slow_book *b, int resource, int module, double begin, double busy)
{
    for (int k = 0; k < b->count; k++) {
        if (b->booked[k].resource != resource) continue;
        if (begin < b->booked[k].end && b->booked[k].begin < begin + busy) return false;
        if (b->booked[k].module == module && begin < b->booked[k].end) return false;
    }
    return true;
}

/** The first time from `due` on that all of the resources allow, which they have from then on. */
static double book_take(slow_book *b, const int *resource, int resources, int module, double due, double busy)
{
    double first = INFINITY;
    for (int k = -1; k < b->count; k++) {
        double at = k < 0 ? due : b->booked[k].end;
        bool allowed = at >= due && at < first;
        for (int r = 0; r < resources; r++)
            allowed = allowed && book_allows(b, resource[r], module, at, busy);
        if (allowed) first = at;
    }
    for (int r = 0; r < resources; r++) {
        ck_assert_int_lt(b->count, BOOKED);
        b->booked[b->count].resource = resource[r];
        b->booked[b->count].module = module;
        b->booked[b->count].begin = first;
        b->booked[b->count++].end = first + busy;
    }
    return first;
}

static double book_send(const slow_schedule *d, slow_book *b, int module, double due, int64_t messages, int from,
                        int to)
{
    double busy = (double)messages * d->idle->tau, late = (double)messages * d->idle->latency;
    inlay_id route[ROUTE], length = inlay_machine_route(d->machine, from, to, route, ROUTE);
    const int sender[] = {from, -1};
    if (!(busy > 0)) return due + late;
    if (!inlay_machine_has_links(d->machine)) return book_take(b, sender, 2, module, due, busy) + busy + late;
    for (inlay_id k = 0; k < length; k++)
        due = book_take(b, &route[k], 1, module, due, busy) + busy;
    return due + late;
}

/** A copy is for all processors of a host where there are links. */
static int copied_to(const slow_schedule *d, int q)
{
    return inlay_machine_has_links(d->machine) ? inlay_machine_host(d->machine, q) : q;
}

static double book_link(const slow_schedule *d, slow_book *b, int i, int j, double due, int q)
{
    inlay_links out = inlay_app_out(d->app, i);
    double last = due;
    for (int64_t l = 0; l < out.count; l++) {
        if (out.module[l] != j || (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY)) continue;
        bool whole = inlay_app_data(d->app) == 0 || copied_to(d, d->of[i]) == copied_to(d, q);
        int64_t own = whole ? out.messages[l] : out.own_messages[l];
        if (own >= 0) last = book_send(d, b, j, due, own, d->of[i], q);
    }
    for (inlay_id n = 0; n < inlay_app_data(d->app); n++) {
        inlay_datum datum = inlay_app_datum(d->app, n);
        for (int64_t k = 0; k < datum.consumers; k++) {
            double *copy = &b->copy[n][copied_to(d, q)];
            if (datum.producer != i || datum.consumer[k] != j || copied_to(d, d->of[i]) == copied_to(d, q)) continue;
            if (*copy <= 0) *copy = book_send(d, b, j, due, datum.messages, d->of[i], q);
            last = fmax(last, *copy);
        }
    }
    return last;
}

/** The data of a module at a processor, its predecessors by when their links are due. */
static double book_module(const slow_schedule *d, slow_book *b, int j, int q)
{
    bool done[SLOW_MODULES] = {false};
    double ready = 0;
    for (;;) {
        int next = -1;
        double due = 0;
        for (int i = 0; i < d->problem.modules; i++) {
            if (!d->problem.link[i][j] || done[i]) continue;
            double one = d->start[i] + lag_at(d, i, j, d->of[i]);
            if (next < 0 || one < due) {
                next = i;
                due = one;
            }
        }
        if (next < 0) return ready;
        done[next] = true;
        ready = fmax(ready, d->of[next] == q ? due : book_link(d, b, next, j, due, q));
    }
}

static double booked_at(const slow_schedule *d, int module, int q)
{
    static slow_book b;
    b.count = 0;
    for (int n = 0; n < DATA; n++)
        for (int p = 0; p < PROCESSORS; p++)
            b.copy[n][p] = -1;
    for (int turn = 0; turn < d->turns; turn++)
        for (int j = 0; j < d->problem.modules; j++)
            if (d->of[j] >= 0 && d->turn[j] == turn) book_module(d, &b, j, d->of[j]);
    return book_module(d, &b, module, q);
}

/** Data of those predecessors that have a processor, followers on trial left out. */
static double ready_at(const slow_schedule *d, int j, int q)
{
    double ready = 0;
    if (d->app != NULL) return booked_at(d, j, q);
    for (int i = 0; i < d->problem.modules; i++)
        if (d->problem.link[i][j] && d->of[i] >= 0 && d->turn[i] > -2)
            ready = fmax(ready, d->start[i] + lag_at(d, i, j, d->of[i]) + message(d, i, j, d->of[i], q));
    return ready;
}

static double start_at(const slow_schedule *d, int j, int q, bool inserts)
{
    return slot(d, j, q, ready_at(d, j, q), inserts);
}

/** All that it holds are processors of one host, and there. */
static bool has_seat(const slow_schedule *d, int module, int q)
{
    bool common = !inlay_machine_has_links(d->machine) && inlay_machine_memory_kind(d->machine) == INLAY_MEMORY_COMMON;
    for (int core = 1; core < d->cores[module]; core++) {
        if (q + core >= d->processors) return false;
        if (!common && inlay_machine_host(d->machine, q + core) != inlay_machine_host(d->machine, q)) return false;
    }
    return true;
}

/** Beside the modules that its host has, those that are on trial left out, and those that are pinned to it. */
static bool may_be_at(const slow_schedule *d, int module, int q)
{
    int64_t used = d->problem.memory[module], room = inlay_machine_processor(d->machine, q).memory;
    inlay_id host = inlay_machine_host(d->machine, q);
    if (!has_seat(d, module, q)) return false;
    if (d->problem.pin[module] >= 0 && d->problem.pin[module] != q) return false;
    for (int i = 0; i < d->problem.modules; i++) {
        int at = d->of[i] >= 0 && d->turn[i] >= 0 ? d->of[i] : d->problem.pin[i];
        if (i != module && at >= 0 && inlay_machine_host(d->machine, at) == host) used += d->problem.memory[i];
    }
    return room < 0 || used <= room;
}

static bool is_ready(const slow_schedule *d, int j)
{
    bool ready = d->of[j] < 0;
    for (int i = 0; i < d->problem.modules; i++)
        ready = ready && (!d->problem.link[i][j] || d->of[i] >= 0);
    return ready;
}

/** The processor of the earliest end, or start; -1 none. */
static int earliest(const slow_schedule *d, int j, bool starts, bool inserts)
{
    int best = -1;
    double least = 0, least_end = 0;
    for (int q = 0; q < d->processors; q++) {
        if (!may_be_at(d, j, q)) continue;
        double start = start_at(d, j, q, inserts), end = start + time_at(d, j, q), key = starts ? start : end;
        if (best < 0 || key < least || (key == least && end < least_end)) {
            best = q;
            least = key;
            least_end = end;
        }
    }
    return best;
}

static void put(slow_schedule *d, int j, int q, bool inserts, int turn)
{
    d->start[j] = start_at(d, j, q, inserts);
    d->of[j] = q;
    d->turn[j] = turn;
}

/* ---- The methods: the processor of a module that comes next ---- */

static int by_finish(slow_schedule *d, int j)
{
    return earliest(d, j, false, true);
}

static int by_start(slow_schedule *d, int j)
{
    return earliest(d, j, true, true);
}

static int by_path(slow_schedule *d, int j)
{
    bool there = d->critical[j] && may_be_at(d, j, d->critical_processor);
    return there ? d->critical_processor : by_finish(d, j);
}

static int by_prediction(slow_schedule *d, int j)
{
    int best = -1;
    double least = 0;
    for (int q = 0; q < d->processors; q++) {
        if (!may_be_at(d, j, q)) continue;
        double sum = (start_at(d, j, q, true) + time_at(d, j, q)) * pairs(d) + d->cost[j][q];
        if (best >= 0 && sum >= least) continue;
        least = sum;
        best = q;
    }
    return best;
}

/** Its followers really get processors for a while, one after the other. */
static double last_follower(slow_schedule *d, int j, int q)
{
    const int n = d->problem.modules;
    bool tried[SLOW_MODULES] = {false};
    double last = -1;
    put(d, j, q, true, -1);
    for (;;) {
        int next = -1;
        for (int k = 0; k < n; k++)
            if (d->problem.link[j][k] && !tried[k] && (next < 0 || d->upward[k] > d->upward[next])) next = k;
        if (next < 0) break;
        int there = earliest(d, next, false, true);
        tried[next] = true;
        last = fmax(last, 0);
        if (there >= 0) {
            put(d, next, there, true, -2);
            last = fmax(last, d->start[next] + time_at(d, next, there));
        }
    }
    last = last < 0 ? d->start[j] + time_at(d, j, q) : last;
    for (int k = 0; k < n; k++)
        d->of[k] = tried[k] || k == j ? -1 : d->of[k];
    return last;
}

static int by_followers(slow_schedule *d, int j)
{
    int best = -1;
    double least = 0, least_end = 0;
    for (int q = 0; q < d->processors; q++) {
        if (!may_be_at(d, j, q)) continue;
        double end = start_at(d, j, q, true) + time_at(d, j, q), last = last_follower(d, j, q);
        if (best < 0 || last < least || (last == least && end < least_end)) {
            best = q;
            least = last;
            least_end = end;
        }
    }
    return best;
}

/** Where it ends first of the processors that no cluster has. */
static int by_empty(slow_schedule *d, int j)
{
    int best = -1;
    double least = 0;
    for (int q = 0; q < d->processors && d->apart; q++) {
        bool empty = may_be_at(d, j, q);
        for (int c = 0; c < d->problem.modules; c++)
            empty = empty && d->home[c] != q;
        double end = empty ? start_at(d, j, q, true) + time_at(d, j, q) : INFINITY;
        if (!empty || (best >= 0 && end >= least)) continue;
        best = q;
        least = end;
    }
    return best;
}

/** Where the first of its cluster went, or its pinned one, if it may. */
static int by_home(slow_schedule *d, int j)
{
    int *home = &d->home[d->cluster[j]];
    if (*home >= 0 && may_be_at(d, j, *home)) return *home;
    int first = *home < 0 ? by_empty(d, j) : -1;
    first = first < 0 ? by_finish(d, j) : first;
    *home = *home < 0 ? first : *home;
    return first;
}

static int plain_start(slow_schedule *d, int j)
{
    return earliest(d, j, true, false);
}

static int plain_finish(slow_schedule *d, int j)
{
    return earliest(d, j, false, false);
}

/* ---- The methods: how good it is to take a module next; of equal firsts the greater second, then the smaller module ---- */

typedef struct merit {
    double first, second;
} merit;

static merit by_upward(const slow_schedule *d, int j, int q)
{
    (void)q;
    return (merit){d->upward[j], 0};
}

static merit by_upward_next(const slow_schedule *d, int j, int q)
{
    merit m = {d->upward[j], 0};
    (void)q;
    for (int k = 0; k < d->problem.modules; k++)
        if (d->problem.link[j][k]) m.second = fmax(m.second, d->upward[k]);
    return m;
}

static merit by_both(const slow_schedule *d, int j, int q)
{
    (void)q;
    return (merit){d->upward[j] + d->downward[j], 0};
}

static merit by_cost(const slow_schedule *d, int j, int q)
{
    double sum = 0;
    (void)q;
    for (int p = 0; p < d->processors; p++)
        sum += d->cost[j][p];
    return (merit){sum, 0};
}

static merit by_early_start(const slow_schedule *d, int j, int q)
{
    return (merit){-start_at(d, j, q, false), d->alone[j]};
}

static merit by_early_end(const slow_schedule *d, int j, int q)
{
    return (merit){-start_at(d, j, q, false) - time_at(d, j, q), 0};
}

static merit by_late_end(const slow_schedule *d, int j, int q)
{
    return (merit){start_at(d, j, q, false) + time_at(d, j, q), 0};
}

typedef struct slow_method {
    const char *name;
    bool inserts;
    int (*processor)(slow_schedule *d, int j);
    merit (*merit)(const slow_schedule *d, int j, int q);
    bool books;
    void (*cluster)(const slow_tasks *t, int *of);
} slow_method;

static const slow_method methods[] = {
    {"heft", true, by_finish, by_upward, false, NULL},
    {"heft-contention", true, by_finish, by_upward, true, NULL},
    {"cpop", true, by_path, by_both, false, NULL},
    {"peft", true, by_prediction, by_cost, false, NULL},
    {"lookahead", true, by_followers, by_upward, false, NULL},
    {"etf", false, plain_start, by_early_start, false, NULL},
    {"mcp", true, by_start, by_upward_next, false, NULL},
    {"min-min", false, plain_finish, by_early_end, false, NULL},
    {"max-min", false, plain_finish, by_late_end, false, NULL},
    {"dsc", true, by_home, by_upward, false, slow_dsc},
    {"dsc-contention", true, by_home, by_upward, true, slow_dsc},
    {"sarkar", true, by_home, by_upward, false, slow_sarkar},
    {"acyclic", true, by_home, by_upward, true, slow_acyclic},
};

enum { METHODS = sizeof methods / sizeof *methods };

/* ---- The whole ---- */

static void find_critical(slow_schedule *d)
{
    int at = -1;
    for (int i = 0; i < d->problem.modules; i++) {
        bool source = true;
        for (int j = 0; j < d->problem.modules; j++)
            source = source && !d->problem.link[j][i];
        if (source && (at < 0 || by_both(d, i, 0).first > by_both(d, at, 0).first)) at = i;
    }
    while (at >= 0) {
        int next = -1;
        d->critical[at] = true;
        for (int j = 0; j < d->problem.modules; j++)
            if (d->problem.link[at][j] && (next < 0 || by_both(d, j, 0).first > by_both(d, next, 0).first)) next = j;
        at = next;
    }
    double least = INFINITY;
    for (int q = 0; q < d->processors; q++) {
        double sum = 0;
        for (int i = 0; i < d->problem.modules; i++)
            sum += !d->critical[i] ? 0 : has_seat(d, i, q) ? time_at(d, i, q) : INFINITY;
        if (sum < least) d->critical_processor = q;
        least = fmin(least, sum);
    }
}

static void find_clusters(slow_schedule *d, const slow_method *method, const inlay_app *app)
{
    static slow_tasks t;
    const int n = d->problem.modules;
    t = (slow_tasks){.problem = &d->problem, .processors = d->processors};
    for (int i = 0; i < n; i++) {
        t.topological[app->topological[i]] = i;
        t.time[i] = sum_over(d, i, -1);
        t.rank[i] = d->upward[i];
        for (int j = 0; j < n; j++) {
            t.lag[i][j] = sum_over(d, i, j);
            t.message[i][j] = sum_message(d, i, j);
        }
        d->home[i] = -1;
    }
    method->cluster(&t, d->cluster);
    int clusters = 0;
    for (int i = 0; i < n; i++) {
        int first = 0;
        while (d->cluster[first] != d->cluster[i])
            first++;
        clusters += first == i;
        if (d->problem.pin[i] >= 0) d->home[d->cluster[i]] = d->problem.pin[i];
    }
    d->apart = clusters <= d->processors;
}

/** False where pins or memory leave no answer. */
static bool slow_run(slow_schedule *d, const slow_method *method, const inlay_app *app)
{
    const int n = d->problem.modules;
    for (int i = 0; i < n; i++) {
        d->of[i] = -1;
        if (d->problem.pin[i] >= d->processors) return false;
    }
    find_ranks(d, method->merit == by_cost);
    find_critical(d);
    if (method->cluster) find_clusters(d, method, app);
    for (d->turns = 0; d->turns < n; d->turns++) {
        int module = -1, processor = -1;
        merit best = {0, 0};
        for (int j = 0; j < n; j++) {
            if (!is_ready(d, j)) continue;
            int q = method->inserts ? 0 : method->processor(d, j);
            if (q < 0) return false;
            merit m = method->merit(d, j, q);
            if (module >= 0 && (m.first < best.first || (m.first == best.first && m.second <= best.second))) continue;
            module = j;
            processor = q;
            best = m;
        }
        processor = method->inserts ? method->processor(d, module) : processor;
        if (processor < 0) return false;
        put(d, module, processor, method->inserts, d->turns);
    }
    return true;
}

/** Whether module i stands before j where both are on one processor. */
static bool stands_before(const slow_schedule *d, int i, int j)
{
    return d->start[i] < d->start[j] || (d->start[i] == d->start[j] && d->turn[i] < d->turn[j]);
}

static void expect_placed(const slow_schedule *d, const inlay_mapping *mapping, const char *what)
{
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        for (inlay_id k = 0; k < info.modules; k++) {
            int i = info.module[k];
            bool own = inlay_mapping_cluster_of(mapping, i) == c;
            int core = info.processor - d->of[i];
            ck_assert_msg(own ? core == 0 : core > 0 && core < d->cores[i], "%s: module %d is on %d, expected %d", what,
                          i, info.processor, d->of[i]);
            ck_assert_msg(k == 0 || stands_before(d, info.module[k - 1], i), "%s: module %d comes before %d", what,
                          info.module[k - 1], i);
        }
    }
}

/** Cores for some modules. Returns whether any has several. */
static bool draw_cores(uint64_t *state, inlay_app *app, slow_schedule *d)
{
    bool wide = !random_once_in(state, 4), several = false;
    app->cores = wide ? calloc((size_t)app->modules, sizeof *app->cores) : NULL;
    for (inlay_id i = 0; i < app->modules; i++) {
        d->cores[i] = wide && random_once_in(state, 3) ? 1 + (int)random_below(state, d->idle->cores) : 1;
        if (wide) app->cores[i] = d->cores[i];
        several |= d->cores[i] > 1;
    }
    return several;
}

static void machine_text(const inlay_app *app, const char *form, char text[TEXT])
{
    size_t taken = 0;
    for (const char *c = form; *c != '\0'; c++)
        taken += (size_t)snprintf(text + taken, TEXT - taken, "%.*s", *c == '@' ? 4 : 1,
                                  *c == '@' ? inlay_unit_name(inlay_app_unit(app)) : c);
}

static inlay_machine *machine_make(const char *text)
{
    inlay_machine *machine = NULL;
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

START_TEST(schedules_are_the_slow_ones)
{
    const slow_method *method = &methods[_i];
    int answers = 0, wide = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        char text[TEXT], what[2 * TEXT];
        inlay_mapping *mapping = NULL;
        unsigned features = (unsigned)random_next(&state) & RANDOM_EVERYTHING & ~(unsigned)RANDOM_DECIMALS;
        if (method->books && seed % 2) features |= RANDOM_DATA;
        inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, MOST_MODULES), features, &times);
        slow_schedule d = {.idle = &machines[seed % MACHINES]};
        machine_text(app, d.idle->form, text);
        inlay_machine *machine = machine_make(text);
        inlay_id all = inlay_machine_processors(machine);
        bool several = draw_cores(&state, app, &d);
        d.machine = machine;
        d.app = method->books ? app : NULL;
        ck_assert_int_le(inlay_app_data(app), DATA);
        d.processors = random_once_in(&state, 3) ? 1 + (int)random_below(&state, all) : all;
        const inlay_options options = {.method = inlay_method_named(method->name), .processors = d.processors};
        snprintf(what, sizeof what, "%s, seed %d on %d of %s", method->name, seed, d.processors, text);
        slow_read(app, machine, &options, &d.problem);
        bool answer = slow_run(&d, method, app);
        int status = inlay_map(app, machine, &options, &mapping, NULL);
        ck_assert_msg(status == (answer ? INLAY_OK : INLAY_NO_ANSWER), "%s: %s", what, inlay_status_text(status));
        if (answer) expect_placed(&d, mapping, what);
        answers += answer;
        wide += answer && several;
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(answers, SEEDS / 2);
    ck_assert_int_gt(wide, SEEDS / 10);
}
END_TEST

/* ---- Ten tasks ---- */

static inlay_app *read_ten(const json_t *golden)
{
    char text[4000];
    size_t used = (size_t)snprintf(text, sizeof text, "digraph ten { graph [time_unit=tick];\n"), i, e;
    const json_t *row, *edge;
    json_array_foreach(json_object_get(golden, "time"), i, row)
    {
        used += (size_t)snprintf(text + used, sizeof text - used, "t%zu [time=1", i + 1);
        for (size_t q = 0; q < 3; q++)
            used += (size_t)snprintf(text + used, sizeof text - used, ", \"time.p%zu\"=%d", q + 1,
                                     (int)json_integer_value(json_array_get(row, q)));
        used += (size_t)snprintf(text + used, sizeof text - used, "];\n");
    }
    json_array_foreach(json_object_get(golden, "edges"), e, edge) used += (size_t)snprintf(
        text + used, sizeof text - used, "t%d -> t%d [messages=%d];\n",
        (int)json_integer_value(json_array_get(edge, 0)), (int)json_integer_value(json_array_get(edge, 1)),
        (int)json_integer_value(json_array_get(edge, 2)));
    snprintf(text + used, sizeof text - used, "}\n");
    return subject_read(text);
}

START_TEST(ten_tasks_are_placed_as_printed)
{
    static const char *const names[] = {"heft", "cpop"};
    static const char three[] =
        "graph m { graph [network=links]; edge [capacity=\"1msg/tick\"]; a [type=p1]; b [type=p2];"
        " c [type=p3]; a -- b -- c -- a; }";
    const inlay_options options = {.method = inlay_method_named(names[_i])};
    const inlay_simulation_options alone = {.contention = INLAY_CONTENTION_NONE, .record = true};
    json_t *golden = json_load_file("tests/golden/methods.json", 0, NULL);
    const json_t *expected = json_object_get(golden, names[_i]);
    inlay_app *app = read_ten(golden);
    inlay_machine *machine = machine_make(three);
    inlay_mapping *mapping = NULL;
    inlay_simulation *run = NULL;
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(mapping, &alone, &run, NULL), INLAY_OK);
    for (inlay_id i = 0; i < 10; i++) {
        inlay_id at = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
        double start = json_number_value(json_array_get(json_object_get(expected, "start"), (size_t)i));
        ck_assert_int_eq(at + 1, json_integer_value(json_array_get(json_object_get(expected, "processor"), (size_t)i)));
        ck_assert_double_eq(inlay_simulation_start(run, i), start);
    }
    ck_assert_double_eq(inlay_simulation_result(run)->makespan,
                        json_number_value(json_object_get(expected, "makespan")));
    inlay_simulation_free(run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    json_decref(golden);
}
END_TEST

Suite *suite_schedulers(void)
{
    Suite *suite = suite_create("schedulers");
    TCase *slow = tcase_create("slow"), *ten = tcase_create("ten");
    tcase_add_loop_test(slow, schedules_are_the_slow_ones, 0, METHODS);
    tcase_add_checked_fixture(ten, subject_set_up, subject_tear_down);
    tcase_add_loop_test(ten, ten_tasks_are_placed_as_printed, 0, 2);
    suite_add_tcase(suite, slow);
    suite_add_tcase(suite, ten);
    return suite;
}
