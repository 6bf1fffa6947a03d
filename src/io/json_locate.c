/* Finding a value's place in JSON text. The text need not be valid: a walk that loses its way ends there. */
#include "io/json_locate.h"
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

static bool read_hex(cursor *c, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, c->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = c->at < c->end && *c->at != '\0' ? strchr(digits, *c->at) : NULL;
        const char *upper = c->at < c->end && *c->at != '\0' ? strrchr(digits, *c->at) : NULL;
        if (digit == NULL || upper == NULL) {
            return false;
        }
        *value = *value * 16 + (uint32_t)((digit - digits) % 16);
    }
    return true;
}

static size_t encode_utf8(uint32_t code, char bytes[4])
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    for (size_t i = more; i > 0; i--, code >>= 6) {
        bytes[i] = (char)(0x80 | (code & 0x3F));
    }
    bytes[0] = (char)(lead[more] | code);
    return more + 1;
}

/* One character of a string, escaped or plain, as UTF-8; its size, or 0 where the escape is broken. */
static size_t read_character(cursor *c, char bytes[4])
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (*c->at != '\\') {
        bytes[0] = *c->at++;
        return 1;
    }
    c->at++;
    if (c->at >= c->end || *c->at == '\0') {
        return 0;
    }
    const char *letter = strchr(letters, *c->at);
    if (letter != NULL) {
        bytes[0] = meanings[letter - letters];
        c->at++;
        return 1;
    }
    uint32_t code, low;
    if (*c->at++ != 'u' || !read_hex(c, &code)) {
        return 0;
    }
    if (code >= 0xD800 && code < 0xDC00) { /* the first half of a surrogate pair */
        if (c->end - c->at < 6 || c->at[0] != '\\' || c->at[1] != 'u') {
            return 0;
        }
        c->at += 2;
        if (!read_hex(c, &low) || low < 0xDC00 || low > 0xDFFF) {
            return 0;
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return encode_utf8(code, bytes);
}

/* Whether the characters between the quotes spell `key`. */
static bool spells(const char *begin, const char *end, const char *key)
{
    cursor c = {begin, end};
    while (c.at < c.end) {
        char bytes[4];
        size_t size = read_character(&c, bytes);
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
