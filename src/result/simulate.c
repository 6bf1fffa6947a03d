/* What `inlay simulate` prints, as JSON. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

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
    inlay_json_put(out, "options { overlap %hhd contention %s cores %i", (bool)(!options->no_overlap),
                   inlay_contention_name(options->contention), options->cores > 0 ? options->cores : -1);
    put_spread(out, "module_time", options->module_time);
    put_spread(out, "transfer_time", options->transfer_time);
    inlay_json_put(out, "scale %s }", scale);
}

static void put_replications(inlay_json *out, const inlay_simulation *simulation)
{
    int64_t count;
    const inlay_simulation_summary *s = inlay_simulation_result(simulation);
    const double *makespans = inlay_simulation_makespans(simulation, &count);
    inlay_json_object(out, "replications");
    inlay_json_put(out, "count %" PRId64 " random %hhd half_width %g p05 %g p50 %g p95 %g least %g most %g",
                   s->replications, s->random, s->half_width, s->p05, s->p50, s->p95, s->least, s->most);
    result_put_numbers(out, "makespans", makespans, (size_t)count);
    inlay_json_object_end(out);
}

/* A piece of the critical path: a module that runs, or a message, of which a data block may be the producer. */
static void put_step(inlay_json *out, const inlay_simulation *simulation, const inlay_step *step)
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(simulation));
    const char *module = NULL, *producer = NULL, *consumer = NULL;
    if (step->module >= 0) {
        module = inlay_app_module_name(app, step->module);
    } else {
        size_t count;
        const inlay_simulated_message *message = &inlay_simulation_messages(simulation, &count)[step->message];
        producer =
            message->from >= 0 ? inlay_app_module_name(app, message->from) : inlay_app_block_name(app, message->block);
        consumer = inlay_app_module_name(app, message->to);
    }
    inlay_json_put(out, "{ is %s module %s producer %s consumer %s from %g to %g }", inlay_step_name(step->kind),
                   module, producer, consumer, step->from, step->to);
}

static void put_path(inlay_json *out, const inlay_simulation *simulation)
{
    size_t count;
    const inlay_simulation_summary *s = inlay_simulation_result(simulation);
    const inlay_step *step = inlay_simulation_path(simulation, &count);
    inlay_json_put(out, "critical_path { compute %g wait %g network %g makespan %g pieces [", s->compute, s->wait,
                   s->network, inlay_simulation_recorded_makespan(simulation));
    for (size_t i = 0; i < count; i++) {
        put_step(out, simulation, &step[i]);
    }
    inlay_json_put(out, "] }");
}

/* Where it tells of the same run: as it overlaps, on cores of its own, unscaled. */
static double screen_of(const told *t)
{
    double screen = NAN;
    const inlay_simulation_options *o = inlay_simulation_chosen(t->simulation);
    if (t->scale == NULL && !o->no_overlap && !inlay_simulation_shares_cores(t->simulation)) {
        (void)inlay_mapping_screen(inlay_simulation_mapping(t->simulation), o->contention, &screen, NULL);
    }
    return screen;
}

static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    const inlay_simulation *simulation = t->simulation;
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    result_put_mapping(out, t->file, mapping);
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(inlay_mapping_app(mapping))));
    put_options(out, inlay_simulation_chosen(simulation), t->scale);
    inlay_json_put(out, "makespan %g", sum->makespan);
    if (isfinite(sum->low)) {
        inlay_json_put(out, "interval { low %g high %g confidence %g }", sum->low, sum->high,
                       inlay_simulation_chosen(simulation)->confidence);
    } else {
        inlay_json_null(out, "interval");
    }
    inlay_json_put(out, "last_module %g", sum->last_module);
    inlay_json_put(out, "estimate %g estimate_error %g screen %g", inlay_mapping_summary(mapping)->estimate,
                   t->scale == NULL ? inlay_simulation_estimate_error(simulation) : (double)NAN, screen_of(t));
    inlay_json_put(out, "modules %" PRId64 " messages %" PRId64 " events %" PRId64, sum->modules, sum->messages,
                   sum->events);
    put_replications(out, simulation);
    inlay_json_array(out, "processors");
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_simulated_processor one = inlay_simulation_processor(simulation, c);
        inlay_json_put(out,
                       "{ processor %d busy %g communicating %g blocked %g idle %g sent %" PRId64 " received %" PRId64,
                       one.processor, one.busy, one.communicating, one.blocked, one.idle, one.sent, one.received);
        if (one.memory_peak >= 0) {
            inlay_json_put(out, "memory_peak %" PRId64, one.memory_peak);
        }
        inlay_json_put(out, "}");
    }
    inlay_json_put(out, "] network [");
    for (size_t i = 0; i < inlay_simulation_resources(simulation); i++) {
        inlay_resource one = inlay_simulation_resource(simulation, i);
        inlay_json_put(out,
                       "{ name %s kind %s stage %i number %d utilisation %g mean_queue %g largest_queue %" PRId64
                       " mean_delay %g requests %" PRId64 " }",
                       one.name, inlay_resource_kind_name(one.kind), one.stage, one.index, one.utilisation,
                       one.mean_queue, one.largest_queue, one.mean_delay, one.transfers);
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
