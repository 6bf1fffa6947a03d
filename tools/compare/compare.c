/* `inlay compare`: candidate machines ranked. */
#include "compare.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "measured/measured.h"
#include "operands.h"
#include "output.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(compare_values, name)

static const cli_option method[] = {
    {"processors", 'p', OPTION_COUNT, "P", "use at most P processors of each machine", "as many as the machine has",
     FIELD(mapping.processors)},
    {"method", 0, OPTION_METHOD, NULL, "how to find the clusters; docs/clustering.md has the methods", "best",
     FIELD(mapping.method)},
    {"sort", 0, OPTION_CHOICE, "elapsed|price|energy|efficiency",
     "what ranks the machines: the least elapsed time, price or energy of a run, or the highest "
     "efficiency. Equal ones go by elapsed time, then processors used, then price, then as they were named",
     NULL, FIELD(sort)},
};
static const cli_group compare_method = {"Method and order", method, sizeof method / sizeof *method};

static const cli_option measured[] = {
    {"measured", 0, OPTION_FLAG, NULL, "compare runs with what was predicted of them: RUN in place of APP and MACHINE",
     NULL, FIELD(measured)},
    {"predicted", 0, OPTION_CHOICE, "simulated|estimate", "what the picture of --svg shows against the measured time",
     NULL, FIELD(predicted)},
};
static const cli_group compare_measured = {"Runs", measured, sizeof measured / sizeof *measured};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(mapping.common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the rows as CSV to FILE (- for standard output, in place of the table)",
     NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE",
     "draw the elapsed times as bars, or the runs as dots, to FILE (- for standard output, in place of the table)",
     NULL, FIELD(svg)},
};
static const cli_group compare_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- The end ---- */

/* Those of a row that has an answer, with its place. */
static void say_warnings(const inlay_compare_row *row)
{
    for (size_t w = 0; row->mapping != NULL && w < inlay_diag_warnings(row->said); w++) {
        say(stderr, "inlay: warning: %-s on %-s: %s\n", row->app->name, row->machine->name,
            inlay_diag_warning(row->said, w));
    }
}

/* Where no row has an answer, the first tells why, and the command that would work is the typed one with its remedy. */
static int end_without_answer(const invocation *call, const inlay_compare_row *row)
{
    invocation of_row = *call;
    char *words[] = {(char *)row->app->source, (char *)row->machine->source};
    of_row.operands = words;
    of_row.operand_count = 2;
    (void)fflush(stdout); /* the rows come before the last line, also where both go to one file */
    return report_end(&of_row, row->status, row->said);
}

static int end_with_rows(const invocation *call, const inlay_comparison *all, inlay_diag *diag)
{
    size_t answers = 0;
    for (size_t i = 0; i < inlay_comparison_rows(all); i++) {
        answers += inlay_comparison_row(all, i)->mapping != NULL;
    }
    if (answers == 0) {
        return end_without_answer(call, inlay_comparison_row(all, 0));
    }
    (void)report_end(call, INLAY_OK, diag);
    inlay_diag_clear(diag); /* said */
    for (size_t i = 0; !call->common->quiet && i < inlay_comparison_rows(all); i++) {
        say_warnings(inlay_comparison_row(all, i));
    }
    return INLAY_OK;
}

/* ---- The command ---- */

static int compare_operands(const invocation *call, operands *all, inlay_diag *diag)
{
    const compare_values *values = call->values;
    const inlay_compare_options options = {.mapping = mapping_options(&values->mapping),
                                           .sort = (inlay_compare_sort)values->sort};
    inlay_comparison *comparison = NULL;
    int status = operands_read(call, values->mapping.format, values->mapping.reference_speed, all);
    if (status != INLAY_OK) {
        return status;
    }
    status = inlay_compare(all->input, all->count, &options, &comparison, diag);
    if (status == INLAY_BAD_ARGUMENT) {
        return report_usage(call->command, "--sort %s: %s, or another --sort", inlay_compare_sort_name(options.sort),
                            inlay_diag_message(diag));
    }
    operands_warn(all, diag);
    status = status == INLAY_OK ? give_out(call, comparison, diag) : status;
    status = status == INLAY_OK ? end_with_rows(call, comparison, diag) : status;
    inlay_comparison_free(comparison);
    return status;
}

/* The first option given that is of no use with --measured, or NULL. */
static const cli_option *find_of_mappings(const invocation *call)
{
    static const cli_group *const groups[] = {&mapping_frame, &compare_method, &mapping_best, &mapping_rules};
    const cli_option *option;
    for (size_t i = 0; (option = command_option(call->command, i)) != NULL; i++) {
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
            bool in_group = option >= groups[g]->options && option < groups[g]->options + groups[g]->count;
            if (in_group && call->given[i] != NULL) {
                return option;
            }
        }
    }
    return NULL;
}

/* Operands and options that go together. */
static int check_usage(const invocation *call)
{
    const compare_values *values = call->values;
    if (call->operand_count == 0) {
        return values->measured ? report_usage(call->command, "RUN is missing; expected results of inlay run --json")
                                : report_missing(call->command, 0);
    }
    const cli_option *option = find_of_mappings(call);
    if (values->measured && option != NULL) {
        return report_usage(call->command, "--%s is for mappings; expected none with --measured, which compares runs",
                            option->name);
    }
    if (!values->measured && call->operand_count == 1) {
        return report_missing(call->command, 1);
    }
    if (!values->measured && call->given[command_find_option(call->command, "--predicted")] != NULL) {
        return report_usage(call->command, "--predicted is for runs; expected --measured with it");
    }
    return EXIT_DONE;
}

static bool is_measured(const cli_answer *a)
{
    return ((const compare_values *)a->call->values)->measured;
}

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return is_measured(a) ? inlay_runs_write_json(a->of, &context, path, a->diag)
                          : inlay_comparison_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return is_measured(a) ? inlay_runs_write_csv(a->of, path, a->diag)
                          : inlay_comparison_write_csv(a->of, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    const compare_values *values = a->call->values;
    int prediction = values->predicted == PREDICTED_ESTIMATE ? INLAY_BY_ESTIMATE : INLAY_BY_SIMULATION;
    return is_measured(a) ? inlay_runs_draw_svg(a->of, prediction, path, a->diag)
                          : inlay_comparison_draw_svg(a->of, path, a->diag);
}

static int print_table(const cli_answer *a)
{
    return (is_measured(a) ? measured_print_table : compare_print_table)(a);
}

static const cli_output compare_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

static int compare(const invocation *call, inlay_diag *diag)
{
    const compare_values *values = call->values;
    if (values->measured) {
        return measured_compare(call, diag);
    }
    operands all = {0};
    int status = compare_operands(call, &all, diag);
    operands_clear(&all);
    return status;
}

const cli_command compare_command = {
    .name = "compare",
    .summary = "candidate machines ranked by elapsed time",
    .description =
        "Lays every application into every machine, as map does, and ranks the machines of each application by the "
        "elapsed time, or as --sort says. Machines with price= and power= (of one processor, by the "
        "hour "
        "and in watts) get the price and the energy of a run. Several applications get a last table: all of them, one "
        "after another, on each machine. What is an application and what a machine is told by content, so they may "
        "stand "
        "in any order. A combination that has no answer is a row with the reason.\n"
        "The last column says what keeps the elapsed time from being shorter. It is the critical path, plus what "
        "sharing processors adds (compute), plus what messages add (network). Up to 5 % above the critical path it is "
        "the critical path; else the larger of the other two.\n"
        "With --measured, the operands are results of 'inlay run --json': a row a file sets what was predicted beside "
        "what was measured, and below them stand the errors of all rows.",
    .example = "inlay compare graphs/cholesky4.dot bus:16,memory=common bus:16 omega-pe:16 -T 464\n"
               "inlay compare graphs/cholesky4.dot graphs/toy.dot bus:4 multibus:4,memories=4,buses=2 --csv rows.csv\n"
               "inlay compare graphs/workflow.json bus:8,capacity=1GB/s,price=0.12 bus:4,capacity=1GB/s,price=0.3 "
               "--sort price --svg bars.svg",
    .operands = {{.name = "APP",
                  .help = "application graphs: files, or - for standard input",
                  .optional = true,
                  .repeats = true},
                 {.name = "MACHINE",
                  .help = "machines: strings such as bus:17,memory=common, or DOT files",
                  .optional = true,
                  .repeats = true},
                 {.name = "RUN",
                  .help = "with --measured, alone: results of 'inlay run --json', or -",
                  .optional = true,
                  .repeats = true}},
    .groups = {&mapping_frame, &compare_method, &mapping_best, &mapping_rules, &compare_measured, &compare_outputs,
               &picture_options, &common_options},
    .values_size = sizeof(compare_values),
    .outputs = compare_files,
    .print = print_table,
    .check = check_usage,
    .answer = compare,
};
