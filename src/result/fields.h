/*
 * Results by tables: a row of a table names a member and says where in a structure its value is. One walk writes a
 * table's members as JSON, another one as fields of a line of CSV.
 */
#ifndef RESULT_FIELDS_H
#define RESULT_FIELDS_H

#include "base/text.h"
#include <inlay/result.h>
#include <stddef.h>

/** What a value is. What there is not is null in JSON, and an empty field in CSV. */
typedef enum field_kind {
    FIELD_STOP,        /**< no row: behind the last */
    FIELD_TEXT,        /**< const char *, NULL where there is none */
    FIELD_CHARS,       /**< char[], a text */
    FIELD_EXACT_TEXT,  /**< const char *, a number as exact text; NULL or empty where there is none */
    FIELD_EXACT_CHARS, /**< char[], the same */
    FIELD_INT,         /**< int32_t */
    FIELD_INT64,       /**< int64_t */
    FIELD_SIZE,        /**< size_t */
    FIELD_COUNT,       /**< int32_t, below 0 where there is none */
    FIELD_COUNT64,     /**< int64_t, the same */
    FIELD_NUMBER,      /**< double, not finite where there is none */
    FIELD_FLAG,        /**< bool */
    FIELD_OBJECT,      /**< the members that follow are an object's, up to */
    FIELD_OBJECT_END
} field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    size_t at; /**< offset in the structure */
} field;

/* clang-format off */
/** A row for a member of a structure of `type`, whose kind is that of its type; for numbers that are exact text; for
 *  numbers that there are not below 0. */
#define FIELD(type, name, member)       {name, FIELD_KIND(((type *)NULL)->member), offsetof(type, member)}
#define FIELD_EXACT(type, name, member) {name, FIELD_KIND_EXACT(((type *)NULL)->member), offsetof(type, member)}
#define FIELD_ABOVE(type, name, member) {name, FIELD_KIND_ABOVE(((type *)NULL)->member), offsetof(type, member)}

#define FIELD_KIND(value)                                                                                              \
    _Generic((value), const char *: FIELD_TEXT, char *: FIELD_CHARS, int32_t: FIELD_INT, int64_t: FIELD_INT64,         \
             size_t: FIELD_SIZE, double: FIELD_NUMBER, bool: FIELD_FLAG)
#define FIELD_KIND_EXACT(value) _Generic((value), const char *: FIELD_EXACT_TEXT, char *: FIELD_EXACT_CHARS)
#define FIELD_KIND_ABOVE(value) _Generic((value), int32_t: FIELD_COUNT, int64_t: FIELD_COUNT64)

#define FIELD_BEGIN(name) {name, FIELD_OBJECT, 0}
#define FIELD_END         {NULL, FIELD_OBJECT_END, 0}
#define FIELD_LAST        {NULL, FIELD_STOP, 0}
/* clang-format on */

/* ---- JSON ---- */

/** The members of an object that is begun; `of` NULL: all of them null. */
void fields_put(inlay_json *json, const field *table, const void *of);

/** The same as an object of its own; `of` NULL: null in its place. */
void fields_put_object(inlay_json *json, const char *key, const field *table, const void *of);

/** A time of an application, exact. */
void result_put_time(inlay_json *json, const char *key, const inlay_app *app, inlay_time time);

/** Arrays of numbers. */
void result_put_numbers(inlay_json *json, const char *key, const double *numbers, size_t count);
void result_put_ids(inlay_json *json, const char *key, const inlay_id *numbers, size_t count);

/** What begins the results about a mapping: "mapping", which is its file, "application" and "machine". */
void result_put_mapping(inlay_json *json, const char *file, const inlay_mapping *mapping);

/* ---- CSV: as RFC 4180 has it, but for line breaks, which are '\n' ---- */

/** Fields of a line: the names of a table's rows, or their values; `of` NULL: empty ones. */
void csv_names(text_buffer *to, const field *table);
void csv_fields(text_buffer *to, const field *table, const void *of);
void csv_text(text_buffer *to, const char *text);
void csv_integer(text_buffer *to, int64_t value);
void csv_number(text_buffer *to, double value);
void csv_end_line(text_buffer *to);

/** The same as whole lines. */
void csv_heading(text_buffer *to, const field *table);
void csv_line(text_buffer *to, const field *table, const void *of);

/** Write the file and clear the text. A status of the library. */
int csv_write(text_buffer *text, const char *path, inlay_diag *diag);

#endif
