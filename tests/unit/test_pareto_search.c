/*
 * How the front is searched: chains of reductions end where each by itself ends, nothing depends on threads, budgets and
 * ranges are kept, and wrong questions are refused.
 */
#include "pareto_subject.h"
#include "drawn.h"
#include "random_app.h"
#include "search/pareto.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_PARETO_SEARCH };

/* ---- Chains of reductions ---- */

static void expect_chain(const question *ask, const problem *p, int rule, const inlay_clustering *start)
{
    chain c;
    inlay_id *label = malloc((size_t)p->modules * sizeof *label);
    ck_assert_int_eq(chain_make(p, &pareto_rules[rule], start->cluster_of, start->clusters, &c), INLAY_OK);
    for (inlay_id to = start->clusters; to >= 1; to--) {
        inlay_clustering alone = {0};
        inlay_options options = p->options;
        options.processors = to;
        options.reduce = pareto_rules[rule].heuristic;
        options.reduce_by_traffic = pareto_rules[rule].by_traffic;
        ck_assert_int_eq(chain_to(&c, to), INLAY_OK);
        partition_label(&c.rest, label);
        int status = inlay_reduce_clusters(ask->app, ask->machine, &options, start, &alone, NULL);
        ck_assert_msg((status == INLAY_OK) == (c.rest.count <= to), "seed %d, rule %d to %d", ask->seed, rule, to);
        ck_assert_msg(status != INLAY_OK || memcmp(label, alone.cluster_of, (size_t)p->modules * sizeof *label) == 0,
                      "seed %d, rule %d to %d", ask->seed, rule, to);
        inlay_clustering_clear(&alone);
    }
    chain_clear(&c);
    free(label);
}

START_TEST(chains_of_reductions_one_by_one)
{
    question ask;
    problem p;
    open_question(&ask, 5000 + _i, RANDOM_EVERYTHING & ~(unsigned)RANDOM_PINS);
    /* as many processors as modules, so that every number can be asked for */
    inlay_machine_free(ask.machine);
    const char *text = _i % 3 == 0 ? "bus:64,processor_memory=16KiB" : "bus:64";
    ck_assert_int_eq(inlay_machine_parse(text, &ask.machine, NULL), INLAY_OK);
    ask.options.mapping.tick_seconds = 1;
    if (problem_make(ask.app, ask.machine, &ask.options.mapping, &p, NULL) == INLAY_OK) {
        inlay_id *own = malloc((size_t)p.modules * sizeof *own);
        for (inlay_id i = 0; i < p.modules; i++) {
            own[i] = i;
        }
        for (int rule = 0; rule < PARETO_RULES; rule++) {
            expect_chain(&ask, &p, rule, &(inlay_clustering){.clusters = p.modules, .cluster_of = own});
        }
        free(own);
        problem_clear(&p);
    }
    close_question(&ask);
}
END_TEST

/* ---- Threads, budgets, ranges ---- */

static void expect_same(const question *a, const question *b)
{
    ck_assert_uint_eq(points_of(a), points_of(b));
    for (size_t i = 0; i < points_of(a); i++) {
        inlay_pareto_point x = *inlay_pareto_point_at(a->result, i), y = *inlay_pareto_point_at(b->result, i);
        ck_assert_int_eq(x.clusters, y.clusters);
        ck_assert_int_eq(x.method, y.method);
        ck_assert_int_eq(x.reduce, y.reduce);
        ck_assert(x.reduce_by_traffic == y.reduce_by_traffic && x.reduced_to == y.reduced_to);
        ck_assert(x.elapsed == y.elapsed && near(x.elapsed_all, y.elapsed_all) && x.traffic == y.traffic);
        ck_assert_str_eq(x.time_frame_text, y.time_frame_text);
        ck_assert_str_eq(x.clustered_text, y.clustered_text);
    }
}

START_TEST(same_points_in_any_number_of_threads)
{
    question ask;
    open_question(&ask, 6000 + _i, RANDOM_EVERYTHING);
    for (inlay_id threads = 1; threads <= 3; threads++) {
        question other = ask;
        other.options.threads = threads;
        answer(&other);
        expect_same(&ask, &other);
        inlay_pareto_free(other.result);
    }
    close_question(&ask);
}
END_TEST

START_TEST(budgets_are_kept_and_told)
{
    question ask;
    open_question(&ask, 7000 + _i, RANDOM_BLOCKING | RANDOM_DECIMALS);
    inlay_id most = inlay_machine_processors(ask.machine);
    most = inlay_app_modules(ask.app) < most ? inlay_app_modules(ask.app) : most;
    for (int64_t budget = 1; budget < 2000; budget = budget * 3 + 1) {
        question other = ask;
        other.options.candidates = budget;
        answer(&other);
        const inlay_pareto_summary *s = inlay_pareto_summary_of(other.result);
        const inlay_pareto_summary *all = inlay_pareto_summary_of(ask.result);
        int64_t allowed = budget > INLAY_PARETO_LEAST ? budget : INLAY_PARETO_LEAST;
        ck_assert_int_le(s->candidates, allowed);
        ck_assert(s->processors_sampled == (s->processors < most));
        ck_assert(s->complete == (!s->processors_sampled && s->time_frames == s->clusterings));
        ck_assert(s->candidates <= all->candidates && s->time_frames >= 1);
        ck_assert_int_eq(inlay_pareto_point_at(other.result, points_of(&other) - 1)->processors, most);
        for (size_t i = 0; i < points_of(&other); i++) { /* less that was looked at is never better */
            const inlay_pareto_point *point = inlay_pareto_point_at(other.result, i);
            ck_assert(point->elapsed >= shortest_at(&ask, point->processors));
            ck_assert(point->front == is_on_front(&other, i));
        }
        inlay_pareto_free(other.result);
    }
    close_question(&ask);
}
END_TEST

START_TEST(ranges_are_kept)
{
    question ask;
    open_question(&ask, 8000 + _i, RANDOM_BLOCKING);
    inlay_id most = inlay_machine_processors(ask.machine);
    for (inlay_id from = 1; from <= most; from += 2) {
        question other = ask;
        other.options.from = from;
        other.options.to = from + 1 < most ? from + 1 : most;
        answer(&other);
        ck_assert_ptr_nonnull(other.result);
        inlay_id first = inlay_pareto_point_at(other.result, 0)->processors;
        ck_assert_int_eq(first, from);
        ck_assert(inlay_pareto_point_at(other.result, 0)->front);
        ck_assert_uint_le(points_of(&other), 2);
        /* what is reduced to `from` is found in both; fewer processors may be better, which is not looked at here */
        ck_assert(shortest_at(&other, from) >= shortest_at(&ask, from));
        inlay_pareto_free(other.result);
    }
    close_question(&ask);
}
END_TEST

START_TEST(wrong_questions)
{
    static const inlay_pareto_options wrong[] = {{.from = 3, .to = 2}, {.from = -1},
                                                 {.to = 17},           {.candidates = -1},
                                                 {.points = -1},       {.mapping = {.has_time_frame = true}}};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_pareto_result *result = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/toy.dot", NULL, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:16", &machine, NULL), INLAY_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(inlay_pareto(app, machine, &wrong[i], &result, diag), INLAY_BAD_ARGUMENT);
        ck_assert_str_ne(inlay_diag_message(diag), "");
        ck_assert_ptr_null(result);
        inlay_diag_free(diag);
    }
    ck_assert_int_eq(inlay_pareto(app, machine, NULL, &result, NULL), INLAY_OK);
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_pareto_mapping(result, inlay_pareto_points(result), &mapping, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(mapping);
    inlay_pareto_free(result);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_pareto_search(void)
{
    Suite *suite = suite_create("search of the front");
    TCase *tests = tcase_create("search of the front");
    tcase_add_loop_test(tests, chains_of_reductions_one_by_one, 0, SEEDS);
    tcase_add_loop_test(tests, same_points_in_any_number_of_threads, 0, SEEDS / 3);
    tcase_add_loop_test(tests, budgets_are_kept_and_told, 0, SEEDS / 3);
    tcase_add_loop_test(tests, ranges_are_kept, 0, SEEDS / 3);
    tcase_add_test(tests, wrong_questions);
    suite_add_tcase(suite, tests);
    return suite;
}
