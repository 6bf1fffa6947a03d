/* Results by tables. */
#include "result/fields.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/file.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Values ---- */

/* Where a member's value is. */
static const void *value_of(const field *f, const void *of)
{
    return (const char *)of + f->at;
}

static int64_t whole_number(const field *f, const void *of)
{
    const void *value = value_of(f, of);
    switch (f->kind) {
    case FIELD_INT:
    case FIELD_COUNT: return *(const int32_t *)value;
    case FIELD_SIZE: return (int64_t) * (const size_t *)value;
    default: return *(const int64_t *)value;
    }
}

/* A text; NULL where there is none. */
static const char *text_of(const field *f, const void *of)
{
    bool points = f->kind == FIELD_TEXT || f->kind == FIELD_EXACT_TEXT;
    const char *text = points ? *(const char *const *)value_of(f, of) : value_of(f, of);
    bool exact = f->kind == FIELD_EXACT_TEXT || f->kind == FIELD_EXACT_CHARS;
    return exact && text != NULL && text[0] == '\0' ? NULL : text;
}

/* ---- JSON ---- */

static void put_value(inlay_json *json, const field *f, const void *of)
{
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_CHARS: inlay_json_string(json, f->name, text_of(f, of)); break;
    case FIELD_EXACT_TEXT:
    case FIELD_EXACT_CHARS: inlay_json_literal(json, f->name, text_of(f, of) != NULL ? text_of(f, of) : "null"); break;
    case FIELD_INT:
    case FIELD_INT64:
    case FIELD_SIZE: inlay_json_integer(json, f->name, whole_number(f, of)); break;
    case FIELD_COUNT:
    case FIELD_COUNT64: inlay_json_count(json, f->name, whole_number(f, of)); break;
    case FIELD_NUMBER: inlay_json_number(json, f->name, *(const double *)value_of(f, of)); break;
    case FIELD_FLAG: inlay_json_bool(json, f->name, *(const bool *)value_of(f, of)); break;
    case FIELD_OBJECT: inlay_json_object(json, f->name); break;
    case FIELD_OBJECT_END: inlay_json_object_end(json); break;
    case FIELD_STOP: break;
    }
}

/* What is inside an object that is null is not told. */
static void put_nulls(inlay_json *json, const field *table)
{
    int depth = 0;
    for (const field *f = table; f->kind != FIELD_STOP; f++) {
        if (depth == 0) {
            inlay_json_null(json, f->name);
        }
        depth += (f->kind == FIELD_OBJECT) - (f->kind == FIELD_OBJECT_END);
    }
}

void fields_put(inlay_json *json, const field *table, const void *of)
{
    if (of == NULL) {
        put_nulls(json, table);
        return;
    }
    for (const field *f = table; f->kind != FIELD_STOP; f++) {
        put_value(json, f, of);
    }
}

void fields_put_object(inlay_json *json, const char *key, const field *table, const void *of)
{
    if (of == NULL) {
        inlay_json_null(json, key);
        return;
    }
    inlay_json_object(json, key);
    fields_put(json, table, of);
    inlay_json_object_end(json);
}

void result_put_time(inlay_json *json, const char *key, const inlay_app *app, inlay_time time)
{
    char text[DECIMAL_TEXT];
    inlay_json_literal(json, key, decimal_text((inlay_decimal){time, inlay_app_decimals(app)}, text));
}

void result_put_numbers(inlay_json *json, const char *key, const double *numbers, size_t count)
{
    inlay_json_array(json, key);
    for (size_t i = 0; i < count; i++) {
        inlay_json_number(json, NULL, numbers[i]);
    }
    inlay_json_array_end(json);
}

void result_put_ids(inlay_json *json, const char *key, const inlay_id *numbers, size_t count)
{
    inlay_json_array(json, key);
    for (size_t i = 0; i < count; i++) {
        inlay_json_integer(json, NULL, numbers[i]);
    }
    inlay_json_array_end(json);
}

void result_put_mapping(inlay_json *json, const char *file, const inlay_mapping *mapping)
{
    inlay_json_put(json, "mapping %s application %s machine %s", file, inlay_app_name(inlay_mapping_app(mapping)),
                   inlay_machine_text(inlay_mapping_machine(mapping)));
}

/* ---- CSV ---- */

/* A comma, but at the beginning of a line. */
static void begin_field(text_buffer *to)
{
    if (to->size > 0 && to->data[to->size - 1] != '\n') {
        text_add(to, ",");
    }
}

void csv_text(text_buffer *to, const char *text)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    begin_field(to);
    text_add(to, quoted ? "\"" : "");
    for (const char *quote; (quote = strchr(text, '"')) != NULL; text = quote + 1) {
        text_append(to, text, (size_t)(quote - text));
        text_add(to, "\"\"");
    }
    text_add(to, text);
    text_add(to, quoted ? "\"" : "");
}

void csv_number(text_buffer *to, double value)
{
    char digits[INLAY_NUMBER_TEXT];
    begin_field(to);
    text_add(to, isfinite(value) ? inlay_number_text(value, digits) : "");
}

static void add_whole(text_buffer *to, int64_t value, bool there)
{
    begin_field(to);
    if (there) {
        text_addf(to, "%" PRId64, value);
    }
}

void csv_integer(text_buffer *to, int64_t value)
{
    add_whole(to, value, true);
}

static void add_field(text_buffer *to, const field *f, const void *of)
{
    bool counts = f->kind == FIELD_COUNT || f->kind == FIELD_COUNT64;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_CHARS:
    case FIELD_EXACT_TEXT:
    case FIELD_EXACT_CHARS: csv_text(to, text_of(f, of) != NULL ? text_of(f, of) : ""); break;
    case FIELD_NUMBER: csv_number(to, *(const double *)value_of(f, of)); break;
    case FIELD_FLAG: csv_text(to, *(const bool *)value_of(f, of) ? "true" : "false"); break;
    default: add_whole(to, whole_number(f, of), !counts || whole_number(f, of) >= 0); break;
    }
}

void csv_names(text_buffer *to, const field *table)
{
    for (const field *f = table; f->kind != FIELD_STOP; f++) {
        csv_text(to, f->name);
    }
}

void csv_fields(text_buffer *to, const field *table, const void *of)
{
    for (const field *f = table; f->kind != FIELD_STOP; f++) {
        if (of != NULL) {
            add_field(to, f, of);
        } else {
            csv_text(to, "");
        }
    }
}

void csv_end_line(text_buffer *to)
{
    text_add(to, "\n");
}

void csv_heading(text_buffer *to, const field *table)
{
    csv_names(to, table);
    csv_end_line(to);
}

void csv_line(text_buffer *to, const field *table, const void *of)
{
    csv_fields(to, table, of);
    csv_end_line(to);
}

int csv_write(text_buffer *text, const char *path, inlay_diag *diag)
{
    int status = text->failed ? diag_no_memory(diag) : file_write(path, text->data, text->size, diag);
    text_clear(text);
    return status;
}
