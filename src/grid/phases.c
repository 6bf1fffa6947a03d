/*
 * Several phases: each with a decomposition of its own, and the data on their way from one to the next. The shortest
 * cycle over all choices, by dynamic programming for every decomposition of the first phase.
 */
#include "grid/rank.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

typedef struct table {
    size_t phases, rows;
    double *step;   /* [phase][row]: its steps of a cycle */
    double *way;    /* [row][row]: from one to the other; INFINITY where that cannot be counted */
    double *least;  /* [phase][row]: the shortest way to there from a given first row */
    size_t *before; /* [phase][row]: the row of the phase before */
} table;

static void clear_table(table *t)
{
    free(t->step);
    free(t->way);
    free(t->least);
    free(t->before);
}

static int make_table(size_t phases, size_t rows, table *t, inlay_diag *diag)
{
    *t = (table){.phases = phases, .rows = rows};
    t->step = memory_array(phases * rows, sizeof *t->step);
    t->way = memory_array(rows * rows, sizeof *t->way);
    t->least = memory_array(phases * rows, sizeof *t->least);
    t->before = memory_array(phases * rows, sizeof *t->before);
    return t->step != NULL && t->way != NULL && t->least != NULL && t->before != NULL ? INLAY_OK : diag_no_memory(diag);
}

static int fill_steps(const grid_question *q, const inlay_grid_row *row, table *t, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < t->phases; i++) {
        for (size_t r = 0; r < t->rows && status == INLAY_OK; r++) {
            grid_coster coster = {0};
            inlay_grid_cost cost = {0};
            status = grid_coster_make(row[r].decomposition, q->network, &q->phase[i], 1, &coster, diag);
            status = status == INLAY_OK ? grid_coster_run(&coster, row[r].decomposition, &cost, diag) : status;
            grid_coster_clear(&coster);
            t->step[i * t->rows + r] = cost.seconds;
        }
    }
    return status;
}

static int fill_ways(const grid_question *q, const inlay_grid_row *row, table *t, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t a = 0; a < t->rows; a++) {
        for (size_t b = 0; b < t->rows && status == INLAY_OK; b++) {
            inlay_grid_cost cost = {0};
            if (a != b) {
                status = inlay_decomposition_redistribute(row[a].decomposition, row[b].decomposition, q->network, 0,
                                                          &cost, diag);
            }
            if (status == INLAY_NO_ANSWER) {
                diag_clear_error(diag);
                cost.seconds = INFINITY;
                status = INLAY_OK;
            }
            t->way[a * t->rows + b] = cost.seconds;
        }
    }
    return status;
}

/* The shortest cycle whose first phase has row `first`, less the way back to it; fills in `before`. */
static void go_from(table *t, size_t first)
{
    for (size_t r = 0; r < t->rows; r++) {
        t->least[r] = r == first ? t->step[r] : (double)INFINITY;
    }
    for (size_t i = 1; i < t->phases; i++) {
        for (size_t r = 0; r < t->rows; r++) {
            double least = INFINITY;
            size_t best = 0;
            for (size_t from = 0; from < t->rows; from++) {
                double seconds = t->least[(i - 1) * t->rows + from] + t->way[from * t->rows + r];
                if (seconds < least) {
                    least = seconds;
                    best = from;
                }
            }
            t->least[i * t->rows + r] = least + t->step[i * t->rows + r];
            t->before[i * t->rows + r] = best;
        }
    }
}

/* Keeps the cycle that ends in row `last`. */
static void keep(const table *t, size_t first, size_t last, double seconds, inlay_grid_redistribution *result,
                 size_t *row_of_phase)
{
    result->seconds = seconds;
    result->ways = t->way[last * t->rows + first];
    for (size_t i = t->phases; i-- > 0;) {
        row_of_phase[i] = last;
        if (i > 0) {
            result->ways += t->way[t->before[i * t->rows + last] * t->rows + last];
            last = t->before[i * t->rows + last];
        }
    }
}

/* What is shorter by rounding alone does not pay. */
static bool is_shorter(double seconds, double than)
{
    return seconds < than * (1 - 1e-12);
}

int grid_redistribute_rows(const grid_question *q, const inlay_grid_row *row, size_t rows,
                           inlay_grid_redistribution *result, size_t **row_of_phase, inlay_diag *diag)
{
    table t;
    size_t *chosen = memory_zeroed(q->phases, sizeof *chosen); /* row 0 for all: the best without ways */
    int status = make_table(q->phases, rows, &t, diag);
    status = status == INLAY_OK && chosen == NULL ? diag_no_memory(diag) : status;
    status = status == INLAY_OK ? fill_steps(q, row, &t, diag) : status;
    status = status == INLAY_OK ? fill_ways(q, row, &t, diag) : status;
    if (status == INLAY_OK) {
        double without = row[0].cost.seconds;
        *result = (inlay_grid_redistribution){.seconds = without, .seconds_without = without, .row = chosen};
        for (size_t first = 0; first < rows; first++) {
            go_from(&t, first);
            for (size_t last = 0; last < rows; last++) {
                double seconds = t.least[(t.phases - 1) * rows + last] + t.way[last * rows + first];
                if (is_shorter(seconds, result->seconds)) {
                    keep(&t, first, last, seconds, result, chosen);
                }
            }
        }
        result->pays = is_shorter(result->seconds, without);
        *row_of_phase = chosen;
        chosen = NULL;
    }
    free(chosen);
    clear_table(&t);
    return status;
}
