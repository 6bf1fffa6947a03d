/* The application noun: what the builder takes and refuses, and what the finished graph says, against slow counts. */
#include "random_app.h"
#include "unit.h"
#include <inlay/app.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_diag *diag;

static void open_diag(void)
{
    diag = inlay_diag_new();
}

static void close_diag(void)
{
    inlay_diag_free(diag);
}

static inlay_duration units(int64_t digits, int scale)
{
    return (inlay_duration){{digits, scale}, INLAY_UNIT_NONE};
}

static int add(inlay_app_builder *builder, const char *name, inlay_duration time)
{
    inlay_module module = {.name = name, .time = time};
    return inlay_app_add_module(builder, &module, diag);
}

static inlay_app *finish(inlay_app_builder *builder)
{
    inlay_app *app = NULL;
    int status = inlay_app_build(builder, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_app_builder_free(builder);
    return app;
}

static void expect_refused(int status, const char *message)
{
    ck_assert_int_ne(status, INLAY_OK);
    ck_assert_str_eq(inlay_diag_message(diag), message);
}

START_TEST(times_are_exact_multiples)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_S);
    add(builder, "a", units(1, 0));
    add(builder, "b", (inlay_duration){{25, 1}, INLAY_UNIT_MS});
    add(builder, "c", units(1, 1));
    inlay_app *app = finish(builder);
    ck_assert_int_eq(inlay_app_decimals(app), 4);
    ck_assert_int_eq(inlay_app_time(app, 0), 10000);
    ck_assert_int_eq(inlay_app_time(app, 1), 25);
    ck_assert_int_eq(inlay_app_time(app, 2), 1000);
    ck_assert_double_eq(inlay_app_in_units(app, 25), 0.0025);
    inlay_app_free(app);
}
END_TEST

START_TEST(decimals_give_way_to_sums)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_S);
    add(builder, "long", units(4000000000000, 0));
    add(builder, "short", units(123456789012, 12));
    inlay_app *app = finish(builder);
    ck_assert_int_eq(inlay_app_decimals(app), 6); /* 4e12 x 10^6 < 2^62 < 4e12 x 10^7 */
    ck_assert_int_eq(inlay_app_time(app, 1), 123457);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    inlay_app_free(app);
    builder = inlay_app_builder_new("t", INLAY_UNIT_NS);
    add(builder, "a", units(INT64_MAX / 2 + 1, 0));
    add(builder, "b", units(1, 0));
    app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, diag), INLAY_OVERFLOW);
    ck_assert_ptr_null(app);
    inlay_app_builder_free(builder);
}
END_TEST

START_TEST(refusals_name_what_is_wrong)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_TICK);
    inlay_app *app = NULL;
    expect_refused(inlay_app_build(builder, &app, diag), "application: no modules; expected at least one");
    static const struct {
        inlay_module module;
        const char *message;
    } wrong[] = {
        {{.name = ""}, "application: a module has no name; expected one"},
        {{.name = "a"}, "application: duplicate module 'a'; expected every name once"},
        {{.name = "x", .time = {{-1, 0}, 0}}, "application: time of 'x' is negative; expected 0 or more"},
        {{.name = "x", .time = {{1, 0}, INLAY_UNIT_S}},
         "application: time of 'x' is in s; expected the application's unit, tick"},
        {{.name = "x", .memory = -1}, "application: memory of 'x' is out of range; expected 0 or more"},
        {{.name = "x", .cores = -1}, "application: cores of 'x' is out of range; expected 0 or more"},
        {{.name = "x", .pinned = true, .pin = -1}, "application: pin of 'x' is out of range; expected 0 or more"},
        {{.name = "x", .arithmetic = NAN},
         "application: a count of operations of 'x' is out of range; expected a finite number, 0 or more"},
    };
    ck_assert_int_eq(add(builder, "a", units(1, 0)), INLAY_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        close_diag();
        open_diag();
        expect_refused(inlay_app_add_module(builder, &wrong[i].module, diag), wrong[i].message);
    }
    close_diag();
    open_diag();
    expect_refused(inlay_app_add_link(builder, 0, 0, 1, 0, 0, diag),
                   "application: self link of module 'a'; expected a link between two modules");
    ck_assert_int_eq(inlay_app_add_link(builder, 0, 1, 1, 0, 0, NULL), INLAY_BAD_ARGUMENT);
    inlay_app_builder_free(builder);
}
END_TEST

static long line_of_link(void *context, inlay_id from, inlay_id to)
{
    (void)context;
    return 100 * (from + 1) + to;
}

START_TEST(cycles_are_named)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_TICK);
    inlay_app_builder_source(builder, "file", line_of_link, NULL);
    char name[16];
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "m%d", i);
        add(builder, name, units(1, 0));
    }
    for (int i = 5; i < 25; i++) {
        inlay_app_add_link(builder, i, i + 1 == 25 ? 5 : i + 1, 1, 0, 0, diag);
    }
    inlay_app_add_link(builder, 3, 5, 1, 0, 0, diag);
    inlay_app_add_link(builder, 24, 27, 1, 0, 0, diag);
    inlay_app *app = NULL;
    expect_refused(
        inlay_app_build(builder, &app, diag),
        "file:606: precedence cycle m5 -> m6 -> m7 -> m8 -> m9 -> m10 -> m11 -> m12 -> m13 -> m14 -> m15 -> "
        "m16 -> ... (8 more) -> m5; expected an acyclic graph (kind=traffic for traffic without precedence)");
    inlay_app_builder_free(builder);
}
END_TEST

START_TEST(traffic_alone_may_run_in_circles)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_TICK);
    add(builder, "a", units(1, 0));
    add(builder, "b", units(1, 0));
    inlay_app_add_link(builder, 0, 1, 1, 5, 0, diag);
    inlay_app_add_link(builder, 0, 1, 2, 7, 0, diag);
    inlay_app_add_link(builder, 1, 0, 3, 0, INLAY_LINK_TRAFFIC_ONLY, diag);
    inlay_app_add_link(builder, 0, 1, 4, 0, INLAY_LINK_TRAFFIC_ONLY, diag);
    inlay_app *app = finish(builder);
    ck_assert_int_eq(inlay_app_links(app), 3);
    inlay_links out = inlay_app_out(app, 0);
    ck_assert_int_eq(out.count, 2);
    ck_assert(out.messages[0] == 3 && out.bytes[0] == 12 && out.flags[0] == 0);
    ck_assert(out.messages[1] == 4 && out.flags[1] == INLAY_LINK_TRAFFIC_ONLY);
    int64_t count;
    inlay_app_predecessors(app, 0, &count);
    ck_assert_int_eq(count, 0);
    inlay_app_free(app);
}
END_TEST

/* ---- Facts against slow counts ---- */

enum { MODULES = 40 };

static bool leads(const bool reach[MODULES][MODULES], inlay_id i, inlay_id j)
{
    return reach[i][j];
}

/* Warshall's closure. */
static void close_order(const inlay_app *app, bool reach[MODULES][MODULES])
{
    inlay_id n = inlay_app_modules(app);
    memset(reach, 0, sizeof(bool) * MODULES * MODULES);
    for (inlay_id i = 0; i < n; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            reach[i][out.module[l]] |= out.flags[l] == 0;
        }
    }
    for (inlay_id k = 0; k < n; k++) {
        for (inlay_id i = 0; i < n; i++) {
            for (inlay_id j = 0; j < n; j++) {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
}

static bool augment(const bool reach[MODULES][MODULES], inlay_id n, inlay_id i, bool *seen, inlay_id *match)
{
    for (inlay_id j = 0; j < n; j++) {
        if (leads(reach, i, j) && !seen[j]) {
            seen[j] = true;
            if (match[j] < 0 || augment(reach, n, match[j], seen, match)) {
                match[j] = i;
                return true;
            }
        }
    }
    return false;
}

/* Dilworth: modules minus a maximum matching of the closure, by augmenting paths. */
static inlay_id slow_width(const bool reach[MODULES][MODULES], inlay_id n)
{
    inlay_id match[MODULES], width = n;
    memset(match, 0xFF, sizeof match);
    for (inlay_id i = 0; i < n; i++) {
        bool seen[MODULES] = {false};
        width -= augment(reach, n, i, seen, match);
    }
    return width;
}

START_TEST(facts_equal_slow_counts)
{
    uint64_t state = 2026;
    for (int draw = 0; draw < 150; draw++) {
        random_times times;
        inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, MODULES)), RANDOM_EVERYTHING, &times);
        static bool reach[MODULES][MODULES];
        inlay_id n = inlay_app_modules(app);
        inlay_app_info info;
        int32_t level[MODULES], slow[MODULES] = {0};
        int count[MODULES] = {0};
        close_order(app, reach);
        ck_assert_int_eq(inlay_app_describe(app, &info, diag), INLAY_OK);
        ck_assert_int_eq(inlay_app_levels(app, level, diag), INLAY_OK);
        /* levels by relaxing as often as there are modules */
        for (inlay_id round = 0; round < n; round++) {
            for (inlay_id i = 0; i < n; i++) {
                for (inlay_id j = 0; j < n; j++) {
                    slow[j] = reach[i][j] && slow[i] + 1 > slow[j] ? slow[i] + 1 : slow[j];
                }
            }
        }
        int depth = 0, width = 0;
        inlay_time work = 0, longest = 0;
        for (inlay_id i = 0; i < n; i++) {
            ck_assert_int_eq(level[i], slow[i]);
            depth = slow[i] + 1 > depth ? slow[i] + 1 : depth;
            width = ++count[slow[i]] > width ? count[slow[i]] : width;
            work += inlay_app_time(app, i);
            longest = inlay_app_time(app, i) > longest ? inlay_app_time(app, i) : longest;
            ck_assert_int_eq(inlay_app_find_module(app, inlay_app_module_name(app, i)), i);
        }
        ck_assert_int_eq(info.depth, depth);
        ck_assert_int_eq(info.level_width, width);
        ck_assert_int_eq(info.exact_width, slow_width(reach, n));
        ck_assert_int_eq(info.work, work);
        ck_assert_int_eq(info.longest_module, longest);
        ck_assert_int_ge(info.critical_path, longest);
        ck_assert_int_le(info.critical_path, work);
        ck_assert_int_eq(inlay_app_find_module(app, "nobody"), -1);
        inlay_app_free(app);
    }
}
END_TEST

Suite *suite_app(void)
{
    Suite *suite = suite_create("app");
    TCase *tests = tcase_create("app");
    tcase_add_checked_fixture(tests, open_diag, close_diag);
    tcase_add_test(tests, times_are_exact_multiples);
    tcase_add_test(tests, decimals_give_way_to_sums);
    tcase_add_test(tests, refusals_name_what_is_wrong);
    tcase_add_test(tests, cycles_are_named);
    tcase_add_test(tests, traffic_alone_may_run_in_circles);
    tcase_add_test(tests, facts_equal_slow_counts);
    suite_add_tcase(suite, tests);
    return suite;
}
