/* Screens whose length is known: chains, whose messages never meet, and a host that has one message under way at a time. */
#include "golden.h"
#include "simulate_subject.h"
#include "sound_run.h"
#include "unit.h"

#include <math.h>

static const char *const machines[] = {
    "bus:8,capacity=0.25msg/tick,latency=3tick",
    "bus:8,capacity=0.5msg/tick,memory=common,transfers=2",
    "multibus:8,memories=4,buses=2,capacity=0.125msg/tick",
    "omega:8,packets=4,cycle=1tick,transit=2tick",
    "omega-pe:8,packets=2,cycle=3tick,latency=1tick",
    "mesh:4x2,capacity=0.25msg/tick,link_latency=1tick",
    "torus:4x2,capacity=0.25msg/tick,link_latency=1tick,switching=cut-through",
    "star:8,capacity=0.125msg/tick,transfers=2,latency=1tick,duplex=half",
    "fattree:2x4,up=1x2,capacity=0.5msg/tick",
};

/* ---- Chains ---- */

START_TEST(a_chain_takes_what_is_simulated)
{
    small_app chain = {.modules = 8, .links = 7};
    int processor[SMALL_MODULES];
    for (int i = 0; i < chain.modules; i++) {
        chain.time[i] = 3 + i;
        processor[i] = i * 5 % 8; /* far apart */
        if (i < chain.links) chain.link[i].from = i, chain.link[i].to = i + 1, chain.link[i].messages = 1 + i * 3;
    }
    small_case placed = small_place(&chain, processor, machines[_i]);
    double makespan = simulated_makespan(placed.mapping, NULL);
    ck_assert_double_gt(makespan, 8 * 3 + 28); /* messages take time */
    ck_assert_double_eq_tol(screen_of(placed.mapping, INLAY_CONTENTION_QUEUES), makespan, 1e-12 * makespan);
    small_clear(&placed);
}
END_TEST

/* ---- One host and its leaves ---- */

enum { LEAVES = 7, MESSAGES = 10 };

static small_case fan_out(const char *machine)
{
    small_app star = {.modules = 1 + LEAVES, .links = LEAVES};
    int processor[SMALL_MODULES] = {0};
    star.time[0] = 5;
    for (int i = 1; i <= LEAVES; i++) {
        star.time[i] = 2;
        processor[i] = i;
        star.link[i - 1].to = i;
        star.link[i - 1].messages = MESSAGES;
    }
    return small_place(&star, processor, machine);
}

static const struct {
    const char *machine;
    double elapsed; /* 5, all messages that leave the host one after another, 2 */
} hosts[] = {
    {"bus:8,capacity=0.25msg/tick", 5 + 4 * LEAVES *MESSAGES + 2},
    {"multibus:8,memories=8,buses=4,capacity=0.25msg/tick", 5 + 4 * LEAVES *MESSAGES + 2},
    {"omega:8,packets=4,cycle=1tick", 5 + (3 + 3) * LEAVES *MESSAGES + 2},
    {"star:8,capacity=0.25msg/tick,switching=cut-through", 5 + 4 * LEAVES *MESSAGES + 2},
};

START_TEST(a_host_sends_one_after_another)
{
    small_case placed = fan_out(hosts[_i].machine);
    ck_assert_double_eq_tol(screen_of(placed.mapping, INLAY_CONTENTION_QUEUES), hosts[_i].elapsed, 1e-9);
    ck_assert_double_eq_tol(simulated_makespan(placed.mapping, NULL), hosts[_i].elapsed, 1e-9);
    small_clear(&placed);
}
END_TEST

/* ---- What a machine says of contention ---- */

static double screen_on(const char *machine, inlay_contention contention)
{
    small_case placed = fan_out(machine);
    double screen = screen_of(placed.mapping, contention);
    inlay_simulation_options options = {.contention = contention};
    ck_assert_double_eq_tol(screen, simulated_makespan(placed.mapping, &options), 1e-9);
    small_clear(&placed);
    return screen;
}

START_TEST(a_machine_leaves_contention_out)
{
    static const char *const words[] = {"queues", "none", "free"};
    double alone = 5 + 4 * MESSAGES + 2, expected[] = {hosts[0].elapsed, alone, 5 + 2};
    for (int own = 0; own < 3; own++) {
        char machine[80];
        snprintf(machine, sizeof machine, "bus:8,capacity=0.25msg/tick,contention=%s", words[own]);
        for (int asked = 0; asked < 3; asked++) {
            double screen = screen_on(machine, (inlay_contention)asked);
            ck_assert_double_eq_tol(screen, expected[asked > own ? asked : own], 1e-9);
        }
    }
}
END_TEST

/* ---- Refusals ---- */

START_TEST(needs_a_mapping)
{
    double screen = 7;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_mapping_screen(NULL, INLAY_CONTENTION_QUEUES, &screen, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "a screen is that of a mapping");
    small_case placed = fan_out(hosts[0].machine);
    ck_assert_int_eq(inlay_mapping_screen(placed.mapping, (inlay_contention)3, &screen, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "contention is 3; expected 0 to 2");
    ck_assert_double_eq(screen, 7);
    small_clear(&placed);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_screen(void)
{
    Suite *suite = suite_create("screen");
    TCase *tests = tcase_create("screen");
    tcase_add_loop_test(tests, a_chain_takes_what_is_simulated, 0, sizeof machines / sizeof *machines);
    tcase_add_loop_test(tests, a_host_sends_one_after_another, 0, sizeof hosts / sizeof *hosts);
    tcase_add_test(tests, a_machine_leaves_contention_out);
    tcase_add_test(tests, needs_a_mapping);
    suite_add_tcase(suite, tests);
    return suite;
}
