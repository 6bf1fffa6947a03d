/* The exact method against all configurations, worked out by the slow evaluation. */
#include "select_subject.h"
#include "slow_select.h"
#include "unit.h"

#include <inlay/select_plain.h>
#include <math.h>

/* The best configurations of the library cost what the best of all cost. */
static void expect_best(const select_subject *s, int keep, int seed)
{
    double wanted[SLOW_KEPT];
    int32_t processors[SUBJECT_CLUSTERS];
    int kept = slow_select_best(&s->problem, keep, wanted, processors);
    inlay_select_options options = {.best = keep};
    inlay_selection *selection = select_of(s, &options);
    ck_assert_int_eq((int)inlay_selection_count(selection), kept);
    ck_assert_msg(inlay_selection_optimal(selection), "problem %d: no proof", seed);
    for (int n = 0; n < kept; n++) {
        const inlay_configuration *c = inlay_selection_at(selection, (size_t)n);
        double cost = (double)slow_select_cost(&s->problem, c->processors).cycle;
        ck_assert_msg(fabs(c->t_cycle - wanted[n]) <= 1e-9 * wanted[n] && fabs(cost - c->t_cycle) <= 1e-9 * cost,
                      "problem %d, configuration %d: T_c %.12g, really %.12g; %.12g is possible", seed, n, c->t_cycle,
                      cost, wanted[n]);
    }
    double bound = inlay_selection_lower_bound(selection);
    ck_assert_double_le(bound, wanted[0] * (1 + 1e-9));
    ck_assert_double_ge(bound, wanted[0] * (1 - 1e-9));
    inlay_selection_free(selection);
}

static void expect_all_different(const inlay_selection *selection, size_t clusters)
{
    for (size_t a = 0; a < inlay_selection_count(selection); a++) {
        for (size_t b = 0; b < a; b++) {
            size_t same = 0;
            while (same < clusters && inlay_selection_at(selection, a)->processors[same] ==
                                          inlay_selection_at(selection, b)->processors[same]) {
                same++;
            }
            ck_assert_uint_lt(same, clusters);
        }
    }
}

START_TEST(sweeps_and_rings)
{
    uint64_t state = 21;
    for (int n = 0; n < 20000; n++) {
        select_subject s;
        subject_random(&state, 4, 5, SUBJECT_PLAIN, &s);
        expect_best(&s, 1, n);
    }
}
END_TEST

START_TEST(sweeps_and_rings_of_larger_clusters)
{
    uint64_t state = 22;
    for (int n = 0; n < 1000; n++) {
        select_subject s;
        subject_random(&state, 3, 12, SUBJECT_PLAIN, &s);
        expect_best(&s, 1, n);
    }
}
END_TEST

START_TEST(everything_else)
{
    uint64_t state = 23;
    for (int n = 0; n < 6000; n++) {
        select_subject s;
        subject_random(&state, 4, 5, SUBJECT_ANYTHING, &s);
        expect_best(&s, 1, n);
    }
}
END_TEST

START_TEST(the_next_best)
{
    uint64_t state = 24;
    for (int n = 0; n < 1000; n++) {
        select_subject s;
        subject_random(&state, 3, 4, n % 2 == 0 ? SUBJECT_PLAIN : SUBJECT_ANYTHING, &s);
        expect_best(&s, SLOW_KEPT, n);
        inlay_selection *selection = select_of(&s, &(inlay_select_options){.best = SLOW_KEPT});
        expect_all_different(selection, s.problem.clusters);
        inlay_selection_free(selection);
    }
}
END_TEST

/* Too many configurations to go through: the sweeps against branch and bound, which asking for two takes. */
START_TEST(sweeps_agree_with_boxes)
{
    uint64_t state = 26;
    int compared = 0;
    for (int n = 0; n < 400; n++) {
        select_subject s;
        subject_random(&state, SUBJECT_CLUSTERS, 60, SUBJECT_PLAIN, &s);
        s.problem.overlap = n % 2 == 0;
        inlay_selection *sweep = select_of(&s, NULL);
        inlay_selection *boxes = select_of(&s, &(inlay_select_options){.best = 2});
        double cost = inlay_selection_at(sweep, 0)->t_cycle;
        double other = inlay_selection_at(boxes, 0)->t_cycle;
        ck_assert(inlay_selection_optimal(sweep));
        ck_assert_msg(cost <= other * (1 + 1e-11), "problem %d: %.12g, by boxes %.12g", n, cost, other);
        if (inlay_selection_optimal(boxes)) {
            ck_assert_double_eq_tol(cost, other, 1e-9 * cost);
            compared++;
        }
        inlay_selection_free(sweep);
        inlay_selection_free(boxes);
    }
    ck_assert_int_gt(compared, 350);
}
END_TEST

/* Exhaustive search of the library, also with T_i that fall. */
START_TEST(exhaustive_is_right)
{
    uint64_t state = 25;
    for (int n = 0; n < 500; n++) {
        select_subject s;
        double wanted[SLOW_KEPT];
        int32_t processors[SUBJECT_CLUSTERS];
        subject_random(&state, 3, 4, SUBJECT_ANYTHING, &s);
        s.cluster[0].c1 += 2000;
        s.cluster[0].c2 = -s.cluster[0].c2;
        int kept = slow_select_best(&s.problem, SLOW_KEPT, wanted, processors);
        inlay_selection *selection =
            select_of(&s, &(inlay_select_options){.method = INLAY_SELECT_EXHAUSTIVE, .best = SLOW_KEPT});
        ck_assert_int_eq((int)inlay_selection_count(selection), kept);
        for (int k = 0; k < kept; k++) {
            double cost = inlay_selection_at(selection, (size_t)k)->t_cycle;
            ck_assert_double_eq_tol(cost, wanted[k], 1e-9 * fabs(wanted[k]));
        }
        inlay_selection_free(selection);
    }
}
END_TEST

/* Of all configurations that cost as little as the best one, which often are several, the first has the fewest. */
static int expect_fewest(const select_subject *s, inlay_select_method method, int n)
{
    enum { ALL = 130 }; /* at most 5^3 - 1 */
    inlay_selection *selection = select_of(s, &(inlay_select_options){.method = method, .best = ALL});
    const inlay_configuration *first = inlay_selection_at(selection, 0), *other;
    int equals = 0;
    for (size_t k = 1; (other = inlay_selection_at(selection, k)) != NULL; k++) {
        equals += other->t_cycle == first->t_cycle;
        ck_assert_msg(other->t_cycle != first->t_cycle || other->total >= first->total,
                      "problem %d, %s: %d processors do as well as %d", n, inlay_select_method_name(method),
                      (int)other->total, (int)first->total);
    }
    inlay_selection_free(selection);
    return equals;
}

START_TEST(fewest_processors_of_equals)
{
    uint64_t state = 27;
    int equals = 0;
    for (int n = 0; n < 700; n++) {
        select_subject s;
        subject_random(&state, 3, 4, SUBJECT_ANYTHING, &s);
        equals += expect_fewest(&s, INLAY_SELECT_EXACT, n) > 0;
        equals += expect_fewest(&s, INLAY_SELECT_EXHAUSTIVE, n) > 0;
    }
    ck_assert_int_gt(equals, 100);
}
END_TEST

Suite *suite_select_exact(void)
{
    Suite *suite = suite_create("select_exact");
    TCase *test = tcase_create("select_exact");
    tcase_add_test(test, sweeps_and_rings);
    tcase_add_test(test, sweeps_and_rings_of_larger_clusters);
    tcase_add_test(test, everything_else);
    tcase_add_test(test, the_next_best);
    tcase_add_test(test, sweeps_agree_with_boxes);
    tcase_add_test(test, exhaustive_is_right);
    tcase_add_test(test, fewest_processors_of_equals);
    suite_add_tcase(suite, test);
    return suite;
}
