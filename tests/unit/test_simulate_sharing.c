/* Links that messages share: by hand, SimGrid's formulas for one message, beside the slow simulator, and `inlay check`. */
#include "check_subject.h"
#include "drawn.h"
#include "golden.h"
#include "random_app.h"
#include "slow_run.h"
#include "sound_run.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { MODULES = 18, ROUNDS = DRAWN_SHARING, HOSTS = 6 };

static const double digits = 1e-8; /* of a time: sums are taken in different orders, and rates by bisection */

static void expect_time(double a, double b)
{
    ck_assert_double_eq_tol(a, b, digits * fmax(1, fabs(b)));
}

/* ---- By hand ---- */

typedef struct hand_case {
    const char *app, *machine;
    inlay_id processor[6];
    double start[6]; /* NaN: not looked at */
} hand_case;

#define GRAPH "digraph { graph [time_unit=s]; "
#define STAR  "star:6,capacity=10B/s"

static const hand_case hand_cases[] = {
    /* one alone has all; 1 + 2 x 3 s of latency */
    {GRAPH "a [time=1]; b [time=1]; a -> b [bytes=100]; }", STAR ",contention=sharing", {0, 1}, {0, 11}},
    {GRAPH "a [time=1]; b [time=1]; a -> b [bytes=100]; }",
     STAR ",link_latency=3s,contention=sharing",
     {0, 1},
     {0, 17}},
    /* two on the sender's link have half each, where first come gives 11 and 21 */
    {GRAPH "a [time=1]; b [time=1]; c [time=1]; a -> b [bytes=100]; a -> c [bytes=100]; }",
     STAR ",contention=sharing",
     {0, 1, 2},
     {0, 21, 21}},
    /* 100 and 50: both at 5 until 1 + 10, then the other alone with 50 left at 10 */
    {GRAPH "a [time=1]; b [time=1]; c [time=1]; a -> b [bytes=100]; a -> c [bytes=50]; }",
     STAR ",contention=sharing",
     {0, 1, 2},
     {0, 16, 11}},
    /* a -> c and b -> c meet at c, b -> d has what b -> c leaves: 5, 5 and 5; c has all at 21 and d too */
    {GRAPH "a [time=1]; b [time=1]; c [time=1]; d [time=1]; a -> c [bytes=100]; b -> c [bytes=100]; b -> d "
           "[bytes=100]; }",
     STAR ",contention=sharing",
     {0, 1, 2, 3},
     {0, 0, 21, 21}},
    /* max-min: three at c have 10/3 each; a -> d shares a with one of them and gets the other 20/3: there at 1 + 15 */
    {GRAPH "a [time=1]; b [time=1]; e [time=1]; c [time=1]; d [time=1]; a -> c [bytes=100]; b -> c [bytes=100]; e -> c "
           "[bytes=100]; a -> d [bytes=100]; }",
     STAR ",contention=sharing",
     {0, 1, 2, 3, 4},
     {0, 0, 0, 31, 16}},
    /* on parallel links nobody has to share */
    {GRAPH "a [time=1]; b [time=1]; c [time=1]; a -> b [bytes=100]; a -> c [bytes=100]; }",
     "crossbar:3,capacity=10B/s,contention=sharing",
     {0, 1, 2},
     {0, 11, 11}},
    /* cm02: 2 s and 1 s of latency (two links, one link) weigh 1 to 2 where they share the ring's first link */
    {GRAPH "a [time=1]; b [time=1]; c [time=1]; a -> b [bytes=100]; a -> c [bytes=200]; }",
     "ring:6,capacity=10B/s,link_latency=1s,contention=cm02",
     {0, 1, 2},
     /* b's begins at 2 and has 10 until 3, then 20/3: 90 left take 13.5; c's has 45 by then, and 155 left at 10 */
     {0, 16.5, 32}},
    /* several messages go as one */
    {GRAPH "a [time=1]; b [time=1]; a -> b [messages=4, bytes=100]; }",
     STAR ",link_latency=3s,contention=sharing",
     {0, 1},
     {0, 17}},
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
        expect_time(inlay_simulation_start(run, i), c->start[i]);
    inlay_simulation_free(run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- One message, as SimGrid has it ---- */

/* LV08: 13.01 times the latency, 0.97 of the bandwidth, and no more than 4 MiB in twice the latency. */
START_TEST(one_message_like_simgrid)
{
    static const double bytes[] = {1, 1e3, 1e6, 1e9}, latency[] = {0, 1e-5, 1e-3, 0.1}, rate[] = {1e6, 1e8, 1e10};
    double size = bytes[_i % 4], l = latency[_i / 4 % 4], b = rate[_i / 16];
    char app_text[200], machine_text[200];
    snprintf(app_text, sizeof app_text, GRAPH "a [time=0]; b [time=1]; a -> b [bytes=%.0f]; }", size);
    snprintf(machine_text, sizeof machine_text, "star:2,capacity=%.0fB/s,link_latency=%.0fus,contention=lv08", b,
             l * 1e6);
    inlay_app *app = subject_read(app_text);
    inlay_machine *machine = golden_machine(machine_text);
    inlay_options options = {.has_time_frame = true, .time_frame = {{1000000000, 0}, INLAY_UNIT_S}};
    inlay_mapping *mapping = NULL;
    inlay_id processor[] = {0, 1};
    ck_assert_int_eq(inlay_evaluate(app, machine, processor, &options, &mapping, NULL), INLAY_OK);
    double bound = l > 0 ? 4194304 / (2 * 2 * l) : INFINITY;
    double expected = 13.01 * 2 * l + size / fmin(0.97 * b, bound) + 1;
    ck_assert_double_eq_tol(inlay_mapping_summary(mapping)->elapsed, expected, 1e-9 * expected);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- The slow simulator ---- */

/* % stands for the application's unit. */
static const char *const machines[] = {
    "star:6,capacity=0.31kB/%,contention=sharing",
    "mesh:3x2,capacity=0.4kB/%,link_latency=1.3%,contention=cm02",
    "fattree:3x2,up=1x2,capacity=0.3kB/%,link_latency=0.7%,contention=lv08",
    "ring:6,capacity=0.37msg/%,link_latency=0.9%,duplex=half,contention=cm02",
    "torus:3x2,capacity=0.5kB/%,cores=2,link_latency=0.3%,contention=lv08,o_send=1%",
    "dragonfly:2x2x2x1,capacity=0.2kB/%,broadcast=tree,contention=sharing,latency=1.1%",
    "mesh:3x2,capacity=0.37kB/%,link_latency=0.9%,contention=cm02,rendezvous=late",
};
enum { MACHINES = sizeof machines / sizeof *machines };

/*
 * Two that happen at one time, which exact figures make likely, may come in either order: then what follows differs, so that
 * odd capacities and sizes are taken; what differs all the same is counted.
 */
START_TEST(like_the_slow_one)
{
    uint64_t state = 17000 + (uint64_t)_i;
    slow_run *slow = malloc(sizeof *slow);
    int longer = 0, other = 0;
    for (int round = 0; round < ROUNDS; round++) {
        random_times times;
        unsigned features =
            (unsigned)random_below(&state, RANDOM_EVERYTHING + 1) & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS);
        inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, MODULES), features, &times);
        inlay_machine *machine = golden_machine_for(app, machines[_i]);
        inlay_id processor[MODULES];
        for (inlay_id i = 0; i < inlay_app_modules(app); i++)
            processor[i] = (inlay_id)random_below(&state, HOSTS);
        inlay_mapping *mapping = placed_anyhow(&state, app, machine, processor);
        bool overlap = round % 4 != 1 || golden_needs_overlap(machine);
        inlay_simulation_options options = {.record = true, .no_overlap = !overlap};
        inlay_simulation *fast = NULL, *bare = NULL;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &fast, NULL), INLAY_OK);
        slow_simulate(mapping, &options, slow);
        double makespan = inlay_simulation_result(fast)->makespan;
        other += fabs(makespan - slow->elapsed) > digits * fmax(1, slow->elapsed);
        options.record = false;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &bare, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_simulation_result(bare)->makespan, makespan);
        inlay_simulation_free(bare);
        options.contention = INLAY_CONTENTION_NONE;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &bare, NULL), INLAY_OK);
        longer += makespan > inlay_simulation_result(bare)->makespan * 1.001;
        inlay_simulation_free(bare);
        inlay_simulation_free(fast);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_eq(other, 0);
    ck_assert_int_gt(longer, ROUNDS / 6); /* or nothing was shared */
    free(slow);
}
END_TEST

/* ---- The whole ---- */

static const char *const checked[] = {
    "star:9,capacity=310MB/s,link_latency=2us,contention=sharing",
    "mesh:3x3,capacity=0.41GB/s,link_latency=1us,contention=lv08",
    "hypercube:16,capacity=2.3msg/us,link_latency=100ns,contention=cm02",
};

START_TEST(checked_mappings)
{
    uint64_t state = 1900 + (uint64_t)_i;
    random_times times;
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, RANDOM_MODULES)), features, &times);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_options options = {.tick_seconds = 1e-6};
    const char *machine = checked[_i % 3];
    if (subject_map(app, subject_app(), machine, &options, NULL)) subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_simulate_sharing(void)
{
    Suite *suite = suite_create("simulate_sharing");
    TCase *tests = tcase_create("simulate_sharing");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, by_hand, 0, sizeof hand_cases / sizeof *hand_cases);
    tcase_add_loop_test(tests, one_message_like_simgrid, 0, 48);
    tcase_add_loop_test(tests, like_the_slow_one, 0, MACHINES);
    tcase_add_loop_test(tests, checked_mappings, 0, DRAWN_CHECK);
    suite_add_tcase(suite, tests);
    return suite;
}
