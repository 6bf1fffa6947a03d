/*
 * The fields of a .tg line. Plain digits, which nearly all fields are, are read on the spot; everything else goes through
 * the readers that all formats share.
 */
#include "base/diag.h"
#include "base/decimal.h"
#include "base/plain.h"
#include "io/json/escape.h"
#include "io/tg/tg.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SURE_DIGITS = 18, SHOWN = 40 }; /* so many digits always fit into 64 bits */

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bool ends_word(char c)
{
    return is_blank(c) || c == '\n';
}

static inline void skip_blanks(tg_reader *r)
{
    while (is_blank(*r->at)) {
        r->at++;
    }
}

bool tg_at_end(tg_reader *r)
{
    skip_blanks(r);
    return *r->at == '\n';
}

int tg_end_line(tg_reader *r, const char *row)
{
    return tg_at_end(r) ? INLAY_OK : tg_fail(r, "more than was expected on this line; expected '%s'", row);
}

void tg_take_word(tg_reader *r, tg_word word)
{
    skip_blanks(r);
    size_t size = 0;
    for (; !ends_word(*r->at); r->at++) {
        if (size < TG_WORD - 1) {
            word[size++] = *r->at == '\0' ? '?' : *r->at;
        }
    }
    word[size] = '\0';
}

static int refuse(tg_reader *r, const char *what, const char *word, const char *expected)
{
    return *word == '\0' ? tg_fail(r, "%s is missing; expected %s", what, expected)
                         : tg_fail(r, "%s '%.*s' cannot be read; expected %s", what, SHOWN, word, expected);
}

bool tg_take_none(tg_reader *r)
{
    skip_blanks(r);
    bool none = r->at[0] == '-' && ends_word(r->at[1]);
    r->at += none;
    return none;
}

int tg_take_flags(tg_reader *r, unsigned *flags)
{
    *flags = 0;
    if (tg_at_end(r) || tg_take_none(r)) {
        return INLAY_OK;
    }
    if (r->at[0] == 't' && ends_word(r->at[1])) {
        r->at++;
        *flags = INLAY_LINK_TRAFFIC_ONLY;
        return INLAY_OK;
    }
    tg_word word;
    tg_take_word(r, word);
    return refuse(r, "flags", word, "- or t (traffic without precedence)");
}

/* ---- Numbers ---- */

/* Up to 18 digits and the blank behind them; else nothing is taken. */
static inline bool take_digits(tg_reader *r, int64_t *value)
{
    skip_blanks(r);
    const char *c = r->at;
    int64_t read = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        if (c - r->at >= SURE_DIGITS) {
            return false;
        }
        read = read * 10 + (*c - '0');
    }
    if (c == r->at || !ends_word(*c)) {
        return false;
    }
    r->at += c - r->at;
    *value = read;
    return true;
}

/* The same with a point among them. */
static inline bool take_decimal(tg_reader *r, inlay_decimal *value)
{
    skip_blanks(r);
    const char *c = r->at, *point = NULL;
    int64_t digits = 0;
    for (; (*c >= '0' && *c <= '9') || (*c == '.' && point == NULL); c++) {
        if (c - r->at >= SURE_DIGITS) {
            return false;
        }
        if (*c == '.') {
            point = c;
        } else {
            digits = digits * 10 + (*c - '0');
        }
    }
    if (c == r->at || !ends_word(*c) || (point != NULL && c == r->at + 1)) {
        return false;
    }
    r->at += c - r->at;
    value->digits = digits;
    value->scale = 0;
    if (point != NULL) {
        *value = decimal_normal((inlay_decimal){digits, (int)(c - point) - 1});
    }
    return true;
}

int tg_take_time(tg_reader *r, const char *what, inlay_duration *time)
{
    time->unit = INLAY_UNIT_NONE;
    if (take_decimal(r, &time->value)) {
        return INLAY_OK;
    }
    tg_word word;
    tg_take_word(r, word);
    return inlay_duration_parse(word, time) == INLAY_OK
               ? INLAY_OK
               : refuse(r, what, word, "a number, with or without a unit of time");
}

/* A whole number of any form: "7", "7.0", "7e3". */
static bool whole_of(const char *word, int64_t *value)
{
    inlay_decimal read;
    errno = 0;
    char *end;
    long long number = strtoll(word, &end, 10);
    if (*word != '\0' && word[strspn(word, "0123456789")] == '\0') {
        *value = number;
        return errno == 0;
    }
    return inlay_decimal_parse(word, &read) == INLAY_OK && read.scale == 0 && decimal_grains(read, 0, value);
}

int tg_take_whole(tg_reader *r, const char *what, int64_t low, int64_t high, int64_t *value)
{
    char *begin = r->at;
    int64_t read;
    if (take_digits(r, &read) && read >= low && read <= high) {
        *value = read;
        return INLAY_OK;
    }
    r->at = begin;
    tg_word word;
    tg_take_word(r, word);
    if (whole_of(word, &read) && read >= low && read <= high) {
        *value = read;
        return INLAY_OK;
    }
    char expected[TG_WORD + SHOWN];
    snprintf(expected, sizeof expected, "a whole number from %" PRId64 " to %" PRId64, low, high);
    return refuse(r, what, word, expected);
}

int tg_take_module(tg_reader *r, const char *what, inlay_id *module)
{
    int64_t number = 0;
    int status = tg_take_whole(r, what, 0, (int64_t)r->modules - 1, &number);
    *module = (inlay_id)number;
    return status;
}

int tg_take_bytes(tg_reader *r, const char *what, int64_t *bytes)
{
    if (take_digits(r, bytes)) {
        return INLAY_OK;
    }
    tg_word word;
    tg_take_word(r, word);
    bool good = (whole_of(word, bytes) || inlay_bytes_parse(word, bytes) == INLAY_OK) && *bytes >= 0;
    return good ? INLAY_OK
                : refuse(r, what, word, "a whole number of bytes, 0 or more, with or without a unit of size");
}

int tg_take_operations(tg_reader *r, const char *what, double *count)
{
    tg_word word;
    tg_take_word(r, word);
    char *end;
    *count = plain_number(word, &end);
    bool decimal = *word != '\0' && strspn(word, "0123456789.eE+-") == strlen(word) && *end == '\0';
    return decimal && isfinite(*count) && *count >= 0 ? INLAY_OK : refuse(r, what, word, "a number, 0 or more");
}

/* ---- Texts ---- */

/* Undo the escapes between `from` and `end`, written from `to` on; the new end, or NULL where an escape is broken. */
static char *unescape(const char *from, const char *end, char *to)
{
    while (from < end) {
        char bytes[4];
        size_t size = json_unescape(&from, end, bytes);
        if (size == 0) {
            return NULL;
        }
        memcpy(to, bytes, size); /* an escape is never shorter than what it stands for */
        to += size;
    }
    return to;
}

/* Without the quotes around it; false where the second is missing or not the last character. */
static bool unquote(char **begin, char **end)
{
    const char *last = *end - 1, *c = *begin + 1;
    while (c < last && *c != '"') {
        c += *c == '\\' ? 2 : 1;
    }
    *begin += 1;
    *end -= 1;
    return c == last && *c == '"';
}

int tg_take_text(tg_reader *r, const char *what, const char **text)
{
    skip_blanks(r);
    char *begin = r->at, *end = begin;
    bool plain = true;
    for (; *end != '\n'; end++) {
        plain = plain && *end != '\\' && *end != '\0';
    }
    r->at = end;
    while (end > begin && is_blank(end[-1])) {
        end--;
    }
    if (*begin == '"' && !unquote(&begin, &end)) {
        return tg_fail(r, "the quotes of the %s are not closed at the end of the line; expected '\"'", what);
    }
    if (!plain) {
        end = unescape(begin, end, begin);
        if (end == NULL || memchr(begin, '\0', (size_t)(end - begin)) != NULL) {
            return tg_fail(r, "%s in the %s; expected text with the escapes of JSON",
                           end == NULL ? "a broken escape" : "a NUL byte", what);
        }
    }
    if (end == begin) {
        return tg_fail(r, "the %s is missing; expected one", what);
    }
    *end = '\0';
    *text = begin;
    return INLAY_OK;
}
