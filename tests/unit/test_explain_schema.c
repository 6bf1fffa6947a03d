/* The JSON of `inlay explain` is what its schema says, and shows every field, every word and every null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE = 600 };

static char app_path[64], mapping_path[64];

static void name_paths(void)
{
    snprintf(app_path, sizeof app_path, "/tmp/inlay-unit-%ld.explain.dot", (long)getpid());
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.explain.json", (long)getpid());
}

static void remove_paths(void)
{
    unlink(app_path);
    unlink(mapping_path);
}

static const char *program(void)
{
    const char *named = getenv("INLAY");
    return named != NULL ? named : "build/inlay";
}

/* `inlay map ARGUMENTS`, then the JSON of `inlay explain OPTIONS`. */
static json_t *output_of(const char *arguments, const char *options)
{
    char command[LINE];
    json_error_t error;
    snprintf(command, sizeof command, "'%s' map --quiet -o %s %s", program(), mapping_path, arguments);
    ck_assert_msg(system(command) == 0, "%s", command);
    snprintf(command, sizeof command, "'%s' explain --json %s %s", program(), options, mapping_path);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

static void witness(const json_t *schema, json_t *facts, const char *arguments, const char *options)
{
    char why[SCHEMA_WHY];
    json_t *value = output_of(arguments, options);
    ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", arguments, why);
    json_decref(value);
}

static void write_app(const char *text)
{
    FILE *file = fopen(app_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const apps[] = {
        "digraph { graph [time_unit=ns]; a [time=0]; }",
        "digraph { graph [time_unit=ms]; a [time=1]; b [time=1]; a -> b; }",
        "digraph { graph [time_unit=us]; a [time=1]; b [time=1]; a -> b [messages=4, bytes=100]; }"};
    static const char *const arguments[] = {"graphs/cholesky4.dot bus:17 -T 464",
                                            "graphs/cholesky4.dot bus:17 -T 133",
                                            "graphs/cholesky4.dot bus:7 -T 360",
                                            "graphs/cholesky4.dot omega-pe:16",
                                            "graphs/cholesky4.dot bus:4,capacity=0.2msg/tick",
                                            "graphs/workflow.json architectures/cluster17.dot"};
    json_t *schema = schema_load("explain"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        witness(schema, facts, arguments[i], i % 2 == 0 ? "" : "--overlap no");
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        char line[LINE];
        write_app(apps[i]);
        snprintf(line, sizeof line, "%s bus:2%s", app_path, i == 0 ? "" : ",capacity=100MB/s,latency=1us");
        witness(schema, facts, line, "");
    }
    schema_expect_facts(expected, facts, "inlay explain --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

Suite *suite_explain_schema(void)
{
    Suite *suite = suite_create("schema of explanations");
    TCase *tests = tcase_create("schema of explanations");
    tcase_add_checked_fixture(tests, name_paths, remove_paths);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    suite_add_tcase(suite, tests);
    return suite;
}
