/*
 * What machines are compared by: their order, the elapsed time taken apart against the slow reference, price and energy of a run against
 * sums over its processors, and the picture read back.
 */
#include "base/plain.h"
#include "map_by_houstis.h"
#include "random_app.h"
#include "slow.h"
#include "svg_read.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 150, MOST_MODULES = 14 };

static inlay_machine *machine_of(const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(text, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static inlay_app *app_of(const char *unit)
{
    char text[200];
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    snprintf(text, sizeof text,
             "digraph g { graph [time_unit=%s]; a [time=1800, pin=0]; b [time=1800, pin=1]; a -> b [messages=0]; }",
             unit);
    int status = inlay_app_read_memory(text, strlen(text), "g.dot", "dot", &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

/* ---- The bottleneck ---- */

static void assert_near(double value, long double expected, int seed, const char *what)
{
    long double slack = 1e-12L * fmaxl(1, fabsl(expected));
    ck_assert_msg(fabsl(value - expected) <= slack, "seed %d: %s is %.17g, expected %.17Lg", seed, what, value,
                  expected);
}

/* The reference's estimate on these processors where messages take no time. */
static long double free_estimate(const inlay_app *app, const inlay_options *options, const int *of)
{
    static slow_problem problem;
    slow_cost cost;
    inlay_machine *machine = machine_of("bus:64");
    slow_read(app, machine, options, &problem);
    problem.capacity = INFINITY;
    problem.latency = 0;
    slow_evaluate(&problem, of, 1, &cost);
    inlay_machine_free(machine);
    return cost.estimate;
}

/* The largest sum of m on a processor. */
static long double most_busy(const inlay_app *app, const int *of)
{
    long double most = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        long double busy = 0;
        for (inlay_id j = 0; j < inlay_app_modules(app); j++)
            busy += of[j] == of[i] ? (long double)inlay_app_time(app, j) : 0;
        most = fmaxl(most, busy / powl(10, inlay_app_decimals(app)));
    }
    return most;
}

static void assert_taken_apart(const inlay_mapping *mapping, int seed)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    int of[SLOW_MODULES], alone[SLOW_MODULES];
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        of[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
        alone[i] = i;
    }
    long double path = free_estimate(app, &sum->options, alone);
    long double with_free = free_estimate(app, &sum->options, of);
    inlay_bottleneck found;
    ck_assert_int_eq(inlay_mapping_bottleneck(mapping, &found, NULL), INLAY_OK);
    assert_near(found.critical_path, path, seed, "critical path");
    assert_near(found.compute, with_free - path, seed, "compute");
    assert_near(found.network, sum->elapsed - with_free, seed, "network");
    assert_near(found.critical_path + found.compute + found.network, sum->elapsed, seed, "the sum");
    long double most = most_busy(app, of), at_busiest = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        at_busiest += of[i] == found.processor ? (long double)inlay_app_time(app, i) : 0;
    assert_near(found.busy, most, seed, "busy");
    assert_near(found.busy, at_busiest / powl(10, inlay_app_decimals(app)), seed, "the busiest");
    inlay_limit limit = sum->elapsed <= 1.05 * found.critical_path ? INLAY_LIMIT_CRITICAL_PATH
                        : found.compute >= found.network           ? INLAY_LIMIT_COMPUTE
                                                                   : INLAY_LIMIT_NETWORK;
    ck_assert_int_eq(found.limit, limit);
}

START_TEST(takes_elapsed_times_apart)
{
    static const char *const families[] = {"bus:16,capacity=%g%s/%s,latency=0.5%s", "omega-pe:16,cycle=%g%.0s%s%.0s",
                                           "multibus:16,memories=4,buses=2,capacity=%g%s/%s,latency=0.1%s"};
    int seen[3] = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        char text[200];
        unsigned features = (unsigned)random_next(&state) & (RANDOM_BLOCKING | RANDOM_TRAFFIC_ONLY | RANDOM_DECIMALS);
        inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, MOST_MODULES), features, &times);
        const char *unit = inlay_unit_name(inlay_app_unit(app));
        double rate = ldexp(1, (int)random_below(&state, 8) - 4);
        plain_print(text, sizeof text, families[random_below(&state, 3)], rate, "msg", unit, unit);
        inlay_machine *machine = machine_of(text);
        inlay_options options = {.processors = 3 + (inlay_id)random_below(&state, 6)};
        inlay_mapping *mapping = NULL;
        if (map_by_houstis(app, machine, &options, &mapping, NULL) == INLAY_OK) {
            inlay_bottleneck found;
            assert_taken_apart(mapping, seed);
            ck_assert_int_eq(inlay_mapping_bottleneck(mapping, &found, NULL), INLAY_OK);
            seen[found.limit]++;
        }
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    for (int limit = 0; limit < 3; limit++)
        ck_assert_msg(seen[limit] >= 10, "%s %d times", inlay_limit_name((inlay_limit)limit), seen[limit]);
}
END_TEST

START_TEST(names_limits)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_bottleneck found = {.busy = 7};
    ck_assert_str_eq(inlay_limit_name(INLAY_LIMIT_CRITICAL_PATH), "critical path");
    ck_assert_str_eq(inlay_limit_name(INLAY_LIMIT_COMPUTE), "compute");
    ck_assert_str_eq(inlay_limit_name(INLAY_LIMIT_NETWORK), "network");
    ck_assert_int_eq(inlay_mapping_bottleneck(NULL, &found, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "a bottleneck needs a mapping and a place for the result");
    ck_assert_double_eq(found.busy, 7);
    inlay_diag_free(diag);
}
END_TEST

/* ---- The order of machines ---- */

static void assert_same(double value, double expected)
{
    ck_assert_msg(isnan(expected) ? isnan(value) : fabs(value - expected) <= 1e-12 * expected, "%.17g, expected %.17g",
                  value, expected);
}

static const char *const machines[] = {"bus:4,capacity=1msg/%s,price=2,power=10", "bus:2,capacity=4msg/%s,price=1",
                                       "mesh:3x1,capacity=0.5msg/%s,power=25,price=3",
                                       "bus:4,capacity=1msg/%s,price=2,power=10"};
enum { MACHINES = sizeof machines / sizeof *machines };

/* The higher the later; what there is not comes last. */
static double key_of(const inlay_compare_row *row, inlay_compare_sort sort)
{
    const inlay_compare_figures *f = &row->figures;
    double key = sort == INLAY_SORT_ELAPSED  ? f->elapsed
                 : sort == INLAY_SORT_PRICE  ? f->price
                 : sort == INLAY_SORT_ENERGY ? f->energy
                                             : -f->efficiency;
    return isnan(key) ? INFINITY : key;
}

/* Whether a row may stand before another: by what ranks them, elapsed time, processors, price, and as they were given. */
static bool in_order(const inlay_compare_row *a, const inlay_compare_row *b, inlay_compare_sort sort, size_t given_a,
                     size_t given_b)
{
    const double of_a[] = {key_of(a, sort), a->figures.elapsed, a->figures.processors, key_of(a, INLAY_SORT_PRICE)};
    const double of_b[] = {key_of(b, sort), b->figures.elapsed, b->figures.processors, key_of(b, INLAY_SORT_PRICE)};
    for (int i = 0; i < 4; i++)
        if (of_a[i] < of_b[i] || of_a[i] > of_b[i]) return of_a[i] < of_b[i];
    return given_a < given_b;
}

/* Where its machine stands among the inputs. */
static size_t given_at(const inlay_compare_row *row, const inlay_compare_input *inputs)
{
    size_t at = 0;
    while (inputs[at].machine != row->machine->machine)
        at++;
    return at;
}

static void expect_row(const inlay_compare_row *row, const inlay_options *options)
{
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_map(row->app->app, row->machine->machine, options, &mapping, NULL), INLAY_OK);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    ck_assert_double_eq(row->figures.elapsed, s->elapsed);
    ck_assert_int_eq(row->figures.processors, s->clusters);
    assert_same(row->figures.speedup, s->speedup);
    assert_same(row->figures.price, s->price);
    assert_same(row->figures.energy, s->energy);
    inlay_mapping_free(mapping);
}

START_TEST(machines_are_ranked)
{
    int longer = 0;
    for (int seed = 0; seed < SEEDS / 5; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, 9), RANDOM_BLOCKING, &times);
        inlay_compare_input inputs[MACHINES + 1] = {{.name = "app", .app = app}};
        for (size_t i = 0; i < MACHINES; i++) {
            char text[100];
            snprintf(text, sizeof text, machines[i], inlay_unit_name(inlay_app_unit(app)));
            inputs[i + 1] = (inlay_compare_input){.name = machines[i], .machine = machine_of(text)};
        }
        const inlay_compare_options options = {.mapping.tick_seconds = 1, .sort = (inlay_compare_sort)_i};
        inlay_comparison *all = NULL;
        ck_assert_int_eq(inlay_compare(inputs, MACHINES + 1, &options, &all, NULL), INLAY_OK);
        ck_assert_uint_eq(inlay_comparison_rows(all), MACHINES);
        for (size_t i = 0; i < MACHINES; i++) {
            const inlay_compare_row *row = inlay_comparison_row(all, i);
            ck_assert_int_eq(row->rank, (int)i + 1);
            expect_row(row, &options.mapping);
            for (size_t j = 0; j < i; j++) {
                const inlay_compare_row *before = inlay_comparison_row(all, j);
                ck_assert_msg(in_order(before, row, options.sort, given_at(before, inputs), given_at(row, inputs)),
                              "seed %d: rank %zu, %zu", seed, j + 1, i + 1);
                longer += row->figures.elapsed > before->figures.elapsed;
            }
        }
        inlay_comparison_free(all);
        for (size_t i = 0; i < MACHINES; i++)
            inlay_machine_free((inlay_machine *)inputs[i + 1].machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(longer, SEEDS / 5);
}
END_TEST

/* ---- Price and energy ---- */

/* Half an hour on one processor and then on the other: an hour, for which both are paid. */
static const struct {
    const char *unit, *machine;
    double tick_seconds;
    double seconds, price, energy; /* NAN: not known */
    const char *warning;           /* NULL: none */
} runs[] = {
    {"s", "bus:2,capacity=1GB/s,price=0.12,power=95W", 0, 3600, 0.24, 2 * 3600 * 95.0, NULL},
    {"s", "bus:2,capacity=1GB/s,price=0,currency=EUR", 0, 3600, 0, NAN, NULL},
    {"s", "bus:2,capacity=1GB/s,power=0.5kW", 0, 3600, NAN, 3.6e6, NULL},
    {"s", "bus:2,capacity=1GB/s,power=250 mW", 0, 3600, NAN, 1800, NULL},
    {"s", "bus:2,capacity=1GB/s", 0, 3600, NAN, NAN, NULL},
    {"ms", "omega:2,cycle=1us,message_size=1kB,price=3600,power=10", 0, 3.6, 7.2, 72, NULL},
    {"us", "omega-pe:2,cycle=1us,message_size=1kB,power=1e6W", 0, 0.0036, NAN, 7200, NULL},
    {"ns", "multibus:2,memories=2,buses=2,capacity=1GB/s,price=1e6", 0, 3.6e-6, 2e-3, NAN, NULL},
    {"tick", "bus:2,price=1,power=1W", 2, 7200, 4, 14400, NULL},
    {"tick", "bus:2", 0, NAN, NAN, NAN, NULL},
    {"tick", "bus:2,price=1,power=1W", 0, NAN, NAN, NAN, "the price and the energy of a run cannot be told"},
    {"tick", "bus:2,price=1", 0, NAN, NAN, NAN, "the price of a run cannot be told"},
    {"tick", "bus:2,power=1", 0, NAN, NAN, NAN, "the energy of a run cannot be told"},
};

START_TEST(pays_for_runs)
{
    inlay_app *app = app_of(runs[_i].unit);
    inlay_machine *machine = machine_of(runs[_i].machine);
    inlay_diag *diag = inlay_diag_new();
    inlay_options options = {.tick_seconds = runs[_i].tick_seconds};
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, diag), INLAY_OK);
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    assert_same(sum->seconds, runs[_i].seconds);
    assert_same(sum->price, runs[_i].price);
    assert_same(sum->energy, runs[_i].energy);
    ck_assert_uint_eq(inlay_diag_warnings(diag), runs[_i].warning != NULL);
    if (runs[_i].warning != NULL)
        ck_assert_msg(strstr(inlay_diag_warning(diag, 0), runs[_i].warning) != NULL, "%s", inlay_diag_warning(diag, 0));
    inlay_mapping_free(mapping);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- The picture ---- */

static const inlay_bar drawn[] = {
    {"first", true, "bus:2", "s", true, 50, 25, 0, "75 s", 60, 90},
    {"first", false, "a < b & \"c\"", "s", true, 50, 0, 50, "100 s", 0, 0},
    {"first", false, "none", "s", false, 1e300, -1, NAN, "no answer: <nothing>", 0, 0},
    {"second", true, "bus:2", "ticks", true, 0.001, 0.001, 0.002, "0.004 ticks", 0, 0},
    {"third", true, "idle", "ticks", true, 0, 0, 0, "0 ticks", 0, 0},
};
enum { DRAWN = sizeof drawn / sizeof *drawn };

static int draw(const inlay_bar *bars, size_t count, inlay_diag *diag)
{
    return inlay_bars_draw_svg(bars, count, svg_path(), diag);
}

/* Where the numbers of the axes stand; each axis begins with 0. */
typedef struct axis {
    double zero, last, last_x;
} axis;

static size_t read_axes(const char *svg, axis *axes, size_t most)
{
    size_t count = 0;
    for (const char *s = svg; (s = svg_next(s + 1, "text"));) {
        char *end;
        const char *content = strchr(s, '>') + 1;
        double value = plain_number(content, &end);
        const char *anchor = svg_attribute_text(s, "text-anchor");
        if (end == content || *end != '<' || *anchor != 'm') continue;
        ck_assert(value == 0 ? count < most : count > 0);
        if (value == 0) axes[count++].zero = svg_attribute_number(s, "x");
        axes[count - 1].last = value;
        axes[count - 1].last_x = svg_attribute_number(s, "x");
    }
    return count;
}

START_TEST(bars_are_their_parts)
{
    static const size_t axis_of[DRAWN] = {0, 0, 0, 1, 2};
    inlay_diag *diag = inlay_diag_new();
    axis axes[3];
    ck_assert_msg(draw(drawn, DRAWN, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    char *svg = svg_take();
    ck_assert_uint_eq(read_axes(svg, axes, 3), 3);
    const char *s = svg_next(svg, "rect"); /* the ground, and three samples of the legend */
    for (int i = 0; i < 4; i++)
        s = svg_next(s + 1, "rect");
    for (size_t i = 0; i < DRAWN; i++) {
        const double parts[] = {drawn[i].critical_path, drawn[i].compute, drawn[i].network};
        const axis *on = &axes[axis_of[i]];
        double from = 0, pixels = (on->last_x - on->zero) / on->last;
        for (int p = 0; drawn[i].answered && p < 3; p++) {
            if (parts[p] == 0) continue;
            ck_assert_ptr_nonnull(s);
            ck_assert(fabs(svg_attribute_number(s, "x") - (on->zero + from * pixels)) < 0.02);
            ck_assert(fabs(svg_attribute_number(s, "width") - parts[p] * pixels) < 0.02);
            from += parts[p];
            s = svg_next(s + 1, "rect");
        }
    }
    ck_assert_ptr_null(s);
    const char *whisker = svg_next(svg, "line"); /* the first black one lies from low to high */
    while (strncmp(svg_attribute_text(whisker, "stroke"), "#000000", 7) != 0)
        whisker = svg_next(whisker + 1, "line");
    double second = (axes[0].last_x - axes[0].zero) / axes[0].last;
    ck_assert(fabs(svg_attribute_number(whisker, "x1") - (axes[0].zero + drawn[0].low * second)) < 0.02);
    ck_assert(fabs(svg_attribute_number(whisker, "x2") - (axes[0].zero + drawn[0].high * second)) < 0.02);
    ck_assert_ptr_nonnull(strstr(svg, ">first: elapsed time, in s<"));
    ck_assert_ptr_nonnull(strstr(svg, ">second: elapsed time, in ticks<"));
    ck_assert_ptr_nonnull(strstr(svg, ">a &lt; b &amp; &quot;c&quot;<"));
    ck_assert_ptr_nonnull(strstr(svg, ">no answer: &lt;nothing&gt;<"));
    free(svg);
    inlay_diag_free(diag);
}
END_TEST

/* The tallest picture and the longest words: all stays inside (svg_take() looks). */
START_TEST(large_pictures_hold)
{
    static inlay_bar bars[301];
    static char words[1000];
    memset(words, 'W', sizeof words - 1);
    for (size_t i = 0; i < 301; i++)
        bars[i] =
            (inlay_bar){words, i % 50 == 0, words, "ticks", i % 7 != 0, (double)i, 1e6 * (double)i, 3, words, 0, 0};
    ck_assert_int_eq(draw(bars, 300, NULL), INLAY_OK);
    free(svg_take());
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(draw(bars, 301, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "a picture of 301 bars; expected 1 to 300");
    inlay_diag_free(diag);
}
END_TEST

START_TEST(refuses_bad_bars)
{
    static const double bad[] = {-1, NAN, INFINITY, 1e101};
    for (size_t i = 0; i < 3 * sizeof bad / sizeof *bad; i++) {
        double parts[] = {1, 1, 1};
        char expected[200];
        parts[i % 3] = bad[i / 3];
        inlay_bar bar = {"g", true, "m", "s", true, parts[0], parts[1], parts[2], "", 0, 0};
        plain_print(expected, sizeof expected, "bar 0 is made of %g, %g and %g; expected numbers from 0 to 1e+100",
                    parts[0], parts[1], parts[2]);
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(draw(&bar, 1, diag), INLAY_BAD_ARGUMENT);
        ck_assert_str_eq(inlay_diag_message(diag), expected);
        inlay_diag_free(diag);
    }
    ck_assert_int_eq(draw(drawn, 0, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(draw(NULL, 1, NULL), INLAY_BAD_ARGUMENT);
}
END_TEST

Suite *suite_compare(void)
{
    Suite *suite = suite_create("compare");
    TCase *parts = tcase_create("bottleneck");
    tcase_add_test(parts, takes_elapsed_times_apart);
    tcase_add_test(parts, names_limits);
    suite_add_tcase(suite, parts);
    TCase *order = tcase_create("order");
    tcase_add_loop_test(order, machines_are_ranked, INLAY_SORT_ELAPSED, INLAY_SORT_EFFICIENCY + 1);
    suite_add_tcase(suite, order);
    TCase *run = tcase_create("price and energy");
    tcase_add_loop_test(run, pays_for_runs, 0, sizeof runs / sizeof *runs);
    suite_add_tcase(suite, run);
    TCase *picture = tcase_create("picture");
    tcase_add_test(picture, bars_are_their_parts);
    tcase_add_test(picture, large_pictures_hold);
    tcase_add_test(picture, refuses_bad_bars);
    suite_add_tcase(suite, picture);
    return suite;
}
