/*
 * DAGBench in: the JSON of an instance of SAGA, an application and a machine in one file.
 *
 *     {"name", "task_graph": {"tasks": [{name, cost}], "dependencies": [{source, target, size}]},
 *      "network": {"nodes": [{name, speed}], "edges": [{source, target, speed}]}}
 *
 * None of the numbers has a unit: a task takes cost over speed, in ticks here, and a dependency size over the speed of the
 * edge. A unit of data counts as a megabyte in both, so that fractions of it are whole bytes. Nodes reach each other over
 * edges that messages do not meet on; edges from a node to itself, which are fast, are none.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/dot/dot.h"
#include "io/formats.h"
#include "io/json/read.h"
#include "io/machine_formats.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double unit_bytes = 1e6;

typedef struct reading {
    json_file file;
    json_place root, graph, list, edges; /* tasks and dependencies, or nodes and edges */
    inlay_app_builder *builder;
    name_map nodes;
} reading;

static bool has(const char *data, size_t size, const char *outer, const char *inner)
{
    const json_step root = {0};
    const json_step first = {&root, outer, 0};
    const json_step second = {&first, inner, 0};
    return json_has(data, size, &second);
}

bool dagbench_looks_like(const char *data, size_t size)
{
    return has(data, size, "task_graph", "tasks");
}

bool dagbench_machine_looks_like(const char *data, size_t size)
{
    return dagbench_looks_like(data, size) && has(data, size, "network", "nodes");
}

/* ---- The application ---- */

static long line_of(void *context, inlay_id from, inlay_id to)
{
    const reading *r = context;
    json_place place = json_at_element(&r->list, (size_t)from);
    return to < 0 ? json_line_of(&r->file, &place) : json_line_of(&r->file, &r->edges);
}

static int add_task(reading *r, size_t i)
{
    json_place place = json_at_element(&r->list, i);
    json_place name = json_at_member(&place, "name"), cost = json_at_member(&place, "cost");
    inlay_module module = {.time.unit = INLAY_UNIT_TICK};
    int status = json_need_object(&r->file, &place);
    status = status == INLAY_OK ? json_read_text(&r->file, &name, &module.name) : status;
    status = status == INLAY_OK ? json_read_decimal(&r->file, &cost, &module.time.value) : status;
    return status == INLAY_OK ? inlay_app_add_module(r->builder, &module, r->file.diag) : status;
}

/* An end of a dependency: the task that it names. */
static int find_task(const reading *r, const json_place *place, const char *member, inlay_id *task)
{
    json_place end = json_at_member(place, member);
    const char *name = NULL;
    int status = json_read_text(&r->file, &end, &name);
    if (status == INLAY_OK) {
        *task = inlay_app_builder_find(r->builder, name);
    }
    return status != INLAY_OK || *task >= 0
               ? status
               : json_complain(&r->file, &end, "unknown module '%s'; expected the name of a task", name);
}

static int add_dependency(reading *r, size_t i)
{
    json_place place = json_at_element(&r->edges, i), of = json_at_member(&place, "size");
    inlay_id from = -1, to = -1;
    double size = 0;
    int status = json_need_object(&r->file, &place);
    status = status == INLAY_OK ? find_task(r, &place, "source", &from) : status;
    status = status == INLAY_OK ? find_task(r, &place, "target", &to) : status;
    status = status == INLAY_OK ? json_read_real(&r->file, &of, &size) : status;
    if (status == INLAY_OK && size * unit_bytes >= 0x1p62) {
        status = json_refuse(&r->file, &of, "a size below 2^42");
    }
    return status != INLAY_OK
               ? status
               : inlay_app_add_link(r->builder, from, to, 1, llround(size * unit_bytes), 0, r->file.diag);
}

static int read_each(reading *r, const json_place *list, int (*add)(reading *r, size_t i))
{
    int status = json_need_array(&r->file, list);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(list); i++) {
        status = add(r, i);
    }
    return status;
}

/* A list of the application that is read: its values take ten times their text. Places keep the way to it, and so their line. */
static void forget(const reading *r, json_place *list)
{
    (void)json_object_del(json_object_get(r->file.root, "task_graph"), list->step.key);
    list->value = NULL;
}

/* The name that the file gives itself, else that of the file. The caller frees; NULL: no memory. */
static char *name_of(const reading *r)
{
    json_place name = json_at_member(&r->root, "name");
    return json_is_string(name.value) ? memory_string(json_string_value(name.value))
                                      : format_graph_name(r->file.source);
}

static int open_part(reading *r, const char *part, const char *list, const char *edges)
{
    r->root = json_at_root(&r->file);
    int status = json_need_object(&r->file, &r->root);
    r->graph = json_at_member(&r->root, part);
    status = status == INLAY_OK ? json_need_object(&r->file, &r->graph) : status;
    r->list = json_at_member(&r->graph, list);
    r->edges = json_at_member(&r->graph, edges);
    return status;
}

int dagbench_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    reading r = {0};
    int status = json_file_open(&r.file, data, size, source, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = open_part(&r, "task_graph", "tasks", "dependencies");
    char *name = status == INLAY_OK ? name_of(&r) : NULL;
    r.builder = name == NULL ? NULL : inlay_app_builder_new(name, INLAY_UNIT_TICK);
    if (status == INLAY_OK &&
        (r.builder == NULL || inlay_app_builder_source(r.builder, source, line_of, &r) != INLAY_OK)) {
        status = diag_no_memory(diag);
    }
    status = status == INLAY_OK ? read_each(&r, &r.list, add_task) : status;
    forget(&r, &r.list);
    status = status == INLAY_OK ? read_each(&r, &r.edges, add_dependency) : status;
    forget(&r, &r.edges);
    status = status == INLAY_OK ? inlay_app_build(r.builder, app, diag) : status;
    inlay_app_builder_free(r.builder);
    free(name);
    json_file_close(&r.file);
    return status;
}

/* ---- The machine ---- */

static int read_speed(const reading *r, const json_place *place, double *speed)
{
    json_place of = json_at_member(place, "speed");
    int status = json_read_real(&r->file, &of, speed);
    return status != INLAY_OK || *speed > 0 ? status : json_refuse(&r->file, &of, "a speed above 0");
}

static int write_node(reading *r, size_t i, text_buffer *to)
{
    char digits[DOUBLE_TEXT];
    json_place place = json_at_element(&r->list, i), of = json_at_member(&place, "name");
    const char *name = NULL;
    double speed = 0;
    int status = json_need_object(&r->file, &place);
    status = status == INLAY_OK ? json_read_text(&r->file, &of, &name) : status;
    status = status == INLAY_OK ? read_speed(r, &place, &speed) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (name_map_get(&r->nodes, name) >= 0) {
        return json_complain(&r->file, &of, "duplicate node '%s'; expected every name once", name);
    }
    text_add(to, "  ");
    to->failed |= !name_map_put(&r->nodes, name, (int32_t)i);
    if (!dot_add_id(to, name)) {
        return json_refuse(&r->file, &of, "a name without a backslash in front of a quote");
    }
    text_addf(to, " [speed=\"%s\"];\n", double_text(speed, digits));
    return INLAY_OK;
}

/* Each pair once: the way back that some files give besides is the same. */
static int write_edge(reading *r, size_t i, id_map *done, text_buffer *to)
{
    static const char *const members[] = {"source", "target"};
    json_place place = json_at_element(&r->edges, i);
    const char *name[2] = {NULL, NULL};
    int32_t node[2] = {0, 0};
    double speed = 0;
    int status = json_need_object(&r->file, &place);
    for (int end = 0; end < 2 && status == INLAY_OK; end++) {
        json_place of = json_at_member(&place, members[end]);
        status = json_read_text(&r->file, &of, &name[end]);
        node[end] = status == INLAY_OK ? name_map_get(&r->nodes, name[end]) : 0;
        status = status != INLAY_OK || node[end] >= 0
                     ? status
                     : json_complain(&r->file, &of, "unknown node '%s'; expected the name of one", name[end]);
    }
    status = status == INLAY_OK ? read_speed(r, &place, &speed) : status;
    if (status != INLAY_OK || node[0] == node[1]) {
        return status;
    }
    int64_t low = node[0] < node[1] ? node[0] : node[1], high = node[0] < node[1] ? node[1] : node[0];
    int64_t pair = high * (high - 1) / 2 + low;
    if (pair > INT32_MAX) {
        return json_complain(&r->file, &place, "too many nodes; expected at most 65536");
    }
    int64_t times = id_map_add(done, (int32_t)pair, 1);
    to->failed |= times < 0;
    if (times == 1) {
        char digits[DOUBLE_TEXT];
        text_add(to, "  ");
        (void)dot_add_id(to, name[0]);
        text_add(to, " -- ");
        (void)dot_add_id(to, name[1]);
        text_addf(to, " [capacity=\"%sMB/tick\", parallel=true];\n", double_text(speed, digits));
    }
    return INLAY_OK;
}

static int write_machine(const void *of, text_buffer *to, inlay_diag *diag)
{
    (void)diag;
    reading *r = (reading *)of;
    id_map done = {0};
    int status = json_need_array(&r->file, &r->list);
    status = status == INLAY_OK ? json_need_array(&r->file, &r->edges) : status;
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&r->list); i++) {
        status = write_node(r, i, to);
    }
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&r->edges); i++) {
        status = write_edge(r, i, &done, to);
    }
    id_map_clear(&done);
    return status;
}

int dagbench_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                          size_t count, inlay_machine **machine, inlay_diag *diag)
{
    reading r = {0};
    int status = json_file_open(&r.file, data, size, source, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = open_part(&r, "network", "nodes", "edges");
    char *name = status == INLAY_OK ? name_of(&r) : NULL;
    const explicit_parts parts = {name, source, attributes, count, false};
    if (status == INLAY_OK) {
        status = name == NULL ? diag_no_memory(diag) : explicit_machine(&parts, write_machine, &r, machine, diag);
    }
    free(name);
    name_map_clear(&r.nodes);
    json_file_close(&r.file);
    return status;
}
