/* Weights of cells: a number for each cell, or for lines of cells. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/grid/text.h"
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40, AXES = 3 };

static const char separators[] = " \t,";
static const char *const words[AXES] = {"planes", "rows", "columns"};

/* What the caller sees, and what that points to. */
typedef struct owned_weights {
    inlay_grid_weights shown; /* first: a pointer to it is one to all */
    double *cell, *line[AXES];
} owned_weights;

typedef struct weight_file {
    grid_lines lines;
    int64_t length[AXES];
    owned_weights *to;
    int64_t row; /* of a table: the next one, of all planes */
    bool by_lines;
} weight_file;

void inlay_grid_weights_free(inlay_grid_weights *weights)
{
    owned_weights *owned = (owned_weights *)weights;
    if (owned != NULL) {
        free(owned->cell);
        for (int axis = 0; axis < AXES; axis++) {
            free(owned->line[axis]);
        }
        free(owned);
    }
}

/* ---- Tables ---- */

static int take_row(weight_file *f, char *text)
{
    int64_t rows = f->length[0] * f->length[1], columns = f->length[2], count = 0;
    char *rest = NULL;
    if (f->row == rows) {
        return grid_lines_refuse(&f->lines, "a row too many; expected %lld rows of weights", (long long)rows);
    }
    if (f->to->cell == NULL) {
        bool fits = rows <= INLAY_GRID_TABLE / columns;
        f->to->cell = fits ? memory_array((size_t)(rows * columns), sizeof *f->to->cell) : NULL;
        if (f->to->cell == NULL) {
            return fits ? diag_no_memory(f->lines.diag)
                        : grid_lines_refuse(&f->lines,
                                            "a weight for each cell of too large a grid; expected rows "
                                            "FIRST-LAST WEIGHT, or at most %d cells",
                                            INLAY_GRID_TABLE);
        }
    }
    for (char *field = strtok_r(text, separators, &rest); field != NULL; field = strtok_r(NULL, separators, &rest)) {
        double weight = 0;
        if (count == columns || !grid_text_number(field, &weight)) {
            return grid_lines_refuse(&f->lines, "bad weight '%.*s'; expected %lld numbers of 0 or more", SHOWN, field,
                                     (long long)columns);
        }
        f->to->cell[f->row * columns + count++] = weight;
    }
    f->row++;
    return count == columns
               ? INLAY_OK
               : grid_lines_refuse(&f->lines, "%lld weights in a row; expected one for each of %lld columns",
                                   (long long)count, (long long)columns);
}

/* ---- Lines ---- */

/* "rows 0-99 2.5" */
static int take_lines(weight_file *f, char *text)
{
    char *rest = NULL;
    const char *word = strtok_r(text, separators, &rest), *range = strtok_r(NULL, separators, &rest),
               *number = strtok_r(NULL, separators, &rest);
    int axis = 0;
    int64_t first = 0, last = -1;
    double weight = 0;
    while (axis < AXES && strcmp(word, words[axis]) != 0) {
        axis++;
    }
    const char *dash = range != NULL ? grid_text_whole(range, false, &first) : NULL;
    const char *end = dash != NULL && *dash == '-' ? grid_text_whole(dash + 1, false, &last) : NULL;
    if (axis == AXES || end == NULL || *end != '\0' || number == NULL || strtok_r(NULL, separators, &rest) != NULL ||
        first > last || last >= f->length[axis] || !grid_text_number(number, &weight)) {
        return grid_lines_refuse(&f->lines, "bad line of weights; expected rows, columns or planes FIRST-LAST WEIGHT, "
                                            "counted from 0, or a weight for each column");
    }
    double *line = f->to->line[axis];
    if (line == NULL) {
        bool fits = f->length[axis] <= INLAY_GRID_TABLE;
        line = fits ? memory_array((size_t)f->length[axis], sizeof *line) : NULL;
        if (line == NULL) {
            return diag_no_memory(f->lines.diag);
        }
        for (int64_t i = 0; i < f->length[axis]; i++) {
            line[i] = 1;
        }
        f->to->line[axis] = line;
    }
    for (int64_t i = first; i <= last; i++) {
        line[i] = weight;
    }
    return INLAY_OK;
}

static int take_line(void *context, char *text)
{
    weight_file *f = context;
    bool by_lines = *text >= 'a' && *text <= 'z';
    if (f->row == 0 && !f->by_lines) {
        f->by_lines = by_lines;
    }
    return f->by_lines ? take_lines(f, text) : take_row(f, text);
}

int inlay_grid_weights_read(const char *path, const inlay_grid_problem *problem, inlay_grid_weights **weights,
                            inlay_diag *diag)
{
    DIAG_CALL(diag);
    owned_weights *to = memory_zeroed(1, sizeof *to);
    weight_file f = {.lines.kind = "weights of cells",
                     .length = {problem->planes > 1 ? problem->planes : 1, problem->rows, problem->columns},
                     .to = to};
    int status = to != NULL ? grid_lines_open(path, "weights of cells", &f.lines, diag) : diag_no_memory(diag);
    status = status == INLAY_OK ? grid_lines_take(&f.lines, take_line, &f) : status;
    const int64_t rows = f.length[0] * f.length[1];
    if (status == INLAY_OK && !f.by_lines && f.row < rows) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, f.lines.source, 0,
                              "%lld rows of weights; expected one for each of %lld rows of the grid", (long long)f.row,
                              (long long)rows);
    }
    input_close(f.lines.in);
    if (status == INLAY_OK) {
        to->shown = (inlay_grid_weights){to->cell, to->line[1], to->line[2], to->line[0]};
        *weights = &to->shown;
    } else if (to != NULL) {
        inlay_grid_weights_free(&to->shown);
    }
    return status;
}
