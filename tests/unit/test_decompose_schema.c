/* The JSON of `inlay decompose` is what its schema says, and shows every field, every word and every null of it. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 400 };

static json_t *output_of(const char *arguments)
{
    const char *named = getenv("INLAY");
    char command[LINE];
    json_error_t error;
    snprintf(command, sizeof command, "'%s' decompose --json -q %s", named != NULL ? named : "build/inlay", arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

START_TEST(output_shows_all_of_its_schema)
{
    static const char *const arguments[] = {
        "20x30 3,2,1 --method best --bounded --tries 50",
        "20x30 3,2,1 --pattern offsets:3,-2 --wiring cube --latency 1us --per-byte 1ns",
        "20x30 3,2,1 --pattern systolic --flops 0 --wiring mesh --mtu 0",
        "2x2 8x1 --pattern none --wiring complete",
        "20x20 mesh:2x3,capacity=1MB/s",
        "20x20 1e9,1 --crossover /dev/null --points 3 --wiring several --networks 2",
        "200x200 4x5 --fewer no --phase stencil3,weight=500 --phase stencil3-across,weight=500",
        ("20x20 4x5 --phase broadcast --phase multicast:2 --phase reduction --phase random --phase wavefront "
         "--phase stencil9 --wiring switch")};
    char why[SCHEMA_WHY];
    json_t *schema = schema_load("decompose"), *facts = json_object(), *expected = schema_facts(schema);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        json_t *value = output_of(arguments[i]);
        ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", arguments[i], why);
        json_decref(value);
    }
    schema_expect_facts(expected, facts, "inlay decompose --json");
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

static json_int_t edge(const json_t *block, size_t i)
{
    return json_integer_value(json_array_get(block, i));
}

static const json_t *method(const json_t *value, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(value, "methods"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0) return row;
    }
    ck_abort_msg("no method %s", name);
}

/* Every cell of the grid is in exactly one block, and each processor has the cells of its own. */
static void expect_cover(const json_t *row, json_int_t rows, json_int_t columns)
{
    char *seen = calloc((size_t)(rows * columns), 1);
    size_t i;
    json_t *block;
    ck_assert_ptr_nonnull(seen);
    json_array_foreach(json_object_get(row, "blocks"), i, block)
    {
        json_int_t cells = (edge(block, 2) - edge(block, 0)) * (edge(block, 3) - edge(block, 1));
        ck_assert_int_eq(cells, edge(json_object_get(row, "cells"), i));
        for (json_int_t r = edge(block, 0); r < edge(block, 2); r++)
            for (json_int_t c = edge(block, 1); c < edge(block, 3); c++)
                ck_assert_int_eq(seen[r * columns + c]++, 0);
    }
    for (json_int_t cell = 0; cell < rows * columns; cell++)
        ck_assert_int_eq(seen[cell], 1);
    free(seen);
}

/* Seconds are the sum of their parts, ratios those of the seconds, and rows rise. */
START_TEST(figures_add_up)
{
    json_t *value = output_of("90x70 5,4,4,3,2 --fewer no --method best --tries 300"), *row;
    const json_t *first = json_array_get(json_object_get(value, "methods"), 0);
    double before = 0;
    size_t i;
    ck_assert_uint_eq(json_array_size(json_object_get(value, "methods")), 11);
    json_array_foreach(json_object_get(value, "methods"), i, row)
    {
        double seconds = number(row, "seconds");
        ck_assert_double_ge(seconds, before);
        ck_assert_double_eq_tol(seconds,
                                number(row, "computation") + number(row, "latency") + number(row, "transmission"),
                                1e-12 * seconds);
        ck_assert_double_eq_tol(number(row, "ratio"), seconds / number(first, "seconds"), 1e-12 * seconds);
        if (!json_is_null(json_object_get(row, "blocks"))) expect_cover(row, 90, 70);
        before = seconds;
    }
    json_decref(value);
}
END_TEST

/* The thesis's figure 38 as it comes out of (6.11): n = 64 and 4096, speeds 6, 4, 4, 3, 3, 3, 2, 1, communication alone. */
START_TEST(figure_38_comes_out)
{
    static const struct {
        const char *name;
        double small, large;
    } golden[] = {{"point", 0.031452, 0.836220},          {"row", 0.018680, 0.823448},
                  {"brbd", 0.033044, 0.635054},           {"fbrd", 0.026988, 0.606156},
                  {"fbrd-alternate", 0.032408, 0.617600}, {"phd", 0.032612, 0.605642}};
    json_t *small = output_of("64x64 6,4,4,3,3,3,2,1 --flops 0 --shares hamilton");
    json_t *large = output_of("4096x4096 6,4,4,3,3,3,2,1 --flops 0 --shares hamilton");
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        ck_assert_double_eq_tol(number(method(small, golden[i].name), "seconds"), golden[i].small, 5e-7);
        ck_assert_double_eq_tol(number(method(large, golden[i].name), "seconds"), golden[i].large, 5e-7);
    }
    json_decref(small);
    json_decref(large);
}
END_TEST

Suite *suite_decompose_schema(void)
{
    Suite *suite = suite_create("schema of decompositions");
    TCase *tests = tcase_create("schema of decompositions");
    tcase_add_test(tests, output_shows_all_of_its_schema);
    tcase_add_test(tests, figures_add_up);
    tcase_add_test(tests, figure_38_comes_out);
    suite_add_tcase(suite, tests);
    return suite;
}
