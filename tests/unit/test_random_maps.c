/*
 * The library against the slow reference on random applications: clusterings under several time frames, next frames,
 * reductions, estimates. A failing seed is named, so that it can be run alone.
 */
#include "drawn.h"
#include "map_by_houstis.h"
#include "base/plain.h"
#include "random_app.h"
#include "slow.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_RANDOM_MAPS, MOST_MODULES = 12, PROCESSORS = 16 };

/** One random question. */
typedef struct question {
    int seed;
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    slow_problem problem;
} question;

/* ---- Asking ---- */

/** A machine on which `frame` grains are enough for all traffic at once: u stays below 0.8. */
static inlay_machine *random_machine(question *ask, bool in_bytes, inlay_time frame)
{
    static const char *const units[] = {"", "s", "ms", "us", "ns", "tick"};
    const char *unit = units[inlay_app_unit(ask->app)];
    bool common = inlay_app_blocks(ask->app) == 0 && random_once_in(&ask->state, 3);
    int64_t memory = 4096 + random_below(&ask->state, 6) * 4096;
    char text[400], capacity[64], extras[128] = "";
    int64_t all = 1;
    for (int i = 0; i < ask->problem.modules; i++)
        for (int j = 0; j < ask->problem.modules; j++)
            all += ask->problem.traffic[i][j];
    if (inlay_app_data(ask->app) > 0) all *= 2; /* of two data, a link has the messages of the larger alone */
    double span = fmax(1, (double)frame) * (double)ask->problem.grain;
    plain_print(capacity, sizeof capacity, "%.6f%s/%s", 2.5 * (double)all / span, in_bytes ? "B" : "msg", unit);
    if (random_once_in(&ask->state, 3))
        snprintf(extras, sizeof extras, ",transfers=%s,latency=2%s", random_once_in(&ask->state, 2) ? "1.5" : "2",
                 unit);
    if (random_once_in(&ask->state, 2)) strcat(extras, ",broadcast=tree");
    snprintf(text, sizeof text, "bus:%d,memory=%s,capacity=%s,processor_memory=%lld%s%s", PROCESSORS,
             common ? "common" : "distributed", capacity, (long long)memory,
             random_once_in(&ask->state, 3) ? ",message_size=1500B" : "", extras);
    inlay_machine *machine = NULL;
    ck_assert_msg(inlay_machine_parse(text, &machine, NULL) == INLAY_OK, "seed %d: %s", ask->seed, text);
    return machine;
}

/** Twice: the first machine only tells what the traffic is. */
static void choose_machine(question *ask)
{
    ask->problem.grain = 1;
    bool in_bytes = random_once_in(&ask->state, 3);
    uint64_t state = ask->state;
    for (int round = 0; round < 2; round++) {
        ask->state = state;
        inlay_time frame = round == 0 ? 1 : slow_least_frame(&ask->problem);
        inlay_machine *machine = random_machine(ask, in_bytes, frame);
        inlay_machine_free(ask->machine);
        ask->machine = machine;
        slow_read(ask->app, ask->machine, &ask->options, &ask->problem);
    }
}

static void expect_times(const question *ask, const random_times *times)
{
    int64_t theirs = 1, ours = 1;
    for (int d = inlay_app_decimals(ask->app); d < times->decimals; d++)
        theirs *= 10;
    for (int d = times->decimals; d < inlay_app_decimals(ask->app); d++)
        ours *= 10;
    for (inlay_id i = 0; i < inlay_app_modules(ask->app); i++) {
        ck_assert_int_eq(inlay_app_time(ask->app, i) * theirs, times->time[i] * ours);
        if (inlay_app_has_blocking(ask->app))
            ck_assert_int_eq(inlay_app_blocking(ask->app, i) * theirs, times->blocking[i] * ours);
    }
}

static void open_question(question *ask, int seed)
{
    random_times times;
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    ask->state = (uint64_t)seed;
    inlay_id modules = 1 + (inlay_id)random_below(&ask->state, MOST_MODULES);
    unsigned features = (unsigned)random_next(&ask->state) & (RANDOM_EVERYTHING | RANDOM_DATA);
    ask->app = random_app(&ask->state, modules, features, &times);
    expect_times(ask, &times);

    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    ask->options.parallel = random_once_in(&ask->state, 2) ? INLAY_PARALLEL_LEVEL : INLAY_PARALLEL_OVERLAP;
    ask->options.keep_unrelated = random_once_in(&ask->state, 3);
    ask->options.blocking = blocking[random_below(&ask->state, 3)];
    ask->options.copies = random_once_in(&ask->state, 4) ? INLAY_COPIES_EACH : INLAY_COPIES_ONCE;
    choose_machine(ask);
}

static void close_question(question *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

static inlay_time total_work(const question *ask)
{
    inlay_time total = 0;
    for (int i = 0; i < ask->problem.modules; i++)
        total += ask->problem.work[i];
    return total;
}

static void set_frame(question *ask, inlay_time frame)
{
    ask->options.has_time_frame = true;
    ask->options.time_frame = (inlay_duration){{frame, inlay_app_decimals(ask->app)}, inlay_app_unit(ask->app)};
}

/* ---- Comparing ---- */

static void same_clusters(const question *ask, const char *what, const slow_clusters *expected,
                          const inlay_clustering *found)
{
    inlay_id number[SLOW_MODULES], count = 0;
    for (int i = 0; i < ask->problem.modules; i++) {
        number[i] = expected->of[i] == i ? count++ : number[expected->of[i]];
        ck_assert_msg(found->cluster_of[i] == number[i], "seed %d, T %lld: %s: module %d is in cluster %d, not in %d",
                      ask->seed, (long long)ask->options.time_frame.value.digits, what, i, (int)found->cluster_of[i],
                      (int)number[i]);
    }
    ck_assert_int_eq(found->clusters, count);
}

/** The next frame is the least sum that would have been taken, and below it the reference finds one clustering. */
static void right_next_frame(const question *ask, inlay_time frame, const slow_clusters *clusters, inlay_time next,
                             const inlay_clustering *found)
{
    ck_assert_msg(found->next_known == (next < INT64_MAX) && (!found->next_known || found->next_frame == next),
                  "seed %d, T %lld: next frame %lld, not %lld", ask->seed, (long long)frame,
                  found->next_known ? (long long)found->next_frame : -1, (long long)next);
    slow_clusters again;
    inlay_time ignored, last = next < INT64_MAX ? next - 1 : frame + total_work(ask);
    inlay_time step = (last - frame) / 8 + 1;
    for (inlay_time at = frame; at <= last; at = at < last && at + step > last ? last : at + step) {
        ck_assert(slow_greedy(&ask->problem, at, &again, &ignored));
        ck_assert_mem_eq(again.of, clusters->of, sizeof(int) * (size_t)ask->problem.modules);
    }
}

/** The greedy rule at T, twice; the frame at which to look next, or -1. */
static inlay_time compare_at(question *ask, inlay_time frame)
{
    slow_clusters clusters;
    inlay_time next;
    inlay_clustering found = {0}, again = {0};
    set_frame(ask, frame);
    bool answer = slow_greedy(&ask->problem, frame, &clusters, &next);
    int status = inlay_cluster(ask->app, ask->machine, &ask->options, &found, NULL);
    ck_assert_msg(status == (answer ? INLAY_OK : INLAY_NO_ANSWER), "seed %d, T %lld: status %d", ask->seed,
                  (long long)frame, status);
    if (!answer) return -1;
    same_clusters(ask, "greedy", &clusters, &found);
    right_next_frame(ask, frame, &clusters, next, &found);

    ck_assert_int_eq(inlay_cluster(ask->app, ask->machine, &ask->options, &again, NULL), INLAY_OK);
    ck_assert_int_eq(again.next_known, found.next_known);
    ck_assert_int_eq(again.next_frame, found.next_frame);
    same_clusters(ask, "again", &clusters, &again);
    inlay_clustering_clear(&found);
    inlay_clustering_clear(&again);
    return next < INT64_MAX ? next : -1;
}

START_TEST(test_greedy)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        open_question(&ask, seed);
        inlay_time least = slow_least_frame(&ask.problem), total = total_work(&ask);
        if (least > 1) compare_at(&ask, least - 1);
        inlay_time frame = least > 0 ? least : 1;
        for (int steps = 0; frame > 0 && steps < 40; steps++)
            frame = compare_at(&ask, frame);
        for (int draws = 0; draws < 3; draws++)
            compare_at(&ask, least + 1 + random_below(&ask.state, total - least + 1));
        close_question(&ask);
    }
}
END_TEST

/** T between two grains counts as the lower one. */
START_TEST(test_frames_between_grains)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        slow_clusters clusters;
        inlay_time next;
        open_question(&ask, seed);
        inlay_time frame = slow_least_frame(&ask.problem) + random_below(&ask.state, 20);
        if (slow_greedy(&ask.problem, frame, &clusters, &next)) {
            inlay_clustering found = {0};
            set_frame(&ask, frame);
            ask.options.time_frame.value.digits = frame * 10 + 9;
            ask.options.time_frame.value.scale++;
            ck_assert_int_eq(inlay_cluster(ask.app, ask.machine, &ask.options, &found, NULL), INLAY_OK);
            same_clusters(&ask, "between grains", &clusters, &found);
            inlay_clustering_clear(&found);
        }
        close_question(&ask);
    }
}
END_TEST

/* ---- Reduction ---- */

static void compare_reduction(question *ask, const slow_clusters *start, inlay_time frame)
{
    inlay_id start_of[SLOW_MODULES];
    slow_clusters clusters = *start;
    inlay_clustering from = {.cluster_of = start_of}, found = {0};
    for (int i = 0; i < ask->problem.modules; i++)
        start_of[i] = start->of[i] == i ? from.clusters++ : start_of[start->of[i]];
    bool answer = slow_reduce(&ask->problem, ask->options.reduce, ask->options.reduce_by_traffic,
                              ask->options.processors, frame, &clusters);
    int status = inlay_reduce_clusters(ask->app, ask->machine, &ask->options, &from, &found, NULL);
    ck_assert_msg(status == (answer ? INLAY_OK : INLAY_NO_ANSWER), "seed %d, P %d: status %d", ask->seed,
                  (int)ask->options.processors, status);
    if (!answer) return;
    same_clusters(ask, ask->options.reduce == INLAY_REDUCE_H1 ? "H1" : "H2", &clusters, &found);
    inlay_clustering_clear(&found);
}

START_TEST(test_reductions)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        slow_clusters start;
        inlay_time next;
        open_question(&ask, seed);
        inlay_time least = slow_least_frame(&ask.problem), total = total_work(&ask);
        bool answer = slow_greedy(&ask.problem, least + random_below(&ask.state, total / 3 + 1), &start, &next);
        for (inlay_id processors = 1; answer && processors <= 4; processors++)
            for (int way = 0; way < 4; way++) {
                ask.options.processors = processors;
                ask.options.reduce = way == 0 ? INLAY_REDUCE_H1 : INLAY_REDUCE_H2;
                ask.options.reduce_by_traffic = way == 2;
                ask.options.has_time_frame = false;
                inlay_time frame = INT64_MAX;
                if (way == 3) set_frame(&ask, frame = total - random_below(&ask.state, (total - least) / 2 + 1) + 1);
                compare_reduction(&ask, &start, frame);
            }
        close_question(&ask);
    }
}
END_TEST

/* ---- Estimates ---- */

static void near(const question *ask, const char *what, double found, long double expected)
{
    double reference = (double)expected;
    ck_assert_msg(fabs(found - reference) <= 1e-9 * fmax(fabs(reference), (double)ask->problem.grain),
                  "seed %d: %s is %.15g, not %.15g", ask->seed, what, found, reference);
}

/** Data blocks may move once the placement stands, to a processor with room: let the reference's move alike. */
static void follow_blocks(const question *ask, const inlay_id *of, const inlay_mapping *mapping, slow_problem *problem)
{
    for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++) {
        inlay_id there = inlay_mapping_cluster(mapping, inlay_mapping_home(mapping, d)).processor, to = 0;
        if (of[slow_home(ask->app, d)] == there) continue;
        while (of[to] != there)
            to++;
        slow_move_block(ask->app, ask->machine, d, to, problem);
    }
    for (inlay_id p = 0; p < PROCESSORS; p++) {
        int64_t memory = 0;
        for (int i = 0; i < problem->modules; i++)
            memory += of[i] == p ? problem->memory[i] : 0;
        ck_assert_msg(memory <= problem->memory_limit, "seed %d: moved blocks do not fit", ask->seed);
    }
}

/** The figures of a mapping against the reference's, under T in the application's unit. */
static void compare_figures(const question *ask, const slow_problem *problem, const inlay_id *of, long double frame,
                            const inlay_mapping *mapping)
{
    slow_cost cost;
    slow_evaluate(problem, of, frame, &cost);
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    ck_assert_msg(summary->traffic == cost.traffic, "seed %d: traffic is %lld, not %lld", ask->seed,
                  (long long)summary->traffic, (long long)cost.traffic);
    near(ask, "u", summary->u, cost.u);
    near(ask, "tau", summary->tau, cost.tau);
    for (inlay_id i = 0; i < problem->modules; i++)
        near(ask, "a start", inlay_mapping_start(mapping, i), cost.start[i]);
    near(ask, "the estimate", summary->estimate, cost.estimate);
    ck_assert(summary->lower_bound <= summary->estimate * (1 + 1e-12));
    double busiest = 0;
    for (inlay_id c = 0; c < summary->clusters; c++)
        busiest = fmax(busiest, inlay_mapping_cluster(mapping, c).utilisation);
    near(ask, "the busiest processor", busiest, cost.busiest);
    long double fixed_point = slow_fixed_point(problem, of);
    if (isnan(fixed_point) || fixed_point < problem->grain)
        ck_assert(!(summary->estimate_fixed_point > (double)problem->grain));
    else
        near(ask, "the fixed point", summary->estimate_fixed_point, fixed_point);
}

static void compare_estimate(const question *ask, const inlay_id *of, inlay_time frame)
{
    slow_problem problem = ask->problem;
    inlay_mapping *mapping = NULL;
    int status = inlay_evaluate(ask->app, ask->machine, of, &ask->options, &mapping, NULL);
    ck_assert_msg(status == INLAY_OK, "seed %d: evaluate: status %d", ask->seed, status);
    follow_blocks(ask, of, mapping, &problem);
    compare_figures(ask, &problem, of, (long double)frame * problem.grain, mapping);
    inlay_mapping_free(mapping);
}

/** Placements that keep the memory and the pins. */
static bool random_placement(question *ask, inlay_id *of)
{
    int64_t used[PROCESSORS] = {0};
    for (int i = 0; i < ask->problem.modules; i++) {
        of[i] = (inlay_id)random_below(&ask->state, random_once_in(&ask->state, 2) ? 3 : PROCESSORS);
        if (ask->problem.pin[i] >= 0) of[i] = ask->problem.pin[i];
        used[of[i]] += ask->problem.memory[i];
        if (used[of[i]] > ask->problem.memory_limit) return false;
    }
    return true;
}

START_TEST(test_estimates)
{
    int compared = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        inlay_id of[SLOW_MODULES];
        open_question(&ask, seed);
        if (random_once_in(&ask.state, 3)) {
            /* With the file's b and finish to start, overlap has two readings; clusters play no part here. */
            ask.options.start = INLAY_START_FINISH;
            ask.options.parallel = INLAY_PARALLEL_LEVEL;
            slow_read(ask.app, ask.machine, &ask.options, &ask.problem);
        }
        inlay_time least = slow_least_frame(&ask.problem);
        for (int draws = 0; draws < 3; draws++) {
            inlay_time frame = least + 1 + random_below(&ask.state, 2 * least + 1);
            set_frame(&ask, frame);
            if (!random_placement(&ask, of)) continue;
            compare_estimate(&ask, of, frame);
            compared++;
        }
        close_question(&ask);
    }
    ck_assert_int_gt(compared, 2 * SEEDS);
}
END_TEST

/* ---- The whole mapping ---- */

/** What the reference makes of a question without -T: T = max(largest work, total work / P) in grains, rounded down. */
static bool map_slowly(const question *ask, slow_clusters *clusters)
{
    inlay_time next, least = slow_least_frame(&ask->problem), shared = total_work(ask) / ask->options.processors;
    return slow_greedy(&ask->problem, least > shared ? least : shared, clusters, &next) &&
           slow_reduce(&ask->problem, ask->options.reduce, false, ask->options.processors, INT64_MAX, clusters);
}

static void compare_mapping(const question *ask, const slow_clusters *clusters, const inlay_mapping *mapping)
{
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    slow_problem problem = ask->problem;
    double grain = (double)problem.grain, shared = (double)total_work(ask) * grain / ask->options.processors;
    double expected = fmax((double)slow_least_frame(&problem) * grain, shared);
    /* Where nothing takes time, any T will do. */
    ck_assert_msg(expected > 0 ? fabs(summary->time_frame - expected) < grain : summary->time_frame > 0,
                  "seed %d: T is %.15g, not %.15g", ask->seed, summary->time_frame, expected);

    inlay_id of[SLOW_MODULES], cluster_of[SLOW_MODULES];
    for (inlay_id i = 0; i < problem.modules; i++) {
        cluster_of[i] = inlay_mapping_cluster_of(mapping, i);
        of[i] = inlay_mapping_cluster(mapping, cluster_of[i]).processor;
        ck_assert(problem.pin[i] < 0 || of[i] == problem.pin[i]);
    }
    inlay_clustering found = {.clusters = summary->clusters, .cluster_of = cluster_of};
    same_clusters(ask, "mapping", clusters, &found);
    follow_blocks(ask, of, mapping, &problem);
    compare_figures(ask, &problem, of, (long double)summary->time_frame, mapping);
}

/** Default time frame, clusters, reduction to a few processors, estimate. */
START_TEST(test_maps)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        slow_clusters clusters;
        open_question(&ask, seed);
        ask.options.processors = 3 + (inlay_id)random_below(&ask.state, 4);
        ask.options.reduce = random_once_in(&ask.state, 2) ? INLAY_REDUCE_H1 : INLAY_REDUCE_H2;
        bool answer = map_slowly(&ask, &clusters);
        inlay_mapping *mapping = NULL;
        int status = map_by_houstis(ask.app, ask.machine, &ask.options, &mapping, NULL);
        ck_assert_msg(status == (answer ? INLAY_OK : INLAY_NO_ANSWER), "seed %d: map: status %d", seed, status);
        if (answer) compare_mapping(&ask, &clusters, mapping);
        inlay_mapping_free(mapping);
        close_question(&ask);
    }
}
END_TEST

Suite *suite_random_maps(void)
{
    Suite *suite = suite_create("random maps");
    TCase *tests = tcase_create("random maps");
    tcase_add_test(tests, test_greedy);
    tcase_add_test(tests, test_frames_between_grains);
    tcase_add_test(tests, test_reductions);
    tcase_add_test(tests, test_estimates);
    tcase_add_test(tests, test_maps);
    suite_add_tcase(suite, tests);
    return suite;
}
