/* `inlay simulate`: the mapped application runs, event by event. */
#include "simulate.h"
#include "answer.h"
#include "commands.h"
#include "external.h"
#include "raster.h"
#include <inlay/inlay.h>
#include <stdlib.h>

static int simulate(const invocation *call, const inlay_loaded *loaded, inlay_diag *diag)
{
    inlay_simulation_options options;
    inlay_simulation *simulation = NULL;
    double *scale = NULL;
    int status = simulate_options(call, loaded->machine, &options, &scale);
    status = status == INLAY_OK ? inlay_simulate(loaded->mapping, &options, &simulation, diag) : status;
    status = status == INLAY_OK ? give_out(call, simulation, diag) : status;
    inlay_simulation_free(simulation);
    free(scale);
    return status;
}

/* The application of a mapping without its placement. */
static int schedule(const invocation *call, const inlay_loaded *loaded, inlay_diag *diag)
{
    const simulate_values *values = call->values;
    const inlay_options *mapped = &inlay_mapping_summary(loaded->mapping)->options;
    inlay_scheduled_options options =
        scheduling_options(call, &values->run, values->scheduler - 1, contention_chosen(values->contention));
    options.processors = mapped->processors;
    options.tick_seconds = mapped->tick_seconds;
    inlay_scheduled *run = NULL;
    int status = inlay_simulate_scheduled(inlay_mapping_app(loaded->mapping), loaded->machine, &options, &run, diag);
    status = status == INLAY_OK ? give_out(call, run, diag) : status;
    inlay_scheduled_free(run);
    return status;
}

static int read_and_simulate(const invocation *call, inlay_diag *diag)
{
    const simulate_values *values = call->values;
    return values->engine == ENGINE_SIMGRID
               ? external_become(call, "simgrid", "--engine simgrid: ", "libsimgrid-dev")
               : answer_mapping(call, values->app, values->scheduler > 0 ? schedule : simulate, diag);
}

static int print(const cli_answer *a)
{
    const simulate_values *values = a->call->values;
    return values->scheduler > 0 ? simulate_print_scheduled(a) : simulate_print_table(a);
}

const cli_command simulate_command = {
    .name = "simulate",
    .summary = "run a mapping event by event: elapsed time, queues, critical path",
    .description =
        "Runs the mapped application in a simulation of the machine and accounts for all time: what every processor "
        "does, how busy every bus, memory, switch and outgoing link is and how long messages wait there, and which "
        "modules and messages the elapsed time consists of: the critical path of the run. Compares the elapsed time "
        "with the mapping's estimate.\n"
        "Times are those of the application, or random about them; with several replications the elapsed time comes "
        "with a confidence interval and quantiles. Files show the first replication.\n"
        "With --scheduler the mapping's placement and order are put aside, and its modules go to its processors as a "
        "run-time scheduler gives them out.\n"
        "An output file appears whole or not at all, also when the run is interrupted.",
    .example = "inlay map graphs/cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay simulate cholesky4.json --gantt gantt.svg\n"
               "inlay simulate cholesky4.json --module-time normal:0.2 --replications 100\n"
               "inlay simulate cholesky4.json --scale compute=0.5 --trace trace.json",
    .operands = {{.name = "MAPPING", .help = "a mapping.json, as map and evaluate write it"}},
    .groups = {&simulate_input, &simulate_rules, &simulate_chance, &simulate_outputs, &picture_options,
               &common_options},
    .values_size = sizeof(simulate_values),
    .outputs = simulate_files,
    .print = print,
    .check = simulate_check_usage,
    .answer = read_and_simulate,
};
