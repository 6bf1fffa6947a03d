/* What `inlay simulate` prints, as JSON. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <math.h>

/* A resource of the network with the word for its kind. */
typedef struct resource_view {
    const char *kind;
    inlay_resource of;
} resource_view;

/* A piece of the critical path: a module that runs, or a message between two ends. */
typedef struct step_view {
    const char *is, *module, *producer, *consumer;
    double from, to;
} step_view;

/* clang-format off */
#define OF_SUM(member) FIELD(inlay_simulation_summary, #member, member)
static const field times[] = {OF_SUM(makespan), OF_SUM(last_module), FIELD_LAST};
static const field counts[] = {OF_SUM(modules), OF_SUM(messages), OF_SUM(events), FIELD_LAST};
static const field shares[] = {OF_SUM(compute), OF_SUM(wait), OF_SUM(network), FIELD_LAST};
static const field replications[] = {
    FIELD(inlay_simulation_summary, "count", replications), OF_SUM(random), OF_SUM(half_width), OF_SUM(p50),
    OF_SUM(p95), OF_SUM(least), OF_SUM(most), FIELD_LAST};

#define OF_PROCESSOR(member) FIELD(inlay_simulated_processor, #member, member)
static const field processors[] = {
    OF_PROCESSOR(processor), OF_PROCESSOR(busy), OF_PROCESSOR(communicating), OF_PROCESSOR(blocked), OF_PROCESSOR(idle),
    OF_PROCESSOR(sent), OF_PROCESSOR(received), FIELD_LAST};

#define OF_RESOURCE(name, member) FIELD(resource_view, name, member)
static const field resources[] = {
    OF_RESOURCE("name", of.name), OF_RESOURCE("kind", kind), FIELD_ABOVE(resource_view, "stage", of.stage),
    OF_RESOURCE("number", of.index), OF_RESOURCE("utilisation", of.utilisation), OF_RESOURCE("mean_queue", of.mean_queue),
    OF_RESOURCE("largest_queue", of.largest_queue), OF_RESOURCE("mean_delay", of.mean_delay),
    OF_RESOURCE("requests", of.transfers), FIELD_LAST};

#define OF_STEP(member) FIELD(step_view, #member, member)
static const field pieces[] = {
    OF_STEP(is), OF_STEP(module), OF_STEP(producer), OF_STEP(consumer), OF_STEP(from), OF_STEP(to), FIELD_LAST};
/* clang-format on */

/* A simulation, and what else is told of it. */
typedef struct told {
    const inlay_simulation *simulation;
    const char *file, *scale;
} told;

static void put_spread(inlay_json *out, const char *key, inlay_spread spread)
{
    inlay_json_object(out, key);
    inlay_json_put(out, "distribution %s cv %g }", inlay_spread_name(spread.kind),
                   spread.kind == INLAY_SPREAD_EXPONENTIAL ? 1 : spread.cv);
}

static void put_options(inlay_json *out, const inlay_simulation_options *options, const char *scale)
{
    static const char *const contention[] = {"queues", "none", "free"};
    inlay_json_put(out, "options { overlap %hhd contention %s cores %i", !options->no_overlap,
                   contention[options->contention], options->cores > 0 ? options->cores : -1);
    put_spread(out, "module_time", options->module_time);
    put_spread(out, "transfer_time", options->transfer_time);
    inlay_json_put(out, "scale %s }", scale);
}

static void put_replications(inlay_json *out, const inlay_simulation *simulation)
{
    int64_t count;
    const double *makespans = inlay_simulation_makespans(simulation, &count);
    inlay_json_object(out, "replications");
    fields_put(out, replications, inlay_simulation_result(simulation));
    result_put_numbers(out, "makespans", makespans, (size_t)count);
    inlay_json_object_end(out);
}

/* Of a use the data block is the producer. */
static step_view view_step(const inlay_simulation *simulation, const inlay_step *step)
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(simulation));
    step_view view = {.is = inlay_step_name(step->kind), .from = step->from, .to = step->to};
    if (step->module >= 0) {
        view.module = inlay_app_module_name(app, step->module);
    } else {
        size_t count;
        const inlay_simulated_message *message = &inlay_simulation_messages(simulation, &count)[step->message];
        view.producer =
            message->from >= 0 ? inlay_app_module_name(app, message->from) : inlay_app_block_name(app, message->block);
        view.consumer = inlay_app_module_name(app, message->to);
    }
    return view;
}

static void put_path(inlay_json *out, const inlay_simulation *simulation)
{
    size_t count;
    const inlay_step *step = inlay_simulation_path(simulation, &count);
    inlay_json_object(out, "critical_path");
    fields_put(out, shares, inlay_simulation_result(simulation));
    inlay_json_put(out, "makespan %g pieces [", inlay_simulation_recorded_makespan(simulation));
    for (size_t i = 0; i < count; i++) {
        step_view piece = view_step(simulation, &step[i]);
        fields_put_object(out, NULL, pieces, &piece);
    }
    inlay_json_put(out, "] }");
}

static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    const inlay_simulation *simulation = t->simulation;
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    result_put_mapping(out, t->file, mapping);
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(inlay_mapping_app(mapping))));
    put_options(out, inlay_simulation_chosen(simulation), t->scale);
    fields_put(out, times, inlay_simulation_result(simulation));
    inlay_json_put(out, "estimate %g estimate_error %g", inlay_mapping_summary(mapping)->estimate,
                   t->scale == NULL ? inlay_simulation_estimate_error(simulation) : (double)NAN);
    fields_put(out, counts, inlay_simulation_result(simulation));
    put_replications(out, simulation);
    inlay_json_array(out, "processors");
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_simulated_processor processor = inlay_simulation_processor(simulation, c);
        fields_put_object(out, NULL, processors, &processor);
    }
    inlay_json_put(out, "] network [");
    for (size_t i = 0; i < inlay_simulation_resources(simulation); i++) {
        resource_view resource = {.of = inlay_simulation_resource(simulation, i)};
        resource.kind = inlay_resource_kind_name(resource.of.kind);
        fields_put_object(out, NULL, resources, &resource);
    }
    inlay_json_array_end(out);
    put_path(out, simulation);
    return INLAY_OK;
}

int inlay_simulation_write_json(const inlay_simulation *simulation, const char *scale,
                                const inlay_result_context *context, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    const told all = {simulation, context->file, scale};
    return inlay_result_write(context, put_members, &all, path, diag);
}
