/* Processor selection: the golden instances and maps, the paper's figure, and what evaluation and methods promise. */
#include "select_golden.h"
#include "select_subject.h"
#include "slow_select.h"
#include "unit.h"

#include <inlay/select_plain.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- The golden file ---- */

static void expect_configuration(const select_subject *s, inlay_select_method method, const json_t *expected,
                                 const char *what)
{
    inlay_select_options options = {.method = method};
    inlay_selection *selection = select_of(s, &options);
    const inlay_configuration *c = inlay_selection_at(selection, 0);
    double wanted = select_golden_number(expected, "Tc");
    const json_t *processors = json_object_get(expected, "P");
    for (size_t i = 0; i < s->problem.clusters; i++) {
        ck_assert_msg(c->processors[i] == json_integer_value(json_array_get(processors, i)), "%s, %s: P_%zu is %d",
                      what, inlay_select_method_name(method), i, (int)c->processors[i]);
    }
    ck_assert_double_eq_tol(c->t_cycle, wanted, 1e-9 * wanted);
    inlay_selection_free(selection);
}

static void expect_map(select_subject *s, const char *name, const json_t *expected, const char *instance)
{
    char what[80];
    snprintf(what, sizeof what, "%s %s", instance, name);
    s->problem.map = select_golden_map(name);
    expect_configuration(s, INLAY_SELECT_H1, json_object_get(expected, "H1"), what);
    expect_configuration(s, INLAY_SELECT_H2, json_object_get(expected, "H2"), what);
    expect_configuration(s, INLAY_SELECT_EXHAUSTIVE, json_object_get(expected, "opt"), what);
    expect_configuration(s, INLAY_SELECT_EXACT, json_object_get(expected, "opt"), what);
}

START_TEST(golden_instances)
{
    json_t *file = unit_golden("selection");
    const json_t *instances = json_object_get(file, "instances");
    ck_assert_uint_eq(json_array_size(instances), 10);
    for (size_t n = 0; n < json_array_size(instances); n++) {
        json_t *instance = json_array_get(instances, n);
        const char *map;
        json_t *expected;
        int maps = 0;
        select_subject s;
        select_golden_instance(instance, &s);
        json_object_foreach(json_object_get(instance, "results"), map, expected)
        {
            expect_map(&s, map, expected, select_golden_text(instance, "name"));
            maps++;
        }
        ck_assert_int_eq(maps, 3);
    }
    json_decref(file);
}
END_TEST

/* Equation 5 alone: no communication, d2 as 1 / rate. */
START_TEST(golden_maps)
{
    json_t *file = unit_golden("selection");
    const json_t *rows = json_object_get(file, "eq5");
    ck_assert_uint_eq(json_array_size(rows), 5);
    for (size_t n = 0; n < 5; n++) {
        const json_t *row = json_array_get(rows, n);
        const json_t *processors = json_object_get(row, "P");
        select_subject s = {0};
        int32_t p[SUBJECT_CLUSTERS];
        s.problem = (inlay_select_problem){.clusters = json_array_size(processors),
                                           .cluster = s.cluster,
                                           .units = (int64_t)select_golden_number(row, "numPDUs"),
                                           .unit_work = 1,
                                           .map = INLAY_SELECT_REAL};
        for (size_t i = 0; i < s.problem.clusters; i++) {
            p[i] = (int32_t)json_integer_value(json_array_get(processors, i));
            s.cluster[i].processors = p[i];
            s.cluster[i].rate = 1 / json_number_value(json_array_get(json_object_get(row, "d2"), i));
            s.cluster[i].fixed_time = json_number_value(json_array_get(json_object_get(row, "d1"), i));
        }
        inlay_selection *selection = NULL;
        ck_assert_int_eq(inlay_select_plain_evaluate(&s.problem, p, &selection, NULL), INLAY_OK);
        const inlay_configuration *c = inlay_selection_at(selection, 0);
        for (size_t i = 0; i < s.problem.clusters; i++) {
            double wanted = json_number_value(json_array_get(json_object_get(row, "A"), i));
            ck_assert_double_eq_tol(c->share[i].share, wanted, 1e-9 * fmax(1, wanted));
        }
        ck_assert_double_eq_tol(c->t_comp, select_golden_number(row, "T_comp"),
                                1e-9 * select_golden_number(row, "T_comp"));
        inlay_selection_free(selection);
    }
    json_decref(file);
}
END_TEST

/* ---- Figure 13 ---- */

START_TEST(figure_13)
{
    select_subject s;
    subject_figure_13(&s);
    s.problem.map = INLAY_SELECT_INTEGER;
    inlay_selection *h2 = select_of(&s, &(inlay_select_options){.method = INLAY_SELECT_H2});
    const inlay_configuration *c = inlay_selection_at(h2, 0);
    ck_assert_double_eq_tol(c->t_cycle, 3347.8, 1e-9);
    ck_assert_int_eq(c->processors[0], 5);
    ck_assert_int_eq(c->processors[3], 5);
    ck_assert_int_eq(c->total, 10);
    ck_assert_int_eq(c->clusters, 2);
    ck_assert_double_eq(c->share[0].share, 9);
    ck_assert_double_eq(c->share[3].share, 11);
    ck_assert_int_eq(c->share[0].extra + c->share[3].extra, 0);
    ck_assert(!inlay_selection_optimal(h2));
    inlay_selection_free(h2);

    s.problem.map = INLAY_SELECT_REAL;
    inlay_selection *best = select_of(&s, NULL);
    c = inlay_selection_at(best, 0);
    ck_assert_double_eq_tol(c->t_cycle, 3228.4, 1e-9);
    ck_assert_double_eq_tol(c->share[3].share, 9.1666666667, 1e-9);
    ck_assert_double_eq_tol(c->share[0].share, 7.5, 1e-9);
    ck_assert(inlay_selection_optimal(best));
    inlay_selection_free(best);
}
END_TEST

/* The chain pays R for each neighbour: the two readings agree where two clusters are used. */
START_TEST(routers_of_two_clusters_agree)
{
    select_subject s;
    subject_figure_13(&s);
    s.problem.map = INLAY_SELECT_REAL;
    s.problem.router = INLAY_SELECT_CHAIN;
    inlay_selection *chain = select_of(&s, NULL);
    const inlay_configuration *c = inlay_selection_at(chain, 0);
    ck_assert_double_eq_tol(c->t_cycle, 3228.4, 1e-9);
    ck_assert_int_eq(c->processors[0], 6);
    ck_assert_int_eq(c->processors[3], 6);
    inlay_selection_free(chain);
}
END_TEST

/* ---- Alone ---- */

/* One has nobody to talk to: 100 of work and nothing else. Two talk, also one each of two clusters, which pay a router. */
START_TEST(a_lone_processor_talks_to_nobody)
{
    for (int topology = INLAY_PATTERN_LINE; topology <= INLAY_PATTERN_TREE; topology++) {
        for (int overlap = 0; overlap < 2; overlap++) {
            select_subject s = {.cluster = {{.processors = 2, .rate = 1, .c1 = 120}, {.processors = 1, .rate = 1}}};
            s.problem = (inlay_select_problem){.clusters = 2,
                                               .cluster = s.cluster,
                                               .units = 100,
                                               .unit_work = 1,
                                               .bytes = 8,
                                               .router_latency = 200,
                                               .overlap = overlap,
                                               .topology = (inlay_pattern)topology};
            for (int method = INLAY_SELECT_EXACT; method <= INLAY_SELECT_EXHAUSTIVE; method++) {
                inlay_selection *best =
                    select_of(&s, &(inlay_select_options){.method = (inlay_select_method)method, .best = 5});
                const inlay_configuration *c = inlay_selection_at(best, 0);
                ck_assert_int_eq(c->total, 1);
                ck_assert(c->t_cycle == 100 && c->t_comp == 100 && c->t_comm == 0);
                ck_assert(c->time[0] == 0 && c->time[1] == 0);
                for (size_t n = 1; (c = inlay_selection_at(best, n)) != NULL; n++)
                    ck_assert(c->total == 1 ? c->t_cycle == 100 : c->t_comm >= 120 && c->t_cycle >= 120);
                inlay_selection_free(best);
            }
        }
    }
}
END_TEST

/* ---- Against the slow evaluation ---- */

static void expect_shares(const select_subject *s, const inlay_configuration *c, const slow_cycle *slow)
{
    double sum = 0;
    for (size_t i = 0; i < s->problem.clusters; i++) {
        const inlay_select_share *share = &c->share[i];
        sum += share->share * c->processors[i] + share->extra;
        if (c->processors[i] == 0) {
            ck_assert(share->share == 0 && share->extra == 0);
            continue;
        }
        double largest = share->share + (share->extra > 0);
        ck_assert_double_eq_tol(largest, (double)slow->share[i], 1e-7 * fmax(1, largest));
        ck_assert_int_ge(share->extra, 0);
        ck_assert_int_lt(share->extra, c->processors[i]);
    }
    if (s->problem.map == INLAY_SELECT_INTEGER || s->problem.map == INLAY_SELECT_REMAINDER)
        ck_assert_double_eq(sum, (double)s->problem.units);
    if (s->problem.map == INLAY_SELECT_CEIL) ck_assert_double_ge(sum, (double)s->problem.units);
    if (s->problem.map == INLAY_SELECT_REAL)
        ck_assert_double_eq_tol(sum, (double)s->problem.units, 1e-9 * (double)s->problem.units);
}

START_TEST(evaluations_are_right)
{
    uint64_t state = 11;
    for (int n = 0; n < 4000; n++) {
        select_subject s;
        int32_t processors[SUBJECT_CLUSTERS];
        subject_random(&state, 6, 12, SUBJECT_ANYTHING, &s);
        subject_configuration(&state, &s, processors);
        inlay_selection *selection = NULL;
        ck_assert_int_eq(inlay_select_plain_evaluate(&s.problem, processors, &selection, NULL), INLAY_OK);
        const inlay_configuration *c = inlay_selection_at(selection, 0);
        slow_cycle slow = slow_select_cost(&s.problem, processors);
        ck_assert_double_eq_tol(c->t_comp, (double)slow.computation, 1e-9 * fmax(1, c->t_comp));
        ck_assert_double_eq_tol(c->t_comm, (double)slow.communication, 1e-9 * fmax(1, c->t_comm));
        ck_assert_double_eq_tol(c->t_cycle, (double)slow.cycle, 1e-9 * fmax(1, c->t_cycle));
        expect_shares(&s, c, &slow);
        inlay_selection_free(selection);
    }
}
END_TEST

/* ---- Methods ---- */

/* H3 goes on where H2 ends; nothing is better than the exact answer. */
START_TEST(methods_in_their_order)
{
    uint64_t state = 12;
    int better = 0;
    for (int n = 0; n < 1500; n++) {
        select_subject s;
        subject_random(&state, 5, 10, SUBJECT_ANYTHING, &s);
        double cost[4];
        static const inlay_select_method methods[] = {INLAY_SELECT_EXACT, INLAY_SELECT_H3, INLAY_SELECT_H2,
                                                      INLAY_SELECT_H1};
        for (int k = 0; k < 4; k++) {
            inlay_selection *selection = select_of(&s, &(inlay_select_options){.method = methods[k]});
            cost[k] = inlay_selection_at(selection, 0)->t_cycle;
            slow_cycle slow = slow_select_cost(&s.problem, inlay_selection_at(selection, 0)->processors);
            ck_assert_double_eq_tol(cost[k], (double)slow.cycle, 1e-9 * cost[k]);
            inlay_selection_free(selection);
        }
        ck_assert_double_le(cost[0], cost[1] * (1 + 1e-11));
        ck_assert_double_le(cost[1], cost[2]);
        ck_assert_double_le(cost[0], cost[3] * (1 + 1e-11));
        better += cost[1] < cost[2];
    }
    ck_assert_int_gt(better, 20);
}
END_TEST

Suite *suite_select(void)
{
    Suite *suite = suite_create("select");
    TCase *test = tcase_create("select");
    tcase_add_test(test, golden_instances);
    tcase_add_test(test, golden_maps);
    tcase_add_test(test, figure_13);
    tcase_add_test(test, routers_of_two_clusters_agree);
    tcase_add_test(test, a_lone_processor_talks_to_nobody);
    tcase_add_test(test, evaluations_are_right);
    tcase_add_test(test, methods_in_their_order);
    suite_add_tcase(suite, test);
    return suite;
}
