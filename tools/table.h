/* Tables with aligned columns. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 32 };

/** What colour tells of a row on a terminal. */
typedef enum table_mark { MARK_NONE, MARK_BEST, MARK_BAD } table_mark;

/**
 * Cells row by row; the first row is the headings. Zero-initialise but for `left` and `margin`, and begin with
 * table_headings().
 *
 * A printed row is as wide as the terminal (80 columns where there is none) at most: texts are shortened in their middle,
 * and columns are left out by their rank, the highest first and of equal ones the last. --wide shows all.
 */
typedef struct table {
    size_t columns, margin;   /**< margin: columns of the terminal that the caller takes beside each row */
    char rank[TABLE_COLUMNS]; /**< '1' to '9', 0 where it goes last; '~': the last column, broken into lines */
    bool fitted;              /**< `width` is that of what is shown, 0 of a column left out */
    table_mark *mark;         /**< of the rows up to `marked`; ours */
    size_t marked;
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

/** Before all rows: more columns with their headings, separated by '|'; "name^3" has rank 3, "name~" is broken into lines. */
void table_headings(table *rows, const char *headings);

/** A colour for the row that is whole now. */
void table_mark_row(table *rows, table_mark mark);

size_t table_rows(const table *rows);

/** Columns of the terminal that a row takes. */
size_t table_width(const table *rows);

/** Print one row without its newline; blanks at its end only where `filled`. */
void table_print_row(table *rows, size_t row, bool filled, FILE *to);

/** After rows printed one by one: a line that says which columns were left out; clears the table. */
void table_end(table *rows, FILE *to);

/** Print all rows, a line each, and clear the table. INLAY_NO_MEMORY where cells are missing: nothing is printed then. */
int table_print(table *rows, FILE *to);

#endif
