/*
 * The points of the front on random applications. They become mappings made afresh, which the public calls and the
 * independent checker agree with; front and knee are found once more by trying all; and no point is longer than what
 * mapping, sweep and reduction by themselves come to.
 */
#include "pareto_subject.h"
#include "drawn.h"
#include "random_app.h"
#include "search/pareto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEEDS = DRAWN_PARETO, MOST_PROCESSORS = 24 };

static double measured(const question *ask, const inlay_summary *s)
{
    return ask->options.rank == INLAY_PARETO_FIXED_POINT ? s->estimate_fixed_point : s->estimate;
}

/* ---- Every point is a mapping ---- */

static void expect_figures(const question *ask, const inlay_pareto_point *point, const inlay_mapping *mapping)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    ck_assert_msg(s->estimate == point->estimate, "seed %d, P = %d: %.17g, %.17g", ask->seed, point->processors,
                  point->estimate, s->estimate);
    ck_assert(near(point->estimate_fixed_point, s->estimate_fixed_point));
    ck_assert(near(point->elapsed, measured(ask, s)));
    ck_assert_int_eq(point->clusters, s->clusters);
    ck_assert_int_eq(point->reduced_from, s->reduced_from);
    ck_assert_str_eq(point->time_frame_text, s->time_frame_text);
    ck_assert(point->messages == s->messages && point->traffic == s->traffic);
    ck_assert(point->weighted_traffic == s->weighted_traffic);
    ck_assert(point->u == s->u && point->load == s->load && point->delay == s->delay && point->tau == s->tau);
    ck_assert(point->clusters <= point->processors);
}

/* The same placement costed as a user's own, at the time frame that the point names; blocks may stand elsewhere. */
static void expect_evaluation(const question *ask, const inlay_pareto_point *point, const inlay_mapping *mapping)
{
    inlay_id modules = inlay_app_modules(ask->app);
    inlay_id *processor_of = malloc((size_t)modules * sizeof *processor_of);
    inlay_options options = ask->options.mapping;
    inlay_mapping *evaluated = NULL;
    for (inlay_id i = 0; i < modules; i++) {
        processor_of[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
    }
    options.has_time_frame = true;
    options.time_frame.unit = inlay_app_unit(ask->app);
    ck_assert_int_eq(inlay_decimal_parse(point->time_frame_text, &options.time_frame.value), INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(ask->app, ask->machine, processor_of, &options, &evaluated, NULL), INLAY_OK);
    const inlay_summary *s = inlay_mapping_summary(evaluated);
    ck_assert_msg(s->estimate == point->estimate, "seed %d, P = %d", ask->seed, point->processors);
    ck_assert(near(point->estimate_fixed_point, s->estimate_fixed_point) && point->traffic == s->traffic);
    inlay_mapping_free(evaluated);
    free(processor_of);
}

static void expect_simulation(const question *ask, const inlay_pareto_point *point, const inlay_mapping *mapping)
{
    const inlay_simulation_options options = {.seed = ask->options.seed, .threads = 1};
    inlay_simulation *simulation = NULL;
    double messages = (double)point->messages * inlay_machine_transfers(ask->machine);
    bool asked = messages <= (double)ask->options.simulate;
    bool answered = inlay_simulate(mapping, &options, &simulation, NULL) == INLAY_OK;
    ck_assert(isnan(point->simulated) == !(asked && answered));
    ck_assert(!asked || !answered || point->simulated == inlay_simulation_result(simulation)->makespan);
    inlay_simulation_free(simulation);
}

START_TEST(points_are_mappings)
{
    question ask;
    open_question(&ask, _i, RANDOM_EVERYTHING);
    inlay_pareto_free(ask.result);
    ask.options.simulate = 300;
    ask.options.seed = (uint64_t)_i;
    answer(&ask);
    for (size_t i = 0; i < points_of(&ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask.result, i);
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_pareto_mapping(ask.result, i, &mapping, NULL), INLAY_OK);
        expect_figures(&ask, point, mapping);
        expect_simulation(&ask, point, mapping);
        if (inlay_app_blocks(ask.app) == 0) {
            expect_evaluation(&ask, point, mapping);
        }
        inlay_mapping_free(mapping);
    }
    close_question(&ask);
}
END_TEST

static void expect_no_findings(const question *ask, const char *mapping_path)
{
    inlay_findings *findings = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_check_file(mapping_path, NULL, &findings, diag);
    ck_assert_msg(status == INLAY_OK, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    ck_assert_msg(inlay_findings_count(findings) == 0, "seed %d: %s", ask->seed, inlay_findings_text(findings, 0));
    ck_assert_uint_gt(inlay_findings_checked(findings), 10);
    inlay_findings_free(findings);
    inlay_diag_free(diag);
}

START_TEST(points_are_accepted_by_the_checker)
{
    char app_path[80], mapping_path[80];
    question ask;
    open_question(&ask, 1000 + _i, RANDOM_EVERYTHING);
    snprintf(app_path, sizeof app_path, "/tmp/inlay-unit-%ld.pareto-app.json", (long)getpid());
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.pareto.json", (long)getpid());
    ck_assert_int_eq(inlay_app_write(ask.app, app_path, "json", NULL), INLAY_OK);
    for (size_t i = 0; i < points_of(&ask); i++) {
        const inlay_origin origin = {.command = "pareto", .app_path = app_path, .app_format = "json"};
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_pareto_mapping(ask.result, i, &mapping, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_mapping_write(mapping, &origin, mapping_path, NULL), INLAY_OK);
        expect_no_findings(&ask, mapping_path);
        inlay_mapping_free(mapping);
    }
    unlink(mapping_path);
    unlink(app_path);
    close_question(&ask);
}
END_TEST

/* ---- Front, knee, bounds, by trying all ---- */

static void expect_bounds(const question *ask, const inlay_pareto_point *point)
{
    inlay_mapping *mapping = NULL;
    inlay_id modules = inlay_app_modules(ask->app);
    inlay_id *processor_of = calloc((size_t)modules, sizeof *processor_of);
    inlay_options options = ask->options.mapping;
    options.processors = point->processors;
    ck_assert_int_eq(inlay_evaluate(ask->app, ask->machine, processor_of, &options, &mapping, NULL), INLAY_OK);
    double bound = inlay_mapping_summary(mapping)->lower_bound;
    double one = inlay_mapping_summary(mapping)->estimate; /* all on one processor: the sum of all times, no traffic */
    ck_assert(point->lower_bound == bound);
    ck_assert(point->elapsed >= bound * (1 - 1e-12));
    ck_assert(point->elapsed == 0 || near(point->speedup, one / point->elapsed));
    ck_assert(point->elapsed == 0 || near(point->efficiency, one / point->elapsed / point->clusters));
    inlay_mapping_free(mapping);
    free(processor_of);
}

START_TEST(front_and_knee_by_trying_all)
{
    question ask;
    size_t front = 0;
    open_question(&ask, 2000 + _i, RANDOM_EVERYTHING & ~(unsigned)RANDOM_MEMORY);
    ck_assert_ptr_nonnull(ask.result);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(ask.result);
    const inlay_pareto_point *knee = inlay_pareto_point_at(ask.result, s->knee);
    for (size_t i = 0; i < points_of(&ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask.result, i);
        ck_assert_msg(point->front == is_on_front(&ask, i), "seed %d, P = %d", ask.seed, point->processors);
        ck_assert(i == 0 || point->processors > inlay_pareto_point_at(ask.result, i - 1)->processors);
        ck_assert(!(point->elapsed_all < point->elapsed));
        ck_assert(!point->front || point->processors != point->clusters || point->elapsed_all == point->elapsed);
        expect_bounds(&ask, point);
        front += point->front;
        double here = point->efficiency / point->elapsed, there = knee->efficiency / knee->elapsed;
        ck_assert_msg(knee->elapsed == 0 || here <= there * (1 + 1e-12), "seed %d: knee %d, not %d", ask.seed,
                      knee->processors, point->processors);
    }
    ck_assert_uint_eq(front, s->front);
    ck_assert(knee->front);
    close_question(&ask);
}
END_TEST

/* ---- Nothing that the parts come to by themselves is shorter ---- */

/* A mapping as mapping makes it; whether it chose the default time frame, or had to raise it. */
static void expect_not_longer_than_map(const question *ask, inlay_id processors, inlay_reduce reduce,
                                       inlay_reduce_when when, bool by_traffic)
{
    inlay_options options = ask->options.mapping;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    options.processors = processors;
    options.reduce = reduce;
    options.reduce_when = when;
    options.reduce_by_traffic = by_traffic;
    int status = inlay_map(ask->app, ask->machine, &options, &mapping, diag);
    bool raised = inlay_diag_warnings(diag) > 0 && strstr(inlay_diag_warning(diag, 0), "raised") != NULL;
    bool is_default = reduce == INLAY_REDUCE_H2 && when == INLAY_REDUCE_AFTER && !by_traffic;
    if (status == INLAY_OK && (is_default || !raised)) {
        double other = measured(ask, inlay_mapping_summary(mapping));
        ck_assert_msg(isnan(other) || shortest_at(ask, processors) <= other * (1 + 1e-12),
                      "seed %d, P = %d, reduce %d %d %d: %.17g, mapping has %.17g", ask->seed, processors, reduce, when,
                      by_traffic, shortest_at(ask, processors), other);
    }
    inlay_mapping_free(mapping);
    inlay_diag_free(diag);
}

static void expect_no_longer_points(const question *ask)
{
    inlay_id most = inlay_machine_processors(ask->machine);
    for (inlay_id processors = 1; processors <= most; processors++) {
        for (inlay_reduce_when when = INLAY_REDUCE_AFTER; when <= INLAY_REDUCE_BEFORE; when++) {
            expect_not_longer_than_map(ask, processors, INLAY_REDUCE_H2, when, false);
            expect_not_longer_than_map(ask, processors, INLAY_REDUCE_H2, when, true);
            expect_not_longer_than_map(ask, processors, INLAY_REDUCE_H1, when, false);
        }
    }
}

/* One clustering alone is reduced: what mapping does is looked at all the same. */
static void answer_with_least(question *ask)
{
    inlay_pareto_free(ask->result);
    ask->options.candidates = (int64_t)INLAY_PARETO_LEAST * inlay_machine_processors(ask->machine);
    ask->options.points = 1;
    answer(ask);
}

START_TEST(no_point_is_longer_than_mappings)
{
    question ask;
    open_question(&ask, 3000 + _i, RANDOM_EVERYTHING);
    if (_i % 2 == 0) {
        answer_with_least(&ask);
    }
    expect_no_longer_points(&ask);
    close_question(&ask);
}
END_TEST

/* Then mapping raises its time frame, and its clusters become others. */
START_TEST(nor_where_the_network_is_saturated)
{
    static const char *const units[] = {"", "s", "ms", "us", "ns", "tick"};
    char text[80];
    question ask;
    open_question(&ask, 9000 + _i, RANDOM_BLOCKING | RANDOM_BLOCKS | RANDOM_DECIMALS | RANDOM_PINS);
    inlay_machine_free(ask.machine);
    snprintf(text, sizeof text, "bus:12,capacity=0.0%dmsg/%s", 1 + _i % 9, units[inlay_app_unit(ask.app)]);
    ck_assert_int_eq(inlay_machine_parse(text, &ask.machine, NULL), INLAY_OK);
    answer_with_least(&ask);
    expect_no_longer_points(&ask);
    close_question(&ask);
}
END_TEST

/* All that other public calls come to: the shortest by clusters. */
typedef struct rivals {
    const question *ask;
    double best[MOST_PROCESSORS + 1];
} rivals;

static inlay_duration grains(const question *ask, inlay_time time)
{
    return (inlay_duration){{time, inlay_app_decimals(ask->app)}, inlay_app_unit(ask->app)};
}

/* A clustering on processors in order, at T or max(largest work, total work / clusters), whichever is longer. */
static void add_rival(rivals *all, const inlay_id *cluster_of, inlay_id clusters, inlay_duration at)
{
    const question *ask = all->ask;
    inlay_options options = ask->options.mapping;
    inlay_mapping *mapping = NULL;
    if (clusters > inlay_machine_processors(ask->machine)) {
        return;
    }
    options.processors = clusters;
    ck_assert_int_eq(inlay_evaluate(ask->app, ask->machine, cluster_of, &options, &mapping, NULL), INLAY_OK);
    if (inlay_mapping_summary(mapping)->time_frame < inlay_decimal_double(at.value)) {
        inlay_mapping_free(mapping);
        options.has_time_frame = true;
        options.time_frame = at;
        ck_assert_int_eq(inlay_evaluate(ask->app, ask->machine, cluster_of, &options, &mapping, NULL), INLAY_OK);
    }
    all->best[clusters] = fmin(all->best[clusters], measured(ask, inlay_mapping_summary(mapping)));
    inlay_mapping_free(mapping);
}

static void reduce_each(rivals *all, const inlay_clustering *start, inlay_duration at)
{
    const question *ask = all->ask;
    add_rival(all, start->cluster_of, start->clusters, at);
    for (int rule = 0; rule < PARETO_RULES; rule++) {
        for (inlay_id to = 1; to < start->clusters && to <= inlay_machine_processors(ask->machine); to++) {
            inlay_clustering reduced = {0};
            inlay_options options = ask->options.mapping;
            options.processors = to;
            options.reduce = pareto_rules[rule].heuristic;
            options.reduce_by_traffic = pareto_rules[rule].by_traffic;
            ck_assert_int_eq(inlay_reduce_clusters(ask->app, ask->machine, &options, start, &reduced, NULL), INLAY_OK);
            add_rival(all, reduced.cluster_of, reduced.clusters, at);
            inlay_clustering_clear(&reduced);
        }
    }
}

static int add_row(void *context, const inlay_sweep_step *step)
{
    rivals *all = context;
    size_t size = (size_t)inlay_app_modules(all->ask->app) * sizeof(inlay_id);
    inlay_clustering start = {.clusters = step->clusters, .cluster_of = malloc(size)};
    memcpy(start.cluster_of, step->cluster_of, size);
    reduce_each(all, &start, grains(all->ask, step->time_frame));
    inlay_clustering_clear(&start);
    return 0;
}

/* Modules by themselves, at the T that they come to. */
static void add_modules(rivals *all)
{
    inlay_id modules = inlay_app_modules(all->ask->app);
    inlay_clustering start = {.clusters = modules, .cluster_of = malloc((size_t)modules * sizeof(inlay_id))};
    for (inlay_id i = 0; i < modules; i++) {
        start.cluster_of[i] = i;
    }
    reduce_each(all, &start, grains(all->ask, 0));
    inlay_clustering_clear(&start);
}

/* What mapping clusters at its own T for every number of processors. */
static void add_mappings(rivals *all, int rule)
{
    const question *ask = all->ask;
    inlay_id modules = inlay_app_modules(ask->app);
    inlay_id *cluster_of = malloc((size_t)modules * sizeof *cluster_of);
    for (inlay_id processors = 1; processors <= inlay_machine_processors(ask->machine); processors++) {
        inlay_options options = ask->options.mapping;
        inlay_mapping *mapping = NULL;
        inlay_diag *diag = inlay_diag_new();
        inlay_duration at = {.unit = inlay_app_unit(ask->app)};
        options.processors = processors;
        options.reduce = pareto_rules[rule].heuristic;
        options.reduce_by_traffic = pareto_rules[rule].by_traffic;
        bool found = inlay_map(ask->app, ask->machine, &options, &mapping, diag) == INLAY_OK;
        bool raised = found && inlay_diag_warnings(diag) > 0 && strstr(inlay_diag_warning(diag, 0), "raised") != NULL;
        if (found && (rule == 0 || !raised)) {
            for (inlay_id i = 0; i < modules; i++) {
                cluster_of[i] = inlay_mapping_cluster_of(mapping, i);
            }
            ck_assert_int_eq(inlay_decimal_parse(inlay_mapping_summary(mapping)->time_frame_text, &at.value), INLAY_OK);
            add_rival(all, cluster_of, inlay_mapping_summary(mapping)->clusters, at);
        }
        inlay_mapping_free(mapping);
        inlay_diag_free(diag);
    }
    free(cluster_of);
}

static void expect_best(const question *ask, const rivals *all)
{
    double best = INFINITY;
    for (size_t i = 0; i < points_of(ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask->result, i);
        ck_assert_int_eq(point->processors, (inlay_id)i + 1);
        best = fmin(best, all->best[point->processors]);
        ck_assert_msg(point->elapsed <= best * (1 + 1e-12), "seed %d, P = %d: %.17g, not %.17g", ask->seed,
                      point->processors, point->elapsed, best);
        /* without what is reduced first and clustered then, these are all candidates that there are */
        ck_assert_msg(point->method == INLAY_PARETO_BEFORE || point->elapsed >= best * (1 - 1e-12),
                      "seed %d, P = %d: %.17g, not %.17g", ask->seed, point->processors, point->elapsed, best);
    }
}

/* Without blocks and pins, and where distance does not matter, placements are clusterings. */
START_TEST(points_are_the_best_of_all)
{
    question ask;
    open_question(&ask, 4000 + _i, RANDOM_BLOCKING | RANDOM_TRAFFIC_ONLY | RANDOM_DECIMALS);
    rivals all = {.ask = &ask};
    inlay_sweep_result *sweep = NULL;
    inlay_sweep_options options = {.mapping = ask.options.mapping, .each = add_row, .context = &all};
    for (inlay_id c = 0; c <= MOST_PROCESSORS; c++) {
        all.best[c] = INFINITY;
    }
    if (!inlay_machine_has_distance(ask.machine)) {
        ck_assert_int_eq(inlay_sweep(ask.app, ask.machine, &options, &sweep, NULL), INLAY_OK);
        add_modules(&all);
        for (int rule = 0; rule < PARETO_RULES; rule++) {
            add_mappings(&all, rule);
        }
        ck_assert(inlay_pareto_summary_of(ask.result)->complete);
        expect_best(&ask, &all);
    }
    inlay_sweep_free(sweep);
    close_question(&ask);
}
END_TEST

Suite *suite_pareto(void)
{
    Suite *suite = suite_create("front");
    TCase *tests = tcase_create("front");
    tcase_add_loop_test(tests, points_are_mappings, 0, SEEDS);
    tcase_add_loop_test(tests, points_are_accepted_by_the_checker, 0, SEEDS / 2);
    tcase_add_loop_test(tests, front_and_knee_by_trying_all, 0, SEEDS);
    tcase_add_loop_test(tests, no_point_is_longer_than_mappings, 0, SEEDS);
    tcase_add_loop_test(tests, nor_where_the_network_is_saturated, 0, SEEDS);
    tcase_add_loop_test(tests, points_are_the_best_of_all, 0, SEEDS);
    suite_add_tcase(suite, tests);
    return suite;
}
