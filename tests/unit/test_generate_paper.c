/*
 * The fine-grained Cholesky graph: the paper's printed numbers, and a slow run of all iterations of Figure 1's program in
 * all modules, which waits for every single message.
 */
#include "golden.h"
#include "test_generate.h"

enum { LARGEST = 48 };

/* ---- The program, run from its first iteration to its last ---- */

/* Durations in twentieths of a tick. */
static const int start = 81, inner_test = 55, inner_south = 41, inner_east = 45, root = 397;
static const int column_test = 95, column_get = 244, column_put = 119, row_test = 315, row_get = 105, row_put = 98;

typedef struct module_run {
    int64_t south[LARGEST + 1], east[LARGEST + 1]; /* when the message of an iteration is sent */
    int64_t south_sent, east_sent;                 /* how many messages */
    int64_t time, waited;
} module_run;

static module_run runs[LARGEST + 2][LARGEST + 2];

static void get(module_run *r, int64_t message)
{
    if (message > r->time) {
        r->waited += message - r->time;
        r->time = message;
    }
}

static void put(module_run *r, int64_t *channel, int64_t *sent, int k)
{
    channel[k] = r->time;
    (*sent)++;
}

/* One round of Figure 1's loop; whether it was the last. */
static bool iterate(int n, int i, int j, int k)
{
    module_run *r = &runs[i][j];
    const module_run *north = &runs[i - 1][j], *west = &runs[i][j - 1];
    if (k == i && k == j) {
        r->time += root;
    } else if (k == j) {
        r->time += column_test;
        get(r, north->south[k]);
        r->time += column_get;
    } else if (k == i) {
        r->time += row_test;
        get(r, west->east[k]);
        r->time += row_get + (j < n ? row_put : 0);
    } else {
        r->time += inner_test;
        get(r, north->south[k]);
        r->time += inner_south;
        get(r, west->east[k]);
        r->time += inner_east;
    }
    if (j < n) {
        put(r, r->east, &r->east_sent, k);
    }
    if (i < n) {
        r->time += k == j && k < i ? column_put : 0;
        put(r, r->south, &r->south_sent, k);
    }
    return k == i || k == j;
}

static void run_all(int n)
{
    memset(runs, 0, sizeof runs);
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
            int k = 1;
            runs[i][j].time = start;
            while (!iterate(n, i, j, k)) {
                k++;
            }
        }
    }
}

/* ---- The tests ---- */

static inlay_app *cholesky(int n, double rate)
{
    inlay_generator_options options = {.kind = "cholesky", .sizes = {[INLAY_SIZE_SIZE] = n}, .rate = rate};
    return generated(&options);
}

static int64_t in_ticks(int64_t time)
{
    return (time + 10) / 20;
}

START_TEST(figure_2)
{
    inlay_app *app = cholesky(4, 0);
    ck_assert_str_eq(inlay_app_name(app), "cholesky4");
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_TICK);
    ck_assert(inlay_app_has_blocking(app));
    for (int i = 0; i < CHOLESKY; i++) {
        ck_assert_int_eq(module_named(app, "m%d", i + 1), i);
        ck_assert_int_eq(inlay_app_time(app, i), cholesky_time[i]);
        ck_assert_int_eq(inlay_app_blocking(app, i), cholesky_blocking[i]);
    }
    inlay_app_free(app);
}
END_TEST

/* Three of the printed sums are damaged (see src/graph/generate_paper.c). */
START_TEST(figure_6)
{
    static const int printed[25] = {24,  34,  44, 54, 60,  42,  53,  74, 85,  90,  60,  70, 99,
                                    195, 120, 78, 98, 117, 139, 145, 91, 110, 129, 151, 173};
    inlay_app *app = cholesky(5, 0);
    for (int i = 0; i < 25; i++) {
        int sum = (int)(inlay_app_time(app, i) + inlay_app_blocking(app, i));
        int expected = i == 6 ? 58 : (i == 11 ? 79 : (i == 13 ? 115 : printed[i]));
        ck_assert_msg(sum == expected, "module %d: %d, not %d", i + 1, sum, expected);
    }
    /* the first two stand whole in Figure 2 */
    ck_assert_int_eq(cholesky_time[5] + cholesky_blocking[5], 58);
    ck_assert_int_eq(cholesky_time[9] + cholesky_blocking[9], 79);
    inlay_app_free(app);
}
END_TEST

static void expect_messages(const inlay_app *app, inlay_id from, inlay_id to, int64_t messages)
{
    int64_t place = link_place(app, from, to);
    ck_assert_int_ge(place, 0);
    ck_assert_int_eq(inlay_app_out(app, from).messages[place], messages);
    ck_assert_int_eq(inlay_app_out(app, from).bytes[place], 0);
}

START_TEST(agrees_with_the_program)
{
    int n = _i;
    inlay_app *app = cholesky(n, 0);
    run_all(n);
    ck_assert_int_eq(inlay_app_modules(app), n * n);
    ck_assert_int_eq(inlay_app_links(app), 2 * n * (n - 1));
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
            const module_run *r = &runs[i][j];
            inlay_id module = (i - 1) * n + j - 1;
            ck_assert_int_eq(inlay_app_time(app, module), in_ticks(r->time - r->waited));
            ck_assert_int_eq(inlay_app_blocking(app, module), in_ticks(r->waited));
            if (j < n) {
                expect_messages(app, module, module + 1, r->east_sent);
            }
            if (i < n) {
                expect_messages(app, module, module + n, r->south_sent);
            }
        }
    }
    inlay_app_free(app);
}
END_TEST

START_TEST(times_in_seconds)
{
    inlay_app *app = cholesky(4, 1000); /* a tick is a millisecond */
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_S);
    for (int i = 0; i < CHOLESKY; i++) {
        ck_assert_double_eq(inlay_app_in_units(app, inlay_app_time(app, i)), (double)cholesky_time[i] / 1000);
        ck_assert_double_eq(inlay_app_in_units(app, inlay_app_blocking(app, i)), (double)cholesky_blocking[i] / 1000);
    }
    inlay_app_free(app);
}
END_TEST

Suite *suite_generate_paper(void)
{
    Suite *suite = suite_create("generate_paper");
    TCase *tests = tcase_create("generate_paper");
    tcase_add_test(tests, figure_2);
    tcase_add_test(tests, figure_6);
    tcase_add_loop_test(tests, agrees_with_the_program, 1, LARGEST + 1);
    tcase_add_test(tests, times_in_seconds);
    suite_add_tcase(suite, tests);
    return suite;
}
