/* `inlay evaluate`: cost and estimate of a placement that the user brings. */
#include "commands.h"
#include "mapping.h"
#include <inlay/inlay.h>

/* Reads the placement and costs it. */
static int evaluate(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag)
{
    const inlay_options options = mapping_options(call->values);
    inlay_task_schedule schedule = {0};
    inlay_mapping *mapping = NULL;
    int status = inlay_task_schedule_read(call->operands[2], app, machine, &schedule, diag);
    status = status == INLAY_OK ? inlay_evaluate_schedule(app, machine, &schedule, &options, &mapping, diag) : status;
    inlay_task_schedule_clear(&schedule);
    return mapping_deliver(call, status, mapping, diag);
}

static int answer_evaluate(const invocation *call, inlay_diag *diag)
{
    return mapping_answer(call, evaluate, diag);
}

const cli_command evaluate_command = {
    .name = "evaluate",
    .summary = "cost and elapsed time of a placement of your own",
    .description =
        "Takes the processor of every module as given, and the order in which each processor runs its own where the "
        "file has "
        "one, and tells what map tells of its own mappings: work, utilisation, "
        "traffic, the delay of messages, and the elapsed time.\n"
        "PLACEMENT is told by its content: a mapping.json, a JSON list of the modules of each processor "
        "in their order, or an object {\"module\": processor, ...}; a CSV file with the columns module,processor and, "
        "for an "
        "order, order or start; a part file (one processor a line, in the order of the modules); a mapping of Scotch's "
        "(vertex and processor); or an Open MPI rankfile (rank i is module i).",
    .example = "inlay map graphs/cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay evaluate graphs/cholesky4.dot bus:17,memory=common cholesky4.json -T 464",
    .operands = {{.name = "APP", .help = "the application graph: a file, or - for standard input"},
                 {.name = "MACHINE", .help = "the machine: a string such as bus:17,memory=common, or a DOT file"},
                 {.name = "PLACEMENT", .help = "the processor of every module"}},
    .groups = {&mapping_frame, &mapping_rules, &mapping_outputs, &common_options},
    .values_size = sizeof(mapping_values),
    .outputs = mapping_files,
    .print = mapping_print_answer,
    .answer = answer_evaluate,
};
