/* The JSON of `inlay simulate`. */
#include "report.h"
#include "simulate.h"
#include <inlay/inlay.h>
#include <math.h>

/* ---- What was asked ---- */

static void put_spread(inlay_json *out, const char *key, inlay_spread spread)
{
    inlay_json_object(out, key);
    inlay_json_string(out, "distribution", inlay_spread_name(spread.kind));
    inlay_json_number(out, "cv", spread.kind == INLAY_SPREAD_EXPONENTIAL ? 1 : spread.cv);
    inlay_json_object_end(out);
}

static void put_options(inlay_json *out, const invocation *call, const inlay_simulation_options *options)
{
    static const char *const contention[] = {"queues", "none", "free"};
    const simulate_values *values = call->values;
    inlay_json_object(out, "options");
    inlay_json_bool(out, "overlap", !options->no_overlap);
    inlay_json_string(out, "contention", contention[values->contention]);
    if (options->cores > 0) {
        inlay_json_integer(out, "cores", options->cores);
    } else {
        inlay_json_null(out, "cores");
    }
    put_spread(out, "module_time", options->module_time);
    put_spread(out, "transfer_time", options->transfer_time);
    if (values->scale != NULL) {
        inlay_json_string(out, "scale", values->scale);
    } else {
        inlay_json_null(out, "scale");
    }
    inlay_json_object_end(out);
}

/* ---- What came out ---- */

static void put_replications(inlay_json *out, const inlay_simulation *simulation)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    int64_t count;
    const double *makespans = inlay_simulation_makespans(simulation, &count);
    inlay_json_object(out, "replications");
    inlay_json_integer(out, "count", sum->replications);
    inlay_json_bool(out, "random", sum->random);
    inlay_json_number(out, "half_width", sum->half_width);
    inlay_json_number(out, "p50", sum->p50);
    inlay_json_number(out, "p95", sum->p95);
    inlay_json_number(out, "least", sum->least);
    inlay_json_number(out, "most", sum->most);
    inlay_json_array(out, "makespans");
    for (int64_t i = 0; i < count; i++) {
        inlay_json_number(out, NULL, makespans[i]);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_processors(inlay_json *out, const inlay_simulation *simulation)
{
    inlay_id clusters = inlay_mapping_summary(inlay_simulation_mapping(simulation))->clusters;
    inlay_json_array(out, "processors");
    for (inlay_id c = 0; c < clusters; c++) {
        inlay_simulated_processor of = inlay_simulation_processor(simulation, c);
        inlay_json_object(out, NULL);
        inlay_json_integer(out, "processor", of.processor);
        inlay_json_number(out, "busy", of.busy);
        inlay_json_number(out, "communicating", of.communicating);
        inlay_json_number(out, "blocked", of.blocked);
        inlay_json_number(out, "idle", of.idle);
        inlay_json_integer(out, "sent", of.sent);
        inlay_json_integer(out, "received", of.received);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_network(inlay_json *out, const inlay_simulation *simulation)
{
    inlay_json_array(out, "network");
    for (size_t i = 0; i < inlay_simulation_resources(simulation); i++) {
        inlay_resource of = inlay_simulation_resource(simulation, i);
        inlay_json_object(out, NULL);
        inlay_json_string(out, "name", of.name);
        inlay_json_string(out, "kind", inlay_resource_kind_name(of.kind));
        inlay_json_count(out, "stage", of.stage);
        inlay_json_integer(out, "number", of.index);
        inlay_json_number(out, "utilisation", of.utilisation);
        inlay_json_number(out, "mean_queue", of.mean_queue);
        inlay_json_integer(out, "largest_queue", of.largest_queue);
        inlay_json_number(out, "mean_delay", of.mean_delay);
        inlay_json_integer(out, "requests", of.transfers);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

/* ---- The critical path ---- */

/* A module that runs, or the ends of a message: of a use the data block is the producer. */
static void put_subject(inlay_json *out, const inlay_app *app, const inlay_step *step,
                        const inlay_simulated_message *messages)
{
    if (step->module >= 0) {
        inlay_json_string(out, "module", inlay_app_module_name(app, step->module));
        inlay_json_null(out, "producer");
        inlay_json_null(out, "consumer");
        return;
    }
    const inlay_simulated_message *message = &messages[step->message];
    inlay_json_null(out, "module");
    inlay_json_string(out, "producer",
                      message->from >= 0 ? inlay_app_module_name(app, message->from)
                                         : inlay_app_block_name(app, message->block));
    inlay_json_string(out, "consumer", inlay_app_module_name(app, message->to));
}

static void put_path(inlay_json *out, const inlay_simulation *simulation)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(simulation));
    size_t count, message_count;
    const inlay_step *steps = inlay_simulation_path(simulation, &count);
    const inlay_simulated_message *messages = inlay_simulation_messages(simulation, &message_count);
    inlay_json_object(out, "critical_path");
    inlay_json_number(out, "compute", sum->compute);
    inlay_json_number(out, "wait", sum->wait);
    inlay_json_number(out, "network", sum->network);
    inlay_json_number(out, "makespan", inlay_simulation_recorded_makespan(simulation));
    inlay_json_array(out, "pieces");
    for (size_t i = 0; i < count; i++) {
        inlay_json_object(out, NULL);
        inlay_json_string(out, "is", inlay_step_name(steps[i].kind));
        put_subject(out, app, &steps[i], messages);
        inlay_json_number(out, "from", steps[i].from);
        inlay_json_number(out, "to", steps[i].to);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

/* ---- The whole ---- */

int simulate_put_members(inlay_json *out, const cli_answer *a)
{
    const inlay_simulation *simulation = a->of;
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    inlay_json_string(out, "mapping", a->call->operands[0]);
    inlay_json_string(out, "application", inlay_app_name(inlay_mapping_app(mapping)));
    inlay_json_string(out, "machine", inlay_machine_text(inlay_mapping_machine(mapping)));
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(inlay_mapping_app(mapping))));
    put_options(out, a->call, inlay_simulation_chosen(simulation));
    inlay_json_number(out, "makespan", sum->makespan);
    inlay_json_number(out, "last_module", sum->last_module);
    inlay_json_number(out, "estimate", inlay_mapping_summary(mapping)->estimate);
    inlay_json_number(out, "estimate_error", simulate_estimate_error(a->call->values, simulation));
    inlay_json_integer(out, "modules", sum->modules);
    inlay_json_integer(out, "messages", sum->messages);
    inlay_json_integer(out, "events", sum->events);
    put_replications(out, simulation);
    put_processors(out, simulation);
    put_network(out, simulation);
    put_path(out, simulation);
    return INLAY_OK;
}
