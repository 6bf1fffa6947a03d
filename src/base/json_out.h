/* Writing JSON: two-space indentation, keys in the order written, numbers exact or the shortest that read back. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include "base/text.h"
#include <stdint.h>

enum { JSON_DEPTH = 32 };

typedef struct json_out {
    text_buffer *to;
    int depth;
    bool filled[JSON_DEPTH]; /**< whether the object or array at that depth has a member */
    bool flat[JSON_DEPTH];   /**< written on one line */
} json_out;

json_out json_out_begin(text_buffer *to);
void json_out_end(json_out *json); /**< the final newline */

/* `key` is NULL inside an array and for the outermost value. A flat object or array stands on one line. */
void json_out_object(json_out *json, const char *key);
void json_out_flat_object(json_out *json, const char *key);
void json_out_object_end(json_out *json);
void json_out_array(json_out *json, const char *key);
void json_out_flat_array(json_out *json, const char *key);
void json_out_array_end(json_out *json);

void json_out_string(json_out *json, const char *key, const char *value); /**< NULL gives null */
void json_out_integer(json_out *json, const char *key, int64_t value);
void json_out_number(json_out *json, const char *key, double value);        /**< not finite gives null */
void json_out_literal(json_out *json, const char *key, const char *digits); /**< a number as exact text */
void json_out_bool(json_out *json, const char *key, bool value);
void json_out_null(json_out *json, const char *key);

/** A string with quotes and escapes, as JSON has it. */
void json_out_quote(text_buffer *to, const char *value);

#endif
