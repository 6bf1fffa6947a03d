/* Reading JSON with messages that say where. */
#include "io/json/read.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/plain.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_ROOM = 1024, VALUE_ROOM = 64 };

/* Where memory is out, jansson mostly says nothing, or that a token of a text without fault is wrong. */
bool json_memory_is_out(const json_error_t *error, const char *data, size_t size)
{
    switch (json_error_code(error)) {
    case json_error_invalid_syntax:
    case json_error_premature_end_of_input:
    case json_error_end_of_input_expected: return *error->text == '\0' || json_is_sound(data, size);
    case json_error_out_of_memory: return true;
    default: return *error->text == '\0';
    }
}

int json_file_open(json_file *file, const char *data, size_t size, const char *source, inlay_diag *diag)
{
    json_error_t error;
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && json_memory_is_out(&error, data, size)) {
        return diag_no_memory(diag);
    }
    if (root == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, source, error.line > 0 ? error.line : 0,
                            "not valid JSON (%s); expected one whole JSON object", error.text);
    }
    *file = (json_file){data, size, source, root, diag};
    return INLAY_OK;
}

void json_file_close(json_file *file)
{
    json_decref(file->root);
    *file = (json_file){0};
}

/* ---- Places ---- */

static const json_t *present(const json_t *value)
{
    return json_is_null(value) ? NULL : value;
}

json_place json_at_root(const json_file *file)
{
    return (json_place){{NULL, NULL, 0}, file->root};
}

json_place json_at_member(const json_place *place, const char *key)
{
    return (json_place){{&place->step, key, 0}, present(json_object_get(place->value, key))};
}

json_place json_at_element(const json_place *place, size_t index)
{
    return (json_place){{&place->step, NULL, index}, present(json_array_get(place->value, index))};
}

size_t json_elements(const json_place *place)
{
    return json_array_size(place->value);
}

long json_line_of(const json_file *file, const json_place *place)
{
    return json_line(file->data, file->size, &place->step);
}

/* ---- Complaints ---- */

int json_complain(const json_file *file, const json_place *place, const char *format, ...)
{
    char message[MESSAGE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(message, sizeof message, format, arguments);
    va_end(arguments);
    return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, json_line_of(file, place), "%s", message);
}

/* `workflow.tasks[3].runtime`; the outermost value is "the file". */
static void add_path(text_buffer *to, const json_step *step) /* NOLINT(misc-no-recursion): as deep as the path */
{
    if (step->parent == NULL) {
        return;
    }
    add_path(to, step->parent);
    if (step->key == NULL) {
        text_addf(to, "[%zu]", step->index);
    } else {
        text_addf(to, "%s%s", to->size > 0 ? "." : "", step->key);
    }
}

/* A value in few words. */
static const char *describe(const json_t *value, char words[VALUE_ROOM])
{
    char number[DOUBLE_TEXT];
    switch (json_typeof(value)) {
    case JSON_STRING:
        if (strlen(json_string_value(value)) > VALUE_ROOM - 3) {
            return "a long text";
        }
        snprintf(words, VALUE_ROOM, "'%s'", json_string_value(value));
        return words;
    case JSON_INTEGER: snprintf(words, VALUE_ROOM, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); return words;
    case JSON_REAL: snprintf(words, VALUE_ROOM, "%s", double_text(json_real_value(value), number)); return words;
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    default: return "null";
    }
}

int json_refuse(const json_file *file, const json_place *place, const char *expected)
{
    char words[VALUE_ROOM];
    text_buffer path = {0};
    add_path(&path, &place->step);
    if (path.failed) {
        text_clear(&path);
        return diag_no_memory(file->diag);
    }
    const char *where = path.size > 0 ? path.data : "the file";
    int status = place->value == NULL ? json_complain(file, place, "%s is missing; expected %s", where, expected)
                                      : json_complain(file, place, "%s is %s; expected %s", where,
                                                      describe(place->value, words), expected);
    text_clear(&path);
    return status;
}

/* ---- Values ---- */

int json_need_object(const json_file *file, const json_place *place)
{
    return json_is_object(place->value) ? INLAY_OK : json_refuse(file, place, "an object");
}

int json_need_array(const json_file *file, const json_place *place)
{
    return json_is_array(place->value) ? INLAY_OK : json_refuse(file, place, "an array");
}

int json_read_text(const json_file *file, const json_place *place, const char **value)
{
    if (!json_is_string(place->value)) {
        return json_refuse(file, place, "a text");
    }
    *value = json_string_value(place->value);
    return INLAY_OK;
}

int json_read_integer(const json_file *file, const json_place *place, int64_t most, int64_t *value)
{
    char expected[VALUE_ROOM] = "an integer, 0 or more";
    bool fits = json_is_integer(place->value) && json_integer_value(place->value) >= 0;
    if (fits && json_integer_value(place->value) > most) {
        snprintf(expected, sizeof expected, "an integer, at most %" PRId64, most);
        fits = false;
    }
    if (!fits) {
        return json_refuse(file, place, expected);
    }
    *value = json_integer_value(place->value);
    return INLAY_OK;
}

int json_read_real(const json_file *file, const json_place *place, double *value)
{
    if (!json_is_number(place->value) || json_number_value(place->value) < 0) {
        return json_refuse(file, place, "a number, 0 or more");
    }
    *value = json_number_value(place->value);
    return INLAY_OK;
}

int json_read_decimal(const json_file *file, const json_place *place, inlay_decimal *value)
{
    inlay_decimal read = {json_integer_value(place->value), 0};
    if (json_is_real(place->value) && inlay_decimal_from_double(json_real_value(place->value), &read) != INLAY_OK) {
        return json_refuse(file, place, "a number of at most 18 digits");
    }
    if (!json_is_number(place->value) || json_number_value(place->value) < 0) {
        return json_refuse(file, place, "a number, 0 or more");
    }
    *value = read;
    return INLAY_OK;
}

int json_read_duration(const json_file *file, const json_place *place, inlay_duration *value)
{
    inlay_duration read = {.unit = INLAY_UNIT_NONE};
    if (!json_is_string(place->value)) {
        int status = json_read_decimal(file, place, &read.value);
        if (status == INLAY_OK) {
            *value = read;
        }
        return status;
    }
    if (inlay_duration_parse(json_string_value(place->value), &read) != INLAY_OK || read.value.digits < 0) {
        return json_refuse(file, place, "a time, 0 or more, as a number or like '2.5ms'");
    }
    *value = read;
    return INLAY_OK;
}

int json_read_bytes(const json_file *file, const json_place *place, int64_t *value)
{
    if (!json_is_string(place->value)) {
        return json_read_integer(file, place, INT64_MAX, value);
    }
    int64_t read;
    if (inlay_bytes_parse(json_string_value(place->value), &read) != INLAY_OK || read < 0) {
        return json_refuse(file, place, "a size, 0 or more, in bytes or like '4KiB'");
    }
    *value = read;
    return INLAY_OK;
}

/* Whether `names`, separated by single blanks, hold `name`. */
static bool lists(const char *names, const char *name)
{
    size_t size = strlen(name);
    while (names != NULL) {
        const char *blank = strchr(names, ' ');
        size_t length = blank == NULL ? strlen(names) : (size_t)(blank - names);
        if (length == size && memcmp(names, name, size) == 0) {
            return true;
        }
        names = blank == NULL ? NULL : blank + 1;
    }
    return false;
}

int json_only(const json_file *file, const json_place *place, const char *names)
{
    for (void *at = json_object_iter((json_t *)place->value); at != NULL;
         at = json_object_iter_next((json_t *)place->value, at)) {
        const char *key = json_object_iter_key(at);
        if (!lists(names, key)) {
            json_place member = json_at_member(place, key);
            return json_complain(file, &member, "unknown member '%s'; expected one of %s", key, names);
        }
    }
    return INLAY_OK;
}
