/* Processor selection over domains where memory is out: it says so, leaves its output alone and leaks nothing. */
#include "general_subject.h"
#include "starve.h"
#include "unit.h"

#include <inlay/select.h>

typedef struct selecting {
    const general_subject *subject;
    inlay_select_options options;
} selecting;

static int finish(int status, inlay_selection *selection)
{
    bool sound = (status == INLAY_OK) == (selection != NULL);
    inlay_selection_free(selection);
    return sound ? status : INLAY_SYSTEM;
}

static int try_select_general(const void *subject)
{
    const selecting *q = subject;
    const general_subject *s = q->subject;
    inlay_selection *selection = NULL;
    int status = inlay_select(&s->domain, &s->metasystem, &s->terms, &q->options, &selection, NULL);
    return finish(status, selection);
}

static int try_select_general_evaluate(const void *subject)
{
    static const int32_t processors[] = {6, 0, 0, 6};
    const general_subject *s = subject;
    inlay_selection *selection = NULL;
    int status = inlay_select_evaluate(&s->domain, &s->metasystem, &s->terms, processors, &selection, NULL);
    return finish(status, selection);
}

static int try_select_general_curve(const void *subject)
{
    const selecting *q = subject;
    const general_subject *s = q->subject;
    inlay_selection *selection = NULL;
    int status = inlay_select_curve(&s->domain, &s->metasystem, &s->terms, &q->options, 5, &selection, NULL);
    return finish(status, selection);
}

/* Figure 13 with unlike routes and two phases of each kind, one of which depends on the number of processors. */
static void make_general(general_subject *s)
{
    static const inlay_metasystem_route routes[] = {{0, 3, 500, 0, 0}, {1, 2, 100, 1, 0}};
    select_subject plain;
    subject_figure_13(&plain);
    general_of_plain(&plain, s);
    general_callbacks(s, 2, 2);
    s->metasystem.routes = 2;
    s->metasystem.route = routes;
    s->units[1] = 50;
    s->work[1] = (inlay_complexity){100, 10};
    s->bytes[1] = (inlay_complexity){0.5, 10};
    s->messages[1] = 1;
    s->pattern[1] = INLAY_PATTERN_TREE;
    s->overlap[1] = 1;
    for (int i = 0; i < 4; i++)
        s->cluster[i].communication[INLAY_PATTERN_TREE] = s->cluster[i].communication[INLAY_PATTERN_LINE];
    s->domain.by_processors = true;
    s->power[0] = s->power[1] = 0.5;
    s->terms.all_phases = true;
}

START_TEST(general_selecting_survives)
{
    general_subject s;
    make_general(&s);
    starve(try_select_general_evaluate, &s, 40);
    for (int method = INLAY_SELECT_EXACT; method <= INLAY_SELECT_EXHAUSTIVE; method++) {
        selecting q = {&s, {.method = (inlay_select_method)method, .best = 3}};
        starve(try_select_general, &q, 40);
    }
    selecting all = {&s, {0}};
    starve(try_select_general_curve, &all, 40);
    selecting some = {&s, {.limit = 1}};
    starve(try_select_general_curve, &some, 40);
}
END_TEST

START_TEST(plain_questions_survive)
{
    select_subject plain;
    general_subject s;
    subject_figure_13(&plain);
    general_of_plain(&plain, &s);
    selecting q = {&s, {0}};
    starve(try_select_general, &q, 25);
}
END_TEST

Suite *suite_select_general_memory(void)
{
    Suite *suite = suite_create("select_general_memory");
    TCase *test = tcase_create("select_general_memory");
    tcase_add_test(test, general_selecting_survives);
    tcase_add_test(test, plain_questions_survive);
    suite_add_tcase(suite, test);
    return suite;
}
