/*
 * The sweep over time frames: the golden numbers of golden/clustering.json, and random applications of which every clustering is
 * made once more by itself, at every step, just below the next one, and at every T that there is.
 */
#include "golden.h"
#include "map_by_houstis.h"
#include "random_app.h"
#include "unit.h"

#include <inlay/io.h>
#include <inlay/sweep.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static golden_case test; /* made and freed around each test */

static void set_up(void)
{
    golden_set_up(&test);
}

static void tear_down(void)
{
    golden_tear_down(&test);
}

/* ---- Clusterings as they are handed out ---- */

enum { MOST_STEPS = 4000 };

typedef struct kept_step {
    inlay_time time_frame;
    inlay_id clusters;
    inlay_id *cluster_of;
} kept_step;

typedef struct kept {
    const inlay_app *app;
    size_t count;
    kept_step steps[MOST_STEPS];
} kept;

static int keep(void *context, const inlay_sweep_step *step)
{
    kept *all = context;
    size_t bytes = (size_t)inlay_app_modules(all->app) * sizeof(inlay_id);
    ck_assert_uint_lt(all->count, MOST_STEPS);
    kept_step *now = &all->steps[all->count++];
    *now = (kept_step){step->time_frame, step->clusters, malloc(bytes)};
    memcpy(now->cluster_of, step->cluster_of, bytes);
    return 0;
}

static kept *kept_new(const inlay_app *app)
{
    kept *all = calloc(1, sizeof *all);
    all->app = app;
    return all;
}

static void kept_free(kept *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->steps[i].cluster_of);
    }
    free(all);
}

static inlay_sweep_result *swept(const inlay_app *app, const inlay_machine *machine, inlay_sweep_options options)
{
    inlay_sweep_result *sweep = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_sweep(app, machine, &options, &sweep, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return sweep;
}

/* ---- Golden numbers ---- */

static const int64_t all_traffic[] = {35, 34, 34, 33, 32, 31, 29, 28, 26, 23, 23, 21};
static const int64_t communicating_traffic[] = {35, 34, 33, 32, 31, 29, 28, 26, 23, 21};

static void expect_golden_rows(const char *name, bool keep_unrelated, const int64_t *traffic)
{
    const json_t *rows = json_object_get(test.golden, name);
    kept *all = kept_new(test.app);
    inlay_sweep_options options = {.mapping.keep_unrelated = keep_unrelated, .each = keep, .context = all};
    inlay_sweep_result *sweep = swept(test.app, test.bus, options);
    size_t count = json_array_size(rows);
    ck_assert_uint_eq(inlay_sweep_rows(sweep), count);
    ck_assert_uint_eq(all->count, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *expected = json_array_get(rows, i);
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        ck_assert_int_eq(row->time_frame, json_integer_value(json_object_get(expected, "time_frame")));
        ck_assert_int_eq(all->steps[i].time_frame, row->time_frame);
        ck_assert_int_eq(row->traffic, traffic[i]);
        ck_assert_int_eq(row->clusters, all->steps[i].clusters);
        ck_assert_int_eq(row->parallelism, 4);
        expect_clusters(json_object_get(expected, "clusters"), test.app, row->clusters, all->steps[i].cluster_of);
        ck_assert(row->bounded == (i + 1 < count));
        ck_assert(!row->bounded || row->until == inlay_sweep_row_at(sweep, i + 1)->time_frame);
    }
    inlay_sweep_free(sweep);
    kept_free(all);
}

START_TEST(golden_clusterings)
{
    expect_golden_rows("all_merges", false, all_traffic);
    expect_golden_rows("communicating_only", true, communicating_traffic);
}
END_TEST

START_TEST(golden_estimates)
{
    const json_t *estimates = json_object_get(json_object_get(test.golden, "estimates"), "all_merges");
    inlay_sweep_result *sweep = swept(test.app, test.bus, (inlay_sweep_options){0});
    ck_assert_uint_eq(json_object_size(estimates), inlay_sweep_rows(sweep));
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        char name[32];
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        snprintf(name, sizeof name, "%lld", (long long)row->time_frame);
        expect_near(row->cost.estimate, json_number_value(json_object_get(estimates, name)), 1e-9);
    }
    expect_near(inlay_sweep_row_at(sweep, 0)->estimate_fixed_point, 184.920155176, 1e-11);
    expect_near(inlay_sweep_row_at(sweep, 11)->estimate_fixed_point, 217.298150311, 1e-11);
    inlay_sweep_free(sweep);
}
END_TEST

START_TEST(golden_time_frames)
{
    inlay_sweep_result *sweep = swept(test.app, test.bus, (inlay_sweep_options){0});
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    ck_assert(s->complete && !s->sample);
    ck_assert_int_eq(s->largest_work, 133);
    ck_assert_str_eq(inlay_app_module_name(test.app, s->largest_module), "m16");
    ck_assert(s->t_min.time_frame == 133);
    ck_assert_str_eq(s->t_min.text, "133");
    expect_near(s->t_fit.time_frame, json_number_value(json_object_get(test.golden, "t_fit")), 1e-13);
    expect_near(s->t_par.time_frame, json_number_value(json_object_get(test.golden, "t_par")), 1e-13);
    ck_assert_uint_eq(s->t_fit.row, 0);
    ck_assert_uint_eq(s->t_par.row, 11);
    ck_assert_int_eq(s->fewest_clusters, 4);
    ck_assert(!s->given.exists);
    inlay_sweep_free(sweep);

    inlay_sweep_options options = {.mapping.keep_unrelated = true};
    sweep = swept(test.app, test.bus, options);
    s = inlay_sweep_summary_of(sweep);
    expect_near(s->t_fit.time_frame, json_number_value(json_object_get(test.golden, "t_fit")), 1e-13);
    ck_assert(!s->t_par.exists); /* 5 clusters, parallelism 4 */
    inlay_sweep_free(sweep);
}
END_TEST

/* Intervals in halves of a tick, as golden/clustering.json lists them: the first T of each that is a multiple of one half. */
START_TEST(golden_intervals)
{
    static const double expected[][2] = {{140, 151}, {156.5, 164}, {166.5, 171}, {178, 185},       {189, 204},
                                         {211, 212}, {219, 355},   {366, 415},   {417.5, INFINITY}};
    inlay_sweep_result *sweep = swept(test.app, test.bus, (inlay_sweep_options){0});
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    ck_assert_uint_eq(count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        ck_assert(ceil(2 * fits[i].from) / 2 == expected[i][0]);
        ck_assert(fits[i].to == expected[i][1]);
    }
    ck_assert(fits[0].from == inlay_sweep_summary_of(sweep)->t_fit.time_frame);
    inlay_sweep_free(sweep);
}
END_TEST

START_TEST(golden_toy)
{
    inlay_app *toy = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/toy.dot", NULL, &toy, NULL), INLAY_OK);
    inlay_machine *machine = golden_machine("bus:4");
    const json_t *expected = json_object_get(test.golden, "toy");
    inlay_sweep_result *sweep = swept(toy, machine, (inlay_sweep_options){0});
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    expect_near(s->t_fit.time_frame, json_number_value(json_object_get(expected, "t_fit")), 1e-10);
    expect_near(s->t_par.time_frame, json_number_value(json_object_get(expected, "t_par")), 1e-10);
    ck_assert_uint_eq(inlay_sweep_rows(sweep), 2);
    ck_assert_int_eq(inlay_sweep_row_at(sweep, 1)->time_frame, 40);
    expect_near(inlay_sweep_row_at(sweep, 1)->cost.estimate, 46.189710957, 1e-10);
    inlay_sweep_free(sweep);
    inlay_machine_free(machine);
    inlay_app_free(toy);
}
END_TEST

/* ---- Points ---- */

START_TEST(fewer_processors)
{
    inlay_sweep_options options = {.mapping = {.processors = 6}};
    inlay_sweep_result *sweep = swept(test.app, test.bus, options);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    ck_assert_str_eq(s->t_min.text, "133"); /* on however many processors */
    ck_assert_str_eq(s->t_processors.text, "244");
    ck_assert_str_eq(s->t_fit.text, "244");
    ck_assert_uint_eq(count, 3);
    ck_assert(fits[0].from == 244 && fits[0].to == 355);
    ck_assert_uint_eq(s->best.row, 9); /* of 6, 5 and 4 clusters the 6 have the shortest estimate */
    inlay_sweep_free(sweep);
    options.mapping.processors = 3;
    sweep = swept(test.app, test.bus, options);
    s = inlay_sweep_summary_of(sweep);
    ck_assert(!s->t_processors.exists && !s->t_fit.exists && !s->t_par.exists && !s->best.exists && s->t_min.exists);
    (void)inlay_sweep_fits(sweep, &count);
    ck_assert_uint_eq(count, 0);
    inlay_sweep_free(sweep);
}
END_TEST

START_TEST(given_time_frame)
{
    inlay_sweep_options options = {.mapping = options_at("464.5")};
    inlay_options alone = options.mapping;
    inlay_sweep_result *sweep = swept(test.app, test.bus, options);
    inlay_mapping *mapping = mapped(&test, &alone);
    const inlay_sweep_point *given = &inlay_sweep_summary_of(sweep)->given;
    ck_assert(given->exists);
    ck_assert_str_eq(given->text, "464.5");
    ck_assert_uint_eq(given->row, 11);
    ck_assert(given->cost.estimate == inlay_mapping_summary(mapping)->estimate);
    ck_assert(given->cost.u == inlay_mapping_summary(mapping)->u);
    inlay_mapping_free(mapping);
    inlay_sweep_free(sweep);
}
END_TEST

/* ---- Parts and samples ---- */

START_TEST(part_of_the_range)
{
    inlay_sweep_options options = {
        .has_from = true, .from = {{1725, 1}, INLAY_UNIT_TICK}, .has_to = true, .to = {{212, 0}, INLAY_UNIT_TICK}};
    static const inlay_time expected[] = {173, 174, 185, 204, 212};
    inlay_sweep_result *sweep = swept(test.app, test.bus, options);
    ck_assert(!inlay_sweep_summary_of(sweep)->complete);
    ck_assert_uint_eq(inlay_sweep_rows(sweep), sizeof expected / sizeof *expected);
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        ck_assert_int_eq(inlay_sweep_row_at(sweep, i)->time_frame, expected[i]);
        ck_assert_int_eq(inlay_sweep_row_at(sweep, i)->until, i < 4 ? expected[i + 1] : 244);
    }
    inlay_sweep_free(sweep);
}
END_TEST

START_TEST(sample_of_the_range)
{
    kept *all = kept_new(test.app);
    inlay_sweep_options options = {
        .mapping = options_at("300"), .points = 5, .threads = 1, .each = keep, .context = all};
    inlay_sweep_result *sweep = swept(test.app, test.bus, options);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    ck_assert(s->sample && !s->complete && s->given.exists);
    ck_assert_int_eq(inlay_sweep_row_at(sweep, 0)->time_frame, 133);
    ck_assert_int_eq(inlay_sweep_row_at(sweep, inlay_sweep_rows(sweep) - 1)->clusters, 4);
    ck_assert(!inlay_sweep_row_at(sweep, inlay_sweep_rows(sweep) - 1)->bounded);
    for (size_t i = 0; i < all->count; i++) {
        inlay_options at = options_at_ticks(all->steps[i].time_frame);
        inlay_clustering made = cluster_by(LIBRARY, &test, &at, all->steps[i].time_frame);
        ck_assert_mem_eq(made.cluster_of, all->steps[i].cluster_of, CHOLESKY * sizeof(inlay_id));
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        ck_assert(!row->bounded || !made.next_known || row->until <= made.next_frame);
        inlay_clustering_clear(&made);
    }
    inlay_sweep_free(sweep);
    kept_free(all);
}
END_TEST

/* ---- Refusals ---- */

static void expect_refusal(inlay_sweep_options options, int status, const char *message, const char *option,
                           const char *value)
{
    inlay_sweep_result *sweep = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_sweep(test.app, test.bus, &options, &sweep, diag), status);
    ck_assert_ptr_null(sweep);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_pstr_eq(inlay_diag_remedy_option(diag), option);
    ck_assert_pstr_eq(inlay_diag_remedy_value(diag), value);
    inlay_diag_free(diag);
}

START_TEST(refusals)
{
    inlay_duration ticks_100 = {{100, 0}, INLAY_UNIT_TICK}, ticks_300 = {{300, 0}, INLAY_UNIT_TICK};
    expect_refusal((inlay_sweep_options){.mapping = options_at("132")}, INLAY_NO_ANSWER,
                   "the time frame, 132 ticks, is below the work that must be on the processor of module 'm16'; the "
                   "least time frame is 133 ticks",
                   "-T", "133");
    expect_refusal((inlay_sweep_options){.has_to = true, .to = ticks_100}, INLAY_NO_ANSWER,
                   "the time frame, 100 ticks, is below the work that must be on the processor of module 'm16'; the "
                   "least time frame is 133 ticks",
                   "--to", "133");
    expect_refusal(
        (inlay_sweep_options){.has_from = true, .from = ticks_300, .has_to = true, .to = {{200, 0}, INLAY_UNIT_TICK}},
        INLAY_BAD_ARGUMENT, "the sweep ends before it begins; expected --from below --to", NULL, NULL);
    expect_refusal((inlay_sweep_options){.mapping = options_at("200"), .has_from = true, .from = ticks_300},
                   INLAY_BAD_ARGUMENT, "the time frame -T is not among those from --from to --to", NULL, NULL);
    expect_refusal((inlay_sweep_options){.points = -1}, INLAY_BAD_ARGUMENT,
                   "a sample of -1 time frames; expected 1 or more", NULL, NULL);
}
END_TEST

static int stop_at_once(void *context, const inlay_sweep_step *step)
{
    (void)step;
    ++*(int *)context;
    return 42;
}

START_TEST(caller_may_stop)
{
    int calls = 0;
    inlay_sweep_result *sweep = NULL;
    inlay_sweep_options options = {.each = stop_at_once, .context = &calls};
    ck_assert_int_eq(inlay_sweep(test.app, test.bus, &options, &sweep, NULL), 42);
    ck_assert_ptr_null(sweep);
    ck_assert_int_eq(calls, 1);
}
END_TEST

/* ---- What a reduction costs ---- */

/** map_by_houstis() tells the estimate of the clustering that it reduced; the sweep knows that clustering, too. */
START_TEST(unreduced_estimate)
{
    for (inlay_id processors = 2; processors <= 6; processors++) {
        inlay_options options = {.processors = processors};
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(map_by_houstis(test.app, test.bus, &options, &mapping, NULL), INLAY_OK);
        const inlay_summary *sum = inlay_mapping_summary(mapping);
        inlay_sweep_options at = {.mapping = options_at(sum->time_frame_text)};
        inlay_sweep_result *sweep = NULL;
        ck_assert_int_eq(inlay_sweep(test.app, test.bus, &at, &sweep, NULL), INLAY_OK);
        const inlay_sweep_point *given = &inlay_sweep_summary_of(sweep)->given;
        inlay_id clusters = inlay_sweep_row_at(sweep, given->row)->clusters;
        ck_assert_int_eq(sum->reduced_from, clusters > processors ? clusters : -1);
        if (clusters > processors)
            ck_assert_double_eq_tol(sum->estimate_unreduced, given->cost.estimate, 1e-9 * sum->estimate);
        else
            ck_assert_double_nan(sum->estimate_unreduced);
        inlay_sweep_free(sweep);
        inlay_mapping_free(mapping);
    }
}
END_TEST

/** Before the clustering nothing is known that would have been reduced. */
START_TEST(nothing_unreduced)
{
    inlay_options options = {.processors = 2, .reduce_when = INLAY_REDUCE_BEFORE};
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(map_by_houstis(test.app, test.bus, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_gt(inlay_mapping_summary(mapping)->reduced_from, 2);
    ck_assert_double_nan(inlay_mapping_summary(mapping)->estimate_unreduced);
    inlay_mapping_free(mapping);
}
END_TEST

Suite *suite_sweep(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tests = tcase_create("golden");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, golden_clusterings);
    tcase_add_test(tests, golden_estimates);
    tcase_add_test(tests, golden_time_frames);
    tcase_add_test(tests, golden_intervals);
    tcase_add_test(tests, golden_toy);
    tcase_add_test(tests, fewer_processors);
    tcase_add_test(tests, given_time_frame);
    tcase_add_test(tests, part_of_the_range);
    tcase_add_test(tests, sample_of_the_range);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, caller_may_stop);
    tcase_add_test(tests, unreduced_estimate);
    tcase_add_test(tests, nothing_unreduced);
    suite_add_tcase(suite, tests);
    return suite;
}
