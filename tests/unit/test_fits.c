/* Fits of measured times: no other line is nearer, steps and growths that are there are found. */
#include "random_app.h"
#include "unit.h"

#include <inlay/measure.h>
#include <math.h>

enum { SIZES = 8, PAIRS = 3, POINTS = SIZES * PAIRS };

static const int64_t size[SIZES] = {1, 8, 64, 512, 4096, 32768, 262144, 2097152};

/* Times of messages with a step at size[5], each off by up to `noise`; the answer of the fit. */
static inlay_message_fit fit_of(uint64_t *state, double step, double noise, double seconds[POINTS])
{
    double sizes[POINTS], spread[2 * POINTS] = {0};
    inlay_message_fit fit;
    for (int i = 0; i < POINTS; i++) {
        double off = 1 + noise * (double)(random_below(state, 2001) - 1000) / 1000;
        sizes[i] = (double)size[i % SIZES];
        seconds[i] = (2e-5 + sizes[i] * 1e-9 + (i % SIZES >= 5 ? step : 0)) * off;
    }
    const inlay_fit_points points = {sizes, seconds, spread, POINTS, NULL};
    double kept[POINTS];
    for (int i = 0; i < POINTS; i++) {
        kept[i] = seconds[i];
    }
    ck_assert_int_eq(inlay_fit_messages(&points, size, SIZES, &fit), INLAY_OK);
    for (int i = 0; i < POINTS; i++) {
        seconds[i] = kept[i];
    }
    return fit;
}

static double squares(const double seconds[POINTS], double latency, double per_byte)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        double error = (latency + (double)size[i % SIZES] * per_byte) / seconds[i] - 1;
        sum += error * error;
    }
    return sum;
}

START_TEST(no_other_line_is_nearer)
{
    uint64_t state = (uint64_t)_i + 1;
    double seconds[POINTS];
    inlay_message_fit fit = fit_of(&state, 0, 0.2, seconds);
    double best = squares(seconds, fit.latency, fit.per_byte);
    ck_assert_double_eq_tol(fit.residual, sqrt(best / POINTS), 1e-12);
    for (int a = -1; a <= 1; a++) {
        for (int b = -1; b <= 1; b++) {
            double near = squares(seconds, fit.latency * (1 + 1e-3 * a), fit.per_byte * (1 + 1e-3 * b));
            ck_assert_double_le(best, near * (1 + 1e-12));
        }
    }
}
END_TEST

START_TEST(a_step_is_found)
{
    uint64_t state = 1;
    double seconds[POINTS];
    inlay_message_fit fit = fit_of(&state, 3e-4, 0, seconds);
    ck_assert_double_eq(fit.step.size, (double)size[5]);
    ck_assert_double_eq_tol(fit.step.seconds, 3e-4, 1e-10);
    ck_assert_double_eq_tol(fit.step.latency, 2e-5, 1e-10);
    ck_assert_double_eq_tol(fit.step.per_byte, 1e-9, 1e-15);
    ck_assert_double_eq(fit_of(&state, 0, 0, seconds).step.seconds, 0);
}
END_TEST

/* T(p, b) = 1e-3 + 2e-4 f(p) + b (1e-6 + 1e-7 f(p)), up to a hair. */
START_TEST(the_growth_is_found)
{
    inlay_growth_point point[20];
    inlay_pattern_fit pattern = {.point = point, .points = 20, .counts = 5};
    uint64_t state = 7;
    for (int i = 0; i < 20; i++) {
        int p = 2 << (i % 5);
        double f = _i == 0 ? 1 : _i == 1 ? log2(p) : p, bytes = 8 << (2 * (i / 5));
        double off = 1 + 1e-6 * (double)(random_below(&state, 2001) - 1000) / 1000;
        point[i] = (inlay_growth_point){p, bytes, (1e-3 + 2e-4 * f + bytes * (1e-6 + 1e-7 * f)) * off, 0};
    }
    ck_assert_int_eq(inlay_fit_growths(&pattern), INLAY_OK);
    ck_assert_int_eq(pattern.chosen, _i);
    ck_assert_double_lt(pattern.fit[_i].largest, 2e-6);
    for (int i = 0; i < 20; i++) {
        double told =
            inlay_growth_seconds(&pattern.fit[_i], inlay_growth_order[_i], point[i].processors, point[i].bytes);
        ck_assert_double_eq_tol(told, point[i].seconds, 2e-6 * point[i].seconds);
    }
}
END_TEST

Suite *suite_fits(void)
{
    Suite *suite = suite_create("fits");
    TCase *tests = tcase_create("fits");
    tcase_add_loop_test(tests, no_other_line_is_nearer, 0, 20);
    tcase_add_test(tests, a_step_is_found);
    tcase_add_loop_test(tests, the_growth_is_found, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
