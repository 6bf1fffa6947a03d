/* Process counts: what cannot be asked for, and where memory is out. */
#include "processes_subject.h"
#include "starve.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Refusals ---- */

static void expect(int status, int wanted, inlay_diag *diag, const char *message)
{
    ck_assert_int_eq(status, wanted);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    inlay_diag_free(diag);
}

static void expect_number(double speed, const char *message)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_performance *f = NULL;
    expect(inlay_performance_constant(speed, &f, diag), INLAY_BAD_ARGUMENT, diag, message);
    ck_assert_ptr_null(f);
}

static void expect_formula(inlay_performance_form form, inlay_performance_numbers n, const char *message)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_performance *f = NULL;
    expect(inlay_performance_formula(form, &n, &f, diag), INLAY_BAD_ARGUMENT, diag, message);
    ck_assert_ptr_null(f);
}

static void expect_measurement(inlay_measurement m, const char *message)
{
    for (int fit = 0; fit < 2; fit++) {
        inlay_diag *diag = inlay_diag_new();
        inlay_performance *f = NULL;
        int status = fit ? inlay_performance_fit(INLAY_PERFORMANCE_OFFSET, &m, 1, &f, diag)
                         : inlay_performance_table(&m, 1, &f, diag);
        expect(status, INLAY_BAD_ARGUMENT, diag, message);
        ck_assert_ptr_null(f);
    }
}

START_TEST(functions_that_cannot_be)
{
    expect_number(0, "the speed is 0; expected a number above 0");
    expect_number(-1, "the speed is -1; expected a number above 0");
    expect_number(INFINITY, "the speed is null; expected a number above 0");
    expect_formula(INLAY_PERFORMANCE_OFFSET, (inlay_performance_numbers){0, 1, 1},
                   "c of the performance function is 0; expected a number above 0");
    expect_formula(INLAY_PERFORMANCE_OFFSET, (inlay_performance_numbers){1, -1, 1},
                   "a of the performance function is -1; expected a number above 0, or 0 where f does not depend on x");
    expect_formula(
        INLAY_PERFORMANCE_OFFSET, (inlay_performance_numbers){1, 1, 1e-200},
        "b of the performance function is 1e-200; expected a number above 0, or 0 where f does not depend on "
        "y");
    expect_formula(INLAY_PERFORMANCE_PAPER, (inlay_performance_numbers){1, 0, 0},
                   "the paper's form has neither a nor b, so that its speed has no limit; expected one of them");
    expect_formula(INLAY_PERFORMANCE_TABLE, (inlay_performance_numbers){1, 1, 1},
                   "this form has no numbers; expected 'paper' or 'offset'");
    expect_measurement((inlay_measurement){0, 1, 1}, "measurement 1 has 0 processes; expected 1 to 2^53 of them");
    expect_measurement((inlay_measurement){1, 0, 1}, "measurement 1 has 0 data; expected a number above 0");
    expect_measurement((inlay_measurement){1, 1, 0}, "measurement 1 has the speed 0; expected a number above 0");
    inlay_performance *f = NULL;
    ck_assert_int_eq(inlay_performance_table(NULL, 0, &f, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_performance_fit(INLAY_PERFORMANCE_TABLE, NULL, 0, &f, NULL), INLAY_BAD_ARGUMENT);
}
END_TEST

static void expect_problem(inlay_process_problem problem, inlay_process_options options, int status,
                           const char *message)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_plan *plan = NULL;
    expect(inlay_processes(&problem, &options, &plan, diag), status, diag, message);
    ck_assert_ptr_null(plan);
}

static void expect_row(inlay_processors row, const char *message)
{
    expect_problem((inlay_process_problem){.rows = 1, .row = &row, .data = 10}, (inlay_process_options){0},
                   INLAY_BAD_ARGUMENT, message);
}

START_TEST(questions_that_cannot_be)
{
    inlay_performance *f = NULL;
    ck_assert_int_eq(inlay_performance_constant(1, &f, NULL), INLAY_OK);
    expect_row((inlay_processors){.count = 1}, "row 0 has no performance function; expected one");
    expect_row((inlay_processors){.name = "a", .performance = f}, "a has 0 processors; expected 1 to 16777216");
    expect_row((inlay_processors){.name = "a", .count = 1, .performance = f, .speed = -1},
               "a has the speed -1; expected a number above 0");
    inlay_processors row[] = {{.count = 1, .performance = f}, {.count = 1, .performance = f, .speed = 0.1}};
    inlay_process_problem p = {.rows = 2, .row = row, .data = 10};
    inlay_process_problem none = {.rows = 0, .data = 10};
    inlay_process_problem empty = {.rows = 2, .row = row};
    expect_problem(none, (inlay_process_options){0}, INLAY_BAD_ARGUMENT, "no processors; expected at least one");
    expect_problem(empty, (inlay_process_options){0}, INLAY_BAD_ARGUMENT,
                   "there are 0 data; expected 1 to 9007199254740992 units of them");
    expect_problem(p, (inlay_process_options){.to = 11}, INLAY_BAD_ARGUMENT,
                   "1 to 11 processes are asked for; expected at least 1, and at most the 10 units of data");
    expect_problem(p, (inlay_process_options){.from = 5, .to = 4}, INLAY_BAD_ARGUMENT,
                   "5 to 4 processes are asked for; expected at least 1, and at most the 10 units of data");
    expect_problem(p, (inlay_process_options){.best = -1}, INLAY_BAD_ARGUMENT,
                   "the best -1 are asked for; expected 1 to 100000");
    expect_problem(p, (inlay_process_options){.within = NAN}, INLAY_BAD_ARGUMENT,
                   "'within' is null; expected a share above 0, at most 1");
    row[0].speed = row[1].speed = 1;
    expect_problem(p, (inlay_process_options){.from = 3, .to = 3}, INLAY_NO_ANSWER,
                   "no placement of 3 to 3 processes keeps all processors within 5, the time of one process on each");
    row[0].speed = row[1].speed = 1e-307;
    p.data = 1000000;
    expect_problem(p, (inlay_process_options){0}, INLAY_OVERFLOW,
                   "the times of the processors leave the range of numbers; expected speeds and data that give times "
                   "from 10^-300 to 10^300");
    inlay_process_point point[2];
    size_t count = 7;
    ck_assert_int_eq(inlay_processes_curve(&p, NULL, 1, point, &count, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_processes_curve(&p, NULL, 2, point, &count, NULL), INLAY_OVERFLOW);
    ck_assert_uint_eq(count, 7);
    inlay_performance_free(f);
}
END_TEST

static void expect_grids(int64_t processes, inlay_process_grid_options o, int status, const char *message)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_grids *grids = NULL;
    inlay_processors row = {.count = 1};
    inlay_process_share share = {.each = processes};
    inlay_process_problem problem = {.rows = 1, .row = &row};
    inlay_process_answer answer = {.total = processes, .share = &share, .used = 1};
    expect(inlay_process_grids_make(&problem, &answer, &o, &grids, diag), status, diag, message);
    ck_assert_ptr_null(grids);
}

START_TEST(grids_that_cannot_be)
{
    expect_grids(65537, (inlay_process_grid_options){0}, INLAY_BAD_ARGUMENT,
                 "65537 processes in a grid; expected at most 65536");
    expect_grids(7, (inlay_process_grid_options){.data = {6, 6, 6}}, INLAY_NO_ANSWER,
                 "no grid of 7 processes in up to 3 dimensions fits on 6 x 6 x 6 data: some axis would have more "
                 "processes than data");
    expect_grids(7, (inlay_process_grid_options){.data = {7, -1}}, INLAY_BAD_ARGUMENT,
                 "the data grid has -1 points along axis 2; expected 1 or more, and at most 2^53 of them altogether");
    expect_grids(7, (inlay_process_grid_options){.data = {7}, .halo = -1}, INLAY_BAD_ARGUMENT,
                 "-1 layers are exchanged; expected 1 or more, within reason");
    expect_grids(7, (inlay_process_grid_options){.data = {7}, .dimensions = 4}, INLAY_BAD_ARGUMENT,
                 "a process grid of 4 dimensions; expected 1 to 3");
}
END_TEST

/* ---- Out of memory ---- */

static int try_plan(const void *subject)
{
    const processes_subject *s = subject;
    inlay_process_plan *plan = NULL;
    int status = inlay_processes(&s->problem, NULL, &plan, NULL);
    bool sound = (status == INLAY_OK) == (plan != NULL);
    inlay_process_plan_free(plan);
    return sound ? status : INLAY_SYSTEM;
}

static int try_curve(const void *subject)
{
    const processes_subject *s = subject;
    inlay_process_point point[10];
    size_t count = 0;
    return inlay_processes_curve(&s->problem, NULL, 10, point, &count, NULL);
}

static const inlay_measurement measured[] = {{1, 10, 10}, {1, 20, 9}, {1, 40, 8}, {2, 10, 7}, {2, 20, 6}, {2, 40, 5}};

static int try_table(const void *subject)
{
    (void)subject;
    inlay_performance *f = NULL;
    int status = inlay_performance_table(measured, 6, &f, NULL);
    inlay_performance_free(f);
    return status;
}

static int try_fit(const void *subject)
{
    inlay_performance *f = NULL;
    int status = inlay_performance_fit(*(const inlay_performance_form *)subject, measured, 6, &f, NULL);
    inlay_performance_free(f);
    return status;
}

static int try_grids(const void *subject)
{
    const processes_subject *s = subject;
    static const inlay_process_share share[] = {{.each = 8}, {.each = 4}};
    inlay_process_answer answer = {.total = 12, .share = share, .used = 2};
    inlay_process_grids *grids = NULL;
    inlay_process_grid_options o = {.data = {60, 50, 40}};
    int status = inlay_process_grids_make(&s->problem, &answer, &o, &grids, NULL);
    inlay_process_grids_free(grids);
    return status;
}

static int try_file(const void *subject)
{
    inlay_process_platform *p = NULL;
    int status = inlay_process_platform_read(subject, INLAY_PERFORMANCE_AS_GIVEN, &p, NULL);
    inlay_process_platform_free(p);
    return status;
}

static void starve_file(const char *text, long least)
{
    char path[] = "/tmp/inlay-perf-XXXXXX";
    int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    starve(try_file, path, least);
    (void)remove(path);
}

START_TEST(memory_may_end)
{
    processes_subject s;
    processes_paper((int[]){1, 6}, 2, 18, 5, &s);
    starve(try_plan, &s, 8);
    starve(try_curve, &s, 7);
    starve(try_grids, &s, 10);
    starve(try_table, NULL, 5);
    starve(try_fit, &(inlay_performance_form){INLAY_PERFORMANCE_OFFSET}, 3);
    starve(try_fit, &(inlay_performance_form){INLAY_PERFORMANCE_PAPER}, 3);
    processes_subject_clear(&s);
    starve_file("type,count,processes,data,speed\na,1,1,10,1\nb,2,1,10,1\na,1,2,10,1\n", 10);
    starve_file("{\"data_unit\": \"x\", \"types\": [{\"name\": \"a\", \"speed\": 1, \"hosts\": [\"x\", \"y\"]},"
                "{\"name\": \"b\", \"like\": \"a\"}]}",
                10);
}
END_TEST

Suite *suite_processes_refusals(void)
{
    Suite *suite = suite_create("processes_refusals");
    TCase *test = tcase_create("processes_refusals");
    tcase_add_test(test, functions_that_cannot_be);
    tcase_add_test(test, questions_that_cannot_be);
    tcase_add_test(test, grids_that_cannot_be);
    tcase_add_test(test, memory_may_end);
    suite_add_tcase(suite, test);
    return suite;
}
