/* `inlay check`: the independent checker. */
#include "answer.h"
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>

typedef struct check_values {
    common_values common;
    inlay_check_options check;
} check_values;

static const cli_option options[] = {
    {"app", 0, OPTION_STRING, "FILE", "take the application from FILE, not from where the mapping says", NULL,
     offsetof(check_values, check.app)},
};
static const cli_option ways[] = {
    {"strict", 0, OPTION_FLAG, NULL, "run the method again, too: the mapping has to be the one that it makes", NULL,
     offsetof(check_values, check.strict)},
};
static const cli_group input = {"Input", options, sizeof options / sizeof *options};
static const cli_group checking = {"Checking", ways, sizeof ways / sizeof *ways};

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_findings_write_json(a->of, &context, path, a->diag);
}

static int print_text(const cli_answer *a)
{
    const inlay_findings *findings = a->of;
    for (size_t i = 0; i < inlay_findings_count(findings); i++) {
        say(stdout, "%-s\n", inlay_findings_text(findings, i));
    }
    if (inlay_findings_count(findings) == 0) {
        say_safely(stdout, a->call->operands[0]);
        say(stdout, ": holds (%zu numbers recomputed", inlay_findings_checked(findings));
        if (inlay_findings_believed(findings) > 0) {
            say(stdout, ", %zu of the method taken as they stand", inlay_findings_believed(findings));
        }
        say(stdout, ")\n");
    }
    return INLAY_OK;
}

static const cli_output check_files[] = {
    {"JSON", .write = write_json},
    {0},
};

static int check(const invocation *call, inlay_diag *diag)
{
    const check_values *values = call->values;
    inlay_findings *findings = NULL;
    int status = inlay_check_file(call->operands[0], &values->check, &findings, diag);
    status = status == INLAY_OK ? give_out(call, findings, diag) : status;
    if (status == INLAY_OK && inlay_findings_count(findings) > 0) {
        (void)report_end(call, status, diag);
        status = EXIT_NO;
    }
    inlay_findings_free(findings);
    return status;
}

const cli_command check_command = {
    .name = "check",
    .summary = "recompute every number of a mapping",
    .description =
        "Reads the mapping, and anew the application and the machine that it names, recomputes every number by "
        "code of its own, simulated times too, and prints a line for each that does not hold. Whether the method makes "
        "these very clusters is another question: --strict runs it again. The exit status is 0 where all hold, "
        "and 1 where one does not.",
    .example = "inlay map graphs/cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay check cholesky4.json",
    .operands = {{.name = "MAPPING", .help = "a mapping.json, as map and evaluate write it"}},
    .groups = {&input, &checking, &result_options, &common_options},
    .values_size = sizeof(check_values),
    .outputs = check_files,
    .print = print_text,
    .answer = check,
};
