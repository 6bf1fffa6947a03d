/* The event engine beside the slow simulator and the estimate, on random applications, placements and machines. */
#include "golden.h"
#include "random_app.h"
#include "slow_run.h"
#include "sound_run.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 18, ROUNDS = 60 };

/** A random application on a random machine, its modules anywhere. */
typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
} subject;

/* % stands for the application's unit. */
static const char *const machines[] = {
    "bus:8,capacity=1msg/%",
    "bus:8,capacity=0.125msg/%,latency=2%",
    "bus:8,capacity=0.5msg/%,memory=common,message_size=700",
    "bus:8,capacity=0.5msg/%,transfers=2,message_size=400",
    "multibus:8,memories=3,buses=2,capacity=0.25msg/%",
    "multibus:8,memories=8,buses=3,capacity=0.5msg/%,transfers=2,latency=1%",
    "multibus:8,memories=2,buses=1,capacity=1msg/%",
    "bus:8,capacity=0.5msg/%,transfers=3,latency=1%",
    "multibus:8,memories=6,buses=6,capacity=0.125msg/%",
    "omega:8,cycle=1%",
    "omega:8,packets=4,cycle=1%,transit=2%",
    "omega:16,switch=4,packets=3,cycle=2%,latency=1%",
    "omega:8,cycle=1%,transfers=2",
    "omega-pe:8,packets=2,cycle=1%",
    "omega-pe:9,switch=3,packets=2,cycle=3%,transfers=2",
    "bus:8,capacity=0.5msg/%,latency=1%,broadcast=tree",
    "multibus:8,memories=8,buses=3,capacity=0.25msg/%,broadcast=tree",
    "omega:8,packets=2,cycle=1%,broadcast=tree",
    "omega-pe:8,packets=2,cycle=1%,transfers=2,latency=1%,broadcast=tree",
    "bus:8,capacity=0.5msg/%,o_send=2%,o_recv=1%",
    "bus:8,capacity=1kB/%,latency=1%,o_recv=0:3%/300:1%:0.25%",
    "multibus:8,memories=8,buses=3,capacity=0.5msg/%,transfers=2,o_send=1%:0.5%/512:9%",
    "omega-pe:8,packets=2,cycle=1%,broadcast=tree,o_send=3%,o_recv=2%",
    /* whose times are no whole grains */
    "bus:8,capacity=0.3kB/%,transfers=2.5,latency=0.7%",
    "multibus:8,memories=5,buses=3,capacity=0.7msg/%,transfers=2.3",
    "omega:8,packets=3,cycle=0.3%,transit=0.7%,transfers=2.7",
    "omega-pe:16,switch=4,packets=2,cycle=0.7%,latency=0.1%",
    "bus:8,capacity=0.5msg/%,rendezvous=late",
    "bus:8,capacity=0.3kB/%,latency=1%,o_send=1%,rendezvous=late,eager_limit=300",
    "multibus:8,memories=8,buses=3,capacity=0.25msg/%,broadcast=tree,rendezvous=late,eager_limit=200",
    "omega-pe:8,packets=2,cycle=1%,transfers=2,latency=1%,rendezvous=late,eager_limit=64",
    "bus:8,capacity=0.4kB/%,latency=1%,latency_by_size=0%:0.25%/300:4%",
};

enum { MACHINES = sizeof machines / sizeof *machines };

static subject draw(uint64_t *state, const char *format, bool cores)
{
    subject drawn = {0};
    random_times times;
    inlay_id processor[MODULES], modules = 1 + (inlay_id)random_below(state, MODULES);
    unsigned features = (unsigned)random_below(state, RANDOM_EVERYTHING + 1) & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS);
    inlay_id spread = 1 + (inlay_id)random_below(state, 8);
    if (random_once_in(state, 2)) features |= RANDOM_DATA;
    drawn.app = random_app(state, modules, features, &times);
    drawn.machine = golden_machine_for(drawn.app, format);
    for (inlay_id i = 0; i < modules; i++)
        processor[i] = (inlay_id)random_below(state, spread);
    cores = cores && inlay_machine_memory_kind(drawn.machine) == INLAY_MEMORY_COMMON;
    drawn.mapping = cores ? placed_on_cores(state, drawn.app, drawn.machine)
                          : placed_anyhow(state, drawn.app, drawn.machine, processor);
    return drawn;
}

static void clear(subject *drawn)
{
    inlay_mapping_free(drawn->mapping);
    inlay_machine_free(drawn->machine);
    inlay_app_free(drawn->app);
}

/* ---- The slow simulator ---- */

START_TEST(test_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 1;
    slow_run *slow = malloc(sizeof *slow);
    int64_t items = 0, waited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        subject drawn = draw(&state, machines[_i], round % 2 == 1);
        bool overlap = golden_needs_overlap(drawn.machine);
        inlay_simulation_options options = {.no_overlap = round % 3 == 0 && !overlap, .seed = (uint64_t)round};
        if (round % 7 == 0) options.transfer_time.kind = INLAY_SPREAD_EXPONENTIAL;
        if (round % 5 == 4) options.contention = options.no_overlap ? INLAY_CONTENTION_NONE : INLAY_CONTENTION_FREE;
        inlay_simulation *fast = simulated(drawn.mapping, &options);
        slow_simulate(drawn.mapping, &options, slow);
        expect_like_slow(fast, slow);
        items += slow->items;
        for (int m = 0; m < slow->items; m++)
            waited += slow->item[m].begin > slow->item[m].request;
        inlay_simulation_free(fast);
        /* copies that take no time have no record, and yet a place on the critical path */
        options.no_overlap = !overlap;
        options.contention = INLAY_CONTENTION_FREE;
        inlay_simulation_free(simulated(drawn.mapping, &options));
        clear(&drawn);
    }
    ck_assert_int_gt(items, 6 * ROUNDS); /* or little was compared */
    ck_assert_int_gt(waited, ROUNDS / 6);
    free(slow);
}
END_TEST

/* ---- Screens ---- */

START_TEST(test_screen_like_the_slow_one)
{
    uint64_t state = 200 + (uint64_t)_i;
    slow_run *slow = malloc(sizeof *slow);
    int differ = 0;
    for (int round = 0; round < ROUNDS; round++) {
        subject drawn = draw(&state, machines[_i], round % 2 == 1);
        inlay_simulation *run = simulated(drawn.mapping, &(inlay_simulation_options){0});
        slow_screen(drawn.mapping, INLAY_CONTENTION_QUEUES, slow);
        expect_screen(run, slow->elapsed, 0);
        differ += inlay_simulation_result(run)->makespan != screen_of(drawn.mapping, INLAY_CONTENTION_QUEUES);
        inlay_simulation_free(run);
        clear(&drawn);
    }
    ck_assert_int_gt(differ, 0); /* or it were a simulation */
    free(slow);
}
END_TEST

/* ---- The estimate: what messages take where nobody waits ---- */

START_TEST(test_alone_like_the_estimate)
{
    uint64_t state = 100 + (uint64_t)_i;
    inlay_options ages = {.has_time_frame = true, .time_frame = {{1, -13}, INLAY_UNIT_NONE}};
    for (int round = 0; round < ROUNDS; round++) {
        subject drawn = draw(&state, machines[_i], false);
        inlay_id *processor = malloc((size_t)inlay_app_modules(drawn.app) * sizeof *processor);
        for (inlay_id i = 0; i < inlay_app_modules(drawn.app); i++)
            processor[i] = inlay_mapping_cluster(drawn.mapping, inlay_mapping_cluster_of(drawn.mapping, i)).processor;
        inlay_mapping *idle = placed(drawn.app, drawn.machine, processor, &ages); /* u is next to nothing */
        inlay_simulation *run = simulated(idle, &(inlay_simulation_options){.contention = INLAY_CONTENTION_NONE});
        bool written_once = inlay_app_data(drawn.app) > 0 && inlay_machine_transfers(drawn.machine) >= 2;
        for (inlay_id i = 0; inlay_machine_model(drawn.machine) != 5 && i < inlay_app_modules(drawn.app); i++) {
            double start = inlay_simulation_start(run, i), expected = inlay_mapping_start(idle, i);
            ck_assert_double_le(start, expected + 1e-7 * fmax(1, expected));
            if (!written_once) ck_assert_double_ge(start, expected - 1e-7 * fmax(1, expected));
        }
        inlay_simulation_free(run);
        inlay_mapping_free(idle);
        free(processor);
        clear(&drawn);
    }
}
END_TEST

/* ---- Threads, seeds ---- */

static inlay_simulation *run_with(const inlay_mapping *mapping, int threads, uint64_t seed)
{
    inlay_simulation_options options = {.replications = 24,
                                        .threads = threads,
                                        .seed = seed,
                                        .module_time = {INLAY_SPREAD_NORMAL, 0.3},
                                        .transfer_time = {INLAY_SPREAD_EXPONENTIAL, 0}};
    return simulated(mapping, &options);
}

static void expect_equal(const inlay_simulation *a, const inlay_simulation *b)
{
    int64_t count;
    const double *x = inlay_simulation_makespans(a, &count), *y = inlay_simulation_makespans(b, &count);
    const inlay_simulation_summary *p = inlay_simulation_result(a), *q = inlay_simulation_result(b);
    ck_assert_int_eq(memcmp(x, y, (size_t)count * sizeof *x), 0);
    ck_assert_double_eq(p->makespan, q->makespan);
    if (count > 1) ck_assert_double_eq(p->half_width, q->half_width);
    ck_assert_int_eq(p->events, q->events);
    for (inlay_id c = 0; c < inlay_mapping_summary(inlay_simulation_mapping(a))->clusters; c++) {
        inlay_simulated_processor v = inlay_simulation_processor(a, c), w = inlay_simulation_processor(b, c);
        ck_assert_double_eq(v.busy, w.busy);
        ck_assert_double_eq(v.communicating, w.communicating);
        ck_assert_double_eq(v.blocked, w.blocked);
        ck_assert_double_eq(v.idle, w.idle);
        ck_assert_int_eq(v.sent, w.sent);
        ck_assert_int_eq(v.received, w.received);
    }
    for (size_t i = 0; i < inlay_simulation_resources(a); i++) {
        inlay_resource r = inlay_simulation_resource(a, i), s = inlay_simulation_resource(b, i);
        ck_assert_str_eq(r.name, s.name);
        ck_assert_double_eq(r.utilisation, s.utilisation);
        ck_assert_double_eq(r.mean_delay, s.mean_delay);
        ck_assert_int_eq(r.largest_queue, s.largest_queue);
    }
}

START_TEST(test_threads)
{
    uint64_t state = 500 + (uint64_t)_i;
    subject drawn = draw(&state, machines[_i], false);
    inlay_simulation *one = run_with(drawn.mapping, 1, 7);
    for (int threads = 2; threads <= 8; threads *= 2) {
        inlay_simulation *more = run_with(drawn.mapping, threads, 7);
        expect_equal(one, more);
        inlay_simulation_free(more);
    }
    inlay_simulation_free(one);
    clear(&drawn);
}
END_TEST

/* ---- Records: runs that have little are made by a loop of their own, where nothing is recorded ---- */

START_TEST(test_with_and_without_record)
{
    uint64_t state = 900 + (uint64_t)_i;
    int plain = 0;
    for (int round = 0; round < ROUNDS; round++) {
        subject drawn = draw(&state, machines[_i], round % 8 == 1);
        inlay_simulation_options options = {.contention = (inlay_contention)(round % 3 == 2 ? round / 3 % 3 : 0)};
        inlay_simulation *bare = NULL, *recorded = simulated(drawn.mapping, &options);
        ck_assert_int_eq(inlay_simulate(drawn.mapping, &options, &bare, NULL), INLAY_OK);
        ck_assert(inlay_simulation_recorded(recorded) && !inlay_simulation_recorded(bare));
        expect_equal(bare, recorded);
        plain += !inlay_mapping_summary(drawn.mapping)->streamed && inlay_app_blocks(drawn.app) == 0;
        inlay_simulation_free(bare);
        inlay_simulation_free(recorded);
        clear(&drawn);
    }
    ck_assert_int_gt(plain, ROUNDS / 20);
}
END_TEST

Suite *suite_simulate_random(void)
{
    Suite *suite = suite_create("simulate_random");
    TCase *tests = tcase_create("simulate_random");
    tcase_add_loop_test(tests, test_like_the_slow_one, 0, MACHINES);
    tcase_add_loop_test(tests, test_screen_like_the_slow_one, 0, MACHINES);
    tcase_add_loop_test(tests, test_alone_like_the_estimate, 0, MACHINES);
    tcase_add_loop_test(tests, test_threads, 0, MACHINES);
    tcase_add_loop_test(tests, test_with_and_without_record, 0, MACHINES);
    suite_add_tcase(suite, tests);
    return suite;
}
