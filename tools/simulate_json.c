/* The JSON of `inlay simulate`. */
#include "report.h"
#include "result.h"
#include "simulate.h"
#include <inlay/inlay.h>
#include <math.h>

/* ---- What was asked ---- */

static void put_spread(result *out, const char *key, inlay_spread spread)
{
    result_open(out, key, '{');
    result_string(out, "distribution", inlay_spread_name(spread.kind));
    result_number(out, "cv", spread.kind == INLAY_SPREAD_EXPONENTIAL ? 1 : spread.cv);
    result_close(out, '}');
}

static void put_options(result *out, const invocation *call, const inlay_simulation_options *options)
{
    static const char *const contention[] = {"queues", "none", "free"};
    const simulate_values *values = call->values;
    result_open(out, "options", '{');
    result_bool(out, "overlap", !options->no_overlap);
    result_string(out, "contention", contention[values->contention]);
    if (options->cores > 0) {
        result_integer(out, "cores", options->cores);
    } else {
        result_exact(out, "cores", "null");
    }
    put_spread(out, "module_time", options->module_time);
    put_spread(out, "transfer_time", options->transfer_time);
    if (values->scale != NULL) {
        result_string(out, "scale", values->scale);
    } else {
        result_exact(out, "scale", "null");
    }
    result_close(out, '}');
}

/* ---- What came out ---- */

static void put_replications(result *out, const inlay_simulation *simulation)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    int64_t count;
    const double *makespans = inlay_simulation_makespans(simulation, &count);
    result_open(out, "replications", '{');
    result_integer(out, "count", sum->replications);
    result_bool(out, "random", sum->random);
    result_number(out, "half_width", sum->half_width);
    result_number(out, "p50", sum->p50);
    result_number(out, "p95", sum->p95);
    result_number(out, "least", sum->least);
    result_number(out, "most", sum->most);
    result_open(out, "makespans", '[');
    for (int64_t i = 0; i < count; i++) {
        result_number(out, NULL, makespans[i]);
    }
    result_close(out, ']');
    result_close(out, '}');
}

static void put_processors(result *out, const inlay_simulation *simulation)
{
    inlay_id clusters = inlay_mapping_summary(inlay_simulation_mapping(simulation))->clusters;
    result_open(out, "processors", '[');
    for (inlay_id c = 0; c < clusters; c++) {
        inlay_simulated_processor of = inlay_simulation_processor(simulation, c);
        result_open(out, NULL, '{');
        result_integer(out, "processor", of.processor);
        result_number(out, "busy", of.busy);
        result_number(out, "communicating", of.communicating);
        result_number(out, "blocked", of.blocked);
        result_number(out, "idle", of.idle);
        result_integer(out, "sent", of.sent);
        result_integer(out, "received", of.received);
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_network(result *out, const inlay_simulation *simulation)
{
    result_open(out, "network", '[');
    for (size_t i = 0; i < inlay_simulation_resources(simulation); i++) {
        inlay_resource of = inlay_simulation_resource(simulation, i);
        result_open(out, NULL, '{');
        result_string(out, "name", of.name);
        result_string(out, "kind", inlay_resource_kind_name(of.kind));
        result_count(out, "stage", of.stage);
        result_integer(out, "number", of.index);
        result_number(out, "utilisation", of.utilisation);
        result_number(out, "mean_queue", of.mean_queue);
        result_integer(out, "largest_queue", of.largest_queue);
        result_number(out, "mean_delay", of.mean_delay);
        result_integer(out, "requests", of.transfers);
        result_close(out, '}');
    }
    result_close(out, ']');
}

/* ---- The critical path ---- */

/* A module that runs, or the ends of a message: of a use the data block is the producer. */
static void put_subject(result *out, const inlay_app *app, const inlay_step *step,
                        const inlay_simulated_message *messages)
{
    if (step->module >= 0) {
        result_string(out, "module", inlay_app_module_name(app, step->module));
        result_exact(out, "producer", "null");
        result_exact(out, "consumer", "null");
        return;
    }
    const inlay_simulated_message *message = &messages[step->message];
    result_exact(out, "module", "null");
    result_string(out, "producer",
                  message->from >= 0 ? inlay_app_module_name(app, message->from)
                                     : inlay_app_block_name(app, message->block));
    result_string(out, "consumer", inlay_app_module_name(app, message->to));
}

static void put_path(result *out, const inlay_simulation *simulation)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(simulation));
    size_t count, message_count;
    const inlay_step *steps = inlay_simulation_path(simulation, &count);
    const inlay_simulated_message *messages = inlay_simulation_messages(simulation, &message_count);
    result_open(out, "critical_path", '{');
    result_number(out, "compute", sum->compute);
    result_number(out, "wait", sum->wait);
    result_number(out, "network", sum->network);
    result_number(out, "makespan", inlay_simulation_recorded_makespan(simulation));
    result_open(out, "pieces", '[');
    for (size_t i = 0; i < count; i++) {
        result_open(out, NULL, '{');
        result_string(out, "is", inlay_step_name(steps[i].kind));
        put_subject(out, app, &steps[i], messages);
        result_number(out, "from", steps[i].from);
        result_number(out, "to", steps[i].to);
        result_close(out, '}');
    }
    result_close(out, ']');
    result_close(out, '}');
}

/* ---- The whole ---- */

int simulate_put_members(result *out, const cli_answer *a)
{
    const inlay_simulation *simulation = a->of;
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    result_string(out, "mapping", a->call->operands[0]);
    result_string(out, "application", inlay_app_name(inlay_mapping_app(mapping)));
    result_string(out, "machine", inlay_machine_text(inlay_mapping_machine(mapping)));
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(inlay_mapping_app(mapping))));
    put_options(out, a->call, inlay_simulation_chosen(simulation));
    result_number(out, "makespan", sum->makespan);
    result_number(out, "last_module", sum->last_module);
    result_number(out, "estimate", inlay_mapping_summary(mapping)->estimate);
    result_number(out, "estimate_error", simulate_estimate_error(a->call->values, simulation));
    result_integer(out, "modules", sum->modules);
    result_integer(out, "messages", sum->messages);
    result_integer(out, "events", sum->events);
    put_replications(out, simulation);
    put_processors(out, simulation);
    put_network(out, simulation);
    put_path(out, simulation);
    return INLAY_OK;
}
