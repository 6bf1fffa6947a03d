/*
 * What a WfFormat file records of a run: makespan, workflow system, hosts, and of each task its host and bytes.
 *
 * All of it may be missing. From 1.5 it stands in workflow.execution, before in workflow itself.
 */
#include "base/diag.h"
#include "graph/app.h"
#include "io/wfformat/wfformat.h"
#include <string.h>

/* The hosts while they are found: there are at most as many as are listed, and one more a task. */
typedef struct host_list {
    memory_pool *pool;
    inlay_recorded_host *host;
    name_map by_name;
    inlay_id count;
} host_list;

static const char *keep_text(memory_pool *pool, const char *text)
{
    size_t size = strlen(text) + 1;
    char *kept = pool_array(pool, size, 1);
    return kept == NULL ? NULL : memcpy(kept, text, size);
}

static int read_system(const wf_reading *r, memory_pool *pool, inlay_recorded *run)
{
    json_place system = wf_either(&r->root, "runtimeSystem", "wms");
    json_place name_place = json_at_member(&system, "name");
    const char *name = NULL;
    int status = name_place.value == NULL ? INLAY_OK : json_read_text(&r->file, &name_place, &name);
    run->system = name == NULL ? NULL : keep_text(pool, name);
    return status;
}

/* The host of that name; -1 where memory is out. */
static inlay_id host_named(host_list *hosts, const char *name)
{
    inlay_id found = name_map_get(&hosts->by_name, name);
    if (found >= 0) {
        return found;
    }
    const char *kept = keep_text(hosts->pool, name);
    if (kept == NULL || !name_map_put(&hosts->by_name, kept, hosts->count)) {
        return -1;
    }
    hosts->host[hosts->count].name = kept;
    return hosts->count++;
}

static int read_host(const wf_reading *r, const json_place *machine, host_list *hosts)
{
    json_place name_place = json_at_member(machine, "nodeName"), cpu = json_at_member(machine, "cpu");
    json_place cores_place = wf_either(&cpu, "coreCount", "count");
    const char *name = NULL;
    int64_t cores = 0;
    int status = json_read_text(&r->file, &name_place, &name);
    if (status == INLAY_OK && cores_place.value != NULL) {
        status = json_read_integer(&r->file, &cores_place, INT32_MAX, &cores);
    }
    inlay_id host = status == INLAY_OK ? host_named(hosts, name) : -1;
    if (host >= 0) {
        hosts->host[host].cores = (int32_t)cores;
    }
    return status != INLAY_OK || host >= 0 ? status : diag_no_memory(r->file.diag);
}

/* The name of a task's host: `machines` is a list, `machine`, which it was before 1.5, a name. */
static int read_ran_on(const wf_reading *r, const json_place *record, host_list *hosts, inlay_id *host)
{
    json_place list = json_at_member(record, "machines"), place = json_at_member(record, "machine");
    const char *name = NULL;
    int status = list.value == NULL ? INLAY_OK : json_need_array(&r->file, &list);
    if (status == INLAY_OK && json_elements(&list) > 0) {
        place = json_at_element(&list, 0);
    }
    if (status == INLAY_OK && place.value != NULL) {
        status = json_read_text(&r->file, &place, &name);
    }
    *host = name == NULL ? -1 : host_named(hosts, name);
    return name == NULL || *host >= 0 ? status : diag_no_memory(r->file.diag);
}

static int read_moved(const wf_reading *r, const json_place *place, int64_t *bytes)
{
    *bytes = -1;
    return place->value == NULL ? INLAY_OK : wf_read_size(&r->file, place, 1, bytes);
}

static int read_tasks(const wf_reading *r, const inlay_app *app, host_list *hosts, inlay_recorded *run)
{
    size_t modules = (size_t)inlay_app_modules(app);
    inlay_id *ran_on = pool_array(hosts->pool, modules, sizeof *ran_on);
    int64_t *read = pool_array(hosts->pool, modules, sizeof *read);
    int64_t *written = pool_array(hosts->pool, modules, sizeof *written);
    int status = hosts->pool->failed ? diag_no_memory(r->file.diag) : INLAY_OK;
    for (inlay_id t = 0; status == INLAY_OK && t < inlay_app_modules(app); t++) {
        /* modules behind the tasks stand for a storage */
        ran_on[t] = -1, read[t] = -1, written[t] = -1;
        if (t >= r->count) {
            continue;
        }
        json_place record = wf_record(r, t);
        json_place in = wf_either(&record, "readBytes", "bytesRead");
        json_place out = wf_either(&record, "writtenBytes", "bytesWritten");
        status = read_ran_on(r, &record, hosts, &ran_on[t]);
        status = status == INLAY_OK ? read_moved(r, &in, &read[t]) : status;
        status = status == INLAY_OK ? read_moved(r, &out, &written[t]) : status;
    }
    run->ran_on = ran_on, run->read = read, run->written = written;
    return status;
}

/* Hosts are listed first, so that their numbers are those of the list. */
static int read_run(const wf_reading *r, const inlay_app *app, host_list *hosts, inlay_recorded *run)
{
    const json_place *where = r->execution.value != NULL ? &r->execution : &r->workflow;
    json_place makespan = wf_either(where, "makespanInSeconds", "makespan"), list = json_at_member(where, "machines");
    int status = makespan.value == NULL ? INLAY_OK : json_read_real(&r->file, &makespan, &run->makespan);
    if (status == INLAY_OK && list.value != NULL) {
        status = json_need_array(&r->file, &list);
    }
    hosts->host = pool_zeroed(hosts->pool, json_elements(&list) + (size_t)r->count, sizeof *hosts->host);
    if (hosts->host == NULL) {
        return diag_no_memory(r->file.diag);
    }
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&list); i++) {
        json_place machine = json_at_element(&list, i);
        status = read_host(r, &machine, hosts);
    }
    status = status == INLAY_OK ? read_system(r, hosts->pool, run) : status;
    return status == INLAY_OK ? read_tasks(r, app, hosts, run) : status;
}

static int64_t all_cores(const host_list *hosts)
{
    int64_t sum = 0;
    for (inlay_id h = 0; h < hosts->count; h++) {
        if (hosts->host[h].cores == 0) {
            return 0;
        }
        sum += hosts->host[h].cores;
    }
    return sum;
}

int wf_add_recorded(const wf_reading *r, inlay_app *app)
{
    inlay_recorded *run = pool_zeroed(&app->records, 1, sizeof *run);
    host_list hosts = {.pool = &app->records};
    int status = run == NULL ? diag_no_memory(r->file.diag) : read_run(r, app, &hosts, run);
    name_map_clear(&hosts.by_name);
    if (status == INLAY_OK && app->records.failed) {
        status = diag_no_memory(r->file.diag);
    }
    if (status == INLAY_OK && (run->makespan > 0 || hosts.count > 0)) {
        run->hosts = hosts.count;
        run->host = hosts.host;
        run->cores = all_cores(&hosts);
        app->recorded = run;
    }
    return status;
}
