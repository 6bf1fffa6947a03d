/* The tokens of the DOT language, with lines. For dot_scan.c. */
#ifndef IO_DOT_TOKEN_H
#define IO_DOT_TOKEN_H

#include "base/text.h"
#include <inlay/status.h>

typedef enum dot_token_kind {
    DOT_TOKEN_END,
    DOT_TOKEN_ID, /**< a name, a number or a string */
    DOT_TOKEN_GRAPH,
    DOT_TOKEN_DIGRAPH,
    DOT_TOKEN_SUBGRAPH,
    DOT_TOKEN_STRICT,
    DOT_TOKEN_NODE,
    DOT_TOKEN_EDGE,
    DOT_TOKEN_ARROW, /**< -> or --; `sign` is the second character */
    DOT_TOKEN_SIGN   /**< one of { } [ ] = ; , : and whatever else stands alone */
} dot_token_kind;

/** A text and the token that stands next in it. */
typedef struct dot_tokens {
    const char *begin, *at, *end;
    long line; /**< of `at` */
    const char *source;
    inlay_diag *diag;
    int status; /**< INLAY_OK until a message was written */

    dot_token_kind kind;
    char sign;
    const char *token, *token_end;
    long token_line;
    text_buffer id; /**< of an ID: without quotes and escapes, as Graphviz has it */
} dot_tokens;

/**
 * Take the next token; false with a message where there is none.
 * @param as_value  behind '=', where a number may carry a unit without quotes
 */
bool dot_next(dot_tokens *s, bool as_value);

bool dot_is_sign(const dot_tokens *s, char sign);

/** Write "syntax error near ...; expected ..." about the token that stands next; false. */
bool dot_fail_near(dot_tokens *s, const char *expected);

/** Write a message about a line; false. */
bool dot_fail_line(dot_tokens *s, long line, const char *message);

#endif
