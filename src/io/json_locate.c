/* Finding a value's place in JSON text. The text need not be valid: a walk that loses its way ends there. */
#include "io/json_locate.h"
#include "io/json_escape.h"
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

long json_line(const char *data, size_t size, const json_step *path)
{
    cursor c = {data, data + size};
    descend(&c, path);
    long line = 1;
    for (const char *byte = data; byte < c.at; byte++) {
        line += *byte == '\n';
    }
    return line;
}

bool json_has(const char *data, size_t size, const json_step *path)
{
    cursor c = {data, data + size};
    return descend(&c, path);
}
