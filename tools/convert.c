/* `inlay convert`: an application or a machine in another format, an application with other numbers. */
#include "answer.h"
#include "commands.h"
#include "convert.h"
#include "output.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

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

static const cli_option starpu[] = {
    {"models", 0, OPTION_STRING, "FOLDER",
     "times are those of the models in FOLDER, such as ~/.starpu/sampling; IN is what starpu_bound_print_dot() of a "
     "program "
     "wrote, or any application whose kinds of modules have codelets",
     NULL, FIELD(models)},
    {"codelets", 0, OPTION_STRING, "KIND=CODELET,...", "the codelet of each kind of modules",
     "of tiled Cholesky and LU StarPU's own in single precision; else that called as the kind", FIELD(codelets)},
    {"computer", 0, OPTION_STRING, "NAME", "where the models were measured, as StarPU names it",
     "the only one of which a codelet has a model", FIELD(computer)},
    {"model-size", 0, OPTION_CHOICE, "most-often|largest|smallest",
     "which of the sizes at which a codelet was measured its tasks have", NULL, FIELD(model_size)},
    {"spread", 0, OPTION_FLAG, NULL,
     "tasks of a codelet share out its times as they were spread, for --module-time kind; else each has the mean", NULL,
     FIELD(spread)},
};
static const cli_group starpu_group = {"Programs of StarPU's", starpu, sizeof starpu / sizeof *starpu};

/* What is written: the other one is NULL. */
typedef struct converted {
    inlay_app *app;
    inlay_machine *machine;
} converted;

static int write_either(const cli_answer *a, const char *path)
{
    const convert_values *values = a->call->values;
    const converted *of = a->of;
    return of->machine != NULL ? inlay_machine_write_as(of->machine, path, values->format, values->tick, a->diag)
                               : inlay_app_write(of->app, path, values->format, a->diag);
}

static const cli_output convert_files[] = {
    {"-o", FIELD(output), .always = true, .write = write_either},
    {.name = "--machine", .path = FIELD(machine)},
    {.name = "--times-from", .path = FIELD(times_from)},
    {0},
};

static int check_operands(const invocation *call)
{
    const convert_values *values = call->values;
    if (values->machine == NULL && call->operand_count == 0) {
        return report_missing(call->command, 0);
    }
    if (values->machine != NULL && (call->operand_count > 0 || values->from != NULL)) {
        return report_usage(call->command, "--machine goes without IN and --from");
    }
    if (values->models != NULL && (values->machine != NULL || values->from != NULL)) {
        return report_usage(call->command, "--models goes without --machine and --from");
    }
    if (values->models == NULL &&
        (values->computer != NULL || values->model_size > 0 || values->spread || values->codelets != NULL)) {
        return report_usage(call->command, "--computer, --codelets, --model-size and --spread go with --models");
    }
    if (output_is_standard(values->times_from) && call->operand_count > 0 && output_is_standard(call->operands[0])) {
        return report_usage(call->command, "standard input is named twice; expected a file for IN or --times-from");
    }
    return EXIT_DONE;
}

static int check_kind(const invocation *call, bool machine)
{
    const convert_values *values = call->values;
    if (!machine && values->tick > 0) {
        return report_usage(call->command, "--tick goes with machines");
    }
    if (machine && (values->times_from != NULL || values->scale_time != NULL || values->scale_bytes != NULL)) {
        return report_usage(call->command, "--times-from, --scale-time and --scale-bytes go with applications");
    }
    return EXIT_DONE;
}

/* A name such as toy.xyz asks for a format that there is not; one without a dot is DOT. */
static int check_extension(const invocation *call, bool machine)
{
    const convert_values *values = call->values;
    const char *slash = strrchr(values->output != NULL ? values->output : "", '/');
    const char *name = slash != NULL ? slash + 1 : values->output;
    const char *dot = name != NULL && values->format == NULL ? strchr(name, '.') : NULL;
    if (dot == NULL || dot == name) {
        return EXIT_DONE;
    }
    for (size_t i = 0; i < (machine ? inlay_machine_formats() : inlay_formats()); i++) {
        inlay_format format = machine ? inlay_machine_format_at(i) : inlay_format_at(i);
        if (format.writes && inlay_format_fits(format, name)) {
            return EXIT_DONE;
        }
    }
    bool picture = strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0;
    return report_usage(
        call->command, "-o %s: its name tells no format to write; expected --format, or a name such as %.*s.dot%s%s",
        values->output, (int)(dot - name), name, picture ? "; pictures: inlay map --" : "", picture ? dot + 1 : "");
}

/* The machine that is named by its option, or what IN is. */
static int read_input(const invocation *call, converted *of, inlay_diag *diag)
{
    const convert_values *values = call->values;
    reading how;
    if (values->models != NULL) {
        const inlay_starpu_models models = {values->models, values->computer, (inlay_starpu_size)values->model_size,
                                            values->spread, values->codelets};
        return inlay_app_read_starpu(call->operands[0], &models, &of->app, diag);
    }
    if (values->machine != NULL) {
        return inlay_machine_read(values->machine, &of->machine, diag);
    }
    int status = reading_of(call, &values->reading, values->from, &how);
    if (status == INLAY_OK) {
        status = reading_asks(&how) ? inlay_app_read_as(call->operands[0], &how.how, &of->app, diag)
                                    : inlay_app_or_machine_read(call->operands[0], NULL, &of->app, &of->machine, diag);
    }
    free(how.names);
    return status;
}

static int convert(const invocation *call, inlay_diag *diag)
{
    converted of = {0};
    number_changes changes = {0};
    int status = read_input(call, &of, diag);
    status = status == INLAY_OK ? check_kind(call, of.machine != NULL) : status;
    status = status == INLAY_OK ? check_extension(call, of.machine != NULL) : status;
    status = status == INLAY_OK ? number_changes_read(call, &changes) : status;
    if (status == INLAY_OK && of.app != NULL) {
        status = number_changes_make(&changes, &of.app, diag);
    }
    status = status == INLAY_OK ? give_out(call, &of, diag) : status;
    inlay_machine_free(of.machine);
    inlay_app_free(of.app);
    return status;
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
    .operands = {{.name = "IN", .help = "an application graph (- is standard input), or a machine", .optional = true}},
    .groups = {&conversion, &reading_options, &starpu_group, &changes_group, &common_options},
    .values_size = sizeof(convert_values),
    .outputs = convert_files,
    .check = check_operands,
    .answer = convert,
};
