/*
 * Tables of f: Steffen's monotone cubics over y (M. Steffen, "A simple method for monotonic interpolation in one
 * dimension", Astronomy and Astrophysics 239, 1990; GSL), straight lines over x.
 *
 * t = y / f falls nowhere as x and y grow in step if f >= x df/dx + y df/dy. Within a cell of the table that is linear in
 * x, and at its two ends a cubic in y, so that the least value is found exactly.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/turn.h"
#include "processes/performance.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_spline.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void performance_table_clear(performance_table *table)
{
    free(table->processes);
    free(table->data);
    free(table->cubic);
    *table = (performance_table){0};
}

/* ---- Evaluation ---- */

static double cubic_at(const double cubic[4], double u)
{
    return cubic[0] + u * (cubic[1] + u * (cubic[2] + u * cubic[3]));
}

/* The last of `count` rising numbers that is at most `x`, or the first of all. */
static size_t place(const double *rising, size_t count, double x)
{
    size_t low = 0;
    size_t high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (rising[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double performance_table_speed(const performance_table *t, double processes, double data)
{
    size_t k = place(t->data, t->knots, data);
    double u = fmax(0, data - t->data[k]);
    size_t j = place(t->processes, t->columns, processes);
    double speed = cubic_at(t->cubic[j * t->knots + k], u);
    double beyond = processes - t->processes[j];
    if (beyond <= 0) {
        return speed;
    }
    if (j + 1 == t->columns) {
        return speed / (1 + t->growth * beyond);
    }
    double share = beyond / (t->processes[j + 1] - t->processes[j]);
    return (1 - share) * speed + share * cubic_at(t->cubic[(j + 1) * t->knots + k], u);
}

/* ---- The grid ---- */

static int by_place(const void *a, const void *b)
{
    const inlay_measurement *m = a;
    const inlay_measurement *n = b;
    if (m->processes != n->processes) {
        return m->processes < n->processes ? -1 : 1;
    }
    return (m->data > n->data) - (m->data < n->data);
}

static int refuse_hole(const inlay_measurement *has, const inlay_measurement *lacks, inlay_diag *diag)
{
    char data[DOUBLE_TEXT];
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "%" PRId64 " process%s measured with %s data, %" PRId64
                     " %s not; expected one measurement for each pair of processes and data",
                     has->processes, has->processes == 1 ? " was" : "es were", double_text(has->data, data),
                     lacks->processes, lacks->processes == 1 ? "was" : "were");
}

/* Whether each x has the y of the first one. */
static int check_grid(const inlay_measurement *sorted, size_t count, size_t knots, inlay_diag *diag)
{
    char data[DOUBLE_TEXT];
    for (size_t i = 1; i < count; i++) {
        if (by_place(&sorted[i - 1], &sorted[i]) == 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "%" PRId64 " process%s with %s data %s measured twice; expected once in a table",
                             sorted[i].processes, sorted[i].processes == 1 ? "" : "es",
                             double_text(sorted[i].data, data), sorted[i].processes == 1 ? "was" : "were");
        }
    }
    for (size_t i = knots; i < count; i++) {
        const inlay_measurement *first = &sorted[i % knots];
        const inlay_measurement *now = &sorted[i];
        bool same_column = i % knots == 0 || now->processes == sorted[i - 1].processes;
        bool new_column = i % knots != 0 || now->processes != sorted[i - 1].processes;
        if (!same_column) {
            return refuse_hole(first, &sorted[i - 1], diag);
        }
        if (!new_column) {
            return refuse_hole(now, &sorted[0], diag);
        }
        if (now->data != first->data) {
            return now->data < first->data ? refuse_hole(now, first, diag) : refuse_hole(first, now, diag);
        }
    }
    return count % knots == 0 ? INLAY_OK : refuse_hole(&sorted[count % knots], &sorted[count - 1], diag);
}

/* Only the time of one more unit of data at the same x is looked at here: the rest is check_rays()'s. */
static int check_times(const inlay_measurement *sorted, size_t count, inlay_diag *diag)
{
    char less[DOUBLE_TEXT];
    char more[DOUBLE_TEXT];
    for (size_t i = 1; i < count; i++) {
        const inlay_measurement *m = &sorted[i - 1];
        const inlay_measurement *n = &sorted[i];
        if (m->processes == n->processes && !(n->data / n->speed > m->data / m->speed)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "%" PRId64 " process%s no longer with %s data than with %s; expected times that rise "
                             "with the data",
                             m->processes, m->processes == 1 ? " takes" : "es take", double_text(n->data, more),
                             double_text(m->data, less));
        }
    }
    return INLAY_OK;
}

/* ---- Cubics ---- */

/* The slopes of one column at its knots, by GSL. */
static int slopes_of(const double *data, const double *speed, size_t knots, double *slope, inlay_diag *diag)
{
    turn_take(); /* GSL's error handler is a variable of its own */
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_interp *steffen = gsl_interp_alloc(gsl_interp_steffen, knots);
    int failed = steffen == NULL ? GSL_ENOMEM : gsl_interp_init(steffen, data, speed, knots);
    for (size_t k = 0; k < knots && failed == GSL_SUCCESS; k++) {
        failed = gsl_interp_eval_deriv_e(steffen, data, speed, data[k], NULL, &slope[k]);
    }
    gsl_interp_free(steffen);
    gsl_set_error_handler(before);
    turn_give();
    if (failed == GSL_ENOMEM) {
        return diag_no_memory(diag);
    }
    return failed == GSL_SUCCESS
               ? INLAY_OK
               : diag_fail(diag, INLAY_SYSTEM, "the interpolation of a table: %s", gsl_strerror(failed));
}

/* One column: `slope` is scratch room. Steffen's method needs three knots; two are joined by a line. */
static int fill_column(performance_table *t, size_t column, double *speed, double *slope, inlay_diag *diag)
{
    double(*cubic)[4] = t->cubic + column * t->knots;
    size_t last = t->knots - 1;
    if (t->knots == 2) {
        slope[0] = slope[1] = (speed[1] - speed[0]) / (t->data[1] - t->data[0]);
    } else if (t->knots > 2) {
        int status = slopes_of(t->data, speed, t->knots, slope, diag);
        if (status != INLAY_OK) {
            return status;
        }
    }
    for (size_t k = 0; k < last; k++) {
        double width = t->data[k + 1] - t->data[k];
        double mean = (speed[k + 1] - speed[k]) / width;
        cubic[k][0] = speed[k];
        cubic[k][1] = slope[k];
        cubic[k][2] = (3 * mean - 2 * slope[k] - slope[k + 1]) / width;
        cubic[k][3] = (slope[k] + slope[k + 1] - 2 * mean) / width / width;
    }
    memset(cubic[last], 0, sizeof cubic[last]);
    cubic[last][0] = speed[last];
    return INLAY_OK;
}

/* The mean share by which the time of some data grows from the last x but one to the last, for each process. */
static double growth_of(const performance_table *t)
{
    double sum = 0;
    size_t last = t->columns - 1;
    for (size_t k = 0; k < t->knots && last > 0; k++) {
        double speed = t->cubic[last * t->knots + k][0];
        double before = t->cubic[(last - 1) * t->knots + k][0];
        sum += (before / speed - 1) / (t->processes[last] - t->processes[last - 1]);
    }
    return fmax(0, sum / (double)t->knots);
}

/* ---- Whether t rises along all rays ---- */

/* Coefficients by powers of u = y - y_k; the same layout as `cubic`. */
typedef struct excess {
    double at[4];
} excess;

/* f - x df/dx - y df/dy at x = column `of` of the cell between columns j and j + 1, from knot k on. */
static excess excess_of(const performance_table *t, size_t j, size_t of, size_t k)
{
    const double *left = t->cubic[j * t->knots + k];
    const double *right = t->cubic[(j + 1) * t->knots + k];
    const double *here = t->cubic[of * t->knots + k];
    const double x[2] = {t->processes[j], t->processes[j + 1]};
    double start = t->data[k];
    excess e;
    for (int n = 0; n < 4; n++) {
        double level = (x[1] * left[n] - x[0] * right[n]) / (x[1] - x[0]);
        double rise = n < 3 ? start * (n + 1) * here[n + 1] : 0; /* y f' = (y_k + u) sum n c_n u^(n-1) */
        e.at[n] = level - rise - n * here[n];
    }
    return e;
}

/* The least value of a cubic in 0 .. width. */
static double least(const excess *e, double width)
{
    double turn[2] = {0, 0};
    double lowest = fmin(cubic_at(e->at, 0), cubic_at(e->at, width));
    int turns = gsl_poly_solve_quadratic(3 * e->at[3], 2 * e->at[2], e->at[1], &turn[0], &turn[1]);
    for (int n = 0; n < turns; n++) {
        if (turn[n] > 0 && turn[n] < width) {
            lowest = fmin(lowest, cubic_at(e->at, turn[n]));
        }
    }
    return lowest;
}

static int refuse_ray(const performance_table *t, size_t j, size_t k, inlay_diag *diag)
{
    char least_text[DOUBLE_TEXT];
    return diag_fail(
        diag, INLAY_BAD_ARGUMENT,
        "from %.0f to %.0f processes with data in step (%s data and more) the speed grows faster than they "
        "do, so that more would take less time; expected at most as fast (a processor with several cores "
        "can be given as several)",
        t->processes[j], t->processes[j + 1], double_text(t->data[k], least_text));
}

/* A single column has no cells, and check_times() has seen to its knots; between them it may still rise too fast. */
static int check_column(const performance_table *t, size_t column, inlay_diag *diag)
{
    static const double rounding = 1e-9;
    char from[DOUBLE_TEXT];
    char to[DOUBLE_TEXT];
    for (size_t k = 0; k + 1 < t->knots; k++) {
        const double *c = t->cubic[column * t->knots + k];
        double start = t->data[k];
        excess e = {{c[0] - start * c[1], -2 * start * c[2], -c[2] - 3 * start * c[3], -2 * c[3]}};
        if (least(&e, t->data[k + 1] - start) < -rounding * c[0]) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "the speed of %.0f processes rises so fast from %s to %s data that more data would take "
                             "less time between them; expected times that rise with the data",
                             t->processes[column], double_text(start, from), double_text(t->data[k + 1], to));
        }
    }
    return INLAY_OK;
}

static int check_rays(const performance_table *t, inlay_diag *diag)
{
    static const double rounding = 1e-9; /* of f: speeds that grow just in step are measured as decimals */
    for (size_t j = 0; j < t->columns; j++) {
        int status = check_column(t, j, diag);
        if (status != INLAY_OK) {
            return status;
        }
    }
    for (size_t j = 0; j + 1 < t->columns; j++) {
        for (size_t k = 0; k < t->knots; k++) {
            double left = t->cubic[j * t->knots + k][0];
            double right = t->cubic[(j + 1) * t->knots + k][0];
            double width = k + 1 < t->knots ? t->data[k + 1] - t->data[k] : 0;
            excess ends[2] = {excess_of(t, j, j, k), excess_of(t, j, j + 1, k)};
            /* Outside the y, f does not depend on y. */
            double level =
                (t->processes[j + 1] * left - t->processes[j] * right) / (t->processes[j + 1] - t->processes[j]);
            bool rises = fmin(least(&ends[0], width), least(&ends[1], width)) >= -rounding * fmax(left, right);
            bool outside = (k > 0 && k + 1 < t->knots) || level >= -rounding * fmax(left, right);
            if (!rises || !outside) {
                return refuse_ray(t, j, k, diag);
            }
        }
    }
    return INLAY_OK;
}

/* ---- Making ---- */

static bool make_room(performance_table *t, size_t columns, size_t knots)
{
    t->columns = columns;
    t->knots = knots;
    t->processes = memory_array(columns, sizeof *t->processes);
    t->data = memory_array(knots, sizeof *t->data);
    t->cubic = memory_array(columns * knots, sizeof *t->cubic);
    return t->processes != NULL && t->data != NULL && t->cubic != NULL;
}

/* `room` has two numbers for each knot. */
static int fill(performance_table *t, const inlay_measurement *sorted, double *room, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t k = 0; k < t->knots; k++) {
        t->data[k] = sorted[k].data;
    }
    for (size_t j = 0; j < t->columns && status == INLAY_OK; j++) {
        t->processes[j] = (double)sorted[j * t->knots].processes;
        for (size_t k = 0; k < t->knots; k++) {
            room[k] = sorted[j * t->knots + k].speed;
        }
        status = fill_column(t, j, room, room + t->knots, diag);
    }
    t->growth = status == INLAY_OK ? growth_of(t) : 0;
    return status == INLAY_OK ? check_rays(t, diag) : status;
}

static int make_table(performance_table *t, inlay_measurement *sorted, size_t count, inlay_diag *diag)
{
    size_t knots = 1;
    qsort(sorted, count, sizeof *sorted, by_place);
    while (knots < count && sorted[knots].processes == sorted[0].processes) {
        knots++;
    }
    int status = check_grid(sorted, count, knots, diag);
    status = status == INLAY_OK ? check_times(sorted, count, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    double *room = memory_array(knots, 2 * sizeof *room);
    status = room != NULL && make_room(t, count / knots, knots) ? fill(t, sorted, room, diag) : diag_no_memory(diag);
    free(room);
    return status;
}

int inlay_performance_table(const inlay_measurement *measurement, size_t count, inlay_performance **performance,
                            inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = performance_check(measurement, count, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_performance *made = performance_make(INLAY_PERFORMANCE_TABLE, (inlay_performance_numbers){0});
    inlay_measurement *sorted = memory_array(count, sizeof *sorted);
    if (made == NULL || sorted == NULL) {
        status = diag_no_memory(diag);
    } else {
        memcpy(sorted, measurement, count * sizeof *sorted);
        status = make_table(&made->table, sorted, count, diag);
    }
    free(sorted);
    if (status != INLAY_OK) {
        inlay_performance_free(made);
        return status;
    }
    made->times = (performance_times){.c = 1, .table = &made->table};
    made->range = performance_range(measurement, count);
    *performance = made;
    return INLAY_OK;
}
