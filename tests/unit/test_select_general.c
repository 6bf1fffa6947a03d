/* Processor selection over domains and metasystems: evaluations against the slow ones, and what must not matter. */
#include "general_subject.h"
#include "select_golden.h"
#include "slow_general.h"
#include "unit.h"

#include <inlay/select.h>
#include <math.h>

/* ---- Against the slow evaluation ---- */

static void near(double got, long double wanted, const char *what, int seed)
{
    ck_assert_msg(fabs(got - (double)wanted) <= 1e-9 * fmax(1e-3, fabs((double)wanted)),
                  "subject %d: %s is %.15g; expected %.15g", seed, what, got, (double)wanted);
}

static void expect_shares(const general_subject *s, const inlay_configuration *c, const slow_general *slow, int seed)
{
    double sum = 0;
    for (size_t i = 0; i < s->metasystem.clusters; i++) {
        const inlay_select_share *share = &c->share[i];
        double largest = share->share + (share->extra > 0);
        ck_assert_msg(fabs(largest - (double)slow->share[i]) <= 1e-7 * fmax(1, largest),
                      "subject %d: share of cluster %zu is %.12g; expected %.12g", seed, i, largest,
                      (double)slow->share[i]);
        sum += share->share * c->processors[i] + share->extra;
    }
    if (s->terms.map == INLAY_SELECT_INTEGER || s->terms.map == INLAY_SELECT_REMAINDER)
        ck_assert_double_eq(sum, (double)c->units);
    if (s->terms.map == INLAY_SELECT_CEIL) ck_assert_double_ge(sum, (double)c->units);
    if (s->terms.map == INLAY_SELECT_REAL) near(sum, (long double)c->units, "the sum of the shares", seed);
}

START_TEST(evaluations_are_right)
{
    uint64_t state = 51;
    for (int n = 0; n < 6000; n++) {
        general_subject s;
        int32_t processors[GENERAL_CLUSTERS];
        general_random(&state, 6, 30, &s);
        general_configuration(&state, &s, processors);
        inlay_diag *diag = inlay_diag_new();
        inlay_selection *selection = NULL;
        int status = inlay_select_evaluate(&s.domain, &s.metasystem, &s.terms, processors, &selection, diag);
        ck_assert_msg(status == INLAY_OK, "subject %d: %s", n, inlay_diag_message(diag));
        const inlay_configuration *c = inlay_selection_at(selection, 0);
        slow_general slow = slow_general_cost(&s.domain, &s.metasystem, &s.terms, processors);
        expect_shares(&s, c, &slow, n);
        near(c->t_comp, slow.computation, "T_comp", n);
        near(c->t_comm, slow.communication, "T_comm", n);
        near(c->t_cycle, slow.cycle, "T_c", n);
        near(c->t_elapsed, slow.elapsed, "T_elapsed", n);
        inlay_selection_free(selection);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- Plain questions ---- */

/* Both answers are the same. */
static void expect_same(const inlay_selection *got, const inlay_selection *wanted, size_t clusters, int seed)
{
    const inlay_configuration *a = inlay_selection_at(got, 0);
    const inlay_configuration *b = inlay_selection_at(wanted, 0);
    near(a->t_cycle, (long double)b->t_cycle, "T_c", seed);
    near(a->t_comp, (long double)b->t_comp, "T_comp", seed);
    near(a->t_comm, (long double)b->t_comm, "T_comm", seed);
    for (size_t i = 0; i < clusters; i++) {
        ck_assert_msg(a->processors[i] == b->processors[i], "subject %d: P_%zu is %d; expected %d", seed, i,
                      (int)a->processors[i], (int)b->processors[i]);
        near(a->share[i].share, (long double)b->share[i].share, "a share", seed);
        ck_assert_int_eq(a->share[i].extra, b->share[i].extra);
    }
}

/* What the plain call says, a question of the same numbers says too, on the fast way and on the general one. */
START_TEST(plain_questions)
{
    uint64_t state = 52;
    for (int n = 0; n < 1500; n++) {
        select_subject plain;
        general_subject s;
        subject_random(&state, 5, 8, SUBJECT_ANYTHING, &plain);
        for (size_t i = 0; i < plain.problem.clusters; i++)
            plain.cluster[i].fixed_time = 0;
        general_of_plain(&plain, &s);
        bool coarse = plain.problem.unit_work < 10; /* rounding may break ties */
        for (int odd = 0; odd < 2; odd++) {
            if (odd) general_make_odd(&s);
            for (int method = INLAY_SELECT_EXACT; method <= (odd && coarse ? 0 : INLAY_SELECT_EXHAUSTIVE); method++) {
                inlay_select_options options = {.method = (inlay_select_method)method};
                inlay_selection *wanted = select_of(&plain, &options);
                inlay_selection *got = general_select(&s, &options);
                if (odd && (coarse || method == INLAY_SELECT_EXACT))
                    near(inlay_selection_at(got, 0)->t_cycle, (long double)inlay_selection_at(wanted, 0)->t_cycle,
                         "the shortest T_c", n);
                else
                    expect_same(got, wanted, plain.problem.clusters, n);
                ck_assert_int_eq(inlay_selection_optimal(got), inlay_selection_optimal(wanted));
                inlay_selection_free(wanted);
                inlay_selection_free(got);
            }
        }
    }
}
END_TEST

static void expect_golden(const general_subject *s, inlay_select_method method, const json_t *expected,
                          const char *instance)
{
    inlay_selection *selection = general_select(s, &(inlay_select_options){.method = method});
    const inlay_configuration *c = inlay_selection_at(selection, 0);
    double wanted = select_golden_number(expected, "Tc");
    ck_assert_double_eq_tol(c->t_cycle, wanted, 1e-9 * wanted);
    for (size_t i = 0; i < s->metasystem.clusters; i++)
        ck_assert_msg(c->processors[i] == json_integer_value(json_array_get(json_object_get(expected, "P"), i)),
                      "%s, %s: P_%zu is %d", instance, inlay_select_method_name(method), i, (int)c->processors[i]);
    inlay_selection_free(selection);
}

static void expect_golden_instance(json_t *instance)
{
    const char *map;
    json_t *expected;
    select_subject plain;
    select_golden_instance(instance, &plain);
    json_object_foreach(json_object_get(instance, "results"), map, expected)
    {
        for (int odd = 0; odd < 2; odd++) {
            general_subject s;
            const char *name = select_golden_text(instance, "name");
            plain.problem.map = select_golden_map(map);
            general_of_plain(&plain, &s);
            if (odd) general_make_odd(&s);
            expect_golden(&s, INLAY_SELECT_H1, json_object_get(expected, "H1"), name);
            expect_golden(&s, INLAY_SELECT_H2, json_object_get(expected, "H2"), name);
            expect_golden(&s, INLAY_SELECT_EXACT, json_object_get(expected, "opt"), name);
            expect_golden(&s, INLAY_SELECT_EXHAUSTIVE, json_object_get(expected, "opt"), name);
        }
    }
}

START_TEST(golden_instances)
{
    json_t *file = unit_golden("selection");
    const json_t *instances = json_object_get(file, "instances");
    ck_assert_uint_eq(json_array_size(instances), 10);
    for (size_t n = 0; n < 10; n++)
        expect_golden_instance(json_array_get(instances, n));
    json_decref(file);
}
END_TEST

/* ---- What does not matter ---- */

/* Cluster i as two of one network, which say the same as before: the second half comes right behind the first. */
static void split_cluster(general_subject *s, int i)
{
    int clusters = (int)s->metasystem.clusters;
    for (int n = clusters; n > i + 1; n--)
        s->cluster[n] = s->cluster[n - 1];
    s->cluster[i + 1] = s->cluster[i];
    s->cluster[i].available = s->cluster[i].total = s->cluster[i].available / 2;
    s->cluster[i + 1].available -= s->cluster[i].available;
    s->cluster[i + 1].name = "half";
    s->metasystem.clusters++;
    static const char *const networks[] = {"n0", "n1", "n2", "n3"};
    ck_assert_int_le(clusters, GENERAL_NETWORKS);
    for (int n = 0; n <= clusters; n++)
        s->cluster[n].network = n > i ? n - 1 : n;
    for (int n = 0; n < clusters; n++)
        s->network[n] = (inlay_metasystem_network){.name = networks[n], .parent = -1};
    s->metasystem.networks = (size_t)clusters;
    s->metasystem.network = s->network;
}

START_TEST(halves_of_a_cluster)
{
    uint64_t state = 53;
    for (int n = 0; n < 1000; n++) {
        select_subject plain;
        general_subject whole;
        general_subject halves;
        subject_random(&state, 4, 8, SUBJECT_ANYTHING, &plain);
        plain.problem.router = INLAY_SELECT_SUM; /* by number, a half has one neighbour less */
        for (size_t i = 0; i < plain.problem.clusters; i++)
            plain.cluster[i].fixed_time = 0;
        general_of_plain(&plain, &whole);
        general_of_plain(&plain, &halves);
        split_cluster(&halves, n % (int)plain.problem.clusters);
        inlay_selection *wanted = general_select(&whole, NULL);
        inlay_selection *got = general_select(&halves, NULL);
        near(inlay_selection_at(got, 0)->t_cycle, (long double)inlay_selection_at(wanted, 0)->t_cycle, "T_c", n);
        ck_assert(inlay_selection_optimal(got));
        inlay_selection_free(wanted);
        inlay_selection_free(got);
    }
}
END_TEST

/* The figures of the paper's clusters in ms, the program in us: times come in ms. */
START_TEST(units_are_converted)
{
    select_subject plain;
    general_subject s;
    subject_figure_13(&plain);
    general_of_plain(&plain, &s);
    for (int i = 0; i < 4; i++) {
        inlay_communication *c = &s.cluster[i].communication[INLAY_PATTERN_LINE];
        s.arch_cost[0][i] = 1 / s.cluster[i].rate; /* us */
        s.cluster[i].rate = 0;
        c->c2 /= 1000;
        c->c3 /= 1000;
        c->c4 /= 1000;
    }
    s.metasystem.router_latency /= 1000;
    s.metasystem.time_unit = INLAY_UNIT_MS;
    s.domain.time_unit = INLAY_UNIT_US;
    s.terms.map = INLAY_SELECT_REAL;
    s.cycles = 10;
    s.startup = 500;
    inlay_selection *selection = general_select(&s, NULL);
    const inlay_configuration *c = inlay_selection_at(selection, 0);
    ck_assert_double_eq_tol(c->t_cycle, 3.2284, 1e-12);
    ck_assert_double_eq_tol(c->t_elapsed, 0.5 + 32.284, 1e-11);
    ck_assert_int_eq(c->units, 100);
    inlay_selection_free(selection);
}
END_TEST

/* A plain problem has nothing before or around a cycle. */
START_TEST(plain_cycles)
{
    select_subject plain;
    subject_figure_13(&plain);
    inlay_selection *selection = select_of(&plain, NULL);
    const inlay_configuration *c = inlay_selection_at(selection, 0);
    ck_assert_double_eq(c->t_elapsed, c->t_cycle);
    ck_assert_int_eq(c->units, 100);
    inlay_selection_free(selection);
}
END_TEST

/* Clusters without a function for the pattern, or without processors, stay out. */
START_TEST(clusters_that_cannot_be_used)
{
    select_subject plain;
    general_subject s;
    subject_figure_13(&plain);
    general_of_plain(&plain, &s);
    s.terms.map = INLAY_SELECT_REAL;
    s.cluster[3].communication[INLAY_PATTERN_LINE].given = false;
    s.cluster[3].rate = 0;
    inlay_selection *without = general_select(&s, NULL);
    s.cluster[3].communication[INLAY_PATTERN_LINE].given = true;
    s.cluster[3].available = 0;
    inlay_selection *empty = general_select(&s, NULL);
    ck_assert_int_eq(inlay_selection_at(without, 0)->processors[3], 0);
    ck_assert_double_eq(inlay_selection_at(without, 0)->t_cycle, inlay_selection_at(empty, 0)->t_cycle);
    ck_assert_double_gt(inlay_selection_at(without, 0)->t_cycle, 3228.5);
    inlay_selection_free(without);
    inlay_selection_free(empty);
}
END_TEST

/* ---- Dominant phases ---- */

static int tell_dominant(void *context, int32_t processors, int32_t *computation, int32_t *communication,
                         inlay_diag *diag)
{
    (void)context;
    (void)diag;
    *computation = 0;
    *communication = processors == 8 ? *communication : 7; /* all processors, and -1 where nothing is said */
    return INLAY_OK;
}

START_TEST(dominant_phases)
{
    general_subject s = {.units = {10, 100, 100},
                         .work = {{5, 0}, {1, 0}, {0, 100}},
                         .bytes = {{0, 30}, {2, 6}, {0, 31}},
                         .overlap = {0, 1, -1}};
    inlay_select_phases phases;
    s.cluster[0] = (inlay_metasystem_cluster){.name = "a", .total = 9, .available = 8, .rate = 1};
    s.metasystem = (inlay_metasystem){.clusters = 1, .cluster = s.cluster};
    general_callbacks(&s, 3, 3);
    ck_assert_int_eq(inlay_select_dominant(&s.domain, &s.metasystem, &phases, NULL), INLAY_OK);
    ck_assert_int_eq(phases.computation, 1);   /* as many instructions as phase 2 */
    ck_assert_int_eq(phases.communication, 1); /* 6 + 2 * 100 / 8 = 31 */
    ck_assert(phases.overlap);
    s.domain.dominant = tell_dominant;
    ck_assert_int_eq(inlay_select_dominant(&s.domain, &s.metasystem, &phases, NULL), INLAY_OK);
    ck_assert_int_eq(phases.computation, 0);
    ck_assert_int_eq(phases.communication, 2); /* 6 + 2 * 10 / 8 < 31 */
    ck_assert(!phases.overlap);
    general_callbacks(&s, 3, 0);
    ck_assert_int_eq(inlay_select_dominant(&s.domain, &s.metasystem, &phases, NULL), INLAY_OK);
    ck_assert_int_eq(phases.communication, -1);
    ck_assert(!phases.overlap);
}
END_TEST

Suite *suite_select_general(void)
{
    Suite *suite = suite_create("select_general");
    TCase *test = tcase_create("select_general");
    tcase_add_test(test, evaluations_are_right);
    tcase_add_test(test, plain_questions);
    tcase_add_test(test, golden_instances);
    tcase_add_test(test, halves_of_a_cluster);
    tcase_add_test(test, units_are_converted);
    tcase_add_test(test, plain_cycles);
    tcase_add_test(test, clusters_that_cannot_be_used);
    tcase_add_test(test, dominant_phases);
    suite_add_tcase(suite, test);
    return suite;
}
