/* Stochastic graphs: building one, and what it answers. */
#include "graph/stochastic.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/names.h"
#include <math.h>
#include <stdlib.h>

enum { NAMES_SHOWN = 3, MOST_MODULES = INT32_MAX / 2 };

void inlay_stochastic_free(inlay_stochastic *graph)
{
    if (graph == NULL) {
        return;
    }
    name_store_free(graph->names);
    name_map_clear(&graph->by_name);
    void *arrays[] = {graph->label,         graph->module,       graph->block,         graph->control.link,
                      graph->control.begin, graph->traffic.link, graph->traffic.begin, graph->use,
                      graph->part,          graph->looped,       graph->visits,        graph->own,
                      graph->mean,          graph->variance};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    free(graph);
}

const char *inlay_stochastic_name(const inlay_stochastic *graph)
{
    return graph->label;
}

inlay_unit inlay_stochastic_unit(const inlay_stochastic *graph)
{
    return graph->unit;
}

const inlay_stochastic_summary *inlay_stochastic_summary_of(const inlay_stochastic *graph)
{
    return &graph->summary;
}

const char *inlay_stochastic_module_name(const inlay_stochastic *graph, inlay_id module)
{
    return graph->module[module].name;
}

bool inlay_stochastic_is_eor(const inlay_stochastic *graph, inlay_id module)
{
    return graph->module[module].eor;
}

double inlay_stochastic_visits(const inlay_stochastic *graph, inlay_id module)
{
    return graph->visits[module];
}

double inlay_stochastic_time(const inlay_stochastic *graph, inlay_id module)
{
    return graph->visits[module] * graph->own[module];
}

inlay_id inlay_stochastic_part(const inlay_stochastic *graph, inlay_id module)
{
    return graph->part[module];
}

bool inlay_stochastic_in_loop(const inlay_stochastic *graph, inlay_id module)
{
    return graph->looped[module];
}

/* ---- The builder ---- */

static inlay_stochastic *graph_of(inlay_stochastic_builder *builder)
{
    if (builder->graph == NULL) {
        builder->graph = memory_zeroed(1, sizeof *builder->graph);
    }
    return builder->graph;
}

inlay_stochastic_builder *inlay_stochastic_builder_new(const char *name, inlay_unit unit)
{
    inlay_stochastic_builder *builder = memory_zeroed(1, sizeof *builder);
    if (builder == NULL) {
        return NULL;
    }
    builder->unit = unit == INLAY_UNIT_NONE ? INLAY_UNIT_S : unit;
    builder->name = memory_string(name == NULL ? "" : name);
    builder->file = memory_string(name == NULL ? "" : name);
    if (builder->name == NULL || builder->file == NULL || graph_of(builder) == NULL) {
        inlay_stochastic_builder_free(builder);
        return NULL;
    }
    return builder;
}

void inlay_stochastic_builder_free(inlay_stochastic_builder *builder)
{
    if (builder != NULL) {
        inlay_stochastic_free(builder->graph);
        free(builder->name);
        free(builder->file);
        free(builder);
    }
}

int inlay_stochastic_builder_source(inlay_stochastic_builder *builder, const char *file,
                                    long (*line_of)(void *context, inlay_id from, inlay_id to), void *context)
{
    char *copy = memory_string(file);
    if (copy == NULL) {
        return INLAY_NO_MEMORY;
    }
    free(builder->file);
    builder->file = copy;
    builder->line_of = line_of;
    builder->context = context;
    return INLAY_OK;
}

long sg_line(const inlay_stochastic_builder *builder, inlay_id from, inlay_id to)
{
    return builder->line_of == NULL ? 0 : builder->line_of(builder->context, from, to);
}

char *sg_names(const inlay_stochastic *graph, const inlay_id *module, size_t count)
{
    text_buffer names = {0};
    text_addf(&names, count == 1 ? "module" : "modules");
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++) {
        text_addf(&names, "%s '%s'", i > 0 ? "," : "", graph->module[module[i]].name);
    }
    if (count > NAMES_SHOWN) {
        text_addf(&names, " and %zu more", count - NAMES_SHOWN);
    }
    if (names.failed) {
        text_clear(&names);
        return NULL;
    }
    return names.data;
}

/* ---- Adding ---- */

/* A time in the builder's unit. `what` and `name` are for messages. */
static int convert(const inlay_stochastic_builder *b, inlay_duration time, const char *what, const char *name,
                   double *value, inlay_diag *diag)
{
    bool bare = time.unit == INLAY_UNIT_NONE;
    if (time.value.digits < 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: the time of %s '%s' is negative; expected 0 or more", b->file,
                         what, name);
    }
    if (!bare && (time.unit == INLAY_UNIT_TICK) != (b->unit == INLAY_UNIT_TICK)) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: the time of %s '%s' is in %s; expected %s", b->file, what, name,
                         inlay_unit_name(time.unit), inlay_unit_name(b->unit));
    }
    double converted = inlay_decimal_double(time.value);
    if (!bare && time.unit != b->unit) {
        int power = unit_power(time.unit, b->unit); /* both exact: 10^power or its inverse is a whole number */
        converted = power < 0 ? converted / pow(10, -power) : converted * pow(10, power);
    }
    *value = converted;
    return INLAY_OK;
}

static bool is_count(double x)
{
    return isfinite(x) && x >= 0;
}

/* Keep a name that nothing has yet. @param what  "module" or "data block" */
static int keep_name(inlay_stochastic_builder *b, const char *name, int32_t id, const char *what, const char **kept,
                     inlay_diag *diag)
{
    inlay_stochastic *graph = b->graph;
    if (name == NULL || *name == '\0') {
        return diag_fail_at(diag, INLAY_BAD_INPUT, b->file, id >= 0 ? sg_line(b, id, -1) : 0,
                            "a %s has no name; expected one", what);
    }
    if (name_map_get(&graph->by_name, name) != -1) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: duplicate %s '%s'; expected every name once", b->file, what, name);
    }
    *kept = name_store_keep(&graph->names, name);
    return *kept != NULL && name_map_put(&graph->by_name, *kept, id) ? INLAY_OK : diag_no_memory(diag);
}

int inlay_stochastic_add_module(inlay_stochastic_builder *builder, const inlay_stochastic_module *module,
                                inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_stochastic *graph = graph_of(builder);
    if (graph == NULL) {
        return diag_no_memory(diag);
    }
    const char *name = module->name == NULL ? "" : module->name;
    sg_module row = {.eor = module->eor,
                     .has_entries = module->has_entries,
                     .entries = module->has_entries ? module->entries : 0,
                     .arithmetic = module->arithmetic,
                     .functions = module->functions,
                     .memory = module->memory};
    if (graph->modules >= MOST_MODULES) {
        return diag_fail(diag, INLAY_OVERFLOW, "too many modules; expected at most %d", MOST_MODULES);
    }
    if (!is_count(row.entries) || !is_count(row.arithmetic) || !is_count(row.functions) || row.memory < 0) {
        return diag_fail(diag, INLAY_BAD_INPUT, "%s: entries, operations or memory of module '%s'; expected 0 or more",
                         builder->file, name);
    }
    int status = convert(builder, module->time, "module", name, &row.time, diag);
    if (status == INLAY_OK &&
        !memory_grow((void **)&graph->module, &graph->module_capacity, graph->modules + 1, sizeof *graph->module)) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        status = keep_name(builder, module->name, (int32_t)graph->modules, "module", &row.name, diag);
    }
    if (status == INLAY_OK) {
        graph->module[graph->modules++] = row;
    }
    return status;
}

static bool is_module(const inlay_stochastic *graph, inlay_id id)
{
    return id >= 0 && (size_t)id < graph->modules;
}

/* What a link may not say. */
static int check_link(const inlay_stochastic_builder *b, const inlay_stochastic_link *link, inlay_diag *diag)
{
    const inlay_stochastic *graph = b->graph;
    if (graph == NULL || !is_module(graph, link->from) || !is_module(graph, link->to)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a link needs two modules that were added before");
    }
    const char *wrong = NULL, *expected = "0 or more";
    if (link->messages < 0 || link->bytes < 0) {
        wrong = link->messages < 0 ? "negative messages" : "negative bytes";
    } else if (link->has_probability && !(link->probability >= 0 && link->probability <= 1)) {
        wrong = "a probability outside 0 .. 1";
        expected = "a number from 0 to 1";
    } else if (link->has_probability && link->traffic_only) {
        wrong = "a probability, but passes no control";
        expected = "none with kind=traffic";
    } else if (link->has_probability && !graph->module[link->from].eor) {
        wrong = "a probability, but comes from an AND module, which takes all its links";
        expected = "none, or kind=eor of the module";
    }
    return wrong == NULL ? INLAY_OK
                         : diag_fail_at(diag, INLAY_BAD_INPUT, b->file, sg_line(b, link->from, link->to),
                                        "the link '%s' -> '%s' has %s; expected %s", graph->module[link->from].name,
                                        graph->module[link->to].name, wrong, expected);
}

int inlay_stochastic_add_link(inlay_stochastic_builder *builder, const inlay_stochastic_link *link, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check_link(builder, link, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_stochastic *graph = builder->graph;
    sg_link row = {.from = link->from,
                   .to = link->to,
                   .probability = link->has_probability ? link->probability : -1,
                   .messages = link->messages,
                   .bytes = link->bytes};
    status = convert(builder, link->time, "a link of module", graph->module[link->from].name, &row.time, diag);
    sg_links *links = link->traffic_only ? &graph->traffic : &graph->control;
    if (status == INLAY_OK &&
        !memory_grow((void **)&links->link, &links->capacity, links->count + 1, sizeof *links->link)) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        links->link[links->count++] = row;
    }
    return status;
}

int inlay_stochastic_add_block(inlay_stochastic_builder *builder, const char *name, int64_t size, inlay_duration time,
                               inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_stochastic *graph = graph_of(builder);
    if (graph == NULL) {
        return diag_no_memory(diag);
    }
    sg_block row = {.size = size};
    int status = convert(builder, time, "data block", name == NULL ? "" : name, &row.time, diag);
    if (status == INLAY_OK && (size < 0 || graph->blocks >= MOST_MODULES)) {
        status = diag_fail(diag, INLAY_BAD_INPUT, "%s: the size of data block '%s' is negative; expected 0 or more",
                           builder->file, name == NULL ? "" : name);
    }
    if (status == INLAY_OK &&
        !memory_grow((void **)&graph->block, &graph->block_capacity, graph->blocks + 1, sizeof *graph->block)) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        status = keep_name(builder, name, -2 - (int32_t)graph->blocks, "data block", &row.name, diag);
    }
    if (status == INLAY_OK) {
        graph->block[graph->blocks++] = row;
    }
    return status;
}

int inlay_stochastic_add_use(inlay_stochastic_builder *builder, inlay_id block, inlay_id module, int64_t messages,
                             int64_t bytes, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_stochastic *graph = builder->graph;
    if (graph == NULL || block < 0 || (size_t)block >= graph->blocks || !is_module(graph, module)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a use needs a block and a module that were added before");
    }
    if (messages < 0 || bytes < 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, sg_line(builder, module, -1),
                            "%s of a use are negative; expected 0 or more", messages < 0 ? "messages" : "bytes");
    }
    if (!memory_grow((void **)&graph->use, &graph->use_capacity, graph->uses + 1, sizeof *graph->use)) {
        return diag_no_memory(diag);
    }
    graph->use[graph->uses++] = (sg_use){block, module, messages, bytes};
    return INLAY_OK;
}

/* ---- Finishing ---- */

int inlay_stochastic_build(inlay_stochastic_builder *builder, inlay_stochastic **graph, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_stochastic *built = graph_of(builder);
    if (built == NULL) {
        return diag_no_memory(diag);
    }
    built->unit = builder->unit;
    built->label = memory_string(builder->name);
    int status = built->label == NULL ? diag_no_memory(diag) : sg_check(builder, diag);
    status = status == INLAY_OK ? sg_solve(builder, diag) : status;
    builder->graph = NULL;
    if (status == INLAY_OK) {
        *graph = built;
    } else {
        inlay_stochastic_free(built);
    }
    return status;
}
