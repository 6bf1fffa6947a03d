/*
 * Expressions over named numbers, as the attributes of program files are: parsed once to a flat program, then evaluated
 * as often as the numbers change.
 *
 *     5*N + max(ln(N), 2^-P)
 *
 * Numbers, names, + - * / ^, signs, parentheses, sqrt log2 ln exp abs floor ceil round of one argument, min and max of
 * two or more. ^ binds strongest and to the right, then the sign, then * /, then + -. Every result on the way is a
 * finite number, or evaluating fails.
 */
#ifndef IO_DOT_EXPRESSION_H
#define IO_DOT_EXPRESSION_H

#include <inlay/units.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct expression expression;

/** The names that an expression may use. They stay where they are as long as the expression. */
typedef struct expression_names {
    const char *const *name;
    size_t count;
} expression_names;

enum { EXPRESSION_ERROR = 480 };

/** "what is wrong, and where in the expression; what was expected", to be put behind FILE:LINE and the attribute. */
typedef struct expression_error {
    char text[EXPRESSION_ERROR];
} expression_error;

/**
 * @param unit   what numbers are counted in that a unit of time follows ("0.3us"); INLAY_UNIT_NONE: none may follow
 * @param error  filled in where the status is INLAY_BAD_INPUT
 */
int expression_parse(const char *text, expression_names names, inlay_unit unit, expression **parsed,
                     expression_error *error);
void expression_free(expression *e);

/** Its text, as it was given. */
const char *expression_text(const expression *e);

bool expression_uses(const expression *e, size_t name);

/** @param value  of each name. INLAY_BAD_INPUT with `error`, and *result unchanged, where that is no finite number */
int expression_evaluate(const expression *e, const double *value, double *result, expression_error *error);

/** What stands behind a number. */
typedef enum expression_suffix {
    EXPRESSION_GOOD,
    EXPRESSION_NO_NUMBER,
    EXPRESSION_TOO_LARGE,  /**< for a double, or more than 48 characters */
    EXPRESSION_NO_UNIT,    /**< letters behind it are no unit of time, or none may follow */
    EXPRESSION_IN_SECONDS, /**< a unit of seconds where `unit` is the tick */
    EXPRESSION_IN_TICKS    /**< ticks where `unit` is one of seconds */
} expression_suffix;

/**
 * One number without a sign, and the unit of time that may follow it; rounded once, whatever the unit.
 * @param end  behind both; on failure, behind what was looked at
 */
expression_suffix expression_number(const char *text, inlay_unit unit, double *number, const char **end);

/** What is wrong with such a number, "is in ticks", and what was expected. NULL: nothing. */
const char *expression_wrong(expression_suffix suffix);
const char *expression_expected(expression_suffix suffix);

#endif
