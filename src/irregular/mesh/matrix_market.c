/*
 * Matrix Market .mtx in coordinate format (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market exchange formats", 1996):
 * the pattern of A + A^T without its diagonal. A file without its banner line is taken for real and general. The type that
 * GraphBLAS libraries add as a comment, `%%GraphBLAS type int8_t`, bounds the values.
 *
 * The format has each entry once, and of symmetric matrices those of the lower triangle alone. Files that do not keep to
 * that are read all the same, since values, of which sum or choice would be doubtful, are no part of the pattern: an entry
 * above the diagonal of a symmetric matrix is its mirror image, equal entries are one. Both are counted, and told.
 */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "base/plain.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/matrix_values.h"
#include "irregular/mesh/pairs.h"
#include <stdio.h>
#include <string.h>

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN } symmetry;

typedef struct header {
    int64_t rows, entries, line; /**< `line` has the sizes */
    matrix_values values;
    symmetry symmetry;
} header;

/* ---- The banner ---- */

/* The place of the next word in a list, or -1; `said` gets the word for a message. */
static int choose(mesh_cursor *cursor, const char *const *words, int count, char said[24])
{
    const char *word = "";
    size_t size = 0;
    (void)mesh_cursor_word(cursor, &word, &size);
    (void)snprintf(said, 24, "%.*s", (int)(size < 23 ? size : 23), word);
    for (int i = 0; i < count; i++) {
        if (strlen(words[i]) == size && plain_begins(words[i], word, size)) {
            return i;
        }
    }
    return -1;
}

static int refuse_word(const mesh_text *text, int64_t line, const char *said, const char *expected, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line, "the banner says '%s'; expected %s", said,
                        expected);
}

static int check_symmetry(const mesh_text *text, const header *h, int64_t line, inlay_diag *diag)
{
    if (h->symmetry == HERMITIAN && h->values.kind != MATRIX_COMPLEX) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line,
                            "a hermitian matrix has no complex values; expected complex, or symmetric");
    }
    if (h->symmetry == SKEW && h->values.kind == MATRIX_PATTERN) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line,
                            "a skew-symmetric matrix has no values; expected real, integer or complex");
    }
    return INLAY_OK;
}

static int read_banner(const mesh_text *text, const mesh_line *line, header *h, inlay_diag *diag)
{
    static const char *const banner[] = {"%%MatrixMarket"}, *const object[] = {"matrix"};
    static const char *const format[] = {"coordinate", "array"};
    static const char *const field[] = {"real", "integer", "pattern", "complex"};
    static const char *const kinds[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    mesh_cursor cursor = mesh_cursor_of(line);
    char said[24];
    (void)choose(&cursor, banner, 1, said);
    if (choose(&cursor, object, 1, said) < 0) {
        return refuse_word(text, line->number, said, "matrix", diag);
    }
    int layout = choose(&cursor, format, 2, said);
    if (layout < 0) {
        return refuse_word(text, line->number, said, "coordinate", diag);
    }
    if (layout == 1) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line->number,
                            "the matrix is dense (array); expected a sparse one (coordinate), whose pattern is a mesh");
    }
    int kind = choose(&cursor, field, 4, said);
    if (kind < 0) {
        return refuse_word(text, line->number, said, "real, integer, pattern or complex", diag);
    }
    h->values = matrix_values_of((matrix_kind)kind);
    int structure = choose(&cursor, kinds, 4, said);
    if (structure < 0) {
        return refuse_word(text, line->number, said, "general, symmetric, skew-symmetric or hermitian", diag);
    }
    h->symmetry = (symmetry)structure;
    return check_symmetry(text, h, line->number, diag);
}

/* A comment `%%GraphBLAS type T`; others say nothing. */
static int read_comment(const mesh_text *text, const mesh_line *line, header *h, inlay_diag *diag)
{
    static const char *const mark[] = {"%%GraphBLAS"}, *const type[] = {"type"};
    mesh_cursor cursor = mesh_cursor_of(line);
    char said[24];
    if (choose(&cursor, mark, 1, said) < 0 || choose(&cursor, type, 1, said) < 0) {
        return INLAY_OK;
    }
    int status = matrix_values_limit(text, &cursor, &h->values, diag);
    if (status == INLAY_OK && h->symmetry == SKEW && h->values.least >= 0) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line->number,
                              "a skew-symmetric matrix has a type without a sign; expected one with a sign");
    }
    return status;
}

/* ---- The sizes ---- */

static int read_sizes(const mesh_text *text, const mesh_line *line, header *h, inlay_diag *diag)
{
    int64_t columns = 0;
    mesh_cursor cursor = mesh_cursor_of(line);
    if (mesh_cursor_words(cursor) == 2) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line->number,
                            "there are two sizes, as of a dense matrix; expected rows, columns and entries of a sparse "
                            "one");
    }
    h->line = line->number;
    int status = mesh_take_number(text, &cursor, "the number of rows", 1, MESH_MOST, &h->rows, diag);
    if (status == INLAY_OK) {
        status = mesh_take_number(text, &cursor, "the number of columns", 1, MESH_MOST, &columns, diag);
    }
    if (status == INLAY_OK) {
        status = mesh_take_number(text, &cursor, "the number of entries", 0, MESH_MOST, &h->entries, diag);
    }
    if (status == INLAY_OK && h->rows != columns) {
        status =
            diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)line->number,
                         "the matrix has %lld rows and %lld columns; expected a square one, whose rows and columns "
                         "are the vertices",
                         (long long)h->rows, (long long)columns);
    }
    return status == INLAY_OK ? mesh_take_end(text, &cursor, "rows, columns and entries", diag) : status;
}

static int read_header(mesh_text *text, header *h, inlay_diag *diag)
{
    mesh_line line;
    *h = (header){.values = matrix_values_of(MATRIX_REAL)};
    int status = INLAY_OK;
    bool found = mesh_text_take(text, &line);
    if (found && plain_begins(line.text, "%%MatrixMarket", 14)) {
        status = read_banner(text, &line, h, diag);
        found = mesh_text_take(text, &line);
    }
    while (found && status == INLAY_OK) {
        mesh_cursor cursor = mesh_cursor_of(&line);
        if (line.text[0] != '%' && !mesh_cursor_done(&cursor)) {
            return read_sizes(text, &line, h, diag);
        }
        status = read_comment(text, &line, h, diag);
        found = mesh_text_take(text, &line);
    }
    return status != INLAY_OK ? status
                              : diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0,
                                             "ends within its header; expected rows, columns and entries");
}

/* ---- The entries ---- */

typedef struct entry_list {
    mesh_pairs pairs; /* rows and columns, from 0; of symmetric matrices in the lower triangle */
    int64_t upper;    /* how many were mirrored for that */
} entry_list;

static int read_entry(const mesh_text *text, mesh_cursor *cursor, const header *h, entry_list *all, inlay_diag *diag)
{
    int64_t row = 0, column = 0;
    int status = mesh_take_number(text, cursor, "the row", 1, h->rows, &row, diag);
    status = status == INLAY_OK ? mesh_take_number(text, cursor, "the column", 1, h->rows, &column, diag) : status;
    if (status == INLAY_OK && h->symmetry == SKEW && row == column) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                              "a skew-symmetric matrix has an entry on its diagonal; expected none, since it is 0");
    }
    status = status == INLAY_OK ? matrix_values_check(text, cursor, &h->values, diag) : status;
    bool mirrored = h->symmetry != GENERAL && column > row;
    all->upper += mirrored;
    return status == INLAY_OK
               ? mesh_pairs_add(&all->pairs, (mirrored ? column : row) - 1, (mirrored ? row : column) - 1, diag)
               : status;
}

static int read_entries(const mesh_text *text, const header *h, entry_list *all, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int status = INLAY_OK;
    while (status == INLAY_OK && mesh_walk_next(&walk, &cursor)) {
        status = read_entry(text, &cursor, h, all, diag);
    }
    return status;
}

/* The same on all ranks. */
static void warn(const mesh_text *text, const header *h, int64_t upper, int64_t repeats, inlay_diag *diag)
{
    static const char *const names[] = {"", "symmetric", "skew-symmetric", "hermitian"};
    if (upper > 0) {
        diag_warn(diag,
                  "%s: entries above the diagonal of a %s matrix, which lists its lower triangle alone: %lld; each is "
                  "taken for its mirror image",
                  text->path, names[h->symmetry], (long long)upper);
    }
    if (repeats > 0) {
        diag_warn(diag, "%s: entries with the row and column of another one: %lld; each place is taken once",
                  text->path, (long long)repeats);
    }
}

static int check_entries(const mesh_text *text, const header *h, inlay_diag *diag)
{
    int64_t entries = collective_sum(text->comm, mesh_text_rows(text));
    if (entries == h->entries) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)h->line,
                        "there are to be %lld entries, but the file has %lld; expected a line for each",
                        (long long)h->entries, (long long)entries);
}

int mesh_read_matrix_market(mesh_text *text, mesh_found *found, inlay_diag *diag)
{
    header h = {0};
    entry_list all = {0};
    inlay_graph *graph = NULL;
    int64_t upper = 0, repeats = 0;
    int status = read_header(text, &h, diag);
    text->comments = "%";
    status = status == INLAY_OK ? collective_agree(text->comm, read_entries(text, &h, &all, diag), diag) : status;
    status = status == INLAY_OK ? check_entries(text, &h, diag) : status;
    if (status == INLAY_OK) {
        upper = collective_sum(text->comm, all.upper);
        status = mesh_pairs_graph(text, &all.pairs, h.rows, &repeats, &graph, diag);
    }
    mesh_pairs_clear(&all.pairs);
    if (status == INLAY_OK) {
        warn(text, &h, upper, repeats, diag);
        *found = (mesh_found){.graph = graph, .base = 1};
    }
    return status;
}
