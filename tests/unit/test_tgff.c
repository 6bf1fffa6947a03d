/* TGFF files: one of several graphs, times and sizes by tables, periods, deadlines and hosts; and what is refused. */
#include "unit.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAPHS                                                                                                         \
    "# of the benchmark's kind\n@HYPERPERIOD 90\n\n@TASK_GRAPH 0 {\n\tPERIOD 30\n\n"                                   \
    "\tTASK src\tTYPE 2\n\tTASK sink\tTYPE 1\tHOST 3\n\tARC a0 \tFROM src  TO  sink TYPE 1\n"                          \
    "\tSOFT_DEADLINE d0 ON sink AT 7\n\tHARD_DEADLINE d1 ON sink AT 25.5\n\tHARD_DEADLINE d2 ON sink AT 29\n}\n"       \
    "@TASK_GRAPH 7 {\n\tPERIOD 45\n\tTASK src TYPE 0\n\tTASK mid TYPE 1\n\tTASK sink TYPE 0\n"                         \
    "\tARC a1_0 FROM src TO mid TYPE 0\n\tARC a1_1 FROM mid TO sink TYPE 1 # the last\n}\n"

/* The second processor has no row for type 1, the third one that does not hold. */
#define TABLES                                                                                                         \
    "@PE 0 {\n# price\n 12.5\n#------\n# type exec_time\n 0 10.25\n 1 11\n 2 12E1\n}\n"                                \
    "@PE 1 {\n# price\n 99\n#------\n# type exec_time\n 0 1\n 2 3\n}\n"                                                \
    "@PE 2 {\n# type version valid task_time preempt_time\n 0 0 1 5 1\n 1 0 0 6 1\n 1 1 1 8 1\n 2 0 0 7 1\n}\n"
#define QUANTA "@COMMUN_QUANT 0 {\n# type bits\n 0 16\n 1 33\n}\n"

static inlay_app *read_graph(const char *text, const char *graph, inlay_diag *diag)
{
    inlay_app *app = NULL;
    const inlay_reading how = {.graph = graph};
    int status = inlay_app_read_memory_as(text, strlen(text), "in.tgff", &how, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    return app;
}

static double type_time(const inlay_app *app, const char *type, const char *task)
{
    for (int t = 0; t < inlay_app_types(app); t++) {
        if (strcmp(inlay_app_type_name(app, t), type) == 0) {
            inlay_time time = inlay_app_type_time(app, t, inlay_app_find_module(app, task));
            return time < 0 ? (double)time : inlay_app_in_units(app, time);
        }
    }
    return -9;
}

static double time_of(const inlay_app *app, const char *task)
{
    return inlay_app_in_units(app, inlay_app_time(app, inlay_app_find_module(app, task)));
}

START_TEST(one_of_several)
{
    inlay_diag *diag = inlay_diag_new();
    static const char *const names[] = {"1", "TASK_GRAPH_0"};
    for (int i = 0; i < 2; i++) {
        inlay_app *app = read_graph(GRAPHS TABLES, names[i], diag);
        ck_assert_int_eq(inlay_app_modules(app), 2);
        ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_TICK);
        ck_assert_str_eq(inlay_app_name(app), "in.TASK_GRAPH_0");
        ck_assert_double_eq(inlay_app_period(app), 30);
        ck_assert_int_eq(inlay_app_pin(app, 1), 3);
        ck_assert_int_eq(inlay_app_pin(app, 0), -1);
        ck_assert_double_eq(inlay_app_in_units(app, inlay_app_deadline(app, 1)), 25.5);
        ck_assert_double_eq(time_of(app, "src"), 120);
        ck_assert_double_eq(time_of(app, "sink"), 11);
        ck_assert_double_eq(type_time(app, "PE_0", "src"), 120);
        ck_assert_double_eq(type_time(app, "PE_1", "src"), 3);
        ck_assert_double_eq(type_time(app, "PE_2", "src"), INLAY_NEVER);
        ck_assert_double_eq(type_time(app, "PE_1", "sink"), INLAY_NEVER);
        ck_assert_double_eq(type_time(app, "PE_2", "sink"), 8);
        ck_assert_int_eq(inlay_app_out(app, 0).bytes[0], 0);
        ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
        inlay_app_free(app);
    }
    inlay_diag_free(diag);
}
END_TEST

/* A period goes where times go; what no file could hold is none. */
START_TEST(scaled_periods)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = read_graph(GRAPHS TABLES, "2", diag), *scaled = NULL;
    const inlay_scaling thrice = {.time = {3, 0}}, long_ago = {.time = {1, 12}};
    ck_assert_int_eq(inlay_app_scale(app, &thrice, &scaled, diag), INLAY_OK);
    ck_assert_double_eq(inlay_app_period(scaled), 135);
    inlay_app_free(scaled);
    ck_assert_int_eq(inlay_app_scale(app, &long_ago, &scaled, diag), INLAY_OK);
    ck_assert_double_eq_tol(inlay_app_period(scaled), 45e-12, 1e-24);
    inlay_app_free(scaled);
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(sizes_in_bits)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = read_graph(QUANTA GRAPHS TABLES, "2", diag);
    ck_assert_int_eq(inlay_app_modules(app), 3);
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_S);
    ck_assert_double_eq(inlay_app_period(app), 45);
    ck_assert_double_eq(time_of(app, "mid"), 11);
    ck_assert_double_eq(time_of(app, "src"), 10.25);
    ck_assert_int_eq(inlay_app_out(app, 0).bytes[0], 2);
    ck_assert_int_eq(inlay_app_out(app, 1).bytes[0], 5);
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

/* Tables of arcs that are all there is give times to tasks too; what has no unit counts as bytes. */
START_TEST(tables_shared_with_arcs)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = read_graph(GRAPHS "@COMMUN 4 {\n#  type   exec_time\n 0 2.5\n 1 3.4\n 2 9\n}\n", "2", diag);
    ck_assert_double_eq(time_of(app, "mid"), 3.4);
    ck_assert_int_eq(inlay_app_types(app), 0);
    ck_assert_int_eq(inlay_app_out(app, 0).bytes[0], 2);
    ck_assert_int_eq(inlay_app_out(app, 1).bytes[0], 3);
    ck_assert_ptr_nonnull(strstr(inlay_diag_warning(diag, 0), "table COMMUN_4 has no unit"));
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(refused)
{
    static const struct {
        const char *text, *graph, *message;
    } cases[] = {
        {GRAPHS, NULL, "in.tgff: 2 task graphs; expected one to be chosen: --graph 1 to 2"},
        {GRAPHS, "3", "in.tgff: no task graph '3'; expected 1 to 2, or the name of one such as TASK_GRAPH_0"},
        {"@HYPERPERIOD 4\n", NULL, "in.tgff: no task graphs; expected @TASK_GRAPH"},
        {"@TASK_GRAPH 0 {\n", NULL, "in.tgff:1: the file ends in a block; expected '}'"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE 0\n TASK a TYPE 1\n}\n", NULL,
         "in.tgff:3: a second task 'a'; expected every name once in a graph"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE x\n}\n", NULL, "in.tgff:2: bad number 'x'; expected a whole one from 0 on"},
        {"@TASK_GRAPH 0 {\n TASK a\n}\n", NULL, "in.tgff:2: TASK 'a'; expected TYPE and a number behind it"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE\n}\n", NULL,
         "in.tgff:2: incomplete statement 'TASK'; expected TASK name TYPE number [HOST number]"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE 1 YPE 2\n}\n", NULL,
         "in.tgff:2: unknown word 'YPE'; expected TASK name TYPE number [HOST number]"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE 1\n ARC b FROM a TO c TYPE 1\n}\n", NULL,
         "in.tgff:3: unknown task 'c'; expected one that stands before"},
        {"@TASK_GRAPH 0 {\n EDGE b FROM a TO c\n}\n", NULL,
         "in.tgff:2: unknown statement 'EDGE'; expected TASK, ARC, PERIOD, HARD_DEADLINE or SOFT_DEADLINE"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE 5\n}\n@PE 0 {\n# type exec_time\n 1 2\n}\n", NULL,
         "in.tgff:2: task 'a' of type 5, for which no table has a time; expected a row that begins with 5"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE 1\n}\n@PE 0 {\n# type exec_time\n 1\n}\n", NULL,
         "in.tgff:6: 1 numbers; expected 2, as the comment names"},
        {"@TASK_GRAPH 0 {\n PERIOD 0\n TASK a TYPE 1\n}\n", NULL,
         "in.tgff: a period of 0 tick; expected one above 0 in the application's unit, tick"},
        {"@TASK_GRAPH 0 {\n TASK a TYPE 1\n TASK b TYPE 1\n ARC c FROM a TO b TYPE 1\n ARC d FROM b TO a TYPE 1\n}\n",
         NULL,
         "in.tgff:4: precedence cycle a -> b -> a; expected an acyclic graph (kind=traffic for traffic without "
         "precedence)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        const inlay_reading how = {.format = "tgff", .graph = cases[i].graph};
        int status = inlay_app_read_memory_as(cases[i].text, strlen(cases[i].text), "in.tgff", &how, &app, diag);
        ck_assert_int_eq(status, INLAY_BAD_INPUT);
        ck_assert_str_eq(inlay_diag_message(diag), cases[i].message);
        ck_assert_ptr_null(app);
        inlay_diag_free(diag);
    }
}
END_TEST

START_TEST(real_files)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    static const int counts[][2] = {{30, 33}, {20, 19}, {62, 61}, {47, 46}};
    char path[512];
    snprintf(path, sizeof path, "%s/tgff/kseries_parallel.tgff", unit_data());
    for (int i = 0; i < 4; i++) {
        char graph[4];
        inlay_app *app = NULL;
        const inlay_reading how = {.graph = graph};
        snprintf(graph, sizeof graph, "%d", i + 1);
        ck_assert_int_eq(inlay_app_read_as(path, &how, &app, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_modules(app), counts[i][0]);
        ck_assert_int_eq(inlay_app_links(app), counts[i][1]);
        ck_assert_int_eq(inlay_app_types(app), 3);
        ck_assert_double_gt(inlay_app_period(app), 0);
        inlay_app_free(app);
    }
}
END_TEST

Suite *suite_tgff(void)
{
    Suite *suite = suite_create("tgff");
    TCase *tests = tcase_create("tgff");
    tcase_add_test(tests, one_of_several);
    tcase_add_test(tests, scaled_periods);
    tcase_add_test(tests, sizes_in_bits);
    tcase_add_test(tests, tables_shared_with_arcs);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, real_files);
    suite_add_tcase(suite, tests);
    return suite;
}
