/* The bus's delay function: expected numbers, an independent slow sum, both directions, bounds, domain. */
#include "unit.h"

#include <inlay/network.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static bool near(double got, double want, double tolerance)
{
    return fabs(got - want) <= tolerance * fabs(want);
}

/* Equal to a relative tolerance. */
#define AGREES(got, want, tolerance)                                                                                   \
    ck_assert_msg(near(got, want, tolerance), "%s = %.15g, expected %.15g", #got, (double)(got), (double)(want))

/* ---- Expected numbers ---- */

/* The rows of one table; the caller drops *root. */
static const json_t *golden_rows(const char *table, json_t **root)
{
    *root = unit_golden("delay");
    const json_t *rows = json_object_get(*root, table);
    ck_assert_uint_gt(json_array_size(rows), 0);
    return rows;
}

static double field(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    ck_assert_msg(json_is_number(value), "no number '%s'", name);
    return json_number_value(value);
}

START_TEST(golden_rate)
{
    json_t *root;
    const json_t *rows = golden_rows("models_1_2", &root);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double rho;
        double delay;
        double rho_p;
        ck_assert_int_eq(inlay_bus_rate((int64_t)field(row, "k"), field(row, "u"), &rho, &delay), INLAY_OK);
        AGREES(rho, field(row, "rho"), 1e-9);
        AGREES(delay, field(row, "D"), 1e-9);
        ck_assert_int_eq(inlay_bus_common_processor_rate(rho, &rho_p), INLAY_OK);
        AGREES(rho_p, field(row, "rho_p1"), 1e-9);
        if (json_is_null(json_object_get(row, "rho_p2"))) {
            ck_assert_int_eq(inlay_bus_distributed_processor_rate(rho, &rho_p), INLAY_NO_ANSWER);
        } else {
            ck_assert_int_eq(inlay_bus_distributed_processor_rate(rho, &rho_p), INLAY_OK);
            AGREES(rho_p, field(row, "rho_p2"), 1e-9);
        }
    }
    json_decref(root);
}
END_TEST

START_TEST(golden_utilisation)
{
    json_t *root;
    const json_t *rows = golden_rows("models_1_2_forward", &root);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double u;
        double log_idle;
        double delay;
        ck_assert_int_eq(inlay_bus_utilisation((int64_t)field(row, "k"), field(row, "rho"), &u, &log_idle, &delay),
                         INLAY_OK);
        AGREES(u, field(row, "u"), 1e-9);
        AGREES(log_idle, field(row, "ln_1_minus_u"), 1e-9);
        AGREES(delay, field(row, "D"), 1e-9);
    }
    json_decref(root);
}
END_TEST

/* ---- The definition, term by term ---- */

/* P_k = sum of rho^j k!/(k-j)!, and the mean number at the bus, which Little's law turns into D. */
static void slow_bus(int64_t k, double rho, long double *idle, long double *delay)
{
    long double term = 1;
    long double sum = 1;
    long double present = 0;
    for (int64_t j = 1; j <= k; j++) {
        term *= (long double)rho * (long double)(k - j + 1);
        sum += term;
        present += (long double)j * term;
    }
    *idle = 1 / sum;
    *delay = present / (sum - 1);
}

START_TEST(equals_definition)
{
    static const double rates[] = {1e-6, 1e-3, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 1e3, 1e6};
    for (int64_t k = 1; k <= 120; k++) {
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            long double idle;
            long double slow_delay;
            double u;
            double log_idle;
            double delay;
            slow_bus(k, rates[i], &idle, &slow_delay);
            ck_assert_int_eq(inlay_bus_utilisation(k, rates[i], &u, &log_idle, &delay), INLAY_OK);
            AGREES(u, 1 - (double)idle, 1e-10); /* 1 - idle itself loses digits at small u */
            AGREES(log_idle, (double)logl(idle), 1e-10);
            AGREES(delay, (double)slow_delay, rates[i] < 1e-3 ? 1e-9 : 1e-12);
        }
    }
}
END_TEST

/* The recursions over processors, for sizes out of reach of the sum. Erlang's for the idle share, in logarithms:
   P_k = 1 + k rho P_{k-1}. Mean value analysis for D: D_k = 1 + (k-1) D_{k-1} / (1/rho + D_{k-1}). */
START_TEST(equals_recursion)
{
    static const struct {
        int64_t k;
        double rho;
    } cases[] = {{1000, 1e-4},    {1000, 1e-3},  {1000, 1.3e-3}, {1000, 2e-3},     {1000, 1},       {20000, 4e-5},
                 {20000, 5.4e-5}, {20000, 6e-5}, {20000, 1e-2},  {200000, 4.9e-6}, {200000, 5.2e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long double rho = cases[i].rho;
        long double log_p = 0;
        long double slow_delay = 0;
        for (int64_t j = 1; j <= cases[i].k; j++) {
            log_p += logl((long double)j * rho + expl(-log_p));
            slow_delay = 1 + (long double)(j - 1) * slow_delay / (1 / rho + slow_delay);
        }
        double u;
        double log_idle;
        double delay;
        ck_assert_int_eq(inlay_bus_utilisation(cases[i].k, cases[i].rho, &u, &log_idle, &delay), INLAY_OK);
        AGREES(log_idle, (double)-log_p, 1e-10);
        AGREES(u, (double)-expm1l(-log_p), 1e-10);
        AGREES(delay, (double)slow_delay, 1e-10);
    }
}
END_TEST

/* ---- Both directions and what must hold everywhere ---- */

static double grid_utilisation(int i, int steps)
{
    double logit = -20 + 40. * i / (steps - 1);
    return 1 / (1 + exp(-logit));
}

/* 100 sizes from 1 to 2 x 10^5, 100 utilisations from 2e-9 to 1 - 2e-9. */
START_TEST(forward_of_inverse)
{
    enum { SIZES = 100, POINTS = 100 };
    for (int s = 0; s < SIZES; s++) {
        int64_t k = s < 20 ? s + 1 : (int64_t)(20 * pow(1e4, (s - 19) / (double)(SIZES - 20)));
        double rho_before = 0;
        double delay_before = 1;
        for (int i = 0; i < POINTS; i++) {
            double u = grid_utilisation(i, POINTS);
            double rho;
            double delay;
            double u_again;
            double log_idle;
            double delay_again;
            ck_assert_int_eq(inlay_bus_rate(k, u, &rho, &delay), INLAY_OK);
            ck_assert_int_eq(inlay_bus_utilisation(k, rho, &u_again, &log_idle, &delay_again), INLAY_OK);
            AGREES(u_again, u, 1e-12);
            AGREES(exp(log_idle), 1 - u, 1e-11);
            AGREES(delay_again, delay, 1e-12);
            ck_assert_double_ge(delay, 1);
            ck_assert_double_le(delay, (double)k);
            ck_assert_double_gt(rho, rho_before);
            ck_assert_double_ge(delay, delay_before * (1 - 1e-13));
            rho_before = rho;
            delay_before = delay;
        }
    }
}
END_TEST

START_TEST(monotone_in_rate)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 170, 171, 1000, 54321, 1000000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double log_idle_before = 0;
        double u_before = 0;
        double delay_before = 1;
        for (int i = 0; i <= 400; i++) {
            double rho = pow(10, -4 + i / 50.) / (double)sizes[s];
            double u;
            double log_idle;
            double delay;
            ck_assert_int_eq(inlay_bus_utilisation(sizes[s], rho, &u, &log_idle, &delay), INLAY_OK);
            ck_assert_double_lt(log_idle, log_idle_before);
            ck_assert_double_ge(u, u_before);
            ck_assert_double_le(u, 1);
            ck_assert_double_ge(delay, delay_before * (1 - 1e-13));
            ck_assert_double_ge(delay, 1);
            ck_assert_double_le(delay, (double)sizes[s]);
            log_idle_before = log_idle;
            u_before = u;
            delay_before = delay;
        }
    }
}
END_TEST

START_TEST(ends)
{
    static const int64_t sizes[] = {1, 2, 17, 1000, 1000000, 2147483647};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int64_t k = sizes[s];
        double u;
        double rho;
        double log_idle;
        double delay;
        ck_assert_int_eq(inlay_bus_rate(k, 0, &rho, &delay), INLAY_OK);
        ck_assert_double_eq(rho, 0);
        ck_assert_double_eq(delay, 1);
        ck_assert_int_eq(inlay_bus_utilisation(k, 0, &u, &log_idle, &delay), INLAY_OK);
        ck_assert_double_eq(u, 0);
        ck_assert_double_eq(log_idle, 0);
        ck_assert_double_eq(delay, 1);

        /* nearly idle: rho = u/k and D = 1 to first order */
        ck_assert_int_eq(inlay_bus_rate(k, 1e-200, &rho, &delay), INLAY_OK);
        AGREES(rho, 1e-200 / (double)k, 1e-12);
        AGREES(delay, 1, 1e-12);

        /* the last double below 1 */
        ck_assert_int_eq(inlay_bus_rate(k, 1 - ldexp(1, -53), &rho, &delay), INLAY_OK);
        ck_assert_int_eq(inlay_bus_utilisation(k, rho, &u, &log_idle, NULL), INLAY_OK);
        AGREES(log_idle, -53 * log(2), 1e-10);

        /* far beyond: u rounds to 1, everybody waits */
        ck_assert_int_eq(inlay_bus_utilisation(k, 1e300, &u, &log_idle, &delay), INLAY_OK);
        ck_assert_double_eq(u, 1);
        ck_assert_double_lt(log_idle, -600);
        ck_assert(isfinite(log_idle));
        AGREES(delay, (double)k, 1e-12);
    }
}
END_TEST

START_TEST(one_processor)
{
    for (int i = 0; i < 50; i++) {
        double u = grid_utilisation(i, 50);
        double rho;
        double delay;
        ck_assert_int_eq(inlay_bus_rate(1, u, &rho, &delay), INLAY_OK);
        AGREES(rho, u / (1 - u), 1e-15);
        ck_assert_double_eq(delay, 1);
    }
}
END_TEST

START_TEST(outside_domain)
{
    double a = 7;
    double b = 7;
    double c = 7;
    static const double no_rates[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof no_rates / sizeof *no_rates; i++) {
        ck_assert_int_eq(inlay_bus_utilisation(4, no_rates[i], &a, &b, &c), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_bus_common_processor_rate(no_rates[i], &a), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_bus_distributed_processor_rate(no_rates[i], &a), INLAY_BAD_ARGUMENT);
    }
    ck_assert_int_eq(inlay_bus_utilisation(0, 0.5, &a, &b, &c), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_utilisation(-1, 0.5, &a, &b, &c), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_rate(0, 0.5, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_rate(4, -0.1, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_rate(4, NAN, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_rate(4, 1, &a, &b), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_bus_rate(4, 1.5, &a, &b), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_bus_rate(1, 1, &a, &b), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_bus_rate(4, INFINITY, &a, &b), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_bus_distributed_processor_rate(1, &a), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_bus_distributed_processor_rate(2, &a), INLAY_NO_ANSWER);
    ck_assert_double_eq(a, 7);
    ck_assert_double_eq(b, 7);
    ck_assert_double_eq(c, 7);
    ck_assert_int_eq(inlay_bus_rate(4, 0.5, NULL, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_bus_utilisation(4, 0.5, &a, NULL, NULL), INLAY_OK);
}
END_TEST

Suite *suite_bus(void)
{
    Suite *suite = suite_create("bus");
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, golden_rate);
    tcase_add_test(numbers, golden_utilisation);
    tcase_add_test(numbers, equals_definition);
    tcase_add_test(numbers, equals_recursion);
    suite_add_tcase(suite, numbers);
    TCase *properties = tcase_create("properties");
    tcase_add_test(properties, forward_of_inverse);
    tcase_add_test(properties, monotone_in_rate);
    tcase_add_test(properties, ends);
    tcase_add_test(properties, one_processor);
    tcase_add_test(properties, outside_domain);
    suite_add_tcase(suite, properties);
    return suite;
}
