/* What was counted, and what there is to say about it. */
#include "base/text.h"
#include "csource/count/count.h"
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

int add_bytes(counter *c, const node *at, int64_t bytes)
{
    if (c->control == 0 && !add_product(&c->tally[c->row].bytes, c->weight, bytes)) {
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

static int add_remark(const counter *c, remark_list *list, unsigned line, const char *text)
{
    const char *copy = program_copy(c->program, text);
    if (copy == NULL || !GROW(list->at, list->count, list->room)) {
        return INLAY_NO_MEMORY;
    }
    list->at[list->count++] = (remark){line, copy};
    return INLAY_OK;
}

int note_limit(counter *c, node *at, const char *text)
{
    c->limited = c->limited || c->control == 0;
    if (at->told || c->control > 0) {
        return INLAY_OK;
    }
    at->told = true;
    return add_remark(c, &c->limits, at->line, text);
}

int note_problem(counter *c, node *at, const char *format, ...)
{
    c->bounded = false;
    if (at->told) {
        return INLAY_OK;
    }
    at->told = true;
    text_buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vaddf(&text, format, arguments);
    va_end(arguments);
    int status = text.failed ? INLAY_NO_MEMORY : add_remark(c, &c->problems, at->line, text_content(&text));
    text_clear(&text);
    return status;
}
