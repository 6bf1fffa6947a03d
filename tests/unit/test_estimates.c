/*
 * The golden estimates of golden/clustering.json and the utilisations of the paper's Figure 5, from the slow reference and from
 * the library.
 */
#include "base/plain.h"
#include "golden.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static golden_case test; /* made and freed around each test */

static void set_up(void)
{
    golden_set_up(&test);
}

static void tear_down(void)
{
    golden_tear_down(&test);
}

/** What both candidates say of one placement. */
typedef struct cost {
    double tau, estimate, fixed_point, busiest;
} cost;

static cost cost_in(const inlay_mapping *mapping)
{
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    cost said = {summary->tau, summary->estimate, summary->estimate_fixed_point, 0};
    for (inlay_id c = 0; c < summary->clusters; c++)
        said.busiest = fmax(said.busiest, inlay_mapping_cluster(mapping, c).utilisation);
    return said;
}

static cost placement_cost(int who, const inlay_id *of, inlay_options options)
{
    if (who == LIBRARY) {
        inlay_mapping *mapping = evaluated(&test, of, &options);
        cost said = cost_in(mapping);
        inlay_mapping_free(mapping);
        return said;
    }
    reference_cost slow = cost_of(&test, of, &options, inlay_decimal_double(options.time_frame.value));
    return (cost){(double)slow.at_frame.tau, slow.estimate, slow.fixed_point, (double)slow.at_frame.busiest};
}

/** The cost of what the greedy rule gives at T; the library is asked for the whole mapping. */
static cost greedy_cost(int who, const char *frame, inlay_id clusters)
{
    inlay_options options = options_at(frame);
    if (who == LIBRARY) {
        inlay_mapping *mapping = mapped(&test, &options);
        cost said = cost_in(mapping);
        ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, clusters);
        inlay_mapping_free(mapping);
        return said;
    }
    inlay_clustering made = cluster_by(REFERENCE, &test, &options, (inlay_time)plain_number(frame, NULL));
    ck_assert_int_eq(made.clusters, clusters);
    cost said = placement_cost(REFERENCE, made.cluster_of, options);
    inlay_clustering_clear(&made);
    return said;
}

START_TEST(test_figure5)
{
    static const double published[] = {78.80, 38.20, 47.07, 89.94}; /* per cent */
    static const int sent[] = {10, 3, 6, 2}; /* of the 21 messages, by the cluster that sends them */
    inlay_options options = options_at("464");
    inlay_mapping *mapping = mapped(&test, &options);
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    ck_assert_int_eq(summary->clusters, 4);
    ck_assert_int_eq(summary->traffic, 21);
    ck_assert_str_eq(summary->time_frame_text, "464");
    expect_near(summary->u, 21.0 / 464, 1e-12);
    expect_near(summary->delay, 1.04436343195, 1e-11);
    expect_near(summary->tau, summary->delay, 1e-12);
    ck_assert(summary->fits_with_delay);
    for (inlay_id i = 0; i < CHOLESKY; i++)
        ck_assert_int_eq(inlay_mapping_cluster_of(mapping, i), figure5[i]);
    for (inlay_id c = 0; c < 4; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        inlay_time work = 0;
        for (inlay_id i = 0; i < CHOLESKY; i++)
            work += figure5[i] == c ? cholesky_time[i] + cholesky_blocking[i] : 0;
        ck_assert_double_eq(info.work, (double)work);
        ck_assert_int_eq(info.messages_out, sent[c]);
        ck_assert_double_eq_tol(100 * info.utilisation, published[c], 0.06);
        expect_near(info.utilisation, ((double)work + summary->tau * sent[c]) / 464, 1e-9);
    }
    inlay_mapping_free(mapping);
}
END_TEST

START_TEST(test_figure5_estimates)
{
    static const double expected[] = {217.133090295854, 250.266180591708};
    inlay_options options = options_at("464");
    options.start = _i / CANDIDATES == 0 ? INLAY_START_STREAM : INLAY_START_FINISH;
    cost said = placement_cost(_i % CANDIDATES, figure5, options);
    expect_near(said.estimate, expected[_i / CANDIDATES], 1e-12);
    expect_near(said.tau, 1.04436343195, 1e-11);
    expect_near(said.fixed_point, placement_cost(REFERENCE, figure5, options).fixed_point, 1e-9);
}
END_TEST

/** At every breakpoint. */
START_TEST(test_estimates_of_all_merges)
{
    const json_t *rows = json_object_get(test.golden, "all_merges");
    const char *frame;
    json_t *estimate;
    size_t row = 0;
    json_object_foreach(json_object_get(json_object_get(test.golden, "estimates"), "all_merges"), frame, estimate)
    {
        size_t clusters = json_array_size(json_object_get(json_array_get(rows, row++), "clusters"));
        expect_near(greedy_cost(_i, frame, (inlay_id)clusters).estimate, json_number_value(estimate), 1e-9);
    }
    ck_assert_uint_eq(row, 12);
}
END_TEST

/** Clusters, tau, estimate, and the estimate with T = E. */
START_TEST(test_estimates_with_fixed_points)
{
    static const struct {
        const char *frame;
        inlay_id clusters;
        double tau, estimate, fixed_point;
    } rows[] = {{"133", 11, 1.320928143, 185.888353287, 184.920155176},
                {"171", 9, 1.210478913, 230.473352394, 230.043455756},
                {"212", 7, 1.129319565, 213.775917390, 213.768737854},
                {"244", 6, 1.096717520, 213.580305118, 213.671207702},
                {"415", 4, 1.049844950, 217.149534850, 217.298150311}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        cost said = greedy_cost(_i, rows[row].frame, rows[row].clusters);
        expect_near(said.tau, rows[row].tau, 1e-9);
        expect_near(said.estimate, rows[row].estimate, 1e-9);
        expect_near(said.fixed_point, rows[row].fixed_point, 1e-9);
    }
}
END_TEST

/** A processor a module, and one processor for all. */
START_TEST(test_extreme_placements)
{
    inlay_id own[CHOLESKY], one[CHOLESKY] = {0};
    for (inlay_id i = 0; i < CHOLESKY; i++)
        own[i] = i;
    cost apart = placement_cost(_i, own, options_at("133"));
    expect_near(apart.tau, 1.382560357, 1e-9);
    expect_near(apart.estimate, 149.590724280, 1e-9);
    cost together = placement_cost(_i, one, options_at("133"));
    ck_assert_double_eq(together.estimate, 503);
    expect_near(together.fixed_point, 503, 1e-12);
}
END_TEST

/** In seconds a bus without a capacity carries messages for free: 133 streamed, 244 finish to start. */
START_TEST(test_free_messages)
{
    inlay_id own[CHOLESKY];
    for (inlay_id i = 0; i < CHOLESKY; i++)
        own[i] = i;
    inlay_app_free(test.app);
    test.app = cholesky4(INLAY_UNIT_S);
    inlay_options options = options_at("133");
    options.start = _i / CANDIDATES == 0 ? INLAY_START_STREAM : INLAY_START_FINISH;
    cost said = placement_cost(_i % CANDIDATES, own, options);
    ck_assert_double_eq(said.estimate, _i / CANDIDATES == 0 ? 133 : 244);
    ck_assert_double_eq(said.tau, 0);
}
END_TEST

/** At T_FIT and at T_PAR the busiest processor is busy exactly all the time. */
START_TEST(test_time_frames_that_just_fit)
{
    expect_near(greedy_cost(_i, "139.806310221296", 11).busiest, 1, 1e-9);
    expect_near(greedy_cost(_i, "417.099164997638", 4).busiest, 1, 1e-9);
}
END_TEST

/** Without -T: max(largest work, total work / P). The sum of work is 1156: 133 for 17 processors, 578 for two. */
START_TEST(test_default_time_frame)
{
    inlay_options options = {0};
    inlay_mapping *mapping = mapped(&test, &options);
    ck_assert_double_eq(inlay_mapping_summary(mapping)->time_frame, 133);
    ck_assert(!inlay_mapping_summary(mapping)->time_frame_given);
    ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, 11);
    inlay_mapping_free(mapping);

    options.processors = 2;
    mapping = mapped(&test, &options);
    ck_assert_double_eq(inlay_mapping_summary(mapping)->time_frame, 578);
    ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, 2);
    ck_assert_int_eq(inlay_mapping_summary(mapping)->reduced_from, 4);
    inlay_mapping_free(mapping);
}
END_TEST

Suite *suite_estimates(void)
{
    Suite *suite = suite_create("estimates");
    TCase *tests = tcase_create("estimates");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_figure5);
    tcase_add_loop_test(tests, test_figure5_estimates, 0, 2 * CANDIDATES);
    tcase_add_loop_test(tests, test_estimates_of_all_merges, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_estimates_with_fixed_points, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_extreme_placements, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_free_messages, 0, 2 * CANDIDATES);
    tcase_add_loop_test(tests, test_time_frames_that_just_fit, 0, CANDIDATES);
    tcase_add_test(tests, test_default_time_frame);
    suite_add_tcase(suite, tests);
    return suite;
}
