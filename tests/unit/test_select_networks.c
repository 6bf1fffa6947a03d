/* The exact method where clusters share networks: small questions against all configurations, large ones are proven. */
#include "drawn.h"
#include "general_subject.h"
#include "random_app.h"
#include "slow_general.h"
#include "unit.h"

#include <inlay/select.h>
#include <math.h>
#include <string.h>

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_next(state) >> 11) * 0x1p-53;
}

static void draw_cluster(uint64_t *state, int i, int most, bool coarse, inlay_pattern pattern, general_subject *s)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    double u = between(state, 0.01, 1);
    inlay_metasystem_cluster *c = &s->cluster[i];
    *c = (inlay_metasystem_cluster){.name = names[i], .rate = 1 + (double)random_below(state, coarse ? 4 : 100)};
    c->available = c->total = (int32_t)random_below(state, most + 1);
    c->network = s->metasystem.networks > 0 ? (int32_t)random_below(state, (int64_t)s->metasystem.networks) : 0;
    inlay_communication *t = &c->communication[pattern];
    *t = (inlay_communication){
        .given = true, .c1 = 500 * u, .c2 = 1000 * u, .growth = (inlay_growth)random_below(state, 3)};
    if (coarse) {
        t->c1 = (double)random_below(state, 3);
        t->c2 = (double)random_below(state, 4);
    }
}

/* One phase of each kind, whole units or fractions, one price between networks: what thresholds take. */
static void draw(uint64_t *state, general_subject *s)
{
    static const char *const names[] = {"x", "y", "z"};
    bool coarse = random_once_in(state, 2);
    int clusters = 1 + (int)random_below(state, 5);
    *s = (general_subject){.cycles = 1, .messages = {1}};
    s->metasystem = (inlay_metasystem){.clusters = (size_t)clusters, .cluster = s->cluster, .network = s->network};
    s->metasystem.networks = (size_t)random_below(state, 4);
    for (size_t n = 0; n < s->metasystem.networks; n++)
        s->network[n] = (inlay_metasystem_network){.name = names[n], .parent = -1};
    s->metasystem.router_latency = coarse ? (double)random_below(state, 3) : between(state, 0, 1000);
    s->pattern[0] = (inlay_pattern)random_below(state, 3);
    s->overlap[0] = random_once_in(state, 3) ? 0 : -1;
    s->units[0] = 1 + random_below(state, coarse ? 30 : 2000);
    s->work[0].per_unit = 1 + (double)random_below(state, coarse ? 6 : 10000);
    s->work[0].fixed = random_once_in(state, 3) ? (double)random_below(state, coarse ? 9 : 200000) : 0;
    s->terms.map = random_once_in(state, 2) ? INLAY_SELECT_REAL : INLAY_SELECT_INTEGER;
    general_callbacks(s, 1, 1);
    for (int i = 0; i < clusters; i++)
        draw_cluster(state, i, clusters > 3 ? 2 : 5, coarse, s->pattern[0], s);
    s->cluster[0].available = s->cluster[0].total = 1 + s->cluster[0].available;
}

START_TEST(small_ones_are_best)
{
    uint64_t state = 91;
    for (int n = 0; n < DRAWN_SELECT_NETWORKS; n++) {
        general_subject s;
        double wanted = 0;
        draw(&state, &s);
        slow_general_best(&s.domain, &s.metasystem, &s.terms, 1, &wanted);
        inlay_selection *selection = general_select(&s, NULL);
        const inlay_configuration *c = inlay_selection_at(selection, 0);
        double cost = (double)slow_general_cost(&s.domain, &s.metasystem, &s.terms, c->processors).cycle;
        ck_assert_msg(inlay_selection_optimal(selection), "subject %d: no proof", n);
        ck_assert_msg(fabs(c->t_cycle - wanted) <= 1e-9 * wanted && fabs(cost - c->t_cycle) <= 1e-9 * cost,
                      "subject %d: T_c %.12g, really %.12g; %.12g is possible", n, c->t_cycle, cost, wanted);
        ck_assert_double_eq_tol(inlay_selection_lower_bound(selection), wanted, 1e-9 * wanted);
        inlay_selection_free(selection);
    }
}
END_TEST

/* ---- Whole shares ---- */

/* The least T_comp of all whole shares of two clusters: every number of units for the first one, the rest to the second. */
static double least_of_two(const inlay_select_problem *problem, const int32_t *p)
{
    double least = INFINITY;
    for (int64_t n = 0; n <= problem->units; n++) {
        double a = ceil((double)n / p[0]) * problem->unit_work / problem->cluster[0].rate;
        double b = ceil((double)(problem->units - n) / p[1]) * problem->unit_work / problem->cluster[1].rate;
        least = fmin(least, fmax(a, b));
    }
    return least;
}

START_TEST(whole_shares_finish_first)
{
    uint64_t state = 92;
    int better = 0;
    for (int n = 0; n < 1000; n++) {
        select_subject s;
        subject_random(&state, 2, 6, SUBJECT_PLAIN, &s);
        int32_t p[2] = {1 + (int32_t)random_below(&state, 5), 1 + (int32_t)random_below(&state, 5)};
        if (s.problem.clusters < 2 || s.problem.units > 500) continue;
        double time[2];
        for (int rule = 0; rule < 2; rule++) {
            inlay_selection *selection = NULL;
            s.problem.map = rule == 0 ? INLAY_SELECT_INTEGER : INLAY_SELECT_REMAINDER;
            s.cluster[0].processors = p[0];
            s.cluster[1].processors = p[1];
            ck_assert_int_eq(inlay_select_plain_evaluate(&s.problem, p, &selection, NULL), INLAY_OK);
            time[rule] = inlay_selection_at(selection, 0)->t_comp;
            inlay_selection_free(selection);
        }
        double least = least_of_two(&s.problem, p);
        ck_assert_double_eq_tol(time[0], least, 1e-9 * least);
        ck_assert_double_ge(time[1], least * (1 - 1e-9));
        better += time[0] < time[1] * (1 - 1e-9);
    }
    ck_assert_int_gt(better, 20);
}
END_TEST

/* ---- Large ones ---- */

enum { LARGE = 12, LARGE_NETWORKS = 4 };

typedef struct large {
    inlay_metasystem metasystem;
    inlay_metasystem_cluster cluster[LARGE];
    inlay_metasystem_network network[LARGE_NETWORKS];
    general_subject program;
} large;

/* 12 clusters of 200 in 4 networks: of 201^12 configurations, none is left out. */
static void draw_large(uint64_t *state, inlay_pattern pattern, large *l)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    *l = (large){.metasystem = {.clusters = LARGE, .networks = LARGE_NETWORKS}};
    l->metasystem.cluster = l->cluster;
    l->metasystem.network = l->network;
    l->metasystem.router_latency = between(state, 0, 4000);
    for (int n = 0; n < LARGE_NETWORKS; n++)
        l->network[n] = (inlay_metasystem_network){.name = names[n], .parent = -1};
    for (int i = 0; i < LARGE; i++) {
        l->cluster[i] = (inlay_metasystem_cluster){.name = names[i], .total = 200, .available = 200, .network = i / 3};
        l->cluster[i].rate = 1 + (double)random_below(state, 100);
        l->cluster[i].communication[pattern] = (inlay_communication){.given = true, .c2 = between(state, 1, 150)};
    }
    l->program.units[0] = 1000000;
    l->program.work[0].per_unit = between(state, 1, 10000);
    l->program.pattern[0] = pattern;
    l->program.overlap[0] = -1;
    l->program.messages[0] = l->program.cycles = 1;
    general_callbacks(&l->program, 1, 1);
    l->program.domain.arch_cost = NULL;
}

START_TEST(large_ones_are_proven)
{
    uint64_t state = 93;
    for (int n = 0; n < 6; n++) {
        large l;
        draw_large(&state, (inlay_pattern)(n % 3), &l);
        const inlay_select_terms terms = {.map = n % 2 == 0 ? INLAY_SELECT_INTEGER : INLAY_SELECT_REAL};
        const inlay_select_options h2 = {.method = INLAY_SELECT_H2};
        inlay_selection *best = NULL, *other = NULL;
        ck_assert_int_eq(inlay_select(&l.program.domain, &l.metasystem, &terms, NULL, &best, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_select(&l.program.domain, &l.metasystem, &terms, &h2, &other, NULL), INLAY_OK);
        double cost = inlay_selection_at(best, 0)->t_cycle;
        ck_assert_msg(inlay_selection_optimal(best), "subject %d: no proof", n);
        ck_assert_double_eq_tol(inlay_selection_lower_bound(best), cost, 1e-9 * cost);
        ck_assert_double_le(cost, inlay_selection_at(other, 0)->t_cycle);
        inlay_selection_free(best);
        inlay_selection_free(other);
    }
}
END_TEST

Suite *suite_select_networks(void)
{
    Suite *suite = suite_create("select_networks");
    TCase *test = tcase_create("select_networks");
    tcase_add_test(test, small_ones_are_best);
    tcase_add_test(test, whole_shares_finish_first);
    tcase_add_test(test, large_ones_are_proven);
    suite_add_tcase(suite, test);
    return suite;
}
