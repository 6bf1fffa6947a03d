/* The JSON of `inlay compress` is what its schema says, and shows every field and null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE = 512 };

static const char *inlay(void)
{
    const char *program = getenv("INLAY");
    return program != NULL ? program : "build/inlay";
}

/* The part may not be built. */
static bool is_missing(void)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s-compress", inlay());
    bool missing = access(path, X_OK) != 0;
    if (missing) {
        printf("skipped: %s is not built\n", path);
    }
    return missing;
}

static json_t *output_of(const char *arguments)
{
    char command[LINE];
    json_error_t error;
    snprintf(command, sizeof command, "'%s' compress --json --quiet %s 2>/dev/null", inlay(), arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: %d: %s", command, error.line, error.text);
    ck_assert_int_ne(pclose(pipe), -1);
    return value;
}

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const arguments[] = {"docs/examples/figure.c", "tests/cli/compress/limits/files/limits.c",
                                            "tests/cli/compress/json/files/parts.c"};
    char why[SCHEMA_WHY];
    if (is_missing()) {
        return;
    }
    json_t *schema = schema_load("compress"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        json_t *value = output_of(arguments[i]);
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", arguments[i], why);
        json_decref(value);
    }
    schema_expect_facts(expected, facts, "inlay compress --json");
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
    json_t *schema = schema_load("compress"), *value = output_of("docs/examples/figure.c");
    schema_refuse_damages(schema, value, 25);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_compress_schema(void)
{
    Suite *suite = suite_create("schema of compress");
    TCase *tests = tcase_create("schema of compress");
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_output_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
