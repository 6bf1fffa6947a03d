/* The JSON of `inlay select --study` is what its schema says, and shows every field and every word of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 512 };

static json_t *output_of(const char *arguments)
{
    char command[LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' select --study --json %s", program != NULL ? program : "build/inlay",
             arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const arguments[] = {"--metasystems 2 --instances 3", "--metasystems 1 --instances 1 --map ceil",
                                            "--metasystems 1 --instances 1 --map real --seed 3"};
    char why[SCHEMA_WHY];
    json_t *schema = schema_load("select-study"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        json_t *value = output_of(arguments[i]);
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", arguments[i], why);
        json_decref(value);
    }
    schema_expect_facts(expected, facts, "inlay select --study --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(damaged_output_is_refused)
{
    json_t *schema = schema_load("select-study"), *value = output_of("--metasystems 1 --instances 1");
    schema_refuse_damages(schema, value, 80);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_select_study_schema(void)
{
    Suite *suite = suite_create("schema of the selection study");
    TCase *tests = tcase_create("schema of the selection study");
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_output_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
