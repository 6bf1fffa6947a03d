/* Shares that follow observed times: programs that are played through, beside the best shares that never move. */
#include "random_app.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 };

/* What the devices of a made-up program are really like. */
typedef struct world {
    size_t devices;
    int64_t units;
    double rate[MOST];  /* units in a time */
    double cliff[MOST]; /* beyond so many units half as fast */
} world;

static double true_time(const world *w, size_t i, int64_t share)
{
    double units = (double)share;
    return (units + fmax(0, units - w->cliff[i])) / w->rate[i];
}

/* The shortest step of all whole shares: units go one by one to the device that is done first, for times rise. */
static double slow_best(const world *w)
{
    int64_t share[MOST] = {0};
    double longest = 0;
    for (int64_t n = 0; n < w->units; n++) {
        size_t first = 0;
        for (size_t i = 1; i < w->devices; i++)
            first = true_time(w, i, share[i] + 1) < true_time(w, first, share[first] + 1) ? i : first;
        share[first]++;
    }
    for (size_t i = 0; i < w->devices; i++)
        longest = fmax(longest, true_time(w, i, share[i]));
    return longest;
}

static void draw(uint64_t *seed, world *w)
{
    w->devices = 2 + (size_t)random_below(seed, MOST - 1);
    w->units = 500 + random_below(seed, 3000);
    for (size_t i = 0; i < w->devices; i++) {
        w->rate[i] = 1 + (double)random_below(seed, 8);
        w->cliff[i] = random_once_in(seed, 3) ? (double)random_below(seed, w->units) : INFINITY;
    }
}

/* What a step takes; `noise` as a part of each time, up or down. */
static double step(inlay_balance *b, const world *w, uint64_t *seed, double noise, bool *moves)
{
    double time[MOST], longest = 0;
    int64_t sum = 0;
    for (size_t i = 0; i < w->devices; i++) {
        int64_t share = inlay_balance_shares(b)[i];
        double off = noise * ((double)random_below(seed, 2001) / 1000 - 1);
        sum += share;
        time[i] = true_time(w, i, share) * (1 + off);
        longest = fmax(longest, time[i]);
    }
    ck_assert_int_eq(sum, w->units);
    ck_assert_int_eq(inlay_balance_step(b, time, moves, NULL), INLAY_OK);
    return longest;
}

static double steps(inlay_balance *b, const world *w, uint64_t *seed, double noise, int count, int *moved)
{
    double time = 0;
    bool moves = false;
    for (int i = 0; i < count; i++) {
        time += step(b, w, seed, noise, &moves);
        *moved += moves;
    }
    return time;
}

/* After a first step, which finds out what the devices are like: 200 steps, after 100 of which one device is slowed down. */
static void expect_near(int number, double noise, double allowed)
{
    uint64_t seed = (uint64_t)number;
    world w;
    inlay_balance *b = NULL;
    int moved = 0;
    draw(&seed, &w);
    ck_assert_int_eq(inlay_balance_make(w.devices, w.units, NULL, &b, NULL), INLAY_OK);
    (void)steps(b, &w, &seed, noise, 1, &moved);
    double first = steps(b, &w, &seed, noise, 100, &moved);
    ck_assert_msg(first <= 100 * slow_best(&w) * allowed, "%d: before", number);
    w.rate[random_below(&seed, (int64_t)w.devices)] /= (double)(2 + random_below(&seed, 2));
    double second = steps(b, &w, &seed, noise, 100, &moved);
    ck_assert_msg(second <= 100 * slow_best(&w) * allowed, "%d: after", number);
    ck_assert_msg(moved <= 40, "%d: %d moves", number, moved);
    inlay_balance_free(b);
}

START_TEST(slowed_down)
{
    for (int i = 0; i < 100; i++)
        expect_near(i, 0, 1.1);
}
END_TEST

START_TEST(noisy)
{
    for (int i = 0; i < 50; i++)
        expect_near(i, 0.02, 1.15);
}
END_TEST

/* One step that something else disturbed moves nothing. */
START_TEST(one_outlier)
{
    world w = {.devices = 3, .units = 600, .rate = {1, 2, 3}, .cliff = {INFINITY, INFINITY, INFINITY}};
    inlay_balance *b = NULL;
    uint64_t seed = 0;
    int moved = 0;
    bool moves = true;
    ck_assert_int_eq(inlay_balance_make(3, 600, NULL, &b, NULL), INLAY_OK);
    (void)steps(b, &w, &seed, 0, 10, &moved);
    ck_assert_int_eq(moved, 1);
    static const int64_t expected[] = {100, 200, 300};
    ck_assert_mem_eq(inlay_balance_shares(b), expected, sizeof expected);
    ck_assert_double_eq_tol(inlay_balance_predicted(b), 100, 1e-9);
    static const double odd[] = {100, 900, 100};
    ck_assert_int_eq(inlay_balance_step(b, odd, &moves, NULL), INLAY_OK);
    ck_assert(!moves);
    (void)steps(b, &w, &seed, 0, 10, &moved);
    ck_assert_int_eq(moved, 1);
    inlay_balance_free(b);
}
END_TEST

/* With curves the first shares are right; moves that cost too much do not take place. */
START_TEST(curves_and_costs)
{
    static const inlay_curve_point fast[] = {{100, 25}}, slow[] = {{100, 100}};
    const inlay_curve curve[] = {{.points = 1, .point = fast}, {.points = 1, .point = slow}};
    world w = {.devices = 2, .units = 500, .rate = {4, 1}, .cliff = {INFINITY, INFINITY}};
    inlay_balance *b = NULL;
    uint64_t seed = 0;
    int moved = 0;
    inlay_balance_options options = {.curve = curve, .move = 1, .horizon = 5};
    ck_assert_int_eq(inlay_balance_make(2, 500, &options, &b, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_balance_shares(b)[0], 400);
    (void)steps(b, &w, &seed, 0, 20, &moved);
    ck_assert_int_eq(moved, 0);
    w.rate[0] = 2; /* 200 of a step; 333 and 167 units take 167: 67 units for 33 in each of 5 steps */
    (void)steps(b, &w, &seed, 0, 20, &moved);
    ck_assert_int_eq(moved, 1);
    ck_assert_int_eq(inlay_balance_shares(b)[0], 333);
    inlay_balance_free(b);
    moved = 0;
    w.rate[0] = 4;
    options.move = 3; /* 201 for 165 */
    ck_assert_int_eq(inlay_balance_make(2, 500, &options, &b, NULL), INLAY_OK);
    (void)steps(b, &w, &seed, 0, 5, &moved);
    w.rate[0] = 2;
    (void)steps(b, &w, &seed, 0, 20, &moved);
    ck_assert_int_eq(moved, 0);
    inlay_balance_free(b);
}
END_TEST

/* A device that is of no use for a while keeps a unit, and is used again when it is back. */
START_TEST(comes_back)
{
    world w = {.devices = 2, .units = 1000, .rate = {1, 1}, .cliff = {INFINITY, INFINITY}};
    inlay_balance *b = NULL;
    uint64_t seed = 0;
    int moved = 0;
    ck_assert_int_eq(inlay_balance_make(2, 1000, NULL, &b, NULL), INLAY_OK);
    (void)steps(b, &w, &seed, 0, 5, &moved);
    w.rate[1] = 0.001;
    (void)steps(b, &w, &seed, 0, 10, &moved);
    ck_assert_int_le(inlay_balance_shares(b)[1], 1);
    ck_assert_int_ge(inlay_balance_shares(b)[1], 1);
    w.rate[1] = 1;
    (void)steps(b, &w, &seed, 0, 10, &moved);
    ck_assert_double_eq_tol(inlay_balance_predicted(b), 500, 15);
    inlay_balance_free(b);
}
END_TEST

/* More devices than units: those without one are never heard of. */
START_TEST(few_units)
{
    inlay_balance *b = NULL;
    bool moves;
    const double time[] = {1, 5, 0, NAN};
    ck_assert_int_eq(inlay_balance_make(4, 2, NULL, &b, NULL), INLAY_OK);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(inlay_balance_step(b, time, &moves, NULL), INLAY_OK);
    }
    inlay_balance_free(b);
}
END_TEST

START_TEST(refused)
{
    inlay_balance *b = NULL;
    inlay_diag *diag = inlay_diag_new();
    bool moves;
    static const inlay_balance_options bad[] = {
        {.move = -1}, {.move = NAN}, {.horizon = -1}, {.gain = 1}, {.gain = NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(inlay_balance_make(2, 10, &bad[i], &b, diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_balance_make(0, 10, NULL, &b, diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_balance_make(1, 0, NULL, &b, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(b);
    ck_assert_int_eq(inlay_balance_make(2, 10, NULL, &b, diag), INLAY_OK);
    static const double times[][2] = {{1, 0}, {NAN, 1}, {-1, 1}, {1, INFINITY}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        ck_assert_int_eq(inlay_balance_step(b, times[i], &moves, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "device 1 took inf for its 5 units"));
    inlay_balance_free(b);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_balance(void)
{
    Suite *suite = suite_create("balance");
    TCase *tests = tcase_create("balance");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, slowed_down);
    tcase_add_test(tests, noisy);
    tcase_add_test(tests, one_outlier);
    tcase_add_test(tests, curves_and_costs);
    tcase_add_test(tests, comes_back);
    tcase_add_test(tests, few_units);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}
