/* What docs/studies/elimination.md says of Gaussian elimination, by the library's own costs and methods. */
#include "unit.h"

#include <inlay/metasystem.h>
#include <inlay/select_plain.h>
#include <stdbool.h>
#include <stdint.h>

enum { SIZES = 4, PROCESSORS = 32 };

static const int64_t size[SIZES] = {128, 256, 512, 1024};
static const int32_t published[SIZES] = {2, 4, 16, 28};

/* A cycle of the elimination of N x N on the Gamma's 32 i860, in microseconds; the cluster has c2, c4 and f. */
static inlay_select_problem elimination(inlay_select_cluster *gamma, int64_t n, inlay_select_map map)
{
    double rows = (double)n;
    gamma->processors = PROCESSORS;
    gamma->rate = 1 / 0.18; /* arch_cost 0.18 us */
    return (inlay_select_problem){.clusters = 1,
                                  .cluster = gamma,
                                  .units = n,
                                  .unit_work = 2 * rows * rows / (3 * rows - 3),
                                  .bytes = 4 * (rows / 2),
                                  .topology = INLAY_PATTERN_TREE,
                                  .map = map};
}

/* The machine of architectures/, whose tree has the study's coefficients. */
static inlay_select_cluster shipped(void)
{
    inlay_metasystem *metasystem = NULL;
    ck_assert_int_eq(inlay_metasystem_read("architectures/gamma-metasystem.dot", &metasystem, NULL), INLAY_OK);
    ck_assert_uint_eq(metasystem->clusters, 1);
    ck_assert_int_eq(metasystem->cluster[0].total, PROCESSORS);
    const inlay_communication *tree = &metasystem->cluster[0].communication[INLAY_PATTERN_TREE];
    inlay_select_cluster gamma = {
        .c1 = tree->c1, .c2 = tree->c2, .c3 = tree->c3, .c4 = tree->c4, .growth = tree->growth};
    ck_assert_double_eq(gamma.c2, 600);
    ck_assert_double_eq(gamma.c4, 1.24);
    inlay_metasystem_free(metasystem);
    return gamma;
}

static int32_t chosen(const inlay_select_problem *problem, inlay_select_method method)
{
    inlay_select_options options = {.method = method};
    inlay_selection *selection = NULL;
    ck_assert_int_eq(inlay_select_plain(problem, &options, &selection, NULL), INLAY_OK);
    int32_t processors = inlay_selection_at(selection, 0)->processors[0];
    inlay_selection_free(selection);
    return processors;
}

static double cycle(const inlay_select_problem *problem, int32_t processors)
{
    inlay_selection *selection = NULL;
    ck_assert_int_eq(inlay_select_plain_evaluate(problem, &processors, &selection, NULL), INLAY_OK);
    double time = inlay_selection_at(selection, 0)->t_cycle;
    inlay_selection_free(selection);
    return time;
}

/* From the middle in steps that halve, to the better side; where neither is better it ends. */
static int32_t halving(const inlay_select_problem *problem)
{
    int32_t p = PROCESSORS / 2;
    for (int32_t step = p / 2; step > 0; step /= 2) {
        int32_t side = cycle(problem, p - step) <= cycle(problem, p + step) ? p - step : p + step;
        if (cycle(problem, side) >= cycle(problem, p)) {
            return p;
        }
        p = side;
    }
    return p;
}

static const inlay_select_map maps[] = {INLAY_SELECT_REAL, INLAY_SELECT_INTEGER, INLAY_SELECT_CEIL};
enum { MAPS = sizeof maps / sizeof *maps };

START_TEST(coefficients_choose_as_the_study_says)
{
    static const int32_t best[MAPS][SIZES] = {{2, 4, 12, 28}, {2, 4, 12, 27}, {2, 4, 12, 27}};
    for (int m = 0; m < MAPS; m++) {
        for (int i = 0; i < SIZES; i++) {
            inlay_select_cluster gamma = shipped();
            inlay_select_problem problem = elimination(&gamma, size[i], maps[m]);
            ck_assert_int_eq(chosen(&problem, INLAY_SELECT_H1), best[m][i]);
            ck_assert_int_eq(chosen(&problem, INLAY_SELECT_EXHAUSTIVE), best[m][i]);
            ck_assert_int_eq(halving(&problem), published[i]);
        }
    }
}
END_TEST

START_TEST(the_published_choice_at_512_is_little_worse)
{
    inlay_select_cluster gamma = shipped();
    inlay_select_problem problem = elimination(&gamma, 512, INLAY_SELECT_REAL);
    double loss = cycle(&problem, 16) / cycle(&problem, 12) - 1;
    ck_assert_double_gt(loss, 0.0125);
    ck_assert_double_lt(loss, 0.0135);
}
END_TEST

/* How many of the sizes get the published processors, a bit each. */
static unsigned met(double c2, double c4, inlay_growth growth, inlay_select_map map)
{
    unsigned sizes = 0;
    for (int i = 0; i < SIZES; i++) {
        inlay_select_cluster gamma = {.c2 = c2, .c4 = c4, .growth = growth};
        inlay_select_problem problem = elimination(&gamma, size[i], map);
        sizes |= (unsigned)(chosen(&problem, INLAY_SELECT_H1) == published[i]) << i;
    }
    return sizes;
}

/* A contradiction between sizes has to hold for whatever coefficients; these come near to each of them. */
static void look_for(inlay_select_map map, inlay_growth growth, double slope, unsigned never, unsigned seen)
{
    enum { STEPS = 48 };
    unsigned found = 0;
    for (int i = 0; i <= STEPS; i++) {
        for (int j = 0; j <= STEPS; j++) {
            unsigned sizes = met(1.5 * slope * i / STEPS, slope / 256 * j / STEPS, growth, map);
            ck_assert_msg((sizes & never) != never, "map %d, f %d: %d, %d of %d", (int)map, (int)growth, i, j, STEPS);
            found |= sizes;
        }
    }
    ck_assert_uint_eq(found, seen);
}

START_TEST(no_coefficients_choose_as_published)
{
    enum { N128 = 1, N256 = 2, N512 = 4, N1024 = 8 };
    look_for(INLAY_SELECT_REAL, INLAY_GROWTH_LOG2, 700, N512 | N1024, 0xf);
    look_for(INLAY_SELECT_REAL, INLAY_GROWTH_LOG2, 700, N128 | N256 | N512, 0xf);
    look_for(INLAY_SELECT_REAL, INLAY_GROWTH_LINEAR, 400, N256 | N512, 0xf);
    look_for(INLAY_SELECT_INTEGER, INLAY_GROWTH_LOG2, 700, N1024, 0x7);
    look_for(INLAY_SELECT_CEIL, INLAY_GROWTH_LOG2, 700, N1024, 0x7);
    look_for(INLAY_SELECT_INTEGER, INLAY_GROWTH_LINEAR, 400, N1024, 0x7);
}
END_TEST

Suite *suite_elimination(void)
{
    Suite *suite = suite_create("elimination");
    TCase *tests = tcase_create("elimination");
    tcase_add_test(tests, coefficients_choose_as_the_study_says);
    tcase_add_test(tests, the_published_choice_at_512_is_little_worse);
    tcase_add_test(tests, no_coefficients_choose_as_published);
    suite_add_tcase(suite, tests);
    return suite;
}
