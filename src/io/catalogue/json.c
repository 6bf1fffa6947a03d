/* Catalogues as JSON: an array of objects whose members are the columns, or an object with that as its member "types". */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/catalogue/catalogue.h"
#include "io/json/read.h"
#include <string.h>

/* Behind blanks, and behind one of the characters where it is there. */
static const char *skip(const char *at, const char *end, char mark)
{
    while (at < end && plain_space(*at)) {
        at++;
    }
    return at < end && *at == mark ? at + 1 : NULL;
}

/* Where a word begins; NULL: nowhere. */
static const char *find(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    while ((size_t)(end - at) >= size && memcmp(at, word, size) != 0) {
        at++;
    }
    return (size_t)(end - at) >= size ? at : NULL;
}

/* An array of objects, the first of which has a "type" and "cores". */
static bool is_array(const char *at, const char *end)
{
    at = skip(at, end, '[');
    at = at == NULL ? NULL : skip(at, end, '{');
    if (at == NULL) {
        return false;
    }
    const char *close = memchr(at, '}', (size_t)(end - at));
    close = close != NULL ? close : end;
    return find(at, close, "\"type\"") != NULL && find(at, close, "\"cores\"") != NULL;
}

bool catalogue_looks_like_json(const char *data, size_t size)
{
    const char *end = data + size, *at = skip(data, end, '{');
    if (at == NULL) {
        return is_array(data, end);
    }
    const char *types = find(at, end, "\"types\"");
    if (types == NULL || memchr(at, '{', (size_t)(types - at)) != NULL) {
        return false;
    }
    at = skip(types + 7, end, ':');
    return at != NULL && is_array(at, end);
}

/* A value as the text that CSV would have; a number is the shortest that reads back. */
static int read_value(const json_file *file, const json_place *place, char number[DOUBLE_TEXT], const char **text)
{
    if (json_is_number(place->value)) {
        *text =
            json_is_integer(place->value)
                ? (plain_print(number, DOUBLE_TEXT, "%" JSON_INTEGER_FORMAT, json_integer_value(place->value)), number)
                : double_text(json_real_value(place->value), number);
        return INLAY_OK;
    }
    *text = json_string_value(place->value);
    return *text != NULL ? INLAY_OK : json_refuse(file, place, "a text or a number");
}

/* Names a member that is not known, once. */
static void add_unknown(const char *key, text_buffer *unknown)
{
    char quoted[64];
    (void)plain_print(quoted, sizeof quoted, ", %.50s,", key);
    bool told = unknown->size > 0 && strstr(unknown->data, quoted) != NULL;
    text_add(unknown, told ? "" : quoted + (unknown->size > 0 ? 1 : 0));
}

static int take_member(const json_file *file, const json_place *place, const char *key, catalogue_row *row,
                       inlay_catalogue *all, text_buffer *unknown)
{
    const json_place at = json_at_member(place, key);
    char number[DOUBLE_TEXT];
    const char *text = NULL;
    int column = catalogue_column(key);
    if (column < 0) {
        add_unknown(key, unknown);
        return INLAY_OK;
    }
    if (at.value == NULL) {
        return INLAY_OK;
    }
    int status = read_value(file, &at, number, &text);
    row->line = json_line_of(file, &at);
    return status == INLAY_OK ? catalogue_set(all, row, column, text, file->diag) : status;
}

static int take_types(const json_file *file, const json_place *types, const catalogue_values *values,
                      inlay_catalogue *all, text_buffer *unknown)
{
    int status = json_need_array(file, types);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(types); i++) {
        const json_place place = json_at_element(types, i);
        catalogue_row row;
        const char *key;
        json_t *value;
        status = json_need_object(file, &place);
        if (status != INLAY_OK) {
            break;
        }
        catalogue_begin(&row, file->source, json_line_of(file, &place));
        json_object_foreach((json_t *)place.value, key, value)
        {
            status = status == INLAY_OK ? take_member(file, &place, key, &row, all, unknown) : status;
        }
        row.line = json_line_of(file, &place);
        status = status == INLAY_OK ? catalogue_end(all, &row, values, file->diag) : status;
    }
    return status;
}

int catalogue_from_json(const char *data, size_t size, const char *source, const catalogue_values *values,
                        inlay_catalogue *all, inlay_diag *diag)
{
    json_file file;
    text_buffer unknown = {0};
    int status = json_file_open(&file, data, size, source, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const json_place root = json_at_root(&file), types = json_at_member(&root, "types");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)root.value, key, value)
    {
        if (strcmp(key, "types") != 0 && strcmp(key, "comment") != 0) {
            add_unknown(key, &unknown);
        }
    }
    status = take_types(&file, json_is_object(root.value) ? &types : &root, values, all, &unknown);
    if (status == INLAY_OK && unknown.size > 3 && !unknown.failed) {
        char known[512];
        catalogue_columns(known, sizeof known);
        unknown.data[unknown.size - 1] = '\0';
        diag_warn(diag, "%s: members that are not known are left out: %.200s; known are %s", source, unknown.data + 2,
                  known);
    }
    text_clear(&unknown);
    json_file_close(&file);
    return status;
}
