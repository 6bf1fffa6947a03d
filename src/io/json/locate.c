/* Finding a value's place in JSON text. The text need not be valid: a walk that loses its way ends there. */
#include "io/json/locate.h"
#include "io/json/escape.h"
#include <stdint.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool next_is(const cursor *c, char expected)
{
    return c->at < c->end && *c->at == expected;
}

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r')) {
        c->at++;
    }
}

/* From the opening quote to behind the closing one; false where there is none. */
static bool skip_string(cursor *c)
{
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
        if (*c->at == '\\' && c->at + 1 < c->end) {
            c->at++;
        }
    }
    if (c->at >= c->end) {
        return false;
    }
    c->at++;
    return true;
}

/* Behind the value at the cursor, whatever it holds inside. */
static bool skip_value(cursor *c)
{
    size_t depth = 0;
    do {
        skip_blanks(c);
        if (c->at >= c->end) {
            return false;
        }
        char first = *c->at;
        if (first == '"') {
            if (!skip_string(c)) {
                return false;
            }
        } else if (first == '{' || first == '[') {
            depth++;
            c->at++;
        } else if (first == '}' || first == ']') {
            if (depth == 0) {
                return false;
            }
            depth--;
            c->at++;
        } else if (first == ',' || first == ':') {
            if (depth == 0) {
                return false;
            }
            c->at++;
        } else {
            while (c->at < c->end && strchr(" \t\r\n,:{}[]\"", *c->at) == NULL) {
                c->at++;
            }
            c->at += c->at < c->end && *c->at == '\0'; /* strchr finds the terminator too */
        }
    } while (depth > 0);
    return true;
}

/* ---- Keys ---- */

/* Whether the characters between the quotes spell `key`. */
static bool spells(const char *begin, const char *end, const char *key)
{
    while (begin < end) {
        char bytes[4];
        size_t size = json_unescape(&begin, end, bytes);
        if (size == 0 || bytes[0] == '\0' || strncmp(key, bytes, size) != 0) { /* no key holds a NUL */
            return false;
        }
        key += size;
    }
    return *key == '\0';
}

/* ---- Paths ---- */

/* From an object to its member's value. */
static bool enter_object(cursor *c, const char *key)
{
    while (c->at++, skip_blanks(c), next_is(c, '"')) { /* `at` is on the brace or on a comma */
        const char *begin = c->at + 1;
        if (!skip_string(c)) {
            return false;
        }
        const char *end = c->at - 1;
        skip_blanks(c);
        if (!next_is(c, ':')) {
            return false;
        }
        c->at++;
        skip_blanks(c);
        if (spells(begin, end, key)) {
            return c->at < c->end;
        }
        if (!skip_value(c)) {
            return false;
        }
        skip_blanks(c);
        if (!next_is(c, ',')) {
            return false;
        }
    }
    return false;
}

/* From an array to one of its elements. */
static bool enter_array(cursor *c, size_t index)
{
    for (size_t i = 0;; i++) {
        c->at++; /* the bracket or a comma */
        skip_blanks(c);
        if (i == index) {
            return c->at < c->end && *c->at != ']';
        }
        if (!skip_value(c)) {
            return false;
        }
        skip_blanks(c);
        if (!next_is(c, ',')) {
            return false;
        }
    }
}

/* Put the cursor on the value at `path`, or on the innermost one found and return false. Paths are a few steps long. */
static bool descend(cursor *c, const json_step *path) /* NOLINT(misc-no-recursion): as deep as the path */
{
    if (path->parent == NULL) {
        skip_blanks(c);
        return c->at < c->end;
    }
    if (!descend(c, path->parent)) {
        return false;
    }
    cursor inner = *c;
    bool found = path->key != NULL ? next_is(c, '{') && enter_object(&inner, path->key)
                                   : next_is(c, '[') && enter_array(&inner, path->index);
    if (found) {
        *c = inner;
    }
    return found;
}

static long count_lines(const char *from, const char *to)
{
    long lines = 0;
    for (; from < to; from++) {
        lines += *from == '\n';
    }
    return lines;
}

long json_line(const char *data, size_t size, const json_step *path)
{
    cursor c = {data, data + size};
    descend(&c, path);
    return 1 + count_lines(data, c.at);
}

void json_lines(const char *data, size_t size, const json_step *path, const char *key, size_t elements, long *line)
{
    cursor c = {data, data + size};
    const char *counted = data;
    long here = 1;
    descend(&c, path);
    for (size_t i = 0; i < elements; i++) {
        c.at += c.at < c.end; /* the bracket or a comma */
        skip_blanks(&c);
        cursor inner = c;
        bool found = next_is(&inner, '{') && enter_object(&inner, key);
        const char *at = found ? inner.at : c.at;
        here += count_lines(counted, at);
        line[i] = here;
        counted = at;
        skip_value(&c);
        skip_blanks(&c);
    }
}

bool json_has(const char *data, size_t size, const json_step *path)
{
    cursor c = {data, data + size};
    return descend(&c, path);
}

/* ---- Whole texts ---- */

enum { DEEPEST = 2048 /* as deep as jansson goes */ };

/* A string without control characters, whose escapes are good. Halves of surrogate pairs are not looked into. */
static bool take_string(cursor *c)
{
    const char *begin = c->at;
    if (!next_is(c, '"') || !skip_string(c)) {
        return false;
    }
    for (const char *at = begin + 1, *end = c->at - 1; at < end;) {
        char bytes[4];
        bool half = *at == '\\' && end - at > 2 && at[1] == 'u' && (at[2] == 'd' || at[2] == 'D');
        if ((unsigned char)*at < ' ' || half || json_unescape(&at, end, bytes) == 0) {
            return false;
        }
    }
    return true;
}

static bool take_digits(cursor *c)
{
    const char *begin = c->at;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        c->at++;
    }
    return c->at > begin;
}

static bool take_number(cursor *c)
{
    c->at += next_is(c, '-');
    bool zero = next_is(c, '0');
    const char *begin = c->at;
    if (!take_digits(c) || (zero && c->at - begin > 1)) {
        return false;
    }
    if (next_is(c, '.') && (c->at++, !take_digits(c))) {
        return false;
    }
    if (!next_is(c, 'e') && !next_is(c, 'E')) {
        return true;
    }
    c->at++;
    c->at += next_is(c, '-') || next_is(c, '+');
    return take_digits(c);
}

static bool take_scalar(cursor *c)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(c->end - c->at) >= length && memcmp(c->at, words[i], length) == 0) {
            c->at += length;
            return true;
        }
    }
    return next_is(c, '"') ? take_string(c) : take_number(c);
}

/* Blanks, a sign, and blanks. */
static bool take_sign(cursor *c, char sign)
{
    skip_blanks(c);
    if (!next_is(c, sign)) {
        return false;
    }
    c->at++;
    skip_blanks(c);
    return true;
}

bool json_is_sound(const char *data, size_t size)
{
    cursor c = {data, data + size};
    char closing[DEEPEST] = ""; /* of what is open */
    size_t depth = 0;
    skip_blanks(&c);
    do {
        bool object = next_is(&c, '{');
        if (object || next_is(&c, '[')) {
            if (depth == DEEPEST) {
                return false;
            }
            closing[depth++] = object ? '}' : ']';
            c.at++;
            skip_blanks(&c);
            object &= !next_is(&c, '}');
            if (object || !next_is(&c, closing[depth - 1])) {
                if (object && (!take_string(&c) || !take_sign(&c, ':'))) {
                    return false;
                }
                continue;
            }
        } else if (depth == 0 || !take_scalar(&c)) {
            return false;
        }
        while (depth > 0 && take_sign(&c, closing[depth - 1])) {
            depth--;
        }
        if (depth > 0 &&
            (!take_sign(&c, ',') || (closing[depth - 1] == '}' && (!take_string(&c) || !take_sign(&c, ':'))))) {
            return false;
        }
    } while (depth > 0);
    skip_blanks(&c);
    return c.at == c.end;
}
