/*
 * Figures of mappings on families with links against the formulas of docs/links.md, by long sums over routes that are
 * found anew: utilisation, delay, the mean time of a unit of traffic, every start, the estimate, the time frame that
 * equals its own estimate, what keeps processors at work. On random applications and placements; a failing seed is named.
 */
#include "drawn.h"
#include "map_by_houstis.h"
#include "base/plain.h"
#include "random_app.h"
#include "slow.h"
#include "slow_layout.h"
#include "slow_routes.h"
#include "unit.h"

#include <inlay/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_LINKS_ESTIMATE, MOST_MODULES = 14, MOST_NODES = 64, MOST_PROCESSORS = 96, MOST_CABLES = 4 };

/* ---- What is asked ---- */

static const slow_shape shapes[] = {
    {INLAY_CROSSBAR, 1, {9}, {1}, {1}},
    {INLAY_STAR, 1, {10}, {1}, {1}},
    {INLAY_RING, 1, {9}, {1}, {1}},
    {INLAY_MESH, 2, {4, 3}, {1, 1}, {1, 1}},
    {INLAY_MESH, 3, {2, 3, 4}, {1, 1, 1}, {1, 1, 1}},
    {INLAY_TORUS, 2, {5, 4}, {1, 1}, {1, 1}},
    {INLAY_HYPERCUBE, 1, {16}, {1}, {1}},
    {INLAY_TREE, 2, {4, 4}, {1, 1}, {1, 1}},
    {INLAY_FAT_TREE, 2, {4, 4}, {1, 2}, {1, 2}},
    {INLAY_FAT_TREE, 3, {3, 2, 2}, {1, 2, 3}, {1, 1, 2}},
    {INLAY_DRAGONFLY, 4, {3, 2, 2, 2}, {1, 1, 1, 1}, {3, 2, 4, 1}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct question {
    int seed;
    uint64_t state;
    slow_shape shape;
    int cores;
    bool half, cut_through, exponential, free;
    long double capacity; /* traffic that one cable carries in a unit of time */
    long double latency, link_latency, transfers, speed;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    slow_problem problem;

    /* With the modules on processors. */
    const inlay_mapping *mapping;
    int of[SLOW_MODULES];                                   /* processor of every module */
    int64_t traffic[MOST_PROCESSORS][MOST_PROCESSORS];      /* [from][to] */
    long double works[MOST_NODES][MOST_NODES][MOST_CABLES]; /* for how long a link does */
    long double busiest;
} question;

static const char *unit_of(const question *ask)
{
    static const char *const units[] = {"", "s", "ms", "us", "ns", "tick"};
    return units[inlay_app_unit(ask->app)];
}

/** The machine's string, and what it says as numbers in the application's unit. */
static void choose_machine(question *ask)
{
    static const double capacities[] = {0.02, 0.5, 3, 40};
    char text[600], given[64] = "";
    double capacity = capacities[random_below(&ask->state, 4)];
    bool bytes = random_once_in(&ask->state, 3), known = !random_once_in(&ask->state, 6);
    bool ticks = inlay_app_unit(ask->app) == INLAY_UNIT_TICK;
    ask->shape = shapes[random_below(&ask->state, SHAPES)];
    ask->cores = 1 + (int)random_below(&ask->state, 3);
    ask->half = ask->shape.family != INLAY_CROSSBAR && random_once_in(&ask->state, 3);
    ask->cut_through = random_once_in(&ask->state, 2);
    ask->exponential = random_once_in(&ask->state, 2);
    ask->transfers = random_once_in(&ask->state, 3) ? 1.5L : 1;
    ask->speed = random_once_in(&ask->state, 3) ? 2.5L : 1;
    ask->latency = random_once_in(&ask->state, 3) ? 2 : 0;
    ask->link_latency = random_once_in(&ask->state, 2) ? 0.75L : 0;
    if (bytes) capacity *= 700;
    if (known) plain_print(given, sizeof given, ",capacity=%g%s/%s", capacity, bytes ? "B" : "msg", unit_of(ask));
    ask->free = !known && !ticks;
    ask->capacity = known ? (long double)capacity : 1;

    slow_shape_text(&ask->shape, text, sizeof text);
    size_t length = strlen(text);
    plain_print(text + length, sizeof text - length,
                ",cores=%d%s,switching=%s,model=%s,transfers=%Lg,speed=%Lg,latency=%Lg%s,link_latency=%Lg%s%s%s",
                ask->cores, given, ask->cut_through ? "cut-through" : "store-and-forward",
                ask->exponential ? "mm1" : "md1", ask->transfers, ask->speed, ask->latency, unit_of(ask),
                ask->link_latency, unit_of(ask), ask->half ? ",duplex=half" : "",
                random_once_in(&ask->state, 3) ? ",message_size=1500B" : "");
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_parse(text, &ask->machine, diag);
    ck_assert_msg(status == INLAY_OK, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    inlay_diag_free(diag);
}

static void open_question(question *ask, int seed)
{
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    random_times times;
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    ask->state = (uint64_t)seed;
    inlay_id modules = 1 + (inlay_id)random_below(&ask->state, MOST_MODULES);
    unsigned features = (unsigned)random_next(&ask->state) & RANDOM_EVERYTHING & ~(unsigned)RANDOM_MEMORY;
    ask->app = random_app(&ask->state, modules, features, &times);
    ask->options.blocking = blocking[random_below(&ask->state, 3)];
    choose_machine(ask);
    slow_read(ask->app, ask->machine, &ask->options, &ask->problem);
}

static void close_question(question *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

/* ---- Over the links ---- */

/** The route between two processors, of which each step begins where the one before ended; none within a host. */
static int route_of(const question *ask, int from, int to, slow_step *route)
{
    int a = from / ask->cores, b = to / ask->cores;
    if (a == b) return 0;
    if (ask->shape.family != INLAY_CROSSBAR) return slow_route(&ask->shape, a, b, route);
    route[0] = (slow_step){b, 0};
    return 1;
}

/** For how long the link works that a step takes; a crossbar's is the input of the host, a shared one has one way. */
static long double *works(question *ask, int at, slow_step step)
{
    bool input = ask->shape.family == INLAY_CROSSBAR, turned = ask->half && at > step.node;
    int a = input || turned ? step.node : at, b = turned ? at : step.node;
    return &ask->works[a][b][step.cable];
}

/** Time of one unit of traffic where nobody else is. */
static long double alone(const question *ask, int at, slow_step step)
{
    int width = ask->shape.family == INLAY_CROSSBAR ? 1 : slow_between(&ask->shape, at, step.node).width;
    return ask->free ? 0 : ask->transfers / (ask->capacity * width);
}

static long double delay(const question *ask, long double u)
{
    return ask->exponential ? 1 / (1 - u) : 1 + u / (2 * (1 - u));
}

/** Time of one unit of traffic from a processor to another, within T. */
static long double tau(question *ask, int from, int to, long double frame)
{
    slow_step route[SLOW_ROUTE];
    int length = route_of(ask, from, to, route), at = from / ask->cores;
    long double all = 0, slowest = 0, waiting = 0;
    for (int i = 0; i < length; at = route[i++].node) {
        long double one = alone(ask, at, route[i]), slower = delay(ask, *works(ask, at, route[i]) / frame);
        all += slower * one;
        waiting += (slower - 1) * one;
        slowest = fmaxl(slowest, one);
    }
    return ask->cut_through ? slowest + waiting : all;
}

static int distance(const question *ask, int from, int to)
{
    slow_step route[SLOW_ROUTE];
    return route_of(ask, from, to, route);
}

static void send(question *ask, int from, inlay_links links)
{
    for (int64_t l = 0; l < links.count; l++) {
        int to = ask->of[links.module[l]];
        if (to != from) ask->traffic[from][to] += slow_link_traffic(ask->machine, links.messages[l], links.bytes[l]);
    }
}

/** Puts the mapping's modules and blocks where it has them, and their traffic on the links. */
static void lay(question *ask, const inlay_mapping *mapping)
{
    slow_step route[SLOW_ROUTE];
    memset(ask->traffic, 0, sizeof ask->traffic);
    memset(ask->works, 0, sizeof ask->works);
    ask->busiest = 0;
    ask->mapping = mapping;
    for (inlay_id i = 0; i < ask->problem.modules; i++)
        ask->of[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
    for (inlay_id i = 0; i < ask->problem.modules; i++)
        send(ask, ask->of[i], inlay_app_out(ask->app, i));
    for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
        send(ask, inlay_mapping_cluster(mapping, inlay_mapping_home(mapping, d)).processor,
             inlay_app_uses(ask->app, d));
    for (int from = 0; from < MOST_PROCESSORS; from++)
        for (int to = 0; to < MOST_PROCESSORS; to++) {
            int length = ask->traffic[from][to] > 0 ? route_of(ask, from, to, route) : 0;
            for (int i = 0, at = from / ask->cores; i < length; at = route[i++].node) {
                long double *link = works(ask, at, route[i]);
                *link += (long double)ask->traffic[from][to] * alone(ask, at, route[i]);
                ask->busiest = fmaxl(ask->busiest, *link);
            }
        }
}

/* ---- The estimate ---- */

/** The lag of a link in units of time. */
static long double lag(const question *ask, int i, int j)
{
    const slow_problem *p = &ask->problem;
    inlay_time wait = p->earliest[j] > p->earliest[i] ? p->earliest[j] - p->earliest[i] : 0;
    inlay_time grains = p->streamed && wait < p->time[i] ? wait : p->time[i];
    return (long double)grains * p->grain / ask->speed;
}

static long double bottom_level(const question *ask, int module) /* NOLINT(misc-no-recursion): few modules */
{
    long double longest = -1;
    for (int j = 0; j < ask->problem.modules; j++)
        if (ask->problem.link[module][j]) longest = fmaxl(longest, lag(ask, module, j) + bottom_level(ask, j));
    return longest < 0 ? (long double)ask->problem.time[module] * ask->problem.grain / ask->speed : longest;
}

/** Of the modules whose predecessors are all taken, the one with the least (b, -bottom level, number). */
static int next_module(const question *ask, const bool *taken, const long double *bottom)
{
    const slow_problem *p = &ask->problem;
    int next = -1;
    for (int i = 0; i < p->modules; i++) {
        bool ready = !taken[i];
        for (int j = 0; j < p->modules; j++)
            ready = ready && (taken[j] || !p->link[j][i]);
        bool before = next < 0 || p->earliest[i] < p->earliest[next] ||
                      (p->earliest[i] == p->earliest[next] && bottom[i] > bottom[next] * (1 + 1e-15L));
        if (ready && before) next = i;
    }
    return next;
}

/** When link i -> j is satisfied, after i started. */
static long double satisfied(question *ask, int i, int j, long double frame)
{
    int from = ask->of[i], to = ask->of[j];
    if (from == to) return lag(ask, i, j);
    long double one = ask->latency + (long double)distance(ask, from, to) * ask->link_latency;
    return lag(ask, i, j) + (long double)ask->problem.link_traffic[i][j] * tau(ask, from, to, frame) +
           (long double)ask->problem.link_messages[i][j] * one;
}

static long double elapsed(question *ask, long double frame, long double *start)
{
    const slow_problem *p = &ask->problem;
    long double bottom[SLOW_MODULES], free_at[MOST_PROCESSORS] = {0}, end = 0;
    bool taken[SLOW_MODULES] = {false};
    for (int i = 0; i < p->modules; i++) {
        start[i] = 0;
        bottom[i] = bottom_level(ask, i);
    }
    for (int at = 0; at < p->modules; at++) {
        int i = next_module(ask, taken, bottom);
        taken[i] = true;
        start[i] = fmaxl(start[i], free_at[ask->of[i]]);
        free_at[ask->of[i]] = start[i] + (long double)p->time[i] * p->grain / ask->speed;
        end = fmaxl(end, free_at[ask->of[i]]);
        for (int j = 0; j < p->modules; j++)
            if (p->link[i][j]) start[j] = fmaxl(start[j], start[i] + satisfied(ask, i, j, frame));
    }
    return end;
}

/** The T with E(T) = T, by halving; NaN where E is below T at every T above saturation. */
static long double fixed_point(question *ask)
{
    long double start[SLOW_MODULES], low = ask->busiest, high = fmaxl(2 * low, 1e-9L);
    if (low <= 0) return elapsed(ask, 1, start);
    if (elapsed(ask, low * (1 + 1e-12L), start) <= low * (1 + 1e-12L)) return (long double)NAN;
    while (elapsed(ask, high, start) > high)
        high *= 2;
    for (int step = 0; step < 100; step++) {
        long double middle = (low + high) / 2;
        if (middle <= ask->busiest || elapsed(ask, middle, start) > middle)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- Comparing ---- */

static void near(const question *ask, const char *what, double found, long double expected)
{
    double reference = (double)expected;
    ck_assert_msg(fabs(found - reference) <= 1e-9 * fabs(reference) + 1e-15, "seed %d: %s: %s is %.15g, not %.15g",
                  ask->seed, inlay_machine_text(ask->machine), what, found, reference);
}

static void compare_network(question *ask, const inlay_summary *s)
{
    long double time = 0, u = ask->busiest / (long double)s->time_frame;
    int64_t carried = 0;
    for (int from = 0; from < MOST_PROCESSORS; from++)
        for (int to = 0; to < MOST_PROCESSORS; to++) {
            if (ask->traffic[from][to] == 0) continue;
            time += (long double)ask->traffic[from][to] * tau(ask, from, to, s->time_frame);
            carried += ask->traffic[from][to] * distance(ask, from, to);
        }
    ck_assert_int_eq(s->free_network, ask->free);
    ck_assert_msg(s->weighted_traffic == carried, "seed %d: sum of c d is %lld, not %lld", ask->seed,
                  (long long)s->weighted_traffic, (long long)carried);
    near(ask, "u", s->u, u);
    near(ask, "rho", s->rho, u);
    near(ask, "the load", s->load, u);
    near(ask, "u_limit", s->u_limit, 1);
    near(ask, "D", s->delay, delay(ask, u));
    if (carried > 0) near(ask, "tau", s->tau, time / (long double)carried);
}

/** Work, busy time and utilisation of every processor that is used. */
static void compare_clusters(question *ask, const inlay_summary *s)
{
    const slow_problem *p = &ask->problem;
    bool fits = true;
    for (inlay_id c = 0; c < s->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(ask->mapping, c);
        long double work = 0, busy = 0, sent = 0;
        for (int i = 0; i < p->modules; i++) {
            if (ask->of[i] != info.processor) continue;
            busy += (long double)p->time[i];
            work += (long double)p->work[i];
        }
        for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++) { /* its time lives where it does now */
            int before = ask->of[slow_home(ask->app, d)];
            work -= before == info.processor ? (long double)inlay_app_block_time(ask->app, d) : 0;
            work += inlay_mapping_home(ask->mapping, d) == c ? (long double)inlay_app_block_time(ask->app, d) : 0;
        }
        for (int to = 0; to < MOST_PROCESSORS; to++)
            if (ask->traffic[info.processor][to] > 0)
                sent += (long double)ask->traffic[info.processor][to] * tau(ask, info.processor, to, s->time_frame);
        near(ask, "busy", info.busy, busy / ask->speed * p->grain);
        near(ask, "work", info.work, work / ask->speed * p->grain);
        near(ask, "a utilisation", info.utilisation,
             (work / ask->speed * p->grain + sent) / (long double)s->time_frame);
        fits &= info.utilisation <= 1;
    }
    ck_assert_int_eq(s->fits_with_delay, fits);
}

static void compare_makespan(question *ask, const inlay_summary *s)
{
    const slow_problem *p = &ask->problem;
    long double start[SLOW_MODULES], total = 0, end = elapsed(ask, s->time_frame, start);
    for (int i = 0; i < p->modules; i++) {
        near(ask, "a start", inlay_mapping_start(ask->mapping, i), start[i]);
        total += (long double)p->time[i] * p->grain / ask->speed;
    }
    near(ask, "the estimate", s->estimate, end);
    if (s->elapsed > 0) near(ask, "the speedup", s->speedup, total / s->elapsed);
    near(ask, "the bound of work", s->bound_work, total / s->processors);
    ck_assert_msg(s->lower_bound <= s->estimate * (1 + 1e-12), "seed %d: lower bound", ask->seed);

    long double root = fixed_point(ask);
    if (isnan(root))
        ck_assert_msg(isnan(s->estimate_fixed_point), "seed %d: a fixed point where none is", ask->seed);
    else if (root > ask->busiest * (1 + 1e-9L))
        near(ask, "the fixed point", s->estimate_fixed_point, root);
}

static void compare(question *ask, const inlay_mapping *mapping)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    lay(ask, mapping);
    compare_network(ask, s);
    compare_clusters(ask, s);
    compare_makespan(ask, s);
}

/* ---- Placements ---- */

static inlay_mapping *evaluate(question *ask, const inlay_id *of)
{
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_evaluate(ask->app, ask->machine, of, &ask->options, &mapping, diag);
    ck_assert_msg(status == INLAY_OK, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    inlay_diag_free(diag);
    return mapping;
}

/** T by default: twice what the busiest link needs where that is more than the modules do. */
static void right_frame(const question *ask, const inlay_summary *s)
{
    long double largest = 0, all = 0, pinned[MOST_PROCESSORS] = {0};
    const slow_problem *p = &ask->problem;
    for (int i = 0; i < p->modules; i++) {
        long double work = (long double)p->work[i] * p->grain / ask->speed;
        if (p->pin[i] >= 0) work = pinned[p->pin[i]] += work;
        largest = fmaxl(largest, work);
        all += (long double)p->work[i] * p->grain / ask->speed;
    }
    long double least = fmaxl(largest, all / s->processors);
    if (least <= 0) return; /* any T will do */
    double expected = (double)(ask->busiest >= least ? 2 * ask->busiest : least);
    ck_assert_msg(fabs(s->time_frame - expected) <= 1e-10 * expected, "seed %d: T is %.15g, not %.15g", ask->seed,
                  s->time_frame, expected);
}

/** One placement: T by default, and several T from close to saturation to far from it. */
static void compare_placement(question *ask, const inlay_id *of)
{
    static const double above[] = {1.01, 1.2, 2.5, 40};
    inlay_mapping *mapping = evaluate(ask, of);
    compare(ask, mapping);
    right_frame(ask, inlay_mapping_summary(mapping));
    double least = ask->busiest > 0 ? (double)ask->busiest : inlay_mapping_summary(mapping)->time_frame;
    inlay_mapping_free(mapping);
    for (int i = 0; i < 4; i++) {
        char digits[40];
        plain_print(digits, sizeof digits, "%.9g", above[i] * least);
        ask->options.has_time_frame = true;
        if (inlay_decimal_parse(digits, &ask->options.time_frame.value) != INLAY_OK) continue;
        mapping = evaluate(ask, of);
        compare(ask, mapping);
        inlay_mapping_free(mapping);
    }
    ask->options.has_time_frame = false;
}

START_TEST(placements)
{
    question *ask = malloc(sizeof *ask);
    ck_assert_ptr_nonnull(ask);
    for (int seed = 1; seed <= SEEDS; seed++) {
        inlay_id of[SLOW_MODULES];
        open_question(ask, seed);
        bool few = random_once_in(&ask->state, 3);
        inlay_id processors = inlay_machine_processors(ask->machine);
        for (int i = 0; i < ask->problem.modules; i++)
            of[i] = (inlay_id)random_below(&ask->state, few ? 4 : processors);
        compare_placement(ask, of);
        close_question(ask);
    }
    free(ask);
}
END_TEST

/** The whole way, with clusters, reduction and layout of Inlay's own. */
START_TEST(maps)
{
    int compared = 0;
    question *ask = malloc(sizeof *ask);
    ck_assert_ptr_nonnull(ask);
    for (int seed = 1; seed <= SEEDS; seed++) {
        inlay_mapping *mapping = NULL;
        open_question(ask, seed);
        if (random_once_in(&ask->state, 2)) ask->options.processors = 3 + (inlay_id)random_below(&ask->state, 4);
        if (map_by_houstis(ask->app, ask->machine, &ask->options, &mapping, NULL) == INLAY_OK) {
            compare(ask, mapping);
            compared++;
        }
        inlay_mapping_free(mapping);
        close_question(ask);
    }
    free(ask);
    ck_assert_int_gt(compared, SEEDS * 9 / 10);
}
END_TEST

/* ---- By hand ---- */

static inlay_mapping *two_on(const char *machine_text, const inlay_id *of, inlay_app **app, inlay_machine **machine)
{
    static const char text[] = "digraph g { graph [time_unit=tick]; a [time=10]; b [time=20]; c [time=5];\n"
                               "a -> b [messages=4]; b -> c [messages=2]; a -> c [messages=3, kind=traffic]; }";
    inlay_mapping *mapping = NULL;
    inlay_options options = {.has_time_frame = true, .time_frame = {{40, 0}, INLAY_UNIT_NONE}};
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "g.dot", "dot", app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse(machine_text, machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(*app, *machine, of, &options, &mapping, NULL), INLAY_OK);
    return mapping;
}

/**
 * On mesh:3x1 a stands on 0, b on 2, c on 1, half a message a tick. Link 0-1 carries 4 + 3, link 1-2 carries 4, and 2-1
 * carries 2, two ticks each: u = 14/40, 8/40 and 4/40, D = 1 + u/(2 - 2u).
 */
START_TEST(three_on_a_mesh)
{
    static const inlay_id of[] = {0, 2, 1};
    static const char *const texts[] = {"mesh:3x1,capacity=0.5msg/tick,latency=1tick,link_latency=0.5tick",
                                        "mesh:3x1,capacity=0.5msg/tick,switching=cut-through,link_latency=0.5tick"};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = two_on(texts[_i], of, &app, &machine);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    double d01 = 1 + 0.35 / 1.3, d12 = 1 + 0.2 / 1.6, d21 = 1 + 0.1 / 1.8;
    double ab = _i == 0 ? 2 * (d01 + d12) : 2 + 2 * (d01 - 1 + d12 - 1);
    double latency = _i == 0 ? 1 : 0, estimate = 10 + 4 * (ab + latency + 1) + 20 + 2 * (2 * d21 + latency + 0.5) + 5;
    ck_assert_double_eq_tol(s->u, 0.35, 1e-12);
    ck_assert_double_eq_tol(s->delay, d01, 1e-12);
    ck_assert_int_eq(s->weighted_traffic, 4 * 2 + 2 + 3);
    ck_assert_double_eq_tol(s->tau, (4 * ab + 2 * 2 * d21 + 3 * 2 * d01) / 13, 1e-12);
    ck_assert_double_eq_tol(s->estimate, estimate, 1e-12);
    ck_assert_double_eq_tol(inlay_mapping_cluster(mapping, 0).utilisation, (10 + 4 * ab + 3 * 2 * d01) / 40, 1e-12);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_links_estimate(void)
{
    Suite *suite = suite_create("estimates over links");
    TCase *tests = tcase_create("estimates over links");
    tcase_add_test(tests, placements);
    tcase_add_test(tests, maps);
    tcase_add_loop_test(tests, three_on_a_mesh, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
