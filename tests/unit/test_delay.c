/*
 * The delay function of machines: expected numbers through machine strings, tau and utilisation written out plainly
 * for every model and unit, models that are one model, both directions on fine grids.
 */
#include "base/plain.h"
#include "delay_subject.h"

#include <float.h>
#include <stdio.h>

/* ---- Expected numbers ---- */

static void check_golden(const json_t *row, subject s, const char *rho_processor)
{
    bool reached = rho_processor == NULL || !json_is_null(json_object_get(row, rho_processor));
    inlay_delay_point point = at_u(s, delay_number(row, "u"));
    AGREES(point.rho, delay_number(row, "rho"), 1e-9);
    AGREES(point.delay, delay_number(row, "D"), 1e-9);
    ck_assert_int_eq(isfinite(point.rho_processor), reached);
    if (reached) AGREES(point.rho_processor, delay_number(row, rho_processor == NULL ? "rho" : rho_processor), 1e-9);
    ck_assert_int_eq(point.u < inlay_delay_u_reachable(s.delay), reached);
    inlay_delay_point again = at_rate(s, point.rho);
    AGREES(again.u, point.u, 1e-12);
    AGREES(again.delay, point.delay, 1e-9);
}

START_TEST(golden_bus)
{
    json_t *root;
    const json_t *rows = delay_rows("models_1_2", &root);
    ck_assert_uint_eq(json_array_size(rows), 15);
    for (size_t i = 0; i < 2 * json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i / 2);
        char string[80];
        plain_print(string, sizeof string, "bus:%.0f,memory=%s", delay_number(row, "k"),
                    i % 2 ? "distributed" : "common");
        subject s = open_subject(string);
        check_golden(row, s, i % 2 ? "rho_p2" : "rho_p1");
        AGREES(at_u(s, delay_number(row, "u")).tau, delay_number(row, "D"), 1e-9); /* one message a tick */
        ck_assert_double_eq(inlay_delay_u_limit(s.delay), 1);
        close_subject(s);
    }
    json_decref(root);
}
END_TEST

START_TEST(golden_bus_by_rate)
{
    json_t *root;
    const json_t *rows = delay_rows("models_1_2_forward", &root);
    ck_assert_uint_eq(json_array_size(rows), 6);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char string[80];
        plain_print(string, sizeof string, "bus:%.0f", delay_number(row, "k"));
        subject s = open_subject(string);
        inlay_delay_point point = at_rate(s, delay_number(row, "rho"));
        AGREES(point.u, delay_number(row, "u"), 1e-9);
        AGREES(point.delay, delay_number(row, "D"), 1e-9);
        close_subject(s);
    }
    json_decref(root);
}
END_TEST

START_TEST(golden_multibus)
{
    json_t *root;
    int refused = 0;
    const json_t *rows = delay_rows("model_3", &root);
    ck_assert_uint_eq(json_array_size(rows), 14);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char string[80];
        plain_print(string, sizeof string, "multibus:%.0f,memories=%.0f,buses=%.0f", delay_number(row, "k"),
                    delay_number(row, "m"), delay_number(row, "b"));
        subject s = open_subject(string);
        AGREES(inlay_delay_u_limit(s.delay), delay_number(row, "beta_k"), 1e-9);
        if (json_is_null(json_object_get(row, "rho"))) {
            ck_assert_int_eq(inlay_delay_at_utilisation(s.delay, delay_number(row, "u"), NULL, NULL), INLAY_NO_ANSWER);
            refused++;
        } else {
            check_golden(row, s, NULL);
        }
        close_subject(s);
    }
    ck_assert_int_eq(refused, 1);
    json_decref(root);
}
END_TEST

START_TEST(golden_omega)
{
    json_t *root;
    const json_t *rows = delay_rows("model_4", &root);
    ck_assert_uint_eq(json_array_size(rows), 7);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char string[120];
        double k = delay_number(row, "k");
        double m = delay_number(row, "m");
        plain_print(string, sizeof string, "omega:%.0f,switch=%.0f,packets=%.0f,transit=%gtick,cycle=%gtick", k,
                    delay_number(row, "n"), m, delay_number(row, "t_r"), delay_number(row, "t_c"));
        subject s = open_subject(string);
        check_golden(row, s, NULL);
        AGREES(at_u(s, delay_number(row, "u")).tau, delay_number(row, "D"), 1e-9);
        AGREES(inlay_delay_u_limit(s.delay), k / m, 1e-15);
        close_subject(s);
    }
    json_decref(root);
}
END_TEST

START_TEST(golden_omega_pe)
{
    json_t *root;
    const json_t *rows = delay_rows("model_5", &root);
    ck_assert_uint_eq(json_array_size(rows), 7);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char string[120];
        double n = delay_number(row, "n");
        double m = delay_number(row, "m");
        double stages = delay_number(row, "stages");
        plain_print(string, sizeof string, "omega-pe:%.0f,switch=%.0f,packets=%.0f", pow(n, stages), n, m);
        subject s = open_subject(string);
        check_golden(row, s, NULL);
        AGREES(at_u(s, delay_number(row, "u")).tau, stages + m - 1 + delay_number(row, "D"), 1e-9);
        ck_assert_double_eq(inlay_delay_u_limit(s.delay), 1);
        close_subject(s);
    }
    json_decref(root);
}
END_TEST

/* P_k(1) = floor(e k!), by P_0 = 1, P_j = 1 + j P_{j-1}. Below 1 - 1/P_k(1) a rate of one processor gives u, not above. */
START_TEST(what_distributed_processors_reach)
{
    uint64_t states = 1;
    for (int k = 1; k <= 17; k++) {
        char string[40];
        states = 1 + (uint64_t)k * states;
        snprintf(string, sizeof string, "bus:%d", k);
        subject s = open_subject(string);
        double reachable = inlay_delay_u_reachable(s.delay);
        double idle = 1 / (double)states;
        ck_assert_double_le(fabs(1 - reachable - idle), 2 * DBL_EPSILON);
        ck_assert(isfinite(at_u(s, 1 - idle * 1.01 - DBL_EPSILON).rho_processor));
        ck_assert(isnan(at_u(s, 1 - idle * 0.5).rho_processor));
        ck_assert(isfinite(at_u(s, 1 - idle * 0.5).tau));
        close_subject(s);
    }
    static const char *const others[] = {"bus:2,memory=common", "multibus:4,memories=4,buses=2", "omega:8,packets=4",
                                         "omega-pe:8"};
    for (int i = 0; i < ROWS(others); i++) {
        subject s = open_subject(others[i]);
        ck_assert_double_eq(inlay_delay_u_reachable(s.delay), inlay_delay_u_limit(s.delay));
        ck_assert(isfinite(at_u(s, 0.999 * inlay_delay_u_limit(s.delay)).rho_processor));
        close_subject(s);
    }
}
END_TEST

/* ---- Traffic, utilisation and tau, written out ---- */

/* A machine in plain numbers; times in its unit. */
typedef struct plain {
    const char *string;
    int model, k, m, b; /* m: memories in model 3, packets in 4 and 5 */
    bool occupancy;
    int n, stages;
    double capacity; /* of one bus, bytes or messages a unit of time */
    double transit, cycle;
    double transfers, latency;
    inlay_unit unit;
    bool in_bytes;
} plain;

#define NONE   0, 0
#define TICK   INLAY_UNIT_TICK
#define SECOND INLAY_UNIT_S
#define MICRO  INLAY_UNIT_US
#define NANO   INLAY_UNIT_NS

static const plain plains[] = {
    {"bus:17", 2, 17, 1, 1, false, NONE, 1, NONE, 1, 0, TICK, false},
    {"bus:17,capacity=5", 2, 17, 1, 1, false, NONE, 5, NONE, 1, 0, TICK, false},
    {"bus:17,memory=common,transfers=2,latency=3", 1, 17, 1, 1, false, NONE, 1, NONE, 2, 3, TICK, false},
    {"bus:17,capacity=1.25GB/s,latency=20us", 2, 17, 1, 1, false, NONE, 1.25e9, NONE, 1, 20e-6, SECOND, true},
    {"bus:64,memory=common,capacity=100Mbit/s,transfers=2", 1, 64, 1, 1, false, NONE, 12.5e6, NONE, 2, 0, SECOND, true},
    {"bus:3,capacity=1000msg/ms,message_size=1500,latency=2us", 2, 3, 1, 1, false, NONE, 1000, NONE, 1, 2e-3,
     INLAY_UNIT_MS, false},
    {"multibus:16,memories=8,buses=4", 3, 16, 8, 4, false, NONE, 1, NONE, 1, 0, TICK, false},
    {"multibus:16,memories=8,buses=4,capacity=64KiB/us,latency=500ns,transfers=0.5", 3, 16, 8, 4, false, NONE, 65536,
     NONE, 0.5, 0.5, MICRO, true},
    {"multibus:8,memories=8,buses=8,model=occupancy,capacity=2msg/tick", 3, 8, 8, 8, true, NONE, 2, NONE, 1, 0, TICK,
     false},
    {"omega:64", 4, 64, 1, 0, false, 2, 6, 0, 1, 1, 1, 0, TICK, false},
    {"omega:64,switch=4,packets=4,cycle=3", 4, 64, 4, 0, false, 4, 3, 0, 3, 3, 1, 0, TICK, false},
    {"omega:64,switch=8,packets=4,transit=75ns,cycle=50ns,latency=1us", 4, 64, 4, 0, false, 8, 2, 0, 75, 50, 1, 1000,
     NANO, false},
    {"omega:81,switch=3,cycle=1us,transit=500ns,transfers=2", 4, 81, 1, 0, false, 3, 4, 0, 0.5, 1, 2, 0, MICRO, false},
    {"omega:16,switch=16,packets=8,transit=0,cycle=1tick", 4, 16, 8, 0, false, 16, 1, 0, 0, 1, 1, 0, TICK, false},
    {"omega-pe:64,packets=4", 5, 64, 4, 0, false, 2, 6, 0, 1, 1, 1, 0, TICK, false},
    {"omega-pe:64,switch=4,packets=4,cycle=50ns,transfers=2,latency=1us,message_size=128", 5, 64, 4, 0, false, 4, 3, 0,
     50, 50, 2, 1000, NANO, false},
    {"omega-pe:9,switch=3,cycle=0.25ms", 5, 9, 1, 0, false, 3, 2, 0, 0.25, 0.25, 1, 0, INLAY_UNIT_MS, false},
};

/* D of models 1 to 3 at u, the rate found by bisection: with beta_l = 1 a multiple bus is one bus. */
static long double slow_delay(const plain *p, long double u)
{
    long double beta[65] = {0};
    long double low = 0;
    long double high = 1;
    if (u <= 0) return 1;
    for (int l = 1; l <= p->k; l++) {
        beta[l] = p->occupancy ? slow_occupancy_beta(p->m, p->b, l) : 1;
    }
    if (p->model == 3 && !p->occupancy) slow_paper_betas(p->m, p->b, p->k, beta);
    while (slow_multibus(p->k, beta, high).u < u) {
        high *= 2;
    }
    for (int step = 0; step < 200; step++) {
        long double middle = (low + high) / 2;
        *(slow_multibus(p->k, beta, middle).u < u ? &low : &high) = middle;
    }
    return slow_multibus(p->k, beta, high).delay;
}

/* tau by delay.md section 12 at a load u/u_limit. */
static long double slow_tau(const plain *p, double u_limit, double load)
{
    long double u = (long double)load * u_limit;
    long double waiting = p->m * p->stages * (1 - 1 / (long double)p->n) * load / (2 * (1 - (long double)load));
    switch (p->model) {
    case 1:
    case 2:
    case 3: return p->transfers * slow_delay(p, u) / p->capacity;
    case 4: return p->transfers * (p->stages * p->transit + (p->m - 1) * p->cycle + p->cycle * waiting);
    default: return p->transfers * p->cycle * (p->stages + p->m - 1 + waiting);
    }
}

/* u by delay.md section 0, of so much traffic in a time. */
static double slow_utilisation(const plain *p, double traffic, double time)
{
    double offered = traffic / time; /* messages or bytes in a unit of time */
    switch (p->model) {
    case 1:
    case 2:
    case 3: return p->transfers * offered / p->capacity;
    case 4: return p->transfers * offered * p->cycle;
    default: return p->transfers * p->m * offered * p->cycle / p->k;
    }
}

START_TEST(tau_written_out)
{
    static const double loads[] = {1e-6, 0.1, 0.5, 0.9, 0.999};
    const plain *p = &plains[_i];
    subject s = open_subject(p->string);
    double limit = inlay_delay_u_limit(s.delay);
    ck_assert_int_eq(inlay_machine_model(s.machine), p->model);
    ck_assert_int_eq(inlay_delay_unit(s.delay), p->unit);
    ck_assert_int_eq(inlay_delay_in_bytes(s.delay), p->in_bytes);
    AGREES(inlay_delay_latency(s.delay), p->latency, 1e-15);
    for (int i = 0; i < ROWS(loads); i++) {
        inlay_delay_point point = at_u(s, loads[i] * limit);
        AGREES(point.tau, slow_tau(p, limit, loads[i]), 1e-11);

        double time = 12.5;
        double traffic = 3e4;
        double factor = loads[i] * limit / slow_utilisation(p, traffic, time);
        inlay_delay_point by_traffic = {0};
        ck_assert_int_eq(inlay_delay_at_traffic(s.delay, traffic * factor, time, &by_traffic, NULL), INLAY_OK);
        AGREES(by_traffic.u, slow_utilisation(p, traffic * factor, time), 1e-14);
        AGREES(by_traffic.tau, point.tau, 1e-11);
    }
    inlay_delay_point idle = at_u(s, 0);
    inlay_delay_point none = {0};
    ck_assert_int_eq(inlay_delay_at_traffic(s.delay, 0, 1, &none, NULL), INLAY_OK);
    ck_assert(idle.rho == 0 && idle.load == 0 && idle.rho_processor == 0);
    ck_assert(none.tau == idle.tau && none.delay == idle.delay);
    AGREES(idle.tau, slow_tau(p, limit, 0), 1e-15);
    close_subject(s);
}
END_TEST

/* ---- Models that are one model ---- */

/* D1 and D2 are one function of u; so is the multiple bus of one bus. */
START_TEST(one_bus_is_a_bus)
{
    static const char *const strings[][2] = {
        {"bus:8,memory=common", "multibus:8,memories=4,buses=1"},
        {"bus:8", "multibus:8,memories=4,buses=1,model=occupancy"},
        {"bus:64,capacity=1GB/s,transfers=2", "multibus:64,memories=64,buses=1,capacity=1GB/s,transfers=2"},
        {"bus:17", "bus:17,memory=common"},
        {"bus:1", "multibus:1,memories=7,buses=1"}};
    for (int i = 0; i < ROWS(strings); i++) {
        subject a = open_subject(strings[i][0]);
        subject b = open_subject(strings[i][1]);
        AGREES(inlay_delay_u_limit(b.delay), inlay_delay_u_limit(a.delay), 1e-14);
        for (int load = 0; load < 1000; load++) {
            inlay_delay_point p = at_u(a, load / 1000.);
            inlay_delay_point q = at_u(b, load / 1000.);
            AGREES(q.rho, p.rho, 1e-11);
            AGREES(q.delay, p.delay, 1e-11);
            AGREES(q.tau, p.tau, 1e-11);
        }
        close_subject(b);
        close_subject(a);
    }
}
END_TEST

/* D4 = st t_r + (m-1) t_c + t_c D5: at the same load, a processor reaches another as fast as a memory. */
START_TEST(omega_to_memories_and_processors)
{
    static const char *const strings[][2] = {
        {"omega:64,packets=4,cycle=3,transit=3", "omega-pe:64,packets=4,cycle=3"},
        {"omega:64,switch=8,cycle=50ns", "omega-pe:64,switch=8,cycle=50ns"},
        {"omega:2,packets=7,transfers=2,cycle=1us,transit=1000ns", "omega-pe:2,packets=7,transfers=2,cycle=1us"}};
    for (int i = 0; i < ROWS(strings); i++) {
        subject a = open_subject(strings[i][0]);
        subject b = open_subject(strings[i][1]);
        for (int load = 0; load < 1000; load++) {
            inlay_delay_point p = at_u(a, load / 1000. * inlay_delay_u_limit(a.delay));
            inlay_delay_point q = at_u(b, load / 1000.);
            AGREES(q.tau, p.tau, 1e-12);
            AGREES(q.rho, p.rho, 1e-12);
        }
        close_subject(b);
        close_subject(a);
    }
}
END_TEST

/* ---- Both directions, rising ---- */

static const char *const subjects[] = {"bus:17,memory=common",
                                       "bus:64,capacity=1GB/s",
                                       "multibus:16,memories=8,buses=4",
                                       "multibus:32,memories=16,buses=8,model=occupancy",
                                       "omega:64,switch=4,packets=4,transit=2,cycle=3",
                                       "omega-pe:256,switch=2,packets=3,cycle=50ns"};
enum { POINTS = 10000 };

/* Loads from 1e-12 to 1 - 1e-9, as close to both ends as their logarithms are. */
static double grid_load(int i)
{
    double logit = -27.6 + (27.6 + 20.7) * i / (POINTS - 1);
    return 1 / (1 + exp(-logit));
}

/* 10,000 points: u to rho, to u, to rho again. What rounding of u hides of 1 - load is allowed for. */
START_TEST(inverse_of_forward)
{
    subject s = open_subject(subjects[_i]);
    double limit = inlay_delay_u_limit(s.delay);
    inlay_delay_point before = {.rho = -1};
    for (int i = 0; i < POINTS; i++) {
        double load = grid_load(i);
        double blur = 1e-12 + 16 * DBL_EPSILON / (1 - load);
        inlay_delay_point p = at_u(s, load * limit);
        inlay_delay_point q = at_rate(s, p.rho);
        inlay_delay_point r = at_u(s, q.u);
        AGREES(q.u, p.u, 1e-12);
        AGREES(1 - q.load, 1 - p.load, blur);
        AGREES(q.delay, p.delay, blur);
        AGREES(q.tau, p.tau, blur);
        AGREES(q.rho_processor, p.rho_processor, blur);
        AGREES(r.rho, p.rho, blur);
        AGREES(r.delay, p.delay, blur);
        ck_assert_msg(p.rho > before.rho && p.delay >= before.delay * (1 - 1e-15) &&
                          p.tau >= before.tau * (1 - 1e-15) && p.u > before.u,
                      "%s falls at load %.17g", subjects[_i], load);
        before = p;
    }
    close_subject(s);
}
END_TEST

/*
 * Where there are many memories, beta_l of the paper's model grows faster than l for a while, so that its D falls
 * between two rates; u never does.
 */
START_TEST(paper_delay_can_fall)
{
    subject s = open_subject("multibus:2000,memories=1000,buses=100");
    inlay_delay_point before = at_rate(s, 1e-7);
    int falls = 0;
    for (int i = 1; i <= 2000; i++) {
        inlay_delay_point p = at_rate(s, 1e-7 * pow(1e8, i / 2000.));
        falls += p.delay < before.delay * (1 - 1e-9);
        ck_assert(p.u >= before.u && p.delay >= 1);
        before = p;
    }
    ck_assert_int_gt(falls, 0);
    close_subject(s);
}
END_TEST

/* A million processors, near both ends: flow balance u/rho + u D = k ties u, rho and D of a closed system together. */
START_TEST(a_million_processors)
{
    static const struct {
        const char *string;
        double processors; /* of one memory's or link's queue; 0: an open system */
    } cases[] = {{"bus:1000000", 1e6},
                 {"bus:1000000,memory=common", 1e6},
                 {"multibus:1000000,memories=64,buses=16", 1e6},
                 {"multibus:1000000,memories=64,buses=16,model=occupancy", 1e6},
                 {"omega:1000000,switch=10,packets=4", 0},
                 {"omega-pe:1000000,switch=10,packets=4", 0}};
    static const double loads[] = {1e-12, 1e-9, 0.5, 0.999999, 1 - 1e-9, 1 - 1e-12};
    for (int i = 0; i < ROWS(cases); i++) {
        subject s = open_subject(cases[i].string);
        double before = 0;
        for (int l = 0; l < ROWS(loads); l++) {
            inlay_delay_point p = at_u(s, loads[l] * inlay_delay_u_limit(s.delay));
            ck_assert(isfinite(p.delay) && p.delay >= before && p.rho > 0 && p.tau > 0 && isfinite(p.tau));
            if (cases[i].processors > 0) {
                ck_assert(p.delay >= 1 && p.delay <= cases[i].processors);
                AGREES(p.u / p.rho + p.u * p.delay, cases[i].processors, 1e-11);
            }
            before = p.delay;
        }
        close_subject(s);
    }
}
END_TEST

Suite *suite_delay(void)
{
    Suite *suite = suite_create("delay");
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, golden_bus);
    tcase_add_test(numbers, golden_bus_by_rate);
    tcase_add_test(numbers, golden_multibus);
    tcase_add_test(numbers, golden_omega);
    tcase_add_test(numbers, golden_omega_pe);
    tcase_add_test(numbers, what_distributed_processors_reach);
    tcase_add_loop_test(numbers, tau_written_out, 0, ROWS(plains));
    suite_add_tcase(suite, numbers);
    TCase *properties = tcase_create("properties");
    tcase_add_test(properties, one_bus_is_a_bus);
    tcase_add_test(properties, omega_to_memories_and_processors);
    tcase_add_loop_test(properties, inverse_of_forward, 0, ROWS(subjects));
    tcase_add_test(properties, paper_delay_can_fall);
    tcase_add_test(properties, a_million_processors);
    suite_add_tcase(suite, properties);
    return suite;
}
