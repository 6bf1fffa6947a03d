/* `inlay speedup`: elapsed time against cores, under a run-time scheduler. */
#include "speedup.h"
#include "answer.h"
#include "commands.h"
#include "range.h"
#include "raster.h"
#include "report.h"
#include "scheduling.h"
#include <inlay/inlay.h>
#include <stddef.h>

typedef struct speedup_values {
    common_values common;
    const char *format, *cores;
    int scheduler, contention;
    scheduling_values run;
    double tick, reference;
    const char *csv, *svg;
} speedup_values;

#define FIELD(name) offsetof(speedup_values, name)

static const cli_option rules[] = {
    {"cores", 'p', OPTION_STRING, "A..B", "numbers of cores; B alone is 1..B",
     "1.. as many as modules can run at once, or the machine has", FIELD(cores)},
    {"scheduler", 0, OPTION_CHOICE, SCHEDULER_WORDS, "which of the modules that are ready a core takes", NULL,
     FIELD(scheduler)},
    {"task-overhead", 0, OPTION_DURATION, "TIME", "time that the scheduler takes of a core before each module",
     "what MACHINE says, else 0", FIELD(run.overhead)},
    PREFETCH_OPTION(FIELD(run.prefetch)),
    {"overlap", 0, OPTION_CHOICE, "yes|no", "whether data are fetched ahead at all, while the worker computes", NULL,
     FIELD(run.overlap)},
    {"contention", 0, OPTION_CHOICE, CONTENTION_WORDS,
     "what messages meet: the queues of the network; each its own time alone; or no time at all", NULL,
     FIELD(contention)},
    {"tick", 0, OPTION_SECONDS, "TIME", "length of a tick", NULL, FIELD(tick)},
    {"format", 0, OPTION_STRING, "FORMAT", "format of APP, if neither content nor extension tells", NULL,
     FIELD(format)},
    {"reference-speed", 0, OPTION_FLOPS, "SPEED", "operations a second of the processor on which APP's times hold",
     NULL, FIELD(reference)},
};
static const cli_group speedup_rules = {"Rules", rules, sizeof rules / sizeof *rules};

static const cli_option chance[] = {
    {"module-time", 0, OPTION_STRING, "SPREAD",
     "times of modules: constant, exponential, uniform[:CV] or normal[:CV] about the application's; or kind: that of a "
     "module of the same kind, drawn",
     "constant", FIELD(run.module_time)},
    {"replications", 0, OPTION_COUNT, "N", "runs, each with other random numbers; figures are then means", "1",
     FIELD(run.replications)},
};
static const cli_group speedup_chance = {"Chance", chance, sizeof chance / sizeof *chance};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write a line a number of cores as CSV", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw elapsed time and lower bound against cores as SVG", NULL, FIELD(svg)},
};
static const cli_group speedup_outputs = {"Output (- is standard output)", outputs, sizeof outputs / sizeof *outputs};

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_speedup_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_speedup_write_csv(a->of, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    return inlay_speedup_draw_svg(a->of, path, a->diag);
}

static const cli_output speedup_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

static int check_usage(const invocation *call)
{
    const speedup_values *values = call->values;
    inlay_id from, to;
    return read_range(values->cores, &from, &to)
               ? scheduling_check(call, &values->run)
               : report_usage(call->command, "--cores '%s' is no range; expected A..B, or B for 1..B", values->cores);
}

static int find_speedup(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag)
{
    const speedup_values *values = call->values;
    inlay_speedup_options options = {
        .run = scheduling_options(call, &values->run, values->scheduler, contention_chosen(values->contention))};
    options.run.tick_seconds = values->tick;
    (void)read_range(values->cores, &options.from, &options.to);
    inlay_speedup_result *result = NULL;
    int status = inlay_speedup(app, machine, &options, &result, diag);
    status = status == INLAY_OK ? give_out(call, result, diag) : status;
    inlay_speedup_free(result);
    return status;
}

static int read_and_find(const invocation *call, inlay_diag *diag)
{
    const speedup_values *values = call->values;
    return answer_app_and_machine(call, values->format, values->reference, find_speedup, diag);
}

const cli_command speedup_command = {
    .name = "speedup",
    .summary = "elapsed time against cores, under a run-time scheduler",
    .description =
        "For numbers of cores, how long the application takes where no placement is given in advance and a run-time "
        "scheduler gives its modules to cores as these come free, as OpenMP's and StarPU's do with tasks: beside the "
        "lower bound, with speed-up and efficiency. Without MACHINE the cores are those of one host, all alike, which "
        "share memory; on a machine a core fetches what its module needs from other hosts and waits for it.\n"
        "With several replications the times between which 90 % of them lie are told, too.",
    .example =
        "inlay speedup graphs/cholesky4.dot\n"
        "inlay speedup graphs/cholesky4.dot --scheduler priority --task-overhead 1 --svg speedup.svg\n"
        "inlay speedup graphs/workflow.json star:2,cores=2,capacity=1GB/s --module-time normal:0.2 --replications 20",
    .operands = {{.name = "APP", .help = "the application graph: a file, or - for standard input"},
                 {.name = "MACHINE",
                  .help = "the machine, a string or a file; none: cores of one host",
                  .optional = true}},
    .groups = {&speedup_rules, &speedup_chance, &speedup_outputs, &picture_options, &common_options},
    .values_size = sizeof(speedup_values),
    .outputs = speedup_files,
    .print = speedup_print_table,
    .check = check_usage,
    .answer = read_and_find,
};
