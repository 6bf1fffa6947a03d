/* Processors that share cores: by hand, beside the slow simulator, and by the rule itself in every recorded run. */
#include "golden.h"
#include "random_app.h"
#include "simulate_subject.h"
#include "slow_shared.h"
#include "sound_run.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 18, ROUNDS = 60 };

static const double digits = 1e-9; /* of a time: sums are taken in different orders */

static void expect_time(double a, double b)
{
    ck_assert_double_eq_tol(a, b, digits * fmax(1, fabs(b)));
}

static inlay_simulation *shared(const inlay_mapping *mapping, inlay_simulation_options options)
{
    inlay_simulation *simulation = NULL;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    return simulation;
}

/* ---- By hand ---- */

typedef struct hand_case {
    const char *what;
    small_app graph;
    int processor[SMALL_MODULES];
    const char *machine;
    int cores;
    bool no_overlap;
    double start[SMALL_MODULES], end[SMALL_MODULES], makespan;
} hand_case;

static const hand_case hand_cases[] = {
    {"two on one core", {2, 0, {10, 10}, {{0}}, false, {0}}, {0, 1}, "bus:4", 1, false, {0, 0}, {20, 20}, 20},
    {"unlike ones: the short one has half of the core until it ends",
     {2, 0, {4, 10}, {{0}}, false, {0}},
     {0, 1},
     "bus:4",
     1,
     false,
     {0, 0},
     {8, 14},
     14},
    /* at 2/3 up to 3, when 2 are done of each; then two compute, with a core each: 2 and 4 are left */
    {"three on two cores", {3, 0, {2, 4, 6}, {{0}}, false, {0}}, {0, 1, 2}, "bus:4", 2, false, {0, 0, 0}, {3, 5, 7}, 7},
    /* a and c at 1/2 up to 6, when a has done its 3; its message takes 1, in which c is alone: 4 done; then b comes, and at
     * 15 both have done 4 more: b ends, c has 2 left */
    {"who waits for a message uses no core",
     {3, 1, {3, 4, 10}, {{0, 1, 1}}, false, {0}},
     {0, 1, 2},
     "bus:4",
     1,
     false,
     {0, 7, 0},
     {6, 15, 17},
     17},
    /* a and c at 1/2: a has done 4 at 8, and its message is there at 9, with 4.5 done of each; b ends at 15, when a and c
     * have done 6.5; a's other 3.5 take up to 22; then c is alone with 10 */
    {"a stream is due when that much work is done",
     {3, 1, {10, 2, 20}, {{0, 1, 1}}, true, {0, 4, 0}},
     {0, 1, 2},
     "bus:4",
     1,
     false,
     {0, 9, 0},
     {22, 15, 32},
     32},
    /* a does its 2 at 1/2, up to 4; its messages are under way up to 7, and b waits for them on the same processor: c is
     * alone and has 5 done then. With b and d at 1/3 it ends at 10; d's other 3 at 1/2 take up to 16; b has 1 left */
    {"without overlap the core is free while messages are under way",
     {4, 1, {2, 5, 6, 4}, {{0, 3, 3}}, false, {0}},
     {0, 0, 1, 2},
     "bus:4",
     1,
     true,
     {0, 7, 0, 7},
     {4, 17, 10, 16},
     17},
    /* a's message to b arrives at 5, when c ends; b takes no time. Both send then, b's processor first: to d and to e */
    {"who starts at a time comes before who ends then, where its processor does",
     {5, 3, {1, 0, 5, 1, 1}, {{0, 1, 1}, {1, 3, 1}, {2, 4, 1}}, false, {0}},
     {2, 0, 1, 2, 3},
     "bus:4,latency=3tick",
     2,
     false,
     {0, 5, 0, 9, 10},
     {1, 5, 5, 10, 11},
     11},
};

START_TEST(test_by_hand)
{
    const hand_case *c = &hand_cases[_i];
    small_case placed_case = small_place(&c->graph, c->processor, c->machine);
    inlay_simulation *s =
        shared(placed_case.mapping,
               (inlay_simulation_options){.cores = c->cores, .no_overlap = c->no_overlap, .record = true});
    for (int i = 0; i < c->graph.modules; i++) {
        expect_time(inlay_simulation_start(s, i), c->start[i]);
        expect_time(inlay_simulation_end(s, i), c->end[i]);
    }
    expect_time(inlay_simulation_result(s)->makespan, c->makespan);
    inlay_simulation_free(s);
    small_clear(&placed_case);
}
END_TEST

START_TEST(test_busy_by_hand)
{
    const small_app graph = {2, 0, {4, 10}, {{0}}, false, {0}};
    small_case placed_case = small_place(&graph, (const int[]){0, 1}, "bus:4");
    inlay_simulation *s = shared(placed_case.mapping, (inlay_simulation_options){.cores = 1, .record = true});
    size_t steps;
    const inlay_step *path = inlay_simulation_path(s, &steps);
    inlay_simulated_processor first = inlay_simulation_processor(s, 0);
    expect_time(first.busy, 8); /* from its start to its end, however fast */
    expect_time(first.idle, 6);
    ck_assert_uint_eq(steps, 1);
    ck_assert_int_eq(path[0].module, 1);
    expect_time(path[0].to - path[0].from, 14);
    ck_assert_int_eq(inlay_simulation_chosen(s)->cores, 1);
    inlay_simulation_free(s);
    small_clear(&placed_case);
}
END_TEST

/*
 * a, b and c at 1/3 until c has done its 4, at 12; a and b at 1/2 until b ends, at 22; then a is alone, has done 10 at 23,
 * and d starts. As a ran slowly first, half of its run was over before b's end: yet it is a that d waited for.
 */
START_TEST(test_path_by_hand)
{
    const small_app graph = {4, 2, {20, 9, 4, 11}, {{0, 3, 1}, {1, 3, 1}}, true, {0, 0, 0, 10}};
    small_case placed_case = small_place(&graph, (const int[]){0, 1, 2, 3}, "bus:4");
    inlay_simulation *s =
        shared(placed_case.mapping,
               (inlay_simulation_options){.cores = 1, .contention = INLAY_CONTENTION_FREE, .record = true});
    size_t steps;
    const inlay_step *path = inlay_simulation_path(s, &steps);
    ck_assert_uint_eq(steps, 2);
    ck_assert_int_eq(path[0].module, 0);
    ck_assert_int_eq(path[1].module, 3);
    expect_time(path[0].to, 23);
    expect_time(path[1].to, 44);
    inlay_simulation_free(s);
    small_clear(&placed_case);
}
END_TEST

START_TEST(test_refusals)
{
    const small_app graph = {2, 0, {4, 10}, {{0}}, false, {0}};
    small_case placed_case = small_place(&graph, (const int[]){0, 1}, "bus:4");
    inlay_simulation *s = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_simulation_options options = {.cores = -1};
    ck_assert_int_eq(inlay_simulate(placed_case.mapping, &options, &s, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(s);
    ck_assert_str_eq(inlay_diag_message(diag), "processors share -1 cores; expected 1 or more, or 0 for a core each");
    inlay_diag_free(diag);
    small_clear(&placed_case);
}
END_TEST

/* ---- Random mappings ---- */

typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
} subject;

/* % stands for the application's unit. The first ones are what the slow simulator can do. */
static const char *const machines[] = {
    "bus:8,capacity=1msg/%",
    "bus:8,capacity=0.125msg/%,latency=2%",
    "bus:8,capacity=8msg/%,transfers=2,latency=0.5%",
    "bus:8,capacity=0.5msg/%,memory=common,message_size=700",
    "multibus:8,memories=8,buses=3,capacity=0.5msg/%,transfers=2,latency=1%",
    "omega:8,packets=4,cycle=1%,transit=2%",
    "omega-pe:9,switch=3,packets=2,cycle=3%,transfers=2",
    "mesh:4x2,capacity=0.25msg/%,link_latency=1%",
    "star:8,capacity=1kB/%,link_latency=1%,switching=cut-through,latency=1%",
    "multibus:8,memories=8,buses=3,capacity=0.5msg/%,rendezvous=late,eager_limit=100",
};

enum { MACHINES = sizeof machines / sizeof *machines, SLOW_MACHINES = 3 };

/* Links count in ticks or in seconds. */
static inlay_app *draw_app(uint64_t *state, inlay_id modules, unsigned among)
{
    for (;;) {
        random_times times;
        unsigned features = (unsigned)random_below(state, RANDOM_EVERYTHING + 1) & among;
        inlay_app *app = random_app(state, modules, features, &times);
        if (inlay_app_unit(app) == INLAY_UNIT_TICK || inlay_app_unit(app) == INLAY_UNIT_S) return app;
        inlay_app_free(app);
    }
}

static subject draw(uint64_t *state, const char *format, unsigned among)
{
    subject drawn = {0};
    inlay_id processor[MODULES], modules = 4 + (inlay_id)random_below(state, MODULES - 3);
    inlay_id spread = 2 + (inlay_id)random_below(state, 7);
    drawn.app = draw_app(state, modules, among);
    drawn.machine = golden_machine_for(drawn.app, format);
    for (inlay_id i = 0; i < modules; i++)
        processor[i] = (inlay_id)random_below(state, spread);
    drawn.mapping = placed_anyhow(state, drawn.app, drawn.machine, processor);
    return drawn;
}

static void clear(subject *drawn)
{
    inlay_mapping_free(drawn->mapping);
    inlay_machine_free(drawn->machine);
    inlay_app_free(drawn->app);
}

static inlay_id clusters_of(const subject *drawn)
{
    return inlay_mapping_summary(drawn->mapping)->clusters;
}

/* ---- The slow simulator ---- */

static void expect_like(const inlay_simulation *fast, const slow_shared_run *slow, const subject *drawn)
{
    size_t count;
    const inlay_simulated_message *m = inlay_simulation_messages(fast, &count);
    expect_time(inlay_simulation_result(fast)->makespan, slow->makespan);
    for (inlay_id i = 0; i < inlay_app_modules(drawn->app); i++) {
        expect_time(inlay_simulation_start(fast, i), slow->start[i]);
        expect_time(inlay_simulation_end(fast, i), slow->end[i]);
    }
    for (inlay_id c = 0; c < clusters_of(drawn); c++)
        expect_time(inlay_simulation_processor(fast, c).busy, slow->busy[c]);
    for (size_t i = 0; i < count; i++) {
        expect_time(m[i].due, slow->due[m[i].link]);
        expect_time(m[i].arrival, slow->arrival[m[i].link]);
    }
}

START_TEST(test_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 1;
    slow_shared_run *slow = malloc(sizeof *slow);
    int crowded = 0, streamed = 0;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        subject drawn = draw(&state, machines[_i], RANDOM_BLOCKING | RANDOM_TRAFFIC_ONLY | RANDOM_DECIMALS);
        for (inlay_id cores = 1; cores <= clusters_of(&drawn); cores++) {
            slow_shared_options rule = {.cores = cores, .free = round % 4 == 0, .no_overlap = round % 4 == 1};
            inlay_simulation_options options = {.cores = cores, .no_overlap = rule.no_overlap, .record = true};
            options.contention = rule.free ? INLAY_CONTENTION_FREE : INLAY_CONTENTION_NONE;
            inlay_simulation *fast = shared(drawn.mapping, options);
            slow_shared(drawn.mapping, &rule, slow);
            expect_like(fast, slow, &drawn);
            crowded += slow->most > cores;
            inlay_simulation_free(fast);
        }
        streamed += inlay_mapping_summary(drawn.mapping)->streamed;
        clear(&drawn);
    }
    ck_assert_int_gt(crowded, ROUNDS); /* or little was compared */
    ck_assert_int_gt(streamed, ROUNDS / 4);
    free(slow);
}
END_TEST

/* ---- The rule itself, in whatever network: what was done while n computed ---- */

/* Work that a module does from `from` to `to`, both within its run: time, piece by piece, times min(1, C / n). */
static double work_between(const inlay_simulation *s, inlay_id modules, inlay_id cores, double from, double to)
{
    double work = 0;
    while (from < to) {
        double next = to;
        int n = 0;
        for (inlay_id i = 0; i < modules; i++) {
            double start = inlay_simulation_start(s, i), end = inlay_simulation_end(s, i);
            n += start <= from && from < end;
            if (start > from && start < next) next = start;
            if (end > from && end < next) next = end;
        }
        ck_assert_int_gt(n, 0);
        work += (next - from) * (n > cores ? (double)cores / n : 1);
        from = next;
    }
    return work;
}

/* How much of a module is done when an item is due: of a use that is read at the start, nothing. */
static double lag_of(const inlay_simulation *s, const inlay_simulated_message *m)
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(s));
    inlay_id from = m->from >= 0 ? m->from : m->to;
    double whole = inlay_app_in_units(app, inlay_app_time(app, from));
    if (m->from < 0 && !inlay_simulation_chosen(s)->no_overlap) return 0;
    if (inlay_simulation_chosen(s)->no_overlap && m->messages > 0) return whole;
    if (!inlay_mapping_summary(inlay_simulation_mapping(s))->streamed || !m->awaited) return whole;
    double wait = inlay_app_in_units(app, inlay_app_blocking(app, m->to) - inlay_app_blocking(app, m->from));
    return fmin(whole, fmax(0, wait));
}

static void expect_rule(const inlay_simulation *s, inlay_id cores)
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(s));
    inlay_id modules = inlay_app_modules(app);
    size_t count;
    const inlay_simulated_message *m = inlay_simulation_messages(s, &count);
    for (inlay_id i = 0; i < modules; i++)
        expect_time(work_between(s, modules, cores, inlay_simulation_start(s, i), inlay_simulation_end(s, i)),
                    inlay_app_in_units(app, inlay_app_time(app, i)));
    for (size_t k = 0; k < count; k++) {
        inlay_id from = m[k].from >= 0 ? m[k].from : m[k].to;
        expect_time(work_between(s, modules, cores, inlay_simulation_start(s, from), m[k].due), lag_of(s, &m[k]));
        ck_assert_double_le(m[k].due, m[k].request);
        if (m[k].awaited) ck_assert_double_le(m[k].arrival, inlay_simulation_start(s, m[k].to));
    }
}

/* From a module to the next without a message: it ends there, or has done as much as one of its links says. */
static void expect_handover(const inlay_simulation *s, inlay_id cores, const inlay_step *step)
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(s));
    inlay_links out = inlay_app_out(app, step->module);
    double start = inlay_simulation_start(s, step->module);
    double done = work_between(s, inlay_app_modules(app), cores, start, step->to);
    bool found = step->to == inlay_simulation_end(s, step->module);
    for (int64_t l = 0; l < out.count; l++) {
        const inlay_simulated_message link = {.from = step->module, .to = out.module[l], .awaited = true};
        double lag = lag_of(s, &link);
        found |= fabs(lag - done) <= digits * fmax(1, lag);
    }
    ck_assert(found);
}

static void expect_path(const inlay_simulation *s, inlay_id cores)
{
    size_t count, messages;
    const inlay_step *step = inlay_simulation_path(s, &count);
    const inlay_simulated_message *m = inlay_simulation_messages(s, &messages);
    double at = 0;
    for (size_t k = 0; k < count; k++) {
        ck_assert_double_eq(step[k].from, at);
        ck_assert_double_lt(step[k].from, step[k].to);
        at = step[k].to;
        if (step[k].kind != INLAY_STEP_COMPUTE) {
            ck_assert_double_le(m[step[k].message].due, step[k].from);
            ck_assert_double_le(step[k].to, m[step[k].message].arrival);
            continue;
        }
        if (k + 1 < count && step[k + 1].kind == INLAY_STEP_COMPUTE) expect_handover(s, cores, &step[k]);
        ck_assert_double_eq(step[k].from, inlay_simulation_start(s, step[k].module));
        ck_assert_double_le(step[k].to, inlay_simulation_end(s, step[k].module));
    }
    ck_assert_double_eq(at, inlay_simulation_recorded_makespan(s));
}

static void expect_bounds(const inlay_simulation *s, inlay_id cores)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(s);
    const inlay_app *app = inlay_mapping_app(mapping);
    double makespan = inlay_simulation_result(s)->makespan, sum = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        sum += inlay_app_in_units(app, inlay_app_time(app, i));
    ck_assert_double_ge(makespan * (1 + digits), sum / cores);
    ck_assert_double_ge(makespan * (1 + digits), inlay_mapping_summary(mapping)->bound_critical_path);
}

START_TEST(test_rule_in_every_network)
{
    uint64_t state = 700 + (uint64_t)_i;
    size_t messages = 0;
    for (int round = 0; round < ROUNDS; round++) {
        subject drawn = draw(&state, machines[_i], RANDOM_EVERYTHING & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS));
        for (inlay_id cores = 1; cores <= clusters_of(&drawn); cores++) {
            inlay_simulation_options options = {
                .cores = cores, .no_overlap = round % 3 == 0 && !golden_needs_overlap(drawn.machine), .record = true};
            options.contention = round % 2 == 0 ? INLAY_CONTENTION_QUEUES : INLAY_CONTENTION_FREE;
            size_t count;
            inlay_simulation *s = shared(drawn.mapping, options);
            expect_rule(s, cores);
            expect_path(s, cores);
            expect_bounds(s, cores);
            (void)inlay_simulation_messages(s, &count);
            messages += count;
            inlay_simulation_free(s);
            options.record = false;
            s = shared(drawn.mapping, options);
            expect_sound(s); /* the shares of every processor, and the resources */
            inlay_simulation_free(s);
        }
        clear(&drawn);
    }
    ck_assert_uint_gt(messages, 10 * ROUNDS);
}
END_TEST

/* ---- Cores that do not matter, threads ---- */

/* When everything happens, to the last bit. */
static void expect_equal_times(const inlay_simulation *a, const inlay_simulation *b)
{
    int64_t count;
    size_t of_a, of_b;
    const double *x = inlay_simulation_makespans(a, &count), *y = inlay_simulation_makespans(b, &count);
    const inlay_simulated_message *m = inlay_simulation_messages(a, &of_a), *n = inlay_simulation_messages(b, &of_b);
    ck_assert_int_eq(memcmp(x, y, (size_t)count * sizeof *x), 0);
    ck_assert_int_eq(inlay_simulation_result(a)->events, inlay_simulation_result(b)->events);
    for (inlay_id i = 0; i < inlay_app_modules(inlay_mapping_app(inlay_simulation_mapping(a))); i++) {
        ck_assert_double_eq(inlay_simulation_start(a, i), inlay_simulation_start(b, i));
        ck_assert_double_eq(inlay_simulation_end(a, i), inlay_simulation_end(b, i));
    }
    ck_assert_uint_eq(of_a, of_b);
    for (size_t k = 0; k < of_a; k++) {
        ck_assert_double_eq(m[k].due, n[k].due);
        ck_assert_double_eq(m[k].arrival, n[k].arrival);
    }
}

static void expect_equal(const inlay_simulation *a, const inlay_simulation *b)
{
    expect_equal_times(a, b);
    ck_assert_double_eq(inlay_simulation_result(a)->last_module, inlay_simulation_result(b)->last_module);
    for (inlay_id c = 0; c < inlay_mapping_summary(inlay_simulation_mapping(a))->clusters; c++) {
        inlay_simulated_processor u = inlay_simulation_processor(a, c), v = inlay_simulation_processor(b, c);
        ck_assert_double_eq(u.busy, v.busy);
        ck_assert_double_eq(u.communicating, v.communicating);
        ck_assert_double_eq(u.blocked, v.blocked);
        ck_assert_double_eq(u.idle, v.idle);
    }
    for (size_t i = 0; i < inlay_simulation_resources(a); i++) {
        inlay_resource r = inlay_simulation_resource(a, i), q = inlay_simulation_resource(b, i);
        ck_assert_double_eq(r.utilisation, q.utilisation);
        ck_assert_double_eq(r.mean_delay, q.mean_delay);
    }
}

static inlay_simulation_options at_random(int round, const inlay_machine *machine)
{
    return (inlay_simulation_options){.replications = 12,
                                      .no_overlap = round % 3 == 0 && !golden_needs_overlap(machine),
                                      .seed = 7,
                                      .module_time = {INLAY_SPREAD_NORMAL, 0.3},
                                      .transfer_time = {INLAY_SPREAD_EXPONENTIAL, 0},
                                      .record = true};
}

/* As many as processors change nothing. */
START_TEST(test_enough_cores)
{
    uint64_t state = 300 + (uint64_t)_i;
    for (int round = 0; round < ROUNDS / 4; round++) {
        subject drawn = draw(&state, machines[_i], RANDOM_EVERYTHING & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS));
        inlay_simulation_options options = at_random(round, drawn.machine);
        inlay_simulation *own = shared(drawn.mapping, options);
        for (inlay_id more = 0; more < 3; more++) {
            options.cores = clusters_of(&drawn) + more;
            inlay_simulation *same = shared(drawn.mapping, options);
            expect_equal(own, same);
            inlay_simulation_free(same);
        }
        inlay_simulation_free(own);
        clear(&drawn);
    }
}
END_TEST

/* Modules of a chain compute one at a time: one core is enough, and not one bit of a time changes. */
START_TEST(test_nobody_at_once)
{
    const small_app chain = {4, 3, {3, 1, 7, 11}, {{0, 1, 1}, {1, 2, 2}, {2, 3, 1}}, false, {0}};
    small_case placed_case =
        small_place(&chain, (const int[]){0, 1, 2, 3}, "bus:4,capacity=0.3msg/tick,latency=0.7tick");
    inlay_simulation_options options = at_random(1, placed_case.machine);
    inlay_simulation *own = shared(placed_case.mapping, options);
    options.cores = 1;
    inlay_simulation *one = shared(placed_case.mapping, options);
    expect_equal_times(own, one);
    inlay_simulation_free(own);
    inlay_simulation_free(one);
    small_clear(&placed_case);
}
END_TEST

START_TEST(test_threads)
{
    uint64_t state = 500 + (uint64_t)_i;
    int longer = 0;
    for (int round = 0; round < 6; round++) {
        subject drawn = draw(&state, machines[_i], RANDOM_EVERYTHING & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS));
        inlay_simulation_options options = at_random(round, drawn.machine);
        inlay_simulation *own = shared(drawn.mapping, options);
        options.cores = 1;
        options.threads = 1;
        inlay_simulation *one = shared(drawn.mapping, options);
        options.threads = 4;
        inlay_simulation *four = shared(drawn.mapping, options);
        expect_equal(one, four);
        longer += inlay_simulation_result(one)->makespan > inlay_simulation_result(own)->makespan;
        inlay_simulation_free(own);
        inlay_simulation_free(one);
        inlay_simulation_free(four);
        clear(&drawn);
    }
    ck_assert_int_gt(longer, 0); /* or nothing was shared */
}
END_TEST

Suite *suite_simulate_shared(void)
{
    Suite *suite = suite_create("simulate_shared");
    TCase *tests = tcase_create("simulate_shared");
    tcase_add_loop_test(tests, test_by_hand, 0, sizeof hand_cases / sizeof *hand_cases);
    tcase_add_test(tests, test_busy_by_hand);
    tcase_add_test(tests, test_path_by_hand);
    tcase_add_test(tests, test_refusals);
    tcase_add_loop_test(tests, test_like_the_slow_one, 0, SLOW_MACHINES);
    tcase_add_loop_test(tests, test_rule_in_every_network, 0, MACHINES);
    tcase_add_loop_test(tests, test_enough_cores, 0, MACHINES);
    tcase_add_test(tests, test_nobody_at_once);
    tcase_add_loop_test(tests, test_threads, 0, MACHINES);
    suite_add_tcase(suite, tests);
    return suite;
}
