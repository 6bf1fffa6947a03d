/* Owner maps of grids: a processor for each cell, or rectangles. */
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/grid/text.h"
#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1, RECTANGLE_FIELDS = 3, SHOWN = 40 };

static const char separators[] = " \t,";

typedef struct owner_map {
    grid_lines lines;
    int64_t rows, columns;
    int32_t processors;
    name_map numbers; /* of the processors by name; `processors` where several have it */
    int32_t *owner;
    int64_t row;     /* of a row map: the next one */
    bool rectangles; /* else a row map; the first line tells */
} owner_map;

/* ---- Processors ---- */

static bool put_names(owner_map *m, const char *const *name)
{
    bool made = true;
    for (int32_t i = 0; name != NULL && i < m->processors && made; i++) {
        if (name[i] != NULL) {
            bool taken = name_map_get(&m->numbers, name[i]) != -1;
            made = name_map_put(&m->numbers, name[i], taken ? m->processors : i);
        }
    }
    return made;
}

/* A number, or a name. */
static int read_processor(const owner_map *m, const char *text, int32_t *processor)
{
    int64_t number = 0;
    const char *end = grid_text_whole(text, false, &number);
    if (end == NULL || *end != '\0') {
        number = name_map_get(&m->numbers, text);
        if (number == m->processors) {
            return grid_lines_refuse(&m->lines, "several processors have the name '%.*s'; expected their numbers",
                                     SHOWN, text);
        }
    }
    if (number < 0 || number >= m->processors) {
        return grid_lines_refuse(&m->lines, "there is no processor '%.*s'; expected 0 to %d, or a name", SHOWN, text,
                                 (int)m->processors - 1);
    }
    *processor = (int32_t)number;
    return INLAY_OK;
}

/* The next field, which is ended; `*text` goes behind it. Commas stand between fields, as blanks do. */
static char *next_field(char **text)
{
    char *field = *text + strspn(*text, separators);
    char *end = field + strcspn(field, separators);
    *text = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return field;
}

/* ---- Rows ---- */

static int take_row(owner_map *m, char *text)
{
    if (m->row == m->rows) {
        return grid_lines_refuse(&m->lines, "a row too many; expected %lld rows", (long long)m->rows);
    }
    int32_t *owner = m->owner + m->row * m->columns;
    int64_t column = 0;
    for (char *field = next_field(&text); *field != '\0'; field = next_field(&text)) {
        int32_t processor = NOBODY;
        if (column == m->columns) {
            return grid_lines_refuse(&m->lines, "more than %lld processors in a row; expected one for each column",
                                     (long long)m->columns);
        }
        int status = read_processor(m, field, &processor);
        if (status != INLAY_OK) {
            return status;
        }
        owner[column++] = processor;
    }
    m->row++;
    return column == m->columns
               ? INLAY_OK
               : grid_lines_refuse(&m->lines, "%lld processors in a row; expected one for each of %lld columns",
                                   (long long)column, (long long)m->columns);
}

/* ---- Rectangles ---- */

/* "0-99": first and last, counted from 0. */
static bool read_range(const char *text, int64_t *first, int64_t *last)
{
    const char *behind = grid_text_whole(text, false, first);
    behind = behind != NULL && *behind == '-' ? grid_text_whole(behind + 1, false, last) : NULL;
    return behind != NULL && *behind == '\0';
}

/* Three fields, the last two of them ranges. */
static bool is_rectangle(const char *text)
{
    int64_t number;
    size_t fields = 0;
    bool ranges = true;
    for (const char *at = text + strspn(text, separators); *at != '\0'; at += strspn(at, separators)) {
        const char *end = grid_text_whole(at, false, &number);
        bool range = end != NULL && *end == '-';
        ranges = ranges && (fields == 0 || range);
        fields++;
        at += strcspn(at, separators);
    }
    return fields == RECTANGLE_FIELDS && ranges;
}

static int read_side(const owner_map *m, const char *text, const char *what, int64_t length, int64_t *first,
                     int64_t *last)
{
    return read_range(text, first, last) && *first <= *last && *last < length
               ? INLAY_OK
               : grid_lines_refuse(&m->lines, "bad %s '%.*s'; expected the first and the last, from 0-0 to 0-%lld",
                                   what, SHOWN, text, (long long)length - 1);
}

static int fill(owner_map *m, const inlay_grid_block *block, int32_t processor)
{
    for (int64_t r = block->top; r <= block->bottom; r++) {
        int32_t *owner = m->owner + r * m->columns;
        for (int64_t c = block->left; c <= block->right; c++) {
            if (owner[c] != NOBODY) {
                return grid_lines_refuse(&m->lines,
                                         "cell (%lld, %lld) is processor %d's already; expected every cell once",
                                         (long long)r, (long long)c, (int)owner[c]);
            }
            owner[c] = processor;
        }
    }
    return INLAY_OK;
}

static int take_rectangle(owner_map *m, char *text)
{
    inlay_grid_block block = {0}; /* with its last row and column */
    int32_t processor = NOBODY;
    char *name = next_field(&text), *down = next_field(&text), *across = next_field(&text);
    int status = read_processor(m, name, &processor);
    status = status == INLAY_OK ? read_side(m, down, "rows", m->rows, &block.top, &block.bottom) : status;
    status = status == INLAY_OK ? read_side(m, across, "columns", m->columns, &block.left, &block.right) : status;
    return status == INLAY_OK ? fill(m, &block, processor) : status;
}

/* ---- Files ---- */

static int take_line(void *context, char *text)
{
    owner_map *m = context;
    if (m->row == 0 && !m->rectangles) {
        m->rectangles = is_rectangle(text);
    }
    if (m->rectangles && !is_rectangle(text)) {
        return grid_lines_refuse(&m->lines, "bad line '%.*s'; expected PROCESSOR TOP-BOTTOM LEFT-RIGHT", SHOWN, text);
    }
    return m->rectangles ? take_rectangle(m, text) : take_row(m, text);
}

/* Every cell has an owner: rows stand for all of theirs. */
static int check_whole(const owner_map *m, inlay_diag *diag)
{
    if (!m->rectangles && m->row < m->rows) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, m->lines.source, 0,
                            "%lld rows of processors; expected one for each of %lld rows of the grid",
                            (long long)m->row, (long long)m->rows);
    }
    for (int64_t i = 0; i < m->rows * m->columns; i++) {
        if (m->owner[i] == NOBODY) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, m->lines.source, 0,
                                "cell (%lld, %lld) is in no rectangle; expected every cell once",
                                (long long)(i / m->columns), (long long)(i % m->columns));
        }
    }
    return INLAY_OK;
}

static int make_map(const inlay_grid_problem *problem, const char *const *name, owner_map *m, inlay_diag *diag)
{
    bool fits = problem->rows >= 1 && problem->columns >= 1 && problem->rows <= INLAY_GRID_TABLE / problem->columns;
    if (!fits) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a map of owners of %lld x %lld cells; expected 1 or more of each, and at most %d cells",
                         (long long)problem->rows, (long long)problem->columns, INLAY_GRID_TABLE);
    }
    m->rows = problem->rows;
    m->columns = problem->columns;
    m->processors = problem->processors;
    int64_t cells = m->rows * m->columns;
    m->owner = memory_array((size_t)cells, sizeof *m->owner);
    if (m->owner == NULL || !put_names(m, name)) {
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < cells; i++) {
        m->owner[i] = NOBODY;
    }
    return INLAY_OK;
}

int inlay_grid_owners_read(const char *path, const inlay_grid_problem *problem, const char *const *name,
                           int32_t **owner, inlay_diag *diag)
{
    DIAG_CALL(diag);
    owner_map m = {.lines.kind = "processors of cells"};
    int status = make_map(problem, name, &m, diag);
    status = status == INLAY_OK ? grid_lines_open(path, "a map of owners", &m.lines, diag) : status;
    status = status == INLAY_OK ? grid_lines_take(&m.lines, take_line, &m) : status;
    status = status == INLAY_OK ? check_whole(&m, diag) : status;
    if (status == INLAY_OK) {
        *owner = m.owner;
        m.owner = NULL;
    }
    free(m.owner);
    name_map_clear(&m.numbers);
    input_close(m.lines.in);
    return status;
}

/* ---- Writing ---- */

static void add_processor(text_buffer *to, const inlay_grid_machines *machines, int32_t processor)
{
    char room[INLAY_GRID_NAME];
    const char *name = inlay_grid_processor_name(machines, processor, room);
    /* numbers stand for what several have, and for what a line cannot hold */
    bool whole = *name != '\0' && name[strcspn(name, " \t,#\r\n")] == '\0';
    for (int32_t i = 0; whole && machines->name != NULL && i < machines->processors; i++) {
        whole = i == processor || machines->name[i] == NULL || strcmp(machines->name[i], name) != 0;
    }
    if (whole && machines->name != NULL) {
        text_add(to, name);
    } else {
        text_addf(to, "%d", (int)processor);
    }
}

static void add_rectangles(text_buffer *to, const inlay_decomposition *d, const inlay_grid_machines *machines)
{
    const inlay_decomposition_summary *s = inlay_decomposition_summary_of(d);
    for (int32_t i = 0; i < s->processors; i++) {
        inlay_grid_block b;
        if (inlay_decomposition_cells(d, i) == 0 || !inlay_decomposition_block(d, i, &b)) {
            continue;
        }
        add_processor(to, machines, i);
        if (s->planes > 1) {
            text_addf(to, " %lld-%lld", (long long)b.front, (long long)b.back - 1);
        }
        text_addf(to, " %lld-%lld %lld-%lld\n", (long long)b.top, (long long)b.bottom - 1, (long long)b.left,
                  (long long)b.right - 1);
    }
}

int inlay_grid_owners_write(const inlay_decomposition *d, const inlay_grid_machines *machines, const char *path,
                            inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_decomposition_summary *s = inlay_decomposition_summary_of(d);
    text_buffer text = {0};
    if (!s->rectangles && s->rows > INLAY_GRID_TABLE / s->columns) {
        return diag_fail(diag, INLAY_NO_ANSWER, "owners of %lld x %lld cells one by one; expected at most %d cells",
                         (long long)s->rows, (long long)s->columns, INLAY_GRID_TABLE);
    }
    if (s->rectangles) {
        add_rectangles(&text, d, machines);
    }
    for (int64_t r = 0; r < s->rows && !s->rectangles; r++) {
        for (int64_t c = 0; c < s->columns; c++) {
            text_addf(&text, "%s%d", c > 0 ? " " : "", (int)inlay_decomposition_owner(d, r, c));
        }
        text_add(&text, "\n");
    }
    int status = text.failed ? diag_no_memory(diag) : file_write(path, text_content(&text), text.size, diag);
    text_clear(&text);
    return status;
}
