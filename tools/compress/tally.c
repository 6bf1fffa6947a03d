/* What was counted, and what there is to say about it. */
#include "count.h"
#include <inlay/status.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool add_product(int64_t *sum, int64_t a, int64_t b)
{
    int64_t product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

int add_operations(counter *c, const node *at, int64_t arithmetic, int64_t functions)
{
    tally *t = &c->tally[c->row];
    if (c->control > 0) {
        return INLAY_OK;
    }
    if (!add_product(&t->arithmetic, c->weight, arithmetic) || !add_product(&t->functions, c->weight, functions)) {
        c->overflow = at->line;
        return INLAY_OVERFLOW;
    }
    return INLAY_OK;
}

int add_times(counter *c, const node *at, int row, int64_t times)
{
    tally *t = &c->tally[row];
    t->reached = true;
    t->unbounded = t->unbounded || c->unbounded;
    if (__builtin_add_overflow(t->times, times, &t->times)) {
        c->overflow = at->line;
        return INLAY_OVERFLOW;
    }
    return INLAY_OK;
}

/* ---- Remarks ---- */

static int add_remark(remark_list *list, unsigned line, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text == NULL || !grow(&list->at, list->count, &list->room, sizeof *list->at)) {
        free(text);
        return INLAY_NO_MEMORY;
    }
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    list->at[list->count++] = (remark){line, text};
    return INLAY_OK;
}

static int remark_on(remark_list *list, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = add_remark(list, line, format, arguments);
    va_end(arguments);
    return status;
}

int note_limit(counter *c, node *at, const char *text)
{
    if (at->told || c->control > 0) {
        return INLAY_OK;
    }
    at->told = true;
    return remark_on(&c->limits, at->line, "%s", text);
}

int note_problem(counter *c, node *at, const char *format, ...)
{
    c->bounded = false;
    if (at->told) {
        return INLAY_OK;
    }
    at->told = true;
    va_list arguments;
    va_start(arguments, format);
    int status = add_remark(&c->problems, at->line, format, arguments);
    va_end(arguments);
    return status;
}

void remarks_clear(remark_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->at[i].text);
    }
    free(list->at);
    *list = (remark_list){0};
}
