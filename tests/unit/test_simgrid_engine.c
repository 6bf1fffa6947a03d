/*
 * SimGrid as a second opinion: on machines whose messages do not meet, Inlay's engine and SimGrid have the same elapsed
 * times. And the JSON of `inlay simulate --engine simgrid` is what its schema says.
 */
#include "json_schema.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512, RUNS = 25 };

static char app_path[64], machine_path[64], mapping_path[64];

static void name_paths(void)
{
    long own = (long)getpid();
    snprintf(app_path, sizeof app_path, "/tmp/inlay-unit-%ld.simgrid.dot", own);
    snprintf(machine_path, sizeof machine_path, "/tmp/inlay-unit-%ld.simgrid.machine.dot", own);
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.simgrid.json", own);
}

static void remove_paths(void)
{
    unlink(app_path);
    unlink(machine_path);
    unlink(mapping_path);
}

static const char *program(void)
{
    const char *named = getenv("INLAY");
    return named != NULL ? named : "build/inlay";
}

/* Whether inlay-simgrid stands beside inlay. */
static bool is_built(void)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s-simgrid", program());
    return access(path, X_OK) == 0;
}

/* `inlay map`, then what `inlay simulate --engine simgrid --json` says. */
static json_t *output_of(const char *app, const char *machine)
{
    char command[2 * LINE];
    json_error_t error;
    snprintf(command, sizeof command, "'%s' map --quiet -o %s %s %s", program(), mapping_path, app, machine);
    ck_assert_msg(system(command) == 0, "%s", command);
    snprintf(command, sizeof command, "'%s' simulate --engine simgrid --json --quiet %s", program(), mapping_path);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

static double number_of(const json_t *value, const char *name)
{
    const json_t *member = json_object_get(value, name);
    ck_assert_msg(json_is_number(member), "%s", name);
    return json_number_value(member);
}

/* ---- Random programs and machines ---- */

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245 + 12345;
    return (*state >> 8) % below;
}

static FILE *begin(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    return file;
}

/* Modules in a row, each linked to some behind it; every second program streams; data blocks, and traffic alone. */
static void write_app(unsigned run)
{
    unsigned state = run * 7919 + 1, count = 6 + draw(&state, 30);
    FILE *file = begin(app_path);
    fprintf(file, "digraph random { graph [time_unit=tick];\n");
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, "m%u [time=%u", i, draw(&state, 40));
        fprintf(file, run % 2 == 0 ? ", blocking=%u];\n" : "]; // %u\n", draw(&state, 20));
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = i + 1; k < count && k < i + 8; k++) {
            if (draw(&state, 3) == 0) {
                fprintf(file, "m%u -> m%u [messages=%u%s];\n", i, k, draw(&state, 5),
                        draw(&state, 6) == 0 ? ", kind=traffic" : "");
            }
        }
    }
    for (unsigned d = 0; d < 2; d++) {
        fprintf(file, "d%u [kind=data, size=100];\n", d);
        for (unsigned k = 0; k < 4; k++) {
            fprintf(file, "d%u -> m%u [messages=%u];\n", d, (d + k * 3) % count, 1 + draw(&state, 4));
        }
    }
    fprintf(file, "}\n");
    ck_assert_int_eq(fclose(file), 0);
}

/*
 * Hosts of one speed or several, of one core or two, on wide links. All routes have the same latency: SimGrid gives
 * messages of unlike latencies unlike shares of a link, even of one that they need not share.
 */
static void write_machine(unsigned run)
{
    unsigned state = run * 104729 + 7, latency = draw(&state, 3);
    FILE *file = begin(machine_path);
    fprintf(file, "graph wide { graph [network=links, switching=\"cut-through\"];\n"
                  " a [kind=switch]; b [kind=switch];\n"
                  " edge [capacity=\"0.5msg/tick\", parallel=true];\n"
                  " a -- b [capacity=\"1msg/tick\"];\n");
    for (unsigned i = 0; i < 5; i++) {
        static const char *const speeds[] = {"1", "2", "0.5"};
        fprintf(file, " p%u [speed=%s, cores=%u]; p%u -- %c [latency=\"%utick\"];\n", i,
                run % 3 == 0 ? speeds[draw(&state, 3)] : "1", 1 + draw(&state, 2), i, "ab"[draw(&state, 2)], latency);
    }
    fprintf(file, "}\n");
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(engines_agree_where_nothing_queues)
{
    if (!is_built()) {
        unit_skip("no inlay-simgrid");
        return;
    }
    static const char *const further[] = {"", ",latency=2tick", ",transfers=1.5", ",message_size=3"};
    char machine[LINE];
    write_app((unsigned)_i);
    write_machine((unsigned)_i);
    snprintf(machine, sizeof machine, "%s%s", machine_path, further[_i % 4]);
    json_t *value = output_of(app_path, machine);
    double simgrid = number_of(value, "makespan"), inlay = number_of(value, "inlay_makespan");
    ck_assert_double_gt(inlay, 0);
    ck_assert_msg(fabs(inlay - simgrid) <= 1e-6 * inlay, "run %d: Inlay %.12g, SimGrid %.12g", _i, inlay, simgrid);
    json_decref(value);
}
END_TEST

/* ---- The schema ---- */

START_TEST(output_shows_all_of_its_schema)
{
    if (!is_built()) {
        unit_skip("no inlay-simgrid");
        return;
    }
    static const char *const units[] = {"s", "ms", "us", "ns", "tick"};
    json_t *schema = schema_load("simulate-simgrid"), *facts = json_object(), *expected = schema_facts(schema);
    char why[SCHEMA_WHY];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        FILE *file = begin(app_path);
        fprintf(file, "digraph { graph [time_unit=%s]; a [time=%zu]; }", units[i], i); /* the first takes no time */
        ck_assert_int_eq(fclose(file), 0);
        json_t *value = output_of(app_path, "star:2");
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", units[i], why);
        json_decref(value);
    }
    json_t *value = output_of("graphs/cholesky4.dot", "star:4"); /* stores and forwards, of which a warning tells */
    ck_assert_msg(schema_accepts(schema, value, facts, why), "%s", why);
    schema_expect_facts(expected, facts, "inlay simulate --engine simgrid --json");
    json_object_set_new(value, "one_more", json_true());
    ck_assert(!schema_accepts(schema, value, NULL, why));
    json_decref(value);
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

Suite *suite_simgrid_engine(void)
{
    Suite *suite = suite_create("SimGrid engine");
    TCase *tests = tcase_create("SimGrid engine");
    tcase_add_checked_fixture(tests, name_paths, remove_paths);
    tcase_add_loop_test(tests, engines_agree_where_nothing_queues, 0, RUNS);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    suite_add_tcase(suite, tests);
    return suite;
}
