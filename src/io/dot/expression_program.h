/* The flat programs that expressions are parsed to. For expression.c and expression_evaluate.c alone. */
#ifndef IO_DOT_EXPRESSION_PROGRAM_H
#define IO_DOT_EXPRESSION_PROGRAM_H

#include "io/dot/expression.h"

typedef enum expression_operation {
    EXPRESSION_NUMBER, /**< puts a number on the stack, */
    EXPRESSION_NAME,   /**< and so does this; */
    EXPRESSION_NEGATE, /**< these replace the topmost, */
    EXPRESSION_SQRT,
    EXPRESSION_LOG2,
    EXPRESSION_LN,
    EXPRESSION_EXP,
    EXPRESSION_ABS,
    EXPRESSION_FLOOR,
    EXPRESSION_CEIL,
    EXPRESSION_ROUND,
    EXPRESSION_ADD, /**< and these the two topmost */
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_POWER,
    EXPRESSION_MIN,
    EXPRESSION_MAX
} expression_operation;

typedef struct expression_step {
    expression_operation operation;
    double number;
    size_t name;
    const char *begin, *end; /**< what stands for it in the text */
} expression_step;

enum { EXPRESSION_STACK = 256, EXPRESSION_SHOWN = 80 };

struct expression {
    char *text;
    expression_names names;
    expression_step *step;
    size_t steps;
};

static inline bool expression_is_binary(expression_operation operation)
{
    return operation >= EXPRESSION_ADD;
}

/** The function of that name; EXPRESSION_NUMBER where there is none. */
expression_operation expression_function(const char *name, size_t size);

/** A piece of text for a message, its end left out where it is long. */
void expression_show(const char *begin, const char *end, char shown[EXPRESSION_SHOWN]);

#endif
