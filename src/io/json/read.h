/*
 * Reading JSON through jansson with messages that name file, line and member.
 *
 * A json_place is a value together with the way to it, so that a complaint can say `workflow.tasks[3].runtime` and its
 * line. A place points to the place that it was reached from, which must outlive it.
 */
#ifndef IO_JSON_READ_H
#define IO_JSON_READ_H

#include "io/json/locate.h"
#include <inlay/units.h>
#include <jansson.h>

typedef struct json_file {
    const char *data; /**< the caller's */
    size_t size;
    const char *source; /**< what messages name */
    json_t *root;
    inlay_diag *diag;
} json_file;

typedef struct json_place {
    json_step step;
    const json_t *value; /**< NULL where there is none (null counts as none) */
} json_place;

/** Whether a text of which jansson said this could not be read for want of memory. */
bool json_memory_is_out(const json_error_t *error, const char *data, size_t size);

/** Parse the whole text; objects that name a member twice are refused. */
int json_file_open(json_file *file, const char *data, size_t size, const char *source, inlay_diag *diag);
void json_file_close(json_file *file);

json_place json_at_root(const json_file *file);
json_place json_at_member(const json_place *place, const char *key);
json_place json_at_element(const json_place *place, size_t index);
size_t json_elements(const json_place *place); /**< of an array; 0 where there is none */

long json_line_of(const json_file *file, const json_place *place);

/** Write `FILE:LINE: text`; returns INLAY_BAD_INPUT. */
int json_complain(const json_file *file, const json_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** `FILE:LINE: PATH is VALUE; expected ...`, or `PATH is missing`; returns INLAY_BAD_INPUT. */
int json_refuse(const json_file *file, const json_place *place, const char *expected);

/* Each fails where the value is missing or is none of the kind; `*value` is then unchanged. */
int json_need_object(const json_file *file, const json_place *place);
int json_need_array(const json_file *file, const json_place *place);
int json_read_text(const json_file *file, const json_place *place, const char **value);
int json_read_integer(const json_file *file, const json_place *place, int64_t most, int64_t *value); /**< from 0 */
int json_read_real(const json_file *file, const json_place *place, double *value);                   /**< from 0 */
int json_read_decimal(const json_file *file, const json_place *place, inlay_decimal *value);         /**< from 0 */
int json_read_duration(const json_file *file, const json_place *place, inlay_duration *value);       /**< or "2.5ms" */
int json_read_bytes(const json_file *file, const json_place *place, int64_t *value);                 /**< or "4KiB" */

/** Refuses members of an object that are not among `names`, which are separated by blanks. */
int json_only(const json_file *file, const json_place *place, const char *names);

#endif
