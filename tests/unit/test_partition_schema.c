/* The JSON of `inlay partition` is what its schema says, and shows every field, every word and every null of it. */
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
    snprintf(path, sizeof path, "%s-partition", inlay());
    bool missing = access(path, X_OK) != 0;
    if (missing) {
        printf("skipped: %s is not built\n", path);
    }
    return missing;
}

/* `file` is the mesh, with this ending; NULL: the arguments name one. */
static json_t *output_of(const char *ending, const char *file, const char *arguments)
{
    char command[LINE], path[64];
    json_error_t error;
    snprintf(path, sizeof path, "/tmp/inlay-%ld%s", (long)getpid() % 1000000, ending);
    FILE *mesh = file != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        ck_assert_ptr_nonnull(mesh);
        ck_assert_int_ge(fputs(file, mesh), 0);
        ck_assert_int_eq(fclose(mesh), 0);
    }
    snprintf(command, sizeof command, "'%s' partition --json -q %s %s 2>/dev/null", inlay(), arguments,
             file != NULL ? path : "");
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    if (file != NULL) {
        ck_assert_int_eq(remove(path), 0);
    }
    return value;
}

START_TEST(output_shows_all_of_its_schema)
{
    static const struct {
        const char *ending, *file, *arguments;
    } runs[] = {
        {"", NULL, "-n 2 --generate triangles:7,5"},
        {"", NULL, "-n 2 -k 3 --generate tetrahedra:3,3,3 --rule balanced"},
        {".graph", "3 2 011 2\n1 1 2 1\n1 1 1 1 3 1\n2 1 2 1\n", "-n 1 -k 2 --rule owner"},
        {".grf", "0\n2 2\n0 000\n1 1\n1 0\n", "-n 1 -k 2 --imbalance 0.2"},
        {".mesh", "1\n1 2 3\n", "-n 1 -k 1"},
        {".mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "-n 1 -k 1"},
        {".txt", "0 1\n", "-n 1 -k 1"},
    };
    if (is_missing()) {
        return;
    }
    char why[SCHEMA_WHY];
    json_t *schema = schema_load("partition"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        json_t *value = output_of(runs[i].ending, runs[i].file, runs[i].arguments);
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", runs[i].arguments, why);
        json_decref(value);
    }
    schema_expect_facts(expected, facts, "inlay partition --json");
    json_t *first = output_of("", NULL, runs[0].arguments);
    schema_refuse_damages(schema, first, 40);
    json_decref(first);
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

Suite *suite_partition_schema(void)
{
    Suite *suite = suite_create("schema of partitions");
    TCase *tests = tcase_create("schema of partitions");
    tcase_add_test(tests, output_shows_all_of_its_schema);
    suite_add_tcase(suite, tests);
    return suite;
}
