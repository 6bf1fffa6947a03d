/* What `inlay info` prints, as JSON. */
#include "base/diag.h"
#include "base/memory.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Applications or machines, and what is told of the first besides. */
typedef struct told {
    size_t count;
    const inlay_app *const *app;
    const inlay_machine *const *machine;
    const inlay_app_facts *facts; /* of applications */
    inlay_diag *diag;
} told;

/* ---- Applications ---- */

/* The bounds that depend on the number of processors: null where that is not known. */
static int put_shared_bounds(inlay_json *out, const inlay_app *app, inlay_id processors, inlay_diag *diag)
{
    inlay_bound *bounds = memory_array(inlay_bounds(), sizeof *bounds);
    int status = bounds == NULL ? diag_no_memory(diag) : inlay_app_bounds(app, processors, bounds, diag);
    for (size_t i = 0; status == INLAY_OK && i < inlay_bounds(); i++) {
        if (strcmp(bounds[i].name, "work") == 0 || strcmp(bounds[i].name, "fernandez_bussell") == 0) {
            inlay_json_number(out, bounds[i].name, bounds[i].value);
        }
    }
    free(bounds);
    inlay_json_object_end(out);
    return status;
}

/* Names of the actors on the cycle that gives the least period. */
static void put_cycle(inlay_json *out, const inlay_sdf *sdf, const inlay_sdf_period *period)
{
    inlay_json_put(out, "cycle [");
    for (inlay_id i = 0; i < period->actors; i++) {
        inlay_json_put(out, "%s", inlay_sdf_actor_name(sdf, period->actor[i]));
    }
    inlay_json_array_end(out);
}

/* The dataflow graph whose firings the modules are. */
static void put_dataflow(inlay_json *out, const inlay_app *app)
{
    const inlay_sdf *sdf = inlay_app_sdf(app);
    inlay_sdf_period period = inlay_sdf_least_period(sdf);
    double required = inlay_sdf_required(sdf);
    inlay_json_put(out, "dataflow { actors %d channels %" PRId64 " firings %" PRId64 " iterations %d",
                   inlay_sdf_actors(sdf), inlay_sdf_channels(sdf), inlay_sdf_firings(sdf), inlay_app_iterations(app));
    if (period.bounded) {
        double least = (double)period.numerator / (double)period.denominator;
        inlay_json_put(out, "period { numerator %" PRId64 " denominator %" PRId64 " value %g }", period.numerator,
                       period.denominator, least);
        inlay_json_put(out, "throughput %g", least > 0 ? 1 / least : NAN);
    } else {
        inlay_json_put(out, "period null throughput null");
    }
    inlay_json_put(out, "required_throughput %g", required > 0 ? required : NAN);
    put_cycle(out, sdf, &period);
    inlay_json_put(out, "repetitions [");
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        inlay_json_put(out, "{ actor %s firings %" PRId64 " }", inlay_sdf_actor_name(sdf, a),
                       inlay_sdf_repetitions(sdf, a));
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

/* Steps with the time from which so many modules run. */
static int put_parallelism(inlay_json *out, const inlay_app *app, const inlay_app_info *info, inlay_diag *diag)
{
    inlay_parallelism_step *steps;
    size_t count;
    int status = inlay_app_parallelism(app, &steps, &count, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id most = 0;
    for (size_t i = 0; i < count; i++) {
        most = steps[i].modules > most ? steps[i].modules : most;
    }
    double work = (double)inlay_app_sum(app).work, path = (double)info->critical_path;
    inlay_json_put(out, "parallelism { mean %g most %d steps [", path > 0 ? work / path : NAN, most);
    for (size_t i = 0; i < count; i++) {
        inlay_json_put(out, "{");
        result_put_time(out, "from", app, steps[i].from);
        inlay_json_put(out, "modules %d }", steps[i].modules);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
    free(steps);
    return INLAY_OK;
}

/* A run that the file records, with the times below which none of its hosts could come. */
static void put_recorded(inlay_json *out, const inlay_app *app, const inlay_app_info *info)
{
    const inlay_recorded *run = inlay_app_recorded(app);
    double work = inlay_app_in_units(app, info->work);
    inlay_json_put(out, "recorded { makespan %g system %s", run->makespan > 0 ? run->makespan : NAN, run->system);
    result_put_time(out, "critical_path", app, info->critical_path);
    inlay_json_put(out, "work_over_cores %g cores %" PRIi64 " hosts [",
                   run->cores > 0 ? work / (double)run->cores : NAN, run->cores > 0 ? run->cores : -1);
    for (inlay_id h = 0; h < run->hosts; h++) {
        inlay_json_put(out, "{ name %s cores %i }", run->host[h].name,
                       run->host[h].cores > 0 ? run->host[h].cores : -1);
    }
    inlay_json_array_end(out);
    inlay_json_array(out, "modules");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_json_put(out, "{ name %s host %i read %" PRIi64 " written %" PRIi64 " }", inlay_app_module_name(app, i),
                       run->ran_on[i], run->read[i], run->written[i]);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static int put_app(inlay_json *out, const inlay_app *app, const inlay_app_facts *facts, inlay_diag *diag)
{
    inlay_app_info info;
    int status = inlay_app_describe(app, &info, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_json_put(out,
                   "application %s time_unit %s modules %d links %" PRId64 " precedence_links %" PRId64
                   " blocks %d depth %d width %d exact_width %i start %s",
                   inlay_app_name(app), inlay_unit_name(inlay_app_unit(app)), inlay_app_modules(app),
                   inlay_app_links(app), info.precedence_links, inlay_app_blocks(app), info.depth, info.level_width,
                   info.exact_width, info.streamed ? "stream" : "finish");
    result_put_time(out, "work", app, info.work);
    result_put_time(out, "critical_path", app, info.critical_path);
    inlay_json_put(out, "traffic %" PRId64 " messages %" PRId64 " bytes %" PRId64, info.messages, info.messages,
                   info.bytes);
    if (inlay_app_data(app) > 0) {
        inlay_json_put(out, "data %d data_bytes %" PRId64 " data_bytes_each %" PRId64, inlay_app_data(app),
                       info.data_bytes, info.data_bytes_each);
    }
    if (inlay_app_period(app) > 0) {
        inlay_json_put(out, "period %g", inlay_app_period(app));
    }
    if (inlay_app_sdf(app) != NULL) {
        put_dataflow(out, app);
    }
    if (inlay_app_recorded(app) != NULL) {
        put_recorded(out, app, &info);
    }
    if (facts->bandwidth > 0) {
        inlay_json_put(out, "ccr %g", inlay_app_ccr(app, facts->bandwidth));
    }
    status = facts->parallelism ? put_parallelism(out, app, &info, diag) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    inlay_json_put(out, "lower_bounds {");
    result_put_time(out, "critical_path", app, info.critical_path);
    result_put_time(out, "longest_module", app, info.longest_module);
    return put_shared_bounds(out, app, facts->processors, diag);
}

/* ---- Machines ---- */

static double operation_time(bool given, const inlay_duration *each)
{
    double unit = each->unit == INLAY_UNIT_TICK ? 1 : inlay_unit_seconds(each->unit);
    return given ? inlay_decimal_double(each->value) * unit : NAN;
}

static void put_operations(inlay_json *out, const inlay_machine *machine)
{
    inlay_duration arithmetic = {0}, function = {0};
    bool one = inlay_machine_arithmetic_time(machine, &arithmetic);
    bool other = inlay_machine_function_time(machine, &function);
    bool ticks = (one ? arithmetic.unit : function.unit) == INLAY_UNIT_TICK;
    inlay_json_put(out, "arithmetic_time %g function_time %g operation_unit %s", operation_time(one, &arithmetic),
                   operation_time(other, &function),
                   !one && !other ? NULL
                   : ticks        ? "tick"
                                  : "s");
}

static void put_links(inlay_json *out, const inlay_machine_facts *facts)
{
    const inlay_machine *machine = facts->machine;
    bool links = inlay_machine_has_links(machine);
    const char *traffic = inlay_machine_links_in_bytes(machine) ? "bytes" : "messages";
    const char *switching = inlay_machine_cut_through(machine) ? "cut-through" : "store-and-forward";
    inlay_json_put(out, "switches %d links %d link_unit %s link_traffic %s switching %s link_kinds [",
                   inlay_machine_nodes(machine) - (links ? inlay_machine_hosts(machine) : 0),
                   inlay_machine_links(machine), links ? inlay_unit_name(inlay_machine_link_unit(machine)) : NULL,
                   links ? traffic : NULL, links ? switching : NULL);
    for (size_t i = 0; i < facts->link_kind_count; i++) {
        inlay_link_kind kind = facts->link_kinds[i];
        kind.is.capacity = inlay_machine_links_known(machine) ? kind.is.capacity : NAN;
        inlay_json_put(out, "{ capacity %g latency %g shared %hhd parallel %hhd links %d }", kind.is.capacity,
                       kind.is.latency, kind.is.shared, kind.is.parallel, kind.links);
    }
    inlay_json_array_end(out);
}

static int put_machine(inlay_json *out, const inlay_machine *machine, inlay_diag *diag)
{
    inlay_machine_facts facts;
    int status = inlay_machine_describe(machine, &facts, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_json_put(out, "machine %s text %s network %s model %s processors %d hosts %d", inlay_machine_name(machine),
                   inlay_machine_text(machine), inlay_family_name(inlay_machine_family(machine)),
                   inlay_machine_model_words(machine), inlay_machine_processors(machine), inlay_machine_hosts(machine));
    inlay_json_array(out, "processor_kinds");
    for (size_t i = 0; i < facts.processor_kind_count; i++) {
        const inlay_processor_kind *kind = &facts.processor_kinds[i];
        inlay_json_put(out, "{ type %s speed %g memory %" PRIi64 " processors %d hosts %d }", kind->is.type,
                       kind->is.speed, kind->is.memory, kind->processors, kind->hosts);
    }
    inlay_json_array_end(out);
    inlay_json_put(out, "contention %s", inlay_machine_contention_word(machine));
    put_operations(out, machine);
    put_links(out, &facts);
    inlay_json_put(out, "diameter %d mean_distance %g distances_from %d bisection_links %" PRIi64, facts.diameter,
                   facts.mean_distance, facts.sources, facts.bisection);
    inlay_machine_facts_clear(&facts);
    return INLAY_OK;
}

/* ---- The whole ---- */

static int put_one(inlay_json *out, const told *t, size_t i)
{
    return t->machine != NULL ? put_machine(out, t->machine[i], t->diag) : put_app(out, t->app[i], t->facts, t->diag);
}

/* One stands in the result itself, several in an array. */
static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    int status = INLAY_OK;
    if (t->count == 1) {
        return put_one(out, t, 0);
    }
    inlay_json_array(out, t->machine != NULL ? "machines" : "applications");
    for (size_t i = 0; status == INLAY_OK && i < t->count; i++) {
        inlay_json_object(out, NULL);
        status = put_one(out, t, i);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    return status;
}

int inlay_apps_write_json(const inlay_app *const *apps, size_t count, const inlay_app_facts *facts,
                          const inlay_result_context *context, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    const told all = {.count = count, .app = apps, .facts = facts, .diag = diag};
    return inlay_result_write(context, put_members, &all, path, diag);
}

int inlay_machines_write_json(const inlay_machine *const *machines, size_t count, const inlay_result_context *context,
                              const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    const told all = {.count = count, .machine = machines, .diag = diag};
    return inlay_result_write(context, put_members, &all, path, diag);
}
