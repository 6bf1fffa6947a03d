/* The event engine on machines with links: by hand, by the rules' sums, and where nothing takes time. */
#include "golden.h"
#include "simulate_subject.h"
#include "sound_links.h"
#include "sound_run.h"
#include "unit.h"

#include <stdio.h>

/* ---- Times by hand ---- */

typedef struct hand_case {
    const char *what;
    const small_app *graph;
    int processor[SMALL_MODULES];
    const char *machine;
    bool no_overlap;
    double start[SMALL_MODULES], makespan;
} hand_case;

static const small_app pair = {2, 1, {3, 4}, {{0, 1, 1}}, false, {0}};
static const small_app train = {2, 1, {3, 4}, {{0, 1, 3}}, false, {0}};
/* a sends one message to b and one to c */
static const small_app two_links = {3, 2, {1, 1, 1}, {{0, 1, 1}, {0, 2, 1}}, false, {0}};
/* a and b send one message each, to c and d */
static const small_app senders = {4, 2, {4, 5, 1, 1}, {{0, 2, 1}, {1, 3, 1}}, false, {0}};
/* a sends four messages to b, then computes on as c */
static const small_app sender = {3, 1, {2, 3, 4}, {{0, 1, 4}}, false, {0}};
static const small_app both_ways = {4, 2, {4, 4, 1, 1}, {{0, 2, 1}, {1, 3, 1}}, false, {0}};

static const hand_case hand_cases[] = {
    {"one hop: 2 of service, 1 of latency",
     &pair,
     {0, 1},
     "mesh:4,capacity=0.5msg/tick,link_latency=1tick",
     false,
     {0, 6},
     10},
    {"three hops: three services, three latencies",
     &pair,
     {0, 3},
     "mesh:4,capacity=0.5msg/tick,link_latency=1tick",
     false,
     {0, 12},
     16},
    {"cut-through: one service, three latencies",
     &pair,
     {0, 3},
     "mesh:4,capacity=0.5msg/tick,link_latency=1tick,switching=cut-through",
     false,
     {0, 8},
     12},
    {"two transfers double the service", &pair, {0, 3}, "mesh:4,transfers=2,link_latency=1tick", false, {0, 12}, 16},
    {"the machine's latency once a message, behind",
     &train,
     {0, 1},
     "mesh:4,latency=10tick",
     false,
     {0, 3 + 3 + 30},
     40},
    {"cores of one host", &train, {0, 1}, "mesh:4,cores=2,link_latency=1tick", false, {0, 3}, 7},
    {"whose machine has a latency", &train, {0, 1}, "mesh:4,cores=2,latency=10tick", false, {0, 33}, 37},
    {"and of two", &train, {1, 2}, "mesh:4,cores=2,link_latency=1tick", false, {0, 7}, 11},
    /* messages follow each other: 3 services on the first link, one on each of the others */
    {"a train of three over three hops", &train, {0, 3}, "mesh:4", false, {0, 8}, 12},
    {"cut-through, a train of three: 3 services", &train, {0, 3}, "mesh:4,switching=cut-through", false, {0, 6}, 10},
    /* both are due at 1 and leave by different links */
    {"two trains of one processor at once", &two_links, {1, 0, 2}, "mesh:4", false, {0, 2, 2}, 3},
    {"and one behind the other on one link", &two_links, {0, 1, 2}, "mesh:4", false, {0, 2, 4}, 5},
    /* a's 4..6 to 1, where it waits for b's of 5..7; both take 7..9, a's to 2 and b's from there */
    {"who asks first is served first", &senders, {0, 1, 2, 3}, "mesh:4,capacity=0.5msg/tick", false, {0, 0, 9, 9}, 10},
    {"a shared cable carries one way after the other", &both_ways, {0, 1, 1, 0}, "mesh:2,duplex=half", false, {0}, 7},
    {"and else both at once", &both_ways, {0, 1, 1, 0}, "mesh:2", false, {0}, 6},
    {"computing goes on while messages are sent", &sender, {0, 1, 0}, "mesh:4", false, {0, 6, 2}, 9},
    {"and without overlap it waits for them", &sender, {0, 1, 0}, "mesh:4", true, {0, 6, 6}, 10},
    {"until they have arrived", &sender, {0, 1, 0}, "mesh:4,latency=1tick,link_latency=2tick", true, {0, 12, 12}, 16},
};

START_TEST(test_by_hand)
{
    const hand_case *hand = &hand_cases[_i];
    small_case at = small_place(hand->graph, hand->processor, hand->machine);
    inlay_simulation *run = links_simulated(at.mapping, (inlay_simulation_options){.no_overlap = hand->no_overlap});
    for (int i = 0; hand->start[1] > 0 && i < hand->graph->modules; i++)
        ck_assert_msg(inlay_simulation_start(run, i) == hand->start[i], "%s: module %d starts at %g, not %g",
                      hand->what, i, inlay_simulation_start(run, i), hand->start[i]);
    ck_assert_msg(inlay_simulation_result(run)->makespan == hand->makespan, "%s: %g, not %g", hand->what,
                  inlay_simulation_result(run)->makespan, hand->makespan);
    inlay_simulation_free(run);
    small_clear(&at);
}
END_TEST

/* ---- One message by itself: the sums of the rules ---- */

START_TEST(test_formulas)
{
    static const char *const format[] = {"mesh:%dx%d,capacity=3kB/s,link_latency=0.7s",
                                         "torus:%dx%d,capacity=3kB/s,link_latency=0.7s,switching=cut-through"};
    for (int side = 2; side < 6; side++) {
        char text[100];
        snprintf(text, sizeof text, format[_i], side, side);
        inlay_machine *machine = golden_machine(text);
        for (inlay_id to = 1; to < side * side; to++) {
            inlay_app *app = NULL;
            inlay_app_builder *builder = inlay_app_builder_new("one", INLAY_UNIT_S);
            inlay_app_add_module(builder, &(inlay_module){.name = "a", .time = {{1, 0}, INLAY_UNIT_S}}, NULL);
            inlay_app_add_module(builder, &(inlay_module){.name = "b", .time = {{1, 0}, INLAY_UNIT_S}}, NULL);
            inlay_app_add_link(builder, 0, 1, 1, 1000 * to, 0, NULL);
            ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
            inlay_app_builder_free(builder);
            inlay_mapping *mapping = placed(app, machine, (const inlay_id[]){0, to}, NULL);
            double hops = inlay_machine_distance(machine, 0, to), service = to / 3.0;
            double time = hops * 0.7 + (_i == 0 ? hops : 1) * service;
            inlay_simulation *run = links_simulated(mapping, (inlay_simulation_options){0});
            ck_assert_double_eq_tol(inlay_simulation_result(run)->makespan, 2 + time, 1e-12 * time);
            inlay_simulation_free(run);
            inlay_mapping_free(mapping);
            inlay_app_free(app);
        }
        inlay_machine_free(machine);
    }
}
END_TEST

/* ---- Extremes ---- */

/* What takes no time happens at one time: no bytes, no latency, no capacity to wait for. */
START_TEST(test_nothing_takes_time)
{
    static const char *const machine[] = {"mesh:8,capacity=1kB/tick", "mesh:8,capacity=1kB/tick,switching=cut-through",
                                          "star:8,capacity=1kB/tick,transfers=3", "ring:8,cores=8"};
    small_app graph = {4, 6, {0}, {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}, {1, 2, 1}, {1, 3, 5}, {2, 3, 1}}, false, {0}};
    small_case at = small_place(&graph, (const int[]){0, 3, 6, 7}, machine[_i]);
    for (int no_overlap = 0; no_overlap < 2; no_overlap++) {
        inlay_simulation *run = NULL;
        inlay_simulation_options options = {.no_overlap = no_overlap, .record = true};
        ck_assert_int_eq(inlay_simulate(at.mapping, &options, &run, NULL), INLAY_OK);
        const inlay_simulation_summary *sum = inlay_simulation_result(run);
        ck_assert_double_eq(sum->makespan, 0);
        ck_assert_int_eq(sum->messages, 13);
        for (size_t i = 0; i < inlay_simulation_resources(run); i++)
            ck_assert_double_eq(inlay_simulation_resource(run, i).utilisation, 0);
        inlay_simulation_free(run);
    }
    small_clear(&at);
}
END_TEST

/* Links without a capacity, in seconds: latency alone, and a message goes as soon as the one before. */
START_TEST(test_latency_alone)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("late", INLAY_UNIT_MS);
    inlay_app_add_module(builder, &(inlay_module){.name = "a", .time = {{1, 0}, INLAY_UNIT_MS}}, NULL);
    inlay_app_add_module(builder, &(inlay_module){.name = "b", .time = {{1, 0}, INLAY_UNIT_MS}}, NULL);
    inlay_app_add_link(builder, 0, 1, 1000, INT64_C(1) << 50, 0, NULL);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    inlay_machine *machine = golden_machine("ring:8,link_latency=2s");
    inlay_mapping *mapping = placed(app, machine, (const inlay_id[]){0, 4}, NULL);
    for (int contention = INLAY_CONTENTION_QUEUES; contention <= INLAY_CONTENTION_FREE; contention++) {
        inlay_simulation_options options = {.contention = (inlay_contention)contention};
        double expected = contention == INLAY_CONTENTION_FREE ? 2 : 2 + 4 * 2000;
        inlay_simulation *run = NULL;
        ck_assert_int_eq(inlay_simulate(mapping, &options, &run, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_simulation_result(run)->makespan, expected);
        inlay_simulation_free(run);
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_simulate_links(void)
{
    Suite *suite = suite_create("simulate_links");
    TCase *tests = tcase_create("simulate_links");
    tcase_add_loop_test(tests, test_by_hand, 0, (int)(sizeof hand_cases / sizeof *hand_cases));
    tcase_add_loop_test(tests, test_formulas, 0, 2);
    tcase_add_loop_test(tests, test_nothing_takes_time, 0, 4);
    tcase_add_test(tests, test_latency_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
