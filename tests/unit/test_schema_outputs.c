/*
 * The JSON of these commands is what their schemas say, and shows every field, every word and every null of them; and an
 * output that is damaged anywhere is refused. tests/schema/NAME.sh prints outputs of a schema, one behind the other.
 */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512 };

static const struct {
    const char *schema;
    size_t least;     /* damages of the first output: there are more; 0: none is damaged */
    const char *part; /* inlay-PART, which may not be built; NULL: inlay itself */
} rows[] = {{"pareto", 80, NULL},
            {"sweep", 80, NULL},
            {"report", 0, NULL},
            {"advise", 80, NULL},
            {"processes", 100, NULL},
            {"processes-dense", 60, NULL},
            {"decompose", 0, NULL},
            {"balance", 20, NULL},
            {"select", 0, NULL},
            {"explain", 0, NULL},
            {"simulate", 80, NULL},
            {"simulate-scheduled", 60, NULL},
            {"speedup", 40, NULL},
            {"reduce", 80, NULL},
            {"synth", 20, NULL},
            {"run", 50, NULL},
            {"study-summary", 60, NULL},
            {"compress", 25, "compress"},
            {"partition", 40, "partition"},
            {"measure", 100, "measure"},
            {"measure-hosts", 100, "measure"}};

static char folder[32]; /* for what a script writes */

static void make_folder(void)
{
    strcpy(folder, "/tmp/inlay-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("FOLDER", folder, 1);
    setenv("INLAY", "build/inlay", 0);
}

static void remove_folder(void)
{
    char command[LINE];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static bool is_missing(const char *part)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s-%s", getenv("INLAY"), part);
    bool missing = access(path, X_OK) != 0;
    if (missing) {
        printf("skipped: %s is not built\n", path);
    }
    return missing;
}

/* The next of the outputs; NULL behind the last. */
static json_t *next_output(FILE *pipe, const char *schema, int number)
{
    json_error_t error;
    int first = fgetc(pipe);
    while (first == '\n') {
        first = fgetc(pipe);
    }
    if (first == EOF) {
        return NULL;
    }
    ck_assert_int_eq(ungetc(first, pipe), first);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
    ck_assert_msg(value != NULL, "output %d of tests/schema/%s.sh: line %d: %s", number, schema, error.line,
                  error.text);
    return value;
}

START_TEST(outputs_show_all_of_their_schema)
{
    const char *name = rows[_i].schema;
    char command[LINE], why[SCHEMA_WHY];
    if (rows[_i].part != NULL && is_missing(rows[_i].part)) {
        return;
    }
    json_t *schema = schema_load(name), *facts = json_object(), *expected = schema_facts(schema), *value;
    snprintf(command, sizeof command, "set -eu; inlay() { \"$INLAY\" \"$@\"; }; . tests/schema/%s.sh", name);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    for (int i = 1; (value = next_output(pipe, name, i)) != NULL; i++) {
        ck_assert_msg(schema_accepts(schema, value, facts, why), "output %d of tests/schema/%s.sh: %s", i, name, why);
        if (i == 1 && rows[_i].least > 0) {
            schema_refuse_damages(schema, value, rows[_i].least);
        }
        json_decref(value);
    }
    ck_assert_msg(pclose(pipe) == 0, "tests/schema/%s.sh failed", name);
    schema_expect_facts(expected, facts, name);
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

Suite *suite_schema_outputs(void)
{
    Suite *suite = suite_create("schemas of outputs");
    TCase *tests = tcase_create("schemas of outputs");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, outputs_show_all_of_their_schema, 0, (int)(sizeof rows / sizeof *rows));
    suite_add_tcase(suite, tests);
    return suite;
}
