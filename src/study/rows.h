/*
 * Files of rows: JSON lines (an object a line) or CSV whose first line names the columns, plain or gzip, told by their
 * content. They are read row by row; no more than a row and what is at hand of the file is in memory.
 */
#ifndef STUDY_ROWS_H
#define STUDY_ROWS_H

#include "base/decimal.h"
#include "base/text.h"

/** A row's value in a column. */
typedef enum row_kind { ROW_NOTHING, ROW_TEXT, ROW_NUMBER } row_kind;

typedef struct row_cell {
    row_kind kind;
    const char *text;        /**< of ROW_TEXT, valid until the next row */
    double number;           /**< of ROW_NUMBER, a number of JSON: finite */
    char shown[DOUBLE_TEXT]; /**< for row_text() */
} row_cell;

/** The text of a cell: of a number the shortest that reads back, "" of nothing. */
const char *row_text(row_cell *cell);

/** What is read of the rows: the columns that are wanted, and who takes their cells. */
typedef struct row_reader {
    const char *const *wanted;
    size_t count;
    row_cell *cells; /**< `count` of them, the caller's */
    int (*take)(void *context, const char *file, long line);
    void *context;
    text_buffer columns; /**< those of the first row, for messages: "a, b, c"; the caller's to clear */
} row_reader;

/**
 * Read a file; "-" is standard input. What is no row is INLAY_BAD_INPUT `FILE:LINE: ...`; a last line of JSON that ends in
 * its middle, as where a run was interrupted, is left out with a warning. A status of `take` other than INLAY_OK ends it.
 */
int rows_read(row_reader *reader, const char *path, inlay_diag *diag);

#endif
