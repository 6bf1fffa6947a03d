// SPDX-License-Identifier: GPL-3.0-or-later
/* `inlay info MACHINE --json`: all of its schema is shown, and its figures are those of a count by hand. */
#include "json_schema.h"
#include "machine/family.h"
#include "unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 2048 };

static char path[64]; /* of a machine that a test writes */

static void write_machine(void)
{
    static const char dot[] = "graph small { graph [network=links, switching=\"cut-through\"];\n"
                              "a [type=gpu, speed=2.5, memory=\"2GiB\", cores=2]; s [kind=switch];\n"
                              "edge [capacity=\"8Mbit/s\"]; a -- s [latency=2us]; b -- s [duplex=half]; c -- s;\n"
                              "c -- b [parallel=true, capacity=\"2MB/s\"] }\n";
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.machine.dot", (long)getpid());
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(dot, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void remove_machine(void)
{
    unlink(path);
}

/* The standard output of `inlay info --json --quiet ARGUMENTS`. */
static json_t *output_of(const char *arguments)
{
    char command[2 * LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' info --json --quiet %s", program != NULL ? program : "build/inlay",
             arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    pclose(pipe);
    return value;
}

START_TEST(output_shows_all_of_its_schema)
{
    const char *const machines[] = {"bus:17,arithmetic_time=0.8ns",
                                    "mesh:3x3,latency=2us,capacity=1GB/s,switching=cut-through",
                                    "hypercube:4,arithmetic_time=1tick,function_time=2ticks,contention=none",
                                    "crossbar:1,contention=free",
                                    "star:3,contention=sharing",
                                    "star:3,contention=cm02",
                                    "star:3,contention=lv08",
                                    path};
    char why[SCHEMA_WHY], all[LINE] = "";
    json_t *schema = schema_load("info-machine"), *facts = json_object(), *expected = schema_facts(schema);
    size_t families = inlay_families(), count = families + sizeof machines / sizeof *machines;
    for (size_t i = 0; i <= count; i++) {
        const char *arguments = i < families ? family_row((inlay_family)i)->sample
                                : i < count  ? machines[i - families]
                                             : all;
        json_t *value = output_of(arguments);
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", arguments, why);
        json_decref(value);
        if (i < count) {
            strcat(strcat(all, " "), arguments);
        }
    }
    schema_expect_facts(expected, facts, "inlay info MACHINE --json");
    json_decref(expected);
    json_decref(facts);
    json_decref(schema);
}
END_TEST

static double number_at(const json_t *value, const char *name)
{
    const json_t *member = json_object_get(value, name);
    ck_assert_msg(json_is_number(member), "%s", name);
    return json_number_value(member);
}

/* Counted by hand. */
static const struct {
    const char *machine;
    int diameter;
    double mean;
    int bisection; /* -1: null */
} counted[] = {
    {"mesh:4x2", 4, 2, 4},
    {"mesh:2x4", 4, 2, 4},
    {"mesh:3x3", 4, 2, -1},
    {"torus:4x2", 3, 12.0 / 7, 8},
    {"ring:6", 3, 9.0 / 5, 4},
    {"ring:2", 1, 1, 2},
    {"ring:5", 2, 1.5, -1},
    {"hypercube:8", 3, 12.0 / 7, 8},
    {"star:4", 2, 2, 4},
    {"tree:2x2", 4, 10.0 / 3, 2},
    {"crossbar:4", 1, 1, -1},
    {"bus:4", 1, 1, -1},
    {"mesh:4x2,duplex=half", 4, 2, 2},
    {"omega-pe:4", 2, 5.0 / 3, -1},
    {"mesh:2x2,cores=3", 2, 4.0 / 3, 4},
};

START_TEST(distances_are_counted)
{
    json_t *value = output_of(counted[_i].machine);
    ck_assert_int_eq((int)number_at(value, "diameter"), counted[_i].diameter);
    ck_assert_double_eq_tol(number_at(value, "mean_distance"), counted[_i].mean, 1e-12);
    if (counted[_i].bisection < 0) {
        ck_assert(json_is_null(json_object_get(value, "bisection_links")));
    } else {
        ck_assert_int_eq((int)number_at(value, "bisection_links"), counted[_i].bisection);
    }
    json_decref(value);
}
END_TEST

/* 10,000 hosts: a sample, which in a torus has the mean of all; (size^2 / 4 per dimension, in size^2 - 1 others). */
START_TEST(large_machines_are_sampled)
{
    json_t *value = output_of("torus:100x100");
    ck_assert_int_eq((int)number_at(value, "distances_from"), 105);
    ck_assert_int_eq((int)number_at(value, "diameter"), 100);
    ck_assert_double_eq_tol(number_at(value, "mean_distance"), 50.0 * 10000 / 9999, 1e-9);
    json_decref(value);
}
END_TEST

/* Two of type gpu on one host, two others; links of 2 MB/s, then of 1 MB/s with and without latency. */
START_TEST(kinds_are_counted)
{
    static const double links[][3] = {{2, 2e6, 0}, {2, 1e6, 0}, {1, 1e6, 0}, {2, 1e6, 2e-6}};
    json_t *value = output_of(path);
    const json_t *kinds = json_object_get(value, "processor_kinds"), *of_links = json_object_get(value, "link_kinds");
    ck_assert_uint_eq(json_array_size(kinds), 2);
    const json_t *gpu = json_array_get(kinds, 0), *other = json_array_get(kinds, 1);
    ck_assert_str_eq(json_string_value(json_object_get(gpu, "type")), "gpu");
    ck_assert(json_is_null(json_object_get(other, "type")) && json_is_null(json_object_get(other, "memory")));
    ck_assert_double_eq(number_at(gpu, "speed"), 2.5);
    ck_assert_double_eq(number_at(gpu, "memory"), 2147483648.0);
    ck_assert(number_at(gpu, "processors") == 2 && number_at(gpu, "hosts") == 1);
    ck_assert(number_at(other, "processors") == 2 && number_at(other, "hosts") == 2);
    ck_assert_uint_eq(json_array_size(of_links), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *kind = json_array_get(of_links, i);
        ck_assert_double_eq(number_at(kind, "links"), links[i][0]);
        ck_assert_double_eq(number_at(kind, "capacity"), links[i][1]);
        ck_assert_double_eq(number_at(kind, "latency"), links[i][2]);
        ck_assert_int_eq(json_is_true(json_object_get(kind, "parallel")), i == 0);
        ck_assert_int_eq(json_is_true(json_object_get(kind, "shared")), i == 2);
    }
    ck_assert(number_at(value, "links") == 7 && number_at(value, "switches") == 1);
    json_decref(value);
}
END_TEST

Suite *suite_info_machine(void)
{
    Suite *suite = suite_create("info of machines");
    TCase *tests = tcase_create("info of machines");
    tcase_add_checked_fixture(tests, write_machine, remove_machine);
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_loop_test(tests, distances_are_counted, 0, (int)(sizeof counted / sizeof *counted));
    tcase_add_test(tests, large_machines_are_sampled);
    tcase_add_test(tests, kinds_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
