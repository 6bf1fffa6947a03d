/* Runs beside their predictions: what `inlay compare --measured` gives out. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

static void put_numbers(inlay_json *out, const inlay_run_row *row)
{
    inlay_json_put(out, "measured { median %g least %g most %g spread %g runs [", row->median, row->least, row->most,
                   inlay_run_spread(row));
    for (size_t i = 0; i < row->run_count; i++) {
        inlay_json_number(out, NULL, row->runs[i]);
    }
    inlay_json_put(out, "] } error {");
    for (int p = 0; p < INLAY_PREDICTIONS; p++) {
        inlay_json_number(out, inlay_prediction_name(p), inlay_run_error(row, p));
    }
    inlay_json_object_end(out);
}

static void put_row(inlay_json *out, const inlay_run_row *row)
{
    inlay_json_put(
        out,
        "{ file %s application %s machine %s machine_name %s time_unit %s work %s time_frame %g ranks %" PRIi64
        " cores %" PRIi64,
        row->operand, row->application, row->machine, row->name, inlay_unit_name(row->unit),
        inlay_run_work_name(row->work), row->time_frame, row->ranks > 0 ? row->ranks : -1,
        row->cores > 0 ? row->cores : -1);
    for (int p = 0; p < INLAY_PREDICTIONS; p++) {
        inlay_json_number(out, inlay_prediction_name(p), row->predicted[p]);
    }
    put_numbers(out, row);
    inlay_json_object_end(out);
}

static void put_prediction(inlay_json *out, const inlay_run_errors *errors, int prediction)
{
    inlay_json_object(out, inlay_prediction_name(prediction));
    inlay_json_put(out, "median %g worst %g within [", errors->median[prediction], errors->worst[prediction]);
    for (size_t l = 0; l < INLAY_ERROR_LEVELS; l++) {
        inlay_json_put(out, "{ error %g rows %" PRId64 " }", inlay_run_level(l),
                       (int64_t)errors->within[prediction][l]);
    }
    inlay_json_put(out, "] }");
}

/* The members of a sum. */
static void put_errors(inlay_json *out, const inlay_run_errors *errors)
{
    inlay_json_integer(out, "rows", (int64_t)errors->rows);
    for (int p = 0; p < INLAY_PREDICTIONS; p++) {
        put_prediction(out, errors, p);
    }
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_runs *all = of;
    inlay_json_array(out, "rows");
    for (size_t i = 0; i < all->count; i++) {
        put_row(out, &all->rows[i]);
    }
    inlay_json_put(out, "] machines [");
    for (size_t m = 0; m < all->machines; m++) {
        inlay_json_put(out, "{ machine %s machine_name %s", inlay_runs_machine(all, m)->machine,
                       inlay_runs_machine(all, m)->name);
        put_errors(out, &all->errors[m]);
        inlay_json_object_end(out);
    }
    inlay_json_put(out, "] all {");
    put_errors(out, &all->errors[all->machines]);
    inlay_json_object_end(out);
    return INLAY_OK;
}

int inlay_runs_write_json(const inlay_runs *runs, const inlay_result_context *context, const char *path,
                          inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, runs, path, diag);
}

/* ---- CSV: one line a file ---- */

/* A row, and what is told besides. */
typedef struct line {
    inlay_run_row row;
    const char *unit, *work;
    double ranks, cores, runs, spread, error[INLAY_PREDICTIONS]; /* NaN where a file does not tell */
} line;

/* clang-format off */
static const field csv[] = {
    {"file", FIELD_TEXT, offsetof(line, row.operand)}, {"application", FIELD_TEXT, offsetof(line, row.application)},
    {"machine", FIELD_TEXT, offsetof(line, row.machine)}, {"machine_name", FIELD_TEXT, offsetof(line, row.name)},
    FIELD(line, "time_unit", unit), FIELD(line, "work", work), FIELD(line, "time_frame", row.time_frame),
    FIELD(line, "ranks", ranks), FIELD(line, "cores", cores), FIELD(line, "runs", runs),
    FIELD(line, "estimate", row.predicted[INLAY_BY_ESTIMATE]),
    FIELD(line, "simulated", row.predicted[INLAY_BY_SIMULATION]), FIELD(line, "measured", row.median),
    FIELD(line, "least", row.least), FIELD(line, "most", row.most), FIELD(line, "spread", spread),
    FIELD(line, "error_estimate", error[INLAY_BY_ESTIMATE]), FIELD(line, "error_simulated", error[INLAY_BY_SIMULATION]),
    FIELD_LAST};
/* clang-format on */

int inlay_runs_write_csv(const inlay_runs *runs, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, csv);
    for (size_t i = 0; i < runs->count; i++) {
        const inlay_run_row *row = &runs->rows[i];
        const line told = {
            .row = *row,
            .unit = inlay_unit_name(row->unit),
            .work = inlay_run_work_name(row->work),
            .ranks = row->ranks > 0 ? (double)row->ranks : NAN,
            .cores = row->cores > 0 ? (double)row->cores : NAN,
            .runs = (double)row->run_count,
            .spread = inlay_run_spread(row),
            .error = {inlay_run_error(row, INLAY_BY_ESTIMATE), inlay_run_error(row, INLAY_BY_SIMULATION)}};
        csv_line(&text, csv, &told);
    }
    return csv_write(&text, path, diag);
}
