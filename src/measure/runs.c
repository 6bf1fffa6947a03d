/* How far predictions are from what was measured. */
#include "measure/runs.h"
#include "base/memory.h"
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

/* Room for rounding: an error of 10 % is within 10 %. */
static const double hair = 1e-12;

double inlay_run_error(const inlay_run_row *row, int prediction)
{
    return (row->predicted[prediction] - row->median) / row->median;
}

double inlay_run_spread(const inlay_run_row *row)
{
    return row->run_count > 1 ? (row->most - row->least) / row->median : NAN;
}

double inlay_run_level(size_t i)
{
    static const double levels[INLAY_ERROR_LEVELS] = {0.05, 0.1, 0.15, 0.3};
    return levels[i];
}

const char *inlay_prediction_name(int prediction)
{
    static const char *const words[INLAY_PREDICTIONS] = {"estimate", "simulated"};
    return words[prediction];
}

const char *inlay_run_work_name(inlay_run_work work)
{
    static const char *const words[INLAY_RUN_WORKS] = {"unknown", "time", "counts", "mixed", "program"};
    return words[work];
}

const inlay_run_row *inlay_runs_machine(const inlay_runs *all, size_t number)
{
    return &all->rows[all->first[number]];
}

const char *inlay_runs_label(const inlay_runs *all, size_t number)
{
    const inlay_run_row *row = inlay_runs_machine(all, number);
    return all->strings ? row->machine : row->name;
}

/* Of `count` sizes of errors, at least one. */
static void sum_up(double *sizes, size_t count, int prediction, inlay_run_errors *errors)
{
    gsl_sort(sizes, 1, count);
    errors->median[prediction] = (sizes[(count - 1) / 2] + sizes[count / 2]) / 2;
    errors->worst[prediction] = sizes[count - 1];
    for (size_t l = 0; l < INLAY_ERROR_LEVELS; l++) {
        size_t within = 0;
        while (within < count && sizes[within] <= inlay_run_level(l) * (1 + hair)) {
            within++;
        }
        errors->within[prediction][l] = within;
    }
}

/* The errors of the rows on a machine, or where its number is none, of all; `sizes` has room for all. */
static inlay_run_errors errors_of(const inlay_runs *all, size_t number, double *sizes)
{
    inlay_run_errors found = {0};
    for (int p = 0; p < INLAY_PREDICTIONS; p++) {
        found.rows = 0;
        for (size_t i = 0; i < all->count; i++) {
            if (number == all->machines || all->rows[i].number == number) {
                sizes[found.rows++] = fabs(inlay_run_error(&all->rows[i], p));
            }
        }
        sum_up(sizes, found.rows, p, &found);
    }
    return found;
}

int runs_sum_up(inlay_runs *all)
{
    double *sizes = memory_zeroed(all->count, sizeof *sizes);
    all->errors = memory_zeroed(all->machines + 1, sizeof *all->errors);
    bool made = sizes != NULL && all->errors != NULL;
    for (size_t m = 0; made && m <= all->machines; m++) {
        all->errors[m] = errors_of(all, m, sizes);
    }
    free(sizes);
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}
