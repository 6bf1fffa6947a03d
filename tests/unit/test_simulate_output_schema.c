/* The JSON of `inlay simulate` is what its schema says, and shows every field, every word and every null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512 };

static char app_path[64], mapping_path[64]; /* of files that a test writes */

static void name_paths(void)
{
    snprintf(app_path, sizeof app_path, "/tmp/inlay-unit-%ld.simulate.dot", (long)getpid());
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.simulate.json", (long)getpid());
}

static void remove_paths(void)
{
    unlink(app_path);
    unlink(mapping_path);
}

/** Map as the arguments say. */
static void map(const char *arguments)
{
    char command[2 * LINE];
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' map --quiet -o %s %s", program != NULL ? program : "build/inlay",
             mapping_path, arguments);
    ck_assert_msg(system(command) == 0, "%s", command);
}

/** What `inlay simulate --json --quiet` says of the mapping. */
static json_t *output_of(const char *arguments)
{
    char command[2 * LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' simulate --json --quiet %s %s", program != NULL ? program : "build/inlay",
             mapping_path, arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    pclose(pipe);
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
    static const char *const machines[] = {"graphs/cholesky4.dot bus:17,memory=common", "graphs/cholesky4.dot omega:16",
                                           "graphs/workflow.json architectures/cluster17.dot",
                                           "graphs/cholesky4.dot mesh:4x4"};
    static const char *const apps[] = {
        "digraph { graph [time_unit=ns]; a [time=0]; }", /* nothing takes time */
        /* the last message to d waits for the one to c, and in the network for that of b */
        ("digraph { graph [time_unit=ms]; a [time=1, pin=0]; b [time=1, pin=1]; c [time=1, pin=2]; d [time=1, pin=3];"
         " a -> c [bytes=100]; a -> d [bytes=100]; b -> d [bytes=100]; }"),
        "digraph { graph [time_unit=us]; a [time=1]; }"};
    static const char *const options[] = {
        "--module-time exponential --transfer-time normal:0.5 --replications 3 --overlap no",
        "--module-time uniform:0.5 --transfer-time exponential --contention none --scale compute=2",
        "--module-time normal --transfer-time uniform --contention free"};
    json_t *schema = schema_load("simulate"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        map(machines[i]);
        witness(schema, facts, "");
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            witness(schema, facts, options[k]);
        }
    }
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        char line[LINE];
        FILE *file = fopen(app_path, "w");
        ck_assert(file != NULL && fputs(apps[i], file) >= 0);
        ck_assert_int_eq(fclose(file), 0);
        snprintf(line, sizeof line, "%s bus:4,capacity=1B/ms", app_path);
        map(line);
        witness(schema, facts, "");
    }
    schema_expect_facts(expected, facts, "inlay simulate --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

START_TEST(damaged_outputs_are_refused)
{
    map("graphs/toy.dot bus:4");
    json_t *schema = schema_load("simulate"), *value = output_of("");
    schema_refuse_damages(schema, value, 80);
    json_decref(value);
    json_decref(schema);
}
END_TEST

Suite *suite_simulate_output_schema(void)
{
    Suite *suite = suite_create("simulate_output_schema");
    TCase *tests = tcase_create("schema of the simulation");
    tcase_add_checked_fixture(tests, name_paths, remove_paths);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_outputs_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
