/* Runs beside their predictions as JSON, as docs/compare.md has it. */
#include "measured.h"
#include <inlay/inlay.h>
#include <inttypes.h>

static void put_numbers(inlay_json *out, const measured_row *row)
{
    inlay_json_put(out, "measured { median %g least %g most %g spread %g runs [", row->median, row->least, row->most,
                   measured_spread(row));
    for (size_t i = 0; i < row->run_count; i++) {
        inlay_json_number(out, NULL, row->runs[i]);
    }
    inlay_json_put(out, "] } error {");
    for (int p = 0; p < PREDICTIONS; p++) {
        inlay_json_number(out, measured_word(p), measured_error(row, p));
    }
    inlay_json_object_end(out);
}

static void put_row(inlay_json *out, const measured_row *row)
{
    inlay_json_put(out,
                   "{ file %s application %s machine %s machine_name %s time_unit %s time_frame %g ranks %" PRIi64
                   " cores %" PRIi64,
                   row->operand, row->application, row->machine, row->name, inlay_unit_name(row->unit), row->time_frame,
                   row->ranks > 0 ? row->ranks : -1, row->cores > 0 ? row->cores : -1);
    for (int p = 0; p < PREDICTIONS; p++) {
        inlay_json_number(out, measured_word(p), row->predicted[p]);
    }
    put_numbers(out, row);
    inlay_json_object_end(out);
}

static void put_prediction(inlay_json *out, const measured_errors *errors, int prediction)
{
    inlay_json_object(out, measured_word(prediction));
    inlay_json_put(out, "median %g worst %g within [", errors->median[prediction], errors->worst[prediction]);
    for (size_t l = 0; l < ERROR_LEVELS; l++) {
        inlay_json_put(out, "{ error %g rows %" PRId64 " }", measured_level(l), (int64_t)errors->within[prediction][l]);
    }
    inlay_json_put(out, "] }");
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
    inlay_json_put(out, "] machines [");
    for (size_t m = 0; m < all->machines; m++) {
        inlay_json_put(out, "{ machine %s machine_name %s", measured_machine(all, m)->machine,
                       measured_machine(all, m)->name);
        put_errors(out, &all->errors[m]);
        inlay_json_object_end(out);
    }
    inlay_json_put(out, "] all {");
    put_errors(out, &all->errors[all->machines]);
    inlay_json_object_end(out);
    return INLAY_OK;
}
