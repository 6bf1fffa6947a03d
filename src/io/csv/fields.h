/*
 * The fields of tables as CSV: separated by commas, or by semicolons or tabs where the first line has these; RFC 4180's
 * quotes.
 */
#ifndef IO_CSV_FIELDS_H
#define IO_CSV_FIELDS_H

#include "base/text.h"
#include <inlay/status.h>

/** Where a reader stands in a text, and the fields of the line that it took. Zero-initialise. */
typedef struct csv_text {
    const char *at, *end, *source;
    char separator;
    long line, next_line; /**< of the fields, and of `at` */
    text_buffer text;     /**< the fields, each with its NUL */
    size_t *field;        /**< where they begin in it */
    size_t fields, room;
} csv_text;

/** What separates the fields of the line that begins there. */
char csv_separator(const char *data, const char *end);

/** At the first line; `separator` is the caller's to set. */
void csv_text_begin(csv_text *t, const char *data, size_t size, const char *source);
void csv_text_end(csv_text *t);

/** The fields of the next line: none of a blank one, and at the end. */
int csv_take_line(csv_text *t, inlay_diag *diag);

/** False at the end of the text. */
bool csv_skip_blank_lines(csv_text *t);

/** INLAY_BAD_INPUT for a text with a NUL byte. */
int csv_check_bytes(const char *data, size_t size, const char *source, inlay_diag *diag);

static inline const char *csv_field(const csv_text *t, size_t i)
{
    return t->text.data + t->field[i];
}

#endif
