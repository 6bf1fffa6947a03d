/* Applications with multiplied times and bytes, against products on paper. */
#include "random_app.h"
#include "scale_subject.h"
#include "unit.h"
#include <math.h>

enum { RANDOM_ROUNDS = 400 };

/* Whether the sum of all bytes of links or of all memory passes 2^62, or a count does. */
static bool slow_too_many(const inlay_app *app, const inlay_scaling *by)
{
    bool too_many = false;
    double sum = 0, memory = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        int64_t own = slow_whole((double)inlay_app_memory(app, i), by->bytes);
        memory += (double)own;
        too_many = too_many || own < 0 || slow_operations(inlay_app_arithmetic(app, i), by->time) < 0 ||
                   slow_operations(inlay_app_functions(app, i), by->time) < 0;
        for (int64_t l = 0; l < out.count; l++) {
            int64_t bytes = slow_whole((double)out.bytes[l], by->bytes);
            too_many = too_many || bytes < 0;
            sum += (double)bytes;
        }
    }
    return too_many ||
           fmax(sum, memory) > ldexp(1, 62); /* no random sum comes so near to it that a double could not tell */
}

static inlay_decimal random_factor(uint64_t *state, int digits)
{
    inlay_decimal factor = {random_digits(state, digits), (int)random_below(state, 13)};
    return random_once_in(state, 10) || factor.digits == 0 ? (inlay_decimal){1, 0} : factor;
}

/* What making it has to end with. */
static int slow_status(const time_list *old, int decimals, bool too_many)
{
    int left = 0;
    if (decimals < 0) {
        return INLAY_OVERFLOW;
    }
    return slow_lost(old, decimals, &left) > 0 && left == 0 ? INLAY_BAD_ARGUMENT : too_many ? INLAY_OVERFLOW : INLAY_OK;
}

/* Everything that the multiplied application must be; returns how its making ended. */
static int check_scaled(const inlay_app *app, const inlay_scaling *by)
{
    time_list old = all_times_of(app, inlay_app_has_blocking(app));
    for (int i = 0; i < old.count; i++) {
        int64_t time = old.time[i] < 0 ? 0 : old.time[i];
        old.exact[i] = paper_times(time, by->time.digits, by->time.scale + inlay_app_decimals(app));
    }
    int decimals = slow_decimals(&old, MOST_DECIMALS);
    inlay_app *scaled = NULL;
    int status = inlay_app_scale(app, by, &scaled, NULL);
    ck_assert_int_eq(status, slow_status(&old, decimals, slow_too_many(app, by)));
    if (status != INLAY_OK) {
        ck_assert_ptr_null(scaled);
        return status;
    }
    time_list new = all_times_of(scaled, inlay_app_has_blocking(scaled));
    expect_times(&old, &new, decimals, inlay_app_decimals(scaled));
    ck_assert_int_eq(inlay_app_unit(app), inlay_app_unit(scaled));
    expect_modules(app, scaled, by->bytes);
    expect_bytes(app, scaled, by->bytes);
    expect_counts(app, scaled, by->time);
    inlay_app_free(scaled);
    return status;
}

START_TEST(products_are_those_on_paper)
{
    uint64_t state = 9;
    int done = 0, overflows = 0;
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        inlay_app *app = random_subject(&state, random_once_in(&state, 2) ? INLAY_UNIT_TICK : INLAY_UNIT_MS);
        inlay_scaling by = {random_factor(&state, round % 4 == 0 ? 16 : 6), random_factor(&state, 9)};
        int status = check_scaled(app, &by);
        done += status == INLAY_OK;
        overflows += status == INLAY_OVERFLOW;
        inlay_app_free(app);
    }
    ck_assert(done > RANDOM_ROUNDS / 2 && overflows > 5);
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

static const struct {
    pair pair;
    inlay_scaling by;
    struct {
        int decimals;
        inlay_time first, second;
        int64_t bytes;
        double arithmetic; /* of the first */
    } is;
    const char *warning;
} scaled_pairs[] = {
    /* nothing to do: the same again, and a count stays no whole number */
    {{INLAY_UNIT_S, {.time = TIME(15, 1), .arithmetic = 2.5}, {.time = TIME(2, 0)}, 7},
     {{0}, {0}},
     {1, 15, 20, 7, 2.5},
     NULL},
    {{INLAY_UNIT_S, {.time = TIME(15, 1), .arithmetic = 5}, {.time = TIME(2, 0)}, 5},
     {{5, 1}, {5, 1}},
     {2, 75, 100, 3, 3},
     NULL},
    /* halves go up, to the last of twelve decimals; what was there stays there */
    {{INLAY_UNIT_S, {.time = TIME(25, 1), .arithmetic = 1}, {.time = TIME(2, 0)}, 1},
     {{1, 12}, {1, 12}},
     {12, 3, 2, 1, 1},
     NULL},
    {{INLAY_UNIT_S, {.time = TIME(15, 2)}, {.time = TIME(2, 0)}, 0},
     {{1, 12}, {0}},
     {12, 0, 2, 0, 0},
     "1 of 2 times are 0 at 12 decimals of a s"},
    /* 2^62 is 4.6 x 10^18: six decimals beside 4 x 10^12, which are enough for 123.456789 and not for 123.333332211 */
    {{INLAY_UNIT_TICK, {.time = TIME(4000000000, 0)}, {.time = TIME(123456789, 9)}, 0},
     {{1000, 0}, {0}},
     {6, 4000000000000000000, 123456789, 0, 0},
     NULL},
    {{INLAY_UNIT_TICK, {.time = TIME(4000000000, 0)}, {.time = TIME(123456789, 9)}, 0},
     {{999, 0}, {0}},
     {6, 3996000000000000000, 123333332, 0, 0},
     "times are kept to 6 decimals of a tick, so that sums stay exact"},
};

START_TEST(pairs_are_scaled)
{
    inlay_app *app = app_of_pair(&scaled_pairs[_i].pair), *scaled = NULL;
    inlay_scaling by = scaled_pairs[_i].by;
    ck_assert_int_eq(inlay_app_scale(app, &by, &scaled, diag), INLAY_OK);
    ck_assert_int_eq(inlay_app_decimals(scaled), scaled_pairs[_i].is.decimals);
    ck_assert_int_eq(inlay_app_time(scaled, 0), scaled_pairs[_i].is.first);
    ck_assert_int_eq(inlay_app_time(scaled, 1), scaled_pairs[_i].is.second);
    ck_assert_int_eq(inlay_app_out(scaled, 0).bytes[0], scaled_pairs[_i].is.bytes);
    ck_assert_int_eq(inlay_app_out(scaled, 0).messages[0], 3);
    ck_assert_double_eq(inlay_app_arithmetic(scaled, 0), scaled_pairs[_i].is.arithmetic);
    ck_assert_uint_eq(inlay_diag_warnings(diag), scaled_pairs[_i].warning != NULL);
    if (scaled_pairs[_i].warning != NULL) {
        ck_assert_str_eq(inlay_diag_warning(diag, 0), scaled_pairs[_i].warning);
    }
    inlay_app_free(scaled);
    inlay_app_free(app);
}
END_TEST

static const struct {
    pair pair;
    inlay_scaling by;
    int status;
    const char *message;
} refused_pairs[] = {
    {{INLAY_UNIT_S, {.time = TIME(1, 0)}, {0}, 0},
     {{-1, 0}, {0}},
     INLAY_BAD_ARGUMENT,
     "a factor is no decimal above 0; expected one such as 0.001"},
    {{INLAY_UNIT_S, {.time = TIME(1, 0)}, {0}, 0},
     {{0}, {1, 19}},
     INLAY_BAD_ARGUMENT,
     "a factor is no decimal above 0; expected one such as 0.001"},
    {{INLAY_UNIT_MS, {.time = TIME(4, 1)}, {.time = TIME(4, 1)}, 0},
     {{1, 12}, {0}},
     INLAY_BAD_ARGUMENT,
     "at 12 decimals of a ms all new times are 0; expected a larger factor"},
    {{INLAY_UNIT_TICK, {.time = TIME(5, 0)}, {0}, 0},
     {{1000000000000000000, 0}, {0}},
     INLAY_OVERFLOW,
     "the new times add up to more than 2^62 ticks; expected a smaller factor"},
    {{INLAY_UNIT_S, {.arithmetic = 5}, {0}, 0},
     {{1000000000000000000, 0}, {0}},
     INLAY_OVERFLOW,
     "a count of operations passes 2^62; expected a smaller factor"},
    {{INLAY_UNIT_S, {0}, {0}, 5},
     {{0}, {1000000000000000000, 0}},
     INLAY_OVERFLOW,
     "the new bytes add up to more than 2^62; expected a smaller factor"},
};

START_TEST(factors_are_refused)
{
    inlay_app *app = app_of_pair(&refused_pairs[_i].pair), *scaled = NULL;
    inlay_scaling by = refused_pairs[_i].by;
    ck_assert_int_eq(inlay_app_scale(app, &by, &scaled, diag), refused_pairs[_i].status);
    ck_assert_str_eq(inlay_diag_message(diag), refused_pairs[_i].message);
    ck_assert_ptr_null(scaled);
    ck_assert_int_eq(inlay_app_scale(app, &by, &scaled, NULL), refused_pairs[_i].status);
    inlay_app_free(app);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *suite_scale(void)
{
    Suite *suite = suite_create("scale");
    TCase *random = tcase_create("random");
    tcase_add_test(random, products_are_those_on_paper);
    suite_add_tcase(suite, random);
    TCase *by_hand = tcase_create("by hand");
    tcase_add_checked_fixture(by_hand, open_diag, close_diag);
    tcase_add_loop_test(by_hand, pairs_are_scaled, 0, ROWS(scaled_pairs));
    tcase_add_loop_test(by_hand, factors_are_refused, 0, ROWS(refused_pairs));
    suite_add_tcase(suite, by_hand);
    return suite;
}
