/* Processor selection over domains and metasystems: evaluations against the slow ones, and what must not matter. */
#include "general_subject.h"
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
    if (s->terms.map == INLAY_SELECT_INTEGER) ck_assert_double_eq(sum, (double)c->units);
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

Suite *suite_select_general(void)
{
    Suite *suite = suite_create("select_general");
    TCase *test = tcase_create("select_general");
    tcase_set_timeout(test, 120);
    tcase_add_test(test, evaluations_are_right);
    suite_add_tcase(suite, test);
    return suite;
}
