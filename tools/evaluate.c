/* `inlay evaluate`: cost and estimate of a placement that the user brings. */
#include "commands.h"
#include "mapping.h"
#include "raster.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stddef.h>

static const cli_option search[] = {
    {"improve", 0, OPTION_CHOICE, "no|order|places|all",
     "improve it by local search: the order alone, every module staying on its processor; the places alone, in the "
     "same "
     "order; or both",
     NULL, offsetof(mapping_values, improve)},
    {"effort", 0, OPTION_EFFORT, "N|TIME", "for N evaluations, or for a time such as 2s", "by the size of the graph",
     offsetof(mapping_values, effort)},
};
static const cli_group evaluate_search = {"Local search", search, sizeof search / sizeof *search};

/* The better one takes the mapping's place. */
static int improve(const mapping_values *values, inlay_mapping **mapping, double *unimproved, inlay_diag *diag)
{
    static const inlay_kept kept[] = {INLAY_KEEP_NOTHING, INLAY_KEEP_PLACES, INLAY_KEEP_ORDER, INLAY_KEEP_NOTHING};
    const inlay_effort *e = &values->effort, *given = e->evaluations != 0 || e->seconds > 0 ? e : NULL;
    inlay_mapping *better = NULL;
    int status = inlay_improve(*mapping, kept[values->improve], given, &better, diag);
    if (status == INLAY_OK) {
        *unimproved = inlay_mapping_summary(*mapping)->elapsed;
        inlay_mapping_free(*mapping);
        *mapping = better;
    }
    return status;
}

/* Reads the placement, costs it, and improves it where that is asked for. */
static int evaluate(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag)
{
    const inlay_options options = mapping_options(call->values);
    inlay_task_schedule schedule = {0};
    inlay_mapping *mapping = NULL;
    int status = inlay_task_schedule_read(call->operands[2], app, machine, &schedule, diag);
    status = status == INLAY_OK ? inlay_evaluate_schedule(app, machine, &schedule, &options, &mapping, diag) : status;
    inlay_task_schedule_clear(&schedule);
    double unimproved = NAN;
    if (status == INLAY_OK && ((const mapping_values *)call->values)->improve > 0) {
        status = improve(call->values, &mapping, &unimproved, diag);
    }
    return mapping_deliver(call, status, mapping, unimproved, diag);
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
    .groups = {&mapping_frame, &evaluate_search, &mapping_rules, &mapping_outputs, &picture_options, &common_options},
    .values_size = sizeof(mapping_values),
    .outputs = mapping_files,
    .print = mapping_print_answer,
    .answer = answer_evaluate,
};
