/* Processor selection where memory is out: it says so, leaves its output alone and leaks nothing. */
#include "select_subject.h"
#include "starve.h"
#include "unit.h"

#include <inlay/select_plain.h>

typedef struct selecting {
    const inlay_select_problem *problem;
    inlay_select_options options;
} selecting;

static int try_select(const void *subject)
{
    const selecting *s = subject;
    inlay_selection *selection = NULL;
    int status = inlay_select_plain(s->problem, &s->options, &selection, NULL);
    bool sound = (status == INLAY_OK) == (selection != NULL);
    inlay_selection_free(selection);
    return sound ? status : INLAY_SYSTEM;
}

static int try_select_evaluate(const void *subject)
{
    static const int32_t processors[] = {6, 0, 0, 6};
    inlay_selection *selection = NULL;
    int status = inlay_select_plain_evaluate(subject, processors, &selection, NULL);
    inlay_selection_free(selection);
    return status;
}

START_TEST(selecting_survives)
{
    select_subject s;
    subject_figure_13(&s);
    starve(try_select_evaluate, &s.problem, 15);
    for (int topology = INLAY_PATTERN_LINE; topology <= INLAY_PATTERN_TREE; topology++) {
        s.problem.topology = (inlay_pattern)topology;
        for (int method = INLAY_SELECT_EXACT; method <= INLAY_SELECT_EXHAUSTIVE; method++) {
            selecting q = {&s.problem, {.method = (inlay_select_method)method}};
            s.problem.map = INLAY_SELECT_REAL;
            starve(try_select, &q, 15);
            s.problem.map = INLAY_SELECT_INTEGER;
            q.options.best = 3;
            starve(try_select, &q, 15);
        }
    }
}
END_TEST

Suite *suite_select_memory(void)
{
    Suite *suite = suite_create("select_memory");
    TCase *test = tcase_create("select_memory");
    tcase_add_test(test, selecting_survives);
    suite_add_tcase(suite, test);
    return suite;
}
