/* Reading files of rows. */
#include "study/rows.h"
#include "base/csv.h"
#include "base/diag.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/plain.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Of CSV so much is looked at at once, and no line may be longer than the other. */
enum { WINDOW = 1 << 16, LONGEST = 1 << 26 };

static void note_column(row_reader *r, const char *name)
{
    text_addf(&r->columns, "%s%s", r->columns.size > 0 ? ", " : "", name);
}

const char *row_text(row_cell *cell)
{
    if (cell->kind == ROW_NUMBER && cell->shown[0] == '\0') {
        (void)double_text(cell->number, cell->shown);
    }
    return cell->kind == ROW_NUMBER ? cell->shown : cell->kind == ROW_TEXT ? cell->text : "";
}

/* ---- JSON lines ---- */

static int take_value(row_reader *r, size_t column, const json_t *value, const char *file, long line, inlay_diag *diag)
{
    row_cell *cell = &r->cells[column];
    *cell = (row_cell){0};
    if (json_is_object(value) || json_is_array(value)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, file, line, "'%s' is %s; expected a number or a text",
                            r->wanted[column], json_is_object(value) ? "an object" : "an array");
    }
    if (json_is_string(value)) {
        *cell = (row_cell){.kind = ROW_TEXT, .text = json_string_value(value)};
    } else if (json_is_boolean(value)) {
        *cell = (row_cell){.kind = ROW_TEXT, .text = json_is_true(value) ? "true" : "false"};
    } else if (json_is_number(value)) {
        cell->kind = ROW_NUMBER;
        cell->number = json_number_value(value);
        if (json_is_integer(value)) { /* which a double may not hold */
            (void)plain_print(cell->shown, sizeof cell->shown, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        }
    }
    return INLAY_OK;
}

static int take_object(row_reader *r, json_t *object, const char *file, long line, inlay_diag *diag)
{
    if (!json_is_object(object)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, file, line, "no object; expected rows, a JSON object a line");
    }
    const char *name;
    json_t *member;
    json_object_foreach(object, name, member)
    {
        if (r->columns.size < WINDOW && line == 1) {
            note_column(r, name);
        }
    }
    int status = INLAY_OK;
    for (size_t i = 0; i < r->count && status == INLAY_OK; i++) {
        status = take_value(r, i, json_object_get(object, r->wanted[i]), file, line, diag);
    }
    return status == INLAY_OK ? r->take(r->context, file, line) : status;
}

/* Whether nothing follows the lines at hand, which are lost by looking; a failure to read shows up again. */
static bool is_all(input *in)
{
    const char *more = NULL;
    size_t size = 0;
    return input_peek(in, 1, &more, &size, NULL) == INLAY_OK && size == 0;
}

/* A line up to `newline`, of lines that end at `end`. */
static int take_json_line(row_reader *r, input *in, const char *text, const char *newline, const char *end,
                          const char *file, long line, inlay_diag *diag)
{
    json_error_t error;
    json_t *object = json_loadb(text, (size_t)(newline - text), JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (object != NULL) {
        int status = take_object(r, object, file, line, diag);
        json_decref(object);
        return status;
    }
    if (json_error_code(&error) == json_error_out_of_memory) {
        return diag_no_memory(diag);
    }
    const char *last = newline;
    while (last > text && plain_space(last[-1])) {
        last--;
    }
    if (*text == '{' && last[-1] != '}' && newline + 1 == end && is_all(in)) {
        diag_warn(diag, "%s:%ld: the last line ends in its middle, as where a run was interrupted: it is left out",
                  file, line);
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, file, line,
                        "%s; expected rows, a JSON object of finite numbers and texts a line", error.text);
}

static int read_json(row_reader *r, input *in, const char *file, inlay_diag *diag)
{
    char *data;
    size_t size;
    long line = 1;
    int status = input_lines(in, &data, &size, diag);
    while (status == INLAY_OK && size > 0) {
        const char *end = data + size, *newline;
        for (const char *at = data; at < end && status == INLAY_OK; at = newline + 1, line++) {
            newline = memchr(at, '\n', (size_t)(end - at));
            const char *text = at;
            while (text < newline && plain_space(*text)) {
                text++;
            }
            status = text == newline ? INLAY_OK : take_json_line(r, in, text, newline, end, file, line, diag);
        }
        status = status == INLAY_OK ? input_lines(in, &data, &size, diag) : status;
    }
    return status;
}

/* ---- CSV ---- */

typedef struct csv_file {
    row_reader *r;
    const char *file;
    csv_lines lines;
    size_t columns; /* 0: the first line is not read yet */
    long *column;   /* of each that is wanted; -1: there is none */
} csv_file;

static int take_columns(csv_file *f, inlay_diag *diag)
{
    row_reader *r = f->r;
    f->columns = f->lines.fields;
    for (size_t i = 0; i < r->count; i++) {
        f->column[i] = -1;
    }
    bool list = r->columns.size == 0;
    for (size_t c = 0; c < f->columns; c++) {
        const char *name = f->lines.text.data + f->lines.field[c];
        if (list) {
            note_column(r, name);
        }
        for (size_t i = 0; i < r->count; i++) {
            if (strcmp(r->wanted[i], name) != 0) {
                continue;
            }
            if (f->column[i] >= 0) {
                return diag_fail_at(diag, INLAY_BAD_INPUT, f->file, f->lines.line,
                                    "two columns '%s'; expected names that differ", name);
            }
            f->column[i] = (long)c;
        }
    }
    return INLAY_OK;
}

static int take_fields(csv_file *f, inlay_diag *diag)
{
    row_reader *r = f->r;
    if (f->lines.fields == 0) {
        return INLAY_OK; /* a blank line */
    }
    if (f->columns == 0) {
        return take_columns(f, diag);
    }
    if (f->lines.fields != f->columns) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, f->file, f->lines.line,
                            "%zu fields; expected %zu, as the first line has", f->lines.fields, f->columns);
    }
    for (size_t i = 0; i < r->count; i++) {
        const char *text = f->column[i] < 0 ? "" : f->lines.text.data + f->lines.field[f->column[i]];
        r->cells[i] = (row_cell){*text != '\0' ? ROW_TEXT : ROW_NOTHING, *text != '\0' ? text : NULL, 0, ""};
    }
    return r->take(r->context, f->file, f->lines.line);
}

/* Lines of a piece of the file; `*taken` are the bytes of those that are whole. `all`: nothing follows the piece. */
static int take_lines(csv_file *f, const char *data, size_t size, bool all, size_t *taken, inlay_diag *diag)
{
    csv_lines *t = &f->lines;
    int status = INLAY_OK;
    t->at = data;
    t->end = data + size;
    *taken = 0;
    if (memchr(data, '\0', size) != NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, f->file, 0, "a NUL byte; expected JSON lines, or text of CSV");
    }
    while (status == INLAY_OK && t->at < t->end) {
        const char *begin = t->at;
        long line = t->next_line;
        status = csv_take_line(t, all ? diag : NULL);
        if (!all && t->at == t->end) { /* it may go on in the next piece */
            t->next_line = line;
            return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : INLAY_OK;
        }
        if (status != INLAY_OK && !all) { /* once more, for its message */
            t->at = begin;
            t->next_line = line;
            return csv_take_line(t, diag);
        }
        status = status == INLAY_OK ? take_fields(f, diag) : status;
        *taken = (size_t)(t->at - data);
    }
    return status;
}

static int read_csv(csv_file *f, input *in, inlay_diag *diag)
{
    const char *data;
    size_t size, taken = 0, wanted = WINDOW;
    int status = input_peek(in, wanted, &data, &size, diag);
    f->lines.separator = csv_separator(data, data + size);
    while (status == INLAY_OK && size > 0) {
        bool all = size < wanted;
        status = take_lines(f, data, size, all, &taken, diag);
        if (status == INLAY_OK && taken == 0 && wanted >= LONGEST) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, f->file, f->lines.next_line,
                                "a line of more than %d MiB; expected CSV, its quotes closed", LONGEST >> 20);
        }
        input_skip(in, taken);
        wanted = taken == 0 ? 2 * wanted : WINDOW;
        status = status == INLAY_OK ? input_peek(in, wanted, &data, &size, diag) : status;
    }
    return status;
}

/* ---- Both ---- */

/* What the rows begin with; -1: nothing is there but blanks. */
static int first_character(input *in, int *first, inlay_diag *diag)
{
    const char *data;
    size_t size, blanks = 0;
    int status = input_peek(in, WINDOW, &data, &size, diag);
    if (status == INLAY_OK && plain_mark(data, size) > 0) {
        input_skip(in, UTF8_MARK);
        status = input_peek(in, WINDOW, &data, &size, diag);
    }
    while (status == INLAY_OK && blanks < size && plain_space(data[blanks])) {
        blanks++;
    }
    *first = status == INLAY_OK && blanks < size ? (unsigned char)data[blanks] : -1;
    return status;
}

static int read_opened(row_reader *r, input *in, const char *file, inlay_diag *diag)
{
    int first = -1;
    int status = first_character(in, &first, diag);
    if (status != INLAY_OK || first == '{') {
        return status != INLAY_OK ? status : read_json(r, in, file, diag);
    }
    if (first < 0 || first == '[') {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, file, 0,
            "%s; expected rows: JSON lines, an object a line, or CSV whose first line names the columns",
            first == '[' ? "a JSON array" : "nothing in it");
    }
    csv_file f = {.r = r, .file = file, .column = memory_array(r->count, sizeof *f.column)};
    csv_begin(&f.lines, "", 0, file);
    status = f.column == NULL ? diag_no_memory(diag) : read_csv(&f, in, diag);
    csv_end(&f.lines);
    free(f.column);
    return status;
}

int rows_read(row_reader *reader, const char *path, inlay_diag *diag)
{
    input *in = NULL;
    const char *file = strcmp(path, "-") == 0 ? "standard input" : path;
    int status = input_open_named(path, file, &in, diag);
    if (status == INLAY_OK) {
        status = read_opened(reader, in, file, diag);
        input_close(in);
    }
    return status == INLAY_OK && reader->columns.failed ? diag_no_memory(diag) : status;
}
