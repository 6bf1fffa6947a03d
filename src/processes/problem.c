/* Problems and options of process counts: what they must be, and what is counted from them directly. */
#include "base/decimal.h"
#include "base/diag.h"
#include "processes/plan.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const int64_t most_data = INT64_C(1) << 53; /* whole numbers that doubles hold */
enum { LEAST_RANGE = 1000, RANGE_A_PROCESSOR = 10, MOST_KEPT = 100000 };

/* ---- Names ---- */

/* The row's name for messages. */
static const char *process_row_name(const inlay_processors *row, size_t number, char room[INLAY_PROCESSOR_NAME])
{
    if (row->name != NULL) {
        return row->name;
    }
    (void)snprintf(room, INLAY_PROCESSOR_NAME, "row %zu", number);
    return room;
}

const char *inlay_processors_name(const inlay_process_problem *problem, size_t row, char room[INLAY_PROCESSOR_NAME])
{
    if (problem->row[row].name != NULL) {
        return problem->row[row].name;
    }
    (void)snprintf(room, INLAY_PROCESSOR_NAME, "%zu", row);
    return room;
}

double inlay_process_uneven(const inlay_process_problem *problem, const inlay_process_options *options,
                            const inlay_process_answer *answer)
{
    int64_t total = answer->total, data = problem->data;
    int64_t largest = data / total + (data % total > 0);
    return options->whole_units ? 0 : (double)largest * (double)total / (double)data - 1;
}

const char *inlay_processor_name(const inlay_process_problem *problem, int64_t processor,
                                 char room[INLAY_PROCESSOR_NAME])
{
    size_t q = 0;
    int64_t member = processor;
    while (q + 1 < problem->rows && member >= problem->row[q].count) {
        member -= problem->row[q++].count;
    }
    const inlay_processors *row = &problem->row[q];
    if (row->host != NULL) {
        return row->host[member];
    }
    char number[24] = "";
    if (row->count > 1) {
        (void)snprintf(number, sizeof number, "%" PRId64, member);
    }
    if (row->name != NULL) {
        (void)snprintf(room, INLAY_PROCESSOR_NAME, "%.100s%s", row->name, number);
    } else {
        (void)snprintf(room, INLAY_PROCESSOR_NAME, "processor%" PRId64, processor);
    }
    return room;
}

/* ---- Checks ---- */

static int check_row(const inlay_processors *row, size_t number, inlay_diag *diag)
{
    char room[INLAY_PROCESSOR_NAME];
    const char *name = process_row_name(row, number, room);
    if (row->performance == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has no performance function; expected one", name);
    }
    if (row->count < 1 || row->count > INLAY_PROCESSES_PROCESSORS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has %" PRId64 " processors; expected 1 to %d", name, row->count,
                         INLAY_PROCESSES_PROCESSORS);
    }
    if (row->speed != 0 && !(isnormal(row->speed) && row->speed > 0)) {
        char text[DOUBLE_TEXT];
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has the speed %s; expected a number above 0", name,
                         double_text(row->speed, text));
    }
    return INLAY_OK;
}

int process_problem_check(const inlay_process_problem *problem, inlay_diag *diag)
{
    int64_t processors = 0;
    if (problem->rows == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "no processors; expected at least one");
    }
    for (size_t q = 0; q < problem->rows; q++) {
        int status = check_row(&problem->row[q], q, diag);
        if (status != INLAY_OK) {
            return status;
        }
        processors += problem->row[q].count;
        if (processors > INLAY_PROCESSES_PROCESSORS) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "more than %d processors; expected at most so many",
                             INLAY_PROCESSES_PROCESSORS);
        }
    }
    if (problem->data < 1 || problem->data > most_data) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "there are %" PRId64 " data; expected 1 to %" PRId64 " units of them", problem->data,
                         most_data);
    }
    return INLAY_OK;
}

int process_options_settle(const inlay_process_problem *problem, const inlay_process_options *given,
                           inlay_process_options *settled, inlay_diag *diag)
{
    inlay_process_options o = {0};
    if (given != NULL) {
        o = *given;
    }
    int64_t range = process_problem_processors(problem) * RANGE_A_PROCESSOR;
    range = range > LEAST_RANGE ? range : LEAST_RANGE;
    o.from = o.from == 0 ? 1 : o.from;
    if (o.to == 0) {
        o.to = range < o.from ? o.from : range;
        o.to = o.to > problem->data ? problem->data : o.to;
    }
    o.best = o.best == 0 ? 1 : o.best;
    o.within = o.within == 0 ? 0.01 : o.within;
    if (o.from < 1 || o.to < o.from || o.to > problem->data) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%" PRId64 " to %" PRId64
                         " processes are asked for; expected at least 1, and at most the %" PRId64 " units of data",
                         o.from, o.to, problem->data);
    }
    if (o.best < 1 || o.best > MOST_KEPT) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the best %d are asked for; expected 1 to %d", (int)o.best,
                         MOST_KEPT);
    }
    if (!(o.within > 0 && o.within <= 1)) {
        char text[DOUBLE_TEXT];
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "'within' is %s; expected a share above 0, at most 1",
                         double_text(o.within, text));
    }
    *settled = o;
    return INLAY_OK;
}

int process_overflow(inlay_diag *diag)
{
    return diag_fail(diag, INLAY_OVERFLOW,
                     "the times of the processors leave the range of numbers; expected speeds and data that give times "
                     "from 10^-300 to 10^300");
}

/* ---- Sums ---- */

int64_t process_problem_processors(const inlay_process_problem *problem)
{
    int64_t sum = 0;
    for (size_t q = 0; q < problem->rows; q++) {
        sum += problem->row[q].count;
    }
    return sum;
}

double process_unit(const inlay_process_problem *problem, int64_t total, bool whole)
{
    double data = (double)problem->data;
    double shares = (double)total;
    double rest = whole ? fmod(data, shares) : 0;
    return rest > 0 ? (data - rest) / shares + 1 : data / shares;
}

double process_hoho(const inlay_process_problem *problem, bool whole)
{
    double share = process_unit(problem, process_problem_processors(problem), whole);
    double time = 0;
    for (size_t q = 0; q < problem->rows; q++) {
        time = fmax(time, inlay_processors_time(&problem->row[q], 1, share));
    }
    return time;
}

void process_warn_outside(const inlay_process_problem *problem, size_t row, double processes, double data,
                          const char *what, inlay_diag *diag)
{
    char room[INLAY_PROCESSOR_NAME];
    char from[DOUBLE_TEXT];
    char to[DOUBLE_TEXT];
    inlay_performance_range r = problem->row[row].performance->range;
    diag_warn(diag,
              "%s: the speed of %s for x = %.0f, y = %.6g is not measured but extrapolated (from x %" PRId64
              " to %" PRId64 ", y %s to %s)",
              what, process_row_name(&problem->row[row], row, room), processes, data, r.processes[0], r.processes[1],
              double_text(r.data[0], from), double_text(r.data[1], to));
}
