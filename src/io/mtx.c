/*
 * Matrix Market in: a square matrix as the graph of its rows, as products with a vector move data. A row is a module, its
 * time the entries that it has, in ticks; two rows exchange a message for each entry between them, of the matrix as a whole:
 * a symmetric one has two where one is stored. Entries on the diagonal make no link, and values say nothing, but that
 * they must be what the header says. https://math.nist.gov/MatrixMarket/formats.html
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/numbers.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40, WORD = 32, MOST_DENSE = 1 << 12 };

static const char banner[] = "%%MatrixMarket", typed[] = "%%GraphBLAS type ";

typedef enum mtx_field { FIELD_REAL, FIELD_DOUBLE, FIELD_INTEGER, FIELD_PATTERN, FIELD_COMPLEX } mtx_field;
typedef enum mtx_symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN } mtx_symmetry;

static const char *const layouts[] = {"coordinate", "array", NULL};
static const char *const fields[] = {"real", "double", "integer", "pattern", "complex", NULL};
static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};

/* Types that GraphBLAS names in a comment, with the values that they hold. */
typedef struct mtx_type {
    const char *name;
    double least, most;
} mtx_type;

static const mtx_type types[] = {{"bool", 0, 1},
                                 {"int8_t", -128, 127},
                                 {"int16_t", -32768, 32767},
                                 {"int32_t", -2147483648.0, 2147483647},
                                 {"int64_t", -0x1p63, 0x1p63},
                                 {"uint8_t", 0, 255},
                                 {"uint16_t", 0, 65535},
                                 {"uint32_t", 0, 4294967295.0},
                                 {"uint64_t", 0, 0x1p64},
                                 {"float", -INFINITY, INFINITY},
                                 {"double", -INFINITY, INFINITY},
                                 {"float complex", -INFINITY, INFINITY},
                                 {"double complex", -INFINITY, INFINITY}};

/* An entry off the diagonal. */
typedef struct mtx_entry {
    inlay_id low, high;
} mtx_entry;

typedef struct mtx {
    number_text text;
    bool array, headless;
    int field, symmetry;
    const mtx_type *type; /* NULL: unsaid */
    int64_t rows, columns, stored;
    int64_t *in_row; /* entries */
    mtx_entry *entry;
    size_t count, capacity;
} mtx;

bool mtx_looks_like(const char *data, size_t size)
{
    return size >= strlen(banner) && plain_begins(data, banner, strlen(banner));
}

static int fail(const mtx *m, const char *what, size_t size, const char *expected)
{
    const number_text *t = &m->text;
    return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line, "%s '%.*s'; expected %s", what,
                        (int)(size < SHOWN ? size : SHOWN), t->at, expected);
}

/* ---- The header ---- */

/* One of some words, in any case, at `t`; -1: none of them. */
static int take_word(number_text *t, const char *const *words)
{
    size_t size = number_word(t);
    for (int i = 0; words[i] != NULL; i++) {
        if (size == strlen(words[i]) && plain_begins(t->at, words[i], size)) {
            t->at += size;
            return i;
        }
    }
    return -1;
}

static int read_banner(mtx *m)
{
    static const char *const objects[] = {"matrix", NULL};
    number_text *t = &m->text;
    t->at += strlen(banner);
    if (take_word(t, objects) < 0) {
        return fail(m, "the object is", number_word(t), "matrix");
    }
    int layout = take_word(t, layouts);
    if (layout < 0) {
        return fail(m, "the layout is", number_word(t), "coordinate or array");
    }
    m->array = layout == 1;
    m->field = take_word(t, fields);
    if (m->field < 0) {
        return fail(m, "the field is", number_word(t), "real, double, integer, pattern or complex");
    }
    m->symmetry = take_word(t, symmetries);
    if (m->symmetry < 0) {
        return fail(m, "the symmetry is", number_word(t), "general, symmetric, skew-symmetric or hermitian");
    }
    bool nonsense = (m->symmetry == HERMITIAN && m->field != FIELD_COMPLEX) ||
                    (m->field == FIELD_PATTERN && (m->array || m->symmetry == SKEW));
    return nonsense ? diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                                   "a %s matrix of field %s, %s; expected one that can be", symmetries[m->symmetry],
                                   fields[m->field], layouts[m->array])
                    : number_end_line(t);
}

/* What GraphBLAS says of the values. */
static int read_type(mtx *m)
{
    number_text *t = &m->text;
    t->at += strlen(typed);
    const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));
    size_t size = (size_t)((newline == NULL ? t->end : newline) - t->at);
    while (size > 0 && plain_space(t->at[size - 1])) {
        size--;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (size == strlen(types[i].name) && memcmp(t->at, types[i].name, size) == 0) {
            m->type = &types[i];
            return m->symmetry == SKEW && m->type->least >= 0
                       ? fail(m, "a skew-symmetric matrix of the type", size, "a type that has negative values")
                       : INLAY_OK;
        }
    }
    return fail(m, "the type is", size, "bool, int8_t to uint64_t, float, double, or one of these behind complex");
}

/* Comments, then the sizes. A file without a banner says by its sizes what it is. */
static int read_sizes(mtx *m)
{
    number_text *t = &m->text;
    int status = INLAY_OK;
    while (status == INLAY_OK && t->at < t->end && (*t->at == '%' || number_word(t) == 0)) {
        bool names_type = (size_t)(t->end - t->at) > strlen(typed) && plain_begins(t->at, typed, strlen(typed));
        status = names_type ? read_type(m) : INLAY_OK;
        number_next_line(t);
    }
    status = status == INLAY_OK ? number_take(t, "the number of rows", 1, INT32_MAX - 1, &m->rows) : status;
    status = status == INLAY_OK ? number_take(t, "the number of columns", 1, INT64_MAX, &m->columns) : status;
    m->array = m->headless ? number_word(t) == 0 : m->array;
    if (status == INLAY_OK && !m->array) {
        status = number_take(t, "the number of entries", 0, INT64_MAX / 4, &m->stored);
    }
    status = status == INLAY_OK ? number_end_line(t) : status;
    if (status == INLAY_OK && m->rows != m->columns) {
        status = diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                              "%" PRId64 " rows and %" PRId64 " columns; expected a square matrix, which is a graph",
                              m->rows, m->columns);
    }
    if (status == INLAY_OK && m->array && m->rows > MOST_DENSE) {
        status = diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                              "an array of %" PRId64 " rows; expected at most %d", m->rows, MOST_DENSE);
    }
    return status;
}

/* ---- Entries ---- */

/* A number, which may stand for nothing where entries are stored one by one. */
static int read_value(mtx *m, bool *zero)
{
    number_text *t = &m->text;
    size_t size = number_word(t);
    char word[WORD] = "", *end = word;
    double value = 0;
    if (size > 0 && size < sizeof word) {
        memcpy(word, t->at, size);
        word[size] = '\0';
        value = plain_number(word, &end);
    }
    if (end == word || *end != '\0') {
        return fail(m, "the value is", size, m->field == FIELD_COMPLEX ? "two numbers" : "a number");
    }
    bool whole = m->field != FIELD_INTEGER || (value >= floor(value) && value <= floor(value));
    if (!whole || (m->type != NULL && (value < m->type->least || value > m->type->most))) {
        return fail(m, "the value is", size, m->type != NULL ? m->type->name : "a whole number");
    }
    t->at += size;
    *zero = *zero && fpclassify(value) == FP_ZERO;
    return INLAY_OK;
}

static int add_entry(mtx *m, int64_t row, int64_t column)
{
    m->in_row[row]++;
    bool mirrored = m->symmetry != GENERAL && row != column;
    m->in_row[column] += mirrored;
    for (int i = 0; i < 1 + mirrored && row != column; i++) {
        if (!memory_grow((void **)&m->entry, &m->capacity, m->count + 1, sizeof *m->entry)) {
            return diag_no_memory(m->text.diag);
        }
        m->entry[m->count++] =
            (mtx_entry){(inlay_id)(row < column ? row : column), (inlay_id)(row < column ? column : row)};
    }
    return INLAY_OK;
}

/* A line of the coordinate layout. */
static int read_entry(mtx *m)
{
    number_text *t = &m->text;
    int64_t row = 0, column = 0;
    bool zero = true;
    int status = number_take(t, "a row", 1, m->rows, &row);
    status = status == INLAY_OK ? number_take(t, "a column", 1, m->columns, &column) : status;
    bool valued = m->headless ? number_word(t) > 0 : m->field != FIELD_PATTERN;
    for (int part = 0; valued && part < 1 + (m->field == FIELD_COMPLEX) && status == INLAY_OK; part++) {
        status = read_value(m, &zero);
    }
    status = status == INLAY_OK ? number_end_line(t) : status;
    bool above = m->symmetry != GENERAL && (column > row || (m->symmetry == SKEW && column == row));
    if (status == INLAY_OK && above) {
        return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                            "entry %" PRId64 ", %" PRId64 " of a %s matrix; expected the lower triangle", row, column,
                            symmetries[m->symmetry]);
    }
    return status == INLAY_OK ? add_entry(m, row - 1, column - 1) : status;
}

static int read_coordinates(mtx *m)
{
    number_text *t = &m->text;
    int status = INLAY_OK;
    for (int64_t i = 0; i < m->stored && status == INLAY_OK; i++) {
        if (!number_next_line(t) || !number_skip(t, true)) {
            return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                                "the file ends after %" PRId64 " of %" PRId64 " entries; expected all", i, m->stored);
        }
        status = read_entry(m);
    }
    return status == INLAY_OK ? number_end(t) : status;
}

/* Column by column; of symmetric matrices from the diagonal down. */
static int read_array(mtx *m)
{
    number_text *t = &m->text;
    int status = INLAY_OK;
    for (int64_t column = 0; column < m->rows && status == INLAY_OK; column++) {
        int64_t first = m->symmetry == GENERAL ? 0 : column + (m->symmetry == SKEW);
        for (int64_t row = first; row < m->rows && status == INLAY_OK; row++) {
            bool zero = true;
            for (int part = 0; part < 1 + (m->field == FIELD_COMPLEX) && status == INLAY_OK; part++) {
                while (number_word(t) == 0 && number_next_line(t)) {
                }
                status = read_value(m, &zero);
            }
            status = status == INLAY_OK && !zero ? add_entry(m, row, column) : status;
        }
    }
    return status == INLAY_OK ? number_end(t) : status;
}

/* ---- The graph ---- */

static int build(mtx *m, inlay_app **app)
{
    number_graph graph;
    int status = number_graph_begin(&graph, &m->text, false, m->rows, (int64_t)m->count);
    for (int64_t i = 0; i < m->rows && status == INLAY_OK; i++) {
        status = number_graph_vertex(&graph, i + 1, m->in_row[i]);
    }
    for (size_t e = 0; e < m->count && status == INLAY_OK; e++) {
        status = number_graph_arc(&graph, m->entry[e].low, m->entry[e].high, 1);
        status = status == INLAY_OK ? number_graph_arc(&graph, m->entry[e].high, m->entry[e].low, 1) : status;
    }
    return number_graph_end(&graph, status, "a matrix", app);
}

int mtx_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    mtx m = {.text = {data, data + size, 1, source, diag}, .headless = !mtx_looks_like(data, size)};
    int status = m.headless ? INLAY_OK : read_banner(&m);
    if (status == INLAY_OK && !m.headless) {
        number_next_line(&m.text);
    }
    status = status == INLAY_OK ? read_sizes(&m) : status;
    if (status == INLAY_OK) {
        m.in_row = memory_zeroed((size_t)m.rows, sizeof *m.in_row);
        status = m.in_row == NULL ? diag_no_memory(diag) : m.array ? read_array(&m) : read_coordinates(&m);
    }
    status = status == INLAY_OK ? build(&m, app) : status;
    free(m.in_row);
    free(m.entry);
    return status;
}
