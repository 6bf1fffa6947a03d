/* Writing JSON. */
#include "base/json_out.h"
#include "base/decimal.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void json_out_quote(text_buffer *to, const char *value)
{
    static const char hex[] = "0123456789abcdef";
    text_add(to, "\"");
    const char *plain = value;
    for (const char *c = value;; c++) {
        bool special = (unsigned char)*c < ' ' || *c == '"' || *c == '\\';
        if (!special) {
            continue;
        }
        text_append(to, plain, (size_t)(c - plain));
        plain = c + 1;
        if (*c == '\0') {
            break;
        }
        char escape[7] = {'\\', *c, '\0'};
        if (*c == '\n') {
            escape[1] = 'n';
        } else if (*c == '\t') {
            escape[1] = 't';
        } else if ((unsigned char)*c < ' ') {
            snprintf(escape, sizeof escape, "\\u00%c%c", hex[*c >> 4], hex[*c & 15]);
        }
        text_add(to, escape);
    }
    text_add(to, "\"");
}

inlay_json json_out_begin(text_buffer *to)
{
    return (inlay_json){.to = to};
}

void json_out_end(inlay_json *json)
{
    text_add(json->to, "\n");
}

static void indent(inlay_json *json)
{
    text_add(json->to, "\n");
    for (int i = 0; i < json->depth; i++) {
        text_add(json->to, "  ");
    }
}

/* What comes before any value: the comma, the line, the key. */
static void lead(inlay_json *json, const char *key)
{
    if (json->depth > 0) {
        bool flat = json->flat[json->depth];
        if (json->filled[json->depth]) {
            text_add(json->to, flat ? ", " : ",");
        }
        if (!flat) {
            indent(json);
        }
        json->filled[json->depth] = true;
    }
    if (key != NULL) {
        json_out_quote(json->to, key);
        text_add(json->to, ": ");
    }
}

static void enter(inlay_json *json, const char *key, const char *bracket, bool flat)
{
    lead(json, key);
    text_add(json->to, bracket);
    if (json->depth + 1 >= JSON_DEPTH) {
        json->to->failed = true;
        return;
    }
    bool inside_flat = json->depth > 0 && json->flat[json->depth];
    json->depth++;
    json->filled[json->depth] = false;
    json->flat[json->depth] = flat || inside_flat;
}

static void leave(inlay_json *json, const char *bracket)
{
    bool multiline = json->filled[json->depth] && !json->flat[json->depth];
    json->depth--;
    if (multiline) {
        indent(json);
    }
    text_add(json->to, bracket);
}

void inlay_json_object(inlay_json *json, const char *key)
{
    enter(json, key, "{", false);
}

void inlay_json_flat_object(inlay_json *json, const char *key)
{
    enter(json, key, "{", true);
}

void inlay_json_object_end(inlay_json *json)
{
    leave(json, "}");
}

void inlay_json_array(inlay_json *json, const char *key)
{
    enter(json, key, "[", false);
}

void inlay_json_flat_array(inlay_json *json, const char *key)
{
    enter(json, key, "[", true);
}

void inlay_json_array_end(inlay_json *json)
{
    leave(json, "]");
}

void inlay_json_string(inlay_json *json, const char *key, const char *value)
{
    lead(json, key);
    if (value == NULL) {
        text_add(json->to, "null");
    } else {
        json_out_quote(json->to, value);
    }
}

void inlay_json_integer(inlay_json *json, const char *key, int64_t value)
{
    lead(json, key);
    text_addf(json->to, "%" PRId64, value);
}

void inlay_json_count(inlay_json *json, const char *key, int64_t value)
{
    if (value < 0) {
        inlay_json_null(json, key);
    } else {
        inlay_json_integer(json, key, value);
    }
}

void inlay_json_number(inlay_json *json, const char *key, double value)
{
    char digits[DOUBLE_TEXT];
    lead(json, key);
    text_add(json->to, double_text(value, digits));
}

void inlay_json_literal(inlay_json *json, const char *key, const char *digits)
{
    lead(json, key);
    text_add(json->to, digits);
}

void inlay_json_bool(inlay_json *json, const char *key, bool value)
{
    lead(json, key);
    text_add(json->to, value ? "true" : "false");
}

void inlay_json_null(inlay_json *json, const char *key)
{
    lead(json, key);
    text_add(json->to, "null");
}

/* ---- Several at once ---- */

static int64_t take_whole(const char *conversion, va_list *values)
{
    return strchr(conversion, 'z') != NULL   ? (int64_t)va_arg(*values, size_t)
           : strchr(conversion, 'l') != NULL ? va_arg(*values, int64_t)
           : strchr(conversion, 'u') != NULL ? (int64_t)va_arg(*values, unsigned)
                                             : va_arg(*values, int);
}

/* `conversion` is what stands behind the percent sign. */
static void put_value(inlay_json *json, const char *key, const char *conversion, va_list *values)
{
    const char *text;
    switch (conversion[strlen(conversion) - 1]) {
    case 'g': inlay_json_number(json, key, va_arg(*values, double)); break;
    case 'i': inlay_json_count(json, key, take_whole(conversion, values)); break;
    case 'u':
    case 'd':
        if (conversion[0] == 'h') {
            inlay_json_bool(json, key, va_arg(*values, int) != 0);
        } else {
            inlay_json_integer(json, key, take_whole(conversion, values));
        }
        break;
    default:
        text = va_arg(*values, const char *);
        if (conversion[0] == '-') {
            inlay_json_literal(json, key, text != NULL && text[0] != '\0' ? text : "null");
        } else {
            inlay_json_string(json, key, text);
        }
    }
}

void inlay_json_put(inlay_json *json, const char *format, ...)
{
    enum { LONGEST = 48 };
    char word[LONGEST] = "", key[LONGEST] = "";
    va_list values;
    va_start(values, format);
    for (size_t length = 0; *(format += length + strspn(format + length, " ")) != '\0';) {
        length = strcspn(format, " ");
        memcpy(word, format, length < LONGEST ? length : 0);
        word[length < LONGEST ? length : 0] = '\0';
        const char *of = key[0] != '\0' ? key : NULL;
        switch (word[0]) {
        case '{': inlay_json_object(json, of); break;
        case '[': inlay_json_array(json, of); break;
        case '}': inlay_json_object_end(json); break;
        case ']': inlay_json_array_end(json); break;
        case '%': put_value(json, of, word + 1, &values); break;
        default:
            if (strcmp(word, "null") != 0) {
                memcpy(key, word, sizeof key);
                continue;
            }
            inlay_json_null(json, of);
        }
        key[0] = '\0';
    }
    va_end(values);
}

char *inlay_number_text(double value, char text[INLAY_NUMBER_TEXT])
{
    return double_text(value, text);
}
