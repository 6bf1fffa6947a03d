/* Costs of the methods over the size of the grid, and where the best one changes. */
#include "decompose.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>

/* Between two sizes that are looked at the best method changes at most so often. */
enum { MOST_CHANGES = 16 };

void decompose_crossover_clear(decompose_crossover *crossover)
{
    for (size_t i = 0; i < INLAY_GRID_METHODS; i++) {
        free(crossover->seconds[i]);
    }
    free(crossover->rows);
    free(crossover->size);
    free(crossover->range);
    *crossover = (decompose_crossover){0};
}

int64_t decompose_columns(const decompose_question *question, int64_t rows)
{
    const inlay_grid_problem *of = &question->problem;
    double columns = round((double)rows * (double)of->columns / (double)of->rows);
    return columns >= 1 ? (int64_t)columns : 1;
}

/* ---- One size ---- */

static int rank_size(const decomposed *of, int64_t rows, inlay_grid_ranking **ranking, inlay_diag *diag)
{
    const decompose_question *asked = &of->question;
    inlay_grid_problem problem = asked->problem;
    inlay_grid_rank_options options = asked->options;
    problem.rows = rows;
    problem.columns = decompose_columns(asked, rows);
    options.redistribute = false;
    return inlay_grid_rank(&problem, &asked->network, asked->program->phase, asked->program->phases, &options, ranking,
                           diag);
}

static int best_of_size(const decomposed *of, int64_t rows, inlay_grid_method *method, inlay_diag *diag)
{
    inlay_grid_ranking *ranking = NULL;
    int status = rank_size(of, rows, &ranking, diag);
    if (status == INLAY_OK) {
        *method = inlay_grid_ranking_row(ranking, 0)->method;
        inlay_grid_ranking_free(ranking);
    }
    return status;
}

static int cost_size(decomposed *of, size_t at, inlay_grid_method *best, inlay_diag *diag)
{
    decompose_crossover *to = &of->crossover;
    inlay_grid_ranking *ranking = NULL;
    int status = rank_size(of, to->rows[at], &ranking, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (size_t i = 0; i < inlay_grid_ranking_rows(ranking); i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
        if (to->seconds[row->method] != NULL) {
            to->seconds[row->method][at] = row->cost.seconds;
        }
    }
    *best = inlay_grid_ranking_row(ranking, 0)->method;
    inlay_grid_ranking_free(ranking);
    return INLAY_OK;
}

/* ---- Ranges ---- */

static void add_range(decompose_crossover *to, int64_t from, inlay_grid_method method)
{
    to->range[to->ranges++] = (decompose_range){from, from, method};
}

/* Finds the changes above `from`, for which `method` is the best, up to `end`, for which `last` is. */
static int find_changes(decomposed *of, int64_t from, int64_t end, inlay_grid_method last, inlay_diag *diag)
{
    decompose_crossover *to = &of->crossover;
    int status = INLAY_OK;
    for (int changes = 0; status == INLAY_OK && to->range[to->ranges - 1].method != last; changes++) {
        inlay_grid_method before = to->range[to->ranges - 1].method, above = last;
        int64_t high = end;
        while (status == INLAY_OK && changes + 1 < MOST_CHANGES && high - from > 1) {
            inlay_grid_method middle = before;
            status = best_of_size(of, from + (high - from) / 2, &middle, diag);
            above = middle != before ? middle : above;
            *(middle != before ? &high : &from) = from + (high - from) / 2;
        }
        to->range[to->ranges - 1].to = high - 1;
        add_range(to, high, above);
        from = high;
    }
    to->range[to->ranges - 1].to = end;
    return status;
}

static int find_ranges(decomposed *of, const inlay_grid_method *best, inlay_diag *diag)
{
    decompose_crossover *to = &of->crossover;
    int status = INLAY_OK;
    add_range(to, to->rows[0], best[0]);
    for (size_t i = 1; i < to->sizes && status == INLAY_OK; i++) {
        status = find_changes(of, to->rows[i - 1], to->rows[i], best[i], diag);
    }
    return status;
}

/* ---- Sizes ---- */

/* Whole numbers from `from` to `to` by equal factors, each once. */
static void fill_sizes(decompose_crossover *to, int64_t from, int64_t end, size_t points)
{
    double factor = log((double)end / (double)from) / (double)(points - 1);
    for (size_t i = 0; i < points; i++) {
        int64_t rows = i + 1 == points ? end : (int64_t)llround((double)from * exp(factor * (double)i));
        if (to->sizes == 0 || rows > to->rows[to->sizes - 1]) {
            to->size[to->sizes] = (double)rows;
            to->rows[to->sizes++] = rows;
        }
    }
}

static bool make_room(decomposed *of, size_t points)
{
    decompose_crossover *to = &of->crossover;
    uint32_t methods = of->question.options.methods;
    bool made = true;
    to->rows = malloc(points * sizeof *to->rows);
    to->size = malloc(points * sizeof *to->size);
    to->range = malloc(points * (MOST_CHANGES + 1) * sizeof *to->range);
    for (int m = 0; m < INLAY_GRID_METHODS; m++) {
        if ((methods >> m & 1) != 0) {
            to->seconds[m] = malloc(points * sizeof *to->seconds[m]);
            made = made && to->seconds[m] != NULL;
        }
        for (size_t i = 0; to->seconds[m] != NULL && i < points; i++) {
            to->seconds[m][i] = NAN;
        }
    }
    return made && to->rows != NULL && to->size != NULL && to->range != NULL;
}

int decompose_find_crossover(decomposed *of, int64_t from, int64_t to, size_t points, inlay_diag *diag)
{
    inlay_grid_method *best = calloc(points, sizeof *best);
    int status = best != NULL && make_room(of, points) ? INLAY_OK : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        fill_sizes(&of->crossover, from, to, points);
    }
    for (size_t i = 0; i < of->crossover.sizes && status == INLAY_OK; i++) {
        status = cost_size(of, i, &best[i], diag);
    }
    if (status == INLAY_OK) {
        status = find_ranges(of, best, diag);
    }
    free(best);
    return status;
}
