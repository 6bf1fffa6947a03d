/* Tables with aligned columns. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 32 };

/** Cells row by row; the first row is the headings. Zero-initialise but for `left`, and begin with table_headings(). */
typedef struct table {
    size_t columns;
    bool left[TABLE_COLUMNS];    /**< columns that start at the left; numbers end at the right */
    size_t width[TABLE_COLUMNS]; /**< of the widest cell so far */
    char **cells;                /**< ours */
    size_t count, capacity;
    bool failed; /**< out of memory: cells are missing */
} table;

void table_clear(table *rows);

/** Add the next cell. */
void table_cell(table *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Add several cells at once: they are separated by '|', which no value may have in it. NaN gives "-". */
void table_cells(table *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Before all rows: more columns with their headings, separated by '|'. */
void table_headings(table *rows, const char *headings);

size_t table_rows(const table *rows);

/** Columns of the terminal that a row takes. */
size_t table_width(const table *rows);

/** Print one row without its newline; blanks at its end only where `filled`. */
void table_print_row(const table *rows, size_t row, bool filled, FILE *to);

/** Print all rows, a line each, and clear the table. INLAY_NO_MEMORY where cells are missing: nothing is printed then. */
int table_print(table *rows, FILE *to);

#endif
