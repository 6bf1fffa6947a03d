/*
 * WfFormat, the JSON of workflow instances that the WfCommons project defines: versions 1.0 to 1.6.
 *
 * Up to 1.4 workflow.jobs or workflow.tasks lists everything of a task; from 1.5 workflow.specification says what is to
 * be done and workflow.execution what it took, joined by id. The shape decides, not the version, because dialects exist
 * that mix the two. The version decides the unit of `memory`.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "io/formats.h"
#include "io/wfformat/wfformat.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char known_versions[] = "1.0, 1.1, 1.2, 1.3, 1.4, 1.5 or 1.6";

bool wfformat_looks_like(const char *data, size_t size)
{
    json_step root = {0};
    json_step workflow = {&root, "workflow", 0};
    const json_step signs[] = {
        {&root, "schemaVersion", 0}, {&workflow, "tasks", 0}, {&workflow, "jobs", 0}, {&workflow, "specification", 0}};
    if (!json_has(data, size, &workflow)) {
        return false;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (json_has(data, size, &signs[i])) {
            return true;
        }
    }
    return false;
}

/* ---- The shape of the file ---- */

static int read_version(wf_reading *r)
{
    json_place place = json_at_member(&r->root, "schemaVersion");
    const char *version;
    if (!json_is_string(place.value)) {
        return json_refuse(&r->file, &place, known_versions);
    }
    version = json_string_value(place.value);
    if (strlen(version) != 3 || version[0] != '1' || version[1] != '.' || version[2] < '0' || version[2] > '6') {
        return json_refuse(&r->file, &place, known_versions);
    }
    r->version = 10 + (version[2] - '0');
    return INLAY_OK;
}

static int find_lists(wf_reading *r)
{
    r->root = json_at_root(&r->file);
    int status = json_need_object(&r->file, &r->root);
    if (status == INLAY_OK) {
        status = read_version(r);
    }
    r->workflow = json_at_member(&r->root, "workflow");
    if (status == INLAY_OK) {
        status = json_need_object(&r->file, &r->workflow);
    }
    if (status != INLAY_OK) {
        return status;
    }
    r->specification = json_at_member(&r->workflow, "specification");
    r->execution = json_at_member(&r->workflow, "execution");
    r->split = r->specification.value != NULL;
    r->tasks = json_at_member(r->split ? &r->specification : &r->workflow, "tasks");
    if (!r->split && r->tasks.value == NULL && json_object_get(r->workflow.value, "jobs") != NULL) {
        r->tasks = json_at_member(&r->workflow, "jobs");
    }
    r->runs = json_at_member(&r->execution, "tasks");
    status = json_need_array(&r->file, &r->tasks);
    if (status == INLAY_OK && r->runs.value != NULL) {
        status = json_need_array(&r->file, &r->runs);
    }
    if (status == INLAY_OK && json_elements(&r->tasks) >= INT32_MAX) {
        status = json_complain(&r->file, &r->tasks, "too many tasks; expected less than %d", INT32_MAX);
    }
    return status;
}

/* ---- Names ---- */

static int read_names(wf_reading *r)
{
    r->count = (inlay_id)json_elements(&r->tasks);
    r->task = memory_zeroed((size_t)r->count, sizeof *r->task);
    if (r->task == NULL) {
        return diag_no_memory(r->file.diag);
    }
    r->ids_complete = true;
    for (inlay_id t = 0; t < r->count; t++) {
        json_place place = json_at_element(&r->tasks, (size_t)t);
        json_place name = json_at_member(&place, "name"), id = json_at_member(&place, "id");
        wf_task *task = &r->task[t];
        task->run = -1;
        int status = json_need_object(&r->file, &place);
        if (status == INLAY_OK && (name.value != NULL || id.value == NULL)) {
            status = json_read_text(&r->file, &name, &task->name);
        }
        if (status == INLAY_OK && id.value != NULL) {
            status = json_read_text(&r->file, &id, &task->id);
        }
        if (status != INLAY_OK) {
            return status;
        }
        r->ids_complete = r->ids_complete && task->id != NULL;
    }
    return INLAY_OK;
}

static int index_ids(wf_reading *r)
{
    for (inlay_id t = 0; t < r->count; t++) {
        const char *id = r->task[t].id;
        if (id != NULL && name_map_get(&r->by_id, id) >= 0) {
            json_place place = json_at_element(&r->tasks, (size_t)t);
            json_place member = json_at_member(&place, "id");
            return json_complain(&r->file, &member, "duplicate module '%s'; expected every id once", id);
        }
        if (id != NULL && !name_map_put(&r->by_id, id, t)) {
            return diag_no_memory(r->file.diag);
        }
    }
    return INLAY_OK;
}

/* Names are only looked up where each stands for one task: some systems give all tasks of one kind the same name. */
static int index_names(wf_reading *r)
{
    r->names_unique = true;
    for (inlay_id t = 0; t < r->count; t++) {
        const char *name = r->task[t].name;
        if (name == NULL || name_map_get(&r->by_name, name) >= 0) {
            r->names_unique = false;
            name_map_clear(&r->by_name);
            return INLAY_OK;
        }
        if (!name_map_put(&r->by_name, name, t)) {
            return diag_no_memory(r->file.diag);
        }
    }
    return INLAY_OK;
}

/* The task that a name or id stands for, or -1. Up to 1.4 files name parents by name, from 1.5 by id. */
static inlay_id find_task(const wf_reading *r, const char *word)
{
    const name_map *first = r->split ? &r->by_id : &r->by_name;
    const name_map *second = r->split ? &r->by_name : &r->by_id;
    inlay_id found = name_map_get(first, word);
    return found >= 0 ? found : name_map_get(second, word);
}

static int join_runs(wf_reading *r)
{
    for (size_t i = 0; i < json_elements(&r->runs); i++) {
        json_place run = json_at_element(&r->runs, i);
        json_place id_place = json_at_member(&run, "id");
        const char *id = NULL;
        int status = json_need_object(&r->file, &run);
        if (status == INLAY_OK) {
            status = json_read_text(&r->file, &id_place, &id);
        }
        if (status != INLAY_OK) {
            return status;
        }
        inlay_id task = find_task(r, id);
        if (task < 0) {
            return json_complain(&r->file, &id_place,
                                 "unknown module '%s' in workflow.execution; expected the id of a task of the "
                                 "specification",
                                 id);
        }
        if (r->task[task].run >= 0) {
            return json_complain(&r->file, &id_place,
                                 "duplicate module '%s' in workflow.execution; expected every id once", id);
        }
        r->task[task].run = (inlay_id)i;
    }
    return INLAY_OK;
}

/* ---- Modules ---- */

json_place wf_either(const json_place *place, const char *newer, const char *older)
{
    json_place found = json_at_member(place, newer);
    return found.value != NULL ? found : json_at_member(place, older);
}

json_place wf_record(const wf_reading *r, inlay_id task)
{
    inlay_id run = r->task[task].run;
    return run < 0 ? json_at_element(&r->tasks, (size_t)task) : json_at_element(&r->runs, (size_t)run);
}

/* Tasks without a runtime are an error, but for transfers: those are data on their way. */
static int read_runtime(const wf_reading *r, const json_place *record, wf_task *task, inlay_decimal *time)
{
    json_place runtime = wf_either(record, "runtimeInSeconds", "runtime");
    if (runtime.value != NULL) {
        return json_read_decimal(&r->file, &runtime, time);
    }
    json_place type = json_at_member(record, "type");
    task->transfer = json_is_string(type.value) && strcmp(json_string_value(type.value), "transfer") == 0;
    if (!task->transfer) {
        return json_complain(&r->file, record, "module '%s' has no runtime; expected runtimeInSeconds%s",
                             task->id != NULL ? task->id : task->name,
                             r->split ? " in workflow.execution.tasks" : " or runtime");
    }
    json_place written = wf_either(record, "writtenBytes", "bytesWritten");
    return written.value == NULL ? INLAY_OK : wf_read_size(&r->file, &written, 1, &task->written);
}

/* Fractions of a core round up, none counts as one. */
static int read_cores(const wf_reading *r, const json_place *record, int32_t *cores)
{
    json_place place = wf_either(record, "coreCount", "cores");
    double count = 1;
    int status = place.value == NULL ? INLAY_OK : json_read_real(&r->file, &place, &count);
    if (status == INLAY_OK && count > INT32_MAX) {
        status = json_refuse(&r->file, &place, "a number of cores below 2^31");
    }
    if (status == INLAY_OK) {
        *cores = count < 1 ? 1 : (int32_t)ceil(count);
    }
    return status;
}

/* `memory` is in kB up to 1.3 (1000 bytes: the same runs in later versions have a thousand times the number). */
static int read_memory(const wf_reading *r, const json_place *record, int64_t *bytes)
{
    json_place place = json_at_member(record, "memoryInBytes");
    int64_t factor = 1;
    if (place.value == NULL) {
        place = json_at_member(record, "memory");
        factor = r->version < 14 ? 1000 : 1;
    }
    return place.value == NULL ? INLAY_OK : wf_read_size(&r->file, &place, factor, bytes);
}

static int add_module(wf_reading *r, inlay_id t, inlay_app_builder *builder)
{
    wf_task *task = &r->task[t];
    json_place record = wf_record(r, t);
    bool by_name = task->name != NULL && (r->names_unique || !r->ids_complete);
    inlay_module module = {.name = by_name ? task->name : task->id};
    int status = read_runtime(r, &record, task, &module.time.value);
    if (status == INLAY_OK) {
        status = read_cores(r, &record, &module.cores);
    }
    if (status == INLAY_OK) {
        status = read_memory(r, &record, &module.memory);
    }
    return status == INLAY_OK ? inlay_app_add_module(builder, &module, r->file.diag) : status;
}

/* ---- Edges ---- */

static int read_relatives(wf_reading *r, inlay_id t, const char *member, bool child)
{
    json_place place = json_at_element(&r->tasks, (size_t)t);
    json_place list = json_at_member(&place, member);
    int status = list.value == NULL ? INLAY_OK : json_need_array(&r->file, &list);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&list); i++) {
        json_place element = json_at_element(&list, i);
        const char *word = NULL;
        status = json_read_text(&r->file, &element, &word);
        if (status != INLAY_OK) {
            return status;
        }
        inlay_id other = find_task(r, word);
        if (other < 0) {
            return json_complain(&r->file, &element, "unknown module '%s' in %s of '%s'; expected the %s of a task",
                                 word, member, r->task[t].name != NULL ? r->task[t].name : r->task[t].id,
                                 r->split ? "id" : "name");
        }
        if (!memory_grow((void **)&r->edges, &r->edge_capacity, r->edge_count + 1, sizeof *r->edges)) {
            return diag_no_memory(r->file.diag);
        }
        r->edges[r->edge_count++] = (wf_edge){child ? t : other, child ? other : t, t, i, child};
    }
    return status;
}

/* By consumer, then by producer; parents before children, so that the order never depends on qsort. */
static int compare_edges(const void *left, const void *right)
{
    const wf_edge *a = left, *b = right;
    if (a->to != b->to) {
        return a->to < b->to ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    if (a->child != b->child) {
        return a->child ? 1 : -1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* The union of all lists: most files state an edge at both its ends. */
static int read_edges(wf_reading *r)
{
    int status = INLAY_OK;
    for (inlay_id t = 0; status == INLAY_OK && t < r->count; t++) {
        status = read_relatives(r, t, "parents", false);
        if (status == INLAY_OK) {
            status = read_relatives(r, t, "children", true);
        }
    }
    if (status != INLAY_OK || r->edge_count == 0) {
        return status;
    }
    qsort(r->edges, r->edge_count, sizeof *r->edges, compare_edges);
    size_t kept = 1;
    for (size_t i = 1; i < r->edge_count; i++) {
        if (r->edges[i].from != r->edges[kept - 1].from || r->edges[i].to != r->edges[kept - 1].to) {
            r->edges[kept++] = r->edges[i];
        }
    }
    r->edge_count = kept;
    return INLAY_OK;
}

/* ---- The whole ---- */

static long line_of(void *context, inlay_id from, inlay_id to)
{
    const wf_reading *r = context;
    json_place task = json_at_element(&r->tasks, (size_t)from);
    if (to < 0) {
        return json_line_of(&r->file, &task);
    }
    for (size_t e = 0; e < r->edge_count; e++) {
        const wf_edge *edge = &r->edges[e];
        if (edge->from == from && edge->to == to) {
            task = json_at_element(&r->tasks, (size_t)edge->task);
            json_place list = json_at_member(&task, edge->child ? "children" : "parents");
            json_place element = json_at_element(&list, edge->index);
            return json_line_of(&r->file, &element);
        }
    }
    return 0;
}

static int build(wf_reading *r, inlay_app **app)
{
    json_place name_place = json_at_member(&r->root, "name");
    const char *name = "";
    int status = name_place.value == NULL ? INLAY_OK : json_read_text(&r->file, &name_place, &name);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_app_builder *builder = inlay_app_builder_new(name, INLAY_UNIT_S);
    if (builder == NULL || inlay_app_builder_source(builder, r->file.source, line_of, r) != INLAY_OK) {
        status = diag_no_memory(r->file.diag);
    }
    for (inlay_id t = 0; status == INLAY_OK && t < r->count; t++) {
        status = add_module(r, t, builder);
    }
    if (status == INLAY_OK) {
        status = read_edges(r);
    }
    if (status == INLAY_OK) {
        status = wf_add_links(r, builder);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, app, r->file.diag);
    }
    if (status == INLAY_OK) {
        status = wf_add_recorded(r, *app);
        if (status != INLAY_OK) {
            inlay_app_free(*app);
            *app = NULL;
        }
    }
    inlay_app_builder_free(builder);
    return status;
}

int wfformat_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                  inlay_diag *diag)
{
    wf_reading r = {.how = how};
    int status = json_file_open(&r.file, data, size, source, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int (*const steps[])(wf_reading *) = {find_lists, read_names, index_ids, index_names, join_runs};
    for (size_t i = 0; status == INLAY_OK && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](&r);
    }
    if (status == INLAY_OK) {
        status = build(&r, app);
    }
    free(r.task);
    free(r.edges);
    name_map_clear(&r.by_id);
    name_map_clear(&r.by_name);
    json_file_close(&r.file);
    return status;
}
