/* Runs beside their predictions as CSV: one line a file. What a file does not tell is an empty field. */
#include "measured.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>

static void put_row(FILE *to, const measured_row *row)
{
    const double numbers[] = {
        row->time_frame,
        row->ranks > 0 ? (double)row->ranks : NAN,
        row->cores > 0 ? (double)row->cores : NAN,
        (double)row->run_count,
        row->predicted[BY_ESTIMATE],
        row->predicted[BY_SIMULATION],
        row->median,
        row->least,
        row->most,
        measured_spread(row),
        measured_error(row, BY_ESTIMATE),
        measured_error(row, BY_SIMULATION),
    };
    say_csv_text(to, row->operand, true);
    say_csv_text(to, row->application, false);
    say_csv_text(to, row->machine, false);
    say_csv_text(to, row->name, false);
    say_csv_text(to, inlay_unit_name(row->unit), false);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        say_csv_number(to, numbers[i]);
    }
    say(to, "\n");
}

void measured_put_csv(FILE *to, const void *of)
{
    const measured_runs *all = of;
    say(to, "file,application,machine,machine_name,time_unit,time_frame,ranks,cores,runs,estimate,simulated,measured,"
            "least,most,"
            "spread,error_estimate,error_simulated\n");
    for (size_t i = 0; i < all->count; i++) {
        put_row(to, &all->rows[i]);
    }
}
