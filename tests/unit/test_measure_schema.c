/* The JSON of `inlay measure` is what its schema says, and shows every field and null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE = 1024 };

static const char *inlay(void)
{
    const char *program = getenv("INLAY");
    return program != NULL ? program : "build/inlay";
}

/* The part may not be built. */
static bool is_missing(void)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s-measure", inlay());
    bool missing = access(path, X_OK) != 0;
    if (missing) {
        printf("skipped: %s is not built\n", path);
    }
    return missing;
}

/* Of a machine that raw.awk makes up. */
static json_t *output_of(const char *machine, const char *options)
{
    char command[LINE];
    json_error_t error;
    snprintf(command, sizeof command,
             "LC_ALL=C awk -f tests/measure/raw.awk %s | '%s' measure --from - --json --quiet %s 2>/dev/null", machine,
             inlay(), options);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const runs[][2] = {
        {"-v hosts=1 -v memories=null", ""},
        {"-v hosts=3 -v ranks=2 -v step=100e-6 -v sampled=2 -v kind=half -v core_kind=half", ""},
        {"-v hosts=3 -v ranks=2 -v core_kind=bus -v g=0 -v speeds='1 2'", ""},
        {"-v hosts=2 -v kind=bus -v ranks='4 1' -v clusters='0,1' -v core_kind=bus -v f=linear -v topology='1-D ring "
         "tree'",
         "--topology 1-D,ring,tree"},
        {"-v hosts=1 -v ranks=5 -v f=log -v topology=tree", "--topology tree"},
        {"-v hosts=1 -v ranks=3 -v topology=ring -v sizes='8 1024'", "--topology ring"},
    };
    char why[SCHEMA_WHY];
    if (is_missing()) {
        return;
    }
    json_t *schema = schema_load("measure"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        json_t *value = output_of(runs[i][0], runs[i][1]);
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", runs[i][0], why);
        json_decref(value);
    }
    schema_expect_facts(expected, facts, "inlay measure --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(output_for_decompose_shows_all_of_its_schema)
{
    static const char *const machines[] = {
        "-v advisor=1 -v hosts=1",
        "-v advisor=1 -v hosts=3 -v ranks=2 -v kind=bus -v speeds='1 2'",
        "-v advisor=1 -v hosts=3 -v kind=half -v noise=0.02",
        "-v advisor=1 -v hosts=2 -v kind=switch -v g=0",
        "-v advisor=1 -v hosts=4 -v kind=switch",
    };
    char why[SCHEMA_WHY];
    if (is_missing()) {
        return;
    }
    json_t *schema = schema_load("measure-hosts"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        json_t *value = output_of(machines[i], "");
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", machines[i], why);
        json_decref(value);
    }
    schema_expect_facts(expected, facts, "inlay measure --hosts --json");
    json_t *value = output_of(machines[1], "");
    schema_refuse_damages(schema, value, 100);
    json_decref(value);
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(damaged_output_is_refused)
{
    if (is_missing()) {
        return;
    }
    json_t *schema = schema_load("measure");
    json_t *value = output_of("-v hosts=2 -v ranks=3 -v topology=tree", "--topology tree");
    schema_refuse_damages(schema, value, 100);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_measure_schema(void)
{
    Suite *suite = suite_create("schema of measure");
    TCase *tests = tcase_create("schema of measure");
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, output_for_decompose_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_output_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
