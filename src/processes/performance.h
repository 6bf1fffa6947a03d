/* Performance functions from the inside: the time of x processes with y data, quickly. */
#ifndef PROCESSES_PERFORMANCE_H
#define PROCESSES_PERFORMANCE_H

#include <inlay/processes.h>

/** f on a grid of measurements: columns of one x, each a chain of cubics over the y. */
typedef struct performance_table {
    size_t columns, knots; /**< how many different x and y */
    double *processes;     /**< the x, rising */
    double *data;          /**< the y, rising */
    double (*cubic)[4];    /**< knots a column: f(y) = [0] + u ([1] + u ([2] + u [3])), u = y - data[k], y above that;
                                of the last knot a constant, which holds above it */
    double growth;         /**< share by which the time grows for each x above the last; at least 0 */
} performance_table;

/** t = y (one + xx x^2 + yy y^2) / c, or by the table. */
typedef struct performance_times {
    double one, xx, yy; /**< 1 or 0; 1/a^2; 1/b^2 */
    double c;
    const performance_table *table; /**< NULL: the formula */
} performance_times;

struct inlay_performance {
    inlay_performance_form form;
    inlay_performance_numbers numbers;
    performance_times times; /**< its table is this one's */
    performance_table table;
    inlay_performance_range range;
    inlay_performance_errors errors;
    double *error;                  /**< NULL: not fitted */
    inlay_measurement *measurement; /**< what it was fitted to, as many as errors; NULL: not fitted */
};

/** A formula without checks: c, and 1/a^2 and 1/b^2 of its form. */
inlay_performance *performance_make(inlay_performance_form form, inlay_performance_numbers numbers);

/** INLAY_BAD_ARGUMENT where a measurement cannot be. */
int performance_check(const inlay_measurement *measurement, size_t count, inlay_diag *diag);

/** The x and y between which the measurements lie. */
inlay_performance_range performance_range(const inlay_measurement *measurement, size_t count);

/** Whether f is measured there, or holds everywhere. */
bool performance_covers(const inlay_performance *performance, double processes, double data);

/** The times of one row of processors, and f of the table at a point. */
performance_times performance_times_of(const inlay_processors *row);
double performance_table_speed(const performance_table *table, double processes, double data);

static inline double performance_time(const performance_times *t, double processes, double data)
{
    return t->table == NULL ? data * (t->one + processes * processes * t->xx + data * data * t->yy) / t->c
                            : data / (t->c * performance_table_speed(t->table, processes, data));
}

void performance_table_clear(performance_table *table);

#endif
