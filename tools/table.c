/* Tables with aligned columns. */
#include "table.h"
#include "report.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 }; /* blanks between columns */

void table_clear(table *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->cells[i]);
    }
    free(rows->cells);
    *rows = (table){0};
}

static bool make_room(table *rows)
{
    if (rows->count < rows->capacity) {
        return true;
    }
    size_t capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
    char **cells = capacity > SIZE_MAX / sizeof *cells ? NULL : realloc(rows->cells, capacity * sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    rows->cells = cells;
    rows->capacity = capacity;
    return true;
}

/* Takes over a text from malloc(); NULL is one that there was no memory for. */
static void add_cell(table *rows, char *cell)
{
    if (cell == NULL || !make_room(rows)) {
        rows->failed = true;
        free(cell);
        return;
    }
    size_t column = rows->count % rows->columns;
    size_t width = text_width(cell);
    rows->width[column] = width > rows->width[column] ? width : rows->width[column];
    rows->cells[rows->count++] = cell;
}

/* The text of a format; NULL when out of memory. */
static char *print_text(const char *format, va_list arguments)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) {
        return NULL;
    }
    say_all(to, format, arguments);
    bool good = ferror(to) == 0;
    good = fclose(to) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

/* Up to each '|', and up to the end. A number that there is not stands as "-". */
static void add_parts(table *rows, const char *text)
{
    for (size_t length = strcspn(text, "|");; length = strcspn(text, "|")) {
        bool none = strncmp(text, "nan", 3) == 0 || strncmp(text, "-nan", 4) == 0;
        add_cell(rows, none ? strdup("-") : strndup(text, length));
        if (text[length] == '\0') {
            return;
        }
        text += length + 1;
    }
}

void table_cell(table *rows, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(rows, print_text(format, arguments));
    va_end(arguments);
}

void table_cells(table *rows, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = print_text(format, arguments);
    va_end(arguments);
    rows->failed |= text == NULL;
    add_parts(rows, text != NULL ? text : "");
    free(text);
}

void table_headings(table *rows, const char *headings)
{
    rows->columns++;
    for (const char *c = headings; *c != '\0'; c++) {
        rows->columns += *c == '|';
    }
    add_parts(rows, headings);
}

size_t table_rows(const table *rows)
{
    return rows->count / rows->columns;
}

size_t table_width(const table *rows)
{
    size_t width = (rows->columns - 1) * GAP;
    for (size_t column = 0; column < rows->columns; column++) {
        width += rows->width[column];
    }
    return width;
}

void table_print_row(const table *rows, size_t row, bool filled, FILE *to)
{
    for (size_t column = 0; column < rows->columns; column++) {
        const char *cell = rows->cells[row * rows->columns + column];
        int blanks = (int)(rows->width[column] - text_width(cell));
        bool last = column + 1 == rows->columns;
        say(to, "%*s%-s%*s%*s", rows->left[column] ? 0 : blanks, "", cell,
            rows->left[column] && (!last || filled) ? blanks : 0, "", last ? 0 : GAP, "");
    }
}

int table_print(table *rows, FILE *to)
{
    int status = rows->failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(rows); i++) {
        table_print_row(rows, i, false, to);
        say(to, "\n");
    }
    table_clear(rows);
    return status;
}
