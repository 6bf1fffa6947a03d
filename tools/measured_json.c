/* Runs beside their predictions as JSON, as docs/compare.md has it. */
#include "measured.h"
#include "result.h"
#include <inlay/inlay.h>

static void put_numbers(result *out, const measured_row *row)
{
    result_open(out, "measured", '{');
    result_number(out, "median", row->median);
    result_number(out, "least", row->least);
    result_number(out, "most", row->most);
    result_number(out, "spread", measured_spread(row));
    result_open(out, "runs", '[');
    for (size_t i = 0; i < row->run_count; i++) {
        result_number(out, NULL, row->runs[i]);
    }
    result_close(out, ']');
    result_close(out, '}');
    result_open(out, "error", '{');
    for (int p = 0; p < PREDICTIONS; p++) {
        result_number(out, measured_word(p), measured_error(row, p));
    }
    result_close(out, '}');
}

static void put_row(result *out, const measured_row *row)
{
    result_open(out, NULL, '{');
    result_string(out, "file", row->operand);
    result_string(out, "application", row->application);
    result_string(out, "machine", row->machine);
    result_string(out, "machine_name", row->name);
    result_string(out, "time_unit", inlay_unit_name(row->unit));
    result_number(out, "time_frame", row->time_frame);
    result_count(out, "ranks", row->ranks > 0 ? row->ranks : -1);
    result_count(out, "cores", row->cores > 0 ? row->cores : -1);
    for (int p = 0; p < PREDICTIONS; p++) {
        result_number(out, measured_word(p), row->predicted[p]);
    }
    put_numbers(out, row);
    result_close(out, '}');
}

static void put_prediction(result *out, const measured_errors *errors, int prediction)
{
    result_open(out, measured_word(prediction), '{');
    result_number(out, "median", errors->median[prediction]);
    result_number(out, "worst", errors->worst[prediction]);
    result_open(out, "within", '[');
    for (size_t l = 0; l < ERROR_LEVELS; l++) {
        result_open(out, NULL, '{');
        result_number(out, "error", measured_level(l));
        result_integer(out, "rows", (int64_t)errors->within[prediction][l]);
        result_close(out, '}');
    }
    result_close(out, ']');
    result_close(out, '}');
}

/* The members of a sum. */
static void put_errors(result *out, const measured_errors *errors)
{
    result_integer(out, "rows", (int64_t)errors->rows);
    for (int p = 0; p < PREDICTIONS; p++) {
        put_prediction(out, errors, p);
    }
}

void measured_put_json(FILE *to, const cli_answer *a)
{
    const measured_runs *all = a->of;
    result out = {.to = to};
    result_open(&out, NULL, '{');
    result_common(&out, a->call, a->diag);
    result_open(&out, "rows", '[');
    for (size_t i = 0; i < all->count; i++) {
        put_row(&out, &all->rows[i]);
    }
    result_close(&out, ']');
    result_open(&out, "machines", '[');
    for (size_t m = 0; m < all->machines; m++) {
        result_open(&out, NULL, '{');
        result_string(&out, "machine", measured_machine(all, m)->machine);
        result_string(&out, "machine_name", measured_machine(all, m)->name);
        put_errors(&out, &all->errors[m]);
        result_close(&out, '}');
    }
    result_close(&out, ']');
    result_open(&out, "all", '{');
    put_errors(&out, &all->errors[all->machines]);
    result_close(&out, '}');
    result_close(&out, '}');
}
