/* Series of whole numbers. */
#include "study/series.h"
#include "base/memory.h"
#include "base/plain.h"
#include <stdlib.h>
#include <string.h>

static series_status add_piece(series *to, int64_t first, int64_t step, int64_t count)
{
    int64_t all;
    if (__builtin_add_overflow(to->count, count, &all)) {
        return SERIES_WRONG;
    }
    if (!memory_grow((void **)&to->piece, &to->capacity, to->pieces + 1, sizeof *to->piece)) {
        return SERIES_NO_MEMORY;
    }
    to->piece[to->pieces++] = (series_piece){first, step, count, to->count};
    to->count = all;
    return SERIES_OK;
}

static series_status add_product(series *to, int64_t from, int64_t until, int64_t factor)
{
    series_status status = factor > 1 && from > 0 ? SERIES_OK : SERIES_WRONG;
    for (int64_t number = from; status == SERIES_OK && number <= until;) {
        status = add_piece(to, number, 0, 1);
        if (__builtin_mul_overflow(number, factor, &number)) {
            break;
        }
    }
    return status;
}

series_status series_add(series *to, int64_t from, int64_t until, int64_t step, int64_t factor)
{
    if (from < 0 || until < from || step < 0 || factor < 0 || (step > 0) == (factor > 0)) {
        return SERIES_WRONG;
    }
    if (factor > 0) {
        return add_product(to, from, until, factor);
    }
    int64_t more = (until - from) / step;
    return more == INT64_MAX ? SERIES_WRONG : add_piece(to, from, step, more + 1);
}

/* ---- Text ---- */

/* A number in digits alone; moves behind it. */
static bool take_number(const char **text, int64_t *number)
{
    const char *at = *text;
    *number = 0;
    for (; plain_digit(*at); at++) {
        if (__builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, *at - '0', number)) {
            return false;
        }
    }
    bool taken = at > *text;
    *text = at;
    return taken;
}

static series_status take_piece(series *to, const char **text)
{
    int64_t from, until, step = 1, factor = 0;
    if (!take_number(text, &from)) {
        return SERIES_WRONG;
    }
    until = from;
    if (strncmp(*text, "..", 2) == 0) {
        *text += 2;
        if (!take_number(text, &until)) {
            return SERIES_WRONG;
        }
        char sign = **text;
        if (sign == '+' || sign == '*') {
            ++*text;
            if (!take_number(text, sign == '+' ? &step : &factor) || (sign == '+' && step == 0)) {
                return SERIES_WRONG;
            }
            step = sign == '+' ? step : 0;
        }
    }
    return series_add(to, from, until, step, factor);
}

series_status series_parse(series *to, const char *text)
{
    for (;;) {
        series_status status = take_piece(to, &text);
        if (status != SERIES_OK || *text == '\0') {
            return status;
        }
        if (*text++ != ',') {
            return SERIES_WRONG;
        }
    }
}

/* ---- Numbers ---- */

int64_t series_at(const series *of, int64_t i)
{
    size_t low = 0, high = of->pieces;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(of->piece[middle].before <= i ? &low : &high) = middle;
    }
    const series_piece *p = &of->piece[low];
    return p->first + (i - p->before) * p->step;
}

void series_range(const series *of, int64_t *least, int64_t *most)
{
    for (size_t i = 0; i < of->pieces; i++) {
        const series_piece *p = &of->piece[i];
        int64_t last = p->first + (p->count - 1) * p->step;
        *least = i == 0 || p->first < *least ? p->first : *least;
        *most = i == 0 || last > *most ? last : *most;
    }
}

void series_clear(series *of)
{
    free(of->piece);
    *of = (series){0};
}
