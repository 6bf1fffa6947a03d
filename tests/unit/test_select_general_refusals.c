/* What processor selection over domains refuses: one line each, and its output stays as it was. */
#include "general_subject.h"
#include "unit.h"

#include <inlay/select.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void figure_13(general_subject *s)
{
    select_subject plain;
    subject_figure_13(&plain);
    general_of_plain(&plain, s);
}

/* The call fails with `status` and this message. */
static void refuse(const general_subject *s, const inlay_select_options *options, int status, const char *says)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_selection *untouched = (inlay_selection *)(uintptr_t)1;
    int got = inlay_select(&s->domain, &s->metasystem, &s->terms, options, &untouched, diag);
    ck_assert_msg(got == status && strcmp(inlay_diag_message(diag), says) == 0, "status %d: '%s'; expected %d: '%s'",
                  got, inlay_diag_message(diag), status, says);
    ck_assert_ptr_eq(untouched, (inlay_selection *)(uintptr_t)1);
    inlay_diag_free(diag);
}

static void refuse_call(const general_subject *s, const char *says)
{
    refuse(s, NULL, INLAY_BAD_ARGUMENT, says);
}

/* ---- Metasystems ---- */

START_TEST(no_processors)
{
    general_subject s;
    figure_13(&s);
    for (int i = 0; i < 4; i++)
        s.cluster[i].available = 0;
    refuse_call(&s, "the metasystem has 0 available processors in all clusters together; expected 1 to 16777216");
    s.metasystem.name = "suns";
    refuse_call(&s, "suns has 0 available processors in all clusters together; expected 1 to 16777216");
    s.metasystem.clusters = 0;
    refuse_call(&s, "the metasystem has no clusters; expected 1 or more");
}
END_TEST

START_TEST(no_functions)
{
    general_subject s;
    figure_13(&s);
    s.pattern[0] = INLAY_PATTERN_TREE;
    s.metasystem.name = "suns";
    refuse(&s, NULL, INLAY_NO_ANSWER,
           "no cluster of suns with available processors has a communication function for the pattern tree of "
           "communication 0; expected one that has");
    s.cluster[0].communication[INLAY_PATTERN_TREE].given = true;
    s.cluster[0].available = 0;
    refuse(&s, NULL, INLAY_NO_ANSWER,
           "no cluster of suns with available processors has a communication function for the pattern tree of "
           "communication 0; expected one that has");
    s.cluster[0].available = 1;
    inlay_selection_free(general_select(&s, NULL));
    static const int32_t other[4] = {1, 1, 0, 0};
    inlay_selection *selection = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_select_evaluate(&s.domain, &s.metasystem, &s.terms, other, &selection, diag),
                     INLAY_NO_ANSWER);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "cluster b has no communication function for the pattern tree; expected no processors of it");
    inlay_diag_free(diag);
}
END_TEST

START_TEST(no_rates)
{
    general_subject s;
    figure_13(&s);
    s.cluster[2].rate = 0;
    refuse_call(&s, "computation 0 has no arch_cost on cluster c, which has no rate; expected one of the two");
    s.arch_cost[0][2] = 1;
    inlay_selection_free(general_select(&s, NULL));
    s.arch_cost[0][2] = -1;
    s.domain.name = "sten2";
    refuse_call(
        &s,
        "sten2: computation 0 takes -1 for an instruction on cluster c; expected a number above 0, or 0 for its rate");
    s.arch_cost[0][2] = 5e-324;
    refuse(&s, NULL, INLAY_OVERFLOW,
           "sten2: computation 0 takes too long or too short a time for an instruction on cluster c");
    s.cluster[2].available = 0; /* nobody asks it */
    inlay_selection_free(general_select(&s, NULL));
}
END_TEST

START_TEST(mixed_units)
{
    general_subject s;
    figure_13(&s);
    s.domain.time_unit = INLAY_UNIT_TICK;
    inlay_selection_free(general_select(&s, NULL));
    s.metasystem.time_unit = INLAY_UNIT_US;
    refuse_call(&s, "times are in tick, but in us on the metasystem; expected ticks on both sides or on none");
    s.domain.time_unit = INLAY_UNIT_S;
    s.metasystem.time_unit = INLAY_UNIT_TICK;
    s.domain.name = "sten2";
    refuse_call(&s, "sten2: times are in s, but in tick on the metasystem; expected ticks on both sides or on none");
    s.domain.time_unit = (inlay_unit)17;
    refuse_call(&s, "sten2: time unit 17 is unknown; expected 0 to 5");
}
END_TEST

/* ---- Domains ---- */

static const char *name_phase(void *context, int32_t phase)
{
    (void)context;
    return phase == 0 ? "sweep" : NULL;
}

START_TEST(phases)
{
    general_subject s;
    figure_13(&s);
    s.domain.computations = 0;
    refuse_call(&s, "0 computation phases and 1 communication phases; expected 1 to 64 and 0 to 64");
    s.domain.computations = 65;
    refuse_call(&s, "65 computation phases and 1 communication phases; expected 1 to 64 and 0 to 64");
    s.domain.computations = 1;
    s.domain.communications = -1;
    refuse_call(&s, "1 computation phases and -1 communication phases; expected 1 to 64 and 0 to 64");
    general_callbacks(&s, 1, 1);
    s.domain.bytes = NULL;
    refuse_call(&s, "there is no callback bytes(); expected one");
    s.domain.communications = 0;
    inlay_selection_free(general_select(&s, NULL));
    s.domain.work = NULL;
    refuse_call(&s, "there is no callback work(); expected one");
    s.domain.units = NULL;
    refuse_call(&s, "there is no callback units(); expected one");
    general_callbacks(&s, 1, 1);
    s.domain.pattern = NULL;
    refuse_call(&s, "there is no callback pattern(); expected one");
}
END_TEST

START_TEST(numbers)
{
    general_subject s;
    figure_13(&s);
    s.units[0] = 0;
    refuse_call(&s, "computation 0 has 0 units; expected 1 to 2^53");
    s.domain.computation_name = name_phase;
    s.domain.communication_name = name_phase;
    s.units[0] = (INT64_C(1) << 53) + 1;
    refuse_call(&s, "computation sweep has 9007199254740993 units; expected 1 to 2^53");
    figure_13(&s);
    s.work[0] = (inlay_complexity){0, 0};
    refuse_call(&s,
                "computation 0 has 0 instructions on a unit and 0 besides with 22 processors; expected numbers that "
                "are not below 0, and not both 0");
    s.work[0] = (inlay_complexity){1, -1};
    refuse_call(&s, "computation 0 has 1 instructions on a unit and -1 besides with 22 processors; expected numbers "
                    "that are not below 0, and not both 0");
    s.work[0] = (inlay_complexity){INFINITY, 0};
    refuse_call(&s, "computation 0 has inf instructions on a unit and 0 besides with 22 processors; expected numbers "
                    "that are not below 0, and not both 0");
    figure_13(&s);
    s.bytes[0].per_unit = -2;
    refuse_call(&s, "communication 0 has 100 bytes and -2 for a unit with 22 processors; expected numbers that are not "
                    "below 0");
    figure_13(&s);
    s.messages[0] = 0;
    refuse_call(&s, "communication 0 has 0 messages between clusters with 22 processors; expected a number above 0");
    figure_13(&s);
    s.pattern[0] = (inlay_pattern)8;
    refuse_call(&s, "communication 0 has the unknown pattern 8; expected 0 to 7");
    figure_13(&s);
    s.overlap[0] = 1;
    refuse_call(&s, "communication 0 overlaps computation 1; expected 0 to 0, or -1 for none");
    figure_13(&s);
    s.cycles = 0;
    refuse_call(&s, "0 cycles and 0 before them with 22 processors; expected numbers above 0 and not below 0");
    s.cycles = 1;
    s.startup = -1;
    refuse_call(&s, "1 cycles and -1 before them with 22 processors; expected numbers above 0 and not below 0");
}
END_TEST

/* Of 22 processors, 7 are not to be. */
static int odd_work(void *context, int32_t processors, int32_t computation, inlay_complexity *work, inlay_diag *diag)
{
    (void)context;
    (void)computation;
    if (processors == 7)
        return inlay_domain_refuse(diag, "sten2.dot:3: 1 / (P - 7) divides by %d; expected a number", 0);
    *work = (inlay_complexity){1, 0};
    return INLAY_OK;
}

static int silent_units(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
{
    (void)context;
    (void)computation;
    (void)units;
    (void)diag;
    return INLAY_NO_ANSWER;
}

static int tell_nothing(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
{
    (void)context;
    (void)computation;
    (void)units;
    (void)diag;
    return INLAY_OK;
}

static int wrong_dominant(void *context, int32_t processors, int32_t *computation, int32_t *communication,
                          inlay_diag *diag)
{
    (void)context;
    (void)processors;
    (void)diag;
    *computation = 0;
    *communication = 1;
    return INLAY_OK;
}

/* A message of a callback stays as it is. */
START_TEST(callbacks)
{
    general_subject s;
    figure_13(&s);
    s.domain.work = odd_work;
    inlay_selection_free(general_select(&s, NULL));
    s.domain.by_processors = true;
    refuse(&s, NULL, INLAY_BAD_INPUT, "sten2.dot:3: 1 / (P - 7) divides by 0; expected a number");
    s.domain.name = "sten2";
    s.domain.units = silent_units;
    refuse(&s, NULL, INLAY_NO_ANSWER, "sten2: the callback units() failed without a message; expected one");
    s.domain.units = tell_nothing;
    refuse_call(&s, "sten2: computation 0 has 0 units; expected 1 to 2^53");
    figure_13(&s);
    s.domain.dominant = wrong_dominant;
    refuse_call(&s, "computation 0 and communication 1 are said to dominate; expected numbers below 1 and 1, or -1 for "
                    "the largest");
    ck_assert_int_eq(inlay_domain_refuse(NULL, "%s", "nobody listens"), INLAY_BAD_INPUT);
}
END_TEST

/* ---- Terms, methods, ranges ---- */

START_TEST(terms_and_points)
{
    general_subject s;
    figure_13(&s);
    s.terms.map = (inlay_select_map)4;
    refuse_call(&s, "map 4 or router 0 is unknown; expected 0-3, 0-1");
    figure_13(&s);
    refuse(&s, &(inlay_select_options){.limit = -1}, INLAY_BAD_ARGUMENT, "the limit is -1; expected 1 or more, or 0");
    for (int32_t points = -1; points < 2; points++) {
        inlay_selection *curve = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(inlay_select_curve(&s.domain, &s.metasystem, &s.terms, NULL, points, &curve, diag),
                         INLAY_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), " points are asked for; expected 2 to 100000"));
        ck_assert_ptr_null(curve);
        inlay_diag_free(diag);
    }
}
END_TEST

START_TEST(falling_communication)
{
    general_subject s;
    figure_13(&s);
    general_make_odd(&s);
    inlay_communication *c = &s.cluster[3].communication[INLAY_PATTERN_LINE];
    *c = (inlay_communication){.given = true, .c1 = 900, .c2 = -50};
    refuse_call(&s, "communication 0 in cluster d falls from 850 for p = 1 to 800 for p = 2 (messages of 100 "
                    "bytes); expected times that do not fall: the exact method needs that, exhaustive and h1 to h3 do "
                    "not");
    inlay_selection_free(general_select(&s, &(inlay_select_options){.method = INLAY_SELECT_H3}));
    *c = (inlay_communication){.given = true, .c1 = -2, .c2 = 1};
    refuse_call(&s, "communication 0 in cluster d falls from 0 for p = 0 to -1 for p = 1 (messages of 100 bytes); "
                    "expected times that do not fall: the exact method needs that, exhaustive and h1 to h3 do not");
    *c = (inlay_communication){.given = true, .c1 = 1000, .c4 = -1}; /* only messages that nobody sends fall */
    s.bytes[0] = (inlay_complexity){1, 0};
    refuse_call(&s, "communication 0 in cluster d falls from 900 for p = 1 to 800 for p = 2 (messages of 100 "
                    "bytes); expected times that do not fall: the exact method needs that, exhaustive and h1 to h3 do "
                    "not");
}
END_TEST

START_TEST(overflow)
{
    for (int odd = 0; odd < 2; odd++) {
        general_subject s;
        figure_13(&s);
        if (odd) general_make_odd(&s);
        s.cluster[2].communication[INLAY_PATTERN_LINE].c4 = 1e307;
        refuse(&s, NULL, INLAY_OVERFLOW, "times of cluster c are too large or too small for a number");
        figure_13(&s);
        if (odd) general_make_odd(&s);
        s.metasystem.router_latency = 1e308;
        refuse(&s, NULL, INLAY_OVERFLOW,
               odd ? "the times of all clusters together are too large for a number"
                   : "times of cluster a are too large or too small for a number");
        figure_13(&s);
        if (odd) general_make_odd(&s);
        s.work[0].per_unit = 1e-320;
        s.cluster[0].rate = 1e10;
        refuse(&s, NULL, INLAY_OVERFLOW, "times of cluster a are too large or too small for a number");
        figure_13(&s);
        if (odd) general_make_odd(&s);
        s.cycles = 1e306;
        refuse(&s, NULL, INLAY_OVERFLOW, "the time of all cycles together is too large for a number");
    }
}
END_TEST

Suite *suite_select_general_refusals(void)
{
    Suite *suite = suite_create("select_general_refusals");
    TCase *test = tcase_create("select_general_refusals");
    tcase_add_test(test, no_processors);
    tcase_add_test(test, no_functions);
    tcase_add_test(test, no_rates);
    tcase_add_test(test, mixed_units);
    tcase_add_test(test, phases);
    tcase_add_test(test, numbers);
    tcase_add_test(test, callbacks);
    tcase_add_test(test, terms_and_points);
    tcase_add_test(test, falling_communication);
    tcase_add_test(test, overflow);
    suite_add_tcase(suite, test);
    return suite;
}
