/*
 * DSLab DAG in: tasks with their flops and memory, and the data items that they read and write, by which alone they depend
 * on each other (io/flow.h). Its units are Gflop, and MB for memory and data (https://github.com/osukhoroslov/dslab,
 * crates/dslab-dag): times are seconds on a core of 1 Gflop/s, the reference. A task runs on min_cores cores, how much
 * faster more would be is left out.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/names.h"
#include "io/flow.h"
#include "io/formats.h"
#include "io/yaml.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double giga = 1e9, mega = 1e6;

/* A data item under way: its task is -1 for the inputs of the whole. */
typedef struct item {
    const char *name; /* in the store */
    int64_t size;
    bool open;
} item;

typedef struct dslab {
    const char *source;
    inlay_diag *diag;
    name_store *names;
    inlay_app_builder *builder;
    file_flow flow;
    flow_edges edges;
    inlay_module task; /* under way, with its name in the store */
    bool in_task, timed, malleable;
    item item;
    inlay_id tasks;
    long line;
} dslab;

/* At the begin of a line. */
static bool has_key(const char *data, size_t size, const char *key)
{
    size_t length = strlen(key);
    const char *end = data + size;
    while ((size_t)(end - data) > length) {
        if (memcmp(data, key, length) == 0) {
            return true;
        }
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        if (newline == NULL) {
            break;
        }
        data = newline + 1;
    }
    return false;
}

bool dslab_looks_like(const char *data, size_t size)
{
    return has_key(data, size, "tasks:") && size > 0 && *data != '{' && *data != '[' && *data != '<';
}

static int refuse(const dslab *d, const yaml_place *place, const char *value, const char *expected)
{
    return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, place->line, "%s '%.40s' cannot be read; expected %s",
                        place->key[place->keys - 1], value, expected);
}

/* A number of at least 0, times a unit, in whole ones. */
static bool scaled(const char *text, double unit, int64_t *value)
{
    inlay_decimal read;
    bool good = inlay_decimal_parse(text, &read) == INLAY_OK && read.digits >= 0;
    double number = good ? ceil(inlay_decimal_double(read) * unit) : 0;
    good = good && number < 0x1p62;
    *value = good ? (int64_t)number : 0;
    return good;
}

/* ---- What has come to its end ---- */

static int end_item(dslab *d)
{
    bool open = d->item.open;
    d->item.open = false;
    if (open && d->item.name == NULL) {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, d->line, "a data item without name; expected name");
    }
    int32_t file = open ? file_flow_file(&d->flow, d->item.name) : 0;
    if (open && file >= 0) {
        d->flow.file[file].size = d->item.size;
    }
    bool good = !open || (file >= 0 && (!d->in_task || file_flow_use(&d->flow, true, d->tasks, file, d->item.size)));
    return good ? INLAY_OK : diag_no_memory(d->diag);
}

static int end_task(dslab *d)
{
    int status = end_item(d);
    if (status != INLAY_OK || !d->in_task) {
        return status;
    }
    d->in_task = false;
    if (d->task.name == NULL || !d->timed) {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, d->line, "a task without %s; expected %s",
                            d->task.name == NULL ? "name" : "flops", d->task.name == NULL ? "name" : "flops");
    }
    d->tasks++;
    return inlay_app_add_module(d->builder, &d->task, d->diag);
}

/* ---- What comes ---- */

static int on_open(void *context, const yaml_place *place)
{
    dslab *d = context;
    int status = INLAY_OK;
    if (yaml_at(place, "tasks")) {
        status = end_task(d);
        d->task = (inlay_module){.time.unit = INLAY_UNIT_S};
        d->in_task = true;
        d->timed = false;
    } else if (yaml_at(place, "tasks.outputs") || yaml_at(place, "inputs")) {
        status = yaml_at(place, "inputs") ? end_task(d) : end_item(d);
        d->item = (item){.open = true};
    }
    d->line = place->line;
    return status;
}

static int keep(dslab *d, const char *text, const char **kept)
{
    *kept = name_store_keep(&d->names, text);
    return *kept == NULL ? diag_no_memory(d->diag) : INLAY_OK;
}

static int read_input(dslab *d, const char *text)
{
    const char *kept;
    int status = keep(d, text, &kept);
    return status != INLAY_OK ||
                   file_flow_use(&d->flow, false, d->tasks, file_flow_file(&d->flow, kept), FLOW_SIZE_UNKNOWN)
               ? status
               : diag_no_memory(d->diag);
}

static int on_value(void *context, const yaml_place *place, const char *text)
{
    dslab *d = context;
    int64_t cores = 1;
    if (yaml_at(place, "tasks.name")) {
        return keep(d, text, &d->task.name);
    }
    if (yaml_at(place, "tasks.flops")) {
        inlay_decimal *time = &d->task.time.value;
        d->timed = true;
        return inlay_decimal_parse(text, time) == INLAY_OK && time->digits >= 0
                   ? INLAY_OK
                   : refuse(d, place, text, "Gflop, 0 or more");
    }
    if (yaml_at(place, "tasks.memory")) {
        return scaled(text, mega, &d->task.memory) ? INLAY_OK : refuse(d, place, text, "MB, 0 or more");
    }
    if (yaml_at(place, "tasks.min_cores")) {
        bool good = scaled(text, 1, &cores) && cores >= 1 && cores <= INT32_MAX;
        d->task.cores = good ? (int32_t)cores : 1;
        return good ? INLAY_OK : refuse(d, place, text, "a whole number, 1 or more");
    }
    if (yaml_at(place, "tasks.max_cores")) {
        d->malleable = d->malleable || strcmp(text, "1") != 0;
    }
    if (yaml_at(place, "tasks.inputs")) {
        return read_input(d, text);
    }
    if (yaml_at(place, "tasks.outputs.name") || yaml_at(place, "inputs.name")) {
        return keep(d, text, &d->item.name);
    }
    if (yaml_at(place, "tasks.outputs.size") || yaml_at(place, "inputs.size")) {
        return scaled(text, mega, &d->item.size) ? INLAY_OK : refuse(d, place, text, "MB, 0 or more");
    }
    return INLAY_OK;
}

/* ---- The graph ---- */

static long line_of(void *context, inlay_id from, inlay_id to)
{
    (void)from;
    const dslab *d = context;
    return to < 0 ? d->line : 0;
}

/* What a task reads is written by one, or is an input of the whole; else it is misspelt. */
static int check_inputs(const dslab *d)
{
    const file_flow *flow = &d->flow;
    for (int32_t f = 0; f < flow->count; f++) {
        if (flow->file[f].size == FLOW_SIZE_UNKNOWN) {
            return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, 0,
                                "nobody writes '%s'; expected an output of a task or one of the inputs",
                                flow->file[f].name);
        }
    }
    return INLAY_OK;
}

static int build(dslab *d, const inlay_reading *how, inlay_app **app)
{
    inlay_reading asked = *how;
    asked.file_links = true;  /* there are no other links */
    int status = end_task(d); /* counts the last one */
    const flow_question question = {&d->flow, d->tasks, &d->edges, NULL, &asked, d->source, d->diag};
    status = status == INLAY_OK ? check_inputs(d) : status;
    status = status == INLAY_OK ? inlay_app_builder_reference(d->builder, giga, d->diag) : status;
    status = status == INLAY_OK ? flow_add_links(&question, d->builder) : status;
    if (status == INLAY_OK && d->malleable) {
        diag_warn(d->diag, "%s: tasks run on min_cores cores; max_cores and cores_dependency are left out", d->source);
    }
    return status == INLAY_OK ? inlay_app_build(d->builder, app, d->diag) : status;
}

int dslab_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
               inlay_diag *diag)
{
    static const yaml_reader reader = {"a DSLab DAG", on_open, on_value};
    dslab d = {.source = source, .diag = diag};
    char *name = format_graph_name(source);
    d.builder = name == NULL ? NULL : inlay_app_builder_new(name, INLAY_UNIT_S);
    free(name);
    int status = d.builder == NULL || inlay_app_builder_source(d.builder, source, line_of, &d) != INLAY_OK
                     ? diag_no_memory(diag)
                     : yaml_read(data, size, source, &reader, &d, diag);
    status = status == INLAY_OK ? build(&d, how, app) : status;
    inlay_app_builder_free(d.builder);
    file_flow_clear(&d.flow);
    name_store_free(d.names);
    free(d.edges.edge);
    return status;
}
