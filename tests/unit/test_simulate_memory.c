/* Cores that share the bandwidth of memory: by hand, beside the slow simulator, and what `inlay check` says of such mappings. */
#include "check_subject.h"
#include "golden.h"
#include "random_app.h"
#include "slow_run.h"
#include "sound_run.h"
#include "unit.h"

#include <inlay/scheduler.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODULES = 18, ROUNDS = 60 };

static const double digits = 1e-9; /* of a time: sums are taken in different orders */

static void expect_time(double a, double b)
{
    ck_assert_double_eq_tol(a, b, digits * fmax(1, fabs(b)));
}

/* ---- By hand ---- */

typedef struct hand_case {
    const char *app, *machine;
    inlay_id processor[3];
    double end[3], estimate;
} hand_case;

#define GRAPH "digraph { graph [time_unit=s]; "
#define HOST  "crossbar:1,cores=3,memory_bandwidth=15GB/s,core_bandwidth=10GB/s"

static const hand_case hand_cases[] = {
    /* each asks for 10 of the 15 */
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; }",
     HOST,
     {0, 1},
     {40.0 / 3, 40.0 / 3},
     40.0 / 3},
    /* 10 and 2 fit */
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=20000000000]; }",
     HOST,
     {0, 1},
     {10, 10},
     10},
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000];"
           "c [time=10, traffic_memory=100000000000]; }",
     HOST,
     {0, 1, 2},
     {20, 20, 20},
     20},
    /* c starts at 5: from then on both at 0.75; a has 5 left and ends 6 2/3 later, by when c has done 5 */
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=5]; c [time=10, traffic_memory=100000000000]; b -> c "
           "[messages=0]; }",
     HOST,
     {0, 1, 1},
     {35.0 / 3, 5, 50.0 / 3},
     5 + 10 * (10 + 100.0 / 15) / 15},
    /* a demand of 20 counts as 10, which is what one core can: 10 + 3 + 3 of 15; those of 3 are met */
    {GRAPH "a [time=10, traffic_memory=200000000000]; b [time=20, traffic_memory=60000000000];"
           "c [time=20, traffic_memory=60000000000]; }",
     HOST,
     {0, 1, 2},
     {100.0 / 9, 20, 20},
     64.0 / 3},
    /* one alone may ask for too much: a roofline */
    {GRAPH "a [time=10, traffic_memory=100000000000]; }", "bus:2,memory_bandwidth=5GB/s", {0}, {20}, 20},
    /* hosts do not share; the processors of a common memory do */
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; }",
     "bus:2,memory_bandwidth=15GB/s",
     {0, 1},
     {10, 10},
     10},
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; }",
     "bus:2,memory=common,memory_bandwidth=15GB/s",
     {0, 1},
     {40.0 / 3, 40.0 / 3},
     40.0 / 3},
    /* one memory before both, or one each */
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; }",
     "bus:2,memory_bandwidth=15GB/s,boards=1",
     {0, 1},
     {40.0 / 3, 40.0 / 3},
     40.0 / 3},
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; }",
     "crossbar:1,cores=4,memory_bandwidth=15GB/s,boards=2",
     {0, 2},
     {10, 10},
     10},
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; }",
     "crossbar:1,cores=4,memory_bandwidth=15GB/s,boards=2",
     {2, 3},
     {40.0 / 3, 40.0 / 3},
     40.0 / 3},
    /* overheads are not slowed down: a computes until 20 and sends until 22 */
    {GRAPH "a [time=10, traffic_memory=100000000000]; b [time=1]; a -> b; }",
     "bus:2,memory_bandwidth=5GB/s,capacity=1msg/s,o_send=2s,o_recv=3s",
     {0, 1},
     {20, 27},
     NAN},
};

START_TEST(by_hand)
{
    const hand_case *c = &hand_cases[_i];
    inlay_app *app = subject_read(c->app);
    inlay_machine *machine = golden_machine(c->machine);
    inlay_options options = {.has_time_frame = true, .time_frame = {{1000, 0}, INLAY_UNIT_S}};
    inlay_mapping *mapping = NULL;
    inlay_simulation *run = NULL;
    ck_assert_int_eq(inlay_evaluate(app, machine, c->processor, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(mapping, &(inlay_simulation_options){.record = true}, &run, NULL), INLAY_OK);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        if (!isnan(c->end[i])) expect_time(inlay_simulation_end(run, i), c->end[i]);
    if (!isnan(c->estimate)) expect_time(inlay_mapping_summary(mapping)->estimate, c->estimate);
    inlay_simulation_free(run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- The slow simulator ---- */

/* % stands for the application's unit. */
static const char *const machines[] = {
    "crossbar:2,cores=4,capacity=0.25msg/%,memory_bandwidth=700B/%",
    "star:3,cores=3,capacity=2kB/%,link_latency=1%,memory_bandwidth=1kB/%,core_bandwidth=600B/%",
    "bus:6,capacity=0.5msg/%,memory=common,memory_bandwidth=900B/%",
    "bus:6,capacity=0.5msg/%,memory_bandwidth=300B/%,o_send=2%,o_recv=1%",
    "ring:2,cores=4,capacity=0.25msg/%,memory_bandwidth=500B/%,o_send=1%:0.5%/256:4%",
    "mesh:3x2,capacity=0.5msg/%,memory_bandwidth=0.5kB/%,boards=2",
    "multibus:6,memories=3,buses=2,capacity=0.5msg/%,memory_bandwidth=0.4kB/%,core_bandwidth=350B/%",
    "bus:6,capacity=0.5msg/%,memory_bandwidth=300B/%,rendezvous=late,eager_limit=150",
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Where nobody queues it does not matter which of two that happen at one time is first. */
START_TEST(like_the_slow_one)
{
    uint64_t state = 7000 + (uint64_t)_i;
    slow_run *slow = malloc(sizeof *slow);
    int slowed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        random_times times;
        unsigned features =
            (unsigned)random_below(&state, RANDOM_EVERYTHING + 1) & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS);
        if (random_once_in(&state, 2)) features |= RANDOM_DATA;
        inlay_app *app =
            random_app(&state, 1 + (inlay_id)random_below(&state, MODULES), features | RANDOM_TRAFFIC_MEMORY, &times);
        inlay_machine *machine = golden_machine_for(app, machines[_i]);
        inlay_id processor[MODULES];
        for (inlay_id i = 0; i < inlay_app_modules(app); i++)
            processor[i] = (inlay_id)random_below(&state, 6);
        bool cores = round % 3 == 2 && inlay_machine_hosts(machine) < inlay_machine_processors(machine);
        inlay_mapping *mapping =
            cores ? placed_on_cores(&state, app, machine) : placed_anyhow(&state, app, machine, processor);
        inlay_simulation_options options = {.record = true,
                                            .no_overlap = round % 4 == 1 && !golden_needs_overlap(machine),
                                            .contention = (inlay_contention)(1 + round % 2)};
        inlay_simulation *fast = NULL, *bare = NULL;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &fast, NULL), INLAY_OK);
        slow_simulate(mapping, &options, slow);
        double grain = pow(10, inlay_app_decimals(app)), makespan = inlay_simulation_result(fast)->makespan;
        expect_time(makespan, slow->elapsed);
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            expect_time(inlay_simulation_start(fast, i), slow->start[i] / grain);
            expect_time(inlay_simulation_end(fast, i), slow->end[i] / grain);
            double alone = inlay_app_in_units(app, inlay_app_time(app, i));
            slowed += inlay_simulation_end(fast, i) - inlay_simulation_start(fast, i) > alone * 1.01;
        }
        for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
            inlay_simulated_processor p = inlay_simulation_processor(fast, c);
            expect_time(p.busy + p.communicating + p.blocked + p.idle, makespan);
        }
        options.record = false;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &bare, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_simulation_result(bare)->makespan, makespan);
        inlay_simulation_free(bare);
        inlay_simulation_free(fast);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(slowed, ROUNDS); /* or nothing was shared */
    free(slow);
}
END_TEST

/* ---- Run-time schedulers ---- */

/* What a scheduler did as a schedule: modules by when they were taken. */
static inlay_mapping *as_mapping(const inlay_scheduled *run, const inlay_app *app, const inlay_machine *machine)
{
    inlay_id modules = inlay_app_modules(app), module[MODULES], processor[MODULES];
    for (inlay_id i = 0; i < modules; i++) {
        inlay_id at = i;
        double taken = inlay_scheduled_module_at(run, i).taken;
        for (; at > 0 && inlay_scheduled_module_at(run, module[at - 1]).taken > taken; at--)
            module[at] = module[at - 1];
        module[at] = i;
    }
    for (inlay_id at = 0; at < modules; at++)
        processor[at] = inlay_scheduled_module_at(run, module[at]).processor;
    inlay_task_schedule schedule = {.entries = modules, .module = module, .processor = processor, .ordered = true};
    inlay_options options = {.has_time_frame = true, .time_frame = {{1000000, 0}, inlay_app_unit(app)}};
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_evaluate_schedule(app, machine, &schedule, &options, &mapping, NULL), INLAY_OK);
    return mapping;
}

/* Modules that all take a time: so of those that one core took no two were taken at once. */
static inlay_app *timed_app(uint64_t *state)
{
    for (;;) {
        random_times times;
        inlay_id modules = 1 + (inlay_id)random_below(state, MODULES), timed = 0;
        inlay_app *app = random_app(state, modules, RANDOM_TRAFFIC_MEMORY, &times);
        while (timed < modules && inlay_app_time(app, timed) > 0)
            timed++;
        if (timed == modules) return app;
        inlay_app_free(app);
    }
}

/* On one host a run-time scheduler's modules take as long as in the slow simulator, where they stand as it put them. */
START_TEST(scheduled_like_the_slow_one)
{
    static const char *const schedulers[] = {"fifo", "lifo", "priority", "dmda"};
    uint64_t state = 8000 + (uint64_t)_i;
    slow_run *slow = malloc(sizeof *slow);
    int slowed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        inlay_app *app = timed_app(&state);
        inlay_machine *machine =
            golden_machine_for(app, "crossbar:1,cores=4,memory_bandwidth=700B/%,core_bandwidth=600B/%");
        inlay_scheduled *run = NULL;
        inlay_scheduled_options options = {.scheduler = schedulers[_i]};
        ck_assert_int_eq(inlay_simulate_scheduled(app, machine, &options, &run, NULL), INLAY_OK);
        inlay_mapping *mapping = as_mapping(run, app, machine);
        slow_simulate(mapping, &(inlay_simulation_options){.contention = INLAY_CONTENTION_FREE}, slow);
        expect_time(inlay_scheduled_result(run)->makespan, slow->elapsed);
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            inlay_scheduled_module m = inlay_scheduled_module_at(run, i);
            expect_time(m.end, slow->end[i] / pow(10, inlay_app_decimals(app)));
            slowed += m.end - m.start > inlay_app_in_units(app, inlay_app_time(app, i)) * 1.01;
        }
        inlay_mapping_free(mapping);
        inlay_scheduled_free(run);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(slowed, ROUNDS);
    free(slow);
}
END_TEST

/* ---- The whole ---- */

static const char *const checked[] = {
    "crossbar:3,cores=4,memory_bandwidth=700MB/s,core_bandwidth=400MB/s",
    "bus:9,memory=common,memory_bandwidth=900MB/s,contention=none",
    "star:3,cores=3,memory_bandwidth=500MB/s,o_send=2us,contention=none",
};

/* What was mapped holds, estimate and simulated times too. */
START_TEST(checked_mappings)
{
    uint64_t state = 900 + (uint64_t)_i;
    random_times times;
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1) | RANDOM_TRAFFIC_MEMORY;
    inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, RANDOM_MODULES)), features, &times);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_options options = {.tick_seconds = 1e-6};
    const char *machine = checked[_i % 3];
    if (subject_map(app, subject_app(), machine, &options, NULL)) subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

/* ---- The optimum ---- */

enum { FEW = 4, PLACES = 4 };

static double elapsed_of(const inlay_app *app, const inlay_machine *machine, inlay_id *order, inlay_id *processor)
{
    inlay_task_schedule schedule = {.entries = FEW, .module = order, .processor = processor, .ordered = true};
    inlay_options options = {.has_time_frame = true, .time_frame = {{1000000, 0}, inlay_app_unit(app)}};
    inlay_mapping *mapping = NULL;
    double elapsed = INFINITY;
    if (inlay_evaluate_schedule(app, machine, &schedule, &options, &mapping, NULL) == INLAY_OK)
        elapsed = inlay_mapping_summary(mapping)->elapsed;
    inlay_mapping_free(mapping);
    return elapsed;
}

/* Every order of the modules on every choice of processors. */
static double shortest_of_all(const inlay_app *app, const inlay_machine *machine)
{
    double shortest = INFINITY;
    for (int at = 0; at < FEW * FEW * FEW * FEW; at++) {
        inlay_id order[FEW] = {at % FEW, at / FEW % FEW, at / FEW / FEW % FEW, at / FEW / FEW / FEW};
        unsigned all = 0;
        for (int k = 0; k < FEW; k++)
            all |= 1U << order[k];
        for (int place = 0; all == (1U << FEW) - 1 && place < PLACES * PLACES * PLACES * PLACES; place++) {
            inlay_id processor[FEW] = {place % PLACES, place / PLACES % PLACES, place / PLACES / PLACES % PLACES,
                                       place / PLACES / PLACES / PLACES};
            shortest = fmin(shortest, elapsed_of(app, machine, order, processor));
        }
    }
    return shortest;
}

/* What is called the optimum is it, and no bound is above it. */
START_TEST(the_optimum_is)
{
    static const char *const small[] = {
        "crossbar:1,cores=4,memory_bandwidth=400B/%,boards=2",
        "crossbar:2,cores=2,memory_bandwidth=300B/%,o_send=0.3%",
        "bus:4,capacity=1msg/%,memory_bandwidth=700B/%,boards=2,o_recv=0.7%",
        "crossbar:2,cores=2,o_send=3%,o_recv=0.5%",
        "bus:4,capacity=1msg/%,rendezvous=late",
        "star:2,cores=2,capacity=0.5msg/%,rendezvous=late,eager_limit=200",
    };
    uint64_t state = 300 + (uint64_t)_i;
    random_times times;
    inlay_app *app = random_app(&state, FEW, RANDOM_TRAFFIC_MEMORY, &times);
    inlay_machine *machine = golden_machine_for(app, small[_i % 6]);
    inlay_mapping *mapping = NULL;
    inlay_options options = {.has_time_frame = true, .time_frame = {{1000000, 0}, inlay_app_unit(app)}};
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
    double shortest = shortest_of_all(app, machine);
    ck_assert_double_le(inlay_mapping_largest_bound(mapping, false).value, shortest * (1 + digits));
    if (inlay_mapping_summary(mapping)->gap < 5e-5) expect_time(inlay_mapping_summary(mapping)->elapsed, shortest);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* Clusters before reduction stand behind the processors, as on more of the same: four on two memories, two on each. */
START_TEST(before_reduction)
{
    static const char *const machines_of_two[] = {"bus:2,boards=1,memory_bandwidth=15GB/s,capacity=1GB/s",
                                                  "bus:2,memory=common,memory_bandwidth=30GB/s,capacity=1GB/s",
                                                  "bus:2,memory_bandwidth=7.5GB/s,capacity=1GB/s"};
    inlay_app *app =
        subject_read(GRAPH "a [time=10, traffic_memory=100000000000]; b [time=10, traffic_memory=100000000000]; "
                           "c [time=10, traffic_memory=100000000000]; d [time=10, traffic_memory=100000000000]; }");
    inlay_machine *machine = golden_machine(machines_of_two[_i]);
    inlay_options options = {.method = inlay_method_named("houstis")};
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_summary(mapping)->reduced_from, 4);
    expect_time(inlay_mapping_summary(mapping)->estimate_unreduced, 40.0 / 3);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* Cores that are shared have no bandwidth to share: that is said. */
START_TEST(beside_shared_cores)
{
    inlay_app *app = subject_read(hand_cases[0].app);
    inlay_machine *machine = golden_machine(hand_cases[0].machine);
    inlay_options options = {.has_time_frame = true, .time_frame = {{1000, 0}, INLAY_UNIT_S}};
    inlay_mapping *mapping = NULL;
    inlay_simulation *run = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_evaluate(app, machine, hand_cases[0].processor, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(mapping, &(inlay_simulation_options){.cores = 1}, &run, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "the bandwidth of memory is left out where processors share cores");
    expect_time(inlay_simulation_result(run)->makespan, 20);
    inlay_diag_free(diag);
    inlay_simulation_free(run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_simulate_memory(void)
{
    Suite *suite = suite_create("simulate_memory");
    TCase *tests = tcase_create("simulate_memory");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, by_hand, 0, sizeof hand_cases / sizeof *hand_cases);
    tcase_add_loop_test(tests, like_the_slow_one, 0, MACHINES);
    tcase_add_loop_test(tests, scheduled_like_the_slow_one, 0, 4);
    tcase_add_loop_test(tests, the_optimum_is, 0, 40);
    tcase_add_loop_test(tests, before_reduction, 0, 3);
    tcase_add_test(tests, beside_shared_cores);
    tcase_add_loop_test(tests, checked_mappings, 0, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
