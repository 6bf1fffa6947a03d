/* An application with all times and all bytes multiplied. */
#include "base/decimal.h"
#include "base/diag.h"
#include "graph/columns.h"
#include "graph/rebuild.h"
#include <stdlib.h>

/* What stands in the new application, as far as it is not the old one's. */
typedef struct scaled {
    time_row times;
    double *arithmetic, *functions;
    int64_t *out_bytes, *use_bytes, *block_size, *memory, *traffic_memory;
    int64_t *own_bytes, *datum_bytes, *stated_bytes;
} scaled;

static void clear(scaled *s)
{
    time_row_clear(&s->times);
    free(s->arithmetic);
    free(s->functions);
    free(s->out_bytes);
    free(s->use_bytes);
    free(s->block_size);
    free(s->memory);
    free(s->traffic_memory);
    free(s->own_bytes);
    free(s->datum_bytes);
    free(s->stated_bytes);
}

/* ---- Times, and the counts of operations that belong to them ---- */

static int scale_times(const inlay_app *app, inlay_decimal factor, time_row *row, inlay_diag *diag)
{
    if (!time_row_open(row, app)) {
        return diag_no_memory(diag);
    }
    const inlay_time *const columns[] = {app->time, app->blocking, app->block_time, app->type_time, app->deadline};
    const size_t begin[] = {0, row->blocking, row->blocks, row->types, row->deadlines, row->count};
    for (int c = 0; c < 5; c++) {
        for (size_t i = begin[c]; i < begin[c + 1]; i++) {
            inlay_time time = columns[c][i - begin[c]]; /* -1: a type without a time */
            row->exact[i] = long_decimal_product((inlay_decimal){time < 0 ? 0 : time, app->decimals}, factor);
        }
    }
    int decimals = app->decimals + factor.scale;
    return time_row_round(row, decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS, app->unit, "a smaller factor",
                          "a larger factor", diag);
}

/* A whole number times the factor, rounded; what there is does not vanish. */
static bool multiply(inlay_decimal number, inlay_decimal factor, int64_t *product)
{
    bool exact = true;
    if (!long_decimal_grains(long_decimal_product(number, factor), 0, largest_sum, product, &exact)) {
        return false;
    }
    *product += number.digits > 0 && *product == 0;
    return true;
}

static int scale_counts(const double *counts, inlay_id modules, inlay_decimal factor, double **result, inlay_diag *diag)
{
    if (counts == NULL) {
        return INLAY_OK;
    }
    *result = column_new((size_t)modules, sizeof **result);
    if (*result == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < modules; i++) {
        inlay_decimal count;
        int64_t product;
        if (inlay_decimal_from_double(counts[i], &count) != INLAY_OK || !multiply(count, factor, &product)) {
            return diag_fail(diag, INLAY_OVERFLOW, "a count of operations passes 2^62; expected a smaller factor");
        }
        (*result)[i] = (double)product;
    }
    return INLAY_OK;
}

static int scale_work(const inlay_app *app, inlay_decimal factor, scaled *s, inlay_diag *diag)
{
    int status = scale_times(app, factor, &s->times, diag);
    if (status == INLAY_OK && (factor.digits != 1 || factor.scale != 0)) { /* counts may be no whole numbers */
        status = scale_counts(app->arithmetic, app->modules, factor, &s->arithmetic, diag);
        status = status == INLAY_OK ? scale_counts(app->functions, app->modules, factor, &s->functions, diag) : status;
    }
    return status;
}

/* ---- Bytes ---- */

static int scale_column(const int64_t *bytes, int64_t count, inlay_decimal factor, int64_t **result, inlay_diag *diag)
{
    int64_t left = largest_sum;
    *result = column_new((size_t)count, sizeof **result);
    if (*result == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < count; i++) {
        if (!multiply((inlay_decimal){bytes[i], 0}, factor, &(*result)[i]) || (*result)[i] > left) {
            return diag_fail(diag, INLAY_OVERFLOW, "the new bytes add up to more than 2^62; expected a smaller factor");
        }
        left -= (*result)[i];
    }
    return INLAY_OK;
}

static int scale_data(const inlay_app *app, inlay_decimal factor, scaled *s, inlay_diag *diag)
{
    int status = scale_column(app->own_bytes, app->links, factor, &s->own_bytes, diag);
    if (status == INLAY_OK) {
        status = scale_column(app->datum_bytes, app->data, factor, &s->datum_bytes, diag);
    }
    if (status == INLAY_OK && app->stated_bytes != NULL) {
        status = scale_column(app->stated_bytes, app->consumer_begin[app->data], factor, &s->stated_bytes, diag);
    }
    return status;
}

static int scale_bytes(const inlay_app *app, inlay_decimal factor, scaled *s, inlay_diag *diag)
{
    int status = scale_column(app->out_bytes, app->links, factor, &s->out_bytes, diag);
    if (status == INLAY_OK) {
        status = scale_column(app->use_bytes, app->use_begin[app->blocks], factor, &s->use_bytes, diag);
    }
    status = status == INLAY_OK ? scale_column(app->block_size, app->blocks, factor, &s->block_size, diag) : status;
    if (status == INLAY_OK && app->memory != NULL) {
        status = scale_column(app->memory, app->modules, factor, &s->memory, diag);
    }
    if (status == INLAY_OK && app->traffic_memory != NULL) {
        status = scale_column(app->traffic_memory, app->modules, factor, &s->traffic_memory, diag);
    }
    if (status == INLAY_OK && app->data > 0) {
        status = scale_data(app, factor, s, diag);
    }
    return status;
}

/* ---- The whole ---- */

static inlay_decimal factor_of(inlay_decimal given)
{
    return given.digits == 0 ? (inlay_decimal){1, 0} : decimal_normal(given);
}

/* A period that no file could hold is none. */
static double scaled_period(double period, inlay_decimal factor, inlay_diag *diag)
{
    inlay_decimal written;
    double product = period * inlay_decimal_double(factor);
    bool fits = inlay_decimal_from_double(product, &written) == INLAY_OK && written.digits > 0;
    if (period > 0 && !fits) {
        diag_warn(diag, "the period becomes %g: left out", product);
    }
    return fits ? product : 0;
}

int inlay_app_scale(const inlay_app *app, const inlay_scaling *by, inlay_app **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_decimal *const factors[] = {&by->time, &by->bytes};
    for (int f = 0; f < 2; f++) {
        if (factors[f]->digits < 0 || factors[f]->scale < 0 || factors[f]->scale > MOST_SCALE) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "a factor is no decimal above 0; expected one such as 0.001");
        }
    }
    scaled s = {0};
    int status = scale_work(app, factor_of(by->time), &s, diag);
    status = status == INLAY_OK ? scale_bytes(app, factor_of(by->bytes), &s, diag) : status;
    if (status == INLAY_OK) {
        inlay_app view;
        time_row_show(&s.times, app, true, app->unit, &view);
        view.arithmetic = s.arithmetic != NULL ? s.arithmetic : view.arithmetic;
        view.functions = s.functions != NULL ? s.functions : view.functions;
        view.period = scaled_period(app->period, factor_of(by->time), diag);
        view.out_bytes = s.out_bytes;
        view.use_bytes = s.use_bytes;
        view.block_size = s.block_size;
        view.memory = s.memory;
        view.traffic_memory = s.traffic_memory;
        view.own_bytes = s.own_bytes;
        view.datum_bytes = s.datum_bytes;
        view.stated_bytes = s.stated_bytes;
        status = app_rebuild(&view, result, diag);
    }
    clear(&s);
    return status;
}
