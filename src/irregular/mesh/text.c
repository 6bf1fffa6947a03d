/* Lines of a divided text file, and the numbers in them. */
#include "irregular/mesh/text.h"
#include "base/diag.h"
#include "base/plain.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static int64_t newlines(const char *data, size_t size)
{
    int64_t count = 0;
    const char *end = data + size;
    for (const char *at = data; at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) {
        count++;
    }
    return count;
}

int mesh_text_read(MPI_Comm comm, const char *path, const char *name, mesh_text *text, inlay_diag *diag)
{
    mesh_text made = {.comm = comm, .path = name != NULL ? name : path, .from = path, .comments = ""};
    int status = mesh_load(&made, diag);
    if (status != INLAY_OK) {
        mesh_text_clear(&made);
        return status;
    }
    made.data[made.size] = '\0';
    made.line = 1 + collective_before(comm, newlines(made.data, made.size));
    *text = made;
    return INLAY_OK;
}

void mesh_text_clear(mesh_text *text)
{
    free(text->data);
    text->data = NULL;
    text->size = 0;
}

/* ---- The first lines ---- */

/* The lowest rank that has lines left; the number of ranks where none has. */
static int64_t first_rank(const mesh_text *text)
{
    int64_t ranks = collective_ranks(text->comm), rank = collective_rank(text->comm);
    return collective_least(text->comm, text->at < text->size ? rank : ranks);
}

static size_t line_length(const mesh_text *text, size_t at)
{
    return (size_t)((const char *)memchr(text->data + at, '\n', text->size - at) - (text->data + at));
}

bool mesh_text_peek(const mesh_text *text, mesh_line *line)
{
    int64_t from = first_rank(text);
    *line = (mesh_line){0};
    if (from == collective_ranks(text->comm)) {
        return false;
    }
    if (from == collective_rank(text->comm)) {
        size_t length = line_length(text, text->at);
        memcpy(line->text, text->data + text->at, length < MESH_LINE - 1 ? length : MESH_LINE - 1);
        line->number = text->line;
    }
    MPI_Bcast(line, sizeof *line, MPI_BYTE, (int)from, text->comm);
    return true;
}

bool mesh_text_take(mesh_text *text, mesh_line *line)
{
    bool found = mesh_text_peek(text, line);
    if (found && text->at < text->size && text->line == line->number) {
        text->at += line_length(text, text->at) + 1;
        text->line++;
    }
    return found;
}

static bool is_comment(const mesh_text *text, char first)
{
    return first != '\0' && strchr(text->comments, first) != NULL;
}

bool mesh_text_take_row(mesh_text *text, mesh_line *line)
{
    while (mesh_text_take(text, line)) {
        mesh_cursor cursor = mesh_cursor_of(line);
        if (!is_comment(text, line->text[0]) && !mesh_cursor_done(&cursor)) {
            return true;
        }
    }
    return false;
}

int64_t mesh_text_last(const mesh_text *text)
{
    return collective_most(text->comm, text->line - 1 + newlines(text->data + text->at, text->size - text->at));
}

/* ---- The lines of this rank ---- */

mesh_cursor mesh_cursor_of(const mesh_line *line)
{
    return (mesh_cursor){line->text, line->text + strlen(line->text), line->number};
}

mesh_walk mesh_walk_begin(const mesh_text *text)
{
    return (mesh_walk){text, text->at, text->line};
}

bool mesh_walk_next(mesh_walk *walk, mesh_cursor *row)
{
    const mesh_text *text = walk->text;
    while (walk->at < text->size) {
        const char *begin = text->data + walk->at;
        size_t length = line_length(text, walk->at);
        *row = (mesh_cursor){begin, begin + length, walk->line};
        mesh_cursor probe = *row;
        walk->at += length + 1;
        walk->line++;
        if (!is_comment(text, *begin) && (text->blank_rows || !mesh_cursor_done(&probe))) {
            return true;
        }
    }
    return false;
}

int64_t mesh_text_rows(const mesh_text *text)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor row;
    int64_t rows = 0;
    while (mesh_walk_next(&walk, &row)) {
        rows++;
    }
    return rows;
}

int64_t mesh_text_line_of(const mesh_text *text, int64_t row)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor = {.line = 0};
    for (int64_t i = 0; i <= row && mesh_walk_next(&walk, &cursor); i++) {
    }
    return cursor.line;
}

/* ---- Numbers ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool mesh_cursor_done(mesh_cursor *cursor)
{
    while (cursor->at < cursor->end && is_blank(*cursor->at)) {
        cursor->at++;
    }
    return cursor->at == cursor->end;
}

bool mesh_cursor_word(mesh_cursor *cursor, const char **word, size_t *size)
{
    if (mesh_cursor_done(cursor)) {
        return false;
    }
    *word = cursor->at;
    while (cursor->at < cursor->end && !is_blank(*cursor->at)) {
        cursor->at++;
    }
    *size = (size_t)(cursor->at - *word);
    return true;
}

int64_t mesh_cursor_words(mesh_cursor cursor)
{
    const char *word;
    size_t size;
    int64_t words = 0;
    while (mesh_cursor_word(&cursor, &word, &size)) {
        words++;
    }
    return words;
}

/* False for what is no whole number that int64_t can hold. */
static bool whole_number(const char *word, size_t size, int64_t *value)
{
    bool negative = word[0] == '-';
    size_t i = negative || word[0] == '+';
    uint64_t sum = 0;
    bool good = size > i && size - i <= 18; /* any number of 18 digits fits */
    for (; i < size && good; i++) {
        unsigned digit = (unsigned char)word[i] - (unsigned)'0';
        good = digit <= 9;
        sum = 10 * sum + digit;
    }
    *value = negative ? -(int64_t)sum : (int64_t)sum;
    return good;
}

enum { SHOWN = 24 /* letters of a word in a message */ };

static int refuse_number(const mesh_text *text, const mesh_cursor *cursor, const char *word, size_t size,
                         const char *what, int64_t least, int64_t most, inlay_diag *diag)
{
    char range[64] = "";
    (void)snprintf(range, sizeof range, most == MESH_MOST ? "from %lld" : "from %lld to %lld", (long long)least,
                   (long long)most);
    if (word == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                            "%s is missing; expected a whole number %s", what, range);
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                        "%s is '%.*s%s'; expected a whole number %s", what, (int)(size < SHOWN ? size : SHOWN), word,
                        size > SHOWN ? "..." : "", range);
}

int mesh_take_number(const mesh_text *text, mesh_cursor *cursor, const char *what, int64_t least, int64_t most,
                     int64_t *value, inlay_diag *diag)
{
    const char *word = NULL;
    size_t size = 0;
    int64_t number = 0;
    if (!mesh_cursor_word(cursor, &word, &size) || !whole_number(word, size, &number) || number < least ||
        number > most) {
        return refuse_number(text, cursor, word, size, what, least, most, diag);
    }
    *value = number;
    return INLAY_OK;
}

int mesh_take_real(const mesh_text *text, mesh_cursor *cursor, const char *what, double *value, inlay_diag *diag)
{
    const char *word = NULL;
    size_t size = 0;
    char copy[64] = "";
    char *end = copy;
    double number = NAN;
    if (mesh_cursor_word(cursor, &word, &size) && size < sizeof copy) {
        memcpy(copy, word, size);
        copy[size] = '\0';
        number = plain_number(copy, &end);
    }
    if (word == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line, "%s is missing; expected a number",
                            what);
    }
    if (!isfinite(number) || *end != '\0') {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line, "%s is '%.*s%s'; expected a number",
                            what, (int)(size < SHOWN ? size : SHOWN), word, size > SHOWN ? "..." : "");
    }
    *value = number;
    return INLAY_OK;
}

int mesh_take_end(const mesh_text *text, mesh_cursor *cursor, const char *expected, inlay_diag *diag)
{
    const char *word;
    size_t size;
    if (!mesh_cursor_word(cursor, &word, &size)) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line, "there is '%.*s%s'; expected %s",
                        (int)(size < SHOWN ? size : SHOWN), word, size > SHOWN ? "..." : "", expected);
}
