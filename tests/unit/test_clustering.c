/*
 * The clusterings of golden/clustering.json: every breakpoint of the time frame, overlap, reductions, the toy. The slow reference
 * and the library must both give them.
 */
#include "golden.h"
#include "map_by_houstis.h"
#include "unit.h"

#include <inlay/io.h>
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

/* ---- The application itself ---- */

START_TEST(test_cholesky_file_equals_code)
{
    inlay_app *file = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/cholesky4.dot", NULL, &file, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_modules(file), CHOLESKY);
    ck_assert_int_eq(inlay_app_links(file), inlay_app_links(test.app));
    ck_assert_int_eq(inlay_app_unit(file), INLAY_UNIT_TICK);
    for (inlay_id i = 0; i < CHOLESKY; i++) {
        ck_assert_str_eq(inlay_app_module_name(file, i), inlay_app_module_name(test.app, i));
        ck_assert_int_eq(inlay_app_time(file, i), cholesky_time[i]);
        ck_assert_int_eq(inlay_app_blocking(file, i), cholesky_blocking[i]);
        inlay_links theirs = inlay_app_out(file, i), ours = inlay_app_out(test.app, i);
        ck_assert_int_eq(theirs.count, ours.count);
        for (int64_t l = 0; l < ours.count; l++) {
            ck_assert_int_eq(theirs.module[l], ours.module[l]);
            ck_assert_int_eq(theirs.messages[l], ours.messages[l]);
            ck_assert_int_eq(theirs.flags[l], 0);
        }
    }
    inlay_app_free(file);
}
END_TEST

/* ---- Clusterings at every time frame ---- */

/** One column of the table of breakpoints: its golden name and the traffic of each row. */
typedef struct column {
    const char *name;
    bool keep_unrelated;
    int64_t traffic[12];
} column;

static const column columns[] = {{"all_merges", false, {35, 34, 34, 33, 32, 31, 29, 28, 26, 23, 23, 21}},
                                 {"communicating_only", true, {35, 34, 33, 32, 31, 29, 28, 26, 23, 21}}};

static int64_t traffic_of(const inlay_id *cluster_of)
{
    int64_t traffic = 0;
    for (inlay_id i = 0; i < CHOLESKY; i++) {
        inlay_links out = inlay_app_out(test.app, i);
        for (int64_t l = 0; l < out.count; l++)
            traffic += cluster_of[i] != cluster_of[out.module[l]] ? out.messages[l] : 0;
    }
    return traffic;
}

static void expect_row(int who, const column *which, size_t row, inlay_options options, inlay_time whole_ticks)
{
    const json_t *rows = json_object_get(test.golden, which->name);
    options.keep_unrelated = which->keep_unrelated;
    inlay_clustering made = cluster_by(who, &test, &options, whole_ticks);
    expect_clusters(json_object_get(json_array_get(rows, row), "clusters"), test.app, made.clusters, made.cluster_of);
    ck_assert_int_eq(traffic_of(made.cluster_of), which->traffic[row]);
    inlay_clustering_clear(&made);
}

/** At every breakpoint, and just below the next one. */
START_TEST(test_breakpoints)
{
    const column *which = &columns[_i / CANDIDATES];
    const json_t *rows = json_object_get(test.golden, which->name);
    size_t count = json_array_size(rows);
    ck_assert_uint_eq(count, which->keep_unrelated ? 10 : 12);
    for (size_t row = 0; row < count; row++) {
        inlay_time frame = json_integer_value(json_object_get(json_array_get(rows, row), "time_frame"));
        expect_row(_i % CANDIDATES, which, row, options_at_ticks(frame), frame);
        if (row + 1 == count) continue;
        inlay_time next = json_integer_value(json_object_get(json_array_get(rows, row + 1), "time_frame"));
        inlay_options below = options_at_ticks(next);
        below.time_frame.value = (inlay_decimal){next * 1000000 - 1, 6};
        expect_row(_i % CANDIDATES, which, row, below, next - 1);
    }
}
END_TEST

/** Follow next_frame from 133 on: the clustering changes at these time frames and at no other. */
static void expect_walk(int who, inlay_options options, const inlay_time *changes, int count)
{
    inlay_id last[CHOLESKY] = {0};
    bool more = true;
    int seen = 0;
    for (inlay_time frame = 133; more;) {
        options.time_frame.value.digits = frame;
        inlay_clustering made = cluster_by(who, &test, &options, frame);
        if (memcmp(last, made.cluster_of, sizeof last) != 0) {
            ck_assert_int_lt(seen, count);
            ck_assert_int_eq(frame, changes[seen]);
            seen++;
            memcpy(last, made.cluster_of, sizeof last);
        }
        more = made.next_known;
        ck_assert(!more || made.next_frame > frame);
        frame = made.next_frame;
        inlay_clustering_clear(&made);
    }
    ck_assert_int_eq(seen, count);
}

START_TEST(test_next_frame_finds_all_breakpoints)
{
    static const inlay_time changes[] = {133, 151, 152, 164, 171, 174, 185, 204, 212, 244, 355, 415};
    expect_walk(_i, options_at_ticks(133), changes, 12);
}
END_TEST

START_TEST(test_next_frame_communicating_only)
{
    static const inlay_time changes[] = {133, 151, 164, 171, 174, 185, 204, 212, 244, 415};
    inlay_options options = options_at_ticks(133);
    options.keep_unrelated = true;
    expect_walk(_i, options, changes, 10);
}
END_TEST

START_TEST(test_overlap_skips_152)
{
    static const inlay_time changes[] = {133, 151, 164, 171, 174, 185, 204, 212, 244, 355, 415};
    inlay_options options = options_at_ticks(133);
    options.parallel = INLAY_PARALLEL_OVERLAP;
    expect_walk(_i, options, changes, 11);
}
END_TEST

START_TEST(test_figure5_by_overlap)
{
    inlay_options options = options_at_ticks(464);
    options.parallel = INLAY_PARALLEL_OVERLAP;
    inlay_clustering made = cluster_by(_i, &test, &options, 464);
    ck_assert_int_eq(made.clusters, 4);
    ck_assert_mem_eq(made.cluster_of, figure5, sizeof figure5);
    inlay_clustering_clear(&made);
}
END_TEST

static void expect_too_short(int status, const inlay_diag *diag)
{
    ck_assert_int_eq(status, INLAY_NO_ANSWER);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "m16"));
    ck_assert_str_eq(inlay_diag_remedy_option(diag), "-T");
    ck_assert_str_eq(inlay_diag_remedy_value(diag), "133");
}

/** Module 16 needs 133; the answer says so. */
START_TEST(test_below_the_largest_module)
{
    inlay_options options = options_at("132.999999");
    slow_problem problem;
    slow_clusters clusters;
    inlay_time next;
    slow_read(test.app, test.bus, &options, &problem);
    ck_assert(!slow_greedy(&problem, 132, &clusters, &next));
    ck_assert_int_eq(slow_least_frame(&problem), 133);

    inlay_clustering made = {0};
    inlay_diag *diag = inlay_diag_new();
    expect_too_short(inlay_cluster(test.app, test.bus, &options, &made, diag), diag);
    ck_assert_ptr_null(made.cluster_of);
    inlay_diag_free(diag);

    inlay_mapping *mapping = NULL;
    diag = inlay_diag_new();
    expect_too_short(map_by_houstis(test.app, test.bus, &options, &mapping, diag), diag);
    ck_assert_ptr_null(mapping);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Reduction ---- */

/** Where a case of the table starts: "singletons", "all merges at 133" or "Figure 5". */
static void reduction_start(const char *name, inlay_id *of, inlay_clustering *start)
{
    *start = (inlay_clustering){.clusters = CHOLESKY, .cluster_of = of};
    for (inlay_id i = 0; i < CHOLESKY; i++)
        of[i] = i;
    if (strcmp(name, "singletons") == 0) return;
    inlay_time frame = strcmp(name, "Figure 5") == 0 ? 464 : 133;
    inlay_options options = options_at_ticks(frame);
    inlay_clustering made = cluster_by(REFERENCE, &test, &options, frame);
    memcpy(of, made.cluster_of, CHOLESKY * sizeof *of);
    start->clusters = made.clusters;
    inlay_clustering_clear(&made);
}

static inlay_clustering reduce_by_reference(const inlay_clustering *start, const inlay_options *options)
{
    slow_problem problem;
    slow_clusters clusters;
    slow_read(test.app, test.bus, options, &problem);
    for (int i = 0; i < CHOLESKY; i++) {
        clusters.of[i] = 0;
        while (start->cluster_of[clusters.of[i]] != start->cluster_of[i])
            clusters.of[i]++;
    }
    ck_assert(slow_reduce(&problem, options->reduce, false, options->processors, INT64_MAX, &clusters));
    inlay_clustering reduced = {.cluster_of = malloc(sizeof(inlay_id) * CHOLESKY)};
    ck_assert_ptr_nonnull(reduced.cluster_of);
    reduced.clusters = renumber(&problem, &clusters, reduced.cluster_of);
    return reduced;
}

static double estimate_by(int who, const inlay_id *of)
{
    inlay_options options = options_at("464");
    if (who == REFERENCE) return cost_of(&test, of, &options, 464).estimate;
    inlay_mapping *mapping = evaluated(&test, of, &options);
    double estimate = inlay_mapping_summary(mapping)->estimate;
    inlay_mapping_free(mapping);
    return estimate;
}

static void expect_reduction(int who, const json_t *expected)
{
    inlay_id start_of[CHOLESKY];
    inlay_clustering start, reduced = {0};
    const char *heuristic = json_string_value(json_object_get(expected, "heuristic"));
    inlay_options options = {.reduce = strcmp(heuristic, "h1") == 0 ? INLAY_REDUCE_H1 : INLAY_REDUCE_H2};
    options.processors = (inlay_id)json_integer_value(json_object_get(expected, "processors"));
    reduction_start(json_string_value(json_object_get(expected, "start")), start_of, &start);
    if (who == REFERENCE)
        reduced = reduce_by_reference(&start, &options);
    else
        ck_assert_int_eq(inlay_reduce_clusters(test.app, test.bus, &options, &start, &reduced, NULL), INLAY_OK);
    expect_clusters(json_object_get(expected, "clusters"), test.app, reduced.clusters, reduced.cluster_of);
    ck_assert_int_eq(traffic_of(reduced.cluster_of), json_integer_value(json_object_get(expected, "traffic")));
    double estimate = json_number_value(json_object_get(expected, "estimate_T464"));
    expect_near(estimate_by(who, reduced.cluster_of), estimate, 1e-9);
    inlay_clustering_clear(&reduced);
}

START_TEST(test_reductions)
{
    const json_t *cases = json_object_get(test.golden, "reduction");
    ck_assert_uint_eq(json_array_size(cases), 18);
    for (size_t at = 0; at < json_array_size(cases); at++)
        expect_reduction(_i, json_array_get(cases, at));
}
END_TEST

/* ---- The toy: finish to start, no blocking times ---- */

static inlay_app *toy_app(const json_t *toy)
{
    const char *name;
    json_t *value;
    inlay_app_builder *builder = inlay_app_builder_new("toy", INLAY_UNIT_TICK);
    json_object_foreach(json_object_get(toy, "modules"), name, value)
    {
        inlay_module module = {.name = name, .time = {{json_integer_value(value), 0}, INLAY_UNIT_NONE}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    const json_t *links = json_object_get(toy, "links");
    for (size_t at = 0; at < json_array_size(links); at++) {
        value = json_array_get(links, at);
        inlay_id from = inlay_app_builder_find(builder, json_string_value(json_array_get(value, 0)));
        inlay_id to = inlay_app_builder_find(builder, json_string_value(json_array_get(value, 1)));
        int64_t messages = json_integer_value(json_array_get(value, 2));
        ck_assert_int_eq(inlay_app_add_link(builder, from, to, messages, 0, 0, NULL), INLAY_OK);
    }
    inlay_app *made = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &made, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return made;
}

static void expect_toy(int who, const json_t *expected)
{
    inlay_time frame = json_integer_value(json_object_get(expected, "time_frame"));
    double estimate = json_number_value(json_object_get(expected, "estimate"));
    inlay_options options = options_at_ticks(frame);
    inlay_clustering made = cluster_by(who, &test, &options, frame);
    expect_clusters(json_object_get(expected, "clusters"), test.app, made.clusters, made.cluster_of);
    if (who == REFERENCE) {
        expect_near(cost_of(&test, made.cluster_of, &options, (double)frame).estimate, estimate, 1e-9);
    } else {
        inlay_mapping *mapping = mapped(&test, &options);
        const inlay_summary *summary = inlay_mapping_summary(mapping);
        expect_near(summary->estimate, estimate, 1e-9);
        ck_assert_int_eq(summary->traffic, json_integer_value(json_object_get(expected, "traffic")));
        const json_t *tau = json_object_get(expected, "tau");
        if (tau != NULL) expect_near(summary->tau, json_number_value(tau), 1e-9);
        inlay_mapping_free(mapping);
    }
    inlay_clustering_clear(&made);
}

START_TEST(test_toy)
{
    const json_t *toy = json_object_get(test.golden, "toy"), *results = json_object_get(toy, "results");
    inlay_app_free(test.app);
    inlay_machine_free(test.bus);
    test.app = toy_app(toy);
    test.bus = golden_machine("bus:4,memory=distributed,capacity=1msg/tick");
    ck_assert_uint_eq(json_array_size(results), 2);
    for (size_t at = 0; at < json_array_size(results); at++)
        expect_toy(_i, json_array_get(results, at));
}
END_TEST

Suite *suite_clustering(void)
{
    Suite *suite = suite_create("clustering");
    TCase *tests = tcase_create("clustering");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_cholesky_file_equals_code);
    tcase_add_loop_test(tests, test_breakpoints, 0, 2 * CANDIDATES);
    tcase_add_loop_test(tests, test_next_frame_finds_all_breakpoints, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_next_frame_communicating_only, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_overlap_skips_152, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_figure5_by_overlap, 0, CANDIDATES);
    tcase_add_test(tests, test_below_the_largest_module);
    tcase_add_loop_test(tests, test_reductions, 0, CANDIDATES);
    tcase_add_loop_test(tests, test_toy, 0, CANDIDATES);
    suite_add_tcase(suite, tests);
    return suite;
}
