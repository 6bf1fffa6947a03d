/* Files of processor speeds: what they say, and what they must not. */
#include "unit.h"

#include <inlay/processes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "perf.test";

/* In a folder of its own; the path stays short. */
static void begin(void)
{
    char folder[] = "/tmp/inlay-perf-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void end(void)
{
    char folder[4096];
    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    (void)remove(path);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void put(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static inlay_process_platform *platform(const char *text, inlay_performance_form form, inlay_diag *diag)
{
    inlay_process_platform *made = NULL;
    put(text);
    int status = inlay_process_platform_read(path, form, &made, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    return made;
}

/* ---- What files say ---- */

START_TEST(constant_speeds)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_platform *p =
        platform("# machines\n\nType, Count ,speed\nathlon,1,1\n p3 ,2,0.54\n", INLAY_PERFORMANCE_AS_GIVEN, diag);
    ck_assert_uint_eq(p->problem.rows, 2);
    ck_assert_str_eq(p->problem.row[1].name, "p3");
    ck_assert_int_eq(p->problem.row[1].count, 2);
    ck_assert_double_eq_tol(inlay_processors_time(&p->problem.row[1], 7, 54), 100, 1e-12);
    ck_assert_int_eq(p->problem.data, 0);
    ck_assert_int_eq(p->time_unit, INLAY_UNIT_S);
    ck_assert_str_eq(p->data_unit, "");
    inlay_process_platform_free(p);
    inlay_diag_free(diag);
}
END_TEST

static const char measured[] = "type,count,processes,data,time\n"
                               "a,3,1,100,10\n"
                               "a,,2,100,11\n"
                               "a,,1,200,21\n"
                               "b,1,1,100,20\n"
                               "a,,2,200,24\n";

START_TEST(measured_times)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_platform *p = platform(measured, INLAY_PERFORMANCE_AS_GIVEN, diag);
    ck_assert_int_eq(p->problem.row[0].count, 3);
    ck_assert_int_eq(inlay_performance_form_of(p->problem.row[0].performance), INLAY_PERFORMANCE_TABLE);
    ck_assert_double_eq_tol(inlay_processors_time(&p->problem.row[0], 2, 200), 24, 1e-12);
    ck_assert_double_eq_tol(inlay_processors_time(&p->problem.row[1], 1, 50), 10, 1e-12);
    inlay_process_platform_free(p);
    p = platform(measured, INLAY_PERFORMANCE_OFFSET, diag);
    ck_assert_ptr_nonnull(inlay_performance_errors_of(p->problem.row[0].performance));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 2);
    ck_assert_str_eq(inlay_diag_warning(diag, 0),
                     "perf.test:5: type 'b': all measurements have x = 1: the speed is taken not to depend on the "
                     "processes");
    inlay_process_platform_free(p);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(json)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_platform *p = platform(
        "{\"data\": 216000, \"data_unit\": \"points\", \"time_unit\": \"tick\", \"types\": [\n"
        "{\"name\": \"athlon\", \"form\": \"offset\", \"c\": 100, \"a\": 2, \"b\": 1000},\n"
        "{\"name\": \"p3\", \"count\": 2, \"like\": \"athlon\", \"speed\": 0.5, \"hosts\": [\"x\", \"y\"]},\n"
        "{\"name\": \"p2\", \"like\": \"p3\", \"speed\": 0.5},\n"
        "{\"name\": \"t\", \"speed\": 2, \"measurements\": [{\"processes\": 1, \"data\": 10, \"speed\": 5}]},\n"
        "{\"name\": \"c\", \"form\": \"constant\", \"measurements\": [{\"processes\": 1, \"data\": 10, \"time\": "
        "5}]}]}",
        INLAY_PERFORMANCE_AS_GIVEN, diag);
    const inlay_processors *row = p->problem.row;
    ck_assert_int_eq(p->problem.data, 216000);
    ck_assert_int_eq(p->time_unit, INLAY_UNIT_TICK);
    ck_assert_str_eq(p->data_unit, "points");
    ck_assert_double_eq_tol(inlay_processors_time(&row[0], 2, 1000), 30, 1e-12);
    ck_assert_double_eq_tol(inlay_processors_time(&row[1], 2, 1000), 60, 1e-12);
    ck_assert_double_eq_tol(inlay_processors_time(&row[2], 2, 1000), 120, 1e-12);
    ck_assert_double_eq_tol(inlay_processors_time(&row[3], 1, 10), 1, 1e-12);
    ck_assert_double_eq_tol(inlay_processors_time(&row[4], 1, 10), 5, 1e-12);
    ck_assert_str_eq(row[1].host[1], "y");
    inlay_process_plan *plan = NULL;
    ck_assert_int_eq(inlay_processes(&p->problem, NULL, &plan, diag), INLAY_OK);
    ck_assert_uint_gt(inlay_diag_warnings(diag), 0); /* t has a single measurement */
    ck_assert(strstr(inlay_diag_warning(diag, 0), "extrapolated (from x 1 to 1, y 10 to 10)") != NULL);
    ck_assert(!inlay_process_plan_at(plan, 0)->measured);
    inlay_process_plan_free(plan);
    inlay_process_platform_free(p);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(hosts_in_csv)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_platform *p = platform("type,hosts,processes,data,time\n"
                                         "a, node1\tnode1  n2 ,1,100,10\n"
                                         "b,,1,100,20\n"
                                         "a,node1 node1 n2,1,200,21\n"
                                         "a,,1,300,31\n"
                                         "b,last,1,200,41\n",
                                         INLAY_PERFORMANCE_AS_GIVEN, diag);
    const inlay_processors *row = p->problem.row;
    ck_assert_int_eq(row[0].count, 3);
    ck_assert_str_eq(row[0].host[0], "node1");
    ck_assert_str_eq(row[0].host[1], "node1");
    ck_assert_str_eq(row[0].host[2], "n2");
    ck_assert_int_eq(row[1].count, 1);
    ck_assert_str_eq(row[1].host[0], "last");
    inlay_process_platform_free(p);
    inlay_diag_free(diag);
}
END_TEST

/* ---- What files must not say ---- */

static const struct refusal {
    const char *text, *message;
} refusals[] = {
    {"", "perf.test: the file is empty; expected JSON, or CSV with the headings type, count, hosts, processes, data, "
         "and speed "
         "or time"},
    {"# nothing\n",
     "perf.test: the file is empty; expected JSON, or CSV with the headings type, count, hosts, processes, data, "
     "and speed or time"},
    {"type,speed\n", "perf.test: no processors; expected at least one type"},
    {"type,power\na,1\n",
     "perf.test:1: unknown column 'power'; expected the headings type, count, hosts, processes, data, and "
     "speed or time"},
    {"type,speed,type\n", "perf.test:1: the column 'type' comes twice; expected once"},
    {"speed\n1\n", "perf.test:1: the headings: no column 'type'; expected one"},
    {"type,speed,time\n", "perf.test:1: the headings: expected a column 'speed' or a column 'time', and not both"},
    {"type,processes,speed\n", "perf.test:1: the headings: expected a column 'data' beside 'processes'"},
    {"type,time\na,1\n", "perf.test:1: the headings: times without data; expected columns 'processes' and 'data'"},
    {"type,speed\na,1,2\n", "perf.test:2: 3 fields; expected 2 as in the headings"},
    {"type,speed\n,1\n", "perf.test:2: a type without a name; expected one"},
    {"type,speed\na,0\n", "perf.test:2: speed '0'; expected a number above 0"},
    {"type,speed\na,-1\n", "perf.test:2: speed '-1'; expected a number above 0"},
    {"type,speed\na,nan\n", "perf.test:2: speed 'nan'; expected a number above 0"},
    {"type,speed\na,\n", "perf.test:2: speed ''; expected a number above 0"},
    {"type,speed\na,1e400\n", "perf.test:2: speed '1e400'; expected a number above 0"},
    {"type,count,speed\na,0,1\n", "perf.test:2: count '0'; expected an integer from 1 to 16777216"},
    {"type,count,speed\na,2.5,1\n", "perf.test:2: count '2.5'; expected an integer from 1 to 16777216"},
    {"type,count,speed\na,99999999999999999999,1\n",
     "perf.test:2: count '99999999999999999999'; expected an integer from 1 to 16777216"},
    {"type,count,speed\na,9999999,1\nb,9999999,1\n",
     "perf.test:3: more than 16777216 processors; expected at most so many"},
    {"type,speed\na,1\na,2\n", "perf.test:3: type 'a' comes twice, and has a constant speed; expected one line for it"},
    {"type,processes,data,speed\na,1,,1\n",
     "perf.test:2: one of processes and data is missing; expected both, or with a constant speed neither"},
    {"type,processes,data,time\na,,,1\n",
     "perf.test:2: one of processes and data is missing; expected both, or with a constant speed neither"},
    {"type,processes,data,speed\na,,,1\na,1,1,1\n",
     "perf.test:3: type 'a' comes twice, and has a constant speed; expected one line for it"},
    {"type,processes,data,speed\na,1,1,1\na,,,1\n",
     "perf.test:3: type 'a' comes twice, and has a constant speed; expected one line for it"},
    {"type,count,processes,data,speed\na,1,1,1,1\na,2,2,1,1\n",
     "perf.test:3: type 'a' has 2 processors here and 1 on line 2; expected the same number"},
    {"type,count,hosts,speed\na,3,x y,1\n",
     "perf.test:2: type 'a' has the count 3, but 2 hosts; expected as many names, separated by blanks"},
    {"type,count,hosts,processes,data,speed\na,2,,1,1,1\na,,x,1,2,1\n",
     "perf.test:3: type 'a' has the count 2, but 1 host; expected as many names, separated by blanks"},
    {"type,count,hosts,processes,data,speed\na,,x y,1,1,1\na,3,,1,2,1\n",
     "perf.test:3: type 'a' has 3 processors here and 2 on line 2; expected the same number"},
    {"type,hosts,processes,data,speed\na,x y,1,1,1\na,x yy,1,2,1\n",
     "perf.test:3: type 'a' has other hosts than before; expected the same, or none"},
    {"type,processes,data,speed\na,1,0,1\n", "perf.test:2: data '0'; expected a number above 0"},
    {"type,processes,data,speed\na,1,10,1\na,1,10,2\n",
     "perf.test:2: type 'a': 1 process with 10 data was measured twice; expected once in a table"},
    {"type,processes,data,speed\na,1,10,1\na,1,20,1\na,2,10,1\n",
     "perf.test:2: type 'a': 1 process was measured with 20 data, 2 were not; expected one measurement for each "
     "pair "
     "of processes and data"},
    {"type,processes,data,speed\na,1,10,1\na,2,10,1\na,2,20,1\n",
     "perf.test:2: type 'a': 2 processes were measured with 20 data, 1 was not; expected one measurement for each "
     "pair "
     "of processes and data"},
    {"type,processes,data,speed\na,1,10,1\na,1,20,1\na,2,10,1\na,2,30,1\n",
     "perf.test:2: type 'a': 1 process was measured with 20 data, 2 were not; expected one measurement for each "
     "pair "
     "of processes and data"},
    {"type,processes,data,time\na,1,10,5\na,1,20,5\n",
     "perf.test:2: type 'a': 1 process takes no longer with 20 data than with 10; expected times that rise with the "
     "data"},
    {"type,processes,data,speed\na,1,10,1\na,2,10,2.1\n",
     "perf.test:2: type 'a': from 1 to 2 processes with data in step (10 data and more) the speed grows faster than "
     "they "
     "do, so that more would take less time; expected at most as fast (a processor with several cores can be given as "
     "several)"},
    {"[]", "perf.test:1: the file is an array; expected an object"},
    {"{\"types\": 1}", "perf.test:1: types is 1; expected an array"},
    {"{}", "perf.test:1: types is missing; expected an array"},
    {"{\"type\": []}", "perf.test:1: unknown member 'type'; expected one of types data data_unit time_unit comment"},
    {"{\"types\": []}", "perf.test: no processors; expected at least one type"},
    {"{\"data\": 0, \"types\": []}", "perf.test:1: data is 0; expected an integer, 1 or more"},
    {"{\"time_unit\": \"h\", \"types\": []}", "perf.test:1: time_unit is 'h'; expected s, ms, us, ns or tick"},
    {"{\"types\": [\n{\"name\": \"a\"}]}",
     "perf.test:2: type 'a' has no speed; expected a speed, or like, measurements, "
     "or form and c"},
    {"{\"types\": [{\"name\": \"a\", \"speed\": 1},\n{\"name\": \"a\", \"speed\": 1}]}",
     "perf.test:2: the type 'a' comes twice; expected every type once"},
    {"{\"types\": [{\"name\": \"a\", \"speed\": 0}]}", "perf.test:1: types[0].speed is 0; expected a number above 0"},
    {"{\"types\": [{\"name\": \"a\", \"speed\": \"1\"}]}",
     "perf.test:1: types[0].speed is '1'; expected a number above 0"},
    {"{\"types\": [{\"name\": \"a\", \"like\": \"a\"}]}",
     "perf.test:1: types[0].like is 'a'; expected a type that stands before"},
    {"{\"types\": [{\"name\": \"a\", \"like\": \"b\"}]}",
     "perf.test:1: types[0].like is 'b'; expected a type that stands before"},
    {"{\"types\": [{\"name\": \"a\", \"c\": 1}]}",
     "perf.test:1: type 'a' has numbers without form 'paper' or 'offset', or without c; expected form, c, a and b"},
    {"{\"types\": [{\"name\": \"a\", \"form\": \"cubic\", \"c\": 1}]}",
     "perf.test:1: types[0].form is 'cubic'; expected table, paper, offset or constant"},
    {"{\"types\": [{\"name\": \"a\", \"form\": \"table\", \"speed\": 1}]}",
     "perf.test:1: type 'a' has a form, but neither measurements nor numbers; expected them"},
    {"{\"types\": [{\"name\": \"a\", \"form\": \"paper\", \"c\": 1}]}",
     "perf.test:1: type 'a': the paper's form has neither a nor b, so that its speed has no limit; expected one of "
     "them"},
    {"{\"types\": [{\"name\": \"a\", \"measurements\": []}]}", "perf.test:1: no measurements; expected at least one"},
    {"{\"types\": [{\"name\": \"a\", \"measurements\": [{\"processes\": 1, \"data\": 1}]}]}",
     "perf.test:1: a measurement needs its speed or its time, and not both; expected one"},
    {"{\"types\": [{\"name\": \"a\", \"measurements\": [{\"data\": 1, \"speed\": 1}]}]}",
     "perf.test:1: types[0].measurements[0].processes is missing; expected an integer, 1 or more"},
    {"{\"types\": [{\"name\": \"a\", \"speed\": 1, \"c\": 1, \"measurements\": [{\"processes\": 1, \"data\": 1, "
     "\"speed\": 1}]}]}",
     "perf.test:1: type 'a' has more than one of like, measurements and c; expected one"},
    {"{\"types\": [{\"name\": \"a\", \"speed\": 1, \"count\": 2, \"hosts\": [\"x\"]}]}",
     "perf.test:1: 1 host; expected one for each of the type's processors"},
    {"{\"types\": [{\"name\": \"a\", \"speed\": 1, \"form\": \"offset\", \"measurements\": [{\"processes\": 1, "
     "\"data\": 1, \"speed\": 1}, {\"processes\": 2, \"data\": 2, \"speed\": 1}]}]}",
     "perf.test:1: type 'a': the measurements cannot tell the effect of the processes from that of the data; expected "
     "some with more processes and the same data, and some with more data"},
};

START_TEST(refused_files)
{
    const struct refusal *r = &refusals[_i];
    inlay_diag *diag = inlay_diag_new();
    inlay_process_platform *made = NULL;
    put(r->text);
    ck_assert_int_eq(inlay_process_platform_read(path, INLAY_PERFORMANCE_AS_GIVEN, &made, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), r->message);
    ck_assert_ptr_null(made);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_processes_files(void)
{
    Suite *suite = suite_create("processes_files");
    TCase *test = tcase_create("processes_files");
    tcase_add_checked_fixture(test, begin, end);
    tcase_add_test(test, constant_speeds);
    tcase_add_test(test, measured_times);
    tcase_add_test(test, json);
    tcase_add_test(test, hosts_in_csv);
    tcase_add_loop_test(test, refused_files, 0, (int)(sizeof refusals / sizeof *refusals));
    suite_add_tcase(suite, test);
    return suite;
}
