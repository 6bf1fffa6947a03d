/* Expressions: from text to a program for a stack of numbers. */
#include "io/dot/expression.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/dot/expression_program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers and their units ---- */

enum { LONGEST_NUMBER = 48, UNIT_ROOM = 8 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return plain_alpha(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* How many characters of a number come before its exponent; 0: it is none. `all` counts the exponent too. */
static size_t scan_number(const char *text, size_t *all)
{
    size_t size = strspn(text, "0123456789");
    size_t digits = size;
    if (text[size] == '.') {
        size_t behind = strspn(text + size + 1, "0123456789");
        digits += behind;
        size += 1 + behind;
    }
    *all = size;
    if (text[size] == 'e' || text[size] == 'E') {
        size_t sign = text[size + 1] == '-' || text[size + 1] == '+';
        size_t exponent = strspn(text + size + 1 + sign, "0123456789");
        *all += exponent == 0 ? 0 : 1 + sign + exponent;
    }
    return digits == 0 ? 0 : size;
}

/* The unit that a word names; INLAY_UNIT_NONE where it names none. */
static inlay_unit unit_of(const char *word, size_t size)
{
    char text[UNIT_ROOM + 1] = "1";
    inlay_duration one;
    if (size + 1 >= sizeof text) {
        return INLAY_UNIT_NONE;
    }
    memcpy(text + 1, word, size);
    text[size + 1] = '\0';
    return inlay_duration_parse(text, &one) == INLAY_OK ? one.unit : INLAY_UNIT_NONE;
}

/* The unit that follows, and the power of ten that takes it to `unit`. */
static expression_suffix scan_unit(const char *text, inlay_unit unit, int *power, const char **end)
{
    size_t gap = unit == INLAY_UNIT_NONE ? 0 : strspn(text, " ");
    text += is_letter(text[gap]) ? gap : 0;
    const char *behind = text;
    while (is_letter(*behind) || is_digit(*behind)) {
        behind++;
    }
    *end = behind;
    *power = 0;
    if (behind == text) {
        return EXPRESSION_GOOD;
    }
    inlay_unit read = unit == INLAY_UNIT_NONE ? INLAY_UNIT_NONE : unit_of(text, (size_t)(behind - text));
    if (read == INLAY_UNIT_NONE) {
        return EXPRESSION_NO_UNIT;
    }
    if ((read == INLAY_UNIT_TICK) != (unit == INLAY_UNIT_TICK)) {
        return read == INLAY_UNIT_TICK ? EXPRESSION_IN_TICKS : EXPRESSION_IN_SECONDS;
    }
    *power = unit_power(read, unit);
    return EXPRESSION_GOOD;
}

expression_suffix expression_number(const char *text, inlay_unit unit, double *number, const char **end)
{
    size_t all;
    size_t mantissa = scan_number(text, &all);
    *end = text + all;
    if (mantissa == 0) {
        return EXPRESSION_NO_NUMBER;
    }
    int power;
    expression_suffix suffix = scan_unit(text + all, unit, &power, end);
    if (suffix != EXPRESSION_GOOD) {
        return suffix;
    }
    if (all > LONGEST_NUMBER) {
        return EXPRESSION_TOO_LARGE;
    }
    /* no double has an exponent that long written out: it stops at either end of them */
    long exponent = all > mantissa ? strtol(text + mantissa + 1, NULL, 10) : 0;
    exponent = exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : exponent;
    char scaled[LONGEST_NUMBER + 16];
    (void)snprintf(scaled, sizeof scaled, "%.*se%ld", (int)mantissa, text, exponent + power);
    double read = plain_number(scaled, NULL);
    if (!isfinite(read)) {
        return EXPRESSION_TOO_LARGE;
    }
    *number = read;
    return EXPRESSION_GOOD;
}

const char *expression_wrong(expression_suffix suffix)
{
    static const char *const wrong[] = {[EXPRESSION_GOOD] = NULL,
                                        [EXPRESSION_NO_NUMBER] = "is no number",
                                        [EXPRESSION_TOO_LARGE] = "is too large or too long for a number",
                                        [EXPRESSION_NO_UNIT] = "ends with letters that are no unit",
                                        [EXPRESSION_IN_SECONDS] = "is in seconds",
                                        [EXPRESSION_IN_TICKS] = "is in ticks"};
    return wrong[suffix];
}

const char *expression_expected(expression_suffix suffix)
{
    static const char number[] = "a number, alone or with one of s, ms, us, ns, tick where it is a time";
    static const char *const expected[] = {[EXPRESSION_GOOD] = NULL,
                                           [EXPRESSION_NO_NUMBER] = number,
                                           [EXPRESSION_TOO_LARGE] = "at most 1.79e308 in at most 48 characters",
                                           [EXPRESSION_NO_UNIT] = number,
                                           [EXPRESSION_IN_SECONDS] = "ticks, the graph's time_unit",
                                           [EXPRESSION_IN_TICKS] = "seconds, or graph [time_unit=tick]"};
    return expected[suffix];
}

/* ---- Parsing ---- */

enum { DEEPEST = 100 }; /* levels of parentheses, signs and exponents */

typedef struct parser {
    const char *text, *at;
    const char *end; /* of the last token taken */
    inlay_unit unit;
    expression *made;
    size_t capacity;
    int depth;
    size_t height; /* numbers on the stack */
    int status;
    expression_error *error;
} parser;

static bool fail(parser *p, const char *text)
{
    (void)snprintf(p->error->text, sizeof p->error->text, "%s", text);
    p->status = INLAY_BAD_INPUT;
    return false;
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

/* How much of the text a message shows as a word: a name, a number, or one character. */
static size_t token_size(const char *at)
{
    size_t size = 0;
    while (is_letter(at[size]) || is_digit(at[size]) || (at[size] == '.' && is_digit(at[0]))) {
        size++;
    }
    return size > 0 ? size : *at != '\0';
}

static bool fail_near(parser *p, const char *expected)
{
    char whole[EXPRESSION_SHOWN], said[EXPRESSION_ERROR];
    expression_show(p->text, p->text + strlen(p->text), whole);
    if (*p->at == '\0') {
        (void)snprintf(said, sizeof said, "syntax error at the end of '%s'; expected %s", whole, expected);
    } else {
        char near_text[EXPRESSION_SHOWN];
        expression_show(p->at, p->at + token_size(p->at), near_text);
        (void)snprintf(said, sizeof said, "syntax error near '%s' at character %zu of '%s'; expected %s", near_text,
                       (size_t)(p->at - p->text) + 1, whole, expected);
    }
    return fail(p, said);
}

/* What an operation does to the stack: numbers that it puts on it less those that it takes. */
static bool emit(parser *p, expression_step step)
{
    expression *made = p->made;
    bool pushes = step.operation == EXPRESSION_NUMBER || step.operation == EXPRESSION_NAME;
    p->height += pushes;
    p->height -= expression_is_binary(step.operation);
    if (p->height > EXPRESSION_STACK) {
        return fail_near(p, "an expression that is nested less deep");
    }
    if (!memory_grow((void **)&made->step, &p->capacity, made->steps + 1, sizeof *made->step)) {
        p->status = INLAY_NO_MEMORY;
        return false;
    }
    made->step[made->steps++] = step;
    return true;
}

static bool emit_operation(parser *p, expression_operation operation, const char *begin)
{
    return emit(p, (expression_step){.operation = operation, .begin = begin, .end = p->end});
}

/* Takes a sign where it stands next. */
static bool take(parser *p, char sign)
{
    skip_blanks(p);
    if (*p->at != sign) {
        return false;
    }
    p->end = ++p->at;
    return true;
}

static bool parse_number(parser *p)
{
    const char *begin = p->at, *behind;
    double number;
    expression_suffix suffix = expression_number(begin, p->unit, &number, &behind);
    if (suffix != EXPRESSION_GOOD) {
        char whole[EXPRESSION_SHOWN], said[EXPRESSION_ERROR], shown[EXPRESSION_SHOWN];
        expression_show(begin, behind, shown);
        expression_show(p->text, p->text + strlen(p->text), whole);
        bool joined = suffix == EXPRESSION_NO_UNIT && p->unit == INLAY_UNIT_NONE;
        (void)snprintf(said, sizeof said, "'%s' in '%s' %s; expected %s", shown, whole,
                       joined ? "is a number and letters" : expression_wrong(suffix),
                       joined ? "an operator between them, as in 5*N" : expression_expected(suffix));
        return fail(p, said);
    }
    p->end = p->at = behind;
    return emit(p, (expression_step){.operation = EXPRESSION_NUMBER, .number = number, .begin = begin, .end = behind});
}

/* "N, M, K", as many as there is room for. */
static void list_names(expression_names names, char *list, size_t room)
{
    size_t used = 0;
    *list = '\0';
    for (size_t i = 0; i < names.count && used + 1 < room; i++) {
        int more = snprintf(list + used, room - used, "%s%s", i == 0 ? "" : ", ", names.name[i]);
        used += more > 0 ? (size_t)more : 0;
    }
}

static bool parse_name(parser *p, const char *begin, size_t size)
{
    expression_names names = p->made->names;
    for (size_t i = 0; i < names.count; i++) {
        if (strlen(names.name[i]) == size && memcmp(names.name[i], begin, size) == 0) {
            return emit(
                p, (expression_step){.operation = EXPRESSION_NAME, .name = i, .begin = begin, .end = begin + size});
        }
    }
    char whole[EXPRESSION_SHOWN], name[EXPRESSION_SHOWN], list[2 * EXPRESSION_SHOWN], said[EXPRESSION_ERROR];
    expression_show(begin, begin + size, name);
    expression_show(p->text, p->text + strlen(p->text), whole);
    list_names(names, list, sizeof list);
    (void)snprintf(said, sizeof said, "unknown name '%s' in '%s'; expected %s%s", name, whole,
                   names.count == 0 ? "numbers alone" : "one of ", list);
    return fail(p, said);
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than DEEPEST. */

static bool parse_sum(parser *p);

static bool parse_arguments(parser *p, expression_operation operation, const char *begin)
{
    bool binary = expression_is_binary(operation);
    if (!parse_sum(p)) {
        return false;
    }
    if (binary && !take(p, ',')) {
        return fail_near(p, "',' and a second argument");
    }
    for (bool more = binary; more; more = take(p, ',')) {
        if (!parse_sum(p) || !emit_operation(p, operation, begin)) {
            return false;
        }
    }
    if (!take(p, ')')) {
        return fail_near(p, binary ? "an operator, ',' or ')'" : "an operator or ')'");
    }
    return binary || emit_operation(p, operation, begin);
}

/* A name, or a function where '(' follows. */
static bool parse_word(parser *p)
{
    const char *begin = p->at;
    size_t size = token_size(begin);
    p->end = p->at += size;
    if (!take(p, '(')) {
        return parse_name(p, begin, size);
    }
    expression_operation operation = expression_function(begin, size);
    if (operation != EXPRESSION_NUMBER) {
        return parse_arguments(p, operation, begin);
    }
    char name[EXPRESSION_SHOWN], whole[EXPRESSION_SHOWN], said[EXPRESSION_ERROR];
    expression_show(begin, begin + size, name);
    expression_show(p->text, p->text + strlen(p->text), whole);
    (void)snprintf(said, sizeof said,
                   "unknown function '%s' in '%s'; expected one of sqrt, log2, ln, exp, abs, floor, ceil, round, min, "
                   "max",
                   name, whole);
    return fail(p, said);
}

static bool parse_operand(parser *p)
{
    skip_blanks(p);
    if (is_digit(*p->at) || *p->at == '.') {
        return parse_number(p);
    }
    if (is_letter(*p->at)) {
        return parse_word(p);
    }
    if (!take(p, '(')) {
        return fail_near(p, "a number, a name, a function or '('");
    }
    return parse_sum(p) && (take(p, ')') || fail_near(p, "an operator or ')'"));
}

/* Signs bind less than ^ on their right, and stand free behind it: -2^-2 is -(2^(-2)). */
static bool parse_signed(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    if (++p->depth > DEEPEST) {
        return fail_near(p, "an expression that is nested less deep");
    }
    bool good;
    if (take(p, '-')) {
        good = parse_signed(p) && emit_operation(p, EXPRESSION_NEGATE, begin);
    } else if (take(p, '+')) {
        good = parse_signed(p);
    } else {
        good = parse_operand(p) && (!take(p, '^') || (parse_signed(p) && emit_operation(p, EXPRESSION_POWER, begin)));
    }
    p->depth--;
    return good;
}

static bool parse_product(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    bool good = parse_signed(p);
    while (good) {
        bool times = take(p, '*');
        if (!times && !take(p, '/')) {
            break;
        }
        good = parse_signed(p) && emit_operation(p, times ? EXPRESSION_MULTIPLY : EXPRESSION_DIVIDE, begin);
    }
    return good;
}

static bool parse_sum(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    bool good = parse_product(p);
    while (good) {
        bool plus = take(p, '+');
        if (!plus && !take(p, '-')) {
            break;
        }
        good = parse_product(p) && emit_operation(p, plus ? EXPRESSION_ADD : EXPRESSION_SUBTRACT, begin);
    }
    return good;
}

/* NOLINTEND(misc-no-recursion) */

int expression_parse(const char *text, expression_names names, inlay_unit unit, expression **parsed,
                     expression_error *error)
{
    expression *made = memory_zeroed(1, sizeof *made);
    if (made == NULL || !(made->text = memory_string(text))) {
        expression_free(made);
        return INLAY_NO_MEMORY;
    }
    made->names = names;
    parser p = {.text = made->text, .at = made->text, .end = made->text, .unit = unit, .made = made, .error = error};
    if (parse_sum(&p)) {
        skip_blanks(&p);
        if (*p.at != '\0') {
            fail_near(&p, "an operator + - * / ^ or the end");
        }
    }
    if (p.status != INLAY_OK) {
        expression_free(made);
        return p.status;
    }
    *parsed = made;
    return INLAY_OK;
}

void expression_free(expression *e)
{
    if (e != NULL) {
        free(e->text);
        free(e->step);
        free(e);
    }
}
