/* Weights of cells: sums up to each line of an axis, or up to each cell, by which the weight of a block is found. */
#include "base/diag.h"
#include "base/memory.h"
#include "grid/grid.h"
#include <math.h>
#include <stdlib.h>

/* ---- Sums ---- */

static int check_weight(double weight, const char *what, int64_t i, inlay_diag *diag)
{
    return weight >= 0 && isfinite(weight)
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s %lld has the weight %g; expected a finite number, 0 or more",
                           what, (long long)i, weight);
}

/* sum[i]: of the lines before line i. */
static int sum_lines(const double *weight, int64_t lines, const char *what, double **sum, inlay_diag *diag)
{
    int status = INLAY_OK;
    *sum = memory_zeroed((size_t)lines + 1, sizeof **sum);
    if (*sum == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < lines && status == INLAY_OK; i++) {
        double one = weight != NULL ? weight[i] : 1;
        status = check_weight(one, what, i, diag);
        (*sum)[i + 1] = (*sum)[i] + one;
    }
    return status;
}

/* Where the sum of the cells before a plane, a row and a column is. */
static size_t place_of(const grid_weights *w, int64_t plane, int64_t row, int64_t column)
{
    return (size_t)((plane * (w->length[GRID_DOWN] + 1) + row) * (w->length[GRID_ACROSS] + 1) + column);
}

static int sum_cells(const double *weight, grid_weights *w, inlay_diag *diag)
{
    int64_t m = w->length[GRID_DOWN], n = w->length[GRID_ACROSS], planes = w->length[GRID_THROUGH];
    int status = INLAY_OK;
    w->table = memory_zeroed((size_t)((m + 1) * (n + 1) * (planes + 1)), sizeof *w->table);
    if (w->table == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < m * n * planes && status == INLAY_OK; i++) {
        int64_t t = i / n / m, r = i / n % m, c = i % n;
        status = check_weight(weight[i], "cell", i, diag);
        double line = w->table[place_of(w, t + 1, r + 1, c)] - w->table[place_of(w, t, r + 1, c)] -
                      w->table[place_of(w, t + 1, r, c)] + w->table[place_of(w, t, r, c)];
        w->table[place_of(w, t + 1, r + 1, c + 1)] = w->table[place_of(w, t, r + 1, c + 1)] +
                                                     w->table[place_of(w, t + 1, r, c + 1)] -
                                                     w->table[place_of(w, t, r, c + 1)] + line + weight[i];
    }
    return status;
}

static int fill(const inlay_grid_problem *problem, grid_weights *w, inlay_diag *diag)
{
    const inlay_grid_weights *of = problem->weights;
    const inlay_grid_block all = {0, 0, problem->rows, problem->columns, 0, grid_problem_planes(problem)};
    if (grid_problem_cells(problem) > INLAY_GRID_TABLE &&
        (of->cell != NULL || problem->rows > INLAY_GRID_TABLE || problem->columns > INLAY_GRID_TABLE ||
         all.back > INLAY_GRID_TABLE)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "weights of %lld cells; expected at most %d, or of lines",
                         (long long)grid_problem_cells(problem), INLAY_GRID_TABLE);
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        w->length[axis] = grid_length(&all, axis);
    }
    int status = of->cell != NULL ? sum_cells(of->cell, w, diag) : INLAY_OK;
    if (of->cell == NULL) {
        status = sum_lines(of->row, problem->rows, "row", &w->line[GRID_DOWN], diag);
        status = status == INLAY_OK ? sum_lines(of->column, problem->columns, "column", &w->line[GRID_ACROSS], diag)
                                    : status;
        status = status == INLAY_OK ? sum_lines(of->plane, all.back, "plane", &w->line[GRID_THROUGH], diag) : status;
    }
    double total = status == INLAY_OK ? grid_weight(w, &all) : 1;
    return !(total > 0) || !isfinite(total)
               ? diag_fail(diag, INLAY_BAD_ARGUMENT, "the cells weigh %g in all; expected a finite number above 0",
                           total)
               : status;
}

int grid_weights_make(const inlay_grid_problem *problem, grid_weights **weights, inlay_diag *diag)
{
    if (problem->weights == NULL) {
        return INLAY_OK;
    }
    *weights = memory_zeroed(1, sizeof **weights);
    return *weights != NULL ? fill(problem, *weights, diag) : diag_no_memory(diag);
}

void grid_weights_free(grid_weights *weights)
{
    for (int axis = 0; weights != NULL && axis < GRID_AXES; axis++) {
        free(weights->line[axis]);
    }
    if (weights != NULL) {
        free(weights->table);
        free(weights);
    }
}

double grid_weight(const grid_weights *w, const inlay_grid_block *b)
{
    double sum = 1;
    if (w->table == NULL) {
        for (int axis = 0; axis < GRID_AXES; axis++) {
            sum *= w->line[axis][grid_end(b, axis)] - w->line[axis][grid_begin(b, axis)];
        }
        return sum;
    }
    sum = 0;
    for (int side = 0; side < 2; side++) {
        int64_t plane = side == 0 ? b->back : b->front;
        double flat = w->table[place_of(w, plane, b->bottom, b->right)] -
                      w->table[place_of(w, plane, b->top, b->right)] -
                      w->table[place_of(w, plane, b->bottom, b->left)] + w->table[place_of(w, plane, b->top, b->left)];
        sum += side == 0 ? flat : -flat;
    }
    return fmax(0, sum);
}

double grid_weight_before(const grid_weights *w, int64_t cells, bool down)
{
    int64_t length = w->length[down ? GRID_DOWN : GRID_ACROSS], line = cells / length, rest = cells % length;
    inlay_grid_block full = down ? grid_flat(0, 0, length, line) : grid_flat(0, 0, line, length);
    inlay_grid_block part = down ? grid_flat(0, line, rest, line + 1) : grid_flat(line, 0, line + 1, rest);
    return grid_weight(w, &full) + (rest > 0 ? grid_weight(w, &part) : 0);
}

/* ---- Lines ---- */

/* The line of a region before which there is nearest to so much weight. */
static int64_t line_of(const grid_weights *w, const inlay_grid_block *region, int axis, double target)
{
    int64_t low = grid_begin(region, axis), high = grid_end(region, axis);
    while (low < high) { /* the first one with as much, or the last of all */
        int64_t middle = low + (high - low) / 2;
        inlay_grid_block before = grid_part(*region, axis, middle, 0);
        if (grid_weight(w, &before) >= target) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low > grid_begin(region, axis)) {
        inlay_grid_block with = grid_part(*region, axis, low, 0), without = grid_part(*region, axis, low - 1, 0);
        low -= target - grid_weight(w, &without) < grid_weight(w, &with) - target;
    }
    return low;
}

int64_t grid_line_at(const grid_weights *w, const inlay_grid_block *region, int axis, int64_t first, int64_t second)
{
    if (w == NULL) {
        return grid_begin(region, axis) + grid_proportion(grid_length(region, axis), first, second);
    }
    return line_of(w, region, axis, grid_weight(w, region) * ((double)first / ((double)first + (double)second)));
}

int grid_share_lines(const grid_weights *w, const inlay_grid_block *region, int axis, inlay_grid_shares rule,
                     int32_t parts, const int64_t *speed, int64_t *share, inlay_diag *diag)
{
    if (w == NULL) {
        return grid_share(rule, grid_length(region, axis), parts, speed, share, diag);
    }
    double all = 0, before = 0, weight = grid_weight(w, region);
    int64_t at = grid_begin(region, axis);
    for (int32_t i = 0; i < parts; i++) {
        all += (double)speed[i];
    }
    for (int32_t i = 0; i < parts; i++) {
        before += (double)speed[i];
        int64_t end = i == parts - 1 ? grid_end(region, axis) : line_of(w, region, axis, weight * (before / all));
        end = end < at ? at : end;
        share[i] = end - at;
        at = end;
    }
    return INLAY_OK;
}
