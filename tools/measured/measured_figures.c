/* How far predictions are from what was measured. */
#include "measured.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>

/* Room for rounding: an error of 10 % is within 10 %. */
static const double hair = 1e-12;

double measured_error(const measured_row *row, int prediction)
{
    return (row->predicted[prediction] - row->median) / row->median;
}

double measured_spread(const measured_row *row)
{
    return row->run_count > 1 ? (row->most - row->least) / row->median : NAN;
}

double measured_level(size_t i)
{
    static const double levels[ERROR_LEVELS] = {0.05, 0.1, 0.15, 0.3};
    return levels[i];
}

const char *measured_word(int prediction)
{
    static const char *const words[PREDICTIONS] = {"estimate", "simulated"};
    return words[prediction];
}

const measured_row *measured_machine(const measured_runs *all, size_t number)
{
    return &all->rows[all->first[number]];
}

const char *measured_label(const measured_runs *all, size_t number)
{
    const measured_row *row = measured_machine(all, number);
    return all->strings ? row->machine : row->name;
}

static int compare_sizes(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Of `count` sizes of errors, at least one. */
static void sum_up(double *sizes, size_t count, int prediction, measured_errors *errors)
{
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    errors->median[prediction] = (sizes[(count - 1) / 2] + sizes[count / 2]) / 2;
    errors->worst[prediction] = sizes[count - 1];
    for (size_t l = 0; l < ERROR_LEVELS; l++) {
        size_t within = 0;
        while (within < count && sizes[within] <= measured_level(l) * (1 + hair)) {
            within++;
        }
        errors->within[prediction][l] = within;
    }
}

/* The errors of the rows on a machine, or where its number is none, of all; `sizes` has room for all. */
static measured_errors errors_of(const measured_runs *all, size_t number, double *sizes)
{
    measured_errors found = {0};
    for (int p = 0; p < PREDICTIONS; p++) {
        found.rows = 0;
        for (size_t i = 0; i < all->count; i++) {
            if (number == all->machines || all->rows[i].number == number) {
                sizes[found.rows++] = fabs(measured_error(&all->rows[i], p));
            }
        }
        sum_up(sizes, found.rows, p, &found);
    }
    return found;
}

int measured_sum_up(measured_runs *all)
{
    double *sizes = calloc(all->count, sizeof *sizes);
    all->errors = calloc(all->machines + 1, sizeof *all->errors);
    bool made = sizes != NULL && all->errors != NULL;
    for (size_t m = 0; made && m <= all->machines; m++) {
        all->errors[m] = errors_of(all, m, sizes);
    }
    free(sizes);
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}
