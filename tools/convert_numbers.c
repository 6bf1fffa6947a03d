/* Times from counts and factors of `inlay convert`: what the options ask for, and doing it. */
#include "convert.h"
#include "allowed.h"
#include "report.h"
#include <inlay/inlay.h>

/* Smaller ones would have lost digits: a decimal has 18 places. */
static bool read_factor(const char *text, inlay_decimal *factor)
{
    inlay_decimal read;
    if (inlay_decimal_parse(text, &read) != INLAY_OK || !(inlay_decimal_double(read) >= 1e-12)) {
        return false;
    }
    *factor = read;
    return true;
}

static int read_factors(const invocation *call, number_changes *changes)
{
    const convert_values *values = call->values;
    const char *const text[] = {values->scale_time, values->scale_bytes};
    const char *const name[] = {"--scale-time", "--scale-bytes"};
    inlay_decimal *const factor[] = {&changes->by.time, &changes->by.bytes};
    for (int i = 0; i < 2; i++) {
        changes->scaled = changes->scaled || text[i] != NULL;
        if (text[i] != NULL && !read_factor(text[i], factor[i])) {
            return report_usage(call->command, "%s %s: expected a number from 1e-12 to 1e18, such as 0.001", name[i],
                                text[i]);
        }
    }
    return EXIT_DONE;
}

static int no_times(const char *machine)
{
    say(stderr,
        "%-s: no arithmetic_time and no function_time; expected a machine that was measured: inlay measure -o FILE\n",
        machine);
    return EXIT_USAGE;
}

static int read_operations(const invocation *call, number_changes *changes)
{
    const convert_values *values = call->values;
    inlay_machine *machine = NULL;
    inlay_diag *diag = new_diag();
    if (diag == NULL) {
        return report_no_memory();
    }
    int end = report_end(call, inlay_machine_read(values->times_from, &machine, diag), diag);
    if (machine != NULL) {
        bool arithmetic = inlay_machine_arithmetic_time(machine, &changes->each.arithmetic);
        bool function = inlay_machine_function_time(machine, &changes->each.function);
        changes->timed = arithmetic || function;
        end = changes->timed ? EXIT_DONE : no_times(values->times_from);
    }
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    return end;
}

int number_changes_read(const invocation *call, number_changes *changes)
{
    const convert_values *values = call->values;
    int end = read_factors(call, changes);
    return end != EXIT_DONE || values->times_from == NULL ? end : read_operations(call, changes);
}

int number_changes_make(const number_changes *changes, inlay_app **app, inlay_diag *diag)
{
    inlay_app *timed = NULL, *scaled = NULL;
    int status = INLAY_OK;
    if (changes->timed) {
        status = inlay_app_time_counts(*app, &changes->each, &timed, diag);
    }
    if (status == INLAY_OK && changes->scaled) {
        status = inlay_app_scale(timed != NULL ? timed : *app, &changes->by, &scaled, diag);
    }
    inlay_app *last = scaled != NULL ? scaled : timed;
    if (status == INLAY_OK && last != NULL) {
        inlay_app_free(*app);
        *app = last;
    }
    if (timed != *app) {
        inlay_app_free(timed);
    }
    return status;
}
