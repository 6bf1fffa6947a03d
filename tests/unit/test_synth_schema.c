/* The JSON of `inlay synth` and `inlay run` is what the schemas say, and shows every field, word and null of them. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 96, LINE = 1024 };

static char folder[PATH]; /* of applications, mappings, and programs that stand for compilers and launchers */

static char *file(const char *name, char path[PATH + PATH])
{
    snprintf(path, PATH + PATH, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    char path[PATH + PATH];
    FILE *to = fopen(file(name, path), "w");
    ck_assert_ptr_nonnull(to);
    fputs(text, to);
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static const char *inlay(void)
{
    const char *program = getenv("INLAY");
    return program != NULL ? program : "build/inlay";
}

static void command(const char *line)
{
    ck_assert_msg(system(line) == 0, "%s", line);
}

static void map(const char *app, const char *machine, const char *options)
{
    char line[LINE];
    write_file("app.dot", app);
    snprintf(line, sizeof line, "'%s' map %s/app.dot %s --quiet %s -o %s/mapping.json", inlay(), folder, machine,
             options, folder);
    command(line);
}

/* A compiler that writes a program, and a launcher that prints what three ranks would. */
static const char compiler[] = "#!/bin/sh\n"
                               "while [ \"$1\" != -o ]; do shift; done\n"
                               "echo '#!/bin/sh' >\"$2\" && chmod +x \"$2\"\n";
static const char launcher[] =
    "#!/bin/sh\n"
    "echo '{\"elapsed\": 0.5, \"runs\": [0.5, 0.75], \"ranks\": ['\n"
    "row='\"host\": \"h\", \"busy\": 0.25, \"wait\": 0.125, \"other\": 0, \"idle\": 0.125}'\n"
    "echo '{\"rank\": 0,' \"$row, {\\\"rank\\\": 1,\" \"$row, {\\\"rank\\\": 2,\" \"$row]}\"\n";
static const char instant[] =
    "#!/bin/sh\n"
    "echo '{\"elapsed\": 0, \"runs\": [0], \"ranks\": [{\"rank\": 0, \"host\": \"h\", \"busy\": 0, \"wait\": 0,'\n"
    "echo '\"other\": 0, \"idle\": 0}]}'\n";

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/inlay-unit-synth-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file("cc", compiler);
    write_file("launch", launcher);
    write_file("instant", instant);
    write_file("hosts", "h\n");
}

static void remove_folder(void)
{
    static const char *const names[] = {"app.dot", "mapping.json", "prog.c", "cc", "launch", "instant", "hosts"};
    char path[PATH + PATH];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(file(names[i], path));
    }
    rmdir(folder);
}

/* The standard output of `inlay NAME --json --quiet OPTIONS` for the mapping. */
static json_t *output_of(const char *name, const char *options)
{
    char line[LINE];
    json_error_t error;
    snprintf(line, sizeof line, "cd %s && '%s' %s --json --quiet mapping.json %s", folder, inlay(), name, options);
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", line, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

static void witness(const json_t *schema, json_t *facts, const char *name, const char *options)
{
    char why[SCHEMA_WHY];
    json_t *value = output_of(name, options);
    ck_assert_msg(schema_accepts(schema, value, facts, why), "%s %s: %s", name, options, why);
    json_decref(value);
}

static const char in_ticks[] = "digraph app { graph [time_unit=tick]; a [time=3, pin=0]; b [time=4, pin=2]; a -> b; }";
static const char in_seconds[] =
    "digraph app { a [time=0.5, arithmetic=5, memory=100]; b [time=1]; a -> b [bytes=9]; }";

START_TEST(synth_shows_all_of_its_schema)
{
    json_t *schema = schema_load("synth"), *facts = json_object(), *expected = schema_facts(schema);
    map(in_ticks, "bus:4", "--tick 1ms");
    witness(schema, facts, "synth", "-o prog.c");
    map(in_seconds, "bus:4,capacity=1MB/s", "");
    witness(schema, facts, "synth", "-o prog.c");
    witness(schema, facts, "synth", "-o prog.c --work counts");
    schema_expect_facts(expected, facts, "inlay synth --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

#define FAKES " --compiler ./cc --launcher ./launch"

START_TEST(run_shows_all_of_its_schema)
{
    static const char *const units[] = {"ms", "us", "ns"};
    json_t *schema = schema_load("run"), *facts = json_object(), *expected = schema_facts(schema);
    map(in_ticks, "bus:4", "");
    witness(schema, facts, "run", "--engine smpi" FAKES);
    witness(schema, facts, "run", "--tick 1ms --hostfile hosts" FAKES);
    witness(schema, facts, "run", "--tick 1ms --processes 1000000" FAKES);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char app[LINE];
        snprintf(app, sizeof app, "digraph app { graph [time_unit=%s]; a [time=7]; }", units[i]);
        map(app, "bus:1,capacity=1MB/s", "");
        witness(schema, facts, "run", "" FAKES);
    }
    witness(schema, facts, "run", "--compiler ./cc --launcher ./instant");
    schema_expect_facts(expected, facts, "inlay run --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

static void refuse_damages(const char *name, const char *options, size_t least)
{
    json_t *schema = schema_load(name), *value = output_of(name, options);
    schema_refuse_damages(schema, value, least);
    json_decref(value);
    json_decref(schema);
}

START_TEST(damaged_outputs_are_refused)
{
    map(in_ticks, "bus:4", "--tick 1ms");
    refuse_damages("synth", "-o prog.c", 20);
    refuse_damages("run", "" FAKES, 50);
}
END_TEST

Suite *suite_synth_schema(void)
{
    Suite *suite = suite_create("schemas of synth and run");
    TCase *tests = tcase_create("schemas of synth and run");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, synth_shows_all_of_its_schema);
    tcase_add_test(tests, run_shows_all_of_its_schema);
    tcase_add_test(tests, damaged_outputs_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
