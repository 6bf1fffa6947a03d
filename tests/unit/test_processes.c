/* The best number of processes: Table 2 of the paper, all placements, and the paper's own algorithm. */
#include "processes_subject.h"
#include "random_app.h"
#include "slow_processes.h"
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* ---- Table 2 ---- */

static bool listed(const json_t *list, int64_t number)
{
    size_t i;
    json_t *value;
    json_array_foreach(list, i, value) if (json_integer_value(value) == number) return true;
    return false;
}

static void expect_feasible(const processes_subject *s, const json_t *row)
{
    int64_t processes[8];
    const json_t *range = json_object_get(row, "feasible");
    int64_t from = json_integer_value(json_array_get(range, 0));
    int64_t to = json_integer_value(json_array_get(range, 1));
    for (int64_t l = 1; l <= 600; l++) {
        bool expected = l >= from && l <= to && !listed(json_object_get(row, "holes"), l);
        ck_assert_msg(isfinite(processes_at(s, l, false, processes)) == expected, "l = %d", (int)l);
    }
}

static void expect_row(const json_t *golden, const json_t *row)
{
    processes_subject s;
    int processor[8];
    int64_t processes[8];
    const json_t *list = json_object_get(row, "processors");
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++)
        processor[i] = (int)json_integer_value(json_array_get(list, i));
    processes_paper(processor, count, json_number_value(json_object_get(golden, "a")),
                    json_number_value(json_object_get(golden, "b")), &s);
    inlay_process_plan *plan = processes_plan(&s, NULL);
    const inlay_process_answer *best = inlay_process_plan_at(plan, 0);
    double time = json_number_value(json_object_get(row, "t"));
    double hoho = json_number_value(json_object_get(row, "t_hoho"));
    ck_assert_int_eq(best->total, json_integer_value(json_object_get(row, "l")));
    ck_assert_double_eq_tol(best->time, time, 1e-12);
    ck_assert_double_eq_tol(inlay_process_plan_rivals(plan)->hoho, hoho, 1e-12);
    ck_assert(best->measured);
    processes_unfold(&s, best->share, processes);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(processes[i], json_integer_value(json_array_get(json_object_get(row, "expected"), i)));
    expect_feasible(&s, row);
    inlay_process_plan_free(plan);
    processes_subject_clear(&s);
}

START_TEST(table_2)
{
    json_t *file = unit_golden("processes");
    size_t i;
    json_t *row;
    json_t *rows = json_object_get(file, "rows");
    ck_assert_uint_eq(json_array_size(rows), 6);
    json_array_foreach(rows, i, row) expect_row(file, row);
    json_decref(file);
}
END_TEST

/* The paper's formula as printed cannot give Table 2: processes follow the order of l_i^3 / c_i. */
START_TEST(the_paper_s_form_spreads_more)
{
    processes_subject s;
    int64_t processes[2];
    processes_paper((int[]){1, 6}, 2, 18, 5, &s);
    inlay_performance_free(s.performance[0]);
    inlay_performance_numbers n = {1e6, 18, 5 * PAPER_DATA};
    ck_assert_int_eq(inlay_performance_formula(INLAY_PERFORMANCE_PAPER, &n, &s.performance[0], NULL), INLAY_OK);
    s.row[0].performance = s.row[1].performance = s.performance[0];
    (void)processes_at(&s, 4, true, processes);
    ck_assert_int_eq(processes[0], 2);
    ck_assert_int_eq(processes[1], 2);
    processes_subject_clear(&s);
}
END_TEST

/* Feasible l have holes, and the best may lie behind them or below p (spec: B HeHo). */
START_TEST(holes_are_no_end)
{
    processes_subject s;
    int64_t processes[2];
    inlay_performance_numbers n = {1, 40, 0};
    s = (processes_subject){.problem = {.rows = 2, .row = s.row, .data = 1000}};
    ck_assert_int_eq(inlay_performance_formula(INLAY_PERFORMANCE_OFFSET, &n, &s.performance[0], NULL), INLAY_OK);
    s.row[0] = s.row[1] = (inlay_processors){.count = 1, .performance = s.performance[0]};
    s.row[1].speed = 0.9;
    for (int64_t l = 1; l <= 40; l++)
        ck_assert_int_eq(isfinite(processes_at(&s, l, false, processes)), l == 2 || l == 13 || l == 15);
    inlay_process_plan *plan = processes_plan(&s, NULL);
    ck_assert_int_eq(inlay_process_plan_at(plan, 0)->total, 15);
    processes_unfold(&s, inlay_process_plan_at(plan, 0)->share, processes);
    ck_assert_int_eq(processes[0], 8);
    inlay_process_plan_free(plan);
    s.row[1].speed = 0.05;
    plan = processes_plan(&s, NULL);
    ck_assert_int_eq(inlay_process_plan_at(plan, 0)->total, 1);
    ck_assert_uint_eq(inlay_process_plan_at(plan, 0)->last, 0);
    ck_assert_int_eq(inlay_process_plan_at(plan, 0)->used, 1);
    inlay_process_plan_free(plan);
    processes_subject_clear(&s);
}
END_TEST

/* ---- All placements ---- */

START_TEST(no_placement_is_better)
{
    uint64_t state = 1;
    int infeasible = 0;
    for (int n = 0; n < 3000; n++) {
        processes_subject s;
        int64_t processes[SLOW_PROCESSORS];
        processes_random(&state, 3, 2, 60, &s);
        slow_platform platform = slow_platform_of(&s.problem);
        int64_t l = 1 + random_below(&state, s.problem.data < 7 ? s.problem.data : 7);
        for (int beyond = 0; beyond < 2; beyond++) {
            double limit = beyond ? INFINITY : slow_hoho(&platform);
            double wanted = slow_best(&platform, l, false, limit);
            double time = processes_at(&s, l, beyond, processes);
            ck_assert_msg(time == wanted, "problem %d: %.17g, best %.17g", n, time, wanted);
            infeasible += !isfinite(wanted);
        }
        processes_subject_clear(&s);
    }
    ck_assert_int_gt(infeasible, 500);
}
END_TEST

/* ---- The paper's algorithm ---- */

static bool has_plateaus(const slow_platform *platform, int64_t l)
{
    for (int i = 0; i < platform->processors; i++)
        for (int64_t k = 1; k < l; k++)
            if (!(slow_share_time(platform, i, k, l, false) < slow_share_time(platform, i, k + 1, l, false)))
                return true;
    return false;
}

/* A processor's place in the queue of the next ones. */
static bool ends_before(const double *next, int a, int b)
{
    return next[a] < next[b] || (next[a] == next[b] && a < b);
}

/* The paper's algorithm with a binary heap of the processors, in place of a look at all of them. */
static double heap_deal(const slow_platform *platform, int64_t l, int64_t *processes)
{
    double next[SLOW_PROCESSORS];
    double time = 0;
    int heap[SLOW_PROCESSORS];
    int count = platform->processors;
    for (int i = 0; i < count; i++) { /* each rises from the end to its place */
        int at = i;
        next[i] = slow_share_time(platform, i, 1, l, false);
        processes[i] = 0;
        for (; at > 0 && ends_before(next, i, heap[(at - 1) / 2]); at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
        heap[at] = i;
    }
    for (int64_t n = 0; n < l; n++) { /* the first takes one, and sinks */
        int first = heap[0];
        int at = 0;
        time = fmax(time, next[first]);
        next[first] = slow_share_time(platform, first, ++processes[first] + 1, l, false);
        for (int child = 1; child < count; child = 2 * at + 1) {
            child += child + 1 < count && ends_before(next, heap[child + 1], heap[child]) ? 1 : 0;
            if (!ends_before(next, heap[child], first)) break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = first;
    }
    return time;
}

static void expect_deal(const processes_subject *s, int64_t l, int seed)
{
    int64_t wanted[SLOW_PROCESSORS];
    int64_t processes[SLOW_PROCESSORS] = {0};
    slow_platform platform = slow_platform_of(&s->problem);
    for (int beyond = 0; beyond < 2; beyond++) {
        double time = slow_deal(&platform, l, false, beyond ? INFINITY : slow_hoho(&platform), wanted);
        ck_assert_msg(processes_at(s, l, beyond, processes) == time, "problem %d", seed);
        if (beyond == 1) {
            int64_t queued[SLOW_PROCESSORS];
            ck_assert(heap_deal(&platform, l, queued) == time);
            for (int i = 0; i < platform.processors; i++)
                ck_assert_int_eq(queued[i], wanted[i]);
        }
        if (!isfinite(time) || has_plateaus(&platform, l)) continue;
        for (int i = 0; i < platform.processors; i++)
            ck_assert_msg(processes[i] == wanted[i], "problem %d: processor %d", seed, i);
    }
}

START_TEST(as_one_by_one)
{
    uint64_t state = 2;
    for (int n = 0; n < 3000; n++) {
        processes_subject s;
        processes_random(&state, 10, 4, n % 10 == 0 ? 100000 : 1000, &s);
        int64_t most = n % 10 == 0 ? 3000 : 200;
        expect_deal(&s, 1 + random_below(&state, s.problem.data < most ? s.problem.data : most), n);
        processes_subject_clear(&s);
    }
}
END_TEST

/* Equal, or where t_i stays the same for some l_i, equal but for rounding. */
static bool same(double time, double wanted)
{
    return time == wanted || fabs(time - wanted) <= 1e-14 * wanted;
}

/* All l in one run, each from where the last one ended; the best, the next best, and the fewest. */
static void expect_all(const processes_subject *s, bool beyond, int seed)
{
    enum { MOST = 160 };
    inlay_process_point point[MOST];
    int64_t processes[SLOW_PROCESSORS];
    size_t count = 0;
    slow_platform platform = slow_platform_of(&s->problem);
    double limit = beyond ? INFINITY : slow_hoho(&platform);
    inlay_process_options options = {.beyond_hoho = beyond, .best = (int[]){1, 5, 60}[seed % 3], .within = 0.05};
    options.to = s->problem.data < MOST ? s->problem.data : MOST;
    options.from = seed % 5 == 0 ? 1 + options.to / 3 : 1;
    options.whole_units = seed % 7 == 0;
    ck_assert_int_eq(inlay_processes_curve(&s->problem, &options, MOST, point, &count, NULL), INLAY_OK);
    ck_assert_uint_eq(count, (size_t)(options.to - options.from + 1));
    for (size_t i = 0; i < count; i++) {
        int64_t l = options.from + (int64_t)i;
        ck_assert_int_eq(point[i].total, l);
        if (options.whole_units) continue;
        double time = slow_deal(&platform, l, false, limit, processes);
        ck_assert_msg(isfinite(time) ? same(point[i].time, time) : isnan(point[i].time),
                      "problem %d, l = %d: %.17g, %.17g", seed, (int)l, point[i].time, time);
    }
    inlay_process_plan *plan = NULL;
    int status = inlay_processes(&s->problem, &options, &plan, NULL);
    size_t feasible = 0;
    for (size_t i = 0; i < count; i++)
        feasible += isnan(point[i].time) ? 0 : 1;
    ck_assert_int_eq(status, feasible == 0 ? INLAY_NO_ANSWER : INLAY_OK);
    if (status != INLAY_OK) return;
    ck_assert_uint_eq(inlay_process_plan_count(plan),
                      feasible < (size_t)options.best ? feasible : (size_t)options.best);
    double least = inlay_process_plan_at(plan, 0)->time;
    const inlay_process_answer *fewest = inlay_process_plan_fewest(plan);
    ck_assert(same(fewest->time, point[fewest->total - options.from].time));
    ck_assert_double_le(fewest->time, least * 1.05);
    for (int64_t l = options.from; l < fewest->total; l++)
        ck_assert(!(point[l - options.from].time <= least * 1.05));
    for (size_t n = 0; n < inlay_process_plan_count(plan); n++) {
        size_t first = count;
        for (size_t i = 0; i < count; i++)
            if (!isnan(point[i].time) && (first == count || point[i].time < point[first].time * (1 - 1e-12))) first = i;
        ck_assert_int_eq(inlay_process_plan_at(plan, n)->total, point[first].total);
        ck_assert_double_eq(inlay_process_plan_at(plan, n)->time, point[first].time);
        point[first].time = NAN;
    }
    inlay_process_plan_free(plan);
}

START_TEST(the_best_of_all)
{
    uint64_t state = 3;
    for (int n = 0; n < 400; n++) {
        processes_subject s;
        processes_random(&state, n % 4 == 0 ? PROCESSES_ROWS : 5, 3, 300, &s);
        expect_all(&s, n % 2 == 0, n);
        processes_subject_clear(&s);
    }
}
END_TEST

/* Data of one processor of constant speed: all l take the same, whatever way W / l is rounded. */
START_TEST(of_equal_times_the_fewest_processes)
{
    for (int64_t data = 1; data <= 300; data++) {
        processes_subject s = {.problem = {.rows = 1, .row = s.row, .data = data}};
        ck_assert_int_eq(inlay_performance_constant(5, &s.performance[0], NULL), INLAY_OK);
        s.row[0] = (inlay_processors){.count = 1, .performance = s.performance[0]};
        inlay_process_plan *plan = processes_plan(&s, NULL);
        ck_assert_int_eq(inlay_process_plan_at(plan, 0)->total, 1);
        inlay_process_plan_free(plan);
        processes_subject_clear(&s);
    }
}
END_TEST

START_TEST(a_curve_of_some_points)
{
    processes_subject s;
    inlay_process_point point[4];
    size_t count = 0;
    processes_paper((int[]){1, 6}, 2, 18, 5, &s);
    inlay_process_options options = {.from = 3, .to = 33};
    ck_assert_int_eq(inlay_processes_curve(&s.problem, &options, 4, point, &count, NULL), INLAY_OK);
    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(point[i].total, 3 + 10 * (int64_t)i);
    processes_subject_clear(&s);
}
END_TEST

/* ---- Whole units ---- */

/* Each process has W / l rounded up: as if there were l times as many data, and p times as many for HoHo. */
START_TEST(whole_units)
{
    uint64_t state = 10;
    int rounded = 0;
    for (int n = 0; n < 1000; n++) {
        processes_subject s;
        processes_random(&state, 3, 2, 40, &s);
        slow_platform platform = slow_platform_of(&s.problem);
        int64_t data = s.problem.data;
        int64_t l = 1 + random_below(&state, data < 7 ? data : 7);
        int64_t each = (data - 1) / platform.processors + 1;
        int64_t unit = (data - 1) / l + 1;
        platform.data = (double)(each * platform.processors);
        double hoho = slow_hoho(&platform);
        platform.data = (double)(unit * l);
        double wanted = slow_best(&platform, l, false, hoho);
        inlay_process_options options = {.whole_units = true, .from = l, .to = l};
        inlay_process_plan *plan = NULL;
        int status = inlay_processes(&s.problem, &options, &plan, NULL);
        ck_assert_int_eq(status, isfinite(wanted) ? INLAY_OK : INLAY_NO_ANSWER);
        if (status == INLAY_OK) {
            ck_assert_double_eq(inlay_process_plan_at(plan, 0)->time, wanted);
            ck_assert_double_eq(inlay_process_plan_at(plan, 0)->unit, (double)unit);
            ck_assert_double_eq(inlay_process_plan_rivals(plan)->hoho, hoho);
            rounded += unit * l > data;
        }
        inlay_process_plan_free(plan);
        processes_subject_clear(&s);
    }
    ck_assert_int_gt(rounded, 200);
}
END_TEST

/* ---- HoHe ---- */

START_TEST(data_dealt_best)
{
    uint64_t state = 4;
    for (int n = 0; n < 2000; n++) {
        processes_subject s;
        int64_t units[SLOW_PROCESSORS];
        processes_random(&state, 3, 2, n % 2 == 0 ? 8 : 2000, &s);
        slow_platform platform = slow_platform_of(&s.problem);
        double wanted = n % 2 == 0 ? slow_best(&platform, s.problem.data, true, INFINITY)
                                   : slow_deal(&platform, s.problem.data, true, INFINITY, units);
        inlay_process_plan *plan = processes_plan(&s, &(inlay_process_options){.beyond_hoho = true, .to = 1});
        const inlay_process_rivals *rivals = inlay_process_plan_rivals(plan);
        ck_assert_double_eq(rivals->hohe, wanted);
        ck_assert_double_eq(rivals->hoho, slow_hoho(&platform));
        int64_t sum = 0;
        double last = 0;
        processes_unfold(&s, rivals->data, units);
        for (int i = 0; i < platform.processors; i++) {
            sum += units[i];
            last = fmax(last, slow_share_time(&platform, i, units[i], 1, true));
        }
        ck_assert_int_eq(sum, s.problem.data);
        ck_assert_double_eq(last, wanted);
        inlay_process_plan_free(plan);
        processes_subject_clear(&s);
    }
}
END_TEST

/* Where one process on each processor gets all there is at all: as fast, for data that are not divided finer. */
START_TEST(many_data)
{
    processes_subject s = {.problem = {.rows = 2, .row = s.row, .data = INT64_C(1) << 53}};
    ck_assert_int_eq(inlay_performance_constant(3, &s.performance[0], NULL), INLAY_OK);
    s.row[0] = (inlay_processors){.count = 1 << 23, .performance = s.performance[0]};
    s.row[1] = (inlay_processors){.count = 1, .performance = s.performance[0], .speed = 2};
    inlay_process_plan *plan = processes_plan(&s, &(inlay_process_options){.beyond_hoho = true, .to = 1});
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(plan);
    ck_assert_double_eq_tol(rivals->hohe / (0x1p53 / 3 / ((1 << 23) + 2)), 1, 1e-8);
    ck_assert_int_eq(rivals->data[0].each * (1 << 23) + rivals->data[0].extra + rivals->data[1].each, s.problem.data);
    inlay_process_plan_free(plan);
    processes_subject_clear(&s);
}
END_TEST

Suite *suite_processes(void)
{
    Suite *suite = suite_create("processes");
    TCase *test = tcase_create("processes");
    tcase_add_test(test, table_2);
    tcase_add_test(test, the_paper_s_form_spreads_more);
    tcase_add_test(test, holes_are_no_end);
    tcase_add_test(test, no_placement_is_better);
    tcase_add_test(test, as_one_by_one);
    tcase_add_test(test, the_best_of_all);
    tcase_add_test(test, of_equal_times_the_fewest_processes);
    tcase_add_test(test, a_curve_of_some_points);
    tcase_add_test(test, whole_units);
    tcase_add_test(test, data_dealt_best);
    tcase_add_test(test, many_data);
    suite_add_tcase(suite, test);
    return suite;
}
