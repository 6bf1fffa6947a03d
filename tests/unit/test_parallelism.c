/* The parallelism profile of random applications beside counting at every time, and the ratio of communication to computation. */
#include "random_app.h"
#include "unit.h"

#include <inlay/generate.h>
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

/*
 * Earliest starts by going over all links until nothing changes. Where the file gives blocking times, a link is satisfied
 * min(m_i, max(0, b_j - b_i)) after i starts, else when i has ended.
 */
static void find_starts(const inlay_app *app, inlay_time *start)
{
    inlay_id modules = inlay_app_modules(app);
    for (bool changed = true; changed;) {
        changed = false;
        for (inlay_id i = 0; i < modules; i++) {
            inlay_links out = inlay_app_out(app, i);
            for (int64_t l = 0; l < out.count; l++) {
                inlay_time wait = inlay_app_blocking(app, out.module[l]) - inlay_app_blocking(app, i);
                inlay_time m = inlay_app_time(app, i), *next = &start[out.module[l]];
                inlay_time lag = !inlay_app_has_blocking(app) || wait > m ? m : wait > 0 ? wait : 0;
                inlay_time end = start[i] + lag;
                if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) && *next < end) {
                    *next = end;
                    changed = true;
                }
            }
        }
    }
}

static inlay_id running_at(const inlay_app *app, const inlay_time *start, inlay_time at)
{
    inlay_id count = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        count += start[i] <= at && at < start[i] + inlay_app_time(app, i);
    }
    return count;
}

START_TEST(counted_at_every_step)
{
    uint64_t state = (uint64_t)_i + 77;
    random_times times;
    inlay_time start[RANDOM_MODULES] = {0}, work = 0, area = 0;
    inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, RANDOM_MODULES),
                                (unsigned)random_below(&state, RANDOM_EVERYTHING + 1), &times);
    inlay_parallelism_step *steps = NULL;
    size_t count = 0;
    inlay_app_info info;
    ck_assert_int_eq(inlay_app_parallelism(app, &steps, &count, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_describe(app, &info, NULL), INLAY_OK);
    find_starts(app, start);
    ck_assert_int_eq(steps[0].from, 0);
    ck_assert_int_eq(steps[count - 1].modules, 0);
    for (size_t s = 0; s < count; s++) {
        ck_assert_int_eq(steps[s].modules, running_at(app, start, steps[s].from));
        if (s > 0) {
            ck_assert_int_lt(steps[s - 1].from, steps[s].from);
            ck_assert_int_ne(steps[s - 1].modules, steps[s].modules);
            area += steps[s - 1].modules * (steps[s].from - steps[s - 1].from);
        }
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        work += inlay_app_time(app, i);
    }
    ck_assert_int_eq(area, work);
    ck_assert_int_le(steps[count - 1].from, info.critical_path);
    free(steps);
    inlay_app_free(app);
}
END_TEST

/* What is generated with a ratio has it, but for the rounding of what each link carries. */
START_TEST(ratio_is_that_of_generate)
{
    static const double wanted[] = {0.1, 1, 10};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const inlay_generator_options options = {
            .kind = "layered", .rate = 1e6, .has_ccr = true, .ccr = wanted[i], .bandwidth = 1e6, .seed = 3};
        inlay_app *app = NULL;
        ck_assert_int_eq(inlay_generate(&options, &app, NULL), INLAY_OK);
        ck_assert_double_eq_tol(inlay_app_ccr(app, 1e6), wanted[i], wanted[i] * 1e-3);
        ck_assert_double_eq_tol(inlay_app_ccr(app, 2e6), wanted[i] / 2, wanted[i] * 1e-3);
        inlay_app_free(app);
    }
}
END_TEST

START_TEST(ratio_of_ticks_and_of_milliseconds)
{
    static const char ticks[] =
        "digraph a { graph [time_unit=tick]; a [time=4]; b [time=6]; a -> b [messages=5, bytes=9] }";
    static const char thousandths[] =
        "digraph a { graph [time_unit=ms]; a [time=4]; b [time=6]; a -> b [messages=5, bytes=50] }";
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read_memory(ticks, strlen(ticks), "t", NULL, &app, NULL), INLAY_OK);
    ck_assert_double_eq(inlay_app_ccr(app, 0), 0.5);
    ck_assert_double_eq(inlay_app_ccr(app, 2), 0.25);
    inlay_app_free(app);
    ck_assert_int_eq(inlay_app_read_memory(thousandths, strlen(thousandths), "t", NULL, &app, NULL), INLAY_OK);
    ck_assert_double_eq_tol(inlay_app_ccr(app, 1000), 5, 1e-12);
    inlay_app_free(app);
}
END_TEST

Suite *suite_parallelism(void)
{
    Suite *suite = suite_create("parallelism");
    TCase *tests = tcase_create("parallelism");
    tcase_add_loop_test(tests, counted_at_every_step, 0, 100);
    tcase_add_test(tests, ratio_is_that_of_generate);
    tcase_add_test(tests, ratio_of_ticks_and_of_milliseconds);
    suite_add_tcase(suite, tests);
    return suite;
}
