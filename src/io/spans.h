/* Pieces of a text that do not end in a NUL, and its lines. */
#ifndef IO_SPANS_H
#define IO_SPANS_H

#include <inlay/app.h>

enum { SHOWN = 60 /* of a text, in messages */ };

typedef struct span {
    const char *at, *end;
} span;

typedef struct lines {
    const char *at, *end; /**< what is left */
    const char *comments; /**< what lines of comments begin with, any of these */
    long line;            /**< of the last one given; 0 at first */
} lines;

/** The next line that holds something and is no comment, without blanks around it. */
bool next_line(lines *l, span *found);

int span_shown(span s); /**< how many of its characters a message shows */
span span_trimmed(span s);

/** Characters up to a blank or `sign`, blanks before them passed over; empty where there is none. */
span span_word(span *s, char sign);

/** Digits alone, within an id; false for all else. */
bool span_id(span s, inlay_id *id);

#endif
