/* Omega networks: expected numbers, the queue of one switch, both directions, the identity of the two models, domain. */
#include "slow_network.h"
#include "unit.h"

#include <float.h>
#include <inlay/network.h>

/* ---- Expected numbers ---- */

START_TEST(golden_common)
{
    json_t *root;
    const json_t *rows = delay_rows("model_4", &root);
    ck_assert_uint_eq(json_array_size(rows), 7);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        inlay_omega net = {(int64_t)delay_number(row, "k"), (int64_t)delay_number(row, "n"),
                           (int64_t)delay_number(row, "m"), delay_number(row, "t_r"), delay_number(row, "t_c")};
        int stages;
        double u;
        double rho;
        double delay;
        double delay_again;
        double waiting;
        ck_assert_int_eq(inlay_omega_stages(net.processors, net.switch_size, &stages), INLAY_OK);
        ck_assert_int_eq(stages, (int)delay_number(row, "stages"));
        ck_assert_int_eq(inlay_omega_rate(&net, delay_number(row, "u"), &rho, &delay), INLAY_OK);
        AGREES(rho, delay_number(row, "rho"), 1e-9);
        AGREES(delay, delay_number(row, "D"), 1e-9);
        ck_assert_int_eq(inlay_omega_utilisation(&net, rho, &u, &delay_again), INLAY_OK);
        AGREES(u, delay_number(row, "u"), 1e-12);
        AGREES(delay_again, delay, 1e-9);
        ck_assert_int_eq(inlay_omega_pe_utilisation(&net, rho, NULL, &waiting), INLAY_OK);
        AGREES(waiting, delay_number(row, "D5"), 1e-9);
    }
    json_decref(root);
}
END_TEST

START_TEST(golden_pe)
{
    json_t *root;
    const json_t *rows = delay_rows("model_5", &root);
    ck_assert_uint_eq(json_array_size(rows), 7);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        int64_t k = 1;
        int64_t n = (int64_t)delay_number(row, "n");
        for (int stage = 0; stage < (int)delay_number(row, "stages"); stage++) {
            k *= n;
        }
        inlay_omega net = {.processors = k, .switch_size = n, .packets = (int64_t)delay_number(row, "m")};
        double u;
        double rho;
        double delay;
        ck_assert_int_eq(inlay_omega_pe_rate(&net, delay_number(row, "u"), &rho, &delay), INLAY_OK);
        AGREES(rho, delay_number(row, "rho"), 1e-9);
        AGREES(delay, delay_number(row, "D"), 1e-9);
        ck_assert_int_eq(inlay_omega_pe_utilisation(&net, rho, &u, &delay), INLAY_OK);
        AGREES(u, delay_number(row, "u"), 1e-12);
        AGREES(delay, delay_number(row, "D"), 1e-9);
    }
    json_decref(root);
}
END_TEST

/* ---- What the formula stands for ---- */

/* One stage: messages of m packets begin in frames of m cycles; D is the mean of the queue's chain. */
START_TEST(first_stage_is_a_queue)
{
    static const double loads[] = {0.01, 0.1, 0.3, 0.5, 0.7, 0.9};
    static const int sizes[] = {2, 3, 4, 8};
    for (size_t i = 0; i < sizeof loads / sizeof *loads * 4; i++) {
        double load = loads[i / 4];
        int n = sizes[i % 4];
        double frames = slow_switch_waiting(n, load);
        for (int packets = 1; packets <= 5; packets += 2) {
            inlay_omega net = {n, n, packets, 3, 0.5};
            double waiting;
            double delay;
            ck_assert_int_eq(inlay_omega_pe_rate(&net, load, NULL, &waiting), INLAY_OK);
            AGREES(waiting, packets * frames, 1e-9);
            ck_assert_int_eq(inlay_omega_rate(&net, load * n / packets, NULL, &delay), INLAY_OK);
            AGREES(delay, 3 + 0.5 * (packets - 1 + packets * frames), 1e-9);
        }
    }
}
END_TEST

/* ---- Properties ---- */

static const inlay_omega networks[] = {
    {2, 2, 1, 1, 1},   {8, 2, 1, 1, 1},    {64, 2, 4, 1, 1},     {64, 4, 4, 1, 1},       {64, 8, 4, 2, 0.5},
    {16, 16, 8, 3, 1}, {81, 3, 7, 0, 1e3}, {10000, 10, 1, 1, 0}, {1048576, 2, 16, 2, 1}, {1000000, 10, 3, 1, 1},
};
enum { NETWORKS = sizeof networks / sizeof *networks, POINTS = 10000 / NETWORKS };

/* Loads from 1e-12 to 1 - 1e-12, as close to both ends. */
static double grid_load(int i)
{
    double logit = -27.6 + 55.2 * i / (POINTS - 1);
    return 1 / (1 + exp(-logit));
}

/* 10,000 points for each model. Rising all the way; to u and back gives rho and D as far as 1 - load tells them. */
START_TEST(inverse_of_forward)
{
    for (int i = 0; i < NETWORKS; i++) {
        const inlay_omega *net = &networks[i];
        double before[4] = {0, 0, 0, 0};
        for (int point = 0; point < POINTS; point++) {
            double load = grid_load(point);
            double rho = load / (double)net->packets;
            double blur = 1e-14 + 4 * DBL_EPSILON / (1 - load);
            double u;
            double delay;
            double rho_again;
            double delay_again;
            double link;
            double waiting;
            ck_assert_int_eq(inlay_omega_utilisation(net, rho, &u, &delay), INLAY_OK);
            ck_assert_int_eq(inlay_omega_rate(net, u, &rho_again, &delay_again), INLAY_OK);
            AGREES(rho_again, rho, 1e-15);
            AGREES(delay_again, delay, blur);
            ck_assert_double_lt(u, inlay_omega_limit(net));
            ck_assert(u > before[0] && delay >= before[1]);

            ck_assert_int_eq(inlay_omega_pe_utilisation(net, rho, &link, &waiting), INLAY_OK);
            ck_assert_int_eq(inlay_omega_pe_rate(net, link, &rho_again, &delay_again), INLAY_OK);
            AGREES(rho_again, rho, 1e-15);
            AGREES(delay_again, waiting, blur);
            ck_assert(link > before[2] && link < 1 && waiting > before[3]);

            before[0] = u;
            before[1] = delay;
            before[2] = link;
            before[3] = waiting;
        }
    }
}
END_TEST

START_TEST(identity_of_the_models)
{
    for (int i = 0; i < NETWORKS; i++) {
        const inlay_omega *net = &networks[i];
        double packets = (double)net->packets;
        int stages;
        ck_assert_int_eq(inlay_omega_stages(net->processors, net->switch_size, &stages), INLAY_OK);
        for (int point = 0; point < 100; point++) {
            double load = point / 100.;
            double delay;
            double waiting;
            ck_assert_int_eq(inlay_omega_utilisation(net, load / packets, NULL, &delay), INLAY_OK);
            ck_assert_int_eq(inlay_omega_pe_rate(net, load, NULL, &waiting), INLAY_OK);
            AGREES(delay, stages * net->transit + (packets - 1) * net->cycle + net->cycle * waiting, 1e-12);
        }
    }
}
END_TEST

START_TEST(ends)
{
    for (int i = 0; i < NETWORKS; i++) {
        const inlay_omega *net = &networks[i];
        double packets = (double)net->packets;
        double u;
        double rho;
        double delay;
        int stages;
        ck_assert_int_eq(inlay_omega_stages(net->processors, net->switch_size, &stages), INLAY_OK);
        ck_assert_int_eq(inlay_omega_rate(net, 0, &rho, &delay), INLAY_OK);
        ck_assert_double_eq(rho, 0);
        ck_assert_double_eq(delay, stages * net->transit + (packets - 1) * net->cycle);
        ck_assert_int_eq(inlay_omega_pe_rate(net, 0, &rho, &delay), INLAY_OK);
        ck_assert(rho == 0 && delay == 0);
        AGREES(inlay_omega_limit(net), (double)net->processors / packets, 1e-15);
        ck_assert_int_eq(inlay_omega_rate(net, inlay_omega_limit(net) * (1 + 1e-15), &rho, &delay), INLAY_NO_ANSWER);
        ck_assert_int_eq(inlay_omega_utilisation(net, (1 + 1e-15) / packets, &u, &delay), INLAY_NO_ANSWER);
        ck_assert_int_eq(inlay_omega_pe_rate(net, 1, &rho, &delay), INLAY_NO_ANSWER);
        ck_assert_int_eq(inlay_omega_pe_utilisation(net, INFINITY, &u, &delay), INLAY_NO_ANSWER);
        ck_assert(rho == 0 && delay == 0); /* as they were */
    }
    inlay_omega net = {16, 16, 8, 3, 1};
    double rho;
    ck_assert_int_eq(inlay_omega_rate(&net, 2, &rho, NULL), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_omega_utilisation(&net, 0.125, NULL, NULL), INLAY_NO_ANSWER);
}
END_TEST

static long double slow_waiting(const inlay_omega *net, int stages, long double idle)
{
    long double n = (long double)net->switch_size;
    return (long double)net->packets * stages * (1 - 1 / n) * (1 - idle) / (2 * idle);
}

/* 1 - load is what u, or rho, makes of it: long double has room for the product. */
START_TEST(nothing_cancels)
{
    for (int i = 0; i < NETWORKS; i++) {
        const inlay_omega *net = &networks[i];
        long double packets = (long double)net->packets;
        long double k = (long double)net->processors;
        int stages;
        ck_assert_int_eq(inlay_omega_stages(net->processors, net->switch_size, &stages), INLAY_OK);
        for (int power = 1; power <= 14; power++) {
            double rho = (1 - pow(10, -power)) / (double)net->packets;
            double u = rho * (double)net->processors;
            double delay;
            double waiting;
            ck_assert_int_eq(inlay_omega_pe_utilisation(net, rho, NULL, &waiting), INLAY_OK);
            AGREES(waiting, slow_waiting(net, stages, 1 - packets * rho), 1e-14);
            long double empty = stages * net->transit + (packets - 1) * net->cycle;
            ck_assert_int_eq(inlay_omega_utilisation(net, rho, NULL, &delay), INLAY_OK);
            AGREES(delay, empty + net->cycle * slow_waiting(net, stages, 1 - packets * rho), 1e-14);
            ck_assert_int_eq(inlay_omega_rate(net, u, NULL, &delay), INLAY_OK);
            AGREES(delay, empty + net->cycle * slow_waiting(net, stages, (k - packets * u) / k), 1e-14);
        }
    }
}
END_TEST

START_TEST(stages_by_multiplication)
{
    int stages = 0;
    for (int64_t n = 2; n <= 40; n++) {
        int64_t power = n;
        for (int expected = 1; power <= INT64_MAX / n; expected++, power *= n) {
            ck_assert_int_eq(inlay_omega_stages(power, n, &stages), INLAY_OK);
            ck_assert_int_eq(stages, expected);
            ck_assert(n == 2 || inlay_omega_stages(power + 1, n, &stages) == INLAY_BAD_ARGUMENT);
            ck_assert(expected == 1 || inlay_omega_stages(power - 1, n, &stages) == INLAY_BAD_ARGUMENT);
        }
    }
    ck_assert_int_eq(inlay_omega_stages(INT64_C(1) << 62, 2, &stages), INLAY_OK);
    ck_assert_int_eq(stages, 62);
    static const int64_t wrong[][2] = {{1, 2},  {0, 2}, {-8, 2}, {8, 1},  {8, 0},
                                       {8, -2}, {6, 2}, {8, 4},  {12, 6}, {4, 16}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(inlay_omega_stages(wrong[i][0], wrong[i][1], &stages), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(stages, 62);
    }
    ck_assert_int_eq(inlay_omega_stages(8, 2, NULL), INLAY_BAD_ARGUMENT);
}
END_TEST

START_TEST(outside_domain)
{
    static const inlay_omega wrong[] = {{6, 2, 1, 1, 1},  {1, 2, 1, 1, 1},   {8, 1, 1, 1, 1},
                                        {8, 2, 0, 1, 1},  {8, 2, -1, 1, 1},  {8, 2, 1, -1, 1},
                                        {8, 2, 1, 1, -1}, {8, 2, 1, NAN, 1}, {8, 2, 1, 1, INFINITY}};
    double a = 7;
    double b = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(inlay_omega_utilisation(&wrong[i], 0.1, &a, &b), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_omega_rate(&wrong[i], 0.1, &a, &b), INLAY_BAD_ARGUMENT);
        if (i < 5) {
            ck_assert_int_eq(inlay_omega_pe_utilisation(&wrong[i], 0.1, &a, &b), INLAY_BAD_ARGUMENT);
            ck_assert_int_eq(inlay_omega_pe_rate(&wrong[i], 0.1, &a, &b), INLAY_BAD_ARGUMENT);
        }
    }
    static const double no_loads[] = {-1, -1e-300, NAN, -INFINITY};
    inlay_omega net = {8, 2, 1, 1, 1};
    for (size_t i = 0; i < sizeof no_loads / sizeof *no_loads; i++) {
        ck_assert_int_eq(inlay_omega_utilisation(&net, no_loads[i], &a, &b), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_omega_rate(&net, no_loads[i], &a, &b), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_omega_pe_utilisation(&net, no_loads[i], &a, &b), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_omega_pe_rate(&net, no_loads[i], &a, &b), INLAY_BAD_ARGUMENT);
    }
    ck_assert_int_eq(inlay_omega_rate(NULL, 0.1, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_omega_pe_rate(NULL, 0.1, &a, &b), INLAY_BAD_ARGUMENT);
    inlay_omega endless = {8, 2, 1, DBL_MAX, 1};
    ck_assert_int_eq(inlay_omega_rate(&endless, 0.1, &a, &b), INLAY_OVERFLOW);
    ck_assert_int_eq(inlay_omega_utilisation(&endless, 0.1, &a, &b), INLAY_OVERFLOW);
    ck_assert(a == 7 && b == 7);
}
END_TEST

Suite *suite_omega(void)
{
    Suite *suite = suite_create("omega");
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, golden_common);
    tcase_add_test(numbers, golden_pe);
    tcase_add_test(numbers, first_stage_is_a_queue);
    suite_add_tcase(suite, numbers);
    TCase *properties = tcase_create("properties");
    tcase_add_test(properties, inverse_of_forward);
    tcase_add_test(properties, identity_of_the_models);
    tcase_add_test(properties, ends);
    tcase_add_test(properties, nothing_cancels);
    tcase_add_test(properties, stages_by_multiplication);
    tcase_add_test(properties, outside_domain);
    suite_add_tcase(suite, properties);
    return suite;
}
