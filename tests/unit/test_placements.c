/*
 * Placements from JSON, CSV, part files, Scotch's mappings and rankfiles: what they say, and the message for each that says
 * it wrongly; and what is written of mappings, read back.
 */
#include "random_app.h"
#include "unit.h"

#include "base/file.h"
#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 4 };

static inlay_app *app; /* of modules a, b, 'c,"d"' and e; made and freed around each test */
static char path[256];

static void set_up(void)
{
    static const char data[] = "{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\", \"time\": 1},"
                               "{\"name\": \"b\", \"time\": 1}, {\"name\": \"c,\\\"d\\\"\", \"time\": 1},"
                               "{\"name\": \"e\", \"time\": 1}]}";
    ck_assert_int_eq(inlay_app_read_memory(data, strlen(data), "in", NULL, &app, NULL), INLAY_OK);
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/inlay-placement-%ld", folder != NULL ? folder : "/tmp", (long)getpid());
}

static void tear_down(void)
{
    inlay_app_free(app);
    unlink(path);
}

static void by_module(const inlay_task_schedule *schedule, inlay_id *processor_of)
{
    ck_assert_int_eq(schedule->entries, MODULES);
    for (int64_t e = 0; e < schedule->entries; e++)
        processor_of[schedule->module[e]] = schedule->processor[e];
}

static int read_placement(const char *data, inlay_id *processor_of, inlay_diag *diag)
{
    ck_assert_int_eq(file_write(path, data, strlen(data), NULL), INLAY_OK);
    inlay_task_schedule schedule = {0};
    int status = inlay_task_schedule_read(path, app, NULL, &schedule, diag);
    if (status == INLAY_OK) {
        by_module(&schedule, processor_of);
    }
    inlay_task_schedule_clear(&schedule);
    return status;
}

static const struct {
    const char *data;
    inlay_id processor[MODULES];
} placements[] = {
    {"{\"a\": 0, \"b\": 1, \"c,\\\"d\\\"\": 2, \"e\": 7}", {0, 1, 2, 7}},
    {"{\"method\": \"x\", \"clusters\": [{\"processor\": 1, \"modules\": [\"e\", \"a\"], \"busy\": 2},"
     "{\"processor\": 0, \"modules\": [\"c,\\\"d\\\"\", \"b\"]}]}",
     {1, 0, 0, 1}},
    {"module,processor\na,1\nb,2\n\"c,\"\"d\"\"\",3\ne,4\n", {1, 2, 3, 4}},
    {"# by hand\r\n\r\n e , 4\r\na,1\r\nc,\"d\",3\r\nb,2", {1, 2, 3, 4}},
    {"0\n3\n2\n0\n", {0, 3, 2, 0}},
    {"% a partition\r\n 1\r\n1\r\n\r\n2\r\n0", {1, 1, 2, 0}},
    {"4\n3 0\n0\t2\n 2 1\r\n1 2\n", {2, 2, 1, 0}},
    {"# Scotch\n4\n100001 1\n100000 0\n100003 3\n100002 2\n", {0, 1, 2, 3}},
    {"# ranks\nrank 1=host1 slot=0:1\nrank 0=host0 slot=0\nRANK 3 = host1  slot = 0:1\nrank 2=+n1 slot=0-3\n",
     {1, 0, 2, 0}},
};

START_TEST(test_placements)
{
    inlay_id processor_of[MODULES];
    inlay_diag *diag = inlay_diag_new();
    int status = read_placement(placements[_i].data, processor_of, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_mem_eq(processor_of, placements[_i].processor, sizeof processor_of);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Orders ---- */

static const struct {
    const char *data;
    bool ordered;
    inlay_id processor[MODULES], order[MODULES];
} orders[] = {
    {"{\"a\": 0, \"b\": 1, \"c,\\\"d\\\"\": 2, \"e\": 7}", false, {0, 1, 2, 7}, {0}},
    {"{\"clusters\": [{\"processor\": 1, \"modules\": [\"e\", \"a\"]},"
     "{\"processor\": 0, \"modules\": [\"c,\\\"d\\\"\", \"b\"]}]}",
     true,
     {1, 0, 0, 1},
     {3, 0, 2, 1}},
    {"[[\"e\", \"a\"], [], [\"c,\\\"d\\\"\", \"b\"]]", true, {0, 2, 2, 0}, {3, 0, 2, 1}},
    {"module,processor,order\na,1,3\nb,2,-1\n\"c,\"\"d\"\"\",3,2\ne,1,0.5\n", true, {1, 2, 3, 1}, {1, 3, 2, 0}},
    {"# times\nmodule , processor , start\na,0,1e3\nb,0,0\nc,\"d\",0,0\ne,0,12.5\n", true, {0, 0, 0, 0}, {1, 2, 3, 0}},
    {"module,processor,start,end\na,0,3,4\nb,0,0,9\nc,\"d\",1,0,\ne,0,12.5,13\n", true, {0, 0, 1, 0}, {1, 2, 0, 3}},
    {"0\n3\n2\n0\n", false, {0, 3, 2, 0}, {0}},
};

START_TEST(test_orders)
{
    inlay_task_schedule schedule = {0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(file_write(path, orders[_i].data, strlen(orders[_i].data), NULL), INLAY_OK);
    int status = inlay_task_schedule_read(path, app, NULL, &schedule, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_id processor_of[MODULES];
    by_module(&schedule, processor_of);
    ck_assert_mem_eq(processor_of, orders[_i].processor, sizeof orders[_i].processor);
    ck_assert(schedule.ordered == orders[_i].ordered);
    if (schedule.ordered) ck_assert_mem_eq(schedule.module, orders[_i].order, sizeof orders[_i].order);
    inlay_task_schedule_clear(&schedule);
    inlay_diag_free(diag);
}
END_TEST

#define KINDS "expected JSON, CSV 'module,processor', a part file, a Scotch mapping or a rankfile"

static const struct {
    const char *data, *message; /* behind the path */
} errors[] = {
    {"", ": no placement in the file; " KINDS},
    {"# nothing\n", ": no placement in the file; " KINDS},
    {"\nhello\n", ":2: 'hello' is no placement; " KINDS},
    /* JSON */
    {"{\"a\": 0,\n", ":2: not valid JSON (string or '}' expected near end of file); expected one whole JSON object"},
    {"[0, 1]", ":1: [0] is 0; expected an array"},
    {"[[\"a\"],\n[\"a\"]]", ":2: duplicate module 'a'; expected every module once"},
    {"module,processor,start\na,0,soon\n",
     ":2: 'a,0' has no number in its third column; expected one that orders the module"},
    {"module,processor,order\na,0,nan\n",
     ":2: 'a,0' has no number in its third column; expected one that orders the module"},
    {"{\"a\": 0,\n\"z\": 1}", ":2: unknown module 'z'; expected a module of the application"},
    {"{\"a\": 0,\n\"b\": -1}", ":2: b is -1; expected an integer, 0 or more"},
    {"{\"a\": 0,\n\"b\": 1.5}", ":2: b is 1.5; expected an integer, 0 or more"},
    {"{\"a\": 0,\n\"a\": 1}", ":2: not valid JSON (duplicate object key near '\"a\"'); expected one whole JSON object"},
    {"{\"a\": 0, \"b\": 1}", ":1: module 'c,\"d\"' has no processor; expected every module once"},
    {"{\"clusters\": [\n{\"modules\": []}]}", ":2: clusters[0].processor is missing; expected an integer, 0 or more"},
    {"{\"clusters\": [\n{\"processor\": 0}]}", ":2: clusters[0].modules is missing; expected an array"},
    {"{\"clusters\": [\n3]}", ":2: clusters[0] is 3; expected an object"},
    {"{\"clusters\": [{\"processor\": 0, \"modules\": [\"a\",\n\"z\"]}]}",
     ":2: unknown module 'z'; expected a module of the application"},
    {"{\"clusters\": [{\"processor\": 0, \"modules\": [\"a\",\n\"a\"]}]}",
     ":2: duplicate module 'a'; expected every module once"},
    {"{\n\"clusters\": [{\"processor\": 0, \"modules\": [\"a\"]}]}",
     ":2: module 'b' has no processor; expected every module once"},
    /* CSV */
    {"module,processor\na,0\nz,1\n", ":3: unknown module 'z'; expected a module of the application"},
    {"a,0\nb,-1\n", ":2: processor '-1'; expected an integer, 0 or more"},
    {"a,0\nb,1.5\n", ":2: processor '1.5'; expected an integer, 0 or more"},
    {"a,0\nb,2147483648\n", ":2: processor '2147483648'; expected an integer, 0 or more"},
    {"a,0\nb,\n", ":2: processor ''; expected an integer, 0 or more"},
    {"a,0\n\na,1\n", ":3: duplicate module 'a'; expected every module once"},
    {"a,0\nmodule,processor\n", ":2: processor 'processor'; expected an integer, 0 or more"},
    {"a,0\nb\n", ":2: 'b' is no pair; expected 'module,processor'"},
    {"a,0\nb,1\n", ":2: module 'c,\"d\"' has no processor; expected every module once"},
    /* part files */
    {"0\n-1\n", ":2: processor '-1'; expected an integer, 0 or more"},
    {"0\n1.5\n", ":2: processor '1.5'; expected an integer, 0 or more"},
    {"0\nx\n", ":2: processor 'x'; expected an integer, 0 or more"},
    {"0\n1\n2\n", ":3: the file ends after 3 processors; expected 4, one a module"},
    {"0\n1\n2\n3\n\n4\n", ":6: more processors than modules; expected 4 lines, one a module"},
    /* Scotch's mappings */
    {"3\n0 1\n1 1\n2 1\n", ":1: the mapping is one of 3 vertices; expected 4, one a module"},
    {"4\n0 1\n1\n", ":3: '1' is no pair; expected a vertex and its processor"},
    {"4\n0 1\nx 1\n", ":3: 'x 1' is no pair; expected a vertex and its processor"},
    {"4\n0 1\n1 -1\n", ":3: processor '-1'; expected an integer, 0 or more"},
    {"4\n0 1\n1 1\n2 2\n", ":4: the file ends after 3 vertices; expected 4, one a module"},
    {"4\n0 1\n1 1\n2 2\n3 1\n4 1\n", ":6: more lines than the 4 that the first says; expected one a module"},
    {"4\n0 1\n1 1\n2 2\n4 1\n", ":5: vertex 4; expected 0 to 3, one a module"},
    {"4\n1 1\n1 1\n2 2\n4 1\n", ":3: duplicate module 'a'; expected every module once"},
    /* rankfiles */
    {"rank 0=h slot=0\nrank 1=h\n", ":2: 'rank 1=h' is no rank; expected 'rank N=host slot=S'"},
    {"rank 0=h slot=0\nrank 4=h slot=1\n", ":2: unknown module: rank '4'; expected 0 to 3, one rank a module"},
    {"rank 0=h slot=0\nrank -1=h slot=1\n", ":2: unknown module: rank '-1'; expected 0 to 3, one rank a module"},
    {"rank 0=h slot=0\nrank 0=h slot=1\n", ":2: duplicate module 'a'; expected every module once"},
    {"rank 0=h slot=0\nrank 1=h slot=1\n", ":2: module 'c,\"d\"' has no processor; expected every module once"},
};

START_TEST(test_errors)
{
    inlay_id processor_of[MODULES] = {-7, -7, -7, -7};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(read_placement(errors[_i].data, processor_of, diag), INLAY_BAD_INPUT);
    ck_assert_int_eq(strncmp(inlay_diag_message(diag), path, strlen(path)), 0);
    ck_assert_str_eq(inlay_diag_message(diag) + strlen(path), errors[_i].message);
    for (int i = 0; i < MODULES; i++) {
        ck_assert_int_eq(processor_of[i], -7);
    }
    inlay_diag_free(diag);
}
END_TEST

/* ---- Rankfiles of a machine's own hosts ---- */

static const char named[] = "graph m { graph [network=links]; edge [capacity=\"1msg/tick\"]; node [cores=2];"
                            "east; west [cores=1]; far; hub [kind=switch]; east -- hub; west -- hub; far -- hub }";

static inlay_machine *machine_from(const char *text)
{
    inlay_machine *machine = NULL;
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m", NULL, &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_int_eq(status, INLAY_OK);
    return machine;
}

static const struct {
    const char *machine, *data;
    const char *message; /* NULL: it is read */
    inlay_id processor[MODULES];
} ranks[] = {
    {named, "rank 0=far slot=1\nrank 1=east slot=1\nrank 2=west slot=S*\nrank 3=far slot=0\n", NULL, {4, 1, 2, 3}},
    {named, "rank 0=b slot=1\nrank 1=a slot=1\nrank 2=b slot=1\nrank 3=a slot=0\n", NULL, {0, 1, 0, 2}},
    {"mesh:2x2,cores=2",
     "rank 0=+n3 slot=1\nrank 1=+n0 slot=0\nrank 2=+n3 slot=0\nrank 3=+n1 slot=1\n",
     NULL,
     {7, 0, 6, 3}},
    {"bus:4", "rank 0=+n3 slot=0\nrank 1=+n0 slot=0\nrank 2=+n2 slot=0\nrank 3=+n1 slot=5\n", NULL, {3, 0, 2, 1}},
    {named, "rank 0=far slot=2\n", ":1: slot '2'; expected a core of far, 0 to 1, or several", {0}},
    {named, "rank 0=far slot=S*\n", ":1: slot 'S*'; expected a core of far, 0 to 1, or several", {0}},
    {named, "rank 0=far slot=0-1\n", ":1: duplicate module 'a'; expected every module once", {0}},
    {named, "rank 0=far slot=1,0\n", ":1: duplicate module 'a'; expected every module once", {0}},
    {named,
     "rank 0=far slot=1\nrank 1=near slot=0\n",
     ":2: near is none of the hosts of m; expected all hosts to be of these, or none",
     {0}},
    {named,
     "rank 0=near slot=1\nrank 1=far slot=0\n",
     ":2: far is one of the hosts of m; expected all hosts to be of these, or none",
     {0}},
};

START_TEST(test_own_hosts)
{
    inlay_machine *machine = machine_from(ranks[_i].machine);
    inlay_task_schedule schedule = {0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(file_write(path, ranks[_i].data, strlen(ranks[_i].data), NULL), INLAY_OK);
    int status = inlay_task_schedule_read(path, app, machine, &schedule, diag);
    if (ranks[_i].message == NULL) {
        inlay_id processor_of[MODULES];
        ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
        by_module(&schedule, processor_of);
        ck_assert_mem_eq(processor_of, ranks[_i].processor, sizeof processor_of);
    } else {
        ck_assert_int_eq(status, INLAY_BAD_INPUT);
        ck_assert_str_eq(inlay_diag_message(diag) + strlen(path), ranks[_i].message);
    }
    inlay_task_schedule_clear(&schedule);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Written and read back ---- */

/* The k-th module of a processor in the mapping is the k-th of the schedule's entries that have it. */
static void expect_order(const inlay_mapping *mapping, const inlay_task_schedule *schedule)
{
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, c);
        inlay_id k = 0;
        for (int64_t e = 0; e < schedule->entries; e++) {
            if (schedule->processor[e] == cluster.processor) {
                ck_assert_int_lt(k, cluster.modules);
                ck_assert_int_eq(schedule->module[e], cluster.module[k++]);
            }
        }
        ck_assert_int_eq(k, cluster.modules);
    }
}

static void expect_written(const inlay_mapping *mapping, const char *format)
{
    const inlay_app *of = inlay_mapping_app(mapping);
    inlay_task_schedule schedule = {0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_placement_write(mapping, path, format, diag), INLAY_OK);
    int status = inlay_task_schedule_read(path, of, inlay_mapping_machine(mapping), &schedule, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", format, inlay_diag_message(diag));
    ck_assert_int_eq(schedule.entries, inlay_app_modules(of));
    for (int64_t e = 0; e < schedule.entries; e++) {
        inlay_id cluster = inlay_mapping_cluster_of(mapping, schedule.module[e]);
        ck_assert_int_eq(schedule.processor[e], inlay_mapping_cluster(mapping, cluster).processor);
    }
    if (strcmp(format, "csv") == 0) {
        ck_assert(schedule.ordered);
        expect_order(mapping, &schedule);
    }
    inlay_task_schedule_clear(&schedule);
    inlay_diag_free(diag);
}

START_TEST(test_written)
{
    static const char *const machines[] = {named, "mesh:2x2,cores=2", "bus:3", "star:5"};
    static const char *const methods[] = {"random", "heft", "round-robin", "etf"};
    uint64_t state = (uint64_t)_i + 1;
    random_times times;
    inlay_app *of = random_app(&state, (inlay_id)(2 + random_below(&state, 30)), RANDOM_DECIMALS, &times);
    inlay_machine *machine = machine_from(machines[_i % 4]);
    const inlay_options options = {
        .method = inlay_method_named(methods[_i / 4 % 4]), .seed = state, .tick_seconds = 1e-3};
    inlay_mapping *mapping = NULL;
    ck_assert_ptr_nonnull(options.method);
    ck_assert_int_eq(inlay_map(of, machine, &options, &mapping, NULL), INLAY_OK);
    size_t written = 0;
    for (size_t f = 0; f < inlay_placement_formats(); f++) {
        inlay_format format = inlay_placement_format_at(f);
        if (format.reads && format.writes) {
            expect_written(mapping, format.name);
            written++;
        }
    }
    ck_assert_uint_eq(written, 4);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(of);
}
END_TEST

Suite *suite_placements(void)
{
    Suite *suite = suite_create("placements");
    TCase *kinds = tcase_create("kinds");
    tcase_add_checked_fixture(kinds, set_up, tear_down);
    tcase_add_loop_test(kinds, test_placements, 0, (int)(sizeof placements / sizeof *placements));
    tcase_add_loop_test(kinds, test_orders, 0, sizeof orders / sizeof *orders);
    tcase_add_loop_test(kinds, test_errors, 0, (int)(sizeof errors / sizeof *errors));
    tcase_add_loop_test(kinds, test_own_hosts, 0, (int)(sizeof ranks / sizeof *ranks));
    tcase_add_loop_test(kinds, test_written, 0, 32);
    suite_add_tcase(suite, kinds);
    return suite;
}
