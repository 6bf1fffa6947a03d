/* The JSON of `inlay pareto` is what its schema says, and shows every field, every word and every null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512 };

static char path[64]; /* of an application that a test writes */

static void name_path(void)
{
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.pareto.dot", (long)getpid());
}

static void remove_path(void)
{
    unlink(path);
}

static void write_app(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* The standard output of `inlay pareto --json --quiet ARGUMENTS`. */
static json_t *output_of(const char *arguments)
{
    char command[2 * LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' pareto --json --quiet %s", program != NULL ? program : "build/inlay",
             arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

static void witness(const json_t *schema, json_t *facts, const char *arguments)
{
    char why[SCHEMA_WHY];
    json_t *value = output_of(arguments);
    ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", arguments, why);
    json_decref(value);
}

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const apps[] = {
        "digraph { graph [time_unit=ns]; a [time=0]; b [time=0]; a -> b [bytes=1000]; }",
        "digraph { graph [time_unit=s]; a [time=0, pin=0]; b [time=0, pin=1]; a -> b [bytes=1000]; }",
        "digraph { graph [time_unit=ms]; a [time=1, pin=0]; b [time=1, pin=1]; a -> b [kind=traffic, bytes=100]; }",
        "digraph { graph [time_unit=us]; a [time=1]; b [time=1]; a -> b [bytes=100]; }"};
    static const char *const arguments[] = {
        "graphs/cholesky4.dot bus:17",
        "graphs/cholesky4.dot bus:17 --rank fixed-point",
        "graphs/cholesky4.dot bus:17 -p 17..17 --simulate no",
        "graphs/cholesky4.dot bus:17 --candidates 40 --points 3",
        "graphs/cholesky4.dot multibus:17,memories=17,buses=2,capacity=0.05msg/tick",
        "graphs/blocks.dot bus:16,capacity=0.05msg/tick",
        "graphs/workflow.json architectures/cluster17.dot"};
    json_t *schema = schema_load("pareto"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        witness(schema, facts, arguments[i]);
    }
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        char line[LINE];
        write_app(apps[i]);
        snprintf(line, sizeof line, "%s bus:2,capacity=1B/s", path);
        witness(schema, facts, line);
    }
    schema_expect_facts(expected, facts, "inlay pareto --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(damaged_outputs_are_refused)
{
    json_t *schema = schema_load("pareto"), *value = output_of("graphs/toy.dot bus:4");
    schema_refuse_damages(schema, value, 80);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_pareto_schema(void)
{
    Suite *suite = suite_create("schema of the front");
    TCase *tests = tcase_create("schema of the front");
    tcase_add_checked_fixture(tests, name_path, remove_path);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_outputs_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
