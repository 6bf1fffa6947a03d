/* The best cycle of each number of processors: of all configurations, and by exchanges. */
#include "general_subject.h"
#include "slow_general.h"
#include "unit.h"

#include <inlay/select.h>
#include <math.h>

enum { MOST = 64 };

static inlay_selection *curve_of(const general_subject *s, int64_t limit, int32_t points)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_selection *curve = NULL;
    int status = inlay_select_curve(&s->domain, &s->metasystem, &s->terms, &(inlay_select_options){.limit = limit},
                                    points, &curve, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return curve;
}

/* The best of each total, from all configurations; gives how many processors there are. */
static int slow_curve(const general_subject *s, double best[MOST])
{
    int32_t now[GENERAL_CLUSTERS] = {0};
    int most = 0;
    for (size_t i = 0; i < s->metasystem.clusters;) {
        bool usable = slow_general_usable(&s->domain, &s->metasystem, &s->terms, (int)i);
        if (now[i] < (usable ? s->cluster[i].available : 0)) {
            int total = 0;
            now[i]++;
            for (size_t n = 0; n < s->metasystem.clusters; n++)
                total += now[n];
            i = 0;
            ck_assert_int_lt(total, MOST);
            for (; most < total; most++)
                best[most + 1] = INFINITY;
            double cost = (double)slow_general_cost(&s->domain, &s->metasystem, &s->terms, now).cycle;
            best[total] = fmin(best[total], cost);
        } else {
            now[i++] = 0;
        }
    }
    return most;
}

START_TEST(curves_are_right)
{
    uint64_t state = 81;
    for (int n = 0; n < 300; n++) {
        general_subject s;
        double best[MOST];
        general_random(&state, 4, 12, &s);
        int most = slow_curve(&s, best);
        inlay_selection *curve = curve_of(&s, 0, 100);
        double least = INFINITY;
        ck_assert(inlay_selection_optimal(curve));
        ck_assert_int_eq((int)inlay_selection_count(curve), most);
        for (int p = 1; p <= most; p++) {
            const inlay_configuration *c = inlay_selection_at(curve, (size_t)p - 1);
            ck_assert_int_eq(c->total, p);
            ck_assert_double_eq_tol(c->t_cycle, best[p], 1e-9 * best[p]);
            least = fmin(least, best[p]);
        }
        ck_assert_double_eq_tol(inlay_selection_lower_bound(curve), least, 1e-9 * least);
        inlay_selection_free(curve);
    }
}
END_TEST

/* Every total is there and none is better than the best; most are as good, and hardly any is much worse. */
START_TEST(exchanges)
{
    uint64_t state = 82;
    int all = 0;
    int best = 0;
    int near = 0;
    for (int n = 0; n < 300; n++) {
        general_subject s;
        general_random(&state, 5, 25, &s);
        inlay_selection *exact = curve_of(&s, 0, 100);
        inlay_selection *found = curve_of(&s, 1, 100);
        ck_assert_uint_eq(inlay_selection_count(found), inlay_selection_count(exact));
        for (size_t p = 0; p < inlay_selection_count(exact); p++) {
            double wanted = inlay_selection_at(exact, p)->t_cycle;
            double got = inlay_selection_at(found, p)->t_cycle;
            ck_assert_int_eq(inlay_selection_at(found, p)->total, (int)p + 1);
            ck_assert_double_ge(got, wanted * (1 - 1e-9));
            all++;
            best += got <= wanted * (1 + 1e-9);
            near += got <= wanted * 1.1;
        }
        inlay_selection_free(exact);
        inlay_selection_free(found);
    }
    ck_assert_int_gt(all, 2000);
    ck_assert_msg(best >= 0.9 * all && near >= 0.98 * all, "%d of %d are best, %d near", best, all, near);
}
END_TEST

/* 1000 and 3000 processors: 1 and all are among the points, in even steps. */
START_TEST(few_points)
{
    select_subject plain;
    general_subject s;
    subject_figure_13(&plain);
    plain.cluster[0].processors = 1000;
    plain.cluster[3].processors = 3000;
    general_of_plain(&plain, &s);
    inlay_selection *curve = curve_of(&s, 0, 11);
    ck_assert_uint_eq(inlay_selection_count(curve), 11);
    ck_assert(!inlay_selection_optimal(curve));
    ck_assert_double_eq(inlay_selection_lower_bound(curve), 0);
    for (size_t p = 0; p < 11; p++)
        ck_assert_int_eq(inlay_selection_at(curve, p)->total, 1 + (int)(4005 * p / 10));
    inlay_selection_free(curve);
    s.cluster[0].available = s.cluster[3].available = 2;
    curve = curve_of(&s, 0, 3);
    ck_assert_uint_eq(inlay_selection_count(curve), 3);
    ck_assert(inlay_selection_optimal(curve));
    ck_assert_double_eq(inlay_selection_lower_bound(curve), 0); /* other numbers were not looked at */
    ck_assert_int_eq(inlay_selection_at(curve, 0)->total, 1);
    ck_assert_int_eq(inlay_selection_at(curve, 1)->total, 5);
    ck_assert_int_eq(inlay_selection_at(curve, 2)->total, 10);
    inlay_selection_free(curve);
}
END_TEST

Suite *suite_select_general_curve(void)
{
    Suite *suite = suite_create("select_general_curve");
    TCase *test = tcase_create("select_general_curve");
    tcase_add_test(test, curves_are_right);
    tcase_add_test(test, exchanges);
    tcase_add_test(test, few_points);
    suite_add_tcase(suite, test);
    return suite;
}
