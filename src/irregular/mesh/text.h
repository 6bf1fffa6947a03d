/*
 * A text file divided among ranks at line ends, so that each reads its own piece, and numbers in its lines.
 *
 * The first lines are taken one by one by all ranks together (a header may reach over the pieces of several ranks); of
 * the others each rank then walks over its own. Lines are counted through all pieces, so that messages can name them.
 */
#ifndef IRREGULAR_MESH_TEXT_H
#define IRREGULAR_MESH_TEXT_H

#include <inlay/status.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mesh_text {
    MPI_Comm comm;
    const char *path; /**< as messages have it; borrowed */
    const char *from; /**< where the file is; borrowed */
    char *data;       /**< of this rank: whole lines, each with its newline, and a NUL behind them */
    size_t size;
    size_t at;            /**< where the lines begin that are not taken */
    int64_t line;         /**< the number of that line, from 1 */
    const char *comments; /**< lines that begin with one of these letters are no rows */
    bool blank_rows;      /**< whether blank lines are rows */
} mesh_text;

/** Plain or gzip, told by its content; where `name` is not NULL messages call the file that. Collective. */
int mesh_text_read(MPI_Comm comm, const char *path, const char *name, mesh_text *text, inlay_diag *diag);
void mesh_text_clear(mesh_text *text);

/** For mesh_text_read(): fills data and size. Collective. */
int mesh_load(mesh_text *text, inlay_diag *diag);

/* ---- The first lines ---- */

enum { MESH_LINE = 4096 /**< what is behind is cut off */ };

typedef struct mesh_line {
    int64_t number; /**< 0: there is none */
    char text[MESH_LINE];
} mesh_line;

/** The first line that is not taken, on all ranks; false, and "", where there is none. Collective. */
bool mesh_text_peek(const mesh_text *text, mesh_line *line);
bool mesh_text_take(mesh_text *text, mesh_line *line); /**< and takes it. Collective */

/** The same for lines that are neither blank nor comments: those before are taken too. */
bool mesh_text_take_row(mesh_text *text, mesh_line *line);

/** The number of the last line of the file; 0 where it is empty. Collective. */
int64_t mesh_text_last(const mesh_text *text);

/* ---- The lines of this rank ---- */

/** What is left of a line. */
typedef struct mesh_cursor {
    const char *at, *end;
    int64_t line;
} mesh_cursor;

mesh_cursor mesh_cursor_of(const mesh_line *line);

/** A walk over the rows of this rank's piece that are not taken. */
typedef struct mesh_walk {
    const mesh_text *text;
    size_t at;
    int64_t line;
} mesh_walk;

mesh_walk mesh_walk_begin(const mesh_text *text);
bool mesh_walk_next(mesh_walk *walk, mesh_cursor *row); /**< false behind the last row */

int64_t mesh_text_rows(const mesh_text *text); /**< of this rank. Local */

/** The number of the line of this rank's row `row`, from 0. Local. */
int64_t mesh_text_line_of(const mesh_text *text, int64_t row);

/* ---- Numbers ---- */

/** Of a count. The weights of n things, each of at most MESH_MOST / n, have a sum that 64 bits hold. */
#define MESH_MOST (INT64_MAX / 4)

/** Whether there is nothing but blanks left. */
bool mesh_cursor_done(mesh_cursor *cursor);

/** The next word; false at the end of the line. */
bool mesh_cursor_word(mesh_cursor *cursor, const char **word, size_t *size);

/** How many words are left. */
int64_t mesh_cursor_words(mesh_cursor cursor);

/**
 * The next whole number. Of what is none, or not from `least` to `most`, a message is made with the words `what`:
 * `a neighbour is '9'; expected a whole number from 1 to 8`.
 */
int mesh_take_number(const mesh_text *text, mesh_cursor *cursor, const char *what, int64_t least, int64_t most,
                     int64_t *value, inlay_diag *diag);

/** Any finite number. */
int mesh_take_real(const mesh_text *text, mesh_cursor *cursor, const char *what, double *value, inlay_diag *diag);

/** Nothing may be left of the line. */
int mesh_take_end(const mesh_text *text, mesh_cursor *cursor, const char *expected, inlay_diag *diag);

#endif
