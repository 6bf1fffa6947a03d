/* Tables with aligned columns. */
#include "table.h"
#include "report.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Blanks between columns; what a text is never shortened below, and one of several lines. */
enum { GAP = 2, LEAST_NAME = 16, LEAST_TEXT = 20 };

void table_clear(table *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->cells[i]);
    }
    free(rows->cells);
    free(rows->mark);
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

/* "name^3": takes the rank off. */
static void take_rank(table *rows, size_t column)
{
    char *heading = column < rows->count ? rows->cells[column] : NULL;
    size_t length = heading != NULL ? strlen(heading) : 0;
    if (length > 0 && heading[length - 1] == '~') {
        rows->rank[column] = '~';
        rows->left[column] = true;
        heading[length - 1] = '\0';
    } else if (length > 1 && heading[length - 2] == '^') {
        rows->rank[column] = heading[length - 1];
        heading[length - 2] = '\0';
    } else {
        return;
    }
    rows->width[column] = text_width(heading);
}

void table_headings(table *rows, const char *headings)
{
    size_t first = rows->columns++;
    for (const char *c = headings; *c != '\0'; c++) {
        rows->columns += *c == '|';
    }
    add_parts(rows, headings);
    for (size_t column = first; column < rows->columns; column++) {
        take_rank(rows, column);
    }
}

size_t table_rows(const table *rows)
{
    return rows->count / rows->columns;
}

void table_mark_row(table *rows, table_mark mark)
{
    size_t row = table_rows(rows) - 1;
    table_mark *marks = realloc(rows->mark, (row + 1) * sizeof *marks);
    if (marks == NULL) {
        rows->failed = true;
        return;
    }
    rows->mark = marks;
    while (rows->marked < row) {
        marks[rows->marked++] = MARK_NONE;
    }
    marks[row] = mark;
    rows->marked = row + 1;
}

/* ---- Fitting ---- */

size_t table_width(const table *rows)
{
    size_t width = 0;
    for (size_t column = 0; column < rows->columns; column++) {
        width += rows->width[column] > 0 ? rows->width[column] + (width > 0 ? GAP : 0) : 0;
    }
    return width;
}

static size_t least_width(const table *rows, size_t column, size_t width)
{
    size_t least = rows->rank[column] == '~' ? LEAST_TEXT : LEAST_NAME;
    return (rows->left[column] || rows->rank[column] == '~') && width > least ? least : width;
}

/* The column to leave out next; 0, the first, which always stays, where there is no other. */
static size_t least_important(const table *rows)
{
    size_t least = 0;
    for (size_t column = 1; column < rows->columns; column++) {
        char rank = rows->rank[column] == '~' ? 0 : rows->rank[column];
        char other = least == 0 || rows->rank[least] == '~' ? 0 : rows->rank[least];
        least = rows->width[column] > 0 && (least == 0 || rank >= other) ? column : least;
    }
    return least;
}

/* Once, before anything is printed. */
static void fit(table *rows, size_t most)
{
    size_t natural[TABLE_COLUMNS];
    rows->fitted = true;
    memcpy(natural, rows->width, sizeof natural);
    if (table_width(rows) + rows->margin <= most) {
        return;
    }
    for (size_t column = 0; column < rows->columns; column++) {
        rows->width[column] = least_width(rows, column, natural[column]);
    }
    size_t out;
    while (table_width(rows) + rows->margin > most && (out = least_important(rows)) > 0) {
        rows->width[out] = 0;
    }
    size_t taken = table_width(rows) + rows->margin, spare = most > taken ? most - taken : 0;
    for (size_t column = 0; column < rows->columns; column++) {
        size_t more = rows->width[column] > 0 ? natural[column] - rows->width[column] : 0;
        more = more < spare ? more : spare;
        rows->width[column] += more;
        spare -= more;
    }
}

/* ---- Printing ---- */

/* The part of a text from character `from` on, `count` of them. */
static void say_part(FILE *to, const char *text, size_t from, size_t count)
{
    size_t at = 0;
    for (const char *c = text; *c != '\0'; c++) {
        at += ((unsigned char)*c & 0xC0) != 0x80;
        if (at > from && at <= from + count) {
            bool control = (unsigned char)*c < ' ' || *c == 127;
            (void)fputc(control ? '?' : *c, to);
        }
    }
}

/* Shortened in its middle where it does not fit. */
static void say_cell(FILE *to, const char *cell, size_t width)
{
    static const char dots[] = "...";
    size_t whole = text_width(cell), room = width - (sizeof dots - 1);
    if (whole <= width || width < sizeof dots) {
        say_part(to, cell, 0, width);
        return;
    }
    say_part(to, cell, 0, room - room / 2);
    say(to, "%s", dots);
    say_part(to, cell, whole - room / 2, room / 2);
}

static const char *colour_of(const table *rows, size_t row, FILE *to)
{
    table_mark mark = row < rows->marked ? rows->mark[row] : MARK_NONE;
    return mark == MARK_NONE || !output_is_coloured(to) ? NULL : mark == MARK_BEST ? COLOUR_GOOD : COLOUR_BAD;
}

void table_print_row(table *rows, size_t row, bool filled, FILE *to)
{
    if (!rows->fitted) {
        fit(rows, table_limit(to));
    }
    const char *colour = colour_of(rows, row, to);
    size_t last = 0, at = 0;
    for (size_t column = 0; column < rows->columns; column++) {
        last = rows->width[column] > 0 ? column : last;
    }
    say(to, "%s", colour != NULL ? colour : "");
    for (size_t column = 0; column <= last; column++) {
        const char *cell = rows->cells[row * rows->columns + column];
        size_t width = rows->width[column], taken = text_width(cell);
        int blanks = (int)(taken < width ? width - taken : 0);
        if (width == 0) {
            continue;
        }
        say(to, "%*s", rows->left[column] ? 0 : blanks, "");
        if (column == last && rows->rank[column] == '~' && taken > width) {
            say_lines(to, cell, rows->margin + at, width);
        } else {
            say_cell(to, cell, width);
        }
        say(to, "%*s%*s", (column < last || filled) && rows->left[column] ? blanks : 0, "", column < last ? GAP : 0,
            "");
        at += width + GAP;
    }
    say(to, "%s", colour != NULL ? COLOUR_END : "");
}

void table_end(table *rows, FILE *to)
{
    const char *before = "columns left out: ";
    bool some = false;
    for (size_t column = 0; column < rows->count && column < rows->columns && rows->fitted; column++) {
        if (rows->width[column] == 0 && rows->cells[column][0] != '\0') {
            say(to, "%s%-s", before, rows->cells[column]);
            before = ", ";
            some = true;
        }
    }
    say(to, some ? "; --wide shows all\n" : "");
    table_clear(rows);
}

int table_print(table *rows, FILE *to)
{
    int status = rows->failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(rows); i++) {
        table_print_row(rows, i, false, to);
        say(to, "\n");
    }
    table_end(rows, to);
    return status;
}
