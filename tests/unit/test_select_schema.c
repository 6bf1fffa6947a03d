/* The JSON of `inlay select` is what its schema says, and shows every field, every word and every null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 800 };

static char program_path[64], metasystem_path[64];

static void name_paths(void)
{
    snprintf(program_path, sizeof program_path, "/tmp/inlay-unit-%ld.program.dot", (long)getpid());
    snprintf(metasystem_path, sizeof metasystem_path, "/tmp/inlay-unit-%ld.metasystem.dot", (long)getpid());
}

static void remove_paths(void)
{
    unlink(program_path);
    unlink(metasystem_path);
}

static const char *program(void)
{
    const char *named = getenv("INLAY");
    return named != NULL ? named : "build/inlay";
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static json_t *output_of(const char *arguments)
{
    char command[LINE];
    json_error_t error;
    snprintf(command, sizeof command, "'%s' select --json %s", program(), arguments);
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

/* A pair of files of our own. */
typedef struct pair {
    const char *program, *metasystem, *options;
} pair;

#define COMPUTATION "c [kind=computation, numPDUs=20, comp_complexity=300];"

static const pair pairs[] = {
    {"digraph { graph [kind=program, time_unit=s];" COMPUTATION "}",
     "graph { graph [kind=metasystem, time_unit=s]; a [processors=2, rate=5]; }", "-p 1"},
    {"digraph { graph [kind=program, time_unit=ms];" COMPUTATION
     "x [kind=communication, topology=ring, comm_complexity=5]; }",
     "graph { graph [kind=metasystem, time_unit=ms]; a [processors=3, rate=5, ring=\"c2=7\"];"
     "b [processors=4, rate=6, ring=\"c2=9\"]; }",
     "--method h1"},
    /* T falls as p rises: the exact method cannot tell how far off the heuristic is */
    {"digraph { graph [kind=program, time_unit=tick];" COMPUTATION
     "x [kind=communication, topology=tree, comm_complexity=5, overlap=c]; }",
     "graph { graph [kind=metasystem, time_unit=tick]; a [processors=3, rate=5, tree=\"c1=900, c2=-7\"]; }",
     "--method h3 --best 0"},
    {"digraph { graph [kind=program, time_unit=ns];" COMPUTATION
     "x [kind=communication, topology=\"1-D\", comm_complexity=5]; }",
     "graph { graph [kind=metasystem, time_unit=ns]; a [processors=90, rate=5, \"1-D\"=\"c2=2\"];"
     "b [processors=90, rate=6, \"1-D\"=\"c2=2\"]; d [processors=90, rate=7, \"1-D\"=\"c2=3\"]; }",
     "--limit 3"},
};

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const arguments[] = {
        "graphs/figure13.dot architectures/figure13-metasystem.dot --placement",
        "graphs/figure13.dot architectures/figure13-metasystem.dot --method h2 --map ceil --router chain -p 5,0,0,5",
        "graphs/sten2.dot architectures/suns-metasystem.dot -D N=300 --map real --method exhaustive",
        "graphs/sparse.dot architectures/campus-metasystem.dot --phases all"};
    json_t *schema = schema_load("select"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        witness(schema, facts, arguments[i]);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char line[LINE];
        write_file(program_path, pairs[i].program);
        write_file(metasystem_path, pairs[i].metasystem);
        snprintf(line, sizeof line, "%s %s %s", program_path, metasystem_path, pairs[i].options);
        witness(schema, facts, line);
    }
    schema_expect_facts(expected, facts, "inlay select --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

/* ---- Its figures ---- */

static double number(const json_t *object, const char *name)
{
    ck_assert_msg(json_is_number(json_object_get(object, name)), "no number %s", name);
    return json_number_value(json_object_get(object, name));
}

static double element(const json_t *object, const char *name, size_t i)
{
    return json_number_value(json_array_get(json_object_get(object, name), i));
}

/* Units handed out, and processors, of an object with a configuration and a partition. */
static void expect_sums(const json_t *object, double units)
{
    double processors = 0, given = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(object, "configuration")); i++) {
        processors += element(object, "configuration", i);
        given += element(object, "configuration", i) * element(object, "partition", i) + element(object, "extra", i);
    }
    ck_assert_double_eq(processors, number(object, "processors"));
    ck_assert_double_eq_tol(given, units, 1e-9 * units);
}

/* T_c and T_i of figure 13's clusters by EQ 1 to 9, for a line of 100 bytes and 100 PDUs of 9522 instructions. */
static void expect_figure_13(const json_t *value)
{
    static const double rate[] = {45, 16, 75, 55}, c2[] = {88, 577, 411, 91}, c3[] = {0.56, 3.7, 2.7, 0.58},
                        c4[] = {1.04, 6.88, 4.85, 1.07};
    double longest = 0, slowest = 0, used = 0;
    for (size_t i = 0; i < 4; i++) {
        const json_t *cluster = json_array_get(json_object_get(value, "clusters"), i);
        double p = element(value, "configuration", i), time = p > 0 ? c2[i] * p + 100 * (c3[i] + c4[i] * p) : 0;
        double share = element(value, "partition", i) + (element(value, "extra", i) > 0);
        ck_assert_double_eq_tol(number(cluster, "t_comm"), time, 1e-9 * (1 + time));
        ck_assert_double_eq(number(cluster, "used"), p);
        longest = time > longest ? time : longest;
        slowest = p > 0 && share * 9522 / rate[i] > slowest ? share * 9522 / rate[i] : slowest;
        used += p > 0;
    }
    ck_assert_double_eq_tol(number(value, "t_comm"), longest + 395.4 * (used - 1), 1e-6);
    ck_assert_double_eq_tol(number(value, "t_comp"), slowest, 1e-6);
    ck_assert_double_eq_tol(number(value, "t_cycle"), number(value, "t_comp") + number(value, "t_comm"), 1e-6);
}

START_TEST(figures_are_those_of_the_equations)
{
    static const struct {
        const char *options;
        double cycle;
    } cases[] = {{"--method h2", 3347.8},
                 {"--map real", 3228.4},
                 {"--map real --method exhaustive", 3228.4},
                 {"", 3334.2},
                 {"--method h1", 3645.290909090909}};
    char line[LINE];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        snprintf(line, sizeof line, "graphs/figure13.dot architectures/figure13-metasystem.dot -p 5,0,0,5 %s",
                 cases[c].options);
        json_t *value = output_of(line), *given = json_object_get(value, "given"), *other;
        double before = number(value, "t_cycle");
        size_t i;
        expect_figure_13(value);
        ck_assert_double_eq_tol(before, cases[c].cycle, 1e-6);
        expect_sums(value, 100);
        expect_sums(given, 100);
        ck_assert_double_eq_tol(number(given, "t_cycle"), 3347.8, 1e-6);
        json_array_foreach(json_object_get(value, "next"), i, other)
        {
            ck_assert_double_ge(number(other, "t_cycle"), before);
            ck_assert_double_eq_tol(number(other, "longer"), number(other, "t_cycle") / cases[c].cycle - 1, 1e-12);
            expect_sums(other, 100);
            before = number(other, "t_cycle");
        }
        json_decref(value);
    }
}
END_TEST

/* No option but those that say what is printed changes the answer. */
START_TEST(the_answer_does_not_depend_on_what_else_is_asked)
{
    json_t *first = output_of("graphs/figure13.dot architectures/figure13-metasystem.dot");
    json_t *second = output_of("graphs/figure13.dot architectures/figure13-metasystem.dot --best 40 --placement -p "
                               "C2=1 --threads 3 --csv /dev/null --svg /dev/null --points 3");
    static const char *const same[] = {"configuration", "partition", "extra", "t_cycle", "optimal", "speedup"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        ck_assert_msg(json_equal(json_object_get(first, same[i]), json_object_get(second, same[i])), "%s", same[i]);
    ck_assert_uint_eq(json_array_size(json_object_get(first, "next")), 5);
    ck_assert_uint_eq(json_array_size(json_object_get(second, "next")), 40);
    for (size_t i = 0; i < 5; i++)
        ck_assert(json_equal(json_array_get(json_object_get(first, "next"), i),
                             json_array_get(json_object_get(second, "next"), i)));
    json_decref(first);
    json_decref(second);
}
END_TEST

Suite *suite_select_schema(void)
{
    Suite *suite = suite_create("schema of selections");
    TCase *tests = tcase_create("schema of selections");
    tcase_add_checked_fixture(tests, name_paths, remove_paths);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, figures_are_those_of_the_equations);
    tcase_add_test(tests, the_answer_does_not_depend_on_what_else_is_asked);
    suite_add_tcase(suite, tests);
    return suite;
}
