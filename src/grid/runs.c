/* Contiguous points: each processor has a run of cells in reading order, or down the columns. */
#include "base/sorted.h"
#include "grid/grid.h"
#include "base/diag.h"
#include "base/memory.h"
#include "grid/tally.h"

/* Each run begins where the cells before it weigh nearest to what those before it compute. */
static void start_by_weight(inlay_decomposition *d, const int64_t *whole)
{
    int64_t cells = d->summary.rows * d->summary.columns, at = 0;
    double all = 0, before = 0;
    for (int32_t i = 0; i < d->processors; i++) {
        all += (double)whole[i];
    }
    d->runs.start[0] = 0;
    for (int32_t i = 0; i < d->processors; i++) {
        int64_t high = cells;
        before += (double)whole[i];
        while (at < high) {
            int64_t middle = at + (high - at) / 2;
            if (grid_weight_before(d->weights, middle, d->runs.down) >= d->total * (before / all)) {
                high = middle;
            } else {
                at = middle + 1;
            }
        }
        d->runs.start[i + 1] = at;
    }
    d->runs.start[d->processors] = cells;
}

int grid_make_runs(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    grid_runs *runs = &d->runs;
    int64_t m = d->summary.rows;
    int64_t n = d->summary.columns;
    int flat = grid_check_flat(d, diag);
    if (flat != INLAY_OK) {
        return flat;
    }
    d->shape = GRID_RUNS;
    runs->down = options->down;
    runs->rows = options->down ? n : m;
    runs->columns = options->down ? m : n;
    runs->start = memory_array((size_t)d->processors + 1, sizeof *runs->start);
    if (runs->start == NULL) {
        return diag_no_memory(diag);
    }
    if (d->weights != NULL) {
        start_by_weight(d, whole);
        return INLAY_OK;
    }
    /* the shares, then where they begin */
    int status = grid_share(options->shares, m * n, d->processors, whole, runs->start + 1, diag);
    runs->start[0] = 0;
    for (int32_t i = 0; i < d->processors && status == INLAY_OK; i++) {
        runs->start[i + 1] += runs->start[i];
    }
    return status;
}

/* Cells before place x in columns [left, right). */
static int64_t count_before(const grid_runs *runs, int64_t x, int64_t left, int64_t right)
{
    int64_t column = x % runs->columns;
    int64_t part = column < left ? 0 : column < right ? column - left : right - left;
    return x / runs->columns * (right - left) + part;
}

/* The cells from `begin` to before `end`, in the order of the runs, whose column is in [left, right). */
static int64_t grid_runs_count(const grid_runs *runs, int64_t begin, int64_t end, int64_t left, int64_t right)
{
    return count_before(runs, end, left, right) - count_before(runs, begin, left, right);
}

/* The last run that begins at or before place x: empty ones come before it. */
static int32_t run_of(const grid_runs *runs, int32_t processors, int64_t x)
{
    return (int32_t)sorted_row(runs->start, processors, x);
}

int32_t grid_runs_owner(const grid_runs *runs, int32_t processors, int64_t row, int64_t column)
{
    return run_of(runs, processors, runs->down ? column * runs->columns + row : row * runs->columns + column);
}

void grid_runs_overlaps(const grid_runs *runs, int32_t processors, int64_t begin, int64_t end, int64_t shift,
                        int64_t left, int64_t right, grid_tally *tally)
{
    if (begin >= end || left >= right) {
        return;
    }
    for (int32_t j = run_of(runs, processors, begin + shift); j < processors && runs->start[j] < end + shift; j++) {
        int64_t from = runs->start[j] - shift > begin ? runs->start[j] - shift : begin;
        int64_t to = runs->start[j + 1] - shift < end ? runs->start[j + 1] - shift : end;
        if (from < to) {
            grid_tally_add(tally, j, grid_runs_count(runs, from, to, left, right));
        }
    }
}
