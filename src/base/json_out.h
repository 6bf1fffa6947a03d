/* Writing JSON: two-space indentation, keys in the order written, numbers exact or the shortest that read back. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include "base/text.h"
#include <stdint.h>

enum { JSON_DEPTH = 32 };

typedef struct json_out {
    text *to;
    int depth;
    bool filled[JSON_DEPTH]; /**< whether the object or array at that depth has a member */
    bool flat[JSON_DEPTH];   /**< written on one line */
} json_out;

json_out json_begin(text *to);
void json_end(json_out *json); /**< the final newline */

/* `key` is NULL inside an array and for the outermost value. A flat object or array stands on one line. */
void json_object(json_out *json, const char *key);
void json_flat_object(json_out *json, const char *key);
void json_object_end(json_out *json);
void json_array(json_out *json, const char *key);
void json_flat_array(json_out *json, const char *key);
void json_array_end(json_out *json);

void json_string(json_out *json, const char *key, const char *value); /**< NULL gives null */
void json_integer(json_out *json, const char *key, int64_t value);
void json_number(json_out *json, const char *key, double value); /**< not finite gives null */
void json_literal(json_out *json, const char *key, const char *digits); /**< a number as exact text */
void json_bool(json_out *json, const char *key, bool value);
void json_null(json_out *json, const char *key);

/** A string with quotes and escapes, as JSON has it. */
void json_quote(text *to, const char *value);

#endif
