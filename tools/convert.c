/* `inlay convert`: an application in another format, a machine as DOT. */
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>

typedef struct convert_values {
    common_values common;
    const char *from, *format, *machine, *output;
} convert_values;

#define FIELD(name) offsetof(convert_values, name)

static const cli_option options[] = {
    {"from", 0, OPTION_STRING, "FORMAT", "format of IN; `inlay --version` lists them", "told by content and extension",
     FIELD(from)},
    {"format", 0, OPTION_STRING, "FORMAT", "format to write", "told by the extension of FILE, else dot", FIELD(format)},
    {"output", 'o', OPTION_STRING, "FILE", "write to FILE (.gz packs it)", "standard output", FIELD(output)},
    {"machine", 0, OPTION_STRING, "MACHINE", "write this machine as DOT, in place of an application", NULL,
     FIELD(machine)},
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

static int convert_machine(const char *text, const char *output, inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(text, &machine, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_write(machine, output, diag);
    }
    inlay_machine_free(machine);
    return status;
}

static int run(const invocation *call)
{
    const convert_values *values = call->values;
    if (values->machine == NULL && call->operand_count == 0) {
        return report_usage(call->command, "IN is missing");
    }
    if (values->machine != NULL && (call->operand_count > 0 || values->from != NULL || values->format != NULL)) {
        return report_usage(call->command, "--machine goes without IN, --from and --format");
    }
    const char *output = values->output != NULL ? values->output : "-";
    inlay_diag *diag = inlay_diag_new();
    int status = INLAY_NO_MEMORY;
    if (diag != NULL && values->machine != NULL) {
        status = convert_machine(values->machine, output, diag);
    } else if (diag != NULL) {
        status = convert_app(call->operands[0], values, output, diag);
    }
    int end = report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}

const cli_command convert_command = {
    .name = "convert",
    .summary = "write an application in another format, or a machine as DOT",
    .description =
        "Reads an application graph in any format that Inlay knows and writes it in another. What the new format "
        "cannot express is told as a warning.",
    .example = "inlay convert graphs/workflow.json -o workflow.dot\n"
               "inlay convert --machine bus:17,memory=common -o bus17.dot",
    .operands = {{"IN", "the application graph: a file, or - for standard input", true, false}},
    .groups = {&conversion, &common_options},
    .values_size = sizeof(convert_values),
    .run = run,
};
