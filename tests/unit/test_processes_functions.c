/* Performance functions: tables and formulas, given and fitted. */
#include "processes_subject.h"
#include "random_app.h"
#include "slow_processes.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* ---- Tables ---- */

static inlay_performance *table(const inlay_measurement *m, size_t count)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_performance *made = NULL;
    int status = inlay_performance_table(m, count, &made, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return made;
}

/* Not in order: 1, 2 and 4 processes with 10, 20, 40 and 80 data. */
static const inlay_measurement known[] = {{4, 10, 6}, {1, 80, 7}, {1, 10, 10}, {2, 20, 8.5}, {1, 20, 9.5}, {1, 40, 9},
                                          {2, 10, 9}, {2, 40, 8}, {2, 80, 6},  {4, 20, 5.5}, {4, 40, 5},   {4, 80, 4}};
enum { KNOWN = sizeof known / sizeof *known };

START_TEST(through_all_points)
{
    inlay_performance *f = table(known, KNOWN);
    for (size_t i = 0; i < KNOWN; i++) {
        double speed = inlay_performance_speed(f, (double)known[i].processes, known[i].data);
        ck_assert_double_eq_tol(speed, known[i].speed, 1e-12);
    }
    inlay_performance_range r = inlay_performance_range_of(f);
    ck_assert(r.known && r.processes[0] == 1 && r.processes[1] == 4 && r.data[0] == 10 && r.data[1] == 80);
    ck_assert_int_eq(inlay_performance_form_of(f), INLAY_PERFORMANCE_TABLE);
    ck_assert_ptr_null(inlay_performance_errors_of(f));
    inlay_performance_free(f);
}
END_TEST

/* Steffen's slope at 20 data for 1 process, by his paper: (11), with weights of the intervals. */
START_TEST(steffens_cubics)
{
    inlay_performance *f = table(known, KNOWN);
    double left = (9.5 - 10) / 10;
    double right = (9 - 9.5) / 20;
    double mean = (left * 20 + right * 10) / 30;
    double slope = -2 * fmin(fmin(fabs(left), fabs(right)), 0.5 * fabs(mean));
    double h = 1e-4;
    double measured = (inlay_performance_speed(f, 1, 20 + h) - inlay_performance_speed(f, 1, 20 - h)) / (2 * h);
    ck_assert_double_eq_tol(measured, slope, 1e-6);
    inlay_performance_free(f);
}
END_TEST

START_TEST(outside_the_table)
{
    inlay_performance *f = table(known, KNOWN);
    ck_assert_double_eq(inlay_performance_speed(f, 2, 1), 9);
    ck_assert_double_eq(inlay_performance_speed(f, 2, 1000), 6);
    ck_assert_double_eq_tol(inlay_performance_speed(f, 3, 40), 6.5, 1e-12);
    double growth = ((9 / 6. - 1) + (8.5 / 5.5 - 1) + (8 / 5. - 1) + (6 / 4. - 1)) / 4 / 2;
    ck_assert_double_eq_tol(inlay_performance_speed(f, 9, 40), 5 / (1 + 5 * growth), 1e-12);
    inlay_performance_free(f);

    const inlay_measurement cores[] = {{2, 10, 2}, {4, 10, 4}}; /* 4 idle cores */
    f = table(cores, 2);
    ck_assert_double_eq(inlay_performance_speed(f, 1, 10), 2);
    ck_assert_double_eq(inlay_performance_speed(f, 3, 5), 3);
    ck_assert_double_eq(inlay_performance_speed(f, 8, 10), 4);
    inlay_performance_free(f);
}
END_TEST

/* Where neighbouring values rise or fall, so does everything between them. */
static void expect_monotone(uint64_t *state)
{
    enum { KNOTS = 5, STEPS = 40 };
    inlay_measurement m[2 * KNOTS];
    for (int64_t j = 0; j < 2; j++)
        for (int64_t k = 0; k < KNOTS; k++)
            m[j * KNOTS + k] = (inlay_measurement){1 + j, 10 * (double)(k + 1) * processes_between(state, 0.9, 1.1),
                                                   processes_between(state, 5, 8)};
    for (int k = 0; k < KNOTS; k++)
        m[KNOTS + k].data = m[k].data;
    inlay_performance *f = NULL;
    if (inlay_performance_table(m, 2 * KNOTS, &f, NULL) != INLAY_OK) return;
    for (int i = 0; i < 2 * KNOTS - 1; i++) {
        if (i == KNOTS - 1) continue;
        double sign = m[i + 1].speed > m[i].speed ? 1 : -1;
        double last = m[i].speed;
        for (int n = 1; n <= STEPS; n++) {
            double y = m[i].data + (m[i + 1].data - m[i].data) * n / STEPS;
            double speed = inlay_performance_speed(f, (double)m[i].processes, y);
            ck_assert_double_ge(sign * (speed - last), -1e-12);
            double other = inlay_performance_speed(f, (double)(3 - m[i].processes), y);
            double between = inlay_performance_speed(f, 1.5, y);
            ck_assert_double_eq_tol(between, (speed + other) / 2, 1e-12);
            last = speed;
        }
    }
    inlay_performance_free(f);
}

START_TEST(monotone_between_points)
{
    uint64_t state = 5;
    for (int n = 0; n < 500; n++)
        expect_monotone(&state);
}
END_TEST

/* The largest relative fall of t, sampled: with x and y in step, and with y alone for each measured x. */
static double fall_of(const slow_table *t)
{
    enum { RAYS = 40, STEPS = 300 };
    double worst = 0;
    double most_x = 1.2 * (double)t->measurement[t->columns * t->knots - 1].processes;
    double least_y = t->measurement[0].data * 0.9;
    double most_y = t->measurement[t->knots - 1].data * 1.1;
    for (int ray = 0; ray < RAYS + (int)t->columns; ray++) {
        bool column = ray >= RAYS;
        double x = column ? (double)t->measurement[(size_t)(ray - RAYS) * t->knots].processes : 0;
        double ratio = least_y / most_x * pow(most_y / 0.5 / (least_y / most_x), (ray + 0.5) / RAYS);
        double last = 0;
        for (int n = 1; n <= STEPS; n++) {
            double share = (double)n / STEPS;
            double at = column ? x : 0.5 + (most_x - 0.5) * share;
            double y = column ? least_y + (most_y - least_y) * share : at * ratio;
            double time = y / slow_table_speed(t, at, y);
            worst = fmax(worst, (last - time) / time);
            last = time;
        }
    }
    for (size_t i = 0; i < t->columns * t->knots; i++) { /* rays through the points, just before and behind them */
        for (int n = -3; n < 3; n++) {
            double at[2];
            for (int side = 0; side < 2; side++) {
                double step = 1 + 1e-4 * (n + side);
                double y = t->measurement[i].data * step;
                at[side] = y / slow_table_speed(t, (double)t->measurement[i].processes * step, y);
            }
            worst = fmax(worst, (at[0] - at[1]) / at[1]);
        }
    }
    return worst;
}

/* Tables whose times fall somewhere are refused, and no others: a slow look at many places. */
START_TEST(times_that_fall_are_refused)
{
    enum { COLUMNS = 3, KNOTS = 3 };
    uint64_t state = 6;
    int count[2] = {0, 0};
    for (int n = 0; n < 600; n++) {
        inlay_measurement m[COLUMNS * KNOTS];
        slow_table t = {m, 1 + (size_t)random_below(&state, COLUMNS), KNOTS};
        double rise[2] = {processes_between(&state, -0.2, 1.2), processes_between(&state, -0.5, 1.2)};
        for (size_t j = 0; j < t.columns; j++)
            for (size_t k = 0; k < KNOTS; k++)
                m[j * KNOTS + k] = (inlay_measurement){1 << j, 100 * pow(2, (double)k),
                                                       pow(2, rise[0] * (double)j + rise[1] * (double)k) *
                                                           processes_between(&state, 0.9, 1)};
        inlay_performance *f = NULL;
        int status = inlay_performance_table(m, t.columns * KNOTS, &f, NULL);
        double worst = fall_of(&t);
        ck_assert_msg(status == INLAY_OK ? worst < 1e-8 : worst > 0, "table %d: t falls by %g", n, worst);
        count[status == INLAY_OK]++;
        for (int i = 0; i < 50 && status == INLAY_OK; i++) {
            double x = processes_between(&state, 0.5, (double)m[t.columns * KNOTS - 1].processes);
            double y = processes_between(&state, 50, 800);
            ck_assert_double_eq_tol(inlay_performance_speed(f, x, y) / slow_table_speed(&t, x, y), 1, 1e-12);
        }
        inlay_performance_free(f);
    }
    ck_assert_int_gt(count[0], 150);
    ck_assert_int_gt(count[1], 150);
}
END_TEST

/* ---- Formulas ---- */

START_TEST(formulas)
{
    inlay_performance *f = NULL;
    inlay_performance_numbers n = {6, 2, 10};
    ck_assert_int_eq(inlay_performance_formula(INLAY_PERFORMANCE_PAPER, &n, &f, NULL), INLAY_OK);
    ck_assert_double_eq_tol(inlay_performance_speed(f, 4, 30), 6 / (4. + 9.), 1e-14);
    inlay_performance_free(f);
    ck_assert_int_eq(inlay_performance_formula(INLAY_PERFORMANCE_OFFSET, &n, &f, NULL), INLAY_OK);
    ck_assert_double_eq_tol(inlay_performance_speed(f, 4, 30), 6 / (1. + 4. + 9.), 1e-14);
    inlay_processors row = {.count = 1, .performance = f, .speed = 0.5};
    ck_assert_double_eq_tol(inlay_processors_time(&row, 4, 30), 30 / (3 / 14.), 1e-12);
    ck_assert(!inlay_performance_range_of(f).known);
    inlay_performance_free(f);
    n.a = 0;
    ck_assert_int_eq(inlay_performance_formula(INLAY_PERFORMANCE_OFFSET, &n, &f, NULL), INLAY_OK);
    ck_assert_double_eq_tol(inlay_performance_speed(f, 4, 30), 0.6, 1e-14);
    inlay_performance_free(f);
}
END_TEST

/* ---- Fits ---- */

enum { SIDE = 4, GRID = SIDE * SIDE };

/* f measured for 1, 2, 3, 4 processes with 1000, 2000, 4000, 8000 data, off by up to `noise`. */
static void measure(inlay_performance_form form, const inlay_performance_numbers *numbers, double noise,
                    uint64_t *state, inlay_measurement *m)
{
    inlay_performance *f = NULL;
    ck_assert_int_eq(inlay_performance_formula(form, numbers, &f, NULL), INLAY_OK);
    for (int i = 0; i < GRID; i++) {
        int64_t x = 1 + i / SIDE;
        double y = 1000 * pow(2, i % SIDE);
        m[i] = (inlay_measurement){
            x, y, inlay_performance_speed(f, (double)x, y) * processes_between(state, 1 - noise, 1 + noise)};
    }
    inlay_performance_free(f);
}

static inlay_performance *fitted(inlay_performance_form form, const inlay_measurement *m, size_t count,
                                 inlay_diag *diag)
{
    inlay_performance *made = NULL;
    int status = inlay_performance_fit(form, m, count, &made, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    return made;
}

START_TEST(exact_measurements_give_the_formula_back)
{
    uint64_t state = 7;
    for (int n = 0; n < 200; n++) {
        inlay_measurement m[GRID];
        inlay_performance_form form = n % 2 == 0 ? INLAY_PERFORMANCE_PAPER : INLAY_PERFORMANCE_OFFSET;
        inlay_performance_numbers given = {processes_between(&state, 10, 1e6), processes_between(&state, 1, 8),
                                           processes_between(&state, 1000, 20000)};
        measure(form, &given, 0, &state, m);
        inlay_performance *f = fitted(form, m, GRID, NULL);
        inlay_performance_numbers got = inlay_performance_numbers_of(f);
        /* c of the paper's form is free: only c a^2 and c b^2 count */
        double scale = form == INLAY_PERFORMANCE_PAPER ? sqrt(got.c / given.c) : 1;
        ck_assert_double_eq_tol(got.a / given.a * scale, 1, 1e-6);
        ck_assert_double_eq_tol(got.b / given.b * scale, 1, 1e-6);
        ck_assert_double_lt(inlay_performance_errors_of(f)->rms, 1e-8);
        inlay_performance_free(f);
    }
}
END_TEST

static double squares_of(inlay_performance_form form, const inlay_performance_numbers *n, const inlay_measurement *m)
{
    double sum = 0;
    for (int i = 0; i < GRID; i++) {
        double x = (double)m[i].processes / n->a;
        double y = n->b > 0 ? m[i].data / n->b : 0;
        double speed = n->c / ((form == INLAY_PERFORMANCE_OFFSET) + (n->a > 0 ? x * x : 0) + y * y);
        sum += (speed / m[i].speed - 1) * (speed / m[i].speed - 1);
    }
    return sum;
}

/* No numbers nearby are better, and the errors are what they are said to be. */
START_TEST(the_best_of_all_numbers)
{
    uint64_t state = 8;
    for (int n = 0; n < 60; n++) {
        inlay_measurement m[GRID];
        inlay_performance_form form = n % 2 == 0 ? INLAY_PERFORMANCE_PAPER : INLAY_PERFORMANCE_OFFSET;
        inlay_performance_numbers given = {100, processes_between(&state, 2, 8), processes_between(&state, 3000, 9000)};
        measure(INLAY_PERFORMANCE_OFFSET, &given, 0.05, &state, m);
        inlay_performance *f = fitted(form, m, GRID, NULL);
        const inlay_performance_errors *e = inlay_performance_errors_of(f);
        inlay_performance_numbers got = inlay_performance_numbers_of(f);
        double least = squares_of(form, &got, m);
        ck_assert_uint_eq(e->measurements, GRID);
        ck_assert_double_eq_tol(e->rms, sqrt(least / GRID), 1e-9);
        double worst = 0;
        for (int i = 0; i < GRID; i++)
            worst = fabs(e->error[i]) > fabs(worst) ? e->error[i] : worst;
        ck_assert_double_eq(e->worst, worst);
        ck_assert_mem_eq(e->measurement, m, sizeof m);
        for (int i = 0; i < 200; i++) {
            double by = pow(10, processes_between(&state, -4, -0.5));
            inlay_performance_numbers near = {got.c * processes_between(&state, 1 - by, 1 + by),
                                              got.a * processes_between(&state, 1 - by, 1 + by),
                                              got.b * processes_between(&state, 1 - by, 1 + by)};
            ck_assert_double_ge(squares_of(form, &near, m), least * (1 - 1e-9));
        }
        inlay_performance_free(f);
    }
}
END_TEST

/* Speeds that rise a little with the data: the formula has no such term, and leaves y out. */
START_TEST(a_term_that_does_not_help)
{
    inlay_measurement m[GRID];
    for (int i = 0; i < GRID; i++)
        m[i] = (inlay_measurement){1 + i / SIDE, 1000 * (1 + i % SIDE),
                                   100 / (1 + 0.1 * (i / SIDE)) * (1 + 0.01 * (i % SIDE))};
    inlay_performance *f = fitted(INLAY_PERFORMANCE_OFFSET, m, GRID, NULL);
    ck_assert_double_eq(inlay_performance_numbers_of(f).b, 0);
    ck_assert_double_gt(inlay_performance_numbers_of(f).a, 0);
    inlay_performance_free(f);
    f = fitted(INLAY_PERFORMANCE_CONSTANT, m, GRID, NULL);
    ck_assert_int_eq(inlay_performance_form_of(f), INLAY_PERFORMANCE_CONSTANT);
    ck_assert_double_eq(inlay_performance_numbers_of(f).a, 0);
    inlay_performance_free(f);
}
END_TEST

/* Measurements on a loaded computer: whatever they say, the numbers are finite, and no worse than a constant speed. */
START_TEST(noise_ends_in_numbers)
{
    uint64_t state = 11;
    for (int n = 0; n < 400; n++) {
        inlay_measurement m[4];
        for (int i = 0; i < 4; i++)
            m[i] = (inlay_measurement){1 + i % 2, i < 2 ? 512 : 1728, pow(10, processes_between(&state, 5, 8))};
        inlay_performance *f = fitted(INLAY_PERFORMANCE_OFFSET, m, 4, NULL);
        inlay_performance *constant = fitted(INLAY_PERFORMANCE_CONSTANT, m, 4, NULL);
        inlay_performance_numbers got = inlay_performance_numbers_of(f);
        ck_assert(isnormal(got.c) && isfinite(got.a) && isfinite(got.b));
        double speed = inlay_performance_speed(f, 1, 512);
        ck_assert_double_eq_tol(
            speed, got.c / (1 + (got.a > 0 ? 1 / got.a / got.a : 0) + (got.b > 0 ? 512 * 512 / got.b / got.b : 0)),
            1e-9 * speed);
        ck_assert_double_le(inlay_performance_errors_of(f)->rms,
                            inlay_performance_errors_of(constant)->rms * (1 + 1e-9));
        inlay_performance_free(f);
        inlay_performance_free(constant);
    }
}
END_TEST

static void expect_warning(inlay_performance_form form, const inlay_measurement *m, size_t count, const char *wanted)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_performance *f = fitted(form, m, count, diag);
    ck_assert_uint_eq(inlay_diag_warnings(diag), wanted == NULL ? 0 : 1);
    if (wanted != NULL) ck_assert_str_eq(inlay_diag_warning(diag, 0), wanted);
    inlay_performance_free(f);
    inlay_diag_free(diag);
}

START_TEST(what_is_warned_of)
{
    inlay_measurement m[GRID];
    uint64_t state = 9;
    inlay_performance_numbers n = {100, 8, 16000};
    measure(INLAY_PERFORMANCE_OFFSET, &n, 0, &state, m);
    expect_warning(INLAY_PERFORMANCE_OFFSET, m, GRID, NULL);
    expect_warning(INLAY_PERFORMANCE_PAPER, m, GRID,
                   "the form 'paper' cannot follow the measurements: at x = 4, y = 1000 it is off by -87 %; 'offset' "
                   "misses by at most 0 %; a table goes through all of them");
    expect_warning(INLAY_PERFORMANCE_OFFSET, m, SIDE,
                   "all measurements have x = 1: the speed is taken not to depend on the processes");
    inlay_measurement column[] = {m[0], m[SIDE], m[2 * (size_t)SIDE]};
    expect_warning(INLAY_PERFORMANCE_OFFSET, column, 3,
                   "all measurements have y = 1000: the speed is taken not to depend on the data");
}
END_TEST

Suite *suite_processes_functions(void)
{
    Suite *suite = suite_create("processes_functions");
    TCase *test = tcase_create("processes_functions");
    tcase_add_test(test, through_all_points);
    tcase_add_test(test, steffens_cubics);
    tcase_add_test(test, outside_the_table);
    tcase_add_test(test, monotone_between_points);
    tcase_add_test(test, times_that_fall_are_refused);
    tcase_add_test(test, formulas);
    tcase_add_test(test, exact_measurements_give_the_formula_back);
    tcase_add_test(test, the_best_of_all_numbers);
    tcase_add_test(test, a_term_that_does_not_help);
    tcase_add_test(test, noise_ends_in_numbers);
    tcase_add_test(test, what_is_warned_of);
    suite_add_tcase(suite, test);
    return suite;
}
