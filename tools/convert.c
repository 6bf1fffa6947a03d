/* `inlay convert`: an application or a machine in another format. */
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>

typedef struct convert_values {
    common_values common;
    const char *from, *format, *machine, *output;
    double tick; /* seconds; 0: none */
} convert_values;

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

static int convert_app(const char *in, const convert_values *values, const char *output, inlay_diag *diag)
{
    inlay_app *app = NULL;
    int status = inlay_app_read(in, values->from, &app, diag);
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
    if (values->machine != NULL || values->from != NULL) {
        return values->machine;
    }
    return inlay_is_machine(call->operands[0]) ? call->operands[0] : NULL;
}

static int run(const invocation *call)
{
    const convert_values *values = call->values;
    if (values->machine == NULL && call->operand_count == 0) {
        return report_usage(call->command, "IN is missing");
    }
    if (values->machine != NULL && (call->operand_count > 0 || values->from != NULL)) {
        return report_usage(call->command, "--machine goes without IN and --from");
    }
    const char *output = values->output != NULL ? values->output : "-";
    const char *machine = machine_of(call);
    if (machine == NULL && values->tick > 0) {
        return report_usage(call->command, "--tick goes with machines");
    }
    inlay_diag *diag = inlay_diag_new();
    int status = INLAY_NO_MEMORY;
    if (diag != NULL && machine != NULL) {
        status = convert_machine(machine, values, output, diag);
    } else if (diag != NULL) {
        status = convert_app(call->operands[0], values, output, diag);
    }
    int end = report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}

const cli_command convert_command = {
    .name = "convert",
    .summary = "write an application or a machine in another format",
    .description =
        "Reads an application graph in any format that Inlay knows and writes it in another; or a machine, which may "
        "also be a string, or host, which is this computer. What the new format cannot express is told as a warning.",
    .example = "inlay convert graphs/workflow.json -o workflow.dot\n"
               "inlay convert bus:17,memory=common -o bus17.dot\n"
               "inlay convert mesh:8x8 --format tgt",
    .operands = {{"IN", "an application graph (- is standard input), or a machine", true, false}},
    .groups = {&conversion, &common_options},
    .values_size = sizeof(convert_values),
    .run = run,
};
