/* Times from counts of operations, against sums of products on paper. */
#include "graph/long_decimal.h"
#include "random_app.h"
#include "scale_subject.h"
#include "unit.h"
#include <math.h>

enum { RANDOM_ROUNDS = 400 };

static bool counted(const inlay_app *app, inlay_id module)
{
    return inlay_app_arithmetic(app, module) > 0 || inlay_app_functions(app, module) > 0;
}

/* A count, which may have eighths, times that of one. */
static paper slow_product(double count, inlay_decimal each, int shift)
{
    int64_t thousandths = (int64_t)count * 1000 + (int64_t)((count - floor(count)) * 1000);
    return paper_times(thousandths, each.digits, each.scale + 3 + shift);
}

/* Fills in what the times should be, and returns the decimals that are wanted. `shift`: 10^-shift units of each's unit. */
static int slow_counted(const inlay_app *app, const inlay_count_times *each, int shift, time_list *t)
{
    int wanted = 0;
    for (int i = 0; i < t->count; i++) {
        bool is_counted = i < inlay_app_modules(app) && counted(app, i);
        t->exact[i] = paper_of(t->time[i] < 0 ? 0 : t->time[i], inlay_app_decimals(app));
        if (is_counted) {
            paper arithmetic = slow_product(inlay_app_arithmetic(app, i), each->arithmetic.value, shift);
            paper functions = slow_product(inlay_app_functions(app, i), each->function.value, shift);
            t->exact[i] = paper_add(arithmetic, &functions);
        }
        int decimals = paper_is_zero(&t->exact[i]) ? 0
                       : is_counted                ? 5 - paper_power(&t->exact[i])
                                                   : inlay_app_decimals(app);
        wanted = decimals > wanted ? decimals : wanted;
    }
    return wanted < MOST_DECIMALS ? wanted : MOST_DECIMALS;
}

static inlay_duration random_each(uint64_t *state, int digits)
{
    return (inlay_duration){{1 + random_digits(state, digits), (int)random_below(state, digits + 1)}, INLAY_UNIT_NS};
}

START_TEST(counts_become_times)
{
    uint64_t state = 77;
    int done = 0, none = 0;
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        inlay_app *app = random_subject(&state, INLAY_UNIT_MS), *timed = NULL;
        inlay_count_times each = {random_each(&state, round % 4 == 0 ? 17 : 8), random_each(&state, 8)};
        time_list old = all_times_of(app, false);
        int wanted = slow_counted(app, &each, 6, &old), decimals = slow_decimals(&old, wanted), without = 0, left = 0;
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            without += !counted(app, i);
        }
        bool lost = decimals >= 0 && slow_lost(&old, decimals, &left) > 0 && left == 0;
        int status = inlay_app_time_counts(app, &each, &timed, NULL);
        bool refused = lost || without == inlay_app_modules(app);
        ck_assert_int_eq(status, refused ? INLAY_BAD_ARGUMENT : decimals < 0 ? INLAY_OVERFLOW : INLAY_OK);
        none += refused;
        if (timed != NULL) {
            time_list new = all_times_of(timed, false);
            expect_times(&old, &new, decimals, inlay_app_decimals(timed));
            expect_modules(app, timed, (inlay_decimal){1, 0});
            expect_bytes(app, timed, (inlay_decimal){1, 0});
            expect_counts(app, timed, (inlay_decimal){1, 0});
            ck_assert(!inlay_app_has_blocking(timed));
            ck_assert_int_eq(inlay_app_unit(timed), INLAY_UNIT_MS);
            done++;
        }
        inlay_app_free(timed);
        inlay_app_free(app);
    }
    ck_assert(done > RANDOM_ROUNDS / 2 && none > 0);
}
END_TEST

/* ---- By hand ---- */

static inlay_diag *diag;

static void open_diag(void)
{
    diag = inlay_diag_new();
}

static void close_diag(void)
{
    inlay_diag_free(diag);
}

#define NS(digits, scale)                                                                                              \
    {                                                                                                                  \
        {(digits), (scale)}, INLAY_UNIT_NS                                                                             \
    }
#define TICKS(digits)                                                                                                  \
    {                                                                                                                  \
        {(digits), 0}, INLAY_UNIT_TICK                                                                                 \
    }

static const struct {
    pair pair;
    inlay_count_times each;
    struct {
        inlay_unit unit;
        int decimals;
        inlay_time first, second;
    } is;
    const char *warning[2];
} counted_pairs[] = {
    /* 12 x 0.8 ns + 2 x 12.5 ns = 34.6 ns */
    {{INLAY_UNIT_S, {.arithmetic = 12, .functions = 2}, {.arithmetic = 1000000000}, 0},
     {NS(8, 1), NS(125, 1)},
     {INLAY_UNIT_S, 10, 346, 8000000000},
     {NULL}},
    {{INLAY_UNIT_TICK, {.time = TIME(5, 0), .arithmetic = 12}, {.functions = 3}, 0},
     {NS(8, 1), NS(125, 1)},
     {INLAY_UNIT_S, 10, 96, 375},
     {NULL}},
    /* no time is a time in every unit */
    {{INLAY_UNIT_TICK, {.time = TIME(5, 0), .arithmetic = 12}, {0}, 0},
     {.arithmetic = NS(8, 1)},
     {INLAY_UNIT_S, 10, 96, 0},
     {"1 of 2 modules have no counts and keep their times", NULL}},
    {{INLAY_UNIT_TICK, {.time = TIME(5, 0), .arithmetic = 12}, {.time = TIME(25, 1)}, 0},
     {TICKS(3), TICKS(4)},
     {INLAY_UNIT_TICK, 1, 360, 25},
     {"1 of 2 modules have no counts and keep their times", NULL}},
    /* a bare number is in the application's unit */
    {{INLAY_UNIT_US,
      {.has_blocking = true, .arithmetic = 12},
      {.has_blocking = true, .blocking = TIME(7, 0), .functions = 3},
      0},
     {TIME(25, 2), TIME(2, 0)},
     {INLAY_UNIT_US, 0, 3, 6},
     {"blocking times belong to the old times: left out, so that modules wait for the end of those before", NULL}},
    /* six digits of a third: 0.333333 us */
    {{INLAY_UNIT_US, {.arithmetic = 1}, {.arithmetic = 1000}, 0},
     {.arithmetic = NS(333333333333, 9)},
     {INLAY_UNIT_US, 6, 333333, 333333333},
     {NULL}},
};

START_TEST(pairs_are_counted)
{
    inlay_app *app = app_of_pair(&counted_pairs[_i].pair), *timed = NULL;
    inlay_count_times each = counted_pairs[_i].each;
    ck_assert_int_eq(inlay_app_time_counts(app, &each, &timed, diag), INLAY_OK);
    ck_assert_int_eq(inlay_app_unit(timed), counted_pairs[_i].is.unit);
    ck_assert_int_eq(inlay_app_decimals(timed), counted_pairs[_i].is.decimals);
    ck_assert_int_eq(inlay_app_time(timed, 0), counted_pairs[_i].is.first);
    ck_assert_int_eq(inlay_app_time(timed, 1), counted_pairs[_i].is.second);
    size_t warnings = (counted_pairs[_i].warning[0] != NULL) + (size_t)(counted_pairs[_i].warning[1] != NULL);
    ck_assert_uint_eq(inlay_diag_warnings(diag), warnings);
    for (size_t w = 0; w < warnings; w++) {
        ck_assert_str_eq(inlay_diag_warning(diag, w), counted_pairs[_i].warning[w]);
    }
    inlay_app_free(timed);
    inlay_app_free(app);
}
END_TEST

static const struct {
    pair pair;
    inlay_count_times each;
    int status;
    const char *message;
} uncounted_pairs[] = {
    {{INLAY_UNIT_S, {.time = TIME(1, 0)}, {0}, 0},
     {NS(8, 1), NS(12, 0)},
     INLAY_BAD_ARGUMENT,
     "no module has counts; expected arithmetic or functions"},
    {{INLAY_UNIT_S, {.arithmetic = 1}, {0}, 0},
     {.function = NS(12, 0)},
     INLAY_BAD_ARGUMENT,
     "module 'first' counts arithmetic operations; expected the time of one, arithmetic_time of a machine"},
    {{INLAY_UNIT_S, {.arithmetic = 1}, {.functions = 1}, 0},
     {.arithmetic = NS(12, 0)},
     INLAY_BAD_ARGUMENT,
     "module 'second' counts function evaluations; expected the time of one, function_time of a machine"},
    {{INLAY_UNIT_S, {.arithmetic = 1}, {0}, 0},
     {NS(-1, 0), NS(12, 0)},
     INLAY_BAD_ARGUMENT,
     "the time of an operation is negative; expected more than 0"},
    {{INLAY_UNIT_MS, {.arithmetic = 1}, {0}, 0},
     {TICKS(1), TICKS(1)},
     INLAY_BAD_ARGUMENT,
     "an operation takes ticks, and the application is in ms; expected both in ticks or none"},
    {{INLAY_UNIT_TICK, {.arithmetic = 1}, {.time = TIME(1, 0)}, 0},
     {NS(8, 1), NS(12, 0)},
     INLAY_BAD_ARGUMENT,
     "'second' has a time in ticks that is not counted, and operations take seconds; expected counts for all modules, "
     "or "
     "times in seconds"},
    {{INLAY_UNIT_NS, {.arithmetic = 1e18}, {.arithmetic = 1e18}, 0},
     {NS(3, 0), NS(12, 0)},
     INLAY_OVERFLOW,
     "the new times add up to more than 2^62 ns; expected fewer or shorter operations"},
    {{INLAY_UNIT_NS, {.arithmetic = 1e19}, {0}, 0},
     {NS(3, 0), NS(12, 0)},
     INLAY_OVERFLOW,
     "1e+19 operations are too many for a module; expected less than 9e18"},
    {{INLAY_UNIT_S, {.arithmetic = 1}, {0}, 0},
     {NS(1, 4), NS(1, 4)},
     INLAY_BAD_ARGUMENT,
     "at 12 decimals of a s all new times are 0; expected more or longer operations"},
};

START_TEST(counts_are_refused)
{
    inlay_app *app = app_of_pair(&uncounted_pairs[_i].pair), *timed = NULL;
    inlay_count_times each = uncounted_pairs[_i].each;
    ck_assert_int_eq(inlay_app_time_counts(app, &each, &timed, diag), uncounted_pairs[_i].status);
    ck_assert_str_eq(inlay_diag_message(diag), uncounted_pairs[_i].message);
    ck_assert_ptr_null(timed);
    ck_assert_int_eq(inlay_app_time_counts(app, &each, &timed, NULL), uncounted_pairs[_i].status);
    inlay_app_free(app);
}
END_TEST

/* Of 10^37 + 123.456 the last two digits have no room. */
START_TEST(digits_without_room_are_dropped)
{
    long_decimal large = {1, 0}, small = {123456, 3}, sums[2];
    for (int i = 0; i < 37; i++) {
        large.digits *= 10;
    }
    sums[0] = long_decimal_sum(large, small);
    sums[1] = long_decimal_sum(small, large);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(sums[i].scale, 1);
        ck_assert(sums[i].digits == large.digits * 10 + 1234);
    }
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *suite_count_times(void)
{
    Suite *suite = suite_create("count_times");
    TCase *on_paper = tcase_create("on paper");
    tcase_add_test(on_paper, counts_become_times);
    tcase_add_test(on_paper, digits_without_room_are_dropped);
    suite_add_tcase(suite, on_paper);
    TCase *by_hand = tcase_create("by hand");
    tcase_add_checked_fixture(by_hand, open_diag, close_diag);
    tcase_add_loop_test(by_hand, pairs_are_counted, 0, ROWS(counted_pairs));
    tcase_add_loop_test(by_hand, counts_are_refused, 0, ROWS(uncounted_pairs));
    suite_add_tcase(suite, by_hand);
    return suite;
}
