/* How sure a makespan is, by what the machine says of its figures. */
#include "check_subject.h"
#include "golden.h"
#include "unit.h"

#include <inlay/simulate.h>
#include <math.h>

static const char one[] = "digraph { graph [time_unit=s]; a [time=100]; }";
static const char moving[] = "digraph { graph [time_unit=s]; a [time=100, traffic_memory=200000000000]; }";
static const char pair[] = "digraph { graph [time_unit=s]; a [time=0]; b [time=0]; a -> b [messages=100]; }";
static const char chain[] =
    "digraph { graph [time_unit=s]; node [time=1]; "
    "a0 -> a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> a7 -> a8 -> a9 -> b0 -> b1 -> b2 -> b3 -> b4 -> b5 -> "
    "b6 -> b7 -> b8 -> b9 -> c0 -> c1 -> c2 -> c3 -> c4; }";

/* In standard deviations, an interval of 90 % of a normal distribution has this on either side, one of 50 % the other. */
static const double ninety = 1.645, fifty = 0.6745;

static inlay_simulation *run(const char *text, const char *machine_text, bool apart, inlay_simulation_options options)
{
    static inlay_app *app;
    static inlay_machine *machine;
    static inlay_mapping *mapping;
    inlay_id processor[32] = {0, apart};
    inlay_options framed = {.has_time_frame = true, .time_frame = {{100000, 0}, INLAY_UNIT_S}};
    inlay_simulation *simulation = NULL;
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    app = subject_read(text);
    machine = golden_machine(machine_text);
    mapping = NULL;
    ck_assert_int_eq(inlay_evaluate(app, machine, processor, &framed, &mapping, NULL), INLAY_OK);
    options.interval = true;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    return simulation;
}

/* The ends of an interval of 200 runs lie this near to where they should, in standard deviations: three of a quantile. */
static void expect_interval(inlay_simulation *s, double mean, double deviation, double wide)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(s);
    ck_assert_double_eq_tol(sum->makespan, mean, 1e-9 * mean);
    ck_assert_double_eq_tol(sum->low, mean - wide * deviation, 0.45 * deviation);
    ck_assert_double_eq_tol(sum->high, mean + wide * deviation, 0.45 * deviation);
    inlay_simulation_free(s);
}

START_TEST(what_the_machine_doubts)
{
    const inlay_simulation_options plain = {.seed = (uint64_t)_i};
    expect_interval(run(one, "bus:2,time_error=0.1", false, plain), 100, 10, ninety);
    expect_interval(run(one, "bus:2,time_spread=0.05", false, plain), 100, 5, ninety);
    expect_interval(run(one, "bus:2,time_error=0.03,time_spread=0.04", false, plain), 100, 5, ninety);
    expect_interval(run(one, "bus:2,time_error=0.1", false, (inlay_simulation_options){.confidence = 0.5}), 100, 10,
                    fifty);
    /* of 25 modules one after the other what each has for itself is a fifth of that; what they have in common stays */
    expect_interval(run(chain, "bus:2,time_spread=0.1", false, plain), 25, 0.5, ninety);
    expect_interval(run(chain, "bus:2,time_error=0.1", false, plain), 25, 2.5, ninety);
    expect_interval(run(pair, "bus:2,capacity=2msg/s,network_error=0.1,time_error=0.2", true, plain), 50, 5, ninety);
    expect_interval(run(pair, "crossbar:2,capacity=2msg/s,network_error=0.1", true, plain), 50, 5, ninety);
    expect_interval(run(pair, "bus:2,capacity=1000msg/s,latency=1s,network_error=0.1", true, plain), 100.1, 10.01,
                    ninety);
    /* memory, which makes a module twice as long, hides no doubt of it */
    expect_interval(run(moving, "bus:2,memory_bandwidth=1GB/s,time_error=0.1", false, plain), 200, 20, ninety);
    /* latencies of links are in doubt as all times of messages are */
    expect_interval(run(pair, "star:2,capacity=1000msg/s,link_latency=50s,network_error=0.1", true, plain), 100.101,
                    10.01, ninety);
    expect_interval(
        run(pair, "star:2,capacity=1000msg/s,link_latency=50s,contention=cm02,network_error=0.1", true, plain), 100.1,
        10.01, ninety);
}
END_TEST

/* Nobody doubts, or asks. */
START_TEST(none)
{
    inlay_simulation *s = run(one, "bus:2", false, (inlay_simulation_options){0});
    ck_assert(isnan(inlay_simulation_result(s)->low) && isnan(inlay_simulation_result(s)->high));
    const inlay_mapping *mapping = inlay_simulation_mapping(s);
    inlay_simulation *bad = NULL;
    inlay_simulation_options options = {.confidence = 1};
    ck_assert_int_eq(inlay_simulate(mapping, &options, &bad, NULL), INLAY_BAD_ARGUMENT);
    inlay_simulation_free(s);
}
END_TEST

/* The same on any number of threads, and nothing else changes. */
START_TEST(same_on_threads)
{
    static const char machine[] = "bus:2,capacity=1msg/s,time_error=0.1,network_error=0.2,time_spread=0.1";
    double low = 0, high = 0, makespan = 0;
    for (int threads = 1; threads <= 4; threads++) {
        inlay_simulation_options options = {.threads = threads, .record = true};
        inlay_simulation *s = run(chain, machine, true, options);
        const inlay_simulation_summary *sum = inlay_simulation_result(s);
        if (threads > 1) ck_assert(sum->low == low && sum->high == high && sum->makespan == makespan);
        low = sum->low;
        high = sum->high;
        makespan = sum->makespan;
        ck_assert(low < makespan && makespan < high);
        inlay_simulation_free(s);
    }
    inlay_simulation *plain = run(chain, "bus:2,capacity=1msg/s", true, (inlay_simulation_options){0});
    ck_assert_double_eq(inlay_simulation_result(plain)->makespan, makespan);
    inlay_simulation_free(plain);
}
END_TEST

Suite *suite_simulate_interval(void)
{
    Suite *suite = suite_create("simulate_interval");
    TCase *tests = tcase_create("simulate_interval");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, what_the_machine_doubts, 1, 4);
    tcase_add_test(tests, none);
    tcase_add_test(tests, same_on_threads);
    suite_add_tcase(suite, tests);
    return suite;
}
