/* What a sweep answers: its rows, the intervals in which all fits, and the time frames that stand out. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/app.h"
#include "search/sweep.h"
#include <math.h>
#include <stdlib.h>

/* ---- Points ---- */

static void set_point(inlay_sweep_point *point, size_t row, double time_frame, const inlay_sweep_cost *cost)
{
    *point = (inlay_sweep_point){.exists = true, .time_frame = time_frame, .row = row, .cost = *cost};
}

static void set_at_frame(inlay_sweep_point *point, size_t row, const frame *at, const inlay_sweep_cost *cost)
{
    set_point(point, row, at->value, cost);
    decimal_text(at->exact, point->text);
}

/* A root has no exact decimal: the shortest that reads back. */
static void set_at_root(inlay_sweep_point *point, size_t row, double time_frame, const inlay_sweep_cost *cost)
{
    inlay_decimal exact;
    set_point(point, row, time_frame, cost);
    if (inlay_decimal_from_double(time_frame, &exact) == INLAY_OK) {
        decimal_text(exact, point->text);
    } else {
        (void)plain_print(point->text, sizeof point->text, "%.17g", time_frame);
    }
}

/* The shortest elapsed time; then the fewest clusters, then the least T. */
static bool is_better(const inlay_sweep_result *to, const job *done)
{
    const inlay_sweep_point *best = &to->summary.best;
    if (!best->exists) {
        return true;
    }
    double now = done->row.elapsed, before = to->rows[best->row].elapsed;
    return now < before || (now == before && done->row.clusters < to->rows[best->row].clusters);
}

static int set_points(inlay_sweep_result *to, const sweep_range *range, const figures *f, figures_workspace *workspace,
                      const job *done)
{
    inlay_sweep_summary *s = &to->summary;
    const inlay_sweep_row *row = &done->row;
    size_t number = to->row_count - 1;
    bool enough = row->clusters <= s->processors;
    bool is_given = range->has_given && !s->given.exists && job_holds(done, &range->given);
    bool is_fit = enough && row->fits && !s->t_fit.exists;
    bool is_parallel = enough && row->fits && row->parallelism == row->clusters && !s->t_par.exists;
    inlay_sweep_cost cost;
    if (done->opens && !s->t_min.exists) {
        set_at_frame(&s->t_min, number, &done->open, &done->open_cost);
    }
    if (done->opens && enough && !s->t_processors.exists) {
        set_at_frame(&s->t_processors, number, &done->open, &done->open_cost);
    }
    if (done->opens && enough && is_better(to, done)) {
        set_at_frame(&s->best, number, &done->open, &done->open_cost);
    }
    if (is_given || is_fit || is_parallel) {
        int status = figures_lay(f, workspace, &done->place);
        if (status != INLAY_OK) {
            return status;
        }
    }
    if (is_given) {
        figures_cost(f, workspace, range->given.value, &cost);
        set_at_frame(&s->given, number, &range->given, &cost);
    }
    if (is_fit || is_parallel) {
        figures_cost(f, workspace, row->fits_from, &cost);
    }
    if (is_fit) {
        set_at_root(&s->t_fit, number, row->fits_from, &cost);
    }
    if (is_parallel) {
        set_at_root(&s->t_par, number, row->fits_from, &cost);
    }
    return INLAY_OK;
}

/* ---- Intervals ---- */

/* An interval goes on where the next row fits from its beginning. */
static bool add_interval(inlay_sweep_result *to, const inlay_sweep_row *row)
{
    inlay_sweep_interval *last = to->fit_count > 0 ? &to->fits[to->fit_count - 1] : NULL;
    double until = row->bounded ? inlay_sweep_time(to, row->until) : INFINITY;
    if (!row->fits || row->clusters > to->summary.processors) {
        return true;
    }
    if (last != NULL && last->to == row->fits_from) {
        last->to = until;
        return true;
    }
    if (!memory_grow((void **)&to->fits, &to->fit_capacity, to->fit_count + 1, sizeof *to->fits)) {
        return false;
    }
    to->fits[to->fit_count++] = (inlay_sweep_interval){row->fits_from, until};
    return true;
}

/* ---- Rows ---- */

int sweep_add_row(inlay_sweep_result *to, const sweep_range *range, const figures *f, figures_workspace *workspace,
                  const job *done, inlay_diag *diag)
{
    if (!memory_grow((void **)&to->rows, &to->row_capacity, to->row_count + 1, sizeof *to->rows) ||
        !add_interval(to, &done->row)) {
        return diag_no_memory(diag);
    }
    inlay_id fewest = to->summary.fewest_clusters;
    to->rows[to->row_count++] = done->row;
    to->summary.fewest_clusters = fewest == 0 || done->row.clusters < fewest ? done->row.clusters : fewest;
    return set_points(to, range, f, workspace, done) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

/* ---- Questions ---- */

void inlay_sweep_free(inlay_sweep_result *sweep)
{
    if (sweep != NULL) {
        free(sweep->rows);
        free(sweep->fits);
        free(sweep);
    }
}

size_t inlay_sweep_rows(const inlay_sweep_result *sweep)
{
    return sweep->row_count;
}

const inlay_sweep_row *inlay_sweep_row_at(const inlay_sweep_result *sweep, size_t row)
{
    return &sweep->rows[row];
}

double inlay_sweep_time(const inlay_sweep_result *sweep, inlay_time grains)
{
    return inlay_decimal_double(frame_decimal(grains, inlay_app_decimals(sweep->app), sweep->summary.speed));
}

char *inlay_sweep_time_text(const inlay_sweep_result *sweep, inlay_time grains, char text[INLAY_TIME_TEXT])
{
    return decimal_text(frame_decimal(grains, inlay_app_decimals(sweep->app), sweep->summary.speed), text);
}

const inlay_sweep_summary *inlay_sweep_summary_of(const inlay_sweep_result *sweep)
{
    return &sweep->summary;
}

const inlay_sweep_interval *inlay_sweep_fits(const inlay_sweep_result *sweep, size_t *count)
{
    *count = sweep->fit_count;
    return sweep->fits;
}

const inlay_app *inlay_sweep_app(const inlay_sweep_result *sweep)
{
    return sweep->app;
}

const inlay_machine *inlay_sweep_machine(const inlay_sweep_result *sweep)
{
    return sweep->machine;
}
