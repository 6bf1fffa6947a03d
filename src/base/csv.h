/*
 * Lines of CSV and their fields: separated by commas, or by semicolons or tabs where the first line has these; RFC 4180's
 * quotes. Blanks around a field are none of it, but inside quotes.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/text.h"
#include <inlay/status.h>

/** Where a reader stands in a text, and the fields of the line that it took. Zero-initialised before csv_begin(). */
typedef struct csv_lines {
    const char *at, *end, *source;
    char separator;
    long line, next_line; /**< of the fields, and of `at` */
    text_buffer text;     /**< the fields, each with its NUL */
    size_t *field;        /**< where they begin in it */
    size_t fields, room;
} csv_lines;

/** What separates the fields of a text whose first line begins at `data`. */
char csv_separator(const char *data, const char *end);

/** `separator` is set by the caller, once the first line is known. */
void csv_begin(csv_lines *t, const char *data, size_t size, const char *source);
void csv_end(csv_lines *t);

/** The fields of the next line: none of a blank one, and at the end. What is wrong is INLAY_BAD_INPUT `source:LINE: ...`. */
int csv_take_line(csv_lines *t, inlay_diag *diag);

/** False at the end of the text. */
bool csv_skip_blank_lines(csv_lines *t);

/** INLAY_BAD_INPUT for a text with a NUL byte. */
int csv_check_bytes(const char *data, size_t size, const char *source, inlay_diag *diag);

static inline const char *csv_field(const csv_lines *t, size_t i)
{
    return t->text.data + t->field[i];
}

#endif
