/* `inlay balance`: whole shares of devices whose speed is a curve, so that all end at the same time. */
#include "answer.h"
#include "commands.h"
#include "output.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct balance_values {
    common_values common;
    inlay_id units;
    const char *csv;
} balance_values;

/* What was found, with what was asked. */
typedef struct balanced {
    const inlay_curves *devices;
    int64_t units;
    int64_t *share;
    inlay_curve_result result;
} balanced;

#define FIELD(name) offsetof(balance_values, name)

static const cli_option question[] = {
    {"units", 'W', OPTION_COUNT, "N", "units of data that are to be shared out", NULL, FIELD(units)},
};
static const cli_group balance_question = {"Question", question, sizeof question / sizeof *question};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write device, units and seconds as CSV to FILE (- for standard output)", NULL,
     FIELD(csv)},
};
static const cli_group balance_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* Speeds in place of a file, as decompose takes them. */
static bool is_list_of_speeds(const char *operand)
{
    return strchr(operand, ',') != NULL && operand[strspn(operand, "0123456789.,")] == '\0' &&
           access(operand, F_OK) != 0;
}

static int check_usage(const invocation *call)
{
    const balance_values *values = call->values;
    if (is_list_of_speeds(call->operands[0])) {
        return report_usage(
            call->command,
            "'%s' are speeds; expected a file of device,size,seconds, as inlay measure --curve writes it; "
            "inlay decompose takes speeds that no size changes",
            call->operands[0]);
    }
    return values->units > 0 ? EXIT_DONE : report_usage(call->command, "-W is missing; expected -W UNITS");
}

/* ---- Giving out ---- */

static double time_of(const balanced *b, size_t i)
{
    return inlay_curve_time(&b->devices->curve[i], b->share[i]);
}

/* By how much the device that takes longest is above the one that is done first. */
static double imbalance(const balanced *b)
{
    return b->result.time / b->result.least - 1;
}

static int put_members(inlay_json *json, const void *of)
{
    const balanced *b = of;
    inlay_json_put(json, "units %" PRId64 " time %g least %g imbalance %g exact %hhd used %" PRId64 " devices [",
                   b->units, b->result.time, b->result.least, imbalance(b), b->result.exact, b->result.used);
    for (size_t i = 0; i < b->devices->devices; i++) {
        const inlay_curve *c = &b->devices->curve[i];
        inlay_json_put(json, "{ name %s units %" PRId64 " time %g measured %hhd }", c->name, b->share[i], time_of(b, i),
                       (bool)(b->share[i] <= c->point[c->points - 1].size));
    }
    inlay_json_put(json, "]");
    return INLAY_OK;
}

static int write_json(const cli_answer *a, const char *path)
{
    return result_write(a->call, put_members, a->of, path, a->diag);
}

static void put_csv(FILE *to, const void *of)
{
    const balanced *b = of;
    say(to, "device,units,seconds\n");
    for (size_t i = 0; i < b->devices->devices; i++) {
        char time[INLAY_NUMBER_TEXT];
        say(to, "%s,%" PRId64 ",%s\n", b->devices->curve[i].name, b->share[i], inlay_number_text(time_of(b, i), time));
    }
}

static int write_csv(const cli_answer *a, const char *path)
{
    output_print(path, put_csv, a->of);
    return INLAY_OK;
}

static int print(const cli_answer *a)
{
    const balanced *b = a->of;
    table rows = {.left = {true}};
    table_headings(&rows, "device|units|share|time");
    for (size_t i = 0; i < b->devices->devices; i++) {
        table_cell(&rows, "%s", b->devices->curve[i].name);
        table_cells(&rows, "%" PRId64 "|%.1f %%|%.4g s", b->share[i], 100 * (double)b->share[i] / (double)b->units,
                    time_of(b, i));
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK) {
        char percent[FIGURE];
        say(stdout, "\ntime       %.4g s; the first is done %s before the last\n", b->result.time,
            percent_figure(1 - b->result.least / b->result.time, false, percent));
        say(stdout, "optimal    %s\n",
            b->result.exact ? "yes, no whole shares have a shorter longest time"
                            : "not known: times rise and fall too often to look at all sums");
    }
    return status;
}

static const cli_output balance_files[] = {
    {"--json", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {0},
};

/* ---- The command ---- */

static int answer_balance(const invocation *call, inlay_diag *diag)
{
    const balance_values *values = call->values;
    inlay_curves *devices = NULL;
    balanced b = {.units = values->units};
    int status = inlay_curves_read(call->operands[0], &devices, diag);
    b.devices = devices;
    if (status == INLAY_OK) {
        b.share = calloc(devices->devices, sizeof *b.share);
        status = b.share == NULL
                     ? INLAY_NO_MEMORY
                     : inlay_curves_partition(devices->curve, devices->devices, b.units, b.share, &b.result, diag);
    }
    status = status == INLAY_OK ? give_out(call, &b, diag) : status;
    free(b.share);
    inlay_curves_free(devices);
    return status;
}

const cli_command balance_command = {
    .name = "balance",
    .summary = "whole shares of devices with speeds by size, all ending at once",
    .description =
        "A device may be fast with little data and slow once they leave its cache or its memory, or the other way "
        "round. Reads how long each device takes for some sizes, as inlay measure --curve writes it, and tells how "
        "many units each should get so that the last one ends soonest: no whole shares are better. Devices whose "
        "memory is full get no more; one that only lengthens the time gets nothing.",
    .example = "inlay balance docs/examples/two-devices.csv -W 100000\n"
               "inlay balance docs/examples/two-devices.csv -W 100000 --csv -",
    .operands = {{.name = "CURVES", .help = "seconds of each device and size, as CSV; - is standard input"}},
    .groups = {&balance_question, &balance_outputs, &common_options},
    .values_size = sizeof(balance_values),
    .outputs = balance_files,
    .print = print,
    .check = check_usage,
    .answer = answer_balance,
};
