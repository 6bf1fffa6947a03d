/* The exact method over domains and metasystems against all configurations, worked out by the slow evaluation. */
#include "drawn.h"
#include "general_subject.h"
#include "slow_general.h"
#include "unit.h"

#include <inlay/select.h>
#include <math.h>

/* The best configurations of the library cost what the best of all cost. */
static void expect_best(const general_subject *s, int keep, int seed)
{
    double wanted[SLOW_GENERAL_KEPT];
    int kept = slow_general_best(&s->domain, &s->metasystem, &s->terms, keep, wanted);
    inlay_select_options options = {.best = keep};
    inlay_selection *selection = general_select(s, &options);
    ck_assert_msg((int)inlay_selection_count(selection) == kept, "subject %d: %d configurations; expected %d", seed,
                  (int)inlay_selection_count(selection), kept);
    ck_assert_msg(inlay_selection_optimal(selection), "subject %d: no proof", seed);
    for (int n = 0; n < kept; n++) {
        const inlay_configuration *c = inlay_selection_at(selection, (size_t)n);
        double cost = (double)slow_general_cost(&s->domain, &s->metasystem, &s->terms, c->processors).cycle;
        ck_assert_msg(fabs(c->t_cycle - wanted[n]) <= 1e-9 * wanted[n] && fabs(cost - c->t_cycle) <= 1e-9 * cost,
                      "subject %d, configuration %d: T_c %.12g, really %.12g; %.12g is possible", seed, n, c->t_cycle,
                      cost, wanted[n]);
    }
    double bound = inlay_selection_lower_bound(selection);
    ck_assert_double_le(bound, wanted[0] * (1 + 1e-9));
    ck_assert_double_ge(bound, wanted[0] * (1 - 1e-9));
    inlay_selection_free(selection);
}

START_TEST(exact_is_best)
{
    uint64_t state = 61 + (uint64_t)_i;
    for (int n = 0; n < DRAWN_SELECT_EXACT; n++) {
        general_subject s;
        general_random(&state, 4, 12, &s);
        expect_best(&s, 1, n);
    }
}
END_TEST

START_TEST(the_next_best)
{
    uint64_t state = 71;
    for (int n = 0; n < DRAWN_SELECT_NEXT; n++) {
        general_subject s;
        general_random(&state, 4, 10, &s);
        expect_best(&s, SLOW_GENERAL_KEPT, n);
    }
}
END_TEST

Suite *suite_select_general_exact(void)
{
    Suite *suite = suite_create("select_general_exact");
    TCase *test = tcase_create("select_general_exact");
    tcase_add_loop_test(test, exact_is_best, 0, 5);
    tcase_add_test(test, the_next_best);
    suite_add_tcase(suite, test);
    return suite;
}
