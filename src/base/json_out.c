/* Writing JSON. */
#include "base/json_out.h"
#include "base/decimal.h"
#include <inttypes.h>
#include <stdio.h>

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

char *inlay_number_text(double value, char text[INLAY_NUMBER_TEXT])
{
    return double_text(value, text);
}
