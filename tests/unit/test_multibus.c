/* The multiple bus: expected numbers, exact fractions, direct sums, both directions, bounds, domain. */
#include "drawn.h"
#include "slow_network.h"
#include "unit.h"

#include "network/multibus.h"
#include <float.h>
#include <inlay/network.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const inlay_multibus_model models[] = {INLAY_MULTIBUS_PAPER, INLAY_MULTIBUS_OCCUPANCY};
enum { MODELS = sizeof models / sizeof *models };

static inlay_multibus *multibus(int64_t k, int64_t m, int64_t b, inlay_multibus_model model)
{
    inlay_multibus *made = NULL;
    ck_assert_int_eq(inlay_multibus_new(k, m, b, model, &made), INLAY_OK);
    ck_assert_ptr_nonnull(made);
    return made;
}

/* ---- Expected numbers ---- */

START_TEST(golden_points)
{
    json_t *root;
    const json_t *rows = delay_rows("model_3", &root);
    ck_assert_uint_eq(json_array_size(rows), 14);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        inlay_multibus *mb = multibus((int64_t)delay_number(row, "k"), (int64_t)delay_number(row, "m"),
                                      (int64_t)delay_number(row, "b"), INLAY_MULTIBUS_PAPER);
        double wanted = delay_number(row, "u");
        AGREES(inlay_multibus_limit(mb), delay_number(row, "beta_k"), 1e-9);
        double rho = -1;
        double delay = -1;
        int status = inlay_multibus_rate(mb, wanted, &rho, &delay);
        if (json_is_null(json_object_get(row, "rho"))) {
            ck_assert_int_eq(status, INLAY_NO_ANSWER);
        } else {
            double u;
            double delay_again;
            double active;
            ck_assert_int_eq(status, INLAY_OK);
            AGREES(rho, delay_number(row, "rho"), 1e-9);
            AGREES(delay, delay_number(row, "D"), 1e-9);
            ck_assert_int_eq(inlay_multibus_utilisation(mb, rho, &u, &delay_again, &active), INLAY_OK);
            AGREES(u, wanted, 1e-12);
            AGREES(delay_again, delay, 1e-12);
            AGREES(active, delay_number(row, "active"), 1e-9);
        }
        inlay_multibus_free(mb);
    }
    json_decref(root);
}
END_TEST

/* Keys "m,b", values beta_1 beta_2 ... as fractions: the double nearest the fraction, and the reference's fraction. */
START_TEST(golden_fractions)
{
    json_t *root;
    json_t *rows = (json_t *)delay_rows("model_3_beta", &root);
    const char *key;
    json_t *value;
    int fractions = 0;
    json_object_foreach(rows, key, value)
    {
        int m;
        int b;
        ck_assert_int_eq(sscanf(key, "%d,%d", &m, &b), 2);
        inlay_multibus *mb = multibus(8, m, b, INLAY_MULTIBUS_PAPER);
        const char *text = json_string_value(value);
        for (int l = 1; l <= 8; l++) {
            char *end;
            unsigned long over = strtoul(text, &end, 10);
            unsigned long under = *end == '/' ? strtoul(end + 1, &end, 10) : 1;
            text = end;
            ck_assert_double_eq(inlay_multibus_beta(mb, l), (double)over / (double)under);
            slow_ratio slow = slow_paper_beta(m, b, l);
            ck_assert(slow.over * under == slow.under * over);
            fractions++;
        }
        inlay_multibus_free(mb);
    }
    ck_assert_int_eq(fractions, 40);
    inlay_multibus *large = multibus(100, 64, 16, INLAY_MULTIBUS_PAPER);
    AGREES(inlay_multibus_beta(large, 100), 15.9984368737, 1e-11);
    inlay_multibus_free(large);
    json_decref(root);
}
END_TEST

/* ---- beta ---- */

/* Every beta_l is the double nearest to an exact fraction, and these fractions do not fall. */
START_TEST(paper_beta_is_exact)
{
    for (int m = 1; m <= 24; m++) {
        for (int b = 1; b <= m; b++) {
            inlay_multibus *mb = multibus(SLOW_LARGEST, m, b, INLAY_MULTIBUS_PAPER);
            slow_ratio before = {0, 1};
            for (int l = 1; l <= SLOW_LARGEST; l++) {
                slow_ratio slow = slow_paper_beta(m, b, l);
                ck_assert(slow.over < (slow_integer)1 << 53); /* else the quotient below is not exact enough */
                double exact = (double)slow.over / (double)slow.under;
                ck_assert_msg(inlay_multibus_beta(mb, l) == exact, "(%d,%d) beta_%d = %.17g, expected %.17g", m, b, l,
                              inlay_multibus_beta(mb, l), exact);
                ck_assert(before.over * slow.under <= slow.over * before.under);
                before = slow;
            }
            inlay_multibus_free(mb);
        }
    }
}
END_TEST

START_TEST(occupancy_beta_is_right)
{
    for (int m = 1; m <= 24; m++) {
        for (int b = 1; b <= m; b++) {
            inlay_multibus *mb = multibus(200, m, b, INLAY_MULTIBUS_OCCUPANCY);
            for (int l = 1; l <= 200; l++) {
                AGREES(inlay_multibus_beta(mb, l), slow_occupancy_beta(m, b, l), 1e-14);
            }
            inlay_multibus_free(mb);
        }
    }
    /* where b is far from what is likely, the sum is left out */
    static const int sizes[][2] = {{300, 5}, {300, 80}, {300, 150}, {300, 299}, {1000, 400}, {1000, 500}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        inlay_multibus *mb = multibus(1500, sizes[i][0], sizes[i][1], INLAY_MULTIBUS_OCCUPANCY);
        for (int l = 1; l <= 1500; l += 41) {
            AGREES(inlay_multibus_beta(mb, l), slow_occupancy_beta(sizes[i][0], sizes[i][1], l), 2e-14);
        }
        inlay_multibus_free(mb);
    }
}
END_TEST

/* The counts as they are and scaled against long double; and where only scaling keeps them in the range of double,
   against a shorter table, which must not depend on where it ends. */
START_TEST(paper_beta_of_large_numbers)
{
    enum { N = 1500, LONGER = 90000 };
    static const int sizes[][2] = {{40, 20}, {120, 119}, {300, 100}, {300, 300}, {1000, 700}};
    static long double slow[N + 1];
    static double fast[LONGER + 1];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        slow_paper_betas(sizes[i][0], sizes[i][1], N, slow);
        for (int scaled = 0; scaled < 2; scaled++) {
            ck_assert_int_eq(multibus_paper_beta(sizes[i][0], sizes[i][1], N, scaled, fast), INLAY_OK);
            for (int l = 1; l <= N; l++) {
                AGREES(fast[l], slow[l], 1e-13);
            }
        }
    }
    static double shorter[LONGER / 2 + 1];
    ck_assert_int_eq(multibus_paper_beta(1200, 1200, LONGER / 2, false, shorter), INLAY_OK);
    ck_assert_int_eq(multibus_paper_beta(1200, 1200, LONGER, false, fast), INLAY_OVERFLOW);
    ck_assert_int_eq(multibus_paper_beta(1200, 1200, LONGER, true, fast), INLAY_OK);
    for (int l = 1; l <= LONGER / 2; l++) {
        AGREES(fast[l], shorter[l], 1e-12);
    }
    for (int l = 1; l <= LONGER; l++) {
        ck_assert_double_ge(fast[l], fast[l - 1] * (1 - 1e-14));
        ck_assert_double_le(fast[l], 1200);
    }
    inlay_multibus *mb = multibus(LONGER, 1200, 1200, INLAY_MULTIBUS_PAPER); /* scales by itself */
    ck_assert_double_eq(inlay_multibus_limit(mb), fast[LONGER]);
    inlay_multibus_free(mb);
}
END_TEST

/* The object's table ends early where beta_l has come to b: never too early. */
START_TEST(beta_stays_at_b)
{
    enum { K = 6000 };
    static double whole[K + 1];
    for (int b = 4; b <= 64; b += 3) {
        for (int model = 0; model < MODELS; model++) {
            if (models[model] == INLAY_MULTIBUS_PAPER) {
                ck_assert_int_eq(multibus_paper_beta(64, b, K, false, whole), INLAY_OK);
            } else {
                multibus_occupancy_beta(64, b, K, whole);
            }
            inlay_multibus *mb = multibus(K, 64, b, models[model]);
            for (int l = 0; l <= K; l++) {
                AGREES(inlay_multibus_beta(mb, l), whole[l], 1e-14);
            }
            AGREES(inlay_multibus_limit(mb), whole[K], 1e-14);
            inlay_multibus_free(mb);
        }
    }
}
END_TEST

/* ---- The chain ---- */

/* A machine of each shape: k > m > b, b = m, k < m, one bus, one memory. */
static const int shapes[][3] = {{1, 1, 1},      {1, 5, 3},    {2, 8, 8},   {4, 4, 2},     {4, 4, 4},
                                {5, 12, 4},     {6, 2, 2},    {8, 4, 1},   {8, 8, 4},     {12, 3, 2},
                                {17, 8, 3},     {16, 16, 16}, {20, 1, 1},  {30, 24, 20},  {64, 32, 8},
                                {100, 200, 50}, {100, 7, 6},  {128, 9, 8}, {180, 64, 16}, {200, 20, 20}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

START_TEST(equals_direct_sum)
{
    static const double rates[] = {1e-3, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 1e3, 1e5};
    for (int s = 0; s < SHAPES; s++) {
        int k = shapes[s][0];
        int m = shapes[s][1];
        int b = shapes[s][2];
        for (int model = 0; model < MODELS; model++) {
            long double beta[201] = {0};
            if (models[model] == INLAY_MULTIBUS_PAPER) {
                slow_paper_betas(m, b, k, beta);
            } else {
                for (int l = 1; l <= k; l++) {
                    beta[l] = slow_occupancy_beta(m, b, l);
                }
            }
            inlay_multibus *mb = multibus(k, m, b, models[model]);
            for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
                slow_point slow = slow_multibus(k, beta, rates[i]);
                double u;
                double delay;
                double active;
                ck_assert_int_eq(inlay_multibus_utilisation(mb, rates[i], &u, &delay, &active), INLAY_OK);
                AGREES(u, slow.u, 1e-11); /* the printed formulas cancel */
                AGREES(delay, slow.delay, 1e-11);
                AGREES(active, slow.active, 1e-11);
            }
            inlay_multibus_free(mb);
        }
    }
}
END_TEST

/* 20 shapes x 500 rates = 10,000 points a model, fewer with sanitizers: to u and back gives rho, as far as u tells rates apart; from there to
   u again gives u, and beta_k - u. u, D and P = u/rho rise or fall as they must. */
START_TEST(inverse_of_forward)
{
    enum { POINTS = DRAWN_MULTIBUS / SHAPES };
    for (int i = 0; i < SHAPES * MODELS; i++) {
        const int *shape = shapes[i % SHAPES];
        inlay_multibus *mb = multibus(shape[0], shape[1], shape[2], models[i / SHAPES]);
        double limit = inlay_multibus_limit(mb);
        double before = 0;
        for (int point = 0; point < POINTS; point++) {
            double rho = pow(10, -9 + 13. * point / (POINTS - 1)) / shape[0];
            double u;
            double delay;
            double rho_again;
            double delay_again;
            double u_again;
            ck_assert_int_eq(inlay_multibus_utilisation(mb, rho, &u, &delay, NULL), INLAY_OK);
            ck_assert_double_ge(u, before);
            before = u;
            if (u >= limit) { /* by rounding */
                ck_assert_int_eq(inlay_multibus_rate(mb, u, &rho_again, &delay_again), INLAY_NO_ANSWER);
                continue;
            }
            ck_assert_int_eq(inlay_multibus_rate(mb, u, &rho_again, &delay_again), INLAY_OK);
            double blur = 4 * DBL_EPSILON * limit / (limit - u);
            AGREES(rho_again, rho, 1e-12 + blur);
            AGREES(delay_again, delay, 1e-12 + blur);
            ck_assert_int_eq(inlay_multibus_utilisation(mb, rho_again, &u_again, NULL, NULL), INLAY_OK);
            AGREES(u_again, u, 1e-13);
            AGREES(limit - u_again, limit - u, 1e-12 + blur);
        }
        inlay_multibus_free(mb);
    }
}
END_TEST

/* D is a mean of l/beta_l over l, and more weight lies at large l the larger rho is: D rises where l/beta_l does. It
   does in the occupancy model. The paper's beta_l may grow faster than l for a while: then D has a hump. */
static bool delay_must_rise(const inlay_multibus *mb, int k)
{
    for (int l = 2; l <= k; l++) {
        if (l / inlay_multibus_beta(mb, l) < (l - 1) / inlay_multibus_beta(mb, l - 1) * (1 - 1e-14)) return false;
    }
    return true;
}

START_TEST(monotone_in_rate)
{
    int humps = 0;
    for (int i = 0; i < SHAPES * MODELS; i++) {
        const int *shape = shapes[i % SHAPES];
        inlay_multibus *mb = multibus(shape[0], shape[1], shape[2], models[i / SHAPES]);
        bool rises = delay_must_rise(mb, shape[0]);
        ck_assert(rises || models[i / SHAPES] == INLAY_MULTIBUS_PAPER);
        humps += !rises;
        double u_before = 0;
        double delay_before = 1;
        double active_before = shape[0];
        for (int point = 0; point <= 400; point++) {
            double u;
            double delay;
            double active;
            double rho = pow(10, -4 + point / 50.) / shape[0];
            ck_assert_int_eq(inlay_multibus_utilisation(mb, rho, &u, &delay, &active), INLAY_OK);
            ck_assert(u > u_before || u > inlay_multibus_limit(mb) * (1 - 1e-13));
            ck_assert_double_le(u, inlay_multibus_limit(mb));
            ck_assert_double_lt(active, active_before);
            ck_assert_double_ge(delay, rises ? delay_before * (1 - 1e-13) : 1);
            ck_assert_double_le(delay, shape[0]);
            u_before = u;
            delay_before = delay;
            active_before = active;
        }
        inlay_multibus_free(mb);
    }
    ck_assert_int_gt(humps, 0);
}
END_TEST

START_TEST(one_bus_is_the_bus)
{
    static const int64_t sizes[] = {1, 2, 8, 17, 1000, 1000000};
    static const double rates[] = {1e-6, 0.01, 0.3, 0.9, 1, 1.1, 3, 100}; /* times 1/k */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes * MODELS; s++) {
        int64_t k = sizes[s / MODELS];
        inlay_multibus *mb = multibus(k, 4, 1, models[s % MODELS]);
        ck_assert_double_eq(inlay_multibus_limit(mb), 1);
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            double rho = rates[i] / (double)k;
            double u;
            double delay;
            double bus_u;
            double bus_delay;
            ck_assert_int_eq(inlay_multibus_utilisation(mb, rho, &u, &delay, NULL), INLAY_OK);
            ck_assert_int_eq(inlay_bus_utilisation(k, rho, &bus_u, NULL, &bus_delay), INLAY_OK);
            AGREES(u, bus_u, 1e-11);
            AGREES(delay, bus_delay, 1e-11);
        }
        for (int i = 1; i < 100; i++) {
            double rho;
            double delay;
            double bus_rho;
            double bus_delay;
            ck_assert_int_eq(inlay_multibus_rate(mb, i / 100., &rho, &delay), INLAY_OK);
            ck_assert_int_eq(inlay_bus_rate(k, i / 100., &bus_rho, &bus_delay), INLAY_OK);
            AGREES(rho, bus_rho, 1e-11);
            AGREES(delay, bus_delay, 1e-11);
        }
        inlay_multibus_free(mb);
    }
}
END_TEST

/* A million processors, and u next to both ends. */
START_TEST(ends)
{
    static const int64_t sizes[][3] = {{2, 2, 2}, {17, 8, 3}, {64, 32, 8}, {1000000, 64, 16}, {1000000, 10000, 100}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes * MODELS; s++) {
        const int64_t *size = sizes[s / MODELS];
        double k = (double)size[0];
        inlay_multibus *mb = multibus(size[0], size[1], size[2], models[s % MODELS]);
        double limit = inlay_multibus_limit(mb);
        double u;
        double rho;
        double delay;
        double active;
        ck_assert_int_eq(inlay_multibus_rate(mb, 0, &rho, &delay), INLAY_OK);
        ck_assert_double_eq(rho, 0);
        ck_assert_double_eq(delay, 1);
        ck_assert_int_eq(inlay_multibus_utilisation(mb, 0, &u, &delay, &active), INLAY_OK);
        ck_assert_double_eq(u, 0);
        ck_assert_double_eq(delay, 1);
        ck_assert_double_eq(active, k);

        /* nearly idle: rho = u/k to first order; to second, of two requests present one waits 1/beta_2 - 1/2 longer */
        static const double small[] = {1e-300, 1e-100, 1e-30, 1e-12};
        for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
            ck_assert_int_eq(inlay_multibus_rate(mb, small[i], &rho, &delay), INLAY_OK);
            AGREES(rho, small[i] / k, 2e-12);
            AGREES(delay, 1, 2e-12);
        }
        ck_assert_int_eq(inlay_multibus_rate(mb, 1e-5, &rho, &delay), INLAY_OK);
        double rise = 1e-5 * (1 - 1 / k) * (2 / inlay_multibus_beta(mb, 2) - 1);
        AGREES(delay - 1, rise, 1e-4);

        static const double gaps[] = {1e-3, 1e-6, 1e-9, 1e-12};
        for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
            double wanted = limit * (1 - gaps[i]);
            ck_assert_int_eq(inlay_multibus_rate(mb, wanted, &rho, &delay), INLAY_OK);
            ck_assert_int_eq(inlay_multibus_utilisation(mb, rho, &u, NULL, NULL), INLAY_OK);
            AGREES(u, wanted, 1e-14);
            AGREES(limit - u, limit - wanted, 1e-11 + 4 * DBL_EPSILON / gaps[i]);
            ck_assert_double_le(delay, k / limit * (1 + 1e-12));
        }
        ck_assert_int_eq(inlay_multibus_rate(mb, nextafter(limit, 0), &rho, &delay), INLAY_OK);
        ck_assert(isfinite(rho) && rho > 0);
        ck_assert_int_eq(inlay_multibus_rate(mb, limit, &rho, &delay), INLAY_NO_ANSWER);

        ck_assert_int_eq(inlay_multibus_utilisation(mb, DBL_MAX, &u, &delay, &active), INLAY_OK);
        ck_assert_double_eq(u, limit);
        AGREES(delay, k / limit, 1e-12);
        ck_assert(active >= 0 && active < 1e-290);
        inlay_multibus_free(mb);
    }
}
END_TEST

START_TEST(outside_domain)
{
    inlay_multibus *none = NULL;
    static const int64_t wrong[][3] = {{0, 4, 2}, {-1, 4, 2}, {4, 0, 0}, {4, 4, 0}, {4, 4, -1}, {4, 4, 5}, {4, -2, -3}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (int model = 0; model < MODELS; model++) {
            ck_assert_int_eq(inlay_multibus_new(wrong[i][0], wrong[i][1], wrong[i][2], models[model], &none),
                             INLAY_BAD_ARGUMENT);
        }
    }
    ck_assert_int_eq(inlay_multibus_new(4, 4, 2, (inlay_multibus_model)2, &none), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_multibus_new(4, 4, 2, INLAY_MULTIBUS_PAPER, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(none);
    inlay_multibus_free(NULL);

    inlay_multibus *mb = multibus(8, 8, 4, INLAY_MULTIBUS_PAPER);
    double a = 7;
    double b = 7;
    double c = 7;
    static const double no_rates[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof no_rates / sizeof *no_rates; i++) {
        inlay_known_error error = {.within = 7};
        ck_assert_int_eq(inlay_multibus_utilisation(mb, no_rates[i], &a, &b, &c), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_multibus_known_error(mb, no_rates[i], &error), INLAY_BAD_ARGUMENT);
        ck_assert_double_eq(error.within, 7);
    }
    ck_assert_int_eq(inlay_multibus_rate(mb, -0.1, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_multibus_rate(mb, NAN, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_multibus_rate(mb, 3.5, &a, &b), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_multibus_rate(mb, INFINITY, &a, &b), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_multibus_utilisation(NULL, 1, &a, &b, &c), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_multibus_rate(NULL, 1, &a, &b), INLAY_BAD_ARGUMENT);
    ck_assert(a == 7 && b == 7 && c == 7);
    ck_assert_int_eq(inlay_multibus_rate(mb, 1, NULL, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_multibus_utilisation(mb, 1, NULL, NULL, NULL), INLAY_OK);
    ck_assert_double_eq(inlay_multibus_beta(mb, 0), 0);
    ck_assert(isnan(inlay_multibus_beta(mb, -1)));
    ck_assert(isnan(inlay_multibus_beta(mb, 9)));
    inlay_multibus_free(mb);
}
END_TEST

Suite *suite_multibus(void)
{
    Suite *suite = suite_create("multibus");
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, golden_points);
    tcase_add_test(numbers, golden_fractions);
    tcase_add_test(numbers, paper_beta_is_exact);
    tcase_add_test(numbers, paper_beta_of_large_numbers);
    tcase_add_test(numbers, occupancy_beta_is_right);
    tcase_add_test(numbers, beta_stays_at_b);
    tcase_add_test(numbers, equals_direct_sum);
    suite_add_tcase(suite, numbers);
    TCase *properties = tcase_create("properties");
    tcase_add_test(properties, inverse_of_forward);
    tcase_add_test(properties, monotone_in_rate);
    tcase_add_test(properties, one_bus_is_the_bus);
    tcase_add_test(properties, ends);
    tcase_add_test(properties, outside_domain);
    suite_add_tcase(suite, properties);
    return suite;
}
