/*
 * Lower bounds against exhaustive optima: every placement and every order of small random applications, judged by the event
 * engine. No bound for any mapping is above the best of them, none of a placement above its own simulated time.
 */
#include "drawn.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 5, PROCESSORS = 5, SEATS = 32, BOUNDS = 16 };

/* ---- What is asked ---- */

typedef struct ask {
    int seed;
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    inlay_id modules, processors;
    bool before[MOST][MOST];
    unsigned seat[MOST][SEATS]; /* sets of processors, of one host, that a module may hold */
    int seats[MOST];

    inlay_id order[MOST]; /* the schedule that is being made */
    unsigned held[MOST];
    int64_t judged;
    double best, largest[BOUNDS];
} ask;

static const char unlike[] = "graph m { graph [network=links, latency=1tick];\n"
                             "a [speed=2, cores=2, memory=3KiB]; b [speed=1, type=gpu]; c [speed=0.5];\n"
                             "s [kind=switch];\n"
                             "a -- s [capacity=\"2msg/tick\"]; b -- s [capacity=\"1msg/tick\", latency=1tick];\n"
                             "c -- s [capacity=\"1msg/tick\", duplex=half]; }\n";
static const char two_types[] = "graph m { graph [network=links];\n"
                                "a [type=gpu, cores=2]; b [type=cpu, cores=2];\n"
                                "a -- b [capacity=\"1msg/tick\"]; }\n";

static const char *const machines[] = {
    "bus:3,memory=distributed",
    "bus:3,memory=common,latency=1tick",
    "bus:4,memory=common,transfers=2,capacity=2msg/tick",
    "bus:3,memory=distributed,processor_memory=3KiB",
    "multibus:3,memories=2,buses=2",
    "multibus:4,memories=3,buses=2,transfers=2.5,latency=1tick",
    "omega:4,switch=2,packets=2,transfers=2",
    "omega-pe:4,switch=2,packets=3,latency=1tick",
    "mesh:2x2,link_latency=1tick",
    "mesh:2x2,switching=cut-through,capacity=0.5msg/tick",
    "star:3,processor_memory=4KiB",
    "star:2,cores=2,latency=1tick",
    "crossbar:3,capacity=2msg/tick",
    "ring:4,duplex=half",
    "mesh:2x2,broadcast=tree",
    "bus:4,memory=distributed,broadcast=tree",
    "bus:3,contention=none,latency=1tick,processor_memory=3KiB",
    "mesh:2x2,contention=none",
    "bus:3,contention=free,latency=1tick,processor_memory=3KiB",
    unlike,
    two_types,
};
enum { MACHINES = sizeof machines / sizeof *machines };

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine = NULL;
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

static void add_modules(ask *a, inlay_app_builder *builder, bool streams)
{
    bool pins = random_once_in(&a->state, 3), memory = random_once_in(&a->state, 2),
         cores = random_once_in(&a->state, 3);
    bool typed = random_once_in(&a->state, 2);
    for (inlay_id i = 0; i < a->modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name, .time = {{random_below(&a->state, 9), 0}, INLAY_UNIT_NONE}};
        module.has_blocking = streams;
        module.blocking = (inlay_duration){{random_below(&a->state, 3 + 3 * i), 0}, INLAY_UNIT_NONE};
        module.cores = cores && random_once_in(&a->state, 4) ? 2 : 1;
        module.memory = memory ? random_below(&a->state, 4) * 1024 : 0;
        module.pinned = pins && module.cores == 1 && random_once_in(&a->state, 2);
        module.pin = (inlay_id)random_below(&a->state, a->processors);
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        inlay_duration own = {{random_below(&a->state, 9), 0}, INLAY_UNIT_NONE};
        if (typed && random_once_in(&a->state, 2))
            ck_assert_int_eq(inlay_app_add_type_time(builder, i, "gpu", own, NULL), INLAY_OK);
    }
}

static void add_links(ask *a, inlay_app_builder *builder)
{
    bool data = random_once_in(&a->state, 2), star = random_once_in(&a->state, 3);
    for (inlay_id i = 0; i < a->modules; i++)
        for (inlay_id j = i + 1; j < a->modules; j++) {
            static const char *const names[] = {"x", "y"};
            int64_t messages = random_below(&a->state, 5), bytes = messages * 1000;
            if (star ? i > 0 && j < a->modules - 1 : !random_once_in(&a->state, 2)) continue;
            for (int parts = data && random_once_in(&a->state, 3) ? 2 : 1; parts > 0; parts--) {
                const char *name = names[random_below(&a->state, 2)];
                unsigned flags = random_once_in(&a->state, 9) ? INLAY_LINK_TRAFFIC_ONLY : 0;
                int status = data && random_once_in(&a->state, 2)
                                 ? inlay_app_add_data_link(builder, i, j, name, messages, bytes, NULL)
                                 : inlay_app_add_link(builder, i, j, messages, bytes, flags, NULL);
                ck_assert_int_eq(status, INLAY_OK);
            }
        }
}

static void add_block(ask *a, inlay_app_builder *builder)
{
    const inlay_duration time = {{0, 0}, INLAY_UNIT_NONE};
    ck_assert_int_eq(inlay_app_add_block(builder, "d", 100, time, NULL), INLAY_OK);
    for (inlay_id i = 0; i < a->modules; i++)
        if (i == 0 || random_once_in(&a->state, 2))
            ck_assert_int_eq(inlay_app_add_use(builder, 0, i, 1 + random_below(&a->state, 3), 500, NULL), INLAY_OK);
}

static void read_links(ask *a)
{
    for (inlay_id j = 0; j < a->modules; j++) {
        int64_t count;
        const inlay_id *from = inlay_app_predecessors(a->app, j, &count);
        for (int64_t k = 0; k < count; k++)
            a->before[from[k]][j] = true;
    }
}

/* Processors of one host share a memory, or the machine has one for all. */
static bool together(const ask *a, unsigned set)
{
    bool common = inlay_machine_memory_kind(a->machine) == INLAY_MEMORY_COMMON;
    inlay_id host = -1;
    for (inlay_id p = 0; p < a->processors; p++) {
        if (!(set >> p & 1)) continue;
        if (host >= 0 && inlay_machine_host(a->machine, p) != host && !common) return false;
        host = inlay_machine_host(a->machine, p);
    }
    return true;
}

static int holds(unsigned set)
{
    int count = 0;
    for (; set > 0; set &= set - 1)
        count++;
    return count;
}

static void find_seats(ask *a)
{
    for (inlay_id i = 0; i < a->modules; i++)
        for (unsigned set = 1; set < 1U << a->processors; set++) {
            if (holds(set) != inlay_app_cores(a->app, i) || !together(a, set)) continue;
            a->seat[i][a->seats[i]++] = set;
        }
}

static void draw(ask *a)
{
    a->state = (uint64_t)a->seed;
    a->machine = machine_of(machines[a->seed % MACHINES]);
    a->processors = inlay_machine_processors(a->machine);
    a->modules = 2 + (inlay_id)random_below(&a->state, a->processors > 3 ? 3 : 4);
    bool streams = random_once_in(&a->state, 2);
    inlay_app_builder *builder = inlay_app_builder_new("drawn", INLAY_UNIT_TICK);
    add_modules(a, builder, streams);
    add_links(a, builder);
    if (random_once_in(&a->state, 4)) add_block(a, builder);
    ck_assert_int_eq(inlay_app_build(builder, &a->app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    read_links(a);
    find_seats(a);
    a->options =
        (inlay_options){.has_time_frame = true,
                        .time_frame = {{1000000, 0}, INLAY_UNIT_NONE},
                        .processors = 1 + (inlay_id)random_below(&a->state, a->processors),
                        .start = streams && random_once_in(&a->state, 3) ? INLAY_START_FINISH : INLAY_START_AUTO,
                        .copies = random_once_in(&a->state, 4) ? INLAY_COPIES_EACH : INLAY_COPIES_ONCE};
    a->best = INFINITY;
}

/* ---- Judging one schedule ---- */

static bool keeps_pins(const ask *a)
{
    for (inlay_id i = 0; i < a->modules; i++)
        if (inlay_app_pin(a->app, i) >= 0 && !(a->held[i] >> inlay_app_pin(a->app, i) & 1)) return false;
    return true;
}

/* A module takes memory on the lowest of its processors, which hosts with links share. */
static bool keeps_memory(const ask *a)
{
    int64_t taken[PROCESSORS] = {0};
    for (inlay_id i = 0; i < a->modules; i++) {
        inlay_id at = 0;
        while (!(a->held[i] >> at & 1))
            at++;
        int64_t limit = inlay_machine_processor(a->machine, at).memory;
        int64_t *sum = &taken[inlay_machine_host(a->machine, at)];
        *sum += inlay_app_memory(a->app, i);
        if (limit >= 0 && *sum > limit) return false;
    }
    return true;
}

static double elapsed(const ask *a, const inlay_mapping *mapping)
{
    inlay_simulation *simulation = NULL;
    const inlay_simulation_options run = {.threads = 1};
    ck_assert_msg(inlay_simulate(mapping, &run, &simulation, NULL) == INLAY_OK, "seed %d", a->seed);
    double time = inlay_simulation_result(simulation)->makespan;
    inlay_simulation_free(simulation);
    return time;
}

static void judge(ask *a)
{
    inlay_id module[MOST * 2], processor[MOST * 2];
    inlay_task_schedule schedule = {.module = module, .processor = processor, .ordered = true};
    for (inlay_id k = 0; k < a->modules; k++)
        for (inlay_id p = 0; p < a->processors; p++)
            if (a->held[a->order[k]] >> p & 1) {
                module[schedule.entries] = a->order[k];
                processor[schedule.entries++] = p;
            }
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_evaluate_schedule(a->app, a->machine, &schedule, &a->options, &mapping, diag);
    ck_assert_msg(status == INLAY_OK, "seed %d: %s", a->seed, inlay_diag_message(diag));
    inlay_diag_free(diag);
    double time = elapsed(a, mapping);
    bool counts = keeps_pins(a) && keeps_memory(a);
    a->judged++;
    a->best = counts && time < a->best ? time : a->best;
    for (size_t i = 0; i < inlay_bounds(); i++) {
        inlay_bound bound = inlay_mapping_bound(mapping, i);
        a->largest[i] = counts && !bound.of_placement ? fmax(a->largest[i], bound.value) : a->largest[i];
        ck_assert_msg(!(bound.value > time * (1 + 1e-9)), "seed %d: %s is %.12g of a placement that takes %.12g",
                      a->seed, bound.name, bound.value, time);
    }
    inlay_mapping_free(mapping);
}

/* ---- All schedules ---- */

/* Two that follow each other without having to do with each other stand by number: the other way round is the same. */
static bool twice(const ask *a, inlay_id k)
{
    if (k == 0) return false;
    inlay_id one = a->order[k - 1], other = a->order[k];
    return one > other && !a->before[one][other] && !(a->held[one] & a->held[other]);
}

static unsigned used_by(const ask *a, inlay_id k)
{
    unsigned used = 0;
    for (inlay_id i = 0; i < k; i++)
        used |= a->held[a->order[i]];
    return used;
}

static void extend(ask *a, inlay_id k, unsigned done)
{
    if (holds(used_by(a, k)) > a->options.processors) return;
    if (k == a->modules) {
        judge(a);
        return;
    }
    for (inlay_id i = 0; i < a->modules; i++) {
        bool ready = !(done >> i & 1);
        for (inlay_id h = 0; h < a->modules; h++)
            ready = ready && (!a->before[h][i] || done >> h & 1);
        for (int s = 0; ready && s < a->seats[i]; s++) {
            a->order[k] = i;
            a->held[i] = a->seat[i][s];
            if (!twice(a, k)) extend(a, k + 1, done | 1U << i);
        }
    }
}

/* Of method best: what its search has proven, and whether it is the optimum. */
static bool is_proven(const ask *a)
{
    inlay_options options = a->options;
    inlay_mapping *mapping = NULL;
    options.has_time_frame = false;
    options.method = inlay_method_named("best");
    if (inlay_map(a->app, a->machine, &options, &mapping, NULL) != INLAY_OK) return false;
    double found = inlay_mapping_summary(mapping)->elapsed, least = inlay_mapping_summary(mapping)->winner.least;
    ck_assert_msg(found >= a->best * (1 - 1e-9), "seed %d: %.12g, below the optimum %.12g", a->seed, found, a->best);
    ck_assert_msg(least <= a->best * (1 + 1e-9), "seed %d: at least %.12g, the optimum is %.12g", a->seed, least,
                  a->best);
    inlay_mapping_free(mapping);
    return least >= found * (1 - 1e-9);
}

START_TEST(bounds_are_below_every_optimum)
{
    int tight = 0, proven = 0;
    for (int seed = _i * DRAWN_BOUNDS / 8; seed < (_i + 1) * DRAWN_BOUNDS / 8; seed++) {
        ask a = {.seed = seed};
        double largest = 0;
        draw(&a);
        extend(&a, 0, 0);
        for (size_t i = 0; i < inlay_bounds(); i++) {
            ck_assert_msg(!(a.largest[i] > a.best * (1 + 1e-9)), "seed %d: bound %zu is %.12g, the optimum %.12g", seed,
                          i, a.largest[i], a.best);
            largest = fmax(largest, a.largest[i]);
        }
        proven += is_proven(&a);
        tight += largest >= a.best * (1 - 1e-9);
        inlay_app_free(a.app);
        inlay_machine_free(a.machine);
    }
    ck_assert_int_gt(tight, DRAWN_BOUNDS / 8 / 4);
    ck_assert_int_gt(proven, DRAWN_BOUNDS / 8 / 20);
}
END_TEST

/* ---- By hand: each bound is the largest one ---- */

static const struct by_hand {
    const char *app, *machine;
    inlay_id processor[6];
    const char *name;
    double value;
} by_hand[] = {
    {"a [time=5]; b [time=5]; a -> b [messages=3];", "bus:2", {0}, "critical_path", 10},
    {"a [time=3]; b [time=3]; c [time=3]; d [time=3];", "bus:2", {0}, "work", 6},
    {"a [time=2, pin=0]; b [time=3, pin=1]; a -> b [messages=4];", "bus:2", {0, 1}, "transfer_path", 9},
    {"a [time=1]; b [time=2]; c [time=2]; d [time=2]; e [time=2]; z [time=1]; a -> {b c d e} -> z [messages=0];",
     "bus:2",
     {0},
     "fernandez_bussell", /* of 8 in [1, 3], 4 find room */
     6},
    {"a [time=1]; b [time=10]; c [time=10]; a -> {b c} [messages=4];", /* 12 6/7 at home are 9/7 of 20, 20/7 on the wire */
     "bus:2",
     {0},
     "one_sender",
     97 / 7.0},
    {"b [time=10]; c [time=10]; z [time=1]; {b c} -> z [messages=4];", "star:2", {0}, "one_receiver", 97 / 7.0},
    {"a [time=5]; b [time=5];", "bus:2", {0, 0}, "compute", 10},
    {"a [time=1]; b [time=1]; c [time=1]; {a b} -> c [messages=5];", "bus:3", {0, 1, 2}, "bus", 10},
    {"a [time=1]; b [time=1]; a -> b [messages=5];", "omega:4,switch=2", {0, 1}, "sender", 10},
    {"a [time=1]; b [time=1]; c [time=1]; d [kind=data, size=1]; d -> {a b c} [messages=5]; d -> a [messages=9];",
     "multibus:4,memories=2,buses=2",
     {0, 1, 2},
     "memory",
     10},
    {"a [time=1]; b [time=1]; a -> b [messages=5];", "star:2", {0, 1}, "link", 5},
    {"a [time=1]; b [time=1]; {a b} -> c [messages=5]; c [time=1];",
     "omega-pe:4,switch=2,packets=3",
     {0, 1, 3},
     "link",
     30},
};

START_TEST(each_is_the_largest)
{
    const struct by_hand *of = &by_hand[_i];
    char text[512];
    inlay_app *app = NULL;
    inlay_mapping *mapping = NULL;
    inlay_machine *machine = machine_of(of->machine);
    const inlay_options options = {.has_time_frame = true, .time_frame = {{1000, 0}, INLAY_UNIT_NONE}};
    snprintf(text, sizeof text, "digraph { graph [time_unit=tick]; %s }", of->app);
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "app.dot", "dot", &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(app, machine, of->processor, &options, &mapping, NULL), INLAY_OK);
    inlay_bound any = inlay_mapping_largest_bound(mapping, false), placed = inlay_mapping_largest_bound(mapping, true);
    inlay_bound found = strcmp(any.name, of->name) == 0 ? any : placed;
    ck_assert_str_eq(found.name, of->name);
    ck_assert_double_eq_tol(found.value, of->value, 1e-12);
    ck_assert_double_eq(inlay_mapping_summary(mapping)->lower_bound, any.value);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* Messages that cost nothing, and pins that the placement breaks, prove nothing. */
START_TEST(nothing_is_claimed_without_proof)
{
    static const char text[] = "digraph { a [time=2, pin=0]; b [time=3, pin=1]; a -> b [messages=4]; }";
    const inlay_id kept[] = {0, 1}, broken[] = {0, 0};
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "app.dot", "dot", &app, NULL), INLAY_OK);
    static const char *const on[] = {"bus:2", "bus:2,capacity=1msg/s", "bus:2,capacity=1msg/s,contention=free"};
    for (int i = 0; i < 6; i++) {
        inlay_mapping *mapping = NULL;
        inlay_machine *machine = machine_of(on[i / 2]);
        ck_assert_int_eq(inlay_evaluate(app, machine, i % 2 == 0 ? kept : broken, NULL, &mapping, NULL), INLAY_OK);
        ck_assert_double_eq_tol(inlay_mapping_summary(mapping)->lower_bound, i == 2 ? 9 : 5, 1e-12);
        ck_assert_str_eq(inlay_mapping_largest_bound(mapping, true).name, i == 2 ? "sender" : "compute");
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
    }
    inlay_app_free(app);
}
END_TEST

Suite *suite_bounds(void)
{
    Suite *suite = suite_create("bounds");
    TCase *random = tcase_create("random"), *hand = tcase_create("by hand");
    tcase_add_loop_test(random, bounds_are_below_every_optimum, 0, 8);
    tcase_set_timeout(random, 600);
    suite_add_tcase(suite, random);
    tcase_add_loop_test(hand, each_is_the_largest, 0, sizeof by_hand / sizeof *by_hand);
    tcase_add_test(hand, nothing_is_claimed_without_proof);
    suite_add_tcase(suite, hand);
    return suite;
}
