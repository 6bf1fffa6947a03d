/* What processor selection refuses, and that it does so with one line and without touching its output. */
#include "select_subject.h"
#include "unit.h"

#include <inlay/select_plain.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The call fails with `status` and a message that contains `says`. */
static void expect_refusal(const select_subject *s, const inlay_select_options *options, int status, const char *says)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_selection *untouched = (inlay_selection *)(uintptr_t)1;
    int got = inlay_select_plain(&s->problem, options, &untouched, diag);
    ck_assert_msg(got == status && strstr(inlay_diag_message(diag), says) != NULL, "status %d: '%s'; expected %d: '%s'",
                  got, inlay_diag_message(diag), status, says);
    ck_assert_ptr_eq(untouched, (inlay_selection *)(uintptr_t)1);
    inlay_diag_free(diag);
}

static void refuse(const select_subject *s, const char *says)
{
    for (int method = INLAY_SELECT_EXACT; method <= INLAY_SELECT_EXHAUSTIVE; method++) {
        inlay_select_options options = {.method = (inlay_select_method)method};
        expect_refusal(s, &options, INLAY_BAD_ARGUMENT, says);
    }
}

START_TEST(no_processors)
{
    select_subject s;
    subject_figure_13(&s);
    for (size_t i = 0; i < s.problem.clusters; i++)
        s.cluster[i].processors = 0;
    refuse(&s, "the clusters have 0 processors together; expected 1 to 16777216");
    s.cluster[2].processors = -1;
    refuse(&s, "cluster 2 has -1 processors; expected 0 to 16777216");
    s.cluster[2].name = "alpha";
    refuse(&s, "cluster alpha has -1 processors");
    s.problem.clusters = 0;
    refuse(&s, "0 clusters; expected 1 to 4096");
    s.problem.clusters = SIZE_MAX;
    refuse(&s, "clusters; expected 1 to 4096");
    s.problem.clusters = 4;
    s.problem.cluster = NULL;
    refuse(&s, "clusters; expected 1 to 4096");
}
END_TEST

START_TEST(hostile_sizes)
{
    select_subject s;
    subject_figure_13(&s);
    s.cluster[1].processors = INT32_MAX;
    refuse(&s, "cluster 1 has 2147483647 processors; expected 0 to 16777216");
    s.cluster[1].processors = INLAY_SELECT_PROCESSORS;
    refuse(&s, "the clusters have 16777234 processors together; expected 1 to 16777216");
    subject_figure_13(&s);
    s.problem.units = INT64_MAX;
    refuse(&s, "the program has 9223372036854775807 units; expected 1 to 2^53");
    s.problem.units = 0;
    refuse(&s, "the program has 0 units; expected 1 to 2^53");
}
END_TEST

START_TEST(no_numbers)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, -1};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        select_subject s;
        double *const amounts[] = {&s.problem.unit_work,      &s.problem.fixed_work,      &s.problem.bytes,
                                   &s.problem.router_latency, &s.problem.router_per_byte, &s.problem.coercion,
                                   &s.problem.crossings,      &s.cluster[1].rate,         &s.cluster[1].fixed_time};
        static const char *const says[] = {
            "the work on a unit is ",      "the fixed work is ",           "the message is ",
            "the router latency is ",      "the router time per byte is ", "the coercion per byte is ",
            "the number of crossings is ", "cluster 1 has rate ",          "cluster 1 has fixed time "};
        for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
            subject_figure_13(&s);
            *amounts[i] = wrong[n];
            refuse(&s, says[i]);
        }
        double *const coefficients[] = {&s.cluster[3].c1, &s.cluster[3].c2, &s.cluster[3].c3, &s.cluster[3].c4};
        for (size_t i = 0; i < 4 && !isfinite(wrong[n]); i++) {
            subject_figure_13(&s);
            *coefficients[i] = wrong[n];
            refuse(&s, "cluster 3 has c1 to c4 of ");
        }
    }
}
END_TEST

START_TEST(unknown_words)
{
    select_subject s;
    subject_figure_13(&s);
    s.problem.topology = (inlay_pattern)3;
    refuse(&s, "topology 3, map 0 or router 0 is unknown");
    subject_figure_13(&s);
    s.problem.map = (inlay_select_map)-1;
    refuse(&s, "map -1 or router 0 is unknown");
    subject_figure_13(&s);
    s.cluster[0].growth = (inlay_growth)3;
    refuse(&s, "cluster 0 has growth 3; expected 0 to 2");
    subject_figure_13(&s);
    expect_refusal(&s, &(inlay_select_options){.method = (inlay_select_method)5}, INLAY_BAD_ARGUMENT,
                   "method 5 is unknown; expected 0 to 4");
    expect_refusal(&s, &(inlay_select_options){.best = -1}, INLAY_BAD_ARGUMENT, "-1 configurations are asked for");
    expect_refusal(&s, &(inlay_select_options){.limit = -1}, INLAY_BAD_ARGUMENT, "the limit is -1; expected");
    ck_assert_ptr_null(inlay_select_method_name((inlay_select_method)5));
}
END_TEST

START_TEST(overflow)
{
    select_subject s;
    subject_figure_13(&s);
    s.cluster[2].c4 = 1e307;
    expect_refusal(&s, NULL, INLAY_OVERFLOW, "times of cluster 2 are too large");
    subject_figure_13(&s);
    s.problem.unit_work = 1e308;
    expect_refusal(&s, NULL, INLAY_OVERFLOW, "too large");
    subject_figure_13(&s);
    s.problem.router_latency = 1e308;
    expect_refusal(&s, NULL, INLAY_OVERFLOW, "too large");
    subject_figure_13(&s);
    s.problem.unit_work = 1e-320;
    s.cluster[0].rate = 1e10;
    expect_refusal(&s, NULL, INLAY_OVERFLOW, "times of cluster 0 are too large or too small");
    subject_figure_13(&s);
    s.cluster[0].c1 = 1e308;
    s.cluster[0].c2 = -1e308;
    s.cluster[0].c3 = 1e308;
    expect_refusal(&s, NULL, INLAY_OVERFLOW, "too large");
}
END_TEST

/* Only the exact method needs T_i that do not fall. */
START_TEST(falling_communication)
{
    select_subject s;
    subject_figure_13(&s);
    s.cluster[3].c1 = 900;
    s.cluster[3].c2 = -50;
    s.cluster[3].c4 = 0;
    expect_refusal(&s, NULL, INLAY_BAD_ARGUMENT,
                   "communication in cluster 3 falls from 908 for p = 1 to 858 for p = 2; expected times that do not");
    for (int method = INLAY_SELECT_H1; method <= INLAY_SELECT_EXHAUSTIVE; method++) {
        inlay_selection_free(select_of(&s, &(inlay_select_options){.method = (inlay_select_method)method}));
    }
    s.cluster[3].c1 = -2000;
    s.cluster[3].c2 = 0;
    expect_refusal(&s, NULL, INLAY_BAD_ARGUMENT, "falls from 0 for p = 0 to ");
}
END_TEST

START_TEST(too_many_configurations)
{
    select_subject s;
    subject_figure_13(&s);
    inlay_select_options options = {.method = INLAY_SELECT_EXHAUSTIVE, .limit = 1154};
    inlay_selection_free(select_of(&s, &options));
    options.limit = 1153;
    expect_refusal(&s, &options, INLAY_NO_ANSWER,
                   "there are 1154 configurations; the limit of the exhaustive method is 1153");
}
END_TEST

START_TEST(wrong_configurations)
{
    static const int32_t none[4] = {0, 0, 0, 0};
    static const int32_t many[4] = {0, 5, 0, 0};
    static const int32_t negative[4] = {1, 0, -1, 0};
    const struct {
        const int32_t *processors;
        const char *says;
    } wrong[] = {{none, "no processor is in the configuration; expected 1 or more"},
                 {many, "5 processors are asked of cluster 1; expected 0 to 4"},
                 {negative, "-1 processors are asked of cluster 2; expected 0 to 2"}};
    select_subject s;
    subject_figure_13(&s);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        inlay_diag *diag = inlay_diag_new();
        inlay_selection *selection = NULL;
        ck_assert_int_eq(inlay_select_plain_evaluate(&s.problem, wrong[n].processors, &selection, diag),
                         INLAY_BAD_ARGUMENT);
        ck_assert_str_eq(inlay_diag_message(diag), wrong[n].says);
        ck_assert_ptr_null(selection);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- At the edge of what is accepted ---- */

/* 2^53 units on processors whose rates differ by 10^9, with and without d1: every map still sums up. */
START_TEST(most_units)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        select_subject s;
        subject_figure_13(&s);
        s.problem.units = INT64_C(1) << 53;
        s.cluster[0].rate = 1e9 / 3;
        s.cluster[1].rate = 0.1;
        s.problem.fixed_work = fixed;
        static const int32_t processors[4] = {6, 4, 2, 10};
        inlay_selection *selection = NULL;
        ck_assert_int_eq(inlay_select_plain_evaluate(&s.problem, processors, &selection, NULL), INLAY_OK);
        const inlay_configuration *c = inlay_selection_at(selection, 0);
        int64_t sum = 0;
        for (int i = 0; i < 4; i++)
            sum += (int64_t)c->share[i].share * processors[i] + c->share[i].extra;
        ck_assert_int_eq(sum, s.problem.units);
        inlay_selection_free(selection);
    }
}
END_TEST

/* A limit of one box: the answer is that of the heuristic, with a bound that is none too good but true. */
START_TEST(bound_after_the_limit)
{
    uint64_t state = 31;
    int open = 0;
    for (int n = 0; n < 400; n++) {
        select_subject s;
        subject_random(&state, 4, 6, SUBJECT_ANYTHING, &s);
        s.problem.map = INLAY_SELECT_INTEGER;
        inlay_selection *some = select_of(&s, &(inlay_select_options){.limit = 1});
        inlay_selection *best = select_of(&s, &(inlay_select_options){.method = INLAY_SELECT_EXHAUSTIVE});
        double least = inlay_selection_at(best, 0)->t_cycle;
        ck_assert_double_le(inlay_selection_lower_bound(some), least * (1 + 1e-11));
        ck_assert_double_gt(inlay_selection_lower_bound(some), 0);
        ck_assert_double_ge(inlay_selection_at(some, 0)->t_cycle, least * (1 - 1e-11));
        if (!inlay_selection_optimal(some))
            open++;
        else
            ck_assert_double_le(inlay_selection_at(some, 0)->t_cycle, least * (1 + 1e-11));
        inlay_selection_free(some);
        inlay_selection_free(best);
    }
    ck_assert_int_gt(open, 50);
}
END_TEST

Suite *suite_select_refusals(void)
{
    Suite *suite = suite_create("select_refusals");
    TCase *test = tcase_create("select_refusals");
    tcase_add_test(test, no_processors);
    tcase_add_test(test, hostile_sizes);
    tcase_add_test(test, no_numbers);
    tcase_add_test(test, unknown_words);
    tcase_add_test(test, overflow);
    tcase_add_test(test, falling_communication);
    tcase_add_test(test, too_many_configurations);
    tcase_add_test(test, wrong_configurations);
    tcase_add_test(test, most_units);
    tcase_add_test(test, bound_after_the_limit);
    suite_add_tcase(suite, test);
    return suite;
}
