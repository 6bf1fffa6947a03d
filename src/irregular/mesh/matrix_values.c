/* Values of a Matrix Market file. */
#include "irregular/mesh/matrix_values.h"
#include "base/diag.h"
#include "base/plain.h"
#include <string.h>

/* The types of GraphBLAS, and the whole numbers that they hold. */
static const struct type {
    const char *name;
    int64_t least;
    uint64_t most;
} types[] = {
    {"bool", 0, 1},
    {"int8_t", INT8_MIN, INT8_MAX},
    {"int16_t", INT16_MIN, INT16_MAX},
    {"int32_t", INT32_MIN, INT32_MAX},
    {"int64_t", INT64_MIN, INT64_MAX},
    {"uint8_t", 0, UINT8_MAX},
    {"uint16_t", 0, UINT16_MAX},
    {"uint32_t", 0, UINT32_MAX},
    {"uint64_t", 0, UINT64_MAX},
    {"float", INT64_MIN, UINT64_MAX},
    {"double", INT64_MIN, UINT64_MAX},
    {"float complex", INT64_MIN, UINT64_MAX},
    {"double complex", INT64_MIN, UINT64_MAX},
};

matrix_values matrix_values_of(matrix_kind kind)
{
    return (matrix_values){kind, INT64_MIN, UINT64_MAX, NULL};
}

int matrix_values_limit(const mesh_text *text, mesh_cursor *cursor, matrix_values *values, inlay_diag *diag)
{
    (void)mesh_cursor_done(cursor);
    size_t size = (size_t)(cursor->end - cursor->at);
    while (size > 0 && strchr(" \t\r", cursor->at[size - 1]) != NULL) {
        size--;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].name) == size && plain_begins(types[i].name, cursor->at, size)) {
            values->least = types[i].least;
            values->most = types[i].most;
            values->type = types[i].name;
            return INLAY_OK;
        }
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                        "the type is '%.*s'; expected one of GraphBLAS, such as int32_t or double",
                        (int)(size < 24 ? size : 24), cursor->at);
}

/* ---- Numbers as they are written; their values do not matter, but for bounds ---- */

static size_t digits(const char *word, size_t size)
{
    size_t count = 0;
    while (count < size && word[count] >= '0' && word[count] <= '9') {
        count++;
    }
    return count;
}

static bool is_special(const char *word, size_t size)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == size && plain_begins(names[i], word, size)) {
            return true;
        }
    }
    return false;
}

/* [sign] digits [. digits] [e [sign] digits], or a special value. Fortran writes d for e. */
static bool is_real(const char *word, size_t size)
{
    size_t at = size > 0 && (word[0] == '-' || word[0] == '+');
    if (is_special(word + at, size - at)) {
        return true;
    }
    size_t whole = digits(word + at, size - at), fraction = 0;
    at += whole;
    if (at < size && word[at] == '.') {
        fraction = digits(word + at + 1, size - at - 1);
        at += 1 + fraction;
    }
    if (at < size && strchr("eEdD", word[at]) != NULL) {
        at++;
        at += at < size && (word[at] == '-' || word[at] == '+');
        size_t exponent = digits(word + at, size - at);
        at += exponent;
        if (exponent == 0) {
            return false;
        }
    }
    return whole + fraction > 0 && at == size;
}

/* A whole number within the bounds. */
static bool is_within(const char *word, size_t size, const matrix_values *values)
{
    bool negative = size > 0 && word[0] == '-';
    size_t at = negative || (size > 0 && word[0] == '+');
    uint64_t most = negative ? (uint64_t)0 - (uint64_t)values->least : values->most, sum = 0;
    bool good = size > at && digits(word + at, size - at) == size - at && !(negative && values->least > 0);
    for (; at < size && good; at++) {
        unsigned digit = (unsigned char)word[at] - (unsigned)'0';
        good = sum <= (UINT64_MAX - digit) / 10;
        sum = 10 * sum + digit;
    }
    return good && sum <= most;
}

int matrix_values_check(const mesh_text *text, mesh_cursor *cursor, const matrix_values *values, inlay_diag *diag)
{
    static const int words[] = {1, 1, 0, 2};
    const char *word = "";
    size_t size = 0;
    for (int i = 0; i < words[values->kind]; i++) {
        if (!mesh_cursor_word(cursor, &word, &size)) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                                "the entry has %d of %d values; expected row, column and value%s", i,
                                words[values->kind], words[values->kind] > 1 ? "s" : "");
        }
        bool whole = values->kind == MATRIX_INTEGER;
        if (whole ? !is_within(word, size, values) : !is_real(word, size)) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                                "the value is '%.*s'; expected a %snumber%s%s", (int)(size < 24 ? size : 24), word,
                                whole ? "whole " : "", whole && values->type != NULL ? " that fits into " : "",
                                whole && values->type != NULL ? values->type : "");
        }
    }
    return mesh_take_end(text, cursor, values->kind == MATRIX_PATTERN ? "row and column" : "row, column and value",
                         diag);
}
