/* Performance functions: constants, formulas, and what all kinds have in common. */
#include "processes/performance.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *inlay_performance_form_name(inlay_performance_form form)
{
    static const char *const names[] = {"as-given", "constant", "table", "paper", "offset"};
    return (unsigned)form < sizeof names / sizeof *names ? names[form] : NULL;
}

/* ---- Making ---- */

static double inverse_square(double length)
{
    return length > 0 ? 1 / length / length : 0;
}

inlay_performance *performance_make(inlay_performance_form form, inlay_performance_numbers numbers)
{
    inlay_performance *made = memory_zeroed(1, sizeof *made);
    if (made != NULL) {
        made->form = form;
        made->numbers = numbers;
        made->times = (performance_times){.one = form == INLAY_PERFORMANCE_PAPER ? 0 : 1,
                                          .xx = inverse_square(numbers.a),
                                          .yy = inverse_square(numbers.b),
                                          .c = numbers.c};
    }
    return made;
}

void inlay_performance_free(inlay_performance *performance)
{
    if (performance != NULL) {
        performance_table_clear(&performance->table);
        free(performance->error);
        free(performance->measurement);
        free(performance);
    }
}

static int make(inlay_performance_form form, inlay_performance_numbers numbers, inlay_performance **performance,
                inlay_diag *diag)
{
    inlay_performance *made = performance_make(form, numbers);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    *performance = made;
    return INLAY_OK;
}

static bool is_positive(double x)
{
    return isnormal(x) && x > 0;
}

int inlay_performance_constant(double speed, inlay_performance **performance, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!is_positive(speed)) {
        char text[DOUBLE_TEXT];
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the speed is %s; expected a number above 0",
                         double_text(speed, text));
    }
    return make(INLAY_PERFORMANCE_CONSTANT, (inlay_performance_numbers){.c = speed}, performance, diag);
}

static int refuse_number(const char *name, double value, const char *expected, inlay_diag *diag)
{
    char text[DOUBLE_TEXT];
    return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s of the performance function is %s; expected %s", name,
                     double_text(value, text), expected);
}

int inlay_performance_formula(inlay_performance_form form, const inlay_performance_numbers *numbers,
                              inlay_performance **performance, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_performance_numbers n = *numbers;
    if (form != INLAY_PERFORMANCE_PAPER && form != INLAY_PERFORMANCE_OFFSET) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "this form has no numbers; expected 'paper' or 'offset'");
    }
    if (!is_positive(n.c)) {
        return refuse_number("c", n.c, "a number above 0", diag);
    }
    if (n.a != 0 && !(is_positive(n.a) && is_positive(inverse_square(n.a)))) {
        return refuse_number("a", n.a, "a number above 0, or 0 where f does not depend on x", diag);
    }
    if (n.b != 0 && !(is_positive(n.b) && is_positive(inverse_square(n.b)))) {
        return refuse_number("b", n.b, "a number above 0, or 0 where f does not depend on y", diag);
    }
    if (form == INLAY_PERFORMANCE_PAPER && n.a == 0 && n.b == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the paper's form has neither a nor b, so that its speed has no limit; expected one of them");
    }
    return make(form, n, performance, diag);
}

/* ---- Measurements ---- */

int performance_check(const inlay_measurement *measurement, size_t count, inlay_diag *diag)
{
    static const int64_t most = INT64_C(1) << 53; /* whole numbers that doubles hold */
    char text[DOUBLE_TEXT];
    if (count == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "no measurements; expected at least one");
    }
    for (size_t i = 0; i < count; i++) {
        const inlay_measurement *m = &measurement[i];
        if (m->processes < 1 || m->processes > most) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "measurement %zu has %" PRId64 " processes; expected 1 to 2^53 of them", i + 1,
                             m->processes);
        }
        if (!is_positive(m->data)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "measurement %zu has %s data; expected a number above 0", i + 1,
                             double_text(m->data, text));
        }
        if (!is_positive(m->speed)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "measurement %zu has the speed %s; expected a number above 0",
                             i + 1, double_text(m->speed, text));
        }
    }
    return INLAY_OK;
}

inlay_performance_range performance_range(const inlay_measurement *measurement, size_t count)
{
    inlay_performance_range range = {.known = true,
                                     .processes = {measurement[0].processes, measurement[0].processes},
                                     .data = {measurement[0].data, measurement[0].data}};
    for (size_t i = 1; i < count; i++) {
        int64_t x = measurement[i].processes;
        range.processes[0] = x < range.processes[0] ? x : range.processes[0];
        range.processes[1] = x > range.processes[1] ? x : range.processes[1];
        range.data[0] = fmin(range.data[0], measurement[i].data);
        range.data[1] = fmax(range.data[1], measurement[i].data);
    }
    return range;
}

bool performance_covers(const inlay_performance *performance, double processes, double data)
{
    static const double rounding = 1e-12; /* of W / l */
    const inlay_performance_range *r = &performance->range;
    return !r->known || (processes >= (double)r->processes[0] && processes <= (double)r->processes[1] &&
                         data >= r->data[0] * (1 - rounding) && data <= r->data[1] * (1 + rounding));
}

/* ---- Asking ---- */

performance_times performance_times_of(const inlay_processors *row)
{
    performance_times times = row->performance->times;
    times.c *= row->speed > 0 ? row->speed : 1;
    return times;
}

double inlay_processors_time(const inlay_processors *row, double processes, double data)
{
    performance_times times = performance_times_of(row);
    return performance_time(&times, processes, data);
}

double inlay_performance_speed(const inlay_performance *performance, double processes, double data)
{
    return data / performance_time(&performance->times, processes, data);
}

inlay_performance_form inlay_performance_form_of(const inlay_performance *performance)
{
    return performance->form;
}

inlay_performance_numbers inlay_performance_numbers_of(const inlay_performance *performance)
{
    return performance->numbers;
}

const inlay_performance_errors *inlay_performance_errors_of(const inlay_performance *performance)
{
    return performance->error == NULL ? NULL : &performance->errors;
}

inlay_performance_range inlay_performance_range_of(const inlay_performance *performance)
{
    return performance->range;
}
