/* JSON objects as the commands print them: two-space indentation, keys in the order written. */
#ifndef TOOLS_RESULT_H
#define TOOLS_RESULT_H

#include "options.h"
#include <stdio.h>

enum { RESULT_DEPTH = 8 };

typedef struct result {
    FILE *to;
    int depth;
    bool filled[RESULT_DEPTH]; /**< whether what is open at that depth has a member */
} result;

/* `key` is NULL inside an array and for the outermost value. */
void result_open(result *out, const char *key, char bracket); /**< '{' or '[' */
void result_close(result *out, char bracket);                 /**< '}' or ']'; the outermost ends the line */
void result_string(result *out, const char *key, const char *value);
void result_integer(result *out, const char *key, int64_t value);
void result_count(result *out, const char *key, int64_t value); /**< below 0: null */
void result_number(result *out, const char *key, double value); /**< the shortest that reads back; not finite: null */
void result_exact(result *out, const char *key, const char *digits);
void result_bool(result *out, const char *key, bool value);

/** The members that every result object has: inlay, command, seed, warnings. */
void result_common(result *out, const invocation *call, const inlay_diag *diag);

#endif
