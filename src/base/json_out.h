/* Writing JSON into a text; <inlay/result.h> has the functions that write members. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include "base/text.h"
#include <inlay/result.h>

enum { JSON_DEPTH = 32 };

struct inlay_json {
    text_buffer *to;
    int depth;
    bool filled[JSON_DEPTH]; /**< whether the object or array at that depth has a member */
    bool flat[JSON_DEPTH];   /**< written on one line */
};

inlay_json json_out_begin(text_buffer *to);
void json_out_end(inlay_json *json); /**< the final newline */

/** A string with quotes and escapes, as JSON has it. */
void json_out_quote(text_buffer *to, const char *value);

#endif
