/*
 * inlay-simgrid: `inlay simulate --engine simgrid` starts it with its own words. It runs the mapping on SimGrid, on the
 * platform that Inlay writes for it, and on Inlay's engine, and prints both.
 */
#include "simgrid.h"
#include "affinity.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "platform.h"
#include "report.h"
#include <stdlib.h>

/* ---- Both engines ---- */

/* First, for it knows which mappings wait for themselves. */
static int run_inlay(const inlay_mapping *mapping, inlay_engine_run *c, inlay_diag *diag)
{
    const inlay_simulation_options options = {.threads = 1};
    inlay_simulation *simulation = NULL;
    double start = simgrid_processor_time();
    int status = inlay_simulate(mapping, &options, &simulation, diag);
    c->inlay_seconds = simgrid_processor_time() - start;
    if (status == INLAY_OK) {
        c->inlay = inlay_simulation_result(simulation)->makespan;
    }
    inlay_simulation_free(simulation);
    return status;
}

static int run_on(const job *j, folder *where, double unit, inlay_engine_run *c)
{
    run_result run;
    char missing[INLAY_MACHINE_NAME];
    int status = simgrid_run_job(j, where, c->inlay * unit, &run, missing);
    if (status == INLAY_BAD_INPUT) {
        say(stderr, "inlay: the platform that was written has no host %s\n", missing);
        return INLAY_SYSTEM;
    }
    if (status != INLAY_OK) {
        return status;
    }
    c->makespan = run.makespan / unit;
    c->last_module = run.last_module / unit;
    c->engine_seconds = run.processor_seconds;
    for (inlay_id k = 0; k < j->clusters; k++) {
        run.processor[k].busy /= unit;
    }
    c->processor = run.processor;
    c->messages = j->transfers;
    return INLAY_OK;
}

static int write_platform(const inlay_mapping *mapping, double tick, folder *where, inlay_diag *diag)
{
    int status = folder_make(where);
    return status != INLAY_OK ? status
                              : platform_write(inlay_mapping_machine(mapping),
                                               inlay_mapping_summary(mapping)->free_network, tick, where, diag);
}

static int compare(const inlay_mapping *mapping, inlay_engine_run *c, inlay_diag *diag)
{
    double tick;
    double unit =
        platform_seconds(inlay_mapping_app(mapping), inlay_mapping_summary(mapping)->options.tick_seconds, &tick);
    folder where = {0};
    job j = {0};
    *c = (inlay_engine_run){.mapping = mapping, .engine = "simgrid"};
    int status = run_inlay(mapping, c, diag);
    status = status == INLAY_OK ? write_platform(mapping, tick, &where, diag) : status;
    status = status == INLAY_OK ? simgrid_job_make(mapping, inlay_mapping_machine(mapping), unit, &j) : status;
    status = status == INLAY_OK ? run_on(&j, &where, unit, c) : status;
    simgrid_job_clear(&j);
    folder_remove(&where);
    return status;
}

/* Actors of SimGrid are of one core each. */
static int refuse_cores(const inlay_mapping *mapping)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    bool ignored = inlay_mapping_summary(mapping)->options.ignore_cores;
    for (inlay_id i = 0; !ignored && i < inlay_app_modules(app); i++) {
        if (inlay_app_cores(app, i) > 1) {
            return report_usage(&simulate_command,
                                "module '%s' holds %d cores, of which SimGrid's run takes no account; expected a "
                                "mapping with --ignore-cores",
                                inlay_app_module_name(app, i), (int)inlay_app_cores(app, i));
        }
    }
    return EXIT_DONE;
}

/* They send their own modules' data alone. */
static int refuse_trees(const inlay_mapping *mapping)
{
    bool copies = inlay_app_data(inlay_mapping_app(mapping)) > 0 &&
                  inlay_mapping_summary(mapping)->options.copies == INLAY_COPIES_ONCE;
    return copies && inlay_machine_broadcasts_in_trees(inlay_mapping_machine(mapping))
               ? report_usage(&simulate_command,
                              "SimGrid's run passes no data on; expected a mapping on a machine with broadcast=each")
               : EXIT_DONE;
}

/* ---- The program ---- */

static int deliver(const invocation *call, const inlay_mapping *mapping, inlay_diag *diag)
{
    const simulate_values *values = call->values;
    inlay_engine_run c;
    char version[SIMGRID_VERSION_TEXT];
    int refused = refuse_cores(mapping);
    refused = refused == EXIT_DONE ? refuse_trees(mapping) : refused;
    if (refused != EXIT_DONE) {
        return refused;
    }
    int status = compare(mapping, &c, diag);
    c.version = simgrid_version(version);
    if (status == INLAY_OK && values->common.json) {
        const inlay_result_context context = result_context(call, diag);
        status = inlay_engine_run_write_json(&c, &context, "-", diag);
    } else if (status == INLAY_OK) {
        status = simgrid_print_table(values, &c);
    }
    free((void *)c.processor);
    return report_end(call, status, diag);
}

static int simulate_mapping(const invocation *call)
{
    const simulate_values *values = call->values;
    int end = simulate_check_usage(call);
    if (end != EXIT_DONE) {
        return end;
    }
    inlay_loaded loaded = {0};
    inlay_diag *diag = new_diag();
    int status = diag == NULL ? INLAY_NO_MEMORY : inlay_mapping_read(call->operands[0], values->app, &loaded, diag);
    end = status == INLAY_OK ? deliver(call, loaded.mapping, diag) : report_end(call, status, diag);
    inlay_loaded_clear(&loaded);
    inlay_diag_free(diag);
    return end;
}

int main(int argc, char **argv)
{
    affinity_restore();
    return finish_output(command_start(&simulate_command, simulate_mapping, argc, argv, 0));
}
