/* What a simulation says of a run: shares of time, queues, critical path, distributions, and what it refuses. */
#include "golden.h"
#include "simulate_subject.h"
#include "sound_run.h"
#include "unit.h"

#include "mapping/mapping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a and b end at 4 and send three messages each, to c and d: a's 4..5, b's 5..6, a's 6..7, ... b's last 9..10 */
static const small_app senders = {4, 2, {4, 4, 1, 1}, {{0, 2, 3}, {1, 3, 3}}, false, {0}};
static const int apart[] = {0, 1, 2, 3};

static inlay_resource find_resource(const inlay_simulation *run, const char *name)
{
    for (size_t i = 0; i < inlay_simulation_resources(run); i++) {
        inlay_resource resource = inlay_simulation_resource(run, i);
        if (strcmp(resource.name, name) == 0) return resource;
    }
    ck_abort_msg("no resource '%s'", name);
    return (inlay_resource){0};
}

static void expect_resource(const inlay_simulation *run, const char *name, inlay_resource expected)
{
    inlay_resource said = find_resource(run, name);
    ck_assert_int_eq(said.kind, expected.kind);
    ck_assert_int_eq(said.stage, expected.stage);
    ck_assert_int_eq(said.index, expected.index);
    ck_assert_double_eq_tol(said.utilisation, expected.utilisation, 1e-12);
    ck_assert_double_eq_tol(said.mean_queue, expected.mean_queue, 1e-12);
    ck_assert_int_eq(said.largest_queue, expected.largest_queue);
    ck_assert_double_eq_tol(said.mean_delay, expected.mean_delay, 1e-12);
    ck_assert_int_eq(said.transfers, expected.transfers);
}

static void expect_processor(const inlay_simulation *run, inlay_id cluster, double busy, double communicating,
                             double blocked, double idle)
{
    inlay_simulated_processor said = inlay_simulation_processor(run, cluster);
    ck_assert_double_eq(said.busy, busy);
    ck_assert_double_eq(said.communicating, communicating);
    ck_assert_double_eq(said.blocked, blocked);
    ck_assert_double_eq(said.idle, idle);
}

START_TEST(test_bus_figures)
{
    small_case at = small_place(&senders, apart, "bus:4,memory=common");
    inlay_simulation *run = simulated(at.mapping, NULL);
    expect_processor(run, 0, 4, 5, 0, 2);
    expect_processor(run, 1, 4, 6, 0, 1);
    expect_processor(run, 2, 1, 0, 9, 1);
    expect_processor(run, 3, 1, 0, 10, 0);
    /* five of six wait one tick; a sender's second and third message wait 1 and 3 ticks with it, b's 2 and 4 */
    expect_resource(run, "bus", (inlay_resource){INLAY_RESOURCE_BUS, -1, 0, "", 6.0 / 11, 5.0 / 11, 1, 11.0 / 6, 6});
    expect_resource(run, "memory 0",
                    (inlay_resource){INLAY_RESOURCE_MEMORY, -1, 0, "", 6.0 / 11, 5.0 / 11, 1, 11.0 / 6, 6});
    expect_resource(run, "sender 0", (inlay_resource){INLAY_RESOURCE_SENDER, -1, 0, "", 5.0 / 11, 4.0 / 11, 2, 3, 3});
    expect_resource(run, "sender 1", (inlay_resource){INLAY_RESOURCE_SENDER, -1, 1, "", 6.0 / 11, 6.0 / 11, 2, 4, 3});
    expect_resource(run, "sender 2", (inlay_resource){INLAY_RESOURCE_SENDER, -1, 2, "", 0, 0, 0, 0, 0});
    const inlay_simulation_summary *sum = inlay_simulation_result(run);
    ck_assert_int_eq(sum->messages, 6);
    ck_assert_int_eq(sum->events, 4 + 6);
    ck_assert(!sum->random);
    ck_assert(isnan(sum->half_width));
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

/* From 0 and 1 to 2 and 3 in two stages of one tick, two packets: alone 1 + 1 + 1, an output is taken for 2. */
START_TEST(test_switch_figures)
{
    small_case at = small_place(&senders, apart, "omega-pe:4,packets=2");
    inlay_simulation *run = simulated(at.mapping, NULL);
    double makespan = inlay_simulation_result(run)->makespan;
    ck_assert_double_eq(makespan, 4 + 3 * 3 + 1);
    /* 0 and 1 leave the first switch through outputs 0 and 1, and go on through two switches: nobody waits */
    expect_resource(run, "switch 0.0",
                    (inlay_resource){INLAY_RESOURCE_SWITCH, 0, 0, "", 12 / makespan / 2, 0, 0, 1, 6});
    expect_resource(run, "switch 0.1", (inlay_resource){INLAY_RESOURCE_SWITCH, 0, 1, "", 0, 0, 0, 0, 0});
    expect_resource(run, "switch 1.0", (inlay_resource){INLAY_RESOURCE_SWITCH, 1, 0, "", 6 / makespan / 2, 0, 0, 1, 3});
    expect_resource(run, "switch 1.1", (inlay_resource){INLAY_RESOURCE_SWITCH, 1, 1, "", 6 / makespan / 2, 0, 0, 1, 3});
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

/* ---- The critical path ---- */

typedef struct path_case {
    const char *what;
    small_app graph;
    int processor[SMALL_MODULES];
    bool no_overlap;
    int steps;
    inlay_step step[8]; /* the message of a step is not compared */
} path_case;

static const path_case path_cases[] = {
    {"queued behind another sender",
     {4, 2, {4, 4, 1, 1}, {{0, 2, 3}, {1, 3, 3}}, false, {0}},
     {0, 1, 2, 3},
     false,
     4,
     {{INLAY_STEP_COMPUTE, 1, 0, 0, 4},
      {INLAY_STEP_QUEUE, -1, 0, 4, 7},
      {INLAY_STEP_TRANSFER, -1, 0, 7, 10},
      {INLAY_STEP_COMPUTE, 3, 0, 10, 11}}},
    {"behind a message of its own processor",
     {3, 2, {1, 1, 1}, {{0, 1, 1}, {0, 2, 1}}, false, {0}},
     {0, 1, 2},
     false,
     4,
     {{INLAY_STEP_COMPUTE, 0, 0, 0, 1},
      {INLAY_STEP_WAIT, -1, 0, 1, 2},
      {INLAY_STEP_TRANSFER, -1, 0, 2, 3},
      {INLAY_STEP_COMPUTE, 2, 0, 3, 4}}},
    {"a processor that has more to do",
     {2, 0, {3, 4}, {{0}}, false, {0}},
     {0, 0},
     false,
     2,
     {{INLAY_STEP_COMPUTE, 1, 0, 0, 4}, {INLAY_STEP_COMPUTE, 0, 0, 4, 7}}},
    {"a processor that waits for its messages",
     {3, 1, {2, 3, 4}, {{0, 1, 4}}, false, {0}},
     {0, 1, 0},
     true,
     3,
     {{INLAY_STEP_COMPUTE, 0, 0, 0, 2}, {INLAY_STEP_TRANSFER, -1, 0, 2, 6}, {INLAY_STEP_COMPUTE, 2, 0, 6, 10}}},
    {"a stream's module counts until it sends",
     {2, 1, {9, 9}, {{0, 1, 1}}, true, {0, 4}},
     {0, 1},
     false,
     3,
     {{INLAY_STEP_COMPUTE, 0, 0, 0, 4}, {INLAY_STEP_TRANSFER, -1, 0, 4, 5}, {INLAY_STEP_COMPUTE, 1, 0, 5, 14}}},
};

START_TEST(test_path)
{
    const path_case *expected = &path_cases[_i];
    small_case at = small_place(&expected->graph, expected->processor, "bus:4");
    inlay_simulation *run = simulated(at.mapping, &(inlay_simulation_options){.no_overlap = expected->no_overlap});
    size_t count;
    const inlay_step *step = inlay_simulation_path(run, &count);
    double share[3] = {0}; /* compute, wait, network */
    ck_assert_int_eq((int)count, expected->steps);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(inlay_step_name(step[i].kind), inlay_step_name(expected->step[i].kind));
        ck_assert_int_eq(step[i].module, expected->step[i].module);
        ck_assert_double_eq(step[i].from, expected->step[i].from);
        ck_assert_double_eq(step[i].to, expected->step[i].to);
        share[step[i].kind == INLAY_STEP_COMPUTE    ? 0
              : step[i].kind == INLAY_STEP_TRANSFER ? 2
                                                    : 1] +=
            (step[i].to - step[i].from) / inlay_simulation_recorded_makespan(run);
    }
    ck_assert_double_eq_tol(inlay_simulation_result(run)->compute, share[0], 1e-12);
    ck_assert_double_eq_tol(inlay_simulation_result(run)->wait, share[1], 1e-12);
    ck_assert_double_eq_tol(inlay_simulation_result(run)->network, share[2], 1e-12);
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

START_TEST(test_unrecorded)
{
    small_case at = small_place(&senders, apart, "bus:4");
    inlay_simulation *run = NULL;
    size_t count = 7;
    ck_assert_int_eq(inlay_simulate(at.mapping, NULL, &run, NULL), INLAY_OK);
    expect_sound(run);
    ck_assert(!inlay_simulation_recorded(run));
    ck_assert_ptr_null(inlay_simulation_messages(run, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_null(inlay_simulation_path(run, &count));
    ck_assert(isnan(inlay_simulation_start(run, 0)) && isnan(inlay_simulation_end(run, 0)));
    ck_assert(isnan(inlay_simulation_recorded_makespan(run)) && isnan(inlay_simulation_result(run)->compute));
    ck_assert_double_eq(inlay_simulation_result(run)->makespan, 11);
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

/* ---- Scales and types ---- */

START_TEST(test_scales)
{
    small_case at = small_place(&senders, apart, "bus:4,latency=2tick");
    /* 4, six transfers, latency of three messages, 1 */
    ck_assert_double_eq(simulated_makespan(at.mapping, NULL), 4 + 6 + 6 + 1);
    ck_assert_double_eq(simulated_makespan(at.mapping, &(inlay_simulation_options){.compute_scale = 0.5}),
                        2 + 12 + 0.5);
    ck_assert_double_eq(simulated_makespan(at.mapping, &(inlay_simulation_options){.network_scale = 3}), 4 + 36 + 1);
    const double faster[] = {1, 1, 1, 0}, slower[] = {5, 1, 1, 1};
    ck_assert_double_eq(simulated_makespan(at.mapping, &(inlay_simulation_options){.processor_scale = faster}), 16);
    /* b sends alone, 4..7; a ends at 20 and sends until 23, which is there at 29 */
    ck_assert_double_eq(simulated_makespan(at.mapping, &(inlay_simulation_options){.processor_scale = slower}), 30);
    small_clear(&at);
}
END_TEST

START_TEST(test_processor_type)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("typed", INLAY_UNIT_TICK);
    static const inlay_id processor[] = {0, 0};
    inlay_app_add_module(builder, &(inlay_module){.name = "a", .time = {{10, 0}, INLAY_UNIT_TICK}}, NULL);
    inlay_app_add_module(builder, &(inlay_module){.name = "b", .time = {{20, 0}, INLAY_UNIT_TICK}}, NULL);
    inlay_app_add_type_time(builder, 0, "gpu", (inlay_duration){{1, 0}, INLAY_UNIT_TICK}, NULL);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    static const char *const machines[] = {"bus:2", "bus:2,type=gpu", "bus:2,type=cpu"};
    static const double expected[] = {30, 21, 30};
    for (int i = 0; i < 3; i++) {
        inlay_simulation *run = NULL;
        inlay_machine *machine = golden_machine(machines[i]);
        inlay_mapping *mapping = placed(app, machine, processor, NULL);
        ck_assert_int_eq(inlay_simulate(mapping, NULL, &run, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_simulation_result(run)->makespan, expected[i]);
        inlay_simulation_free(run);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
    }
    inlay_app_free(app);
}
END_TEST

/* ---- Distributions and replications ---- */

static const small_app single = {1, 0, {100}, {{0}}, false, {0}};
static const small_app message = {2, 1, {0, 0}, {{0, 1, 1}}, false, {0}};

enum { REPLICATIONS = 4000 };

/* Makespans that are one draw each, of mean 1. */
static inlay_simulation *draw_times(const small_case *at, inlay_spread modules, inlay_spread transfers, uint64_t seed)
{
    return simulated(at->mapping, &(inlay_simulation_options){.module_time = modules,
                                                              .transfer_time = transfers,
                                                              .replications = REPLICATIONS,
                                                              .seed = seed});
}

static const struct {
    inlay_spread spread;
    double cv, least, most;
} spreads[] = {
    {{INLAY_SPREAD_EXPONENTIAL, 0}, 1, 0, INFINITY},
    {{INLAY_SPREAD_UNIFORM, 0.4}, 0.4, 1 - 0.4 * 1.7320508, 1 + 0.4 * 1.7320508},
    {{INLAY_SPREAD_NORMAL, 0.25}, 0.25, 0, 2},
    {{INLAY_SPREAD_CONSTANT, 0}, 0, 1, 1},
    {{INLAY_SPREAD_UNIFORM, 0}, 0, 1, 1},
};

static void expect_spread(const inlay_simulation *run, int i, double unit)
{
    int64_t count;
    const double *makespan = inlay_simulation_makespans(run, &count);
    double sum = 0, squares = 0;
    ck_assert_int_eq(count, REPLICATIONS);
    for (int64_t r = 0; r < count; r++) {
        double factor = makespan[r] / unit;
        ck_assert(factor >= spreads[i].least - 1e-9 && factor <= spreads[i].most + 1e-9);
        sum += factor;
        squares += factor * factor;
    }
    double mean = sum / REPLICATIONS, deviation = sqrt(fmax(0, squares / REPLICATIONS - mean * mean));
    ck_assert_double_eq_tol(mean, 1, 4 * spreads[i].cv / sqrt(REPLICATIONS) + 1e-12);
    ck_assert_double_eq_tol(deviation, spreads[i].cv, 0.08 * spreads[i].cv + 1e-7);
    ck_assert(inlay_simulation_result(run)->random == (spreads[i].cv > 0));
}

START_TEST(test_spreads)
{
    const inlay_spread constant = {INLAY_SPREAD_CONSTANT, 0};
    small_case alone = small_place(&single, apart, "bus:4"), sent = small_place(&message, apart, "bus:4");
    inlay_simulation *run = draw_times(&alone, spreads[_i].spread, constant, 1);
    expect_spread(run, _i, 100);
    inlay_simulation_free(run);
    run = draw_times(&sent, constant, spreads[_i].spread, 1);
    expect_spread(run, _i, 1);
    inlay_simulation_free(run);
    small_clear(&alone);
    small_clear(&sent);
}
END_TEST

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Mean, interval and quantiles from their definitions. t(0.975) of 19 degrees of freedom is 2.093024. */
START_TEST(test_interval)
{
    enum { RUNS = 20 };
    inlay_simulation_options options = {
        .replications = RUNS, .module_time = {INLAY_SPREAD_EXPONENTIAL, 0}, .seed = 3, .threads = 2};
    small_case at = small_place(&senders, apart, "bus:4");
    inlay_simulation *run = simulated(at.mapping, &options);
    const inlay_simulation_summary *sum = inlay_simulation_result(run);
    int64_t count;
    double sorted[RUNS], mean = 0, squares = 0;
    memcpy(sorted, inlay_simulation_makespans(run, &count), sizeof sorted);
    qsort(sorted, RUNS, sizeof *sorted, compare_doubles);
    for (int r = 0; r < RUNS; r++)
        mean += sorted[r] / RUNS;
    for (int r = 0; r < RUNS; r++)
        squares += (sorted[r] - mean) * (sorted[r] - mean);
    ck_assert_double_eq_tol(sum->makespan, mean, 1e-9);
    ck_assert_double_eq_tol(sum->half_width, 2.093024 * sqrt(squares / (RUNS - 1) / RUNS), 1e-5);
    ck_assert_double_eq_tol(sum->p50, (sorted[9] + sorted[10]) / 2, 1e-9);
    ck_assert_double_eq_tol(sum->p05, sorted[0] + 0.95 * (sorted[1] - sorted[0]), 1e-9);
    ck_assert_double_eq_tol(sum->p95, sorted[18] + 0.05 * (sorted[19] - sorted[18]), 1e-9);
    ck_assert_double_eq(sum->least, sorted[0]);
    ck_assert_double_eq(sum->most, sorted[19]);
    ck_assert(sorted[0] < sorted[19]);
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

/* Two networks, one seed: the modules take the same times. Two seeds: they do not. */
START_TEST(test_common_random_numbers)
{
    inlay_simulation_options options = {.module_time = {INLAY_SPREAD_UNIFORM, 0.5}, .seed = 4};
    small_case slow = small_place(&senders, apart, "bus:4,capacity=0.1msg/tick");
    small_case fast = small_place(&senders, apart, "omega:4");
    inlay_simulation *a = simulated(slow.mapping, &options), *b = simulated(fast.mapping, &options);
    options.seed = 5;
    inlay_simulation *other = simulated(slow.mapping, &options);
    for (inlay_id c = 0; c < 4; c++) {
        double busy = inlay_simulation_processor(a, c).busy;
        ck_assert_double_eq(busy, inlay_simulation_processor(b, c).busy);
        ck_assert_double_ne(busy, inlay_simulation_processor(other, c).busy);
    }
    inlay_simulation_free(a);
    inlay_simulation_free(b);
    inlay_simulation_free(other);
    small_clear(&slow);
    small_clear(&fast);
}
END_TEST

/* ---- Refusals ---- */

START_TEST(test_refusals)
{
    static const double bad[] = {1, 1, 1, -1};
    static const struct {
        inlay_simulation_options options;
        int status;
        const char *message;
    } cases[] = {
        {{.contention = (inlay_contention)3}, INLAY_BAD_ARGUMENT, "contention is 3; expected 0 to 2"},
        {{.replications = -1}, INLAY_BAD_ARGUMENT, "-1 replications are asked for; expected 1 to 2147483647"},
        {{.module_time = {INLAY_SPREAD_NORMAL, 1.5}},
         INLAY_BAD_ARGUMENT,
         "module times are normal with a coefficient of variation of 1.5; expected 0 to 1"},
        {{.transfer_time = {(inlay_spread_kind)9, 0}},
         INLAY_BAD_ARGUMENT,
         "transfer times have distribution 9; expected 0 to 3"},
        {{.compute_scale = -1}, INLAY_BAD_ARGUMENT, "module times are scaled by -1; expected 0 to 1e+09"},
        {{.network_scale = NAN}, INLAY_BAD_ARGUMENT, "transfer times are scaled by nan; expected 0 to 1e+09"},
        {{.processor_scale = bad}, INLAY_BAD_ARGUMENT, "module times are scaled by -1; expected 0 to 1e+09"},
    };
    small_case at = small_place(&senders, apart, "bus:4");
    inlay_simulation *run = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_simulate(at.mapping, &cases[_i].options, &run, diag), cases[_i].status);
    ck_assert_str_eq(inlay_diag_message(diag), cases[_i].message);
    ck_assert_ptr_null(run);
    inlay_diag_free(diag);
    small_clear(&at);
}
END_TEST

/* An order that no mapping of today has: a module before the one that it waits for. */
START_TEST(test_stuck)
{
    static const small_app pair = {2, 1, {3, 4}, {{0, 1, 1}}, false, {0}};
    static const int together[] = {0, 0};
    small_case at = small_place(&pair, together, "bus:4");
    inlay_simulation *run = NULL;
    inlay_diag *diag = inlay_diag_new();
    at.mapping->lists.module[0] = 1;
    at.mapping->lists.module[1] = 0;
    for (int threads = 1; threads <= 2; threads++) {
        inlay_simulation_options options = {.replications = 3, .threads = threads};
        ck_assert_int_eq(inlay_simulate(at.mapping, &options, &run, diag), INLAY_NO_ANSWER);
        ck_assert_str_eq(inlay_diag_message(diag), "module 'b' waits for one that comes after it in the order of its "
                                                   "processor, or of another that waits too");
        ck_assert_ptr_null(run);
    }
    ck_assert_int_eq(inlay_simulate(NULL, NULL, &run, NULL), INLAY_BAD_ARGUMENT);
    inlay_diag_free(diag);
    small_clear(&at);
}
END_TEST

Suite *suite_simulate_figures(void)
{
    Suite *suite = suite_create("simulate_figures");
    TCase *tests = tcase_create("simulate_figures");
    tcase_add_test(tests, test_bus_figures);
    tcase_add_test(tests, test_switch_figures);
    tcase_add_loop_test(tests, test_path, 0, (int)(sizeof path_cases / sizeof *path_cases));
    tcase_add_test(tests, test_unrecorded);
    tcase_add_test(tests, test_scales);
    tcase_add_test(tests, test_processor_type);
    tcase_add_loop_test(tests, test_spreads, 0, (int)(sizeof spreads / sizeof *spreads));
    tcase_add_test(tests, test_interval);
    tcase_add_test(tests, test_common_random_numbers);
    tcase_add_loop_test(tests, test_refusals, 0, 7);
    tcase_add_test(tests, test_stuck);
    suite_add_tcase(suite, tests);
    return suite;
}
