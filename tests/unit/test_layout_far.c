/*
 * Layout on machines with distance: optimal where all layouts can be tried, near the optimum just beyond, no exchange
 * left, pins and bars kept, and what happens at the edges.
 */
#include "layout/steps.h"
#include "layout/scotch.h"
#include "random_app.h"
#include "slow_far.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const machines[] = {"mesh", "ring", "hypercube", "star", "random", "torus", "tree", "cores"};

enum { MACHINES = sizeof machines / sizeof *machines };

static far_case subject; /* too large for the stack */

static far_figures lay_out(const char *what, inlay_id *processor)
{
    far_problem problem = far_case_problem(&subject);
    far_figures figures;
    int status = far_layout(&problem, processor, &figures, NULL);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_status_text(status));
    slow_far_check(&subject, processor, what);
    int64_t sum = slow_far_sum(&subject, processor);
    ck_assert_msg(figures.sum == sum, "%s: sum %lld, said to be %lld", what, (long long)sum, (long long)figures.sum);
    ck_assert_msg(figures.nearest >= sum, "%s: worse than nearest placement", what);
    return figures;
}

/* ---- Small machines ---- */

START_TEST(optimal_on_small_machines)
{
    inlay_id processor[FAR_MOST];
    int restricted = 0, better = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t state = seed;
        char what[64];
        const char *machine = machines[seed % 5];
        snprintf(what, sizeof what, "%s, seed %llu", machine, (unsigned long long)seed);
        far_case_distances(&subject, machine, seed % 2 == 0 ? 8 : 4 + (inlay_id)random_below(&state, 5), &state);
        inlay_id clusters = 2 + (inlay_id)random_below(&state, subject.processors - 1);
        far_case_traffic(&subject, clusters, 1 + (int)random_below(&state, 3), 1 + (int)random_below(&state, 20),
                         &state);
        if (random_once_in(&state, 3)) {
            far_case_restrict(&subject, &state);
            restricted++;
        }
        far_figures figures = lay_out(what, processor);
        int64_t least = slow_far_optimum(&subject);
        ck_assert(figures.optimal);
        ck_assert_msg(figures.sum == least, "%s: sum %lld, the least is %lld", what, (long long)figures.sum,
                      (long long)least);
        better += figures.nearest > least;
    }
    ck_assert_int_gt(restricted, 50);
    ck_assert_int_gt(better, 50); /* else the cases ask for nothing */
}
END_TEST

/* Nine clusters on nine processors have more layouts than are looked at. */
START_TEST(near_the_optimum_beyond)
{
    inlay_id processor[FAR_MOST];
    double ratios = 0;
    int count = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint64_t state = seed + 1000;
        char what[64];
        const char *machine = machines[seed % 6];
        snprintf(what, sizeof what, "nine on a %s, seed %llu", machine, (unsigned long long)seed);
        far_case_distances(&subject, machine, 9, &state);
        far_case_traffic(&subject, 9, 1 + (int)random_below(&state, 3), 1 + (int)random_below(&state, 20), &state);
        far_figures figures = lay_out(what, processor);
        int64_t least = slow_far_optimum(&subject);
        ck_assert(!figures.optimal && figures.sum >= least);
        if (least > 0) {
            ratios += (double)figures.sum / (double)least;
            count++;
        }
    }
    ck_assert_int_gt(count, 50);
    ck_assert_double_le(ratios / count, 1.01);
}
END_TEST

/* ---- Larger ones ---- */

START_TEST(no_exchange_is_left)
{
    static const inlay_id sizes[] = {12, 16, 24, 32, 64, 96};
    inlay_id processor[FAR_MOST];
    for (uint64_t seed = 0; seed < 24; seed++) {
        uint64_t state = seed + 2000 * (uint64_t)(_i + 1);
        char what[64];
        inlay_id processors = sizes[seed % 6];
        snprintf(what, sizeof what, "%s of %d, seed %llu", machines[_i], (int)processors, (unsigned long long)seed);
        far_case_distances(&subject, machines[_i], processors, &state);
        inlay_id clusters = seed % 2 == 0 ? processors : 10 + (inlay_id)random_below(&state, processors - 10);
        far_case_traffic(&subject, clusters, 1 + (int)random_below(&state, 12), 1 + (int)random_below(&state, 50),
                         &state);
        if (seed % 3 == 2) far_case_restrict(&subject, &state);
        far_figures figures = lay_out(what, processor);
        int64_t least = slow_far_after_exchange(&subject, processor);
        ck_assert_msg(least == figures.sum, "%s: one exchange lowers %lld to %lld", what, (long long)figures.sum,
                      (long long)least);
    }
}
END_TEST

/* Exchanges by themselves, from a poor layout: the search hides what they leave. */
START_TEST(exchanges_leave_none)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint64_t state = seed + 50000 * (uint64_t)(_i + 1);
        far_case_distances(&subject, machines[_i], 32, &state);
        inlay_id clusters = 8 + (inlay_id)random_below(&state, 25);
        far_case_traffic(&subject, clusters, 1 + (int)random_below(&state, 6), 30, &state);
        if (seed % 3 == 2) far_case_restrict(&subject, &state);
        far_problem problem = far_case_problem(&subject);
        layout_state s;
        ck_assert_int_eq(layout_state_make(&problem, &s, NULL), INLAY_OK);
        layout_place_pinned(&s);
        ck_assert_int_eq(layout_place_in_order(&s, NULL), INLAY_OK);
        int64_t before = slow_far_sum(&subject, s.at);
        ck_assert_int_eq(s.sum, before);
        layout_wake_all(&s);
        layout_descend(&s);
        int64_t sum = slow_far_sum(&subject, s.at);
        ck_assert_int_eq(s.sum, sum);
        ck_assert_msg(sum <= before && slow_far_after_exchange(&subject, s.at) == sum,
                      "%s, seed %llu: one exchange lowers %lld", machines[_i], (unsigned long long)seed,
                      (long long)sum);
        layout_state_clear(&s);
    }
}
END_TEST

/* A mesh of clusters, shuffled, on the same mesh: every pair with traffic can be side by side. */
START_TEST(a_mesh_is_found_again)
{
    inlay_id processor[FAR_MOST];
    uint64_t state = 5;
    int64_t traffic = 0;
    far_case_distances(&subject, "mesh", 64, &state);
    far_case_traffic(&subject, 64, 1, 1, &state);
    for (inlay_id a = 0; a < 64; a++)
        for (inlay_id b = 0; b < a; b++) {
            inlay_id x = a * 29 % 64, y = b * 29 % 64; /* 29 has no factor with 64: a permutation */
            bool beside = subject.distance[x][y] == 1;
            subject.traffic[a][b] = subject.traffic[b][a] = beside ? 7 : 0;
            traffic += beside ? 7 : 0;
        }
    far_figures figures = lay_out("mesh on a mesh", processor);
    ck_assert_int_eq(figures.sum, traffic);
    ck_assert_int_gt(figures.nearest, traffic);
}
END_TEST

START_TEST(same_layout_again)
{
    inlay_id once[FAR_MOST], again[FAR_MOST];
    uint64_t state = 77;
    far_case_distances(&subject, "torus", 64, &state);
    far_case_traffic(&subject, 60, 8, 9, &state);
    lay_out("once", once);
    lay_out("again", again);
    ck_assert_mem_eq(once, again, 60 * sizeof *once);
}
END_TEST

/* ---- Machines without a table ---- */

enum { WIDE = 80, HIGH = 64 };

static int on_grid(const void *context, inlay_id a, inlay_id b)
{
    (void)context;
    return abs(a % WIDE - b % WIDE) + abs(a / WIDE - b / WIDE);
}

/* A chain through all processors but the last hundred, its clusters shuffled. */
START_TEST(many_processors)
{
    enum { CHAIN = WIDE * HIGH - 100 };
    ck_assert_int_gt(WIDE * HIGH, LAYOUT_TABLE_PROCESSORS);
    static int64_t begin[CHAIN + 1], traffic[2 * CHAIN];
    static inlay_id neighbour[2 * CHAIN], processor[CHAIN];
    static bool taken[WIDE * HIGH];
    inlay_id step = 1777; /* no factor with the length of the chain */
    int64_t entries = 0;
    for (inlay_id c = 0; c < CHAIN; c++) {
        begin[c] = entries;
        neighbour[entries] = (c + step) % CHAIN;
        neighbour[entries + 1] = (c + CHAIN - step) % CHAIN;
        traffic[entries] = traffic[entries + 1] = 1;
        entries += 2;
    }
    begin[CHAIN] = entries;
    far_problem problem = {.clusters = CHAIN,
                           .processors = WIDE * HIGH,
                           .begin = begin,
                           .neighbour = neighbour,
                           .traffic = traffic,
                           .distance = on_grid,
                           .seed = 1};
    far_figures figures;
    ck_assert_int_eq(far_layout(&problem, processor, &figures, NULL), INLAY_OK);
    int64_t sum = 0;
    for (inlay_id c = 0; c < CHAIN; c++) {
        ck_assert(processor[c] >= 0 && processor[c] < WIDE * HIGH && !taken[processor[c]]);
        taken[processor[c]] = true;
        inlay_id next = processor[(c + step) % CHAIN];
        sum += abs(processor[c] % WIDE - next % WIDE) + abs(processor[c] / WIDE - next / WIDE);
    }
    ck_assert_int_eq(figures.sum, sum);
    ck_assert_int_le(sum, CHAIN * 3 / 2); /* 1 a link is the least; in order it is 39 for most */
}
END_TEST

/* ---- Edges ---- */

START_TEST(nothing_to_gain)
{
    inlay_id processor[FAR_MOST];
    uint64_t state = 1;
    far_case_distances(&subject, "mesh", 1, &state);
    far_case_traffic(&subject, 1, 1, 1, &state);
    ck_assert_int_eq(lay_out("one", processor).sum, 0);
    far_case_distances(&subject, "mesh", 64, &state);
    far_case_traffic(&subject, 1, 1, 1, &state);
    ck_assert_int_eq(lay_out("one of many", processor).sum, 0);
    far_case_traffic(&subject, 40, 1000000, 1, &state);
    ck_assert_int_eq(lay_out("no traffic", processor).sum, 0);
    for (inlay_id c = 0; c < 40; c++)
        ck_assert_int_eq(processor[c], c);
    far_case_distances(&subject, "ring", 90, &state);
    far_case_traffic(&subject, 2, 1, 1, &state);
    subject.pin[1] = 70;
    ck_assert_int_eq(lay_out("two, one of them pinned", processor).sum, subject.traffic[0][1]);
}
END_TEST

/* Cluster 0 would take processor 0, which alone the others may take: they move on, one after the other. */
START_TEST(places_are_handed_on)
{
    inlay_id processor[FAR_MOST];
    uint64_t state = 1;
    far_case_distances(&subject, "ring", 12, &state);
    far_case_traffic(&subject, 12, 2, 9, &state);
    for (inlay_id c = 0; c < 12; c++)
        for (inlay_id q = 0; q < 12; q++)
            subject.barred[c][q] = q > 11 - c;
    lay_out("chain", processor);
    for (inlay_id c = 0; c < 12; c++)
        ck_assert_int_eq(processor[c], 11 - c);
}
END_TEST

START_TEST(no_layout_at_all)
{
    inlay_id processor[FAR_MOST];
    uint64_t state = 1;
    for (inlay_id processors = 4; processors <= 64; processors *= 4) {
        far_case_distances(&subject, "mesh", processors, &state);
        far_case_traffic(&subject, 3, 1, 9, &state);
        for (inlay_id c = 0; c < 3; c++)
            for (inlay_id q = 2; q < processors; q++)
                subject.barred[c][q] = true; /* three clusters for two processors */
        far_problem problem = far_case_problem(&subject);
        far_figures figures = {.sum = -5};
        memset(processor, 0x55, sizeof processor);
        ck_assert_int_eq(far_layout(&problem, processor, &figures, NULL), INLAY_NO_ANSWER);
        ck_assert_int_eq(processor[0], 0x55555555);
        ck_assert_int_eq(figures.sum, -5);
    }
}
END_TEST

/* ---- Scotch ---- */

#ifdef INLAY_SCOTCH

START_TEST(scotch_lays_out)
{
    inlay_id once[FAR_MOST], again[FAR_MOST];
    for (uint64_t seed = 0; seed < 6; seed++) {
        uint64_t state = seed + 90000 * (uint64_t)(_i + 1);
        far_case_distances(&subject, machines[_i], 32, &state);
        far_case_traffic(&subject, 20 + (inlay_id)random_below(&state, 13), 4, 30, &state);
        if (seed % 2 == 1) far_case_restrict(&subject, &state);
        far_problem problem = far_case_problem(&subject);
        far_figures figures;
        ck_assert_int_eq(scotch_layout(&problem, once, &figures, NULL), INLAY_OK);
        slow_far_check(&subject, once, machines[_i]);
        ck_assert_int_eq(figures.sum, slow_far_sum(&subject, once));
        ck_assert_int_eq(figures.nearest, -1);
        ck_assert_int_eq(scotch_layout(&problem, again, NULL, NULL), INLAY_OK);
        ck_assert_mem_eq(once, again, (size_t)subject.clusters * sizeof *once);
    }
}
END_TEST

/* Eight chains of eight on a tree of eights: it would be a strange Scotch that did not see them. */
START_TEST(scotch_sees_distances)
{
    inlay_id processor[FAR_MOST];
    uint64_t state = 1;
    far_case_distances(&subject, "tree", 64, &state);
    far_case_traffic(&subject, 64, 1000000, 1, &state);
    for (inlay_id a = 0; a < 56; a++)
        subject.traffic[a][a + 8] = subject.traffic[a + 8][a] = (int64_t)1 << 40; /* beyond its 32 bits */
    far_problem problem = far_case_problem(&subject);
    far_figures figures;
    ck_assert_int_eq(scotch_layout(&problem, processor, &figures, NULL), INLAY_OK);
    ck_assert_int_lt(figures.sum, (int64_t)56 * 5 << 40); /* in order it is 6 a link */
}
END_TEST

START_TEST(scotch_refuses)
{
    static const int64_t begin[2] = {0, 0};
    far_problem problem = {
        .clusters = 1, .processors = SCOTCH_LAYOUT_PROCESSORS + 1, .begin = begin, .distance = on_grid, .seed = 1};
    inlay_id processor = -7;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(scotch_layout(&problem, &processor, NULL, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "at most 1024 processors"));
    ck_assert_int_eq(processor, -7);
    inlay_diag_free(diag);
}
END_TEST

static void add_scotch(TCase *tests)
{
    tcase_add_loop_test(tests, scotch_lays_out, 0, MACHINES);
    tcase_add_test(tests, scotch_sees_distances);
    tcase_add_test(tests, scotch_refuses);
}

#else

START_TEST(scotch_is_missing)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(scotch_layout(NULL, NULL, NULL, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "libscotch-dev"));
    inlay_diag_free(diag);
}
END_TEST

static void add_scotch(TCase *tests)
{
    tcase_add_test(tests, scotch_is_missing);
}

#endif

Suite *suite_layout_far(void)
{
    Suite *suite = suite_create("layout_far");
    TCase *tests = tcase_create("layout_far");
    tcase_add_test(tests, optimal_on_small_machines);
    tcase_add_test(tests, near_the_optimum_beyond);
    tcase_add_loop_test(tests, no_exchange_is_left, 0, MACHINES);
    tcase_add_loop_test(tests, exchanges_leave_none, 0, MACHINES);
    tcase_add_test(tests, a_mesh_is_found_again);
    tcase_add_test(tests, same_layout_again);
    tcase_add_test(tests, many_processors);
    tcase_add_test(tests, nothing_to_gain);
    tcase_add_test(tests, places_are_handed_on);
    tcase_add_test(tests, no_layout_at_all);
    add_scotch(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
