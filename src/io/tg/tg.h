/*
 * .tg, the plain-text form of large graphs, line by line:
 *
 *     tg 1 MODULES LINKS TIME_UNIT
 *     time blocking memory name          a line a module; blocking - where there is none; name with JSON's escapes
 *     from to messages bytes flags       a line a link; modules by number from 0; flags - or t, traffic without precedence
 *
 * Version 2, `tg 2 ...`, is for graphs with data: behind the flags of a link may stand the name of the datum that it
 * carries, with JSON's escapes, up to the end of the line.
 *
 * and then, where the graph has more to say, sections: a line `WORD COUNT` and so many lines (see tg_sections.c). A
 * reader that stops behind the links has all that the other two parts say.
 */
#ifndef IO_TG_TG_H
#define IO_TG_TG_H

#include "base/input.h"
#include <inlay/app.h>

enum { TG_BATCH = 64, TG_WORD = 64 };

/* Where a reader stands: what it reads decides to which line a complaint of the builder belongs. */
typedef enum tg_part { TG_HEADER, TG_MODULES, TG_LINKS, TG_SECTIONS, TG_END } tg_part;

typedef struct tg_reader {
    const char *source;
    inlay_diag *diag;
    input *in;
    char *at, *end; /* of the lines at hand; each ends in a newline */
    long line;      /* the number of the line that is being read */
    tg_part part;

    int version;
    inlay_unit unit;
    inlay_id modules; /* as the header says */
    int64_t links;
    inlay_app_builder *builder;
    inlay_module batch[TG_BATCH]; /* whose names are in the lines at hand */
    size_t batched;
} tg_reader;

/** A word of a line, NUL-terminated; what does not fit is cut off, and such a word means nothing to anyone. */
typedef char tg_word[TG_WORD];

/* ---- Lines: tg_read.c ---- */

/** Go to the next line; `*more` is false at the end of the file. */
int tg_next_line(tg_reader *r, bool *more);

/** INLAY_BAD_INPUT on the line that is being read. */
int tg_fail(tg_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Fields: tg_fields.c. Each is taken from `r->at` and says what is wrong with `what`, a word or two ---- */

/** Whether nothing but blanks is left of the line. */
bool tg_at_end(tg_reader *r);

/** The line ends here; `row` says what it should hold. */
int tg_end_line(tg_reader *r, const char *row);

void tg_take_word(tg_reader *r, tg_word word);

/** Whether the next word is "-", which is taken then. */
bool tg_take_none(tg_reader *r);

int tg_take_flags(tg_reader *r, unsigned *flags);
int tg_take_time(tg_reader *r, const char *what, inlay_duration *time);
int tg_take_whole(tg_reader *r, const char *what, int64_t low, int64_t high, int64_t *value);
int tg_take_bytes(tg_reader *r, const char *what, int64_t *bytes);
int tg_take_operations(tg_reader *r, const char *what, double *count);

/** The number of a module. */
int tg_take_module(tg_reader *r, const char *what, inlay_id *module);

/** The rest of the line as a text that is not empty, its escapes undone where it stands. */
int tg_take_text(tg_reader *r, const char *what, const char **text);

/* ---- Sections: tg_sections.c ---- */

/** All sections up to the end of the file. */
int tg_read_sections(tg_reader *r);

#endif
