/* Reading values out of a measurement's JSON. */
#include "measure/raw_reader.h"
#include "base/diag.h"
#include "base/plain.h"
#include <stdio.h>

enum { SHOWN_TEXT = 48 };

/* ---- Places ---- */

static size_t extend(raw_reader *reader, const char *key, size_t index)
{
    size_t before = reader->length, left = RAW_PLACE - before;
    int written = key != NULL ? snprintf(reader->place + before, left, "%s%s", before > 0 ? "." : "", key)
                              : snprintf(reader->place + before, left, "[%zu]", index);
    size_t added = written > 0 ? (size_t)written : 0;
    reader->length = before + (added < left ? added : left - 1);
    return before;
}

raw_value raw_member(raw_reader *reader, const json_t *object, const char *key)
{
    return (raw_value){json_object_get(object, key), extend(reader, key, 0)};
}

raw_value raw_element(raw_reader *reader, const json_t *array, size_t index)
{
    return (raw_value){json_array_get(array, index), extend(reader, NULL, index)};
}

void raw_leave(raw_reader *reader, raw_value value)
{
    reader->length = value.before;
    reader->place[value.before] = '\0';
}

/* ---- Complaints ---- */

static const char *describe(const json_t *value, char text[SHOWN_TEXT])
{
    if (value == NULL) {
        return "missing";
    }
    switch (json_typeof(value)) {
    case JSON_STRING: (void)snprintf(text, SHOWN_TEXT, "'%.32s'", json_string_value(value)); return text;
    case JSON_INTEGER:
        (void)snprintf(text, SHOWN_TEXT, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return text;
    case JSON_REAL: (void)plain_print(text, SHOWN_TEXT, "%.9g", json_real_value(value)); return text;
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: (void)snprintf(text, SHOWN_TEXT, "an array of %zu", json_array_size(value)); return text;
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    default: return "null";
    }
}

void raw_refuse(raw_reader *reader, const json_t *value, const char *expected)
{
    if (reader->status == INLAY_OK) {
        char text[SHOWN_TEXT];
        reader->status =
            diag_fail_at(reader->diag, INLAY_BAD_INPUT, reader->r->source, 0, "%s is %s; expected %s",
                         reader->length > 0 ? reader->place : "the whole", describe(value, text), expected);
    }
}

/* ---- Room ---- */

void *raw_room(raw_reader *reader, size_t count, size_t size)
{
    void *room = pool_zeroed(reader->pool, count, size);
    if (room == NULL) {
        reader->status = INLAY_NO_MEMORY;
    }
    return room;
}

/* ---- Values ---- */

const char *raw_text(raw_reader *reader, const json_t *object, const char *key)
{
    raw_value value = raw_member(reader, object, key);
    const char *text = json_string_value(value.json);
    if (text == NULL) {
        raw_refuse(reader, value.json, "a text");
    }
    raw_leave(reader, value);
    return text != NULL ? text : "";
}

int64_t raw_whole(raw_reader *reader, const json_t *object, const char *key, int64_t least, int64_t most,
                  const char *expected)
{
    raw_value value = raw_member(reader, object, key);
    int64_t number = json_integer_value(value.json);
    if (!json_is_integer(value.json) || number < least || number > most) {
        raw_refuse(reader, value.json, expected);
        number = least;
    }
    raw_leave(reader, value);
    return number;
}

size_t raw_count(raw_reader *reader, const json_t *array, size_t least, const char *expected)
{
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count < least || count > INT32_MAX) {
        raw_refuse(reader, array, expected);
        return 0;
    }
    return count;
}

static inlay_repeats read_numbers(raw_reader *reader, const json_t *array)
{
    size_t count = raw_count(reader, array, 1, "an array with a number for each repeat");
    inlay_repeats numbers = {raw_room(reader, count, sizeof *numbers.at), (int)count};
    for (size_t i = 0; i < count && reader->status == INLAY_OK; i++) {
        raw_value value = raw_element(reader, array, i);
        double number = json_number_value(value.json);
        if (!json_is_number(value.json) || !(number >= 1e-15 && number <= 1e15)) {
            raw_refuse(reader, value.json, "a number above 0, from 1e-15 to 1e15");
        } else {
            numbers.at[i] = number;
        }
        raw_leave(reader, value);
    }
    return numbers;
}

inlay_repeats raw_series(raw_reader *reader, const json_t *object, const char *key)
{
    raw_value value = raw_member(reader, object, key);
    inlay_repeats numbers = read_numbers(reader, value.json);
    raw_leave(reader, value);
    return numbers;
}

inlay_repeats *raw_by_size(raw_reader *reader, const json_t *object, const char *key)
{
    raw_value value = raw_member(reader, object, key);
    size_t sizes = (size_t)reader->r->sizes;
    inlay_repeats *seconds = raw_room(reader, sizes, sizeof *seconds);
    if (!json_is_array(value.json) || json_array_size(value.json) != sizes) {
        raw_refuse(reader, value.json, "an array for each of the sizes");
    }
    for (size_t s = 0; s < sizes && reader->status == INLAY_OK; s++) {
        raw_value of = raw_element(reader, value.json, s);
        seconds[s] = read_numbers(reader, of.json);
        raw_leave(reader, of);
    }
    raw_leave(reader, value);
    return seconds;
}

static bool has_number(const int *list, size_t count, int number)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found = found || list[i] == number;
    }
    return found;
}

int *raw_ranks(raw_reader *reader, const json_t *object, int least, int *count)
{
    raw_value value = raw_member(reader, object, "ranks");
    size_t ranks = raw_count(reader, value.json, (size_t)least,
                             least > 1 ? "an array of two ranks at least" : "an array of one rank at least");
    int *list = raw_room(reader, ranks, sizeof *list);
    for (size_t i = 0; i < ranks && reader->status == INLAY_OK; i++) {
        raw_value element = raw_element(reader, value.json, i);
        json_int_t number = json_integer_value(element.json);
        bool good = json_is_integer(element.json) && number >= 0 && number < INT32_MAX;
        if (!good || has_number(list, i, (int)number)) {
            raw_refuse(reader, element.json, "a rank's number, once");
        } else {
            list[i] = (int)number;
        }
        raw_leave(reader, element);
    }
    raw_leave(reader, value);
    *count = (int)ranks;
    return list;
}
