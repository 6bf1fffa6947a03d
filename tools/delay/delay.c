/* `inlay delay`: the delay functions of machines. */
#include "delay.h"
#include "answer.h"
#include "commands.h"
#include "raster.h"
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

static void add_ask(delay_question *q, inlay_delay_source source, double value)
{
    q->asks[q->points++] = (inlay_delay_ask){.source = source, .value = value};
}

static void add_list(delay_question *q, inlay_delay_source source, const char *list)
{
    for (double number; next_number(&list, &number);) {
        add_ask(q, source, number);
    }
}

/* The function at even loads, unless operating points alone are wanted; then these, option by option. */
static int make_asks(const delay_values *values, delay_question *q)
{
    size_t lists = count_numbers(values->load) + count_numbers(values->utilisation) + count_numbers(values->rate);
    size_t own = lists + (values->traffic != NULL);
    size_t even = values->points > 0 ? (size_t)values->points : (own == 0 ? USUAL_LOADS : 0);
    q->asks = calloc(own + even, sizeof *q->asks);
    if (q->asks == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < even; i++) {
        add_ask(q, INLAY_DELAY_POINTS, values->points > 0 ? (double)i / (double)even : usual_loads[i]);
    }
    add_list(q, INLAY_DELAY_LOAD, values->load);
    add_list(q, INLAY_DELAY_UTILISATION, values->utilisation);
    add_list(q, INLAY_DELAY_RATE, values->rate);
    if (values->traffic != NULL) {
        q->asks[q->points++] = delay_traffic(values);
    }
    return INLAY_OK;
}

static int read_machines(const invocation *call, delay_question *q, inlay_diag *diag)
{
    size_t count = (size_t)call->operand_count;
    q->machines = calloc(count, sizeof *q->machines);
    q->delays = calloc(count, sizeof *q->delays);
    int status = q->machines != NULL && q->delays != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        inlay_delay *delay = NULL;
        status = inlay_machine_read(call->operands[i], &q->machines[i], diag);
        status = status == INLAY_OK ? inlay_delay_new(q->machines[i], &delay, diag) : status;
        q->delays[i] = delay;
        q->count = i + 1;
    }
    return status;
}

static void clear(delay_question *q)
{
    for (size_t i = 0; i < q->count; i++) {
        inlay_delay_free((inlay_delay *)q->delays[i]);
        inlay_machine_free(q->machines[i]);
    }
    free(q->delays);
    free(q->machines);
    free(q->asks);
}

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_delay_study_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_delay_study_write_csv(a->of, path, a->diag);
}

/* Operating points are marked in the picture. */
static int draw(const cli_answer *a, const char *path)
{
    const inlay_delay_study *study = a->of;
    inlay_delay_mark *marks = calloc(study->delays * study->points, sizeof *marks);
    inlay_delay_picture picture = {.marks = marks};
    if (marks == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < study->delays * study->points; i++) {
        if (study->row[i].source != INLAY_DELAY_POINTS) {
            marks[picture.mark_count++] =
                (inlay_delay_mark){.machine = i / study->points, .point = study->row[i].point};
        }
    }
    int status = inlay_delay_draw_svg(study->delay, study->delays, &picture, path, a->diag);
    free(marks);
    return status;
}

static const cli_output delay_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
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

static int answer_question(const invocation *call, const delay_question *q, inlay_diag *diag)
{
    inlay_delay_study study = {0};
    int status = inlay_delay_study_make(q->delays, q->count, q->asks, q->points, &study, diag);
    if (status == INLAY_NO_ANSWER) {
        int end = report_end(call, status, diag);
        delay_say_remedy(call, q);
        return end;
    }
    status = status == INLAY_OK ? give_out(call, &study, diag) : status;
    inlay_delay_study_clear(&study);
    return status;
}

static int answer_delay(const invocation *call, inlay_diag *diag)
{
    delay_question q = {0};
    int status = make_asks(call->values, &q);
    status = status == INLAY_OK ? read_machines(call, &q, diag) : status;
    status = status == INLAY_OK ? delay_check_units(call, &q) : status;
    status = status == INLAY_OK ? answer_question(call, &q, diag) : status;
    clear(&q);
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
    .groups = {&delay_points, &delay_outputs, &picture_options, &common_options},
    .values_size = sizeof(delay_values),
    .outputs = delay_files,
    .print = delay_print_table,
    .check = check_usage,
    .answer = answer_delay,
};
