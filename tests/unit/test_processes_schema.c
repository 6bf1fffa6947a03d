/* The JSON of `inlay processes` is what its schema says, and shows every field, every word and every null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512 };

static char path[64]; /* of a file of speeds that a test writes */

static void name_path(void)
{
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.processes", (long)getpid());
}

static void remove_path(void)
{
    unlink(path);
}

static void write_speeds(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* The standard output of `inlay processes --json --quiet ARGUMENTS`. */
static json_t *output_of(const char *arguments)
{
    char command[2 * LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' processes --json --quiet %s", program != NULL ? program : "build/inlay",
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
    static const char *const arguments[] = {"architectures/paper-speeds.json",
                                            "architectures/paper-speeds.json --grid 60x60x60 --beyond-hoho",
                                            "architectures/paper-speeds.json --grid 3x3x3",
                                            "architectures/lab-speeds.csv -W 500000",
                                            "architectures/lab-speeds.csv -W 500000 --fit offset",
                                            "architectures/lab-speeds.csv -W 500000 --fit paper",
                                            "architectures/lab-speeds.csv -W 5000 --fit constant",
                                            "architectures/office-speeds.csv -W 2160 --best 0",
                                            "architectures/office-speeds.csv -W 2160 --whole-units"};
    static const char *const units[] = {"ms", "us", "ns"};
    json_t *schema = schema_load("processes"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        witness(schema, facts, arguments[i]);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char text[LINE];
        snprintf(text, sizeof text,
                 "{\"data\": 9, \"time_unit\": \"%s\", \"types\": [{\"name\": \"x\", \"speed\": 2}]}", units[i]);
        write_speeds(text);
        witness(schema, facts, path);
    }
    schema_expect_facts(expected, facts, "inlay processes --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(damaged_outputs_are_refused)
{
    json_t *schema = schema_load("processes");
    json_t *value = output_of("architectures/lab-speeds.csv -W 90000 --fit offset --grid 300x300 --best 1");
    schema_refuse_damages(schema, value, 100);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_processes_schema(void)
{
    Suite *suite = suite_create("schema of process counts");
    TCase *tests = tcase_create("schema of process counts");
    tcase_add_checked_fixture(tests, name_path, remove_path);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_outputs_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
