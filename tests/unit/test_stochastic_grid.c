/* Stochastic graphs whose loops form a plane: too many ways to eliminate, too slow to sweep. */
#include "graph/stochastic_krylov.h"
#include "slow_stochastic.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Grids ---- */

enum { SMALL = 30, LARGE = 150, CORRECTIONS = 4 };

/* The neighbours of module i in a square of that side, and the way out of module 0: how many. */
static int neighbours(int side, int i, int to[5])
{
    int count = 0;
    if (i % side > 0) to[count++] = i - 1;
    if (i % side < side - 1) to[count++] = i + 1;
    if (i >= side) to[count++] = i - side;
    if (i < side * (side - 1)) to[count++] = i + side;
    if (i == 0) to[count++] = side * side;
    return count;
}

/*
 * gain 0: each neighbour is as likely, and the first module alone leads out, with probability `exit`. Else modules of
 * one colour pass a visit to all neighbours, and those of the other go to each with probability gain / 4: four visits
 * bring 4 gain, if not at the edges.
 */
typedef struct grid {
    int side;
    double gain, exit;
} grid;

static bool draws(const grid *g, int i)
{
    return g->gain == 0 || (i % g->side + i / g->side) % 2 == 0;
}

static double share(const grid *g, int i, int to)
{
    int others[5], count = neighbours(g->side, i, others), inside = count - (i == 0);
    if (g->gain > 0) return !draws(g, i) ? 1 : to < g->side * g->side ? g->gain / 4 : 1 - inside * g->gain / 4;
    return i > 0 ? 1.0 / count : to == g->side * g->side ? g->exit : (1 - g->exit) / inside;
}

/* Visits to module i where gain is 0: such a walk may be turned round. */
static double visits_of(const grid *g, int i)
{
    int to[5];
    return i == 0 ? 1 / g->exit : neighbours(g->side, i, to) * (1 - g->exit) / (2 * g->exit);
}

static void add_module(inlay_stochastic_builder *builder, int i, bool eor)
{
    char name[16];
    snprintf(name, sizeof name, "m%d", i);
    inlay_stochastic_module module = {
        .name = name, .eor = eor, .has_entries = true, .entries = i == 0, .time = {{1 + i % 7, 0}, INLAY_UNIT_NONE}};
    ck_assert_int_eq(inlay_stochastic_add_module(builder, &module, NULL), INLAY_OK);
}

/* NULL where it is refused, with the message in `diag`. */
static inlay_stochastic *build_grid(const grid *g, inlay_diag *diag)
{
    inlay_stochastic_builder *builder = inlay_stochastic_builder_new("grid", INLAY_UNIT_TICK);
    inlay_stochastic *graph = NULL;
    int modules = g->side * g->side;
    for (int i = 0; i <= modules; i++)
        add_module(builder, i, i < modules && draws(g, i));
    for (int i = 0; i < modules; i++) {
        int to[6], count = neighbours(g->side, i, to);
        if (g->gain > 0 && draws(g, i) && i > 0) to[count++] = modules;
        for (int t = 0; t < count; t++) {
            inlay_stochastic_link link = {
                .from = i, .to = to[t], .has_probability = draws(g, i), .probability = share(g, i, to[t])};
            ck_assert_int_eq(inlay_stochastic_add_link(builder, &link, NULL), INLAY_OK);
        }
    }
    int status = inlay_stochastic_build(builder, &graph, diag);
    ck_assert_int_eq(status == INLAY_OK, graph != NULL);
    inlay_stochastic_builder_free(builder);
    return graph;
}

static void expect_near(double found, double expected, double tolerance, const char *what)
{
    ck_assert_msg(fabs(found - expected) <= tolerance * fabs(expected), "%s: %.17g, expected %.17g", what, found,
                  expected);
}

/* The largest |v - e - P^T v| / v over all modules. */
static double worst_visits(const inlay_stochastic *graph)
{
    double *sum = calloc(graph->modules, sizeof *sum), worst = 0;
    for (size_t l = 0; l < graph->control.count; l++) {
        const sg_link *link = &graph->control.link[l];
        sum[link->to] += graph->visits[link->from] * link->probability;
    }
    for (size_t i = 0; i < graph->modules; i++)
        worst = fmax(worst, fabs(sum[i] + graph->module[i].entries - graph->visits[i]) / graph->visits[i]);
    free(sum);
    return worst;
}

/* The same of x = own + P x. */
static double worst_backward(const inlay_stochastic *graph, const double *own, const double *x)
{
    double worst = 0;
    for (size_t i = 0; i < graph->modules; i++) {
        double sum = own[i];
        for (size_t l = graph->control.begin[i]; l < graph->control.begin[i + 1]; l++)
            sum += graph->control.link[l].probability * x[graph->control.link[l].to];
        worst = fmax(worst, fabs(sum - x[i]) / x[i]);
    }
    return worst;
}

/* ---- The whole ---- */

START_TEST(a_walk_in_a_plane_keeps_its_digits)
{
    static const double exits[] = {1.0 / 3, 1e-6, 1e-12};
    for (size_t e = 0; e < sizeof exits / sizeof *exits; e++) {
        const grid g = {LARGE, 0, exits[e]};
        inlay_stochastic *graph = build_grid(&g, NULL);
        double work = 1 + LARGE * LARGE % 7;
        ck_assert_ptr_nonnull(graph);
        for (int i = 0; i < LARGE * LARGE; i++) {
            expect_near(graph->visits[i], visits_of(&g, i), 2e-12, "visits");
            work += visits_of(&g, i) * (1 + i % 7);
        }
        expect_near(graph->visits[LARGE * LARGE], 1, 2e-12, "the way out");
        expect_near(inlay_stochastic_summary_of(graph)->work, work, 2e-12, "work by visits");
        expect_near(graph->mean[0], work, 2e-12, "work of a visit to the first");
        ck_assert_double_lt(worst_backward(graph, graph->own, graph->mean), 1e-13);
        inlay_stochastic_free(graph);
    }
}
END_TEST

START_TEST(a_plane_that_multiplies_is_solved)
{
    static const double gains[] = {0.2, 0.25, 0.25004};
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
        inlay_stochastic *graph = build_grid(&(grid){LARGE, gains[i], 0}, NULL);
        ck_assert_ptr_nonnull(graph);
        ck_assert_double_lt(worst_visits(graph), 1e-13);
        ck_assert_double_lt(worst_backward(graph, graph->own, graph->mean), 1e-13);
        expect_near(graph->mean[0], inlay_stochastic_summary_of(graph)->work, 1e-10, "work");
        for (size_t m = 0; m < graph->modules; m++)
            ck_assert_double_gt(graph->visits[m], 0);
        inlay_stochastic_free(graph);
    }
}
END_TEST

START_TEST(a_plane_that_grows_is_refused)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_ptr_null(build_grid(&(grid){LARGE, 0.252, 0}, diag));
    ck_assert_ptr_nonnull(
        strstr(inlay_diag_message(diag),
               "grid: the loop of modules 'm0', 'm1', 'm2' and 22497 more multiplies visits without end"));
    inlay_diag_free(diag);
}
END_TEST

/* ---- BiCGSTAB by itself ---- */

typedef struct small_system {
    sg_equations e;
    size_t begin[SMALL * SMALL + 1];
    inlay_id place[5 * SMALL * SMALL];
    double share[5 * SMALL * SMALL], b[SMALL * SMALL], pivot[SMALL * SMALL], leak[SMALL * SMALL];
    double x[SMALL * SMALL];
} small_system;

static small_system system_of; /* each test runs in a process of its own */
static slow_sg slow_graph;
static slow_sg_solution slow;

static void set_up(const grid *g, bool backward)
{
    small_system *s = &system_of;
    size_t used = 0;
    for (int i = 0; i < SMALL * SMALL; i++) {
        int to[5], count = neighbours(SMALL, i, to);
        s->begin[i] = used;
        s->pivot[i] = 1;
        s->leak[i] = i == 0 ? g->exit : 0;
        s->b[i] = backward ? 1 + i % 7 : i == 0;
        s->x[i] = 0;
        for (int t = 0; t < count; t++) {
            if (to[t] == SMALL * SMALL) continue;
            s->place[used] = to[t];
            s->share[used++] = backward ? share(g, i, to[t]) : share(g, to[t], i);
        }
    }
    s->begin[SMALL * SMALL] = used;
    s->e = (sg_equations){
        SMALL * SMALL, s->begin, s->place, s->share, s->b, s->pivot, s->leak, .balanced = g->gain == 0, backward};
}

/* The same graph for the slow solution. */
static void solve_slowly(const grid *g)
{
    slow_graph = (slow_sg){.modules = SMALL * SMALL + 1, .entries = {1}};
    for (int i = 0; i < SMALL * SMALL; i++) {
        int to[5], count = neighbours(SMALL, i, to);
        slow_graph.eor[i] = draws(g, i);
        slow_graph.time[i] = 1 + i % 7;
        for (int t = 0; t < count; t++)
            slow_graph.link[slow_graph.links++] =
                (slow_sg_link){.from = i, .to = to[t], .probability = share(g, i, to[t])};
    }
    ck_assert(slow_sg_solve(&slow_graph, &slow));
}

static void correct_often(void)
{
    sg_krylov k = {0};
    ck_assert(sg_krylov_open(&k, &system_of.e));
    for (int i = 0; i < CORRECTIONS; i++)
        ck_assert_int_eq(sg_krylov_correct(&k, system_of.x), SG_DONE);
    sg_krylov_clear(&k);
}

START_TEST(corrections_are_those_of_a_full_matrix)
{
    static const struct {
        grid g;
        double tolerance;
    } cases[] = {
        {{SMALL, 0, 0.5}, 1e-10}, {{SMALL, 0, 1e-4}, 1e-8}, {{SMALL, 0.2, 0}, 1e-10}, {{SMALL, 0.25, 0}, 1e-10}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        solve_slowly(&cases[c].g);
        set_up(&cases[c].g, false);
        correct_often();
        for (int i = 0; i < SMALL * SMALL; i++)
            expect_near(system_of.x[i], slow.visits[i], cases[c].tolerance, "visits");
        set_up(&cases[c].g, true);
        correct_often();
        expect_near(system_of.x[0], slow.work, cases[c].tolerance, "work");
    }
}
END_TEST

/* The full matrix has lost digits here. */
START_TEST(corrections_keep_the_digits_of_a_loop_that_is_hardly_left)
{
    const grid g = {SMALL, 0, 1e-6};
    set_up(&g, false);
    correct_often();
    for (int i = 0; i < SMALL * SMALL; i++)
        expect_near(system_of.x[i], visits_of(&g, i), 1e-10, "visits");
}
END_TEST

Suite *suite_stochastic_grid(void)
{
    Suite *suite = suite_create("stochastic_grid");
    TCase *tests = tcase_create("stochastic_grid");
    tcase_add_test(tests, a_walk_in_a_plane_keeps_its_digits);
    tcase_add_test(tests, a_plane_that_multiplies_is_solved);
    tcase_add_test(tests, a_plane_that_grows_is_refused);
    tcase_add_test(tests, corrections_are_those_of_a_full_matrix);
    tcase_add_test(tests, corrections_keep_the_digits_of_a_loop_that_is_hardly_left);
    suite_add_tcase(suite, tests);
    return suite;
}
