/* `inlay convert`: an application or a machine in another format, an application with other numbers. */
#include "commands.h"
#include "convert.h"
#include "report.h"
#include <inlay/inlay.h>

#define FIELD(name) offsetof(convert_values, name)

static const cli_option options[] = {
    {"from", 0, OPTION_STRING, "FORMAT", "format of the application IN; `inlay --version` lists them",
     "told by content and extension", FIELD(from)},
    {"format", 0, OPTION_STRING, "FORMAT", "format to write; machines have simgrid, tgt (Scotch's targets) and dot",
     "told by the extension of FILE, else dot", FIELD(format)},
    {"output", 'o', OPTION_STRING, "FILE", "write to FILE (.gz packs it)", "standard output", FIELD(output)},
    {"machine", 0, OPTION_STRING, "MACHINE", "convert this machine, as IN does; - is standard input", NULL,
     FIELD(machine)},
    {"tick", 0, OPTION_SECONDS, "TIME", "length of a tick, for machines in ticks and formats in seconds", NULL,
     FIELD(tick)},
};
static const cli_group conversion = {"Conversion", options, sizeof options / sizeof *options};

static const cli_option numbers[] = {
    {"times-from", 0, OPTION_STRING, "MACHINE",
     "times of modules from their counts, by the arithmetic_time and function_time of this machine", NULL,
     FIELD(times_from)},
    {"scale-time", 0, OPTION_STRING, "X", "multiply all times and counts of operations by X", "1", FIELD(scale_time)},
    {"scale-bytes", 0, OPTION_STRING, "Y", "multiply all bytes of links, data blocks and memory by Y", "1",
     FIELD(scale_bytes)},
};
static const cli_group changes_group = {"Numbers of an application", numbers, sizeof numbers / sizeof *numbers};

static int convert_app(const invocation *call, const number_changes *changes, const char *output, inlay_diag *diag)
{
    const convert_values *values = call->values;
    inlay_app *app = NULL;
    int status = inlay_app_read(call->operands[0], values->from, &app, diag);
    if (status == INLAY_OK) {
        status = number_changes_make(changes, &app, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_app_write(app, output, values->format, diag);
    }
    inlay_app_free(app);
    return status;
}

static int convert_machine(const char *text, const convert_values *values, const char *output, inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(text, &machine, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_write_as(machine, output, values->format, values->tick, diag);
    }
    inlay_machine_free(machine);
    return status;
}

/* The machine that is meant: by its option, or IN where that looks like one; NULL where IN is an application. */
static const char *machine_of(const invocation *call)
{
    const convert_values *values = call->values;
    if (values->machine != NULL || values->from != NULL || call->operand_count == 0) {
        return values->machine;
    }
    return inlay_is_machine(call->operands[0]) ? call->operands[0] : NULL;
}

static int check_usage(const invocation *call, const char *machine)
{
    const convert_values *values = call->values;
    if (values->machine == NULL && call->operand_count == 0) {
        return report_usage(call->command, "IN is missing");
    }
    if (values->machine != NULL && (call->operand_count > 0 || values->from != NULL)) {
        return report_usage(call->command, "--machine goes without IN and --from");
    }
    if (machine == NULL && values->tick > 0) {
        return report_usage(call->command, "--tick goes with machines");
    }
    if (machine != NULL && (values->times_from != NULL || values->scale_time != NULL || values->scale_bytes != NULL)) {
        return report_usage(call->command, "--times-from, --scale-time and --scale-bytes go with applications");
    }
    return EXIT_DONE;
}

static int run(const invocation *call)
{
    const convert_values *values = call->values;
    const char *output = values->output != NULL ? values->output : "-";
    const char *machine = machine_of(call);
    number_changes changes = {0};
    int end = check_usage(call, machine);
    if (end == EXIT_DONE) {
        end = number_changes_read(call, &changes);
    }
    if (end != EXIT_DONE) {
        return end;
    }
    inlay_diag *diag = inlay_diag_new();
    int status = INLAY_NO_MEMORY;
    if (diag != NULL && machine != NULL) {
        status = convert_machine(machine, values, output, diag);
    } else if (diag != NULL) {
        status = convert_app(call, &changes, output, diag);
    }
    end = report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}

const cli_command convert_command = {
    .name = "convert",
    .summary = "write an application or a machine in another format",
    .description =
        "Reads an application graph in any format that Inlay knows and writes it in another; or a machine, which may "
        "also be a string, or host, which is this computer. What the new format cannot express is told as a warning.\n"
        "On the way an application can get times from its counts of operations, and all its times and bytes can be "
        "multiplied: so a trace of hours runs as a synthetic program of seconds.",
    .example = "inlay convert graphs/workflow.json -o workflow.dot\n"
               "inlay convert bus:17,memory=common -o bus17.dot\n"
               "inlay convert mesh:8x8 --format tgt\n"
               "inlay convert graphs/workflow.json --scale-time 0.001 --scale-bytes 0.001 -o short.dot",
    .operands = {{"IN", "an application graph (- is standard input), or a machine", true, false}},
    .groups = {&conversion, &changes_group, &common_options},
    .values_size = sizeof(convert_values),
    .run = run,
};
