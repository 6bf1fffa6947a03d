/* The figures of `inlay select --json`. */
#include "json_schema.h"
#include "unit.h"

#include <stdio.h>

enum { LINE = 800 };

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
        snprintf(line, sizeof line,
                 "select --json graphs/figure13.dot architectures/figure13-metasystem.dot -p 5,0,0,5 %s",
                 cases[c].options);
        json_t *value = printed_json(line), *given = json_object_get(value, "given"), *other;
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
    json_t *first = printed_json("select --json graphs/figure13.dot architectures/figure13-metasystem.dot");
    json_t *second =
        printed_json("select --json graphs/figure13.dot architectures/figure13-metasystem.dot --best 40 --placement -p "
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

Suite *suite_select_figures(void)
{
    Suite *suite = suite_create("figures of selections");
    TCase *tests = tcase_create("figures of selections");
    tcase_add_test(tests, figures_are_those_of_the_equations);
    tcase_add_test(tests, the_answer_does_not_depend_on_what_else_is_asked);
    suite_add_tcase(suite, tests);
    return suite;
}
