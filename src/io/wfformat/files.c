/*
 * WfFormat's files. Up to 1.4 every task lists its files with sizes; from 1.5 tasks name files that the specification lists
 * once.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "io/flow.h"
#include "io/wfformat/wfformat.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int wf_read_size(const json_file *file, const json_place *place, int64_t factor, int64_t *bytes)
{
    double size;
    int status = json_read_real(file, place, &size);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t whole = 0;
    bool fits = size < 0x1p62;
    if (fits) {
        whole = json_is_integer(place->value) ? json_integer_value(place->value) : (int64_t)ceil(size);
        fits = !__builtin_mul_overflow(whole, factor, &whole);
    }
    if (!fits) {
        return json_refuse(file, place, "a number of bytes below 2^62");
    }
    *bytes = whole;
    return INLAY_OK;
}

/* ---- Reading ---- */

static int read_listed_files(const wf_reading *reading, file_flow *flow)
{
    json_place files = json_at_member(&reading->specification, "files");
    int status = files.value == NULL ? INLAY_OK : json_need_array(&reading->file, &files);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&files); i++) {
        json_place entry = json_at_element(&files, i);
        json_place id = json_at_member(&entry, "id"), size = json_at_member(&entry, "sizeInBytes");
        const char *name = NULL;
        int64_t bytes = FLOW_SIZE_UNKNOWN;
        status = json_read_text(&reading->file, &id, &name);
        if (status == INLAY_OK && size.value != NULL) {
            status = wf_read_size(&reading->file, &size, 1, &bytes);
        }
        if (status == INLAY_OK) {
            int32_t number = file_flow_file(flow, name);
            if (number < 0) {
                return diag_no_memory(reading->file.diag);
            }
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a file with a number is in the table */
            flow->file[number].size = bytes;
        }
    }
    return status;
}

/* inputFiles or outputFiles of one task: names of files. */
static int read_named_uses(const wf_reading *reading, const json_place *task_place, inlay_id task, const char *member,
                           file_flow *flow, bool writes)
{
    json_place names = json_at_member(task_place, member);
    int status = names.value == NULL ? INLAY_OK : json_need_array(&reading->file, &names);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&names); i++) {
        json_place element = json_at_element(&names, i);
        const char *name = NULL;
        status = json_read_text(&reading->file, &element, &name);
        if (status == INLAY_OK) {
            int32_t number = file_flow_file(flow, name);
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a file with a number is in the table */
            if (number < 0 || !file_flow_use(flow, writes, task, number, flow->file[number].size)) {
                return diag_no_memory(reading->file.diag);
            }
        }
    }
    return status;
}

/* One entry of a task's `files`: {link, name, size}. */
static int read_own_file(const wf_reading *reading, const json_place *entry, inlay_id task, file_flow *flow)
{
    json_place link = json_at_member(entry, "link"), name_place = json_at_member(entry, "name");
    json_place size = json_at_member(entry, "sizeInBytes");
    if (name_place.value == NULL) {
        name_place = json_at_member(entry, "id");
    }
    if (size.value == NULL) {
        size = json_at_member(entry, "size");
    }
    const char *direction = NULL, *name = NULL;
    int64_t bytes = FLOW_SIZE_UNKNOWN;
    int status = json_read_text(&reading->file, &link, &direction);
    if (status == INLAY_OK) {
        status = json_read_text(&reading->file, &name_place, &name);
    }
    if (status == INLAY_OK && size.value != NULL) {
        status = wf_read_size(&reading->file, &size, 1, &bytes);
    }
    if (status != INLAY_OK) {
        return status;
    }
    bool output = strcmp(direction, "output") == 0;
    if (!output && strcmp(direction, "input") != 0) {
        return json_refuse(&reading->file, &link, "'input' or 'output'");
    }
    int32_t number = file_flow_file(flow, name);
    bool added = file_flow_use(flow, output, task, number, bytes);
    return added ? INLAY_OK : diag_no_memory(reading->file.diag);
}

static int read_task_files(const wf_reading *reading, inlay_id task, file_flow *flow)
{
    json_place place = json_at_element(&reading->tasks, (size_t)task);
    if (reading->split) {
        int status = read_named_uses(reading, &place, task, "inputFiles", flow, false);
        return status != INLAY_OK ? status : read_named_uses(reading, &place, task, "outputFiles", flow, true);
    }
    json_place files = json_at_member(&place, "files");
    int status = files.value == NULL ? INLAY_OK : json_need_array(&reading->file, &files);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&files); i++) {
        json_place entry = json_at_element(&files, i);
        status = read_own_file(reading, &entry, task, flow);
    }
    return status;
}

/* ---- Links ---- */

/* What the tasks send that stand for transfers; -1 for all others. */
static int64_t *sent_by(const wf_reading *reading)
{
    int64_t *sent = memory_array((size_t)reading->count, sizeof *sent);
    for (inlay_id t = 0; sent != NULL && t < reading->count; t++) {
        sent[t] = reading->task[t].transfer ? reading->task[t].written : -1;
    }
    return sent;
}

int wf_add_links(wf_reading *reading, inlay_app_builder *builder)
{
    file_flow flow = {0};
    flow_edges edges = {0};
    int64_t *sent = sent_by(reading);
    int status = sent == NULL ? diag_no_memory(reading->file.diag) : INLAY_OK;
    for (size_t e = 0; status == INLAY_OK && e < reading->edge_count; e++) {
        if (!flow_edges_add(&edges, reading->edges[e].from, reading->edges[e].to)) {
            status = diag_no_memory(reading->file.diag);
        }
    }
    if (status == INLAY_OK && reading->split) {
        status = read_listed_files(reading, &flow);
    }
    for (inlay_id t = 0; status == INLAY_OK && t < reading->count; t++) {
        status = read_task_files(reading, t, &flow);
    }
    const flow_question question = {
        &flow, reading->count, &edges, sent, reading->how, reading->file.source, reading->file.diag};
    status = status == INLAY_OK ? flow_add_links(&question, builder) : status;
    free(sent);
    free(edges.edge);
    file_flow_clear(&flow);
    return status;
}
