/* Files that are no applications: every bad input has its message, with its line, and no bytes do harm. */
#include "random_app.h"
#include "unit.h"

#include "base/file.h"
#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The message of a failed read, after which nothing is changed. */
static void expect_error(const char *data, const char *format, int status, const char *message)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int got = inlay_app_read_memory(data, strlen(data), "in", format, &app, diag);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_int_eq(got, status);
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
}

/* ---- The format ---- */

START_TEST(test_unknown_formats)
{
    static const char unknown[] =
        "in: no known format; expected an application in a format that 'inlay --version' lists";
    static const char *const inputs[] = {
        "", "hello", "<xml/>", "{\"tasks\": []}", "[]", "{\"workflow\": {\"a\": 1}}", "graphic {}"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        expect_error(inputs[i], NULL, INLAY_BAD_INPUT, unknown);
    }
    expect_error("{\"tasks\": [\n", NULL, INLAY_BAD_INPUT,
                 "in:2: not valid JSON (']' expected near end of file); expected one whole JSON object");
    expect_error("x", "dag", INLAY_BAD_ARGUMENT, "unknown format 'dag'; expected one that 'inlay --version' lists");
}
END_TEST

/* The extension decides where the content says nothing; a format that is named decides always. */
START_TEST(test_extension_chooses_the_message)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read_memory("x", 1, "in.stg.gz", NULL, &app, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "in.stg.gz:1: 'x' is no integer; expected one of 64 bits");
    inlay_diag_free(diag);
    expect_error("digraph g {}", "stg", INLAY_BAD_INPUT, "in:1: 'digraph' is no integer; expected one of 64 bits");
}
END_TEST

START_TEST(test_missing_file)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read("/nowhere/at/all.dot", NULL, &app, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "/nowhere/at/all.dot: cannot be read (No such file or directory); expected a file");
    inlay_diag_free(diag);
}
END_TEST

START_TEST(test_formats_that_cannot_hold_it)
{
    static const struct {
        const char *graph, *format, *message;
    } cases[] = {
        {"digraph g { graph [time_unit=tick]; a [time=1] }", "wfformat",
         "an application in ticks cannot be written as WfFormat, whose times are seconds; expected an application in "
         "s, "
         "ms, us or ns"},
        {"digraph g { graph [time_unit=s]; a [time=1] }", "stg",
         "times in s cannot be written as STG, which has whole ticks; expected an application in whole ticks"},
        {"digraph g { graph [time_unit=tick]; a [time=1.5] }", "stg",
         "times in fractions of tick cannot be written as STG, which has whole ticks; expected an application in whole "
         "ticks"},
        {"digraph g { graph [time_unit=tick]; a [time=1] }", "x",
         "unknown format 'x'; expected one that 'inlay --version' lists"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        const char *graph = cases[i].graph;
        ck_assert_int_eq(inlay_app_read_memory(graph, strlen(graph), "in", NULL, &app, diag), INLAY_OK);
        ck_assert_int_eq(inlay_app_write(app, "/nowhere/out", cases[i].format, diag), INLAY_BAD_ARGUMENT);
        ck_assert_str_eq(inlay_diag_message(diag), cases[i].message);
        inlay_app_free(app);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- WfFormat ---- */

#define VERSIONS "expected 1.0, 1.1, 1.2, 1.3, 1.4, 1.5 or 1.6"
#define OLD      "{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": [\n"
#define NEW      "{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": [\n"

static const struct {
    const char *data, *message;
} workflows[] = {
    /* the shape */
    {"[]", "in:1: the file is an array; expected an object"},
    {"{\n\"workflow\": {}}", "in:1: schemaVersion is missing; " VERSIONS},
    {"{\n\"schemaVersion\": \"2.0\", \"workflow\": {}}", "in:2: schemaVersion is '2.0'; " VERSIONS},
    {"{\n\"schemaVersion\": \"1.7\"}", "in:2: schemaVersion is '1.7'; " VERSIONS},
    {"{\n\"schemaVersion\": 1.5}", "in:2: schemaVersion is 1.5; " VERSIONS},
    {"{\"schemaVersion\": \"1.4\"}", "in:1: workflow is missing; expected an object"},
    {"{\"schemaVersion\": \"1.4\",\n\"workflow\": {}}", "in:2: workflow.tasks is missing; expected an array"},
    {"{\"schemaVersion\": \"1.2\",\n\"workflow\": {\"jobs\": 3}}", "in:2: workflow.jobs is 3; expected an array"},
    {"{\"schemaVersion\": \"1.5\",\n\"workflow\": {\"specification\": {}}}",
     "in:2: workflow.specification.tasks is missing; expected an array"},
    {"{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": []}}", "in: no modules; expected at least one"},
    {OLD "{\"name\": \"a\", \"runtime\": 1,\n\"name\": \"b\"}]}}",
     "in:3: not valid JSON (duplicate object key near '\"name\"'); expected one whole JSON object"},
    {OLD "{\"name\": \"a\"", "in:2: not valid JSON ('}' expected near end of file); expected one whole JSON object"},
    {"{\"schemaVersion\": \"1.4\", \"name\": [],\n \"workflow\": {\"tasks\": []}}",
     "in:1: name is an array; expected a text"},
    /* tasks */
    {OLD "3]}}", "in:2: workflow.tasks[0] is 3; expected an object"},
    {OLD "{\"runtime\": 1}]}}", "in:2: workflow.tasks[0].name is missing; expected a text"},
    {OLD "{\"name\": \"\", \"runtime\": 1}]}}", "in:2: a module has no name; expected one"},
    {OLD "{\"name\": 7, \"runtime\": 1}]}}", "in:2: workflow.tasks[0].name is 7; expected a text"},
    {OLD "{\"name\": \"a\"}]}}", "in:2: module 'a' has no runtime; expected runtimeInSeconds or runtime"},
    {OLD "{\"name\": \"a\",\n\"runtime\": -1}]}}",
     "in:3: workflow.tasks[0].runtime is -1; expected a number, 0 or more"},
    {OLD "{\"name\": \"a\",\n\"runtimeInSeconds\": -0.5}]}}",
     "in:3: workflow.tasks[0].runtimeInSeconds is -0.5; expected a number, 0 or more"},
    {OLD "{\"name\": \"a\",\n\"runtime\": \"1s\"}]}}",
     "in:3: workflow.tasks[0].runtime is '1s'; expected a number, 0 or more"},
    {OLD "{\"name\": \"a\",\n\"runtime\": 1e300}]}}",
     "in:3: workflow.tasks[0].runtime is 1e+300; expected a number of at most 18 digits"},
    {OLD "{\"name\": \"a\",\n\"runtime\": 1e999}]}}",
     "in:3: not valid JSON (real number overflow near '1e999'); expected one whole JSON object"},
    {OLD "{\"name\": \"a\",\n\"runtime\": NaN}]}}",
     "in:3: not valid JSON (invalid token near 'NaN'); expected one whole JSON object"},
    {OLD "{\"name\": \"a\", \"runtime\": 1,\n\"cores\": -1}]}}",
     "in:3: workflow.tasks[0].cores is -1; expected a number, 0 or more"},
    {OLD "{\"name\": \"a\", \"runtime\": 1,\n\"cores\": 1e10}]}}",
     "in:3: workflow.tasks[0].cores is 10000000000; expected a number of cores below 2^31"},
    {OLD "{\"name\": \"a\", \"runtime\": 1,\n\"memoryInBytes\": -4}]}}",
     "in:3: workflow.tasks[0].memoryInBytes is -4; expected a number, 0 or more"},
    {OLD "{\"name\": \"a\", \"runtime\": 1,\n\"memory\": 1e19}]}}",
     "in:3: workflow.tasks[0].memory is 1e+19; expected a number of bytes below 2^62"},
    {OLD "{\"name\": \"a\", \"type\": \"transfer\",\n\"writtenBytes\": -1}]}}",
     "in:3: workflow.tasks[0].writtenBytes is -1; expected a number, 0 or more"},
    {OLD "{\"name\": \"a\", \"runtime\": 1},\n{\"name\": \"a\", \"runtime\": 2}]}}",
     "in:3: duplicate module 'a'; expected every name once"},
    {OLD "{\"name\": \"a\", \"id\": \"i\", \"runtime\": 1},\n{\"name\": \"b\", \"id\": \"i\", \"runtime\": 2}]}}",
     "in:3: duplicate module 'i'; expected every id once"},
    /* edges */
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"parents\": [\n\"b\"]}]}}",
     "in:3: unknown module 'b' in parents of 'a'; expected the name of a task"},
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"children\": [\n7]}]}}",
     "in:3: workflow.tasks[0].children[0] is 7; expected a text"},
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"parents\":\n\"b\"}]}}",
     "in:3: workflow.tasks[0].parents is 'b'; expected an array"},
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"parents\": [\n\"a\"]}]}}",
     "in:3: self link of module 'a'; expected a link between two modules"},
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"parents\": [\n\"b\"]},\n"
         "{\"name\": \"b\", \"runtime\": 1, \"parents\": [\n\"a\"]}]}}",
     "in:5: precedence cycle a -> b -> a; expected an acyclic graph (kind=traffic for traffic without precedence)"},
    /* files */
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"files\": [\n{\"name\": \"f\"}]}]}}",
     "in:3: workflow.tasks[0].files[0].link is missing; expected a text"},
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"files\": [\n{\"link\": \"inout\", \"name\": \"f\"}]}]}}",
     "in:3: workflow.tasks[0].files[0].link is 'inout'; expected 'input' or 'output'"},
    {OLD "{\"name\": \"a\", \"runtime\": 1, \"files\": [{\"link\": \"input\", \"name\": \"f\",\n\"size\": -1}]}]}}",
     "in:3: workflow.tasks[0].files[0].size is -1; expected a number, 0 or more"},
    /* from 1.5 */
    {NEW "{\"name\": \"a\", \"id\": \"i\"}]}}}",
     "in:2: module 'i' has no runtime; expected runtimeInSeconds in workflow.execution.tasks"},
    {NEW "{\"name\": \"a\", \"id\": \"i\"}]},\n\"execution\": {\"tasks\": [{\"id\": \"j\"}]}}}",
     "in:3: unknown module 'j' in workflow.execution; expected the id of a task of the specification"},
    {NEW "{\"name\": \"a\", \"id\": \"i\"}]}, \"execution\": {\"tasks\": [{\"id\": \"i\"},\n{\"id\": \"i\"}]}}}",
     "in:3: duplicate module 'i' in workflow.execution; expected every id once"},
    {NEW "{\"name\": \"a\", \"id\": \"i\"}]},\n\"execution\": {\"tasks\": [\n{\"id\": \"i\"}]}}}",
     "in:4: module 'i' has no runtime; expected runtimeInSeconds in workflow.execution.tasks"},
    {NEW "{\"name\": \"a\", \"id\": \"i\"}]},\n\"execution\": {\"tasks\": {}}}}",
     "in:3: workflow.execution.tasks is an object; expected an array"},
    {NEW "{\"name\": \"a\", \"id\": \"i\", \"children\": [\n\"k\"]}]},"
         "\"execution\": {\"tasks\": [{\"id\": \"i\", \"runtimeInSeconds\": 1}]}}}",
     "in:3: unknown module 'k' in children of 'a'; expected the id of a task"},
    {NEW "{\"name\": \"a\", \"id\": \"i\", \"inputFiles\": [\n5]}]},"
         "\"execution\": {\"tasks\": [{\"id\": \"i\", \"runtimeInSeconds\": 1}]}}}",
     "in:3: workflow.specification.tasks[0].inputFiles[0] is 5; expected a text"},
    {NEW "{\"name\": \"a\", \"id\": \"i\"}],\n\"files\": [{\"id\": \"f\", \"sizeInBytes\": -1}]},"
         "\"execution\": {\"tasks\": [{\"id\": \"i\", \"runtimeInSeconds\": 1}]}}}",
     "in:3: workflow.specification.files[0].sizeInBytes is -1; expected a number, 0 or more"},
};

START_TEST(test_wfformat_errors)
{
    expect_error(workflows[_i].data, "wfformat", INLAY_BAD_INPUT, workflows[_i].message);
}
END_TEST

/* ---- STG ---- */

static const struct {
    const char *data, *message;
} task_graphs[] = {
    {"", "in: no integers; expected the number of tasks"},
    {"# only a comment\n", "in: no integers; expected the number of tasks"},
    {"1 2 3\n0 0 0\n",
     "in:1: integers in the header: 3; expected the number of tasks, and at most the number of processors behind it"},
    {"\n-1\n", "in:2: the number of tasks is -1; expected 0 to 2^31 - 3"},
    {"2\n0 0 0\n", "in:2: the file ends after 1 tasks; expected 2 to 4, as the header says"},
    {"1\n0 0 0\n1 1 0\n2 1 0\n3 1 0\n", "in:5: more tasks than the header says; expected 1 to 3"},
    {"1\n0 0 0\n\n1 2.5 1 0\n", "in:4: '2.5' is no integer; expected one of 64 bits"},
    {"1\n0 0 0\n1 99999999999999999999 1 0\n", "in:3: '99999999999999999999' is no integer; expected one of 64 bits"},
    {"1\n0 0 0\n1 - 1 0\n", "in:3: '-' is no integer; expected one of 64 bits"},
    {"1\n0 0 0\n1 5 2 0\n",
     "in:3: 4 integers do not make a task; expected 'id time count' and as many predecessors as counted"},
    {"1\n0 0 0\n1 5\n",
     "in:3: 2 integers do not make a task; expected 'id time count' and as many predecessors as counted"},
    {"2\n0 0 0 0\n1 5 9 1 0\n2 5 9 2 0\n",
     "in:4: 5 integers do not make a task; expected 'id time deadline count' and as many predecessors as counted"},
    {"1\n0 0 0\n1 -5 1 0\n", "in:3: the task's time is -5; expected 0 or more"},
    {"1\n0 0 0\n-1 5 1 0\n", "in:3: the task's id is -1; expected 0 to 2^31 - 1"},
    {"1\n0 0 0\n0 5 0\n", "in:3: duplicate module '0'; expected every id once"},
    {"1\n0 0 0\n1 5 1 7\n", "in:3: unknown module '7'; expected the id of a task"},
    {"1\n0 0 0\n1 5 1 -7\n", "in:3: unknown module '-7'; expected the id of a task"},
    {"1\n0 0 0\n1 5 1 1\n", "in:3: self link of module '1'; expected a link between two modules"},
    {"2\n0 0 0\n1 5 1 2\n2 5 1 1\n",
     "in:4: precedence cycle 1 -> 2 -> 1; expected an acyclic graph (kind=traffic for traffic without precedence)"},
    {"0\n", "in: no modules; expected at least one"},
};

START_TEST(test_stg_errors)
{
    expect_error(task_graphs[_i].data, "stg", INLAY_BAD_INPUT, task_graphs[_i].message);
}
END_TEST

/* ---- Inlay's JSON ---- */

#define OWN                                                                                                            \
    "{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1}, {\"name\": \"b\", \"time\": 1}],\n"

static const struct {
    const char *data, *message;
} own[] = {
    {"[]", "in:1: the file is an array; expected an object"},
    {"{}", "in:1: inlay_application is missing; expected 1, the version of the format"},
    {"{\n\"inlay_application\": 2}", "in:2: inlay_application is 2; expected 1, the version of the format"},
    {"{\"inlay_application\": 1}", "in:1: modules is missing; expected an array"},
    {"{\"inlay_application\": 1, \"modules\": []}", "in: no modules; expected at least one"},
    {"{\"inlay_application\": 1,\n\"tasks\": []}", "in:2: unknown member 'tasks'; expected one of inlay_application "
                                                   "name time_unit reference_speed period modules links blocks"},
    {"{\"inlay_application\": 1,\n\"time_unit\": \"h\"}",
     "in:2: time_unit is 'h'; expected one of s, ms, us, ns, tick"},
    {"{\"inlay_application\": 1, \"modules\": [\n1]}", "in:2: modules[0] is 1; expected an object"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"time\": 1}]}", "in:2: modules[0].name is missing; expected a text"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\"}]}",
     "in:2: modules[0].time is missing; expected a number, 0 or more"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": \"x\"}]}",
     "in:2: modules[0].time is 'x'; expected a time, 0 or more, as a number or like '2.5ms'"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": \"-1s\"}]}",
     "in:2: modules[0].time is '-1s'; expected a time, 0 or more, as a number or like '2.5ms'"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"memory\": \"4 apples\"}]}",
     "in:2: modules[0].memory is '4 apples'; expected a size, 0 or more, in bytes or like '4KiB'"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"cores\": 1.5}]}",
     "in:2: modules[0].cores is 1.5; expected an integer, 0 or more"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"pin\": 2147483648}]}",
     "in:2: modules[0].pin is 2147483648; expected an integer, at most 2147483647"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"arithmetic\": -1}]}",
     "in:2: modules[0].arithmetic is -1; expected a number, 0 or more"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"times\": {\"gpu\": true}}]}",
     "in:2: modules[0].times.gpu is true; expected a number, 0 or more"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"times\": {\"\": 1}}]}",
     "in:2: a processor type has no name; expected one"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1},\n{\"name\": \"a\", \"time\": 1}]}",
     "in:3: duplicate module 'a'; expected every name once"},
    {"{\"inlay_application\": 1, \"modules\": [\n{\"name\": \"a\", \"time\": 1, \"blocking\": 0},\n"
     "{\"name\": \"b\", \"time\": 1}]}",
     "in:3: module 'b' has no blocking time but 1 of 2 modules have one; expected all or none"},
    {OWN "\"links\": [\n{\"to\": \"b\"}]}", "in:4: links[0].from is missing; expected a text"},
    {OWN "\"links\": [\n{\"from\": \"a\", \"to\": \"c\"}]}", "in:4: unknown module 'c'; expected the name of one"},
    {OWN "\"links\": [\n{\"from\": \"a\", \"to\": \"b\", \"bytes\": -1}]}",
     "in:4: links[0].bytes is -1; expected an integer, 0 or more"},
    {OWN "\"links\": [\n{\"from\": \"a\", \"to\": \"b\", \"kind\": \"precedence\"}]}",
     "in:4: links[0].kind is 'precedence'; expected 'traffic', or no kind for precedence"},
    {OWN "\"links\": [\n{\"from\": \"a\", \"to\": \"a\"}]}",
     "in:4: self link of module 'a'; expected a link between two modules"},
    {OWN "\"links\": [\n{\"from\": \"b\", \"to\": \"a\"},\n{\"from\": \"a\", \"to\": \"b\"}]}",
     "in:5: precedence cycle a -> b -> a; expected an acyclic graph (kind=traffic for traffic without precedence)"},
    {OWN "\"blocks\": [\n{\"name\": \"d\", \"size\": true}]}",
     "in:4: blocks[0].size is true; expected an integer, 0 or more"},
    {OWN "\"blocks\": [\n{\"name\": \"d\"},\n{\"name\": \"a\"}]}",
     "in:5: duplicate data block 'a'; expected every name once"},
    {OWN "\"blocks\": [{\"name\": \"d\", \"uses\": [\n{\"module\": \"c\"}]}]}",
     "in:4: unknown module 'c'; expected the name of one"},
    {OWN "\"blocks\": [{\"name\": \"d\", \"uses\": [\n{\"modul\": \"c\"}]}]}",
     "in:4: unknown member 'modul'; expected one of module messages bytes"},
};

START_TEST(test_json_errors)
{
    expect_error(own[_i].data, "json", INLAY_BAD_INPUT, own[_i].message);
}
END_TEST

/* ---- Damage ---- */

/* Reads bytes that may be anything: one line of message where they are refused, no leak, no crash. */
static void read_anything(const char *data, size_t size, const char *format)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(data, size, "in", format, &app, diag);
    ck_assert((status == INLAY_OK) == (app != NULL));
    ck_assert((status == INLAY_OK) == (*inlay_diag_message(diag) == '\0'));
    ck_assert_ptr_null(strchr(inlay_diag_message(diag), '\n'));
    ck_assert(status == INLAY_OK || status == INLAY_BAD_INPUT || status == INLAY_OVERFLOW);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

START_TEST(test_truncated_files)
{
    static const char *const files[] = {"wfformat/helloworld-chain-5-chameleon.json",
                                        "wfformat/simgrid-dag.json",
                                        "wfformat/blast-chameleon-small-001.schema1.4.json",
                                        "wfformat/bacass-dirt02-001.json",
                                        "stg/rnc50/rand0174.stg",
                                        "stg/app/sparse_deadline.stg"};
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4096];
        file_content content;
        snprintf(path, sizeof path, "%s/%s", unit_data(), files[i]);
        ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
        for (size_t size = 0; size <= content.size; size += 97) {
            char *part = malloc(size + 1); /* of this size, so that reading on is noticed */
            ck_assert_ptr_nonnull(part);
            memcpy(part, content.data, size);
            read_anything(part, size, NULL);
            free(part);
        }
        file_content_clear(&content);
    }
}
END_TEST

/* Small inputs with a few bytes changed, each read in its own format. */
START_TEST(test_changed_bytes)
{
    static const char bytes[] = "{}[]\",:\\u0 -1.eE\n\tax#\x80\xFF";
    const struct {
        const char *data, *format;
    } inputs[] = {{workflows[sizeof workflows / sizeof *workflows - 1].data, "wfformat"},
                  {workflows[30].data, "wfformat"},
                  {own[sizeof own / sizeof *own - 3].data, "json"},
                  {"3 2\n0 0 0\n1 5 1 0\n2 4 2 0 1\n3 4 1 2\n4 0 1 3\n# comment\n", "stg"}};
    uint64_t state = 11;
    for (int round = 0; round < 4000; round++) {
        const char *data = inputs[round % 4].data;
        size_t size = strlen(data);
        char *changed = malloc(size);
        ck_assert_ptr_nonnull(changed);
        memcpy(changed, data, size);
        for (int64_t i = random_below(&state, 3); i >= 0; i--) {
            changed[random_below(&state, (int64_t)size)] = bytes[random_below(&state, sizeof bytes)];
        }
        read_anything(changed, size, inputs[round % 4].format);
        read_anything(changed, size, NULL);
        free(changed);
    }
}
END_TEST

Suite *suite_io_errors(void)
{
    Suite *suite = suite_create("io_errors");
    TCase *formats = tcase_create("formats");
    tcase_add_test(formats, test_unknown_formats);
    tcase_add_test(formats, test_extension_chooses_the_message);
    tcase_add_test(formats, test_missing_file);
    tcase_add_test(formats, test_formats_that_cannot_hold_it);
    suite_add_tcase(suite, formats);

    TCase *messages = tcase_create("messages");
    tcase_add_loop_test(messages, test_wfformat_errors, 0, (int)(sizeof workflows / sizeof *workflows));
    tcase_add_loop_test(messages, test_stg_errors, 0, (int)(sizeof task_graphs / sizeof *task_graphs));
    tcase_add_loop_test(messages, test_json_errors, 0, (int)(sizeof own / sizeof *own));
    suite_add_tcase(suite, messages);

    TCase *damage = tcase_create("damage");
    tcase_add_test(damage, test_truncated_files);
    tcase_add_test(damage, test_changed_bytes);
    suite_add_tcase(suite, damage);
    return suite;
}
