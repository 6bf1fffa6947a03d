/* Columns of rows that are computed of others. */
#include "study/computed.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/dot/expression.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t word_size(const char *at)
{
    size_t size = 0;
    while (plain_alnum(at[size]) || at[size] == '_' || (at[size] == '.' && plain_digit(*at))) {
        size++;
    }
    return size;
}

static bool add_name(computed *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->name[i], name) == 0) {
            return true;
        }
    }
    if (c->count == COMPUTED_NAMES) {
        return false;
    }
    c->name[c->count++] = name;
    return true;
}

/* Words that are no numbers, and no functions: '(' follows these. False: too many. */
static bool find_names(computed *c, const char *text)
{
    bool good = true;
    for (size_t at = 0, size; text[at] != '\0'; at += size) {
        size = word_size(text + at);
        const char *behind = text + at + size + strspn(text + at + size, " ");
        if (size > 0 && !plain_digit(text[at]) && *behind != '(') {
            c->copy[at + size] = '\0';
            good = good && add_name(c, c->copy + at);
        }
        size += size == 0;
    }
    return good;
}

int computed_parse(const char *text, computed *made, inlay_diag *diag)
{
    expression_error error;
    *made = (computed){.copy = memory_string(text + 1)};
    if (made->copy == NULL) {
        return diag_no_memory(diag);
    }
    if (!find_names(made, text + 1)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "more than %d columns in '%s'; expected fewer", COMPUTED_NAMES,
                         text);
    }
    int status =
        expression_parse(text + 1, (expression_names){made->name, made->count}, INLAY_UNIT_NONE, &made->e, &error);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag)
           : status != INLAY_OK      ? diag_fail(diag, INLAY_BAD_ARGUMENT, "column '%s': %s", text, error.text)
                                     : INLAY_OK;
}

void computed_clear(computed *c)
{
    expression_free(c->e);
    free(c->copy);
    *c = (computed){0};
}

bool computed_number(const char *text, double *number)
{
    char *end;
    bool plain = text[strspn(text, "0123456789+-.eE")] == '\0';
    *number = plain ? plain_number(text, &end) : NAN;
    return plain && end > text && *end == '\0' && isfinite(*number);
}

row_cell computed_value(const computed *c, row_cell *cells)
{
    double value[COMPUTED_NAMES], result = NAN;
    expression_error error;
    for (size_t i = 0; i < c->count; i++) {
        const row_cell *cell = &cells[c->column[i]];
        value[i] = cell->number;
        if (cell->kind == ROW_NOTHING || (cell->kind == ROW_TEXT && !computed_number(cell->text, &value[i]))) {
            return (row_cell){0};
        }
    }
    return expression_evaluate(c->e, value, &result, &error) == INLAY_OK
               ? (row_cell){.kind = ROW_NUMBER, .number = result}
               : (row_cell){0};
}
