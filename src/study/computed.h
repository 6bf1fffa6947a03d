/* Columns of rows that are computed of others: `=100*(estimate/elapsed-1)`. */
#ifndef STUDY_COMPUTED_H
#define STUDY_COMPUTED_H

#include "study/rows.h"
#include <inlay/status.h>

enum { COMPUTED_NAMES = 8 /* in one of them */ };

typedef struct computed {
    struct expression *e;
    char *copy; /**< of the text, with the names in it */
    const char *name[COMPUTED_NAMES];
    size_t column[COMPUTED_NAMES]; /**< where their values stand; the caller's */
    size_t count;
} computed;

static inline bool computed_is(const char *column)
{
    return *column == '=';
}

/** INLAY_BAD_ARGUMENT where the text behind '=' is no expression. computed_clear() in any case. */
int computed_parse(const char *text, computed *made, inlay_diag *diag);
void computed_clear(computed *c);

/** Its value in a row; nothing where one of its names has no number there, or the result is none. */
row_cell computed_value(const computed *c, row_cell *cells);

/** A decimal number, which may have a sign and zeros in front. */
bool computed_number(const char *text, double *number);

#endif
