/*
 * Processors that differ in type, speed, memory and cores, on hosts around one switch, against the rules of docs/links.md
 * counted anew: times on each processor, work, bounds, the default time frame, the estimate. The independent checker accepts
 * all of it, and objects to what was altered.
 */
#include "drawn.h"
#include "map_by_houstis.h"
#include "check_subject.h"
#include "random_app.h"
#include "slow_unlike.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_UNLIKE };

/* ---- Comparing ---- */

static void near(const slow_unlike *ask, const char *what, double found, long double expected)
{
    ck_assert_msg(fabs(found - (double)expected) <= 1e-9 * fabs((double)expected) + 1e-15,
                  "seed %d: %s is %.15g, not %.15Lg", ask->seed, what, found, expected);
}

static void compare_clusters(const slow_unlike *ask, const inlay_summary *s)
{
    for (inlay_id c = 0; c < s->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(ask->mapping, c);
        const slow_host *h = &ask->host[ask->host_of[info.processor]];
        long double busy = 0, rest = 0, sent = 0;
        int64_t memory = 0;
        for (int i = 0; i < ask->modules; i++) {
            if (ask->of[i] != info.processor) continue;
            busy += (long double)slow_unlike_time(ask, i, h) / h->speed;
            rest += (long double)ask->waits[i] / ask->fastest;
            memory += inlay_app_memory(ask->app, i);
        }
        for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
            if (slow_unlike_home(ask, d) == info.processor) {
                rest += (long double)inlay_app_block_time(ask->app, d) / ask->fastest;
                memory += inlay_app_block_size(ask->app, d);
            }
        for (int to = 0; to < ask->processors; to++)
            if (ask->traffic[info.processor][to] > 0)
                sent += (long double)ask->traffic[info.processor][to] *
                        slow_unlike_tau(ask, info.processor, to, s->time_frame);
        near(ask, "busy", info.busy, busy);
        near(ask, "work", info.work, busy + rest);
        ck_assert_msg(info.memory == memory, "seed %d: memory", ask->seed);
        near(ask, "a utilisation", info.utilisation, (busy + rest + sent) / s->time_frame);
    }
}

static void compare_bounds(const slow_unlike *ask, const inlay_summary *s)
{
    inlay_time start[UNLIKE_MODULES], total = 0, longest = 0;
    long double path = (long double)slow_unlike_earliest(ask, start) / ask->fastest,
                rate = slow_unlike_rate(ask, s->processors);
    for (int i = 0; i < ask->modules; i++) {
        total += ask->best[i];
        longest = ask->best[i] > longest ? ask->best[i] : longest;
    }
    long double work = total > 0 ? (long double)total / rate : 0;
    near(ask, "the critical path", s->bound_critical_path, path);
    near(ask, "the longest module", s->bound_longest, (long double)longest / ask->fastest);
    ck_assert_msg(s->bound_work >= (double)work * (1 - 1e-9), "seed %d: weights are worse than rates", ask->seed);
    ck_assert_msg(s->lower_bound >= fmax(s->bound_critical_path, s->bound_work), "seed %d: the largest", ask->seed);
    ck_assert_msg(s->lower_bound <= s->elapsed * (1 + 1e-9), "seed %d: no lower bound", ask->seed);
    if (s->elapsed > 0) near(ask, "speedup", s->speedup, (long double)total / ask->fastest / s->elapsed);
}

static void compare(slow_unlike *ask, const inlay_mapping *mapping)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    long double start[UNLIKE_MODULES], time = 0;
    int64_t carried = 0;
    slow_unlike_lay(ask, mapping);
    near(ask, "u", s->u, ask->busiest / s->time_frame);
    for (int from = 0; from < ask->processors; from++)
        for (int to = 0; to < ask->processors; to++) {
            bool far = ask->host_of[from] != ask->host_of[to];
            if (ask->traffic[from][to] > 0)
                time += (long double)ask->traffic[from][to] * slow_unlike_tau(ask, from, to, s->time_frame);
            carried += far ? 2 * ask->traffic[from][to] : 0;
        }
    ck_assert_int_eq(s->weighted_traffic, carried);
    if (carried > 0) near(ask, "tau", s->tau, time / (long double)carried);
    compare_clusters(ask, s);
    compare_bounds(ask, s);
    near(ask, "the estimate", s->estimate, slow_unlike_elapsed(ask, s->time_frame, start));
    for (int i = 0; i < ask->modules; i++)
        near(ask, "a start", inlay_mapping_start(mapping, i), start[i]);
}

/** The module that a block counts with before anything is placed: most messages, the smallest number. */
static inlay_id first_home(const slow_unlike *ask, inlay_id block)
{
    inlay_links uses = inlay_app_uses(ask->app, block);
    int64_t best = 0;
    for (int64_t u = 1; u < uses.count; u++)
        best = uses.messages[u] > uses.messages[best] ? u : best;
    return uses.module[best];
}

/** max(largest work, total work / what P processors do), in units of time. */
static long double least_frame(const slow_unlike *ask, int processors)
{
    long double work[UNLIKE_MODULES], largest = 0, all = 0;
    for (int i = 0; i < ask->modules; i++)
        work[i] = (long double)ask->best[i] + (long double)ask->waits[i];
    for (inlay_id d = 0; d < inlay_app_blocks(ask->app); d++)
        work[first_home(ask, d)] += (long double)inlay_app_block_time(ask->app, d);
    for (int i = 0; i < ask->modules; i++) {
        largest = fmaxl(largest, work[i]);
        all += work[i];
    }
    long double rate = slow_unlike_rate(ask, processors);
    return fmaxl(largest / ask->fastest, rate > 0 ? all / rate : 0);
}

static bool some_time(const slow_unlike *ask)
{
    for (int i = 0; i < ask->modules; i++)
        if (ask->best[i] > 0) return true;
    return false;
}

static void write_and_check(const slow_unlike *ask, const char *command, const inlay_mapping *mapping)
{
    char what[40];
    inlay_origin origin = {.command = command, .app_path = subject_app(), .app_format = "dot"};
    snprintf(what, sizeof what, "seed %d", ask->seed);
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    subject_findings(NULL, true, what);
}

/** By default T of a placement is what the work needs, or twice what the busiest link does. */
START_TEST(placements)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        slow_unlike ask;
        inlay_id of[UNLIKE_MODULES];
        inlay_mapping *mapping = NULL;
        slow_unlike_open(&ask, seed);
        for (int i = 0; i < ask.modules; i++)
            of[i] = (inlay_id)random_below(&ask.state, ask.processors);
        if (some_time(&ask)) {
            int status = inlay_evaluate(ask.app, ask.machine, of, &ask.options, &mapping, NULL);
            ck_assert_msg(status == INLAY_OK, "seed %d: status %d", seed, status);
            compare(&ask, mapping);
            long double least = least_frame(&ask, ask.processors), all = ask.busiest < least ? least : 2 * ask.busiest;
            ck_assert_msg(fabsl(inlay_mapping_summary(mapping)->time_frame - all) <= 3e-11L * all,
                          "seed %d: T is %.15g, not %.15Lg", seed, inlay_mapping_summary(mapping)->time_frame, all);
            write_and_check(&ask, "evaluate", mapping);
            inlay_mapping_free(mapping);
        }
        slow_unlike_close(&ask);
    }
}
END_TEST

/** Hosts have the memory for what the method puts there. */
static void check_memory(const slow_unlike *ask, const inlay_mapping *mapping)
{
    int64_t used[UNLIKE_HOSTS] = {0};
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        used[ask->host_of[info.processor]] += info.memory;
    }
    for (int i = 0; i < ask->hosts; i++)
        ck_assert_msg(ask->host[i].memory < 0 || used[i] <= ask->host[i].memory, "seed %d: host %d is full", ask->seed,
                      i);
}

START_TEST(maps)
{
    int compared = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        slow_unlike ask;
        inlay_mapping *mapping = NULL;
        slow_unlike_open(&ask, seed);
        if (random_once_in(&ask.state, 2))
            ask.options.processors = 1 + (inlay_id)random_below(&ask.state, ask.processors);
        if (some_time(&ask) && map_by_houstis(ask.app, ask.machine, &ask.options, &mapping, NULL) == INLAY_OK) {
            const inlay_summary *s = inlay_mapping_summary(mapping);
            compare(&ask, mapping);
            ck_assert_msg(s->time_frame >= (double)least_frame(&ask, s->processors) * (1 - 1e-12), "seed %d: T", seed);
            check_memory(&ask, mapping);
            write_and_check(&ask, "map", mapping);
            compared++;
        }
        inlay_mapping_free(mapping);
        slow_unlike_close(&ask);
    }
    ck_assert_int_gt(compared, SEEDS * 3 / 4);
}
END_TEST

/* ---- By hand ---- */

static const char hand_app[] = "digraph g { graph [time_unit=tick];\n"
                               "a [time=30, \"time.gpu\"=8]; b [time=24]; c [time=12, \"time.gpu\"=40];\n"
                               "a -> b [messages=2]; a -> c [messages=1]; }";
static const char hand_machine[] = "graph m { graph [network=links]; s [kind=switch];\n"
                                   "slow; fast [speed=3]; gpu [type=gpu, speed=2];\n"
                                   "edge [capacity=\"1msg/tick\"]; slow -- s; fast -- s; gpu -- s; }";

static inlay_mapping *by_hand(const inlay_id *of, inlay_app **app, inlay_machine **machine)
{
    inlay_mapping *mapping = NULL;
    inlay_options options = {.has_time_frame = true, .time_frame = {{100, 0}, INLAY_UNIT_NONE}};
    inlay_origin origin = {.command = "evaluate", .app_path = subject_app(), .app_format = "dot"};
    *app = subject_read(hand_app);
    ck_assert_int_eq(inlay_machine_read_memory(hand_machine, strlen(hand_machine), "m.dot", "dot", machine, NULL),
                     INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(*app, *machine, of, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    return mapping;
}

/**
 * a takes 30, 10 and 4 on slow, fast and gpu; b 24, 8, 12; c 12, 4, 20. Counted at speed 3 the least are 12, 24 and 12.
 */
START_TEST(three_by_hand)
{
    static const inlay_id of[] = {2, 1, 0};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = by_hand(of, &app, &machine);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    double bound = (12 + 24) / 3.0;
    ck_assert_double_eq(inlay_mapping_cluster(mapping, 0).busy, 4);
    ck_assert_double_eq(inlay_mapping_cluster(mapping, 1).busy, 8);
    ck_assert_double_eq(inlay_mapping_cluster(mapping, 2).busy, 12);
    ck_assert_double_eq_tol(s->bound_critical_path, bound, 1e-12);
    ck_assert_double_eq_tol(s->bound_longest, 8, 1e-12);
    /* in T slow does T of b and c, fast 3 T, and gpu, with a, (T - 4) / 12 of b, which is 2 (T - 4) there: 36 in all */
    ck_assert_double_eq_tol(s->bound_work, 22 / 3.0, 1e-12);
    ck_assert_double_eq_tol(s->speedup * s->elapsed, 16, 1e-9);
    /* gpu sends 3 in 100 ticks, so D = 1 + 0.03/1.94; fast takes 2, slow 1 */
    double b = 4 + 2 * (2 + 0.03 / 1.94 + 0.02 / 1.96) + 8, c = 4 + (2 + 0.03 / 1.94 + 0.01 / 1.98) + 12;
    ck_assert_double_eq_tol(s->estimate, fmax(b, c), 1e-12);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    subject_findings(NULL, true, "by hand");
}
END_TEST

static const alteration changes[] = {
    {"clusters.0.busy", "+"},
    {"clusters.0.busy", "30"},
    {"clusters.1.busy", "24"},
    {"clusters.2.work", "4"},
    {"clusters.1.work", "8.4"},
    {"clusters.0.processor", "0"},
    {"clusters.1.utilisation", "*"},
    {"makespan.lower_bound", "*"},
    {"makespan.lower_bound", "36"},
    {"makespan.bounds.critical_path", "36"},
    {"makespan.bounds.longest_module", "24"},
    {"makespan.bounds.work", "16"},
    {"makespan.estimate", "*"},
    {"makespan.estimate_fixed_point", "*"},
    {"makespan.gap", "*"},
    {"speedup", "*"},
    {"efficiency", "*"},
    {"network.u", "*"},
    {"network.tau", "*"},
};

START_TEST(objects_to_an_altered_figure)
{
    static const inlay_id of[] = {2, 1, 0};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping_free(by_hand(of, &app, &machine));
    inlay_machine_free(machine);
    inlay_app_free(app);
    json_t *root = subject_load();
    subject_alter(root, &changes[_i]);
    subject_save(root);
    ck_assert_msg(subject_findings(NULL, false, changes[_i].path) > 0, "%s = %s passed", changes[_i].path,
                  changes[_i].value);
}
END_TEST

/** Whether one of the findings says that another assignment of clusters to kinds would be better. */
static bool says_better(void)
{
    inlay_findings *findings = NULL;
    bool says = false;
    ck_assert_int_eq(inlay_check_file(subject_mapping(), NULL, &findings, NULL), INLAY_OK);
    for (size_t i = 0; i < inlay_findings_count(findings); i++)
        says |= strstr(inlay_findings_text(findings, i), "longest cluster takes longer") != NULL;
    inlay_findings_free(findings);
    return says;
}

/**
 * Layouts that are said to be the method's: the longest cluster of each may be no longer than in another. The best takes
 * 12, where b or c is on slow, fast or gpu takes b, and a is not on slow.
 */
START_TEST(knows_the_least_longest_cluster)
{
    static const struct {
        inlay_id of[3];
        bool best;
    } layouts[] = {{{2, 1, 0}, true},  {{1, 2, 0}, true},  {{1, 0, 2}, false},
                   {{0, 1, 2}, false}, {{0, 2, 1}, false}, {{2, 0, 1}, false}};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping_free(by_hand(layouts[_i].of, &app, &machine));
    inlay_machine_free(machine);
    inlay_app_free(app);
    ck_assert(!says_better());
    json_t *root = subject_load();
    json_object_set_new(root, "method", json_string("houstis"));
    subject_save(root);
    ck_assert_int_eq(says_better(), !layouts[_i].best);
}
END_TEST

Suite *suite_unlike(void)
{
    Suite *suite = suite_create("unlike");
    TCase *tests = tcase_create("unlike");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_test(tests, placements);
    tcase_add_test(tests, maps);
    tcase_add_test(tests, three_by_hand);
    tcase_add_loop_test(tests, objects_to_an_altered_figure, 0, (int)(sizeof changes / sizeof *changes));
    tcase_add_loop_test(tests, knows_the_least_longest_cluster, 0, 6);
    suite_add_tcase(suite, tests);
    return suite;
}
