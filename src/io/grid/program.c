/* Grids: their size, and the phases of the program, in words or in a file. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/grid/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More rows than any grid has are no number of rows. */
static const int64_t extent_most = INT64_C(1) << 53;

/* What the caller sees, and what that points to. */
typedef struct owned_program {
    inlay_grid_program shown; /* first: a pointer to it is one to all */
    grid_phase_parts parts[INLAY_GRID_PHASES];
} owned_program;

void inlay_grid_program_free(inlay_grid_program *program)
{
    owned_program *owned = (owned_program *)program;
    for (size_t i = 0; owned != NULL && i < INLAY_GRID_PHASES; i++) {
        grid_phase_clear(&owned->parts[i]);
    }
    free(owned);
}

/* ---- Sizes ---- */

static bool is_extent(int64_t number)
{
    return number >= 1 && number <= extent_most;
}

int inlay_grid_extents_parse(const char *text, int64_t *planes, int64_t *rows, int64_t *columns)
{
    int64_t extent[] = {1, 1, 1};
    int count = 0;
    const char *behind = text;
    do {
        behind = count < 3 ? grid_text_whole(count > 0 ? behind + 1 : text, false, &extent[count]) : NULL;
        count++;
    } while (behind != NULL && *behind == 'x');
    if (behind == NULL || *behind != '\0' || count < 2 || !is_extent(extent[0]) || !is_extent(extent[1]) ||
        !is_extent(extent[2])) {
        return INLAY_BAD_INPUT;
    }
    *planes = count == 3 ? extent[0] : 1;
    *rows = extent[count - 2];
    *columns = extent[count - 1];
    return INLAY_OK;
}

int inlay_grid_extent_parse(const char *text, int64_t *rows, int64_t *columns)
{
    int64_t planes, m, n;
    if (inlay_grid_extents_parse(text, &planes, &m, &n) != INLAY_OK || strchr(strchr(text, 'x') + 1, 'x') != NULL) {
        return INLAY_BAD_INPUT;
    }
    *rows = m;
    *columns = n;
    return INLAY_OK;
}

/* "0x5" and the like are meant as sizes, whose numbers cannot be. */
static int refuse_extent(const char *text, inlay_diag *diag)
{
    static const char digits[] = "0123456789";
    size_t first = strspn(text, digits);
    size_t second = text[first] == 'x' ? strspn(text + first + 1, digits) : 0;
    int64_t rows;
    if (first > 0 && second > 0 && text[strspn(text, "0123456789x")] == '\0' && text[first + 1 + second] == 'x') {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, text, 0,
            "no grid of two or three dimensions; expected whole numbers from 1 to 2^53, such as 4096x4096 "
            "or 100x100x100");
    }
    if (first == 0 || second == 0 || text[first + 1 + second] != '\0') {
        return INLAY_OK;
    }
    bool rows_fit = grid_text_whole(text, false, &rows) != NULL && is_extent(rows);
    const char *number = rows_fit ? text + first + 1 : text;
    return diag_fail_at(diag, INLAY_BAD_INPUT, text, 0,
                        "a grid of %.*s %s; expected whole numbers from 1 to 2^53, such as 4096x4096",
                        (int)(rows_fit ? second : first), number, rows_fit ? "columns" : "rows");
}

/* ---- Phases ---- */

/* The next phase; INLAY_BAD_ARGUMENT: `why` tells what is wrong. */
static int add_phase(owned_program *to, const char *text, double work, char why[GRID_WHY])
{
    size_t at = to->shown.phases;
    if (at == INLAY_GRID_PHASES) {
        (void)snprintf(why, GRID_WHY, "there are more than %d phases; expected no more", INLAY_GRID_PHASES);
        return INLAY_BAD_ARGUMENT;
    }
    int status = grid_phase_parse(text, work, &to->shown.phase[at], &to->parts[at], why);
    to->shown.phases += status == INLAY_OK;
    return status;
}

int inlay_grid_program_add(inlay_grid_program *program, const char *text, double work, inlay_diag *diag)
{
    DIAG_CALL(diag);
    char why[GRID_WHY];
    int status = add_phase((owned_program *)program, text, work, why);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag)
           : status == INLAY_OK      ? INLAY_OK
                                     : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s", why);
}

/* ---- Grid files ---- */

/* What is read, and which keys stood in the file. */
typedef struct grid_file {
    grid_lines lines;
    owned_program *to;
    double work;
    bool rows, columns, planes, item, edges;
} grid_file;

/* Each key stands once. */
static int mark(const grid_file *f, const char *key, bool *given)
{
    if (*given) {
        return grid_lines_refuse(&f->lines, "%s stands twice; expected it once", key);
    }
    *given = true;
    return INLAY_OK;
}

static int take_length(const grid_file *f, const char *key, const char *value, int64_t *length)
{
    const char *end = grid_text_whole(value, false, length);
    return end != NULL && *end == '\0' && is_extent(*length)
               ? INLAY_OK
               : grid_lines_refuse(&f->lines, "bad %s '%.40s'; expected a whole number from 1 to 2^53", key, value);
}

static int take_item(const grid_file *f, const char *value)
{
    return grid_text_bytes(value, &f->to->shown.item)
               ? INLAY_OK
               : grid_lines_refuse(&f->lines, "bad item '%.40s'; expected bytes from 1 on, such as 8B", value);
}

static int take_edges(const grid_file *f, const char *value)
{
    f->to->shown.bounded = strcmp(value, "bounded") == 0;
    return f->to->shown.bounded || strcmp(value, "torus") == 0
               ? INLAY_OK
               : grid_lines_refuse(&f->lines, "bad edges '%.40s'; expected torus or bounded", value);
}

static int take_phase(const grid_file *f, const char *value)
{
    char why[GRID_WHY];
    int status = add_phase(f->to, value, f->work, why);
    return status == INLAY_NO_MEMORY ? diag_no_memory(f->lines.diag)
           : status == INLAY_OK      ? INLAY_OK
                                     : grid_lines_refuse(&f->lines, "%s", why);
}

static int take_value(grid_file *f, const char *key, const char *value)
{
    inlay_grid_program *to = &f->to->shown;
    int status;
    if (strcmp(key, "rows") == 0) {
        status = mark(f, key, &f->rows);
        return status == INLAY_OK ? take_length(f, key, value, &to->rows) : status;
    }
    if (strcmp(key, "columns") == 0) {
        status = mark(f, key, &f->columns);
        return status == INLAY_OK ? take_length(f, key, value, &to->columns) : status;
    }
    if (strcmp(key, "planes") == 0) {
        status = mark(f, key, &f->planes);
        return status == INLAY_OK ? take_length(f, key, value, &to->planes) : status;
    }
    if (strcmp(key, "item") == 0) {
        status = mark(f, key, &f->item);
        return status == INLAY_OK ? take_item(f, value) : status;
    }
    if (strcmp(key, "edges") == 0) {
        status = mark(f, key, &f->edges);
        return status == INLAY_OK ? take_edges(f, value) : status;
    }
    return strcmp(key, "phase") == 0
               ? take_phase(f, value)
               : grid_lines_refuse(&f->lines,
                                   "unknown key '%.40s'; expected rows, columns, planes, edges, item or phase", key);
}

/* A line becomes a key and its value. */
static int take_line(void *context, char *key)
{
    static const char blanks[] = " \t";
    char *value = key + strcspn(key, blanks);
    if (*value != '\0') {
        *value++ = '\0';
        value += strspn(value, blanks);
    }
    return take_value(context, key, value);
}

static int read_file(const char *path, grid_file *f, inlay_diag *diag)
{
    int status = grid_lines_open(path, "a size such as 4096x4096 or a grid file", &f->lines, diag);
    status = status == INLAY_OK ? grid_lines_take(&f->lines, take_line, f) : status;
    if (status == INLAY_OK && (!f->rows || !f->columns)) {
        const char *missing = f->rows ? "columns" : "rows";
        status = diag_fail_at(diag, INLAY_BAD_INPUT, f->lines.source, 0,
                              "%s are missing; expected a line such as '%s 4096'", missing, missing);
    }
    input_close(f->lines.in);
    return status;
}

int inlay_grid_program_read(const char *text_or_path, double work, inlay_grid_program **program, inlay_diag *diag)
{
    DIAG_CALL(diag);
    owned_program *to = memory_zeroed(1, sizeof *to);
    if (to == NULL) {
        return diag_no_memory(diag);
    }
    int status = INLAY_OK;
    to->shown.planes = 1;
    if (inlay_grid_extents_parse(text_or_path, &to->shown.planes, &to->shown.rows, &to->shown.columns) != INLAY_OK) {
        grid_file f = {.lines.kind = "the text of a grid", .to = to, .work = work};
        status = access(text_or_path, F_OK) != 0 ? refuse_extent(text_or_path, diag) : INLAY_OK;
        status = status == INLAY_OK ? read_file(text_or_path, &f, diag) : status;
    }
    if (status == INLAY_OK) {
        *program = &to->shown;
    } else {
        inlay_grid_program_free(&to->shown);
    }
    return status;
}
