/* The machines of a grid problem: checked, put in order, their speeds as whole numbers. */
#include "base/diag.h"
#include "base/memory.h"
#include "curves/curves.h"
#include "grid/grid.h"
#include <math.h>
#include <stdlib.h>

#define MOST_CELLS (INT64_C(1) << 53)
#define MOST_ITEM  (INT64_C(1) << 40)
#define MOST_WHOLE 0x1p40 /* 2^20 of them add up to 2^60 */
#define MOST_RATIO 1e12

static int check_grid(const inlay_grid_problem *problem, inlay_diag *diag)
{
    if (problem->rows < 1 || problem->columns < 1 || problem->planes < 0 ||
        problem->rows > MOST_CELLS / problem->columns ||
        grid_problem_planes(problem) > MOST_CELLS / (problem->rows * problem->columns)) {
        if (problem->planes > 1 || problem->planes < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "the grid is %lld x %lld x %lld; expected 1 or more of each, and at most 2^53 cells",
                             (long long)problem->planes, (long long)problem->rows, (long long)problem->columns);
        }
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the grid is %lld x %lld; expected 1 or more of each, and at most 2^53 cells",
                         (long long)problem->rows, (long long)problem->columns);
    }
    if (problem->item < 1 || problem->item > MOST_ITEM) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "an item has %lld bytes; expected 1 to 2^40",
                         (long long)problem->item);
    }
    if (problem->processors < 1 || problem->processors > INLAY_GRID_PROCESSORS || problem->speed == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "there are %d processors with%s speeds; expected 1 to %d with speeds",
                         (int)problem->processors, problem->speed == NULL ? "out" : "", INLAY_GRID_PROCESSORS);
    }
    for (int32_t i = 0; i < problem->processors; i++) {
        if ((problem->host != NULL && (problem->host[i] < 0 || problem->host[i] >= problem->processors)) ||
            (problem->room != NULL && problem->room[i] < 0)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "processor %d has a host that is none, or room for fewer than 0 cells", (int)i);
        }
    }
    return INLAY_OK;
}

static int check_speeds(const inlay_grid_problem *problem, inlay_diag *diag)
{
    int32_t fastest = 0;
    int32_t slowest = 0;
    if (problem->curve != NULL && problem->weights != NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "curves are times by cells that are alike; expected no weights");
    }
    for (int32_t i = 0; i < problem->processors; i++) {
        double speed = problem->speed[i];
        if (!(speed > 0) || !isfinite(speed)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "processor %d has the speed %g; expected a finite number above 0", (int)i, speed);
        }
        fastest = speed > problem->speed[fastest] ? i : fastest;
        slowest = speed < problem->speed[slowest] ? i : slowest;
    }
    if (problem->speed[fastest] / problem->speed[slowest] > MOST_RATIO) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "processor %d has %g times the speed of processor %d; expected at most 10^12", (int)fastest,
                         problem->speed[fastest] / problem->speed[slowest], (int)slowest);
    }
    return INLAY_OK;
}

int grid_check_cells(const inlay_grid_problem *problem, inlay_diag *diag)
{
    int64_t cells = grid_problem_cells(problem);
    return problem->processors <= cells
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "there are %d processors for %lld cells; expected at most %lld",
                           (int)problem->processors, (long long)cells, (long long)cells);
}

/* ---- Order ---- */

typedef struct ranked {
    double speed;
    int32_t number;
} ranked;

static int by_speed(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;
    if (x->speed != y->speed) {
        return x->speed > y->speed ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static int put_in_order(const double *speed, grid_machines *machines, inlay_diag *diag)
{
    size_t p = (size_t)machines->processors;
    ranked *list = memory_array(p, sizeof *list);
    if (list == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < p; i++) {
        list[i] = (ranked){speed[i], (int32_t)i};
    }
    qsort(list, p, sizeof *list, by_speed);
    for (size_t i = 0; i < p; i++) {
        machines->order[i] = list[i].number;
        machines->speed[i] = list[i].speed;
    }
    free(list);
    return INLAY_OK;
}

/* ---- Whole speeds ---- */

static double ten_to(int power)
{
    double value = 1;
    for (int i = 0; i < power; i++) {
        value *= 10; /* exact up to 10^22 */
    }
    return value;
}

/* speed x 10^power where that is the whole number that the decimals of the speed say, else 0. */
static int64_t in_decimals(double speed, int power)
{
    double scale = ten_to(abs(power));
    double value = power < 0 ? speed / scale : speed * scale;
    if (value > MOST_WHOLE || value < 0.5) {
        return 0;
    }
    double whole = round(value);
    double back = power < 0 ? whole * scale : whole / scale;
    return back == speed ? (int64_t)whole : 0;
}

/* With one power of ten for all, so that sums and ties of speeds like 0.1 and 0.3 are exact; else to 2^-40. */
static void make_whole(grid_machines *machines)
{
    enum { LEAST_POWER = -15, MOST_POWER = 12 };
    int32_t p = machines->processors;
    for (int power = LEAST_POWER; power <= MOST_POWER; power++) {
        int32_t i = 0;
        while (i < p && (machines->whole[i] = in_decimals(machines->speed[i], power)) > 0) {
            i++;
        }
        if (i == p) {
            return;
        }
    }
    for (int32_t i = 0; i < p; i++) {
        machines->whole[i] = llround(fmax(1, machines->speed[i] / machines->speed[0] * MOST_WHOLE));
    }
}

/* ---- Curves ---- */

int grid_curve_shares(const inlay_curve *curve, int32_t used, int64_t cells, int64_t *whole, double *speed,
                      inlay_diag *diag)
{
    inlay_curve_result result;
    int status = curve_partition(curve, (size_t)used, cells, whole, &result, diag);
    for (int32_t i = 0; i < used && status == INLAY_OK; i++) {
        whole[i] = whole[i] > 0 ? whole[i] : 1; /* a method may have to give it a cell */
        speed[i] = (double)whole[i] / result.time;
    }
    return status;
}

/* The processors in the order of their shares of all cells. */
static int order_by_curves(const inlay_grid_problem *problem, grid_machines *machines, inlay_diag *diag)
{
    size_t p = (size_t)problem->processors;
    double *speed = memory_array(p, sizeof *speed);
    machines->curve = memory_array(p, sizeof *machines->curve);
    int status = speed != NULL && machines->curve != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        status = grid_curve_shares(problem->curve, problem->processors, grid_problem_cells(problem), machines->whole,
                                   speed, diag);
    }
    status = status == INLAY_OK ? put_in_order(speed, machines, diag) : status;
    for (size_t i = 0; i < p && status == INLAY_OK; i++) {
        machines->curve[i] = problem->curve[machines->order[i]];
    }
    free(speed);
    return status == INLAY_OK ? grid_curve_shares(machines->curve, problem->processors, grid_problem_cells(problem),
                                                  machines->whole, machines->speed, diag)
                              : status;
}

int grid_machines_make(const inlay_grid_problem *problem, grid_machines *machines, inlay_diag *diag)
{
    *machines = (grid_machines){0};
    int status = check_grid(problem, diag);
    status = status == INLAY_OK ? check_speeds(problem, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    size_t p = (size_t)problem->processors;
    machines->processors = problem->processors;
    if (!(machines->order = memory_array(p, sizeof *machines->order)) ||
        !(machines->speed = memory_array(p, sizeof *machines->speed)) ||
        !(machines->whole = memory_array(p, sizeof *machines->whole))) {
        return diag_no_memory(diag);
    }
    if (problem->curve != NULL) {
        return order_by_curves(problem, machines, diag);
    }
    status = put_in_order(problem->speed, machines, diag);
    if (status == INLAY_OK) {
        make_whole(machines);
        status = grid_weights_make(problem, &machines->weights, diag);
    }
    return status;
}

void grid_machines_clear(grid_machines *machines)
{
    grid_weights_free(machines->weights);
    free(machines->order);
    free(machines->speed);
    free(machines->whole);
    free(machines->curve);
    *machines = (grid_machines){0};
}
