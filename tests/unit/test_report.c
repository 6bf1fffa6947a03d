/* The report: its escaping, and which points its slider has. */
#include "report/report.h"
#include "base/diag.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
    inlay_app *app;
    inlay_machine *machine;
    inlay_compare_input inputs[2];
    inlay_report_request request;
    inlay_report *report;
    inlay_diag *diag;
} made;

static void set_up(made *m, const char *app, const char *machine)
{
    *m = (made){.diag = inlay_diag_new()};
    ck_assert_int_eq(inlay_app_read_memory(app, strlen(app), "app.dot", NULL, &m->app, m->diag), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse(machine, &m->machine, m->diag), INLAY_OK);
    m->inputs[0] = (inlay_compare_input){m->app, NULL, inlay_app_name(m->app), "app.dot"};
    m->inputs[1] = (inlay_compare_input){NULL, m->machine, machine, machine};
    m->request = (inlay_report_request){.inputs = m->inputs, .count = 2};
}

static void tear_down(made *m)
{
    inlay_report_free(m->report);
    inlay_machine_free(m->machine);
    inlay_app_free(m->app);
    inlay_diag_free(m->diag);
}

/* Sixteen modules that nothing binds: every number of processors up to sixteen is on the front. */
static char *free_modules(void)
{
    static char text[1024];
    strcpy(text, "digraph { graph [time_unit=tick];");
    for (int i = 0; i < 16; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "m%d [time=%d];", i, 100 + i);
    }
    return strcat(text, "}");
}

START_TEST(escapes_what_html_reads)
{
    text_buffer text = {0};
    report_escaped(&text, "a<b>&\"c'\n\xC3\xA9");
    ck_assert_str_eq(text_content(&text), "a&lt;b&gt;&amp;&quot;c'\n\xC3\xA9");
    text_clear(&text);
}
END_TEST

START_TEST(numbers_have_no_needless_exponent)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{2800.4, "2800"}, {0.0945, "0.0945"}, {134.0071, "134"}, {-1234567, "-1234567"}, {1e300, "1e+300"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_buffer text = {0};
        report_number(&text, cases[i].value, 3);
        ck_assert_str_eq(text_content(&text), cases[i].text);
        text_clear(&text);
    }
}
END_TEST

START_TEST(slider_keeps_ends_and_knee)
{
    static const inlay_id mosts[] = {1, 2, 5, 15, 20};
    for (size_t k = 0; k < sizeof mosts / sizeof *mosts; k++) {
        inlay_id most = mosts[k];
        made m;
        set_up(&m, free_modules(), "bus:16");
        m.request.points = most;
        ck_assert_msg(inlay_report_make(&m.request, &m.report, m.diag) == INLAY_OK, "%s", inlay_diag_message(m.diag));
        const inlay_report *r = m.report;
        size_t knee = inlay_pareto_summary_of(r->front)->knee, points = inlay_pareto_points(r->front), last = 0;
        bool has_knee = false;
        for (size_t i = 0; i < r->count; i++) {
            has_knee = has_knee || r->shown[i] == knee;
            ck_assert(i == 0 || r->shown[i] > r->shown[i - 1]);
            ck_assert(inlay_pareto_point_at(r->front, r->shown[i])->front);
        }
        for (size_t i = 0; i < points; i++) {
            last = inlay_pareto_point_at(r->front, i)->front ? i : last;
        }
        ck_assert(has_knee);
        ck_assert_uint_eq(r->shown[r->count - 1], last);
        ck_assert(most == 1 || r->shown[0] == 0);
        ck_assert_uint_le(r->count, (size_t)most + 1);
        ck_assert(r->count + 1 >= (size_t)most || r->count == inlay_pareto_summary_of(r->front)->front);
        tear_down(&m);
    }
}
END_TEST

/* The answer's mapping is what inlay_map() finds. */
START_TEST(answer_is_that_of_map)
{
    made m;
    inlay_mapping *mapping = NULL;
    set_up(&m, free_modules(), "bus:5");
    ck_assert_int_eq(inlay_report_make(&m.request, &m.report, m.diag), INLAY_OK);
    ck_assert_int_eq(inlay_map(m.app, m.machine, NULL, &mapping, m.diag), INLAY_OK);
    ck_assert_double_eq(inlay_mapping_summary(m.report->mapping)->elapsed, inlay_mapping_summary(mapping)->elapsed);
    ck_assert_ptr_nonnull(strstr(inlay_report_answer(m.report), " on 5 processors of bus:5"));
    inlay_mapping_free(mapping);
    tear_down(&m);
}
END_TEST

START_TEST(one_application_is_asked_for)
{
    made m;
    set_up(&m, free_modules(), "bus:5");
    m.request.count = 1;
    m.request.inputs = m.inputs + 1;
    ck_assert_int_eq(inlay_report_make(&m.request, &m.report, m.diag), INLAY_BAD_ARGUMENT);
    tear_down(&m);
}
END_TEST

/* What a captured diagnostic writes goes to the text, wherever it was to go. */
START_TEST(captures_what_is_written)
{
    made m;
    text_buffer text = {0};
    set_up(&m, free_modules(), "bus:5");
    diag_capture(m.diag, &text);
    ck_assert_int_eq(inlay_app_write(m.app, "/nowhere/app.dot.gz", "dot", m.diag), INLAY_OK);
    ck_assert_ptr_nonnull(strstr(text_content(&text), "m15"));
    diag_capture(m.diag, NULL);
    ck_assert_int_eq(inlay_app_write(m.app, "/nowhere/app.dot", "dot", m.diag), INLAY_SYSTEM);
    text_clear(&text);
    tear_down(&m);
}
END_TEST

Suite *suite_report(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");
    tcase_add_test(tests, escapes_what_html_reads);
    tcase_add_test(tests, numbers_have_no_needless_exponent);
    tcase_add_test(tests, slider_keeps_ends_and_knee);
    tcase_add_test(tests, answer_is_that_of_map);
    tcase_add_test(tests, one_application_is_asked_for);
    tcase_add_test(tests, captures_what_is_written);
    suite_add_tcase(suite, tests);
    return suite;
}
