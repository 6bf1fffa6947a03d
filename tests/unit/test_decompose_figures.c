/* The figures of `inlay decompose --json`. */
#include "json_schema.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

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
    json_t *value = printed_json("decompose --json -q 90x70 5,4,4,3,2 --fewer no --method best --tries 300"), *row;
    const json_t *first = json_array_get(json_object_get(value, "methods"), 0);
    double before = 0;
    size_t i;
    ck_assert_uint_eq(json_array_size(json_object_get(value, "methods")), 13);
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
    json_t *small = printed_json("decompose --json -q 64x64 6,4,4,3,3,3,2,1 --flops 0 --shares hamilton");
    json_t *large = printed_json("decompose --json -q 4096x4096 6,4,4,3,3,3,2,1 --flops 0 --shares hamilton");
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        ck_assert_double_eq_tol(number(method(small, golden[i].name), "seconds"), golden[i].small, 5e-7);
        ck_assert_double_eq_tol(number(method(large, golden[i].name), "seconds"), golden[i].large, 5e-7);
    }
    json_decref(small);
    json_decref(large);
}
END_TEST

Suite *suite_decompose_figures(void)
{
    Suite *suite = suite_create("figures of decompositions");
    TCase *tests = tcase_create("figures of decompositions");
    tcase_add_test(tests, figures_add_up);
    tcase_add_test(tests, figure_38_comes_out);
    suite_add_tcase(suite, tests);
    return suite;
}
