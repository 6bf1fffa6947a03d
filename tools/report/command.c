/* `inlay report`: one page that answers the question. */
#include "answer.h"
#include "commands.h"
#include "mapping.h"
#include "operands.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_values {
    mapping_values mapping;
    const char *output;
    int sort;
    inlay_id points;
    text_list runs;
} report_values;

#define FIELD(name) offsetof(report_values, name)

static const cli_option method[] = {
    {"processors", 'p', OPTION_COUNT, "P", "use at most P processors of each machine", "as many as the machine has",
     FIELD(mapping.processors)},
    {"method", 0, OPTION_METHOD, NULL, "how to find mappings; docs/clustering.md has the methods", "best",
     FIELD(mapping.method)},
    {"sort", 0, OPTION_CHOICE, "elapsed|price|energy|efficiency",
     "what ranks the machines, as in compare; the page is about the first", NULL, FIELD(sort)},
};
static const cli_group report_method = {"Method and order", method, sizeof method / sizeof *method};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the page to FILE (- for standard output)", "report.html",
     FIELD(output)},
    {"json", 0, OPTION_FLAG, NULL, "print the data of the page as JSON", NULL, FIELD(mapping.common.json)},
    {"points", 0, OPTION_COUNT, "N", "numbers of processors that the page's slider has at most, the knee aside", "12",
     FIELD(points)},
    {"run", 0, OPTION_TEXTS, "FILE",
     "show predicted against measured times: a result of 'inlay run --json', given as often as there are runs", NULL,
     FIELD(runs)},
};
static const cli_group report_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_report_write_json(a->of, &context, path, a->diag);
}

static int write_page(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_report_write(a->of, &context, path, a->diag);
}

static int print_answer(const cli_answer *a)
{
    const report_values *values = a->call->values;
    say_wrapped(stdout, inlay_report_answer(a->of), 0, 0, output_width(stdout));
    if (a->call->given[command_find_option(a->call->command, "-o")] == NULL) {
        say(stdout, "the page: %-s\n", values->output);
    }
    return INLAY_OK;
}

static const cli_output report_files[] = {
    {"JSON", .write = write_json},
    {"-o", FIELD(output), .write = write_page},
    {0},
};

/* ---- The command ---- */

static void say_words(FILE *to, const invocation *call)
{
    say(to, "inlay");
    for (int i = 1; i < call->argc; i++) {
        say(to, " ");
        say_quoted(to, call->argv[i]);
    }
}

/* What changes a mapping, for the commands that the page tells. */
static void say_options(FILE *to, const invocation *call)
{
    static const cli_group *const groups[] = {&mapping_best, &mapping_rules, &report_method};
    const cli_option *option;
    for (size_t i = 0; (option = command_option(call->command, i)) != NULL; i++) {
        bool flag = option->kind == OPTION_FLAG;
        bool given = flag ? *(const bool *)((const char *)call->values + option->offset) : call->given[i] != NULL;
        for (size_t g = 0; given && g < sizeof groups / sizeof *groups; g++) {
            if (option >= groups[g]->options && option < groups[g]->options + groups[g]->count &&
                option->offset != FIELD(sort)) {
                say(to, " --%s%s", option->name, flag ? "" : " ");
                if (!flag) {
                    say_quoted(to, call->given[i]);
                }
            }
        }
    }
}

/* Freed by the caller; NULL when out of memory. */
static char *text_of(const invocation *call, void (*put)(FILE *to, const invocation *call))
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) {
        return NULL;
    }
    put(to, call);
    return fclose(to) == 0 ? text : NULL;
}

static int make(const invocation *call, const operands *all, const inlay_runs *runs, inlay_diag *diag)
{
    const report_values *values = call->values;
    char *command = text_of(call, say_words), *options = text_of(call, say_options);
    inlay_options mapping = mapping_options(&values->mapping);
    mapping.progress = NULL; /* of many mappings each would begin anew */
    const inlay_report_request request = {.inputs = all->input,
                                          .count = all->count,
                                          .mapping = mapping,
                                          .sort = (inlay_compare_sort)values->sort,
                                          .runs = runs,
                                          .points = values->points,
                                          .command = command,
                                          .options = options};
    inlay_report *report = NULL;
    bool room = command != NULL && options != NULL;
    int status = room ? inlay_report_make(&request, &report, diag) : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        operands_warn(all, diag);
        status = give_out(call, report, diag);
    }
    inlay_report_free(report);
    free(command);
    free(options);
    return status;
}

static int answer_report(const invocation *call, inlay_diag *diag)
{
    const report_values *values = call->values;
    operands all = {0};
    inlay_runs *runs = NULL;
    int status = operands_read(call, values->mapping.format, values->mapping.reference_speed, &all);
    if (status == INLAY_OK && all.apps > 1) {
        status = report_usage(call->command, "there are %zu applications; expected one APP", all.apps);
    }
    if (status == INLAY_OK && values->runs.count > 0) {
        status = inlay_runs_read(values->runs.text, values->runs.count, &runs, diag);
    }
    status = status == INLAY_OK ? make(call, &all, runs, diag) : status;
    inlay_runs_free(runs);
    operands_clear(&all);
    return status;
}

static int check_usage(const invocation *call)
{
    report_values *values = call->values;
    if (call->operand_count < 2) {
        return report_missing(call->command, (size_t)call->operand_count);
    }
    if (values->output == NULL && !values->mapping.common.json) {
        values->output = "report.html";
    }
    return EXIT_DONE;
}

const cli_command report_command = {
    .name = "report",
    .summary = "one page with the answer, its pictures and its numbers",
    .description =
        "Compares the machines, finds the front of the one that ranks first, and writes one HTML page: the answer in a "
        "sentence, the run as a picture to look into, the mappings on fewer processors beside it, the machines, "
        "bounds, "
        "delay, "
        "parallelism and loads of links, with the numbers behind every picture and the commands that give them.\n"
        "The page is one file. It asks no network for anything and needs no JavaScript to show its pictures and "
        "tables.",
    .example = "inlay report graphs/cholesky4.dot bus:17 -o report.html\n"
               "inlay report graphs/cholesky4.dot bus:4 mesh:4x4 --processors 8 -o report.html",
    .operands = {{.name = "APP", .help = "the application graph: a file, or - for standard input", .optional = true},
                 {.name = "MACHINE",
                  .help = "machines: strings such as bus:17,memory=common, or files",
                  .optional = true,
                  .repeats = true}},
    .groups = {&report_method, &mapping_best, &mapping_rules, &report_outputs, &common_options},
    .values_size = sizeof(report_values),
    .outputs = report_files,
    .print = print_answer,
    .check = check_usage,
    .answer = answer_report,
};
