/* The JSON of `inlay reduce` is what its schema says, and shows every field and every word of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 512 };

/* The standard output of `inlay reduce --json --quiet ARGUMENTS`. */
static json_t *output_of(const char *arguments)
{
    char command[2 * LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' reduce --json --quiet %s", program != NULL ? program : "build/inlay",
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
    static const char *const arguments[] = {
        "graphs/transactions.dot",
        "graphs/transactions.dot --executions 1000 --cycles traffic",
        "graphs/adaptive.dot",
        "graphs/toy.dot",
        "- <<'END'\ndigraph { graph [time_unit=ns]; a [time=0, kind=eor]; }\nEND\n",
        "- <<'END'\ndigraph { graph [time_unit=s]; a [time=\"1e15\"]; a -> b; b [time=\"1e-9\", entries=1]; }\nEND\n"};
    json_t *schema = schema_load("reduce"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        witness(schema, facts, arguments[i]);
    }
    schema_expect_facts(expected, facts, "inlay reduce --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(damaged_outputs_are_refused)
{
    json_t *schema = schema_load("reduce"), *value = output_of("graphs/transactions.dot");
    schema_refuse_damages(schema, value, 80);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_stochastic_schema(void)
{
    Suite *suite = suite_create("schema of reduced graphs");
    TCase *tests = tcase_create("schema of reduced graphs");
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_outputs_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
