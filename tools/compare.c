/* `inlay compare`: candidate machines ranked. */
#include "compare.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "measured.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(compare_values, name)

static const cli_option method[] = {
    {"processors", 'p', OPTION_COUNT, "P", "use at most P processors of each machine", "as many as the machine has",
     FIELD(mapping.processors)},
    {"method", 0, OPTION_METHOD, NULL, "how to find the clusters; docs/clustering.md has the methods", NULL,
     FIELD(mapping.method)},
    {"sort", 0, OPTION_CHOICE, "estimate|simulated|price|energy|efficiency",
     "what ranks the machines: the least estimate, simulated time, price or energy of a run, or the highest "
     "efficiency. Equal ones go by estimate, then processors used, then price, then as they were named",
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
     "draw the estimates as bars, or the runs as dots, to FILE (- for standard output, in place of the table)", NULL,
     FIELD(svg)},
};
static const cli_group compare_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Operands ---- */

/* A machine's string has a colon behind its family; but what is there as a file is that file. */
static bool is_string(const char *operand)
{
    return strchr(operand, ':') != NULL && access(operand, F_OK) != 0;
}

/* Told apart by content. */
static int read_input(compare_input *in, const char *format)
{
    in->name = in->operand;
    in->diag = new_diag();
    if (in->diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = inlay_app_or_machine_read(in->operand, format, &in->app, &in->machine, in->diag);
    if (status == INLAY_OK && !is_string(in->operand)) {
        in->name = in->app != NULL ? inlay_app_name(in->app) : inlay_machine_name(in->machine);
    }
    return status;
}

/* Reads all operands; where one cannot be read, it is the last input. */
static int read_inputs(const invocation *call, comparison *all)
{
    const compare_values *values = call->values;
    all->inputs = calloc((size_t)call->operand_count, sizeof *all->inputs);
    int status = all->inputs == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < call->operand_count; i++) {
        all->inputs[i].operand = call->operands[i];
        all->input_count++;
        status = read_input(&all->inputs[i], values->mapping.format);
    }
    return status;
}

static void clear_inputs(comparison *all)
{
    for (size_t i = 0; i < all->input_count; i++) {
        inlay_app_free(all->inputs[i].app);
        inlay_machine_free(all->inputs[i].machine);
        inlay_diag_free(all->inputs[i].diag);
    }
    free(all->inputs);
    *all = (comparison){0};
}

/* ---- The end ---- */

/* Operations a second of a processor of speed 1; 0: not known, or no machine. */
static double flops_of(const compare_input *in)
{
    double flops = 0;
    return in->machine != NULL && inlay_machine_flops(in->machine, &flops) ? flops : 0;
}

/* Whether speeds are known absolutely of several machines, and differ: module times hold on the fastest of each. */
static bool speeds_differ(const comparison *all)
{
    double first = 0;
    bool differ = false;
    for (size_t i = 0; i < all->input_count; i++) {
        double flops = flops_of(&all->inputs[i]);
        differ = differ || (first > 0 && flops > 0 && (flops < first || flops > first));
        first = first > 0 ? first : flops;
    }
    return differ;
}

/* What is to be said of that; NULL where there is nothing, or no memory. */
static char *tell_speeds(const comparison *all)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = speeds_differ(all) ? open_memstream(&text, &size) : NULL;
    if (to == NULL) {
        return NULL;
    }
    say(to, "the speeds of machines are not compared: the times of modules hold on a processor of speed 1 of each");
    const char *before = ", of ";
    for (size_t i = 0; i < all->input_count; i++) {
        double flops = flops_of(&all->inputs[i]);
        if (flops > 0) {
            say(to, "%s%s %g Gflop/s", before, all->inputs[i].operand, flops / 1e9);
            before = ", ";
        }
    }
    (void)fclose(to);
    return text;
}

/* What is said of speeds, then the warnings of reading. */
static void warn_of_inputs(const comparison *all, inlay_diag *diag)
{
    char *speeds = tell_speeds(all);
    if (speeds != NULL) {
        inlay_diag_add_warning(diag, speeds);
    }
    free(speeds);
    for (size_t i = 0; i < all->input_count; i++) {
        for (size_t w = 0; w < inlay_diag_warnings(all->inputs[i].diag); w++) {
            inlay_diag_add_warning(diag, inlay_diag_warning(all->inputs[i].diag, w));
        }
    }
}

/* Those of each row that has an answer, with its place. */
static void say_warnings(const comparison *all)
{
    for (size_t i = 0; i < all->row_count; i++) {
        const compare_row *row = &all->rows[i];
        for (size_t w = 0; row->mapping != NULL && w < inlay_diag_warnings(row->diag); w++) {
            say(stderr, "inlay: warning: ");
            say_safely(stderr, row->app->name);
            say(stderr, " on ");
            say_safely(stderr, row->machine->name);
            say(stderr, ": %s\n", inlay_diag_warning(row->diag, w));
        }
    }
}

/* Where no row has an answer, the first tells why, and the command that would work is the typed one with its remedy. */
static int end_without_answer(const invocation *call, const compare_row *row)
{
    invocation of_row = *call;
    char *operands[] = {(char *)row->app->operand, (char *)row->machine->operand};
    of_row.operands = operands;
    of_row.operand_count = 2;
    (void)fflush(stdout); /* the rows come before the last line, also where both go to one file */
    return report_end(&of_row, row->status, row->diag);
}

static int end_with_rows(const invocation *call, const comparison *all, inlay_diag *diag)
{
    for (size_t i = 0; i < all->row_count; i++) {
        if (all->rows[i].mapping == NULL) {
            continue;
        }
        (void)report_end(call, INLAY_OK, diag);
        inlay_diag_clear(diag); /* said */
        if (!call->common->quiet) {
            say_warnings(all);
        }
        return INLAY_OK;
    }
    return end_without_answer(call, &all->rows[0]);
}

/* ---- The command ---- */

static int compare_mappings(const invocation *call, comparison *all, inlay_diag *diag)
{
    const mapping_values *values = &((const compare_values *)call->values)->mapping;
    const inlay_options with = mapping_options(values);
    int status = read_inputs(call, all);
    if (status != INLAY_OK) {
        return all->input_count == 0 ? status : report_end(call, status, all->inputs[all->input_count - 1].diag);
    }
    warn_of_inputs(all, diag);
    size_t apps = compare_apps(all);
    if (apps == 0 || apps == all->input_count) {
        return report_usage(call->command, "there is no %s among the operands", apps == 0 ? "APP" : "MACHINE");
    }
    const char *unsorted = compare_check_sort(all, values);
    if (unsorted != NULL) {
        return report_usage(call->command, "--sort %s: %s", compare_sort_name(all), unsorted);
    }
    status = compare_add_rows(all, values);
    if (status != INLAY_OK) {
        return all->row_count == 0 ? status : report_end(call, status, all->rows[all->row_count - 1].diag);
    }
    status = compare_add_totals(all, &with);
    if (status == INLAY_OK) {
        status = give_out(call, all, diag);
    }
    return status == INLAY_OK ? end_with_rows(call, all, diag) : status;
}

/* The first option given that is of no use with --measured, or NULL. */
static const cli_option *find_of_mappings(const invocation *call)
{
    static const cli_group *const groups[] = {&mapping_frame, &compare_method, &mapping_rules};
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
        return report_usage(call->command, "%s is missing", values->measured ? "RUN" : "APP");
    }
    const cli_option *option = find_of_mappings(call);
    if (values->measured && option != NULL) {
        return report_usage(call->command, "--%s is for mappings; expected none with --measured, which compares runs",
                            option->name);
    }
    if (!values->measured && call->operand_count == 1) {
        return report_usage(call->command, "MACHINE is missing");
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

static int put_members(inlay_json *out, const cli_answer *a)
{
    return (is_measured(a) ? measured_put_members : compare_put_members)(out, a);
}

static void put_csv(FILE *to, const cli_answer *a)
{
    (is_measured(a) ? measured_put_csv : compare_put_csv)(to, a);
}

static int draw(const cli_answer *a, const char *path)
{
    return (is_measured(a) ? measured_draw : compare_draw)(a, path);
}

static int print_table(const cli_answer *a)
{
    return (is_measured(a) ? measured_print_table : compare_print_table)(a);
}

static const cli_output compare_files[] = {
    {"JSON", .members = put_members},
    {"--csv", FIELD(csv), .put = put_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

static int compare(const invocation *call, inlay_diag *diag)
{
    const compare_values *values = call->values;
    if (values->measured) {
        return measured_compare(call, diag);
    }
    comparison all = {.sort = (compare_sort)values->sort};
    int status = compare_mappings(call, &all, diag);
    compare_clear_totals(&all);
    compare_clear_rows(&all);
    clear_inputs(&all);
    return status;
}

const cli_command compare_command = {
    .name = "compare",
    .summary = "candidate machines ranked by elapsed time",
    .description =
        "Lays every application into every machine, as map does, and ranks the machines of each application by the "
        "estimate of the elapsed time, or as --sort says. Machines with price= and power= (of one processor, by the "
        "hour "
        "and in watts) get the price and the energy of a run. Several applications get a last table: all of them, one "
        "after another, on each machine. What is an application and what a machine is told by content, so they may "
        "stand "
        "in any order. A combination that has no answer is a row with the reason.\n"
        "The last column says what keeps the estimate from being shorter. An estimate is the critical path, plus what "
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
    .groups = {&mapping_frame, &compare_method, &mapping_rules, &compare_measured, &compare_outputs, &common_options},
    .values_size = sizeof(compare_values),
    .outputs = compare_files,
    .print = print_table,
    .check = check_usage,
    .answer = compare,
};
