/* `inlay reduce`: a stochastic graph becomes an application. */
#include "reduce.h"
#include "answer.h"
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>

typedef struct reduce_values {
    common_values common;
    int cycles;
    inlay_id executions;
    const char *output, *format;
} reduce_values;

#define FIELD(name) offsetof(reduce_values, name)

static const cli_option reduction[] = {
    {"cycles", 0, OPTION_CHOICE, "fold|traffic",
     "a loop becomes one module, or its links that go back become traffic without precedence", NULL, FIELD(cycles)},
    {"executions", 'n', OPTION_COUNT, "N", "the graph stands for N executions; messages are rounded less then", "1",
     FIELD(executions)},
};
static const cli_group reduction_group = {"Reduction", reduction, sizeof reduction / sizeof *reduction};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the application graph to FILE (.gz packs it)", NULL, FIELD(output)},
    {"format", 0, OPTION_STRING, "FORMAT", "format to write; `inlay --version` lists them",
     "told by the extension of FILE, else dot", FIELD(format)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

static int check_usage(const invocation *call)
{
    const reduce_values *values = call->values;
    if (values->format != NULL && values->output == NULL) {
        return report_usage(call->command, "--format goes with --output");
    }
    return EXIT_DONE;
}

static int write_json(const cli_answer *a, const char *path)
{
    const reduced *of = a->of;
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_stochastic_write_json(of->graph, &of->options, of->app, &context, path, a->diag);
}

static int write_app(const cli_answer *a, const char *path)
{
    const reduce_values *values = a->call->values;
    const reduced *of = a->of;
    return inlay_app_write(of->app, path, values->format, a->diag);
}

static const cli_output reduce_files[] = {
    {"JSON", .write = write_json},
    {"the graph", FIELD(output), .write = write_app},
    {0},
};

static int reduce(const invocation *call, inlay_diag *diag)
{
    const reduce_values *values = call->values;
    const inlay_stochastic_options options = {
        .cycles = values->cycles == 0 ? INLAY_CYCLES_FOLD : INLAY_CYCLES_TRAFFIC,
        .executions = values->executions == 0 ? 1 : values->executions,
    };
    inlay_stochastic *graph = NULL;
    inlay_app *app = NULL;
    int status = inlay_stochastic_read(call->operands[0], &graph, diag);
    status = status == INLAY_OK ? inlay_stochastic_reduce(graph, &options, &app, diag) : status;
    if (status == INLAY_OK) {
        status = give_out(call, &(reduced){graph, options, app, values->output}, diag);
    }
    inlay_app_free(app);
    inlay_stochastic_free(graph);
    return status;
}

const cli_command reduce_command = {
    .name = "reduce",
    .summary = "a stochastic AND-EOR graph becomes an application",
    .description =
        "Reads a graph whose paths are not known before it runs: an AND module passes control on to all its "
        "successors, an EOR module to one of them, drawn with the probabilities of its links. Tells how often each "
        "module is visited in one execution and for how long it works, on the average, and the mean and the standard "
        "deviation of the total work; with -o, writes the application graph that has these times and this traffic.\n"
        "Loops are allowed while their visits are finite. An application has none: each becomes one module, or loses "
        "the links that go back.",
    .example = "inlay reduce graphs/transactions.dot -o G.dot\n"
               "inlay reduce graphs/transactions.dot -n 1000 -o G.tg\n"
               "inlay reduce graphs/adaptive.dot --cycles traffic --json",
    .operands = {{.name = "SG", .help = "the stochastic graph: a DOT file, or - for standard input"}},
    .groups = {&reduction_group, &output_group, &result_options, &common_options},
    .values_size = sizeof(reduce_values),
    .outputs = reduce_files,
    .print = reduced_print,
    .check = check_usage,
    .answer = reduce,
};
