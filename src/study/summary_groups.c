/* The groups of a summary: their order, and the statistics of their values. */
#include "base/diag.h"
#include "study/summary.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Of the interval of a mean: so much lies below its upper end. */
static const double upper = 0.975;

/* ---- Orders ---- */

/* A value of a column, or a row of places in the orders of columns, with its number. */
typedef struct ranked {
    const key_column *column;
    const int32_t *parts;
    size_t width;
    int32_t number;
} ranked;

static int compare_values(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    return key_compare(left->column, left->number, right->number);
}

static int compare_parts(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    for (size_t i = 0; i < left->width; i++) {
        if (left->parts[i] != right->parts[i]) {
            return left->parts[i] < right->parts[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Turn sorted rows into the place of each. */
static int32_t *places_of(ranked *rows, size_t count, int (*compare)(const void *a, const void *b))
{
    int32_t *place = rows == NULL ? NULL : memory_array(count, sizeof *place);
    if (place != NULL) {
        qsort(rows, count, sizeof *rows, compare);
        for (size_t i = 0; i < count; i++) {
            place[rows[i].number] = (int32_t)i;
        }
    }
    free(rows);
    return place;
}

static int32_t *rank_column(const key_column *column)
{
    ranked *rows = memory_array(column->count, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < column->count; i++) {
        rows[i] = (ranked){.column = column, .number = (int32_t)i};
    }
    return places_of(rows, column->count, compare_values);
}

int32_t *summary_ranks(const key_rows *keys, const key_column *columns, const size_t *column)
{
    size_t width = keys->width;
    int32_t *parts = memory_array(keys->count * (width > 0 ? width : 1), sizeof *parts);
    ranked *rows = memory_array(keys->count, sizeof *rows);
    bool good = parts != NULL && rows != NULL;
    for (size_t k = 0; k < width && good; k++) {
        int32_t *rank = rank_column(&columns[column[k]]);
        good = rank != NULL;
        for (size_t i = 0; good && i < keys->count; i++) {
            parts[i * width + k] = rank[keys->parts[i * width + k]];
        }
        free(rank);
    }
    for (size_t i = 0; good && i < keys->count; i++) {
        rows[i] = (ranked){.parts = parts + i * width, .width = width, .number = (int32_t)i};
    }
    if (!good) {
        free(rows);
        rows = NULL;
    }
    int32_t *place = places_of(rows, keys->count, compare_parts);
    free(parts);
    return place;
}

/* ---- Statistics ---- */

double summary_mean(const double *values, size_t count)
{
    return count > 0 ? gsl_stats_mean(values, 1, count) : NAN;
}

double summary_quantile(const double *rising, size_t count, double share)
{
    return count > 0 ? gsl_stats_quantile_from_sorted_data(rising, 1, count, share) : NAN;
}

static void describe(inlay_study_group *group, const double *rising, size_t count, double *quantiles,
                     const inlay_study_summary_facts *facts)
{
    group->count = count;
    group->mean = summary_mean(rising, count);
    group->median = summary_quantile(rising, count, 0.5);
    group->quartile[0] = summary_quantile(rising, count, 0.25);
    group->quartile[1] = summary_quantile(rising, count, 0.75);
    for (size_t i = 0; i < facts->quantile_count; i++) {
        quantiles[i] = summary_quantile(rising, count, facts->quantiles[i]);
    }
    group->quantiles = quantiles;
    group->least = count > 0 ? rising[0] : NAN;
    group->most = count > 0 ? rising[count - 1] : NAN;
    group->deviation = group->mean_low = group->mean_high = NAN;
    if (count > 1) {
        double degrees = (double)count - 1;
        group->deviation = gsl_stats_sd_m(rising, 1, count, group->mean);
        double reach = gsl_cdf_tdist_Pinv(upper, degrees) * group->deviation / sqrt((double)count);
        group->mean_low = group->mean - reach;
        group->mean_high = group->mean + reach;
    }
}

/* ---- All groups ---- */

/* Values of each group beside each other: those of group g from begin[g] to begin[g + 1]. It has two places more. */
static void gather(const summary_rows *of, const int32_t *place, size_t groups, size_t *begin, double *values)
{
    for (size_t i = 0; i < of->count; i++) {
        begin[place[of->rows[i].group] + 2] += isfinite(of->rows[i].value) ? 1 : 0;
    }
    for (size_t i = 2; i <= groups; i++) {
        begin[i] += begin[i - 1];
    }
    for (size_t i = 0; i < of->count; i++) {
        const summary_row *row = &of->rows[i];
        if (isfinite(row->value)) {
            values[begin[place[row->group] + 1]++] = row->value;
        }
    }
}

static void name_group(const summary_rows *of, int32_t number, size_t columns, inlay_study_group *group,
                       const char **key)
{
    const int32_t *parts = key_parts(&of->groups, number);
    for (size_t k = 0; k < columns; k++) {
        key[k] = of->columns[of->by[k]].texts[parts[k]];
    }
    group->key = key;
    group->against = NAN;
    if (of->groups.width > columns) {
        (void)key_is_number(of->columns[of->by[columns]].texts[parts[columns]], &group->against);
    }
}

static void fill(inlay_study_summary *s, const summary_rows *of, const int32_t *place, const inlay_study_group *tallied,
                 const char **keys)
{
    size_t columns = s->facts.by_count;
    for (size_t i = 0; i < s->group_count; i++) {
        inlay_study_group *group = &s->groups[place[i]];
        *group = tallied[i];
        name_group(of, (int32_t)i, columns, group, keys + i * columns);
    }
}

int summary_find_groups(inlay_study_summary *s, const summary_rows *of, inlay_diag *diag)
{
    size_t groups = s->group_count, columns = s->facts.by_count, shares = s->facts.quantile_count;
    memory_pool own = {0};
    inlay_study_group *tallied = s->groups;
    int32_t *place = summary_ranks(&of->groups, of->columns, of->by);
    size_t *begin = pool_zeroed(&own, groups + 2, sizeof *begin);
    double *values = pool_array(&own, of->count + 1, sizeof *values);
    const char **keys = pool_array(&s->arrays, groups * columns + 1, sizeof *keys);
    double *quantiles = pool_array(&s->arrays, groups * shares + 1, sizeof *quantiles);
    s->groups = pool_zeroed(&s->arrays, groups, sizeof *s->groups);
    bool good = place != NULL && !own.failed && !s->arrays.failed;
    if (good) {
        fill(s, of, place, tallied, keys);
        gather(of, place, groups, begin, values);
    }
    for (size_t i = 0; good && i < groups; i++) {
        size_t count = begin[i + 1] - begin[i];
        gsl_sort(values + begin[i], 1, count);
        describe(&s->groups[i], values + begin[i], count, quantiles + i * shares, &s->facts);
    }
    free(place);
    pool_clear(&own);
    return good ? INLAY_OK : diag_no_memory(diag);
}
