/* Expressions: values by hand and against trees that are evaluated as they were drawn, and every complaint. */
#include "starve.h"
#include "base/plain.h"
#include "unit.h"

#include "io/dot/expression.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const some_names[] = {"N", "M", "cells_2", "P"};
static const double some_values[] = {600, 5, 0.25, 7};
static const expression_names names = {some_names, 4};

static expression *parsed(const char *text, inlay_unit unit)
{
    expression *e = NULL;
    expression_error error = {""};
    ck_assert_msg(expression_parse(text, names, unit, &e, &error) == INLAY_OK, "%s: %s", text, error.text);
    return e;
}

static double value_of(const char *text, inlay_unit unit)
{
    expression *e = parsed(text, unit);
    expression_error error = {""};
    double value = NAN;
    ck_assert_msg(expression_evaluate(e, some_values, &value, &error) == INLAY_OK, "%s: %s", text, error.text);
    expression_free(e);
    return value;
}

/* ---- By hand ---- */

static const struct {
    const char *text;
    double value;
} by_hand[] = {
    {"1", 1},
    {" 1.5e2 ", 150},
    {".5", 0.5},
    {"5.", 5},
    {"1E-3", 0.001},
    {"N", 600},
    {"cells_2*4", 1},
    {"1+2*3", 7},
    {"(1+2)*3", 9},
    {"8-4-2", 2},
    {"8/4/2", 1},
    {"8-(4-2)", 6},
    {"2^3^2", 512},
    {"(2^3)^2", 64},
    {"-2^2", -4},
    {"(-2)^2", 4},
    {"-2^-2", -0.25},
    {"2^-1", 0.5},
    {"2*-3", -6},
    {"2--3", 5},
    {"- -3", 3},
    {"+3", 3},
    {"6/2*3", 9},
    {"2*3^2", 18},
    {"-3*-3", 9},
    {"sqrt(9)", 3},
    {"log2(8)", 3},
    {"ln(exp(2))", 2},
    {"abs(-3)+abs(3)", 6},
    {"floor(-1.5)", -2},
    {"ceil(-1.5)", -1},
    {"round(2.5)", 3},
    {"round(-2.5)", -3},
    {"min(2, 1)", 1},
    {"max(1, 3, 2)", 3},
    {"min(3, max(1, 2), 5)", 2},
    {"max(-1, -2)", -1},
    {"0^0", 1},
    {"(-8)^3", -512},
    {"(2/3*N^3 + N*(N-1)) / (N*(N-1))", (2.0 / 3 * 600 * 600 * 600 + 600.0 * 599) / (600.0 * 599)},
    {"\tN\n- 1 ", 599},
    {"10^308", 1e308},
    {"1e-400", 0},
};

START_TEST(values_are_those_of_hand)
{
    double value = value_of(by_hand[_i].text, INLAY_UNIT_NONE);
    ck_assert_msg(value == by_hand[_i].value, "%s is %.17g", by_hand[_i].text, value);
}
END_TEST

/* Rounded once: the double that the compiler makes of the same decimal. */
static const struct {
    const char *text;
    inlay_unit unit;
    double value;
} with_units[] = {
    {"0.3us", INLAY_UNIT_US, 0.3},       {"0.3", INLAY_UNIT_US, 0.3},         {"0.3us", INLAY_UNIT_S, 3e-7},
    {"0.7 ns", INLAY_UNIT_S, 7e-10},     {"1ms", INLAY_UNIT_US, 1000},        {"1.1e-3s", INLAY_UNIT_US, 1100},
    {"2 ticks", INLAY_UNIT_TICK, 2},     {"0.1ms*N + 3", INLAY_UNIT_MS, 63},  {"2s/4", INLAY_UNIT_NS, 5e8},
    {"1.7E+2us", INLAY_UNIT_NS, 170000}, {"min(1ms, 1us)", INLAY_UNIT_US, 1},
};

START_TEST(units_are_converted)
{
    double value = value_of(with_units[_i].text, with_units[_i].unit);
    ck_assert_msg(value == with_units[_i].value, "%s is %.17g", with_units[_i].text, value);
}
END_TEST

START_TEST(names_that_are_used_are_known)
{
    expression *e = parsed("N + max(cells_2, 3)", INLAY_UNIT_NONE);
    ck_assert(expression_uses(e, 0) && !expression_uses(e, 1) && expression_uses(e, 2) && !expression_uses(e, 3));
    ck_assert_str_eq(expression_text(e), "N + max(cells_2, 3)");
    expression_free(e);
}
END_TEST

/* ---- Random expressions ---- */

enum { EXPRESSIONS = 5000, NODES = 200, TEXT = 20000 };

typedef struct node {
    char operation; /* n number, v name, - + * / ^ or the first letter of a function; _ a sign */
    int left, right;
    double number;
} node;

typedef struct drawing {
    uint64_t state;
    node nodes[NODES];
    int count;
    bool failed; /* some number on the way was not finite */
    char text[TEXT];
    size_t size;
} drawing;

static unsigned draw(drawing *d, unsigned below)
{
    d->state = d->state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(d->state >> 33) % below;
}

static int draw_tree(drawing *d, int depth)
{
    static const char operations[] = "+-*/^_qleabfcromM";
    int at = d->count++;
    node made = {.left = -1, .right = -1};
    if (depth == 0 || d->count > NODES - 40 || draw(d, 5) == 0) {
        made.operation = draw(d, 2) == 0 ? 'n' : 'v';
        made.left = (int)draw(d, 4);
        made.number = draw(d, 10) == 0 ? 0 : (double)draw(d, 1000) / (draw(d, 2) == 0 ? 1 : 8);
    } else {
        made.operation = operations[draw(d, draw(d, 2) == 0 ? 5 : (unsigned)strlen(operations))];
        made.left = draw_tree(d, depth - 1);
        made.right = strchr("+-*/^mM", made.operation) == NULL ? -1 : draw_tree(d, depth - 1);
    }
    d->nodes[at] = made;
    return at;
}

static double evaluate_binary(char operation, double x, double y)
{
    switch (operation) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': return x / y;
    case '^': return pow(x, y);
    case 'm': return fmin(x, y);
    default: return fmax(x, y);
    }
}

static double evaluate_unary(char operation, double x)
{
    switch (operation) {
    case '_': return -x;
    case 'q': return sqrt(x);
    case 'l': return log2(x);
    case 'e': return exp(x);
    case 'a': return log(x);
    case 'b': return fabs(x);
    case 'f': return floor(x);
    case 'c': return ceil(x);
    case 'r': return round(x);
    default: return x; /* o: a sign + */
    }
}

static double evaluate_tree(drawing *d, int at)
{
    const node *n = &d->nodes[at];
    double value;
    if (n->operation == 'n') {
        value = n->number;
    } else if (n->operation == 'v') {
        value = some_values[n->left];
    } else {
        double x = evaluate_tree(d, n->left);
        value = n->right < 0 ? evaluate_unary(n->operation, x)
                             : evaluate_binary(n->operation, x, evaluate_tree(d, n->right));
    }
    d->failed |= !isfinite(value);
    return value;
}

static void put(drawing *d, const char *text)
{
    static const char *const gaps[] = {"", "", " ", "\t ", "\n"};
    d->size += (size_t)snprintf(d->text + d->size, TEXT - d->size, "%s%s", text, gaps[draw(d, 5)]);
    ck_assert_uint_lt(d->size, TEXT);
}

/* How strongly an operation binds: what stands beside a stronger one needs parentheses. */
static int binding(char operation)
{
    return strchr("+-", operation) != NULL   ? 1
           : strchr("*/", operation) != NULL ? 2
           : strchr("_o", operation) != NULL ? 3
           : operation == '^'                ? 4
                                             : 5;
}

static void write_tree(drawing *d, int at, bool enclosed);

static void write_operand(drawing *d, int at, bool must)
{
    write_tree(d, at, must || draw(d, 10) == 0);
}

static void write_function(drawing *d, const node *n)
{
    static const struct {
        char operation;
        const char *name;
    } functions[] = {{'q', "sqrt"},  {'l', "log2"}, {'e', "exp"},   {'a', "ln"},  {'b', "abs"},
                     {'f', "floor"}, {'c', "ceil"}, {'r', "round"}, {'m', "min"}, {'M', "max"}};
    size_t i = 0;
    while (functions[i].operation != n->operation) {
        i++;
    }
    put(d, functions[i].name);
    put(d, "(");
    write_operand(d, n->left, false);
    if (n->right >= 0) {
        put(d, ",");
        write_operand(d, n->right, false);
    }
    put(d, ")");
}

static void write_operation(drawing *d, const node *n)
{
    int own = binding(n->operation), left = binding(d->nodes[n->left].operation);
    char sign[] = {n->operation == '_' ? '-' : n->operation == 'o' ? '+' : n->operation, '\0'};
    if (own == 3) { /* a sign takes what binds at least as strongly */
        put(d, sign);
        write_operand(d, n->left, left < 3);
        return;
    }
    int right = binding(d->nodes[n->right].operation);
    write_operand(d, n->left, n->operation == '^' ? left <= 4 : left < own);
    put(d, sign);
    write_operand(d, n->right, n->operation == '^' ? right < 3 : right <= own);
}

static void write_tree(drawing *d, int at, bool enclosed)
{
    const node *n = &d->nodes[at];
    char number[40];
    if (enclosed) {
        put(d, "(");
    }
    if (n->operation == 'n') {
        (void)plain_print(number, sizeof number, draw(d, 2) == 0 ? "%.17g" : "%.6e", n->number);
        put(d, number);
    } else if (n->operation == 'v') {
        put(d, some_names[n->left]);
    } else if (binding(n->operation) == 5) {
        write_function(d, n);
    } else {
        write_operation(d, n);
    }
    if (enclosed) {
        put(d, ")");
    }
}

/* Whole and eighths of numbers below 1000 have at most 6 digits behind the first: both forms above are exact. */
START_TEST(random_expressions_are_their_trees)
{
    static drawing d;
    int good = 0;
    d.state = 20;
    for (int i = 0; i < EXPRESSIONS; i++) {
        d.count = 0;
        d.failed = false;
        d.size = 0;
        int root = draw_tree(&d, 1 + (int)draw(&d, 6));
        write_tree(&d, root, false);
        double wanted = evaluate_tree(&d, root), value = NAN;
        expression_error error = {""};
        expression *e = parsed(d.text, INLAY_UNIT_NONE);
        int status = expression_evaluate(e, some_values, &value, &error);
        ck_assert_msg((status == INLAY_OK) == !d.failed, "%s: %s", d.text, error.text);
        ck_assert_msg(d.failed || value == wanted, "%s: %.17g is not %.17g", d.text, value, wanted);
        ck_assert(!d.failed || (isnan(value) && strstr(error.text, "; expected ") != NULL));
        good += !d.failed;
        expression_free(e);
    }
    ck_assert_int_gt(good, EXPRESSIONS / 3); /* both kinds were there */
    ck_assert_int_lt(good, EXPRESSIONS * 9 / 10);
}
END_TEST

/* ---- Large ones ---- */

START_TEST(long_expressions_are_read_and_deep_ones_refused)
{
    enum { TERMS = 100000, DEEP = 400 };
    char *text = malloc(2 * TERMS + 2);
    for (int i = 0; i < TERMS; i++) {
        memcpy(text + 2 * (size_t)i, "1+", 2);
    }
    memcpy(text + 2 * (size_t)TERMS, "1", 2);
    ck_assert_double_eq(value_of(text, INLAY_UNIT_NONE), TERMS + 1);
    static const char *const opens[] = {"(", "-", "2^", "1+(2*(", "max(1,"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        size_t size = strlen(opens[i]);
        for (size_t j = 0; j < DEEP; j++) {
            memcpy(text + j * size, opens[i], size + 1);
        }
        expression *e = NULL;
        expression_error error;
        ck_assert_int_eq(expression_parse(text, names, INLAY_UNIT_NONE, &e, &error), INLAY_BAD_INPUT);
        ck_assert_msg(strstr(error.text, "expected an expression that is nested less deep") != NULL, "%s", error.text);
    }
    ck_assert_double_eq(value_of("((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))", INLAY_UNIT_NONE), 1);
    free(text);
}
END_TEST

/* ---- Complaints ---- */

static const struct {
    const char *text, *message;
} unread[] = {
    {"", "syntax error at the end of ''; expected a number, a name, a function or '('"},
    {"  ", "syntax error at the end of '  '; expected a number, a name, a function or '('"},
    {"N +", "syntax error at the end of 'N +'; expected a number, a name, a function or '('"},
    {"N * (M + 1", "syntax error at the end of 'N * (M + 1'; expected an operator or ')'"},
    {"N)", "syntax error near ')' at character 2 of 'N)'; expected an operator + - * / ^ or the end"},
    {"N M", "syntax error near 'M' at character 3 of 'N M'; expected an operator + - * / ^ or the end"},
    {"N % 2", "syntax error near '%' at character 3 of 'N % 2'; expected an operator + - * / ^ or the end"},
    {"* N", "syntax error near '*' at character 1 of '* N'; expected a number, a name, a function or '('"},
    {"()", "syntax error near ')' at character 2 of '()'; expected a number, a name, a function or '('"},
    {"max(1)", "syntax error near ')' at character 6 of 'max(1)'; expected ',' and a second argument"},
    {"max(1, 2", "syntax error at the end of 'max(1, 2'; expected an operator, ',' or ')'"},
    {"sqrt(1, 2)", "syntax error near ',' at character 7 of 'sqrt(1, 2)'; expected an operator or ')'"},
    {"X + 1", "unknown name 'X' in 'X + 1'; expected one of N, M, cells_2, P"},
    {"n", "unknown name 'n' in 'n'; expected one of N, M, cells_2, P"},
    {"sin(N)", "unknown function 'sin' in 'sin(N)'; expected one of sqrt, log2, ln, exp, abs, floor, ceil, round, min, "
               "max"},
    {"5N", "'5N' in '5N' is a number and letters; expected an operator between them, as in 5*N"},
    {"3us", "'3us' in '3us' is a number and letters; expected an operator between them, as in 5*N"},
    {"0x10", "'0x10' in '0x10' is a number and letters; expected an operator between them, as in 5*N"},
    {"2 * 1e999", "'1e999' in '2 * 1e999' is too large or too long for a number; expected at most 1.79e308 in at most "
                  "48 characters"},
    {"1111111111222222222233333333334444444444555555555566666666667777777777888888888899999999990000000000",
     "'1111111111222222222233333333334444444444555555555566666666667777777777888888...' in "
     "'1111111111222222222233333333334444444444555555555566666666667777777777888888...' is too large or too long for a "
     "number; expected at most 1.79e308 in at most 48 characters"},
    {".", "'.' in '.' is no number; expected a number, alone or with one of s, ms, us, ns, tick where it is a time"},
    {"nan", "unknown name 'nan' in 'nan'; expected one of N, M, cells_2, P"},
    {"\xC3\xBC + 1", "unknown name '\xC3\xBC' in '\xC3\xBC + 1'; expected one of N, M, cells_2, P"},
};

static void expect_unread(const char *text, inlay_unit unit, const char *message)
{
    expression *e = NULL;
    expression_error error = {""};
    ck_assert_int_eq(expression_parse(text, names, unit, &e, &error), INLAY_BAD_INPUT);
    ck_assert_str_eq(error.text, message);
    ck_assert_ptr_null(e);
}

START_TEST(what_cannot_be_read_is_told)
{
    expect_unread(unread[_i].text, INLAY_UNIT_NONE, unread[_i].message);
}
END_TEST

START_TEST(wrong_units_are_told)
{
    expect_unread("5h", INLAY_UNIT_S,
                  "'5h' in '5h' ends with letters that are no unit; expected a number, alone or with one of s, ms, us, "
                  "ns, tick where it is a time");
    expect_unread("N*5ms", INLAY_UNIT_TICK, "'5ms' in 'N*5ms' is in seconds; expected ticks, the graph's time_unit");
    expect_unread("5 ticks", INLAY_UNIT_MS,
                  "'5 ticks' in '5 ticks' is in ticks; expected seconds, or graph [time_unit=tick]");
    expression_error error = {""};
    expression *e = NULL;
    ck_assert_int_eq(expression_parse("N", (expression_names){NULL, 0}, INLAY_UNIT_NONE, &e, &error), INLAY_BAD_INPUT);
    ck_assert_str_eq(error.text, "unknown name 'N' in 'N'; expected numbers alone");
}
END_TEST

static const struct {
    const char *text, *message;
} undefined[] = {
    {"1 + N / (M - M)", "division by zero in 'N / (M - M)' with N = 600, M = 5; expected a divisor other than 0"},
    {"1/0", "division by zero in '1/0'; expected a divisor other than 0"},
    {"0/0", "division by zero in '0/0'; expected a divisor other than 0"},
    {"0^-1", "division by zero in '0^-1'; expected an exponent that is not below 0"},
    {"2*log2(P - 7)", "log2 of 0 in 'log2(P - 7)' with P = 7; expected a number above 0"},
    {"ln(-cells_2)", "ln of -0.25 in 'ln(-cells_2)' with cells_2 = 0.25; expected a number above 0"},
    {"sqrt(M - N)", "sqrt of -595 in 'sqrt(M - N)' with N = 600, M = 5; expected a number that is not below 0"},
    {"(M - N)^0.5",
     "a root of -595 in '(M - N)^0.5' with N = 600, M = 5; expected a base that is not below 0, or a whole exponent"},
    {"10^N", "a number too large in '10^N' with N = 600; expected at most 1.79e308"},
    {"exp(2*N)", "a number too large in 'exp(2*N)' with N = 600; expected at most 1.79e308"},
    {"1e308 + 1e308", "a number too large in '1e308 + 1e308'; expected at most 1.79e308"},
    {"max(1, 1e200*1e200)", "a number too large in '1e200*1e200'; expected at most 1.79e308"},
    {"N + N + N + N + N + N + N + N + N + N + N + N + N + N + N + N + N + N + N + N + 1e308*10",
     "a number too large in '1e308*10'; expected at most 1.79e308"},
};

START_TEST(what_is_no_number_is_told)
{
    expression *e = parsed(undefined[_i].text, INLAY_UNIT_NONE);
    expression_error error = {""};
    double value = 17;
    ck_assert_int_eq(expression_evaluate(e, some_values, &value, &error), INLAY_BAD_INPUT);
    ck_assert_str_eq(error.text, undefined[_i].message);
    ck_assert_double_eq(value, 17);
    expression_free(e);
}
END_TEST

/* ---- Memory ---- */

static int try_parse(const void *subject)
{
    expression *e = NULL;
    expression_error error;
    int status = expression_parse(subject, names, INLAY_UNIT_NONE, &e, &error);
    expression_free(e);
    return status;
}

START_TEST(parsing_survives)
{
    starve(try_parse, "N*(M+1)*(M+2)*(M+3)*(M+4)*(M+5)*(M+6)*(M+7)", 3);
}
END_TEST

#define TABLE(test, rows) tcase_add_loop_test(all, test, 0, sizeof(rows) / sizeof *(rows))

Suite *suite_expression(void)
{
    Suite *suite = suite_create("expression");
    TCase *all = tcase_create("expression");
    TABLE(values_are_those_of_hand, by_hand);
    TABLE(units_are_converted, with_units);
    tcase_add_test(all, names_that_are_used_are_known);
    tcase_add_test(all, random_expressions_are_their_trees);
    tcase_add_test(all, long_expressions_are_read_and_deep_ones_refused);
    TABLE(what_cannot_be_read_is_told, unread);
    tcase_add_test(all, wrong_units_are_told);
    TABLE(what_is_no_number_is_told, undefined);
    tcase_add_test(all, parsing_survives);
    suite_add_tcase(suite, all);
    return suite;
}
