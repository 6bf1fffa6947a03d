/* `inlay delay`: the delay functions of machines. */
#include "delay.h"
#include "answer.h"
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>

#define FIELD(name) offsetof(delay_values, name)

static const cli_option points[] = {
    {"points", 0, OPTION_COUNT, "N", "N evenly spread loads, 0 the first of them", "0, 0.1, ..., 0.9, 0.95, 0.99",
     FIELD(points)},
    {"load", 0, OPTION_NUMBERS, "LIST", "operating points: u over its limit, separated by commas", NULL, FIELD(load)},
    {"utilisation", 0, OPTION_NUMBERS, "LIST", "operating points: u as the model counts it", NULL, FIELD(utilisation)},
    {"rate", 0, OPTION_NUMBERS, "LIST", "operating points: rho, the request rate of a processor that does not wait",
     NULL, FIELD(rate)},
    {"traffic", 0, OPTION_STRING, "AMOUNT",
     "an operating point: messages or bytes (as the capacity counts; 64MiB: bytes) in the time -T", NULL,
     FIELD(traffic)},
    {"time-frame", 'T', OPTION_DURATION, "TIME", "the time in which --traffic passes", NULL, FIELD(time_frame)},
};
static const cli_group delay_points = {"Points", points, sizeof points / sizeof *points};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the points as CSV to FILE (- for standard output)", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw tau over the load as SVG, operating points marked", NULL, FIELD(svg)},
};
static const cli_group delay_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- What was asked ---- */

static const double usual_loads[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
enum { USUAL_LOADS = sizeof usual_loads / sizeof *usual_loads, MOST_POINTS = 100000 };

static size_t count_numbers(const char *list)
{
    size_t count = 0;
    for (double number; next_number(&list, &number);) {
        count++;
    }
    return count;
}

static void add_ask(delay_study *study, delay_source source, double value)
{
    study->asks[study->ask_count++] = (delay_ask){source, value};
}

static void add_list(delay_study *study, delay_source source, const char *list)
{
    for (double number; next_number(&list, &number);) {
        add_ask(study, source, number);
    }
}

/* The function at even loads, unless operating points alone are wanted; then these, option by option. */
static int make_asks(const delay_values *values, delay_study *study)
{
    size_t lists = count_numbers(values->load) + count_numbers(values->utilisation) + count_numbers(values->rate);
    size_t own = lists + (values->traffic != NULL);
    size_t even = values->points > 0 ? (size_t)values->points : (own == 0 ? USUAL_LOADS : 0);
    study->asks = calloc(own + even, sizeof *study->asks);
    if (study->asks == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < even; i++) {
        add_ask(study, FROM_POINTS, values->points > 0 ? (double)i / (double)even : usual_loads[i]);
    }
    add_list(study, FROM_LOAD, values->load);
    add_list(study, FROM_UTILISATION, values->utilisation);
    add_list(study, FROM_RATE, values->rate);
    if (values->traffic != NULL) {
        add_ask(study, FROM_TRAFFIC, 0);
    }
    return INLAY_OK;
}

/* ---- The functions ---- */

int delay_evaluate(const delay_values *values, const delay_function *of, const delay_ask *ask, inlay_delay_point *point,
                   inlay_diag *diag)
{
    switch (ask->source) {
    case FROM_POINTS:
    case FROM_LOAD: {
        double u = ask->value * inlay_delay_u_limit(of->delay);
        int status = inlay_delay_at_utilisation(of->delay, u, point, diag);
        if (status == INLAY_OK) {
            point->load = ask->value; /* u / u_limit may differ from it in the last digit */
        }
        return status;
    }
    case FROM_UTILISATION: return inlay_delay_at_utilisation(of->delay, ask->value, point, diag);
    case FROM_RATE: return inlay_delay_at_rate(of->delay, ask->value, point, diag);
    case FROM_TRAFFIC:
        return inlay_delay_at_traffic(of->delay, delay_traffic(values, of), delay_time(values, of), point, diag);
    }
    return INLAY_BAD_ARGUMENT;
}

static int fill_row(const delay_values *values, const delay_function *of, const delay_ask *ask, delay_row *row,
                    inlay_diag *diag)
{
    row->source = ask->source;
    int status = delay_evaluate(values, of, ask, &row->point, diag);
    if (status != INLAY_OK) {
        return status;
    }
    row->has_one_length =
        inlay_delay_fixed_length_error(of->delay, &row->point, &row->one_length_least, &row->one_length_most);
    if (row->point.u <= 0) {
        row->error = (inlay_known_error){.known = true}; /* nobody waits: every model is exact */
        return INLAY_OK;
    }
    return inlay_delay_known_error(of->delay, row->point.rho, &row->error);
}

static int fill_function(const delay_values *values, const delay_study *study, delay_function *of, inlay_diag *diag)
{
    inlay_delay_point idle;
    int status = inlay_delay_at_utilisation(of->delay, 0, &idle, diag);
    of->rows = status == INLAY_OK ? calloc(study->ask_count, sizeof *of->rows) : NULL;
    if (of->rows == NULL) {
        return status == INLAY_OK ? INLAY_NO_MEMORY : status;
    }
    of->idle_tau = idle.tau;
    of->count = study->ask_count;
    for (size_t i = 0; status == INLAY_OK && i < of->count; i++) {
        status = fill_row(values, of, &study->asks[i], &of->rows[i], diag);
    }
    return status;
}

static int read_machines(const invocation *call, delay_study *study, inlay_diag *diag)
{
    size_t count = (size_t)call->operand_count;
    study->functions = calloc(count, sizeof *study->functions);
    if (study->functions == NULL) {
        return INLAY_NO_MEMORY;
    }
    study->function_count = count;
    for (size_t i = 0; i < count; i++) {
        delay_function *of = &study->functions[i];
        int status = inlay_machine_read(call->operands[i], &of->machine, diag);
        status = status == INLAY_OK ? inlay_delay_new(of->machine, &of->delay, diag) : status;
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

static void clear_study(delay_study *study)
{
    for (size_t i = 0; i < study->function_count; i++) {
        free(study->functions[i].rows);
        inlay_delay_free(study->functions[i].delay);
        inlay_machine_free(study->functions[i].machine);
    }
    free(study->functions);
    free(study->asks);
    *study = (delay_study){0};
}

/* ---- Giving out ---- */

/* Operating points are marked in the picture. */
static int draw(const cli_answer *a, const char *path)
{
    const delay_study *study = a->of;
    const inlay_delay **delays = calloc(study->function_count, sizeof *delays);
    inlay_delay_mark *marks = calloc(study->function_count * study->ask_count, sizeof *marks);
    int status = delays == NULL || marks == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    inlay_delay_picture picture = {.marks = marks};
    for (size_t f = 0; status == INLAY_OK && f < study->function_count; f++) {
        const delay_function *of = &study->functions[f];
        delays[f] = of->delay;
        for (size_t i = 0; i < of->count; i++) {
            if (of->rows[i].source != FROM_POINTS) {
                marks[picture.mark_count++] = (inlay_delay_mark){.machine = f, .point = of->rows[i].point};
            }
        }
    }
    status = status == INLAY_OK ? inlay_delay_draw_svg(delays, study->function_count, &picture, path, a->diag) : status;
    free(marks);
    free(delays);
    return status;
}

static const cli_output delay_files[] = {
    {"JSON", .members = delay_put_members},
    {"--csv", FIELD(csv), .put = delay_put_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

/* ---- The command ---- */

static int check_usage(const invocation *call)
{
    const delay_values *values = call->values;
    if ((values->traffic == NULL) == values->time_frame.given) {
        return report_usage(call->command, values->traffic == NULL ? "-T goes with --traffic AMOUNT"
                                                                   : "--traffic needs the time in which it passes, -T");
    }
    if (values->points > MOST_POINTS) {
        return report_usage(call->command, "--points %s: expected a whole number from 1 to %d",
                            call->given[command_find_option(call->command, "--points")], MOST_POINTS);
    }
    return delay_check_amount(call);
}

static int answer_study(const invocation *call, delay_study *study, inlay_diag *diag)
{
    const delay_values *values = call->values;
    int status = make_asks(values, study);
    status = status == INLAY_OK ? read_machines(call, study, diag) : status;
    status = status == INLAY_OK ? delay_check_units(call, study) : status;
    for (size_t i = 0; status == INLAY_OK && i < study->function_count; i++) {
        status = fill_function(values, study, &study->functions[i], diag);
    }
    if (status == INLAY_NO_ANSWER) {
        int end = report_end(call, status, diag);
        delay_say_remedy(call, study);
        return end;
    }
    return status == INLAY_OK ? give_out(call, study, diag) : status;
}

static int answer_delay(const invocation *call, inlay_diag *diag)
{
    delay_study study = {0};
    int status = answer_study(call, &study, diag);
    clear_study(&study);
    return status;
}

const cli_command delay_command = {
    .name = "delay",
    .summary = "what a message costs on a machine, from idle to saturated",
    .description =
        "Tells for each machine how the delay D of its interconnect and tau, the time of one unit of traffic, grow "
        "with the load u / u_limit, and how far the formula is known to be from the truth. Loads make machines "
        "comparable, and tau does: what u and D count differs from model to model.\n"
        "At or above the limit there is no answer: the exit status is 1, and the line says by how much it is passed.",
    .example = "inlay delay bus:17,memory=common --load 0.5,0.9\n"
               "inlay delay architectures/paper-bus17.dot architectures/bus16-common.dot --svg delay.svg\n"
               "inlay delay architectures/cluster17.dot --traffic 600MB -T 1s",
    .operands = {{.name = "MACHINE",
                  .help = "machines: strings such as bus:17,memory=common, or DOT files",
                  .repeats = true}},
    .groups = {&delay_points, &delay_outputs, &common_options},
    .values_size = sizeof(delay_values),
    .outputs = delay_files,
    .print = delay_print_table,
    .check = check_usage,
    .answer = answer_delay,
};
