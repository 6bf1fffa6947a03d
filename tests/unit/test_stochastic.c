/* Stochastic graphs: visits, work and its variance against slow solutions and against executions. */
#include "drawn.h"
#include "graph/stochastic_eliminate.h"
#include "random_app.h"
#include "slow_stochastic.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static slow_sg g; /* each test runs in a process of its own */
static slow_sg_solution slow;

/* The nearest decimal of a multiple of 1/8. */
static inlay_duration eighths(double time)
{
    return (inlay_duration){{(int64_t)(time * 1000), 3}, INLAY_UNIT_NONE};
}

/* The library's builder with all of `g` in it. */
static inlay_stochastic_builder *builder_of_g(void)
{
    inlay_stochastic_builder *builder = inlay_stochastic_builder_new("g", INLAY_UNIT_TICK);
    for (int i = 0; i < g.modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        inlay_stochastic_module module = {
            .name = name, .eor = g.eor[i], .has_entries = true, .entries = g.entries[i], .time = eighths(g.time[i])};
        ck_assert_int_eq(inlay_stochastic_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int l = 0; l < g.links; l++) {
        const slow_sg_link *from = &g.link[l];
        inlay_stochastic_link link = {.from = from->from,
                                      .to = from->to,
                                      .traffic_only = from->traffic,
                                      .has_probability = g.eor[from->from] && !from->traffic,
                                      .probability = from->probability,
                                      .time = eighths(from->time),
                                      .messages = from->messages,
                                      .bytes = from->bytes};
        ck_assert_int_eq(inlay_stochastic_add_link(builder, &link, NULL), INLAY_OK);
    }
    return builder;
}

/* NULL where it is refused, with the message in `diag`. */
static inlay_stochastic *build_g(inlay_diag *diag)
{
    inlay_stochastic *graph = NULL;
    inlay_stochastic_builder *builder = builder_of_g();
    int status = inlay_stochastic_build(builder, &graph, diag);
    ck_assert_int_eq(status == INLAY_OK, graph != NULL);
    ck_assert(status == INLAY_OK || status == INLAY_BAD_INPUT);
    inlay_stochastic_builder_free(builder);
    return graph;
}

static void expect_near(double found, double expected, double tolerance, const char *what)
{
    ck_assert_msg(fabs(found - expected) <= tolerance * fabs(expected) + 1e-12, "%s: %.17g, expected %.17g", what,
                  found, expected);
}

static void expect_as_slow(const inlay_stochastic *graph, double tolerance)
{
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(graph);
    for (int i = 0; i < g.modules; i++)
        expect_near(inlay_stochastic_visits(graph, i), slow.visits[i], tolerance, "visits");
    expect_near(s->work, slow.work, tolerance, "work");
    expect_near(s->work_deviation * s->work_deviation, slow.variance, 1e3 * tolerance, "variance");
}

/* ---- Against dense solutions ---- */

START_TEST(solutions_are_those_of_a_full_matrix)
{
    int stable = 0, unstable = 0;
    inlay_diag *diag = NULL;
    for (uint64_t seed = 1; seed <= DRAWN_STOCHASTIC; seed++) {
        uint64_t state = seed;
        int modules = 2 + (int)random_below(&state, 50), exit_in = (int)random_below(&state, 12);
        slow_sg_random(&state, modules, exit_in, &g);
        bool finite = slow_sg_solve(&g, &slow);
        diag = inlay_diag_new();
        inlay_stochastic *graph = build_g(diag);
        ck_assert_msg((graph != NULL) == finite, "seed %d: finite %d, %s", (int)seed, finite, inlay_diag_message(diag));
        if (finite) {
            expect_as_slow(graph, 1e-9);
            stable++;
        } else {
            ck_assert_msg(strstr(inlay_diag_message(diag), "multiplies visits without end") != NULL ||
                              strstr(inlay_diag_message(diag), "visits never end in the loop") != NULL,
                          "%s", inlay_diag_message(diag));
            unstable++;
        }
        inlay_stochastic_free(graph);
        inlay_diag_free(diag);
    }
    ck_assert_int_gt(stable, DRAWN_STOCHASTIC / 3);
    ck_assert_int_gt(unstable, DRAWN_STOCHASTIC / 12);
}
END_TEST

/* Modules of the largest part that elimination leaves to sweeps. */
static inlay_id core_of(const inlay_stochastic *graph)
{
    sg_parts parts;
    sg_matrix m;
    inlay_id most = 0, culprit;
    double gain;
    ck_assert(sg_find_parts(graph, &parts));
    ck_assert(sg_matrix_open(&m, (inlay_id)graph->modules, parts.count));
    for (inlay_id p = 0; p < parts.count; p++) {
        ck_assert_int_eq(sg_begin_part(&m, graph, &parts, p), SG_DONE);
        ck_assert_int_eq(sg_eliminate(&m, &parts, p, &culprit, &gain), SG_DONE);
        most = m.core[p] > most ? m.core[p] : most;
    }
    sg_matrix_clear(&m);
    sg_parts_clear(&parts);
    return most;
}

/* The part of module 0 settles within so many sweeps, without more elimination, to the visits of the graph. */
static void expect_swept(const inlay_stochastic *graph, int sweeps)
{
    sg_parts parts;
    sg_matrix m;
    inlay_id culprit;
    double gain, b[SLOW_SG_MODULES] = {1}, x[SLOW_SG_MODULES];
    ck_assert(sg_find_parts(graph, &parts));
    ck_assert(sg_matrix_open(&m, (inlay_id)graph->modules, parts.count));
    inlay_id part = parts.of[0];
    ck_assert_int_eq(sg_begin_part(&m, graph, &parts, part), SG_DONE);
    ck_assert_int_eq(sg_eliminate(&m, &parts, part, &culprit, &gain), SG_DONE);
    ck_assert_int_eq(sg_solve_part(&m, &parts, part, sweeps, NULL, b, x), SG_DONE);
    for (inlay_id t = parts.begin[part]; t < parts.begin[part + 1]; t++)
        expect_near(x[parts.member[t]], graph->visits[parts.member[t]], 1e-9, "swept");
    sg_matrix_clear(&m);
    sg_parts_clear(&parts);
}

/* A graph of EOR modules, each with links to `degree` others, in one part; the first alone leads out, hardly ever. */
static void make_tangle(int modules, int degree, double exit)
{
    uint64_t state = 5;
    g = (slow_sg){.modules = modules + 1};
    g.entries[0] = 1;
    for (int i = 0; i < modules; i++) {
        g.eor[i] = true;
        g.time[i] = (double)(i % 7);
        for (int d = 0; d < degree; d++) {
            double share = (i == 0 ? 1 - exit : 1) / degree;
            int to = d == 0 ? (i + 1) % modules : (int)random_below(&state, modules);
            g.link[g.links++] = (slow_sg_link){.from = i, .to = to, .probability = share};
        }
    }
    g.link[g.links++] = (slow_sg_link){.from = 0, .to = modules, .probability = exit};
}

START_TEST(what_elimination_leaves_is_solved_by_sweeps)
{
    static const double exits[] = {0.5, 1e-6};
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
        make_tangle(1000, 5, exits[i]);
        ck_assert(slow_sg_solve(&g, &slow));
        inlay_stochastic *graph = build_g(NULL);
        ck_assert_ptr_nonnull(graph);
        ck_assert_int_gt(core_of(graph), 50);
        expect_swept(graph, 256);
        expect_near(inlay_stochastic_visits(graph, 1000), 1, 1e-9, "the way out");
        /* the full matrix loses the digits that 1 - gain loses */
        expect_as_slow(graph, 1e-9 / exits[i] > 1e-7 ? 1e-6 : 1e-9);
        inlay_stochastic_free(graph);
    }
}
END_TEST

/* AND and EOR modules by turns: a gain of 2 q for each pair, the same on all ways. The last module is the way out. */
static void make_multiplying_tangle(int modules, int degree, double q)
{
    uint64_t state = 8;
    g = (slow_sg){.modules = modules + 1};
    g.entries[0] = 1;
    for (int i = 0; i < modules; i++) {
        g.eor[i] = i % 2 == 0;
        g.time[i] = 1;
        for (int d = 0; d < (g.eor[i] ? degree : 2); d++) {
            int to = d == 0 ? (i + 1) % modules : 2 * (int)random_below(&state, modules / 2) + (g.eor[i] ? 1 : 0);
            g.link[g.links++] = (slow_sg_link){.from = i, .to = to, .probability = g.eor[i] ? q / degree : 1};
        }
        if (g.eor[i]) g.link[g.links++] = (slow_sg_link){.from = i, .to = modules, .probability = 1 - q};
    }
}

START_TEST(sweeps_tell_loops_that_grow)
{
    inlay_diag *diag = inlay_diag_new();
    make_multiplying_tangle(1000, 6, 0.52);
    ck_assert_ptr_null(build_g(diag));
    ck_assert_str_eq(
        inlay_diag_message(diag),
        "g: the loop of modules 'm0', 'm1', 'm2' and 997 more multiplies visits without end; expected that "
        "each brings clearly fewer than one more on the average");
    inlay_diag_free(diag);
}
END_TEST

/* Sweeps alone would take for ever: elimination goes on. */
START_TEST(almost_too_many_visits_are_counted)
{
    static const double gains[] = {0.48, 0.5 - 1e-9};
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
        make_multiplying_tangle(1000, 6, gains[i]);
        ck_assert(slow_sg_solve(&g, &slow));
        inlay_stochastic *graph = build_g(NULL);
        ck_assert_ptr_nonnull(graph);
        ck_assert_int_gt(core_of(graph), 50);
        /* 1 - gain has lost half of its digits before anybody subtracts */
        expect_as_slow(graph, i == 0 ? 1e-9 : 1e-4);
        inlay_stochastic_free(graph);
    }
}
END_TEST

START_TEST(sweeps_end_where_they_do_not_settle)
{
    sg_parts parts;
    sg_matrix m;
    inlay_id culprit;
    double gain, b[SLOW_SG_MODULES], x[SLOW_SG_MODULES];
    make_multiplying_tangle(1000, 6, 0.5 - 2e-12);
    inlay_stochastic *graph = build_g(NULL);
    ck_assert(sg_find_parts(graph, &parts));
    ck_assert(sg_matrix_open(&m, (inlay_id)graph->modules, parts.count));
    for (int i = 0; i < g.modules; i++)
        b[i] = 1;
    inlay_id part = parts.of[0];
    ck_assert_int_eq(sg_begin_part(&m, graph, &parts, part), SG_DONE);
    ck_assert_int_eq(sg_eliminate(&m, &parts, part, &culprit, &gain), SG_DONE);
    ck_assert_int_eq(sg_solve_part(&m, &parts, part, 64, NULL, b, x), SG_UNSETTLED);
    sg_matrix_clear(&m);
    sg_parts_clear(&parts);
    inlay_stochastic_free(graph);
}
END_TEST

/* ---- Closed forms ---- */

START_TEST(a_long_loop_keeps_all_its_digits)
{
    enum { MODULES = 1000 };
    static const double exits[] = {0.25, 1e-6, 1e-12};
    for (size_t e = 0; e < sizeof exits / sizeof *exits; e++) {
        g = (slow_sg){.modules = MODULES + 1};
        g.entries[0] = 1;
        for (int i = 0; i < MODULES; i++) {
            g.eor[i] = i == MODULES / 2;
            g.time[i] = 1;
            g.link[g.links++] =
                (slow_sg_link){.from = i, .to = (i + 1) % MODULES, .probability = g.eor[i] ? 1 - exits[e] : 1};
        }
        g.link[g.links++] = (slow_sg_link){.from = MODULES / 2, .to = MODULES, .probability = exits[e]};
        inlay_stochastic *graph = build_g(NULL);
        ck_assert_ptr_nonnull(graph);
        const inlay_stochastic_summary *s = inlay_stochastic_summary_of(graph);
        /* the visits to the way out are geometric: 1 / p on the average, with the deviation sqrt(1 - p) / p */
        double turns = 1 / exits[e];
        expect_near(inlay_stochastic_visits(graph, MODULES / 2), turns, 1e-13, "visits");
        expect_near(inlay_stochastic_visits(graph, MODULES / 2 + 1), turns - 1, 1e-13, "visits behind");
        expect_near(inlay_stochastic_visits(graph, MODULES), 1, 1e-13, "the way out");
        expect_near(s->work_deviation, MODULES * sqrt(1 - exits[e]) * turns, 1e-9, "deviation");
        ck_assert_int_eq(s->loops, 1);
        ck_assert_int_eq(s->looped, MODULES);
        inlay_stochastic_free(graph);
    }
}
END_TEST

START_TEST(parts_are_numbered_by_their_first_modules)
{
    /* 0 -> {1 3} -> 2, 4 turns to itself */
    static const struct {
        int from, to;
        double p;
    } links[] = {{0, 1, 1}, {1, 3, 1}, {3, 1, 0.5}, {3, 2, 0.25}, {3, 4, 0.25}, {4, 4, 0.5}, {4, 2, 0.5}};
    static const inlay_id parts[] = {0, 1, 2, 1, 3};
    g = (slow_sg){.modules = 5, .eor = {[3] = true, [4] = true}, .entries = {1}};
    for (size_t l = 0; l < sizeof links / sizeof *links; l++)
        g.link[g.links++] = (slow_sg_link){.from = links[l].from, .to = links[l].to, .probability = links[l].p};
    inlay_stochastic *graph = build_g(NULL);
    for (inlay_id i = 0; i < 5; i++) {
        ck_assert_int_eq(inlay_stochastic_part(graph, i), parts[i]);
        ck_assert_int_eq(inlay_stochastic_in_loop(graph, i), i == 1 || i >= 3);
    }
    ck_assert_int_eq(inlay_stochastic_summary_of(graph)->loops, 2);
    ck_assert_int_eq(inlay_stochastic_summary_of(graph)->looped, 3);
    ck_assert_int_eq(inlay_stochastic_summary_of(graph)->parts, 4);
    inlay_stochastic_free(graph);
}
END_TEST

/* ---- Against executions ---- */

enum { GRAPHS = 200, EXECUTIONS = 4000 };

/* Squares of differences in units of their standard error, which are 1 on the average where the means are right. */
typedef struct z_sum {
    double square, largest;
    int count;
} z_sum;

static void add_z(z_sum *sum, double z)
{
    sum->square += z * z;
    sum->largest = fabs(z) > sum->largest ? fabs(z) : sum->largest;
    sum->count++;
}

static double times[EXECUTIONS], count[SLOW_SG_MODULES], squares[SLOW_SG_MODULES];

static void execute_g(uint64_t *state)
{
    for (int i = 0; i < g.modules; i++)
        count[i] = squares[i] = 0;
    for (int e = 0; e < EXECUTIONS; e++) {
        double visits[SLOW_SG_MODULES] = {0};
        times[e] = slow_sg_execute(&g, state, visits);
        for (int i = 0; i < g.modules; i++) {
            count[i] += visits[i];
            squares[i] += visits[i] * visits[i];
        }
    }
}

static void compare_visits(const inlay_stochastic *graph, z_sum *sum)
{
    for (int i = 0; i < g.modules; i++) {
        double mean = count[i] / EXECUTIONS, variance = squares[i] / EXECUTIONS - mean * mean;
        double expected = inlay_stochastic_visits(graph, i);
        if (variance <= 1e-12) {
            expect_near(mean, expected, expected > 0.01 ? 1e-9 : 1, "visits that do not vary");
        } else if (expected * EXECUTIONS > 50) { /* rarer visits are not normal */
            add_z(sum, (mean - expected) / sqrt(variance / EXECUTIONS));
        }
    }
}

/* @param ratio  gets the sample's variance over the expected one */
static void compare_work(const inlay_stochastic *graph, z_sum *sum, double *ratio)
{
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(graph);
    double mean = 0, variance = 0, expected = s->work_deviation * s->work_deviation;
    for (int e = 0; e < EXECUTIONS; e++)
        mean += times[e] / EXECUTIONS;
    for (int e = 0; e < EXECUTIONS; e++)
        variance += (times[e] - mean) * (times[e] - mean) / (EXECUTIONS - 1);
    *ratio = expected > 1e-12 ? variance / expected : 1;
    if (expected > 1e-12) {
        add_z(sum, (mean - s->work) / sqrt(expected / EXECUTIONS));
    } else {
        expect_near(mean, s->work, 1e-9, "work that does not vary");
    }
}

/* Few visits, of a spread that a sample shows. */
static bool is_tame(void)
{
    double visits = 0;
    bool finite = slow_sg_solve(&g, &slow);
    for (int i = 0; i < g.modules && finite; i++)
        visits += slow.visits[i];
    return finite && visits < 60 && slow.variance < 2 * slow.work * slow.work;
}

START_TEST(executions_have_these_means_and_this_variance)
{
    z_sum visits = {0}, work = {0};
    double ratios = 0, squares_of_ratios = 0;
    int graphs = 0;
    for (uint64_t seed = 1; graphs < GRAPHS; seed++) {
        uint64_t state = 1000 + seed;
        slow_sg_random(&state, 3 + (int)random_below(&state, 12), 5, &g);
        if (!is_tame()) continue;
        inlay_stochastic *graph = build_g(NULL);
        double ratio;
        execute_g(&state);
        compare_visits(graph, &visits);
        compare_work(graph, &work, &ratio);
        ratios += ratio;
        squares_of_ratios += (ratio - 1) * (ratio - 1);
        inlay_stochastic_free(graph);
        graphs++;
    }
    /* within 3 standard errors, as a family: |z| up to 5 among some thousands, and z^2 of 1 on the average */
    ck_assert_int_gt(visits.count, 800);
    ck_assert_double_lt(visits.largest, 5);
    ck_assert_double_lt(fabs(visits.square / visits.count - 1), 0.2);
    ck_assert_int_gt(work.count, 150);
    ck_assert_double_lt(work.largest, 4.5);
    ck_assert_double_lt(fabs(work.square / work.count - 1), 3 * sqrt(2.0 / work.count));
    ck_assert_double_lt(fabs(ratios / GRAPHS - 1), 0.02);
    ck_assert_double_lt(sqrt(squares_of_ratios / GRAPHS), 0.12);
}
END_TEST

Suite *suite_stochastic(void)
{
    Suite *suite = suite_create("stochastic");
    TCase *tests = tcase_create("stochastic");
    tcase_add_test(tests, solutions_are_those_of_a_full_matrix);
    tcase_add_test(tests, what_elimination_leaves_is_solved_by_sweeps);
    tcase_add_test(tests, sweeps_tell_loops_that_grow);
    tcase_add_test(tests, almost_too_many_visits_are_counted);
    tcase_add_test(tests, sweeps_end_where_they_do_not_settle);
    tcase_add_test(tests, a_long_loop_keeps_all_its_digits);
    tcase_add_test(tests, parts_are_numbered_by_their_first_modules);
    tcase_add_test(tests, executions_have_these_means_and_this_variance);
    suite_add_tcase(suite, tests);
    return suite;
}
