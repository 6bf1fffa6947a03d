/*
 * The closed workload that the delay models describe: processors think, ask the network and wait. What is simulated and
 * what the formulas say must agree as far as the formulas are known to be true.
 */
#include "golden.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <math.h>
#include <string.h>

static inlay_closed_result closed(const char *machine_text, const inlay_closed_options *options)
{
    inlay_closed_result result;
    inlay_machine *machine = golden_machine(machine_text);
    ck_assert_int_eq(inlay_simulate_closed(machine, options, &result, NULL), INLAY_OK);
    inlay_machine_free(machine);
    return result;
}

static inlay_delay_point formula(const char *machine_text, double rho)
{
    inlay_delay_point point;
    inlay_delay *delay;
    inlay_machine *machine = golden_machine(machine_text);
    ck_assert_int_eq(inlay_delay_new(machine, &delay, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_delay_at_rate(delay, rho, &point, NULL), INLAY_OK);
    inlay_delay_free(delay);
    inlay_machine_free(machine);
    return point;
}

static void expect_inside(inlay_interval interval, double value, double widest)
{
    ck_assert_msg(fabs(interval.mean - value) <= interval.half_width, "%.6g is outside %.6g +- %.2g", value,
                  interval.mean, interval.half_width);
    ck_assert_double_le(interval.half_width, widest * value); /* or the interval says nothing */
}

/* ---- Models 1 and 2: exact for exponential transfers, whatever the think times ---- */

/** rho of one processor that thinks: requests in a mean transfer. */
typedef struct bus_point {
    const char *machine;
    double k, rho;
    inlay_spread think;
} bus_point;

static const bus_point bus_points[] = {
    {"bus:4", 4, 0.3, {INLAY_SPREAD_EXPONENTIAL, 0}},
    {"bus:17", 17, 0.05, {INLAY_SPREAD_CONSTANT, 0}},
    {"bus:17,capacity=0.25msg/tick", 17, 0.018, {INLAY_SPREAD_UNIFORM, 0.5}},
    {"bus:64", 64, 0.0171, {INLAY_SPREAD_EXPONENTIAL, 0}},
    {"bus:4,memory=common,transfers=2", 4, 0.154, {INLAY_SPREAD_EXPONENTIAL, 0}},
    {"bus:17,memory=common,transfers=2,capacity=8B/tick", 17, 0.0689, {INLAY_SPREAD_NORMAL, 0.3}},
};

START_TEST(test_single_bus)
{
    const bus_point *at = &bus_points[_i];
    inlay_machine *machine = golden_machine(at->machine);
    inlay_rate rate = {.value = 1};
    inlay_machine_capacity(machine, &rate);
    double transfers = inlay_machine_transfers(machine);
    /* a message is as many requests as it has transfers, and one think time */
    inlay_closed_options options = {.think = transfers / (rate.value * at->rho),
                                    .think_time = at->think,
                                    .transfer_time = {INLAY_SPREAD_EXPONENTIAL, 0},
                                    .seed = 2}; /* of 20 seeds, one or two miss by design */
    inlay_machine_free(machine);
    inlay_closed_result said = closed(at->machine, &options);
    inlay_delay_point point = formula(at->machine, at->rho);
    expect_inside(said.u, point.u, 0.01);
    expect_inside(said.delay, point.delay, 0.02);
    expect_inside(said.tau, point.tau, 0.02);
    expect_inside(said.rate, point.u * rate.value / transfers / at->k, 0.02);
}
END_TEST

/* Transfers of one length wait less: u 0.767 and D 2.138 where the formula has 0.744 and 2.841. */
START_TEST(test_fixed_length)
{
    inlay_closed_options options = {.think = 20, .think_time = {INLAY_SPREAD_EXPONENTIAL, 0}, .seed = 5};
    inlay_closed_result said = closed("bus:17", &options);
    double u, delay;
    ck_assert_int_eq(inlay_bus_fixed_length(17, 0.05, &u, &delay), INLAY_OK);
    expect_inside(said.u, u, 0.005);
    expect_inside(said.delay, delay, 0.01);
}
END_TEST

/* ---- Model 3: against simulations and the exact Markov chain of others ---- */

START_TEST(test_multibus)
{
    static const struct {
        const char *machine;
        double k, rho, u;
    } points[] = {
        {"multibus:6,memories=4,buses=2", 6, 0.3, 1.25007},
        {"multibus:8,memories=8,buses=4", 8, 1, 3.1082},
        {"multibus:10,memories=5,buses=3", 10, 0.3, 2.0161},
        {"multibus:4,memories=4,buses=4", 4, 5, 2.15295}, /* the chain */
    };
    double u = points[_i].u, rho = points[_i].rho;
    inlay_closed_options options = {.think = 1 / rho,
                                    .think_time = {INLAY_SPREAD_EXPONENTIAL, 0},
                                    .transfer_time = {INLAY_SPREAD_EXPONENTIAL, 0},
                                    .seed = 3};
    inlay_closed_result said = closed(points[_i].machine, &options);
    ck_assert_double_eq_tol(said.u.mean, u, said.u.half_width + 0.002);
    ck_assert_double_eq_tol(said.delay.mean, (points[_i].k - u / rho) / u, said.delay.half_width + 0.005);
}
END_TEST

/* ---- Models 4 and 5: the formulas give all stages the waiting of the first, and are low ---- */

/** What was simulated before, with sources that send one message after the other: error of the formula. */
typedef struct omega_point {
    const char *machine;
    double load, error;
} omega_point;

static const omega_point omega_points[] = {
    {"omega:64,packets=4", 0.1, -0.002}, {"omega:64,packets=4", 0.3, -0.014}, {"omega:64,packets=4", 0.5, -0.045},
    {"omega:64,packets=4", 0.7, -0.092}, {"omega:64", 0.3, -0.009},           {"omega:64", 0.5, -0.028},
};

START_TEST(test_omega)
{
    const omega_point *at = &omega_points[_i];
    inlay_machine *machine = golden_machine(at->machine);
    double packets = inlay_machine_packets(machine);
    inlay_machine_free(machine);
    inlay_closed_options options = {.think = packets / at->load - packets,
                                    .think_time = {INLAY_SPREAD_EXPONENTIAL, 0},
                                    .requests = 50000,
                                    .seed = 2,
                                    .open = true};
    inlay_closed_result said = closed(at->machine, &options);
    inlay_delay_point point = formula(at->machine, said.u.mean / 64);
    double error = point.delay / said.delay.mean - 1;
    ck_assert_double_eq_tol(point.load, at->load, 0.005);
    ck_assert_double_ge(error, -0.092);
    ck_assert_double_le(error, 0);
    ck_assert_double_eq_tol(error, at->error, 0.009);
}
END_TEST

/* One message under way a processor: there are no bursts, so the formula is not low. */
START_TEST(test_omega_closed)
{
    static const double think[] = {100, 12, 0};
    inlay_closed_options options = {
        .think = think[_i], .think_time = {INLAY_SPREAD_EXPONENTIAL, 0}, .requests = 30000, .seed = 4};
    inlay_closed_result said = closed("omega:64,packets=4", &options);
    inlay_delay_point point = formula("omega:64,packets=4", said.u.mean / 64);
    ck_assert_double_eq_tol(point.delay, said.delay.mean, 0.01 * point.delay);
    /* its time is thinking and being under way */
    ck_assert_double_eq_tol(said.rate.mean * (think[_i] + said.delay.mean), 1, 0.01);
}
END_TEST

/* Nobody else is there: 1 of 7 goes through one stage, 6 through three, and a second packet behind the first. */
START_TEST(test_omega_pe_idle)
{
    inlay_closed_options options = {.think = 1e7, .think_time = {INLAY_SPREAD_EXPONENTIAL, 0}, .requests = 20000};
    inlay_closed_result said = closed("omega-pe:8,packets=2", &options);
    ck_assert_double_eq_tol(said.tau.mean, (2.0 + 6 * 4) / 7, 0.01);
    ck_assert_double_eq_tol(said.delay.mean, 0, 1e-4);
}
END_TEST

/* ---- Links: one by itself that messages come to at random is an M/D/1 or M/M/1 queue ---- */

/** Two hosts and a cable: a processor sends to the other whenever it has thought. */
typedef struct link_point {
    const char *machine;
    double capacity, latency, load;
    bool exponential;
} link_point;

static const link_point link_points[] = {
    {"mesh:2", 1, 0, 0.3, false},
    {"mesh:2", 1, 0, 0.7, false},
    {"mesh:2,switching=cut-through", 1, 0, 0.8, false},
    {"mesh:2,capacity=0.25msg/tick,link_latency=3tick", 0.25, 3, 0.5, false},
    {"mesh:2,model=mm1", 1, 0, 0.3, true},
    {"mesh:2,capacity=8B/tick,model=mm1", 8, 0, 0.7, true},
    {"crossbar:2,capacity=0.5msg/tick,transfers=2,link_latency=1tick,model=mm1", 0.25, 1, 0.5, true},
};

START_TEST(test_one_link)
{
    const link_point *at = &link_points[_i];
    inlay_closed_options options = {
        .think = 1 / (at->load * at->capacity), .think_time = {INLAY_SPREAD_EXPONENTIAL, 0}, .seed = 1, .open = true};
    double expected;
    options.transfer_time.kind = at->exponential ? INLAY_SPREAD_EXPONENTIAL : INLAY_SPREAD_CONSTANT;
    inlay_closed_result said = closed(at->machine, &options);
    inlay_link_queue queue = at->exponential ? INLAY_LINK_MM1 : INLAY_LINK_MD1;
    ck_assert_int_eq(inlay_link_delay(queue, at->load, &expected), INLAY_OK);
    expect_inside(said.u, at->load, 0.01);
    expect_inside(said.delay, expected, 0.02);
    expect_inside(said.tau, expected / at->capacity + at->latency, 0.02);
    expect_inside(said.rate, at->load * at->capacity, 0.01);
    expect_near(formula(at->machine, at->load).delay, expected, 1e-12);
}
END_TEST

/* Nobody else is there: all services and latencies of routes whose mean length is 1.6. */
START_TEST(test_links_idle)
{
    inlay_closed_options options = {.think = 1e7, .think_time = {INLAY_SPREAD_EXPONENTIAL, 0}, .requests = 20000};
    inlay_closed_result said = closed("ring:6,cores=1,capacity=0.5msg/tick,link_latency=1tick", &options);
    ck_assert_double_eq_tol(said.tau.mean, (2 * 1 + 2 * 2 + 3) / 5.0 * 3, 0.05);
    ck_assert_double_eq_tol(said.delay.mean, 1, 1e-4);
    said = closed("ring:6,capacity=0.5msg/tick,link_latency=1tick,switching=cut-through", &options);
    ck_assert_double_eq_tol(said.tau.mean, (2 * 1 + 2 * 2 + 3) / 5.0 + 2, 0.02);
}
END_TEST

/* ---- Refusals ---- */

START_TEST(test_refusals)
{
    static const struct {
        const char *machine;
        inlay_closed_options options;
        int status;
        const char *message;
    } cases[] = {
        {"bus:4",
         {.think = -1},
         INLAY_BAD_ARGUMENT,
         "a processor thinks for -1 and sends 1; expected a time from 0 on and traffic above 0"},
        {"bus:4",
         {.traffic = -2},
         INLAY_BAD_ARGUMENT,
         "a processor thinks for 0 and sends -2; expected a time from 0 on and traffic above 0"},
        {"bus:4",
         {.replications = 1},
         INLAY_BAD_ARGUMENT,
         "100000 requests after 10000 are to be counted in 1 replications; expected at least 1, 0 and 2"},
        {"bus:4",
         {.think_time = {INLAY_SPREAD_UNIFORM, 0.6}},
         INLAY_BAD_ARGUMENT,
         "think times are uniform with a coefficient of variation of 0.6; expected 0 to 0.57735"},
        {"bus:4,capacity=0.5msg/tick",
         {.traffic = 1e308},
         INLAY_OVERFLOW,
         "requests take no time, or more than can be counted"},
        {"mesh:4,capacity=0.5msg/tick",
         {.traffic = 1e308},
         INLAY_OVERFLOW,
         "requests take no time, or more than can be counted"},
        {"ring:1025",
         {.think = 1},
         INLAY_OVERFLOW,
         "there are routes between 1025 processors; expected at most 1024 processors"},
    };
    inlay_closed_result result = {.events = -7};
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = golden_machine(cases[_i].machine);
    ck_assert_int_eq(inlay_simulate_closed(machine, &cases[_i].options, &result, diag), cases[_i].status);
    ck_assert_str_eq(inlay_diag_message(diag), cases[_i].message);
    ck_assert_int_eq(result.events, -7);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Threads ---- */

START_TEST(test_threads)
{
    static const char *const machine[] = {"multibus:9,memories=4,buses=2", "torus:3x3"};
    inlay_closed_options options = {.think = 5, .requests = 2000, .seed = 9, .threads = 1};
    inlay_closed_result one = closed(machine[_i], &options);
    for (options.threads = 2; options.threads < 6; options.threads++) {
        inlay_closed_result more = closed(machine[_i], &options);
        ck_assert_int_eq(memcmp(&one, &more, sizeof one), 0);
    }
    options.seed = 10;
    ck_assert_double_ne(closed(machine[_i], &options).u.mean, one.u.mean);
}
END_TEST

Suite *suite_simulate_closed(void)
{
    Suite *suite = suite_create("simulate_closed");
    TCase *tests = tcase_create("simulate_closed");
    tcase_add_loop_test(tests, test_single_bus, 0, (int)(sizeof bus_points / sizeof *bus_points));
    tcase_add_test(tests, test_fixed_length);
    tcase_add_loop_test(tests, test_multibus, 0, 4);
    tcase_add_loop_test(tests, test_omega, 0, (int)(sizeof omega_points / sizeof *omega_points));
    tcase_add_loop_test(tests, test_omega_closed, 0, 3);
    tcase_add_test(tests, test_omega_pe_idle);
    tcase_add_loop_test(tests, test_one_link, 0, (int)(sizeof link_points / sizeof *link_points));
    tcase_add_test(tests, test_links_idle);
    tcase_add_loop_test(tests, test_refusals, 0, 7);
    tcase_add_loop_test(tests, test_threads, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
