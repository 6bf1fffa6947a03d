/* Expressions: running their programs, and saying why one gives no number. */
#include "base/decimal.h"
#include "io/dot/expression_program.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

expression_operation expression_function(const char *name, size_t size)
{
    static const struct {
        const char *name;
        expression_operation operation;
    } functions[] = {{"sqrt", EXPRESSION_SQRT}, {"log2", EXPRESSION_LOG2},   {"ln", EXPRESSION_LN},
                     {"exp", EXPRESSION_EXP},   {"abs", EXPRESSION_ABS},     {"floor", EXPRESSION_FLOOR},
                     {"ceil", EXPRESSION_CEIL}, {"round", EXPRESSION_ROUND}, {"min", EXPRESSION_MIN},
                     {"max", EXPRESSION_MAX}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == size && memcmp(functions[i].name, name, size) == 0) {
            return functions[i].operation;
        }
    }
    return EXPRESSION_NUMBER;
}

const char *expression_text(const expression *e)
{
    return e->text;
}

bool expression_uses(const expression *e, size_t name)
{
    for (size_t i = 0; i < e->steps; i++) {
        if (e->step[i].operation == EXPRESSION_NAME && e->step[i].name == name) {
            return true;
        }
    }
    return false;
}

/* ---- Messages ---- */

void expression_show(const char *begin, const char *end, char shown[EXPRESSION_SHOWN])
{
    static const char more[] = "...";
    size_t size = (size_t)(end - begin);
    bool all = size < EXPRESSION_SHOWN;
    if (!all) {
        size = EXPRESSION_SHOWN - sizeof more;
        while (size > 0 && ((unsigned char)begin[size] & 0xC0) == 0x80) { /* inside a UTF-8 sequence */
            size--;
        }
    }
    (void)snprintf(shown, EXPRESSION_SHOWN, "%.*s%s", (int)size, begin, all ? "" : more);
}

/* " with N = 600, M = 2": the names within a piece of the text, each once. */
static void show_values(const expression *e, const double *value, const expression_step *in, char *shown, size_t room)
{
    size_t used = 0;
    *shown = '\0';
    for (size_t name = 0; name < e->names.count; name++) {
        bool there = false;
        for (size_t i = 0; i < e->steps && !there; i++) {
            const expression_step *s = &e->step[i];
            there = s->operation == EXPRESSION_NAME && s->name == name && s->begin >= in->begin && s->end <= in->end;
        }
        char number[DOUBLE_TEXT];
        int more = there && used < room ? snprintf(shown + used, room - used, "%s%s = %s", used == 0 ? " with " : ", ",
                                                   e->names.name[name], double_text(value[name], number))
                                        : 0;
        used += more > 0 ? (size_t)more : 0;
    }
}

/* Why x, or x and y, give no number. */
static void explain(expression_operation operation, double x, double y, char *wrong, size_t room, const char **expected)
{
    static const char *const names[] = {[EXPRESSION_SQRT] = "sqrt", [EXPRESSION_LOG2] = "log2", [EXPRESSION_LN] = "ln"};
    char number[DOUBLE_TEXT];
    if (operation == EXPRESSION_SQRT || ((operation == EXPRESSION_LOG2 || operation == EXPRESSION_LN) && x <= 0)) {
        (void)snprintf(wrong, room, "%s of %s", names[operation], double_text(x, number));
        *expected = operation == EXPRESSION_SQRT ? "a number that is not below 0" : "a number above 0";
    } else if ((operation == EXPRESSION_DIVIDE && y == 0) || (operation == EXPRESSION_POWER && x == 0)) {
        (void)snprintf(wrong, room, "division by zero");
        *expected = operation == EXPRESSION_DIVIDE ? "a divisor other than 0" : "an exponent that is not below 0";
    } else if (operation == EXPRESSION_POWER && x < 0 && y != floor(y)) {
        (void)snprintf(wrong, room, "a root of %s", double_text(x, number));
        *expected = "a base that is not below 0, or a whole exponent";
    } else {
        (void)snprintf(wrong, room, "a number too large");
        *expected = "at most 1.79e308";
    }
}

static int refuse(const expression *e, const expression_step *step, const double *value, double x, double y,
                  expression_error *error)
{
    char wrong[EXPRESSION_SHOWN], piece[EXPRESSION_SHOWN], values[2 * EXPRESSION_SHOWN];
    const char *expected;
    explain(step->operation, x, y, wrong, sizeof wrong, &expected);
    expression_show(step->begin, step->end, piece);
    show_values(e, value, step, values, sizeof values);
    (void)snprintf(error->text, sizeof error->text, "%s in '%s'%s; expected %s", wrong, piece, values, expected);
    return INLAY_BAD_INPUT;
}

/* ---- Evaluating ---- */

static double unary(expression_operation operation, double x)
{
    switch (operation) {
    case EXPRESSION_NEGATE: return -x;
    case EXPRESSION_SQRT: return sqrt(x);
    case EXPRESSION_LOG2: return log2(x);
    case EXPRESSION_LN: return log(x);
    case EXPRESSION_EXP: return exp(x);
    case EXPRESSION_ABS: return fabs(x);
    case EXPRESSION_FLOOR: return floor(x);
    case EXPRESSION_CEIL: return ceil(x);
    default: return round(x);
    }
}

static double binary(expression_operation operation, double x, double y)
{
    switch (operation) {
    case EXPRESSION_ADD: return x + y;
    case EXPRESSION_SUBTRACT: return x - y;
    case EXPRESSION_MULTIPLY: return x * y;
    case EXPRESSION_DIVIDE: return x / y;
    case EXPRESSION_POWER: return pow(x, y);
    case EXPRESSION_MIN: return x < y ? x : y;
    default: return x > y ? x : y;
    }
}

int expression_evaluate(const expression *e, const double *value, double *result, expression_error *error)
{
    double stack[EXPRESSION_STACK] = {0};
    size_t height = 0;
    for (size_t i = 0; i < e->steps; i++) {
        const expression_step *step = &e->step[i];
        double x = 0, y = 0, made;
        if (step->operation == EXPRESSION_NUMBER) {
            made = step->number;
        } else if (step->operation == EXPRESSION_NAME) {
            made = value[step->name];
        } else if (expression_is_binary(step->operation)) {
            y = stack[--height];
            x = stack[--height];
            made = binary(step->operation, x, y);
        } else {
            x = stack[--height];
            made = unary(step->operation, x);
        }
        if (!isfinite(made)) {
            return refuse(e, step, value, x, y, error);
        }
        stack[height++] = made;
    }
    *result = stack[0];
    return INLAY_OK;
}
