/* Runs beside their predictions as JSON, as docs/compare.md has it. */
#include "measured.h"
#include <inlay/inlay.h>

static void put_numbers(inlay_json *out, const measured_row *row)
{
    inlay_json_object(out, "measured");
    inlay_json_number(out, "median", row->median);
    inlay_json_number(out, "least", row->least);
    inlay_json_number(out, "most", row->most);
    inlay_json_number(out, "spread", measured_spread(row));
    inlay_json_array(out, "runs");
    for (size_t i = 0; i < row->run_count; i++) {
        inlay_json_number(out, NULL, row->runs[i]);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
    inlay_json_object(out, "error");
    for (int p = 0; p < PREDICTIONS; p++) {
        inlay_json_number(out, measured_word(p), measured_error(row, p));
    }
    inlay_json_object_end(out);
}

static void put_row(inlay_json *out, const measured_row *row)
{
    inlay_json_object(out, NULL);
    inlay_json_string(out, "file", row->operand);
    inlay_json_string(out, "application", row->application);
    inlay_json_string(out, "machine", row->machine);
    inlay_json_string(out, "machine_name", row->name);
    inlay_json_string(out, "time_unit", inlay_unit_name(row->unit));
    inlay_json_number(out, "time_frame", row->time_frame);
    inlay_json_count(out, "ranks", row->ranks > 0 ? row->ranks : -1);
    inlay_json_count(out, "cores", row->cores > 0 ? row->cores : -1);
    for (int p = 0; p < PREDICTIONS; p++) {
        inlay_json_number(out, measured_word(p), row->predicted[p]);
    }
    put_numbers(out, row);
    inlay_json_object_end(out);
}

static void put_prediction(inlay_json *out, const measured_errors *errors, int prediction)
{
    inlay_json_object(out, measured_word(prediction));
    inlay_json_number(out, "median", errors->median[prediction]);
    inlay_json_number(out, "worst", errors->worst[prediction]);
    inlay_json_array(out, "within");
    for (size_t l = 0; l < ERROR_LEVELS; l++) {
        inlay_json_object(out, NULL);
        inlay_json_number(out, "error", measured_level(l));
        inlay_json_integer(out, "rows", (int64_t)errors->within[prediction][l]);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

/* The members of a sum. */
static void put_errors(inlay_json *out, const measured_errors *errors)
{
    inlay_json_integer(out, "rows", (int64_t)errors->rows);
    for (int p = 0; p < PREDICTIONS; p++) {
        put_prediction(out, errors, p);
    }
}

int measured_put_members(inlay_json *out, const void *of)
{
    const measured_runs *all = of;
    inlay_json_array(out, "rows");
    for (size_t i = 0; i < all->count; i++) {
        put_row(out, &all->rows[i]);
    }
    inlay_json_array_end(out);
    inlay_json_array(out, "machines");
    for (size_t m = 0; m < all->machines; m++) {
        inlay_json_object(out, NULL);
        inlay_json_string(out, "machine", measured_machine(all, m)->machine);
        inlay_json_string(out, "machine_name", measured_machine(all, m)->name);
        put_errors(out, &all->errors[m]);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    inlay_json_object(out, "all");
    put_errors(out, &all->errors[all->machines]);
    inlay_json_object_end(out);
    return INLAY_OK;
}
