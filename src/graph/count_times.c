/* Times of modules from their counts of operations. */
#include "base/decimal.h"
#include "base/diag.h"
#include "graph/rebuild.h"
#include <inttypes.h>

enum { SHOWN_DIGITS = 6 }; /* of the smallest time: as many as a measurement has */

/* The time of one operation in the new application's unit; may have more than 18 places. */
typedef struct each_time {
    int64_t digits;
    int scale;
} each_time;

typedef struct counting {
    const inlay_app *app;
    inlay_unit unit; /* of the new application */
    each_time arithmetic, function;
    inlay_id without; /* modules without counts */
} counting;

static bool has_counts(const inlay_app *app, inlay_id module)
{
    return inlay_app_arithmetic(app, module) > 0 || inlay_app_functions(app, module) > 0;
}

/* ---- What cannot be ---- */

static int check_given(const counting *c, inlay_diag *diag)
{
    for (inlay_id i = 0; i < c->app->modules; i++) {
        bool arithmetic = inlay_app_arithmetic(c->app, i) > 0 && c->arithmetic.digits == 0;
        if (arithmetic || (inlay_app_functions(c->app, i) > 0 && c->function.digits == 0)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "module '%s' counts %s; expected the time of one, %s",
                             c->app->name[i], arithmetic ? "arithmetic operations" : "function evaluations",
                             arithmetic ? "arithmetic_time of a machine" : "function_time of a machine");
        }
    }
    return c->without < c->app->modules
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "no module has counts; expected arithmetic or functions");
}

/* Whether anything takes a time that counts do not replace: the first such module, or the first block. */
static const char *first_kept(const inlay_app *app)
{
    for (inlay_id i = 0; i < app->modules; i++) {
        bool timed = app->time[i] > 0 && !has_counts(app, i);
        for (int type = 0; type < app->types; type++) {
            timed = timed || inlay_app_type_time(app, type, i) > 0;
        }
        if (timed) {
            return app->name[i];
        }
    }
    for (inlay_id b = 0; b < app->blocks; b++) {
        if (app->block_time[b] > 0) {
            return inlay_app_block_name(app, b);
        }
    }
    return NULL;
}

/* Ticks become seconds only where no ticks are left. */
static int check_ticks(const counting *c, inlay_diag *diag)
{
    const char *kept = c->unit != c->app->unit ? first_kept(c->app) : NULL;
    return kept == NULL ? INLAY_OK
                        : diag_fail(diag, INLAY_BAD_ARGUMENT,
                                    "'%s' has a time in ticks that is not counted, and operations take seconds; "
                                    "expected counts for all modules, or times in seconds",
                                    kept);
}

/* The unit of the new times, which is the application's where that has a length. */
static int take_units(counting *c, const inlay_count_times *each, inlay_diag *diag)
{
    const inlay_duration *const given[] = {&each->arithmetic, &each->function};
    each_time *const taken[] = {&c->arithmetic, &c->function};
    bool seconds = false, ticks = false;
    for (int k = 0; k < 2; k++) {
        bool known = given[k]->value.digits > 0;
        seconds = seconds || (known && inlay_unit_seconds(given[k]->unit) > 0);
        ticks = ticks || (known && given[k]->unit == INLAY_UNIT_TICK);
    }
    if (ticks && (seconds || c->app->unit != INLAY_UNIT_TICK)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "an operation takes ticks, and the application is in %s; expected both in ticks or none",
                         inlay_unit_name(c->app->unit));
    }
    c->unit = seconds && c->app->unit == INLAY_UNIT_TICK ? INLAY_UNIT_S : c->app->unit;
    for (int k = 0; k < 2; k++) {
        inlay_unit unit = given[k]->unit == INLAY_UNIT_NONE ? c->unit : given[k]->unit;
        *taken[k] = (each_time){given[k]->value.digits, given[k]->value.scale - unit_power(unit, c->unit)};
    }
    return check_ticks(c, diag);
}

/* ---- The times ---- */

static int multiply(double count, each_time each, long_decimal *product, inlay_diag *diag)
{
    inlay_decimal number;
    if (inlay_decimal_from_double(count, &number) != INLAY_OK) {
        return diag_fail(diag, INLAY_OVERFLOW, "%g operations are too many for a module; expected less than 9e18",
                         count);
    }
    *product = long_decimal_product(number, (inlay_decimal){each.digits, 0});
    product->scale += each.scale;
    return INLAY_OK;
}

static int count_time(const counting *c, inlay_id module, long_decimal *time, inlay_diag *diag)
{
    long_decimal arithmetic = {0}, functions = {0};
    int status = multiply(inlay_app_arithmetic(c->app, module), c->arithmetic, &arithmetic, diag);
    status = status == INLAY_OK ? multiply(inlay_app_functions(c->app, module), c->function, &functions, diag) : status;
    if (status == INLAY_OK) {
        *time = long_decimal_sum(arithmetic, functions);
    }
    return status;
}

/* A time that stays, whose decimals then stay as well. */
static void keep(const counting *c, inlay_time time, long_decimal *exact, int *decimals)
{
    *exact = (long_decimal){(unsigned __int128)(time < 0 ? 0 : time), c->app->decimals};
    *decimals = time > 0 && *decimals < c->app->decimals ? c->app->decimals : *decimals;
}

static int fill_times(const counting *c, time_row *row, int *decimals, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (inlay_id i = 0; status == INLAY_OK && i < c->app->modules; i++) {
        if (!has_counts(c->app, i)) {
            keep(c, c->app->time[i], &row->exact[i], decimals);
            continue;
        }
        status = count_time(c, i, &row->exact[i], diag);
        if (status == INLAY_OK && row->exact[i].digits > 0) {
            int wanted = long_decimal_decimals(row->exact[i], SHOWN_DIGITS);
            *decimals = wanted > *decimals ? wanted : *decimals;
        }
    }
    for (inlay_id b = 0; b < c->app->blocks; b++) {
        keep(c, c->app->block_time[b], &row->exact[row->blocks + (size_t)b], decimals);
    }
    for (size_t t = row->types; t < row->deadlines; t++) {
        keep(c, c->app->type_time[t - row->types], &row->exact[t], decimals);
    }
    for (size_t d = row->deadlines; d < row->count; d++) {
        keep(c, c->unit == c->app->unit ? c->app->deadline[d - row->deadlines] : 0, &row->exact[d], decimals);
    }
    return status;
}

static int make_times(const counting *c, time_row *row, inlay_diag *diag)
{
    int decimals = 0;
    if (!time_row_open(row, c->app)) {
        return diag_no_memory(diag);
    }
    int status = fill_times(c, row, &decimals, diag);
    return status == INLAY_OK ? time_row_round(row, decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS, c->unit,
                                               "fewer or shorter operations", "more or longer operations", diag)
                              : status;
}

static void warn(const counting *c, inlay_diag *diag)
{
    if (c->app->deadline != NULL && c->unit != c->app->unit) {
        diag_warn(diag, "deadlines in ticks mean nothing among times in seconds: left out");
    }
    if (c->without > 0) {
        diag_warn(diag, "%" PRId32 " of %" PRId32 " modules have no counts and keep their times", c->without,
                  c->app->modules);
    }
    if (c->app->blocking != NULL) {
        diag_warn(diag,
                  "blocking times belong to the old times: left out, so that modules wait for the end of those before");
    }
}

int inlay_app_time_counts(const inlay_app *app, const inlay_count_times *each, inlay_app **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (each->arithmetic.value.digits < 0 || each->function.value.digits < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the time of an operation is negative; expected more than 0");
    }
    counting c = {.app = app};
    for (inlay_id i = 0; i < app->modules; i++) {
        c.without += !has_counts(app, i);
    }
    time_row row = {0};
    int status = take_units(&c, each, diag);
    status = status == INLAY_OK ? check_given(&c, diag) : status;
    status = status == INLAY_OK ? make_times(&c, &row, diag) : status;
    if (status == INLAY_OK) {
        inlay_app view;
        time_row_show(&row, app, false, c.unit, &view);
        status = app_rebuild(&view, result, diag);
    }
    if (status == INLAY_OK) {
        warn(&c, diag);
    }
    time_row_clear(&row);
    return status;
}
