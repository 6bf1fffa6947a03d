/* mapping.json, as docs/mapping-json.md has it. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/json_out.h"
#include "base/memory.h"
#include "graph/app.h"
#include "io/mapping/words.h"
#include "mapping/mapping.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const reduce_words[] = {"h2", "h1", "none", NULL};
const char *const reduce_when_words[] = {"after", "before", NULL};
const char *const parallel_words[] = {"level", "overlap", NULL};
const char *const blocking_words[] = {"auto", "yes", "no", NULL};
const char *const start_words[] = {"auto", "stream", "finish", NULL};
const char *const layout_words[] = {"nearest", "order", "scotch", NULL};
const char *const order_words[] = {"given", "paper", "bottom-level", NULL};

static void write_time(inlay_json *json, const char *key, const inlay_app *app, inlay_time time)
{
    char digits[DECIMAL_TEXT];
    inlay_json_literal(json, key, decimal_text((inlay_decimal){time, inlay_app_decimals(app)}, digits));
}

/* A sum of times as decimal digits, which are exact where the times are. */
static void write_sum(inlay_json *json, const char *key, double sum)
{
    inlay_decimal exact;
    if (inlay_decimal_from_double(sum, &exact) == INLAY_OK) {
        char digits[DECIMAL_TEXT];
        inlay_json_literal(json, key, decimal_text(exact, digits));
    } else {
        inlay_json_number(json, key, sum);
    }
}

static void write_options(inlay_json *json, const inlay_options *o)
{
    inlay_json_put(
        json,
        "options { reduce %s reduce_when %s reduce_by_traffic %hhd parallel %s unrelated %hhd blocking %s start %s",
        reduce_words[o->reduce], reduce_when_words[o->reduce_when], o->reduce_by_traffic, parallel_words[o->parallel],
        (bool)(!o->keep_unrelated), blocking_words[o->blocking], start_words[o->start]);
    if (o->layout != INLAY_LAYOUT_NEAREST) {
        inlay_json_string(json, "layout", layout_words[o->layout]);
    }
    if (o->order != INLAY_ORDER_GIVEN) {
        inlay_json_string(json, "order", order_words[o->order]);
    }
    if (o->copies == INLAY_COPIES_EACH) {
        inlay_json_string(json, "copies", "each");
    }
    if (o->ignore_cores) {
        inlay_json_bool(json, "ignore_cores", true);
    }
    if (o->effort.seconds > 0) {
        inlay_json_number(json, "effort_seconds", o->effort.seconds);
    } else if (o->effort.evaluations != 0) {
        inlay_json_put(json, "effort %" PRId64, o->effort.evaluations < 0 ? 0 : o->effort.evaluations);
    }
    if (o->risk != INLAY_RISK_NONE) {
        inlay_json_string(json, "risk", inlay_risk_name(o->risk));
    }
    if (o->objective != INLAY_OBJECTIVE_MAKESPAN) {
        inlay_json_string(json, "objective", inlay_objective_name(o->objective));
    }
    inlay_json_put(json, "tick_seconds %g }", o->tick_seconds > 0 ? o->tick_seconds : NAN);
}

static void write_rules(inlay_json *json, const inlay_summary *s)
{
    bool derived = s->work_has_blocking ? s->blocking_derived : !s->streamed;
    inlay_json_flat_object(json, "rules");
    inlay_json_put(json, "start %s work %s blocking %s", s->streamed ? "stream" : "finish",
                   s->work_has_blocking ? "m+b" : "m", derived ? "derived" : "file");
    if (s->order_given) {
        inlay_json_string(json, "order", order_words[INLAY_ORDER_GIVEN]);
    }
    inlay_json_object_end(json);
}

static void write_cluster(inlay_json *json, const inlay_mapping *mapping, inlay_id number)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_cluster_info info = inlay_mapping_cluster(mapping, number);
    inlay_json_put(json, "{ processor %d", info.processor);
    inlay_json_flat_array(json, "modules");
    for (inlay_id i = 0; i < info.modules; i++) {
        inlay_json_string(json, NULL, inlay_app_module_name(app, info.module[i]));
    }
    inlay_json_array_end(json);
    inlay_json_flat_array(json, "blocks");
    for (inlay_id i = 0; i < info.blocks; i++) {
        inlay_json_string(json, NULL, inlay_app_block_name(app, info.block[i]));
    }
    inlay_json_array_end(json);
    write_sum(json, "work", info.work);
    write_sum(json, "busy", info.busy);
    inlay_json_put(json,
                   "utilisation %g messages_out %" PRId64 " traffic_out %" PRId64 " weighted_traffic_out %" PRId64
                   " memory %" PRId64 " }",
                   info.utilisation, info.messages_out, info.traffic_out, info.weighted_traffic_out, info.memory);
}

/* Sums of traffic times distance before the layout's two steps; null where there is no distance, or no such step. */
static void write_layout(inlay_json *json, const inlay_summary *s, const inlay_origin *origin)
{
    inlay_json_flat_object(json, "layout");
    inlay_json_put(json, "in_order %" PRIi64 " nearest %" PRIi64, s->weighted_in_order, s->weighted_nearest);
    if (origin->in_order != NULL) {
        const inlay_summary *before = inlay_mapping_summary(origin->in_order);
        inlay_json_flat_object(json, "before");
        inlay_json_put(json, "utilisation %g elapsed %g }", before->u, before->elapsed);
    }
    inlay_json_object_end(json);
}

/* Data blocks by their common memory: what qsort() sorts. */
typedef struct stored_block {
    inlay_id memory, block;
} stored_block;

static int compare_stored(const void *a, const void *b)
{
    const stored_block *x = a, *y = b;
    return x->memory != y->memory ? (x->memory > y->memory) - (x->memory < y->memory)
                                  : (x->block > y->block) - (x->block < y->block);
}

/* The common memory of stored[0], and what stands in it; how many blocks that are. */
static size_t write_memory(inlay_json *json, const inlay_app *app, const stored_block *stored, size_t left)
{
    size_t count = 0;
    int64_t used = 0;
    while (count < left && stored[count].memory == stored[0].memory) {
        used += inlay_app_block_size(app, stored[count++].block);
    }
    inlay_json_put(json, "{ memory %d used %" PRId64, stored[0].memory, used);
    inlay_json_flat_array(json, "blocks");
    for (size_t i = 0; i < count; i++) {
        inlay_json_string(json, NULL, inlay_app_block_name(app, stored[i].block));
    }
    inlay_json_put(json, "] }");
    return count;
}

static int write_memories(inlay_json *json, const inlay_mapping *mapping, inlay_diag *diag)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    size_t blocks = inlay_machine_memories(inlay_mapping_machine(mapping)) > 0 ? (size_t)inlay_app_blocks(app) : 0;
    stored_block *stored = memory_array(blocks, sizeof *stored);
    if (stored == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t d = 0; d < blocks; d++) {
        stored[d] = (stored_block){inlay_mapping_memory_of(mapping, (inlay_id)d), (inlay_id)d};
    }
    if (blocks > 0) {
        qsort(stored, blocks, sizeof *stored, compare_stored);
    }
    inlay_json_array(json, "memories");
    for (size_t d = 0; d < blocks;) {
        d += write_memory(json, app, stored + d, blocks - d);
    }
    inlay_json_array_end(json);
    free(stored);
    return INLAY_OK;
}

/* The busiest links, where there are any. */
static int write_links(inlay_json *json, const inlay_mapping *mapping, inlay_diag *diag)
{
    enum { MOST_LINKS = 10 };
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    inlay_link_load *loads = NULL;
    size_t count = 0;
    if (!inlay_machine_has_links(machine)) {
        return INLAY_OK;
    }
    int status = inlay_mapping_links(mapping, &loads, &count, diag);
    inlay_json_array(json, "links");
    for (size_t i = 0; status == INLAY_OK && i < count && i < MOST_LINKS; i++) {
        char name[INLAY_MACHINE_NAME];
        inlay_json_flat_object(json, NULL);
        inlay_json_put(json, "name %s flows %d traffic %" PRId64 " utilisation %g delay %g }",
                       inlay_machine_link_name(machine, loads[i].link, name), loads[i].flows, loads[i].traffic,
                       loads[i].utilisation, loads[i].delay);
    }
    inlay_json_array_end(json);
    free(loads);
    return status;
}

static int write_network(inlay_json *json, const inlay_mapping *mapping, const inlay_summary *s, inlay_diag *diag)
{
    inlay_json_put(json,
                   "network { model %s model_number %d free %hhd u %g u_limit %g load %g rho %g rho_processor %g delay "
                   "%g tau %g latency %g",
                   inlay_family_name(inlay_machine_family(inlay_mapping_machine(mapping))),
                   inlay_machine_model(inlay_mapping_machine(mapping)), s->free_network, s->u, s->u_limit, s->load,
                   s->rho, s->rho_processor, s->delay, s->tau, s->latency);
    int status = write_links(json, mapping, diag);
    inlay_json_object_end(json);
    return status;
}

/* A bound, exact where the fastest processor has speed 1. */
static void write_bound(inlay_json *json, const char *key, const inlay_app *app, inlay_time counted, double bound)
{
    if (inlay_app_in_units(app, counted) < bound || inlay_app_in_units(app, counted) > bound) {
        inlay_json_number(json, key, bound);
    } else {
        write_time(json, key, app, counted);
    }
}

/* All bounds of one kind, null where none is claimed. */
static void write_bounds(inlay_json *json, const inlay_mapping *mapping, bool of_placement)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_json_flat_object(json, of_placement ? "placement_bounds" : "bounds");
    for (size_t i = 0; i < inlay_bounds(); i++) {
        inlay_bound bound = inlay_mapping_bound(mapping, i);
        if (bound.of_placement != of_placement) {
            continue;
        }
        if (strcmp(bound.name, "critical_path") == 0) {
            write_bound(json, bound.name, app, mapping->critical_path, bound.value);
        } else if (strcmp(bound.name, "longest_module") == 0) {
            write_bound(json, bound.name, app, mapping->longest_module, bound.value);
        } else {
            inlay_json_number(json, bound.name, bound.value);
        }
    }
    inlay_json_object_end(json);
}

/* A module that a bound is about, or null. */
static void write_bounding(inlay_json *json, const char *key, const inlay_mapping *mapping, const inlay_bound *bound)
{
    inlay_json_string(json, key, bound->at < 0 ? NULL : inlay_app_module_name(inlay_mapping_app(mapping), bound->at));
}

/* What it takes to work bounds out anew. */
static void write_proofs(inlay_json *json, const inlay_mapping *mapping)
{
    inlay_json_flat_object(json, "bound_proofs");
    for (size_t i = 0; i < inlay_bounds(); i++) {
        inlay_bound bound = inlay_mapping_bound(mapping, i);
        if (strcmp(bound.name, "fernandez_bussell") == 0) {
            inlay_json_put(json, "from %g to %g points %" PRId64 " of %" PRId64, bound.from, bound.to, bound.points,
                           bound.all);
        } else if (strcmp(bound.name, "one_sender") == 0) {
            write_bounding(json, "sender", mapping, &bound);
        } else if (strcmp(bound.name, "one_receiver") == 0) {
            write_bounding(json, "receiver", mapping, &bound);
        }
    }
    size_t count;
    const double *weights = inlay_mapping_work_weights(mapping, &count);
    inlay_json_flat_array(json, "weights");
    for (size_t k = 0; k < count; k++) {
        inlay_json_number(json, NULL, weights[k]);
    }
    inlay_json_put(json, "] }");
}

/* What passes for the elapsed time is worked out by then; else by one more pass. NaN where there is none. */
static double screen_of(const inlay_mapping *mapping, const inlay_summary *s)
{
    double screen = NAN;
    if (s->elapsed_is == INLAY_ELAPSED_SCREEN) {
        return s->elapsed;
    }
    (void)inlay_mapping_screen(mapping, INLAY_CONTENTION_QUEUES, &screen, NULL);
    return screen;
}

/* How far such figures were from simulated times in the study, or null. */
static void write_band(inlay_json *json, const char *key, bool known, const inlay_error_band *band)
{
    if (!known) {
        inlay_json_null(json, key);
        return;
    }
    inlay_json_flat_object(json, key);
    inlay_json_put(json, "mean %g low %g high %g }", band->mean, band->low, band->high);
}

static void write_makespan(inlay_json *json, const inlay_mapping *mapping, const inlay_summary *s)
{
    inlay_bound placed = inlay_mapping_largest_bound(mapping, true);
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    inlay_error_band band;
    inlay_json_put(json, "makespan { estimate %g", s->estimate);
    write_band(json, "estimate_band", inlay_estimate_band(machine, s->load, &band), &band);
    inlay_json_put(json, "estimate_fixed_point %g estimate_unreduced %g screen %g", s->estimate_fixed_point,
                   s->estimate_unreduced, screen_of(mapping, s));
    write_band(json, "screen_band", inlay_screen_band(machine, s->load, &band), &band);
    inlay_json_put(json, "lower_bound %g lower_bound_of %s", s->lower_bound,
                   inlay_mapping_largest_bound(mapping, false).name);
    write_bounds(json, mapping, false);
    write_proofs(json, mapping);
    inlay_json_put(json, "placement_bound %g placement_bound_of %s", placed.value, placed.name);
    write_bounds(json, mapping, true);
    inlay_json_put(json, "gap %g }", s->gap);
}

/* What one run takes, of machines that tell. */
static void write_run(inlay_json *json, const inlay_mapping *mapping, const inlay_summary *s)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    if (!inlay_machine_price(machine, NULL) && !inlay_machine_power(machine, NULL)) {
        return;
    }
    inlay_json_flat_object(json, "run");
    inlay_json_put(json, "seconds %g price %g currency %s energy %g }", s->seconds, s->price,
                   inlay_machine_currency(machine), s->energy);
}

static void write_parallelism(inlay_json *json, const inlay_summary *s)
{
    inlay_json_flat_object(json, "parallelism");
    inlay_json_put(json, "clusters %d counted %s level_width %d exact_width %i }", s->parallelism,
                   parallel_words[s->options.parallel], s->level_width, s->exact_width);
}

static void write_machine(inlay_json *json, const inlay_machine *machine)
{
    inlay_json_put(json, "machine { text %s", inlay_machine_text(machine));
    for (size_t i = 0; i < inlay_machine_attributes(machine); i++) {
        inlay_attribute attribute = inlay_machine_attribute(machine, i);
        inlay_json_string(json, attribute.name, attribute.value);
    }
    if (inlay_machine_document(machine) != NULL) {
        inlay_json_string(json, "format", inlay_machine_format(machine));
        inlay_json_string(json, "document", inlay_machine_document(machine));
    }
    inlay_json_object_end(json);
}

/* The hash of the application's bytes: taken when it was read, else (an application that was built) from its file. */
static int hash_application(const inlay_app *app, const inlay_origin *origin, char hash[65], inlay_diag *diag)
{
    if (origin->app_path == NULL || file_comes_once(origin->app_path)) {
        hash[0] = '\0';
        return INLAY_OK;
    }
    if (app->sha256[0] != '\0') {
        strcpy(hash, app->sha256);
        return INLAY_OK;
    }
    file_content raw;
    int status = file_read_raw(origin->app_path, &raw, diag);
    if (status == INLAY_OK) {
        sha256_hex(raw.data, raw.size, hash);
        file_content_clear(&raw);
    }
    return status;
}

/* The application with the hash of its bytes; null where they cannot be read again: the name of a pipe tells nothing. */
static int write_application(inlay_json *json, const inlay_app *app, const inlay_origin *origin, inlay_diag *diag)
{
    char hash[65];
    int status = hash_application(app, origin, hash, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_json_put(json, "application { name %s", inlay_app_name(app));
    bool once = origin->app_path != NULL && file_comes_once(origin->app_path);
    inlay_json_put(json, "path %s format %s sha256 %s modules %d links %" PRId64 " }", once ? "-" : origin->app_path,
                   origin->app_format, hash[0] == '\0' ? NULL : hash, inlay_app_modules(app), inlay_app_links(app));
    return INLAY_OK;
}

/* When modules were planned to start, by number. */
static void write_plan(inlay_json *json, const inlay_mapping *mapping)
{
    if (isnan(inlay_mapping_planned_start(mapping, 0))) {
        return;
    }
    inlay_json_flat_array(json, "planned_starts");
    for (inlay_id i = 0; i < inlay_app_modules(inlay_mapping_app(mapping)); i++) {
        inlay_json_number(json, NULL, inlay_mapping_planned_start(mapping, i));
    }
    inlay_json_array_end(json);
}

/* What method "best" chose. */
static void write_winner(inlay_json *json, const inlay_winner *w)
{
    if (w->method != NULL) {
        inlay_json_put(json,
                       "best { method %s processors %d simulated %g unimproved %g evaluations %" PRId64
                       " houstis %g judged %d left_out %d",
                       w->method, w->processors, w->elapsed, w->unimproved, w->evaluations, w->houstis, w->judged,
                       w->left_out);
        if (isfinite(w->risk)) {
            inlay_json_put(json, "risk %g exact %g exact_risk %g", w->risk, w->exact, w->exact_risk);
        }
        if (w->period > 0) {
            inlay_json_put(json, "period %g period_unimproved %g", w->period, w->period_unimproved);
        }
        inlay_json_object_end(json);
    }
}

/* Of what is run again and again. */
static void write_period(inlay_json *json, const inlay_mapping *mapping)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    bool asked = mapping->summary.options.objective == INLAY_OBJECTIVE_PERIOD;
    double wanted = inlay_app_period(app);
    if (!asked && !(wanted > 0) && inlay_app_sdf(app) == NULL) {
        return;
    }
    inlay_least_period least = inlay_mapping_least_period(mapping);
    inlay_json_flat_object(json, "period");
    inlay_json_put(json, "least %g least_of %s lower_bound %g lower_bound_of %s gap %g", least.of_placement.value,
                   least.of_placement.name, least.of_any.value, least.of_any.name, least.gap);
    if (wanted > 0) {
        inlay_json_put(json, "wanted %g kept %hhd", wanted, (bool)(least.of_placement.value <= wanted));
    }
    inlay_json_object_end(json);
}

/* How sure the elapsed time is, of machines that tell how sure their figures are. */
static void write_interval(inlay_json *json, const inlay_mapping *mapping)
{
    double low, high;
    inlay_mapping_interval(mapping, &low, &high);
    if (isfinite(low)) {
        inlay_json_flat_object(json, "interval");
        inlay_json_put(json, "low %g high %g confidence %g }", low, high, INLAY_CONFIDENCE);
    }
}

static int write_mapping(inlay_json *json, const inlay_mapping *mapping, const inlay_origin *origin, inlay_diag *diag)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    inlay_json_put(json, "{ inlay %s command %s seed %" PRId64 " warnings [", inlay_version(), origin->command,
                   (int64_t)origin->seed);
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        inlay_json_string(json, NULL, inlay_diag_warning(diag, i));
    }
    inlay_json_put(json, "] method %s elapsed %g elapsed_is %s", s->method, s->elapsed,
                   inlay_elapsed_is_name(s->elapsed_is));
    write_interval(json, mapping);
    inlay_json_put(json, "time_unit %s time_frame %-s time_frame_given %hhd processors %d",
                   inlay_unit_name(inlay_app_unit(app)), s->time_frame_text, s->time_frame_given, s->processors);
    write_options(json, &s->options);
    write_rules(json, s);
    inlay_json_array(json, "clusters");
    for (inlay_id c = 0; c < s->clusters; c++) {
        write_cluster(json, mapping, c);
    }
    inlay_json_put(json, "] messages %" PRId64 " traffic %" PRId64 " traffic_unit %s weighted_traffic %" PRId64,
                   s->messages, s->traffic, s->traffic_in_bytes ? "bytes" : "messages", s->weighted_traffic);
    write_layout(json, s, origin);
    int status = write_memories(json, mapping, diag);
    status = status == INLAY_OK ? write_network(json, mapping, s, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    write_makespan(json, mapping, s);
    write_period(json, mapping);
    write_plan(json, mapping);
    write_winner(json, &s->winner);
    inlay_json_put(json, "fits_with_delay %hhd speedup %g efficiency %g", s->fits_with_delay, s->speedup,
                   s->efficiency);
    write_run(json, mapping, s);
    inlay_json_count(json, "reduced_from", s->reduced_from);
    write_parallelism(json, s);
    status = write_application(json, app, origin, diag);
    write_machine(json, inlay_mapping_machine(mapping));
    inlay_json_object_end(json);
    return status;
}

int inlay_mapping_write(const inlay_mapping *mapping, const inlay_origin *origin, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    if (mapping == NULL || origin == NULL || path == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a mapping is written with its origin to a path");
    }
    text_buffer out = {0};
    inlay_json json = json_out_begin(&out);
    int status = write_mapping(&json, mapping, origin, diag);
    json_out_end(&json);
    if (status == INLAY_OK) {
        status = out.failed ? diag_no_memory(diag) : file_write(path, out.data, out.size, diag);
    }
    text_clear(&out);
    return status;
}
