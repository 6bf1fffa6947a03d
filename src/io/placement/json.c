/* Placements in JSON: a mapping.json, lists of the modules of each processor, or {"module": processor, ...}. */
#include "io/json/read.h"
#include "io/placement/placement.h"

bool placement_json_looks(span first, span second)
{
    (void)second;
    return *first.at == '{' || *first.at == '[';
}

static int read_modules(placement_file *p, const json_file *file, const json_place *modules, inlay_id processor)
{
    int status = json_need_array(file, modules);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(modules); i++) {
        json_place element = json_at_element(modules, i);
        const char *name = NULL;
        status = json_read_text(file, &element, &name);
        /* Lines are looked up when needed only: a large mapping has many modules. */
        bool fits = status == INLAY_OK && inlay_app_find_module(p->app, name) >= 0 &&
                    p->held[inlay_app_find_module(p->app, name)] == 0;
        if (status == INLAY_OK) {
            status = placement_assign_by_name(p, fits ? 0 : json_line_of(file, &element), name, processor);
        }
    }
    return status;
}

static int read_cluster(placement_file *p, const json_file *file, const json_place *cluster)
{
    json_place processor_place = json_at_member(cluster, "processor"), modules = json_at_member(cluster, "modules");
    int64_t processor = 0;
    int status = json_need_object(file, cluster);
    status = status == INLAY_OK ? json_read_integer(file, &processor_place, INT32_MAX, &processor) : status;
    return status == INLAY_OK ? read_modules(p, file, &modules, (inlay_id)processor) : status;
}

/* Clusters, each with its processor; or lists of modules alone, processor by processor. */
static int read_lists(placement_file *p, const json_file *file, const json_place *lists, bool clusters)
{
    int status = INLAY_OK;
    p->schedule.ordered = true;
    for (size_t i = 0; status == INLAY_OK && i < json_elements(lists); i++) {
        json_place list = json_at_element(lists, i);
        status = clusters ? read_cluster(p, file, &list) : read_modules(p, file, &list, (inlay_id)i);
    }
    return status == INLAY_OK ? placement_check_complete(p, json_line_of(file, lists)) : status;
}

/* {"module": processor, ...} */
static int read_members(placement_file *p, const json_file *file, const json_place *root)
{
    int status = INLAY_OK;
    for (void *at = json_object_iter(file->root); status == INLAY_OK && at != NULL;
         at = json_object_iter_next(file->root, at)) {
        const char *name = json_object_iter_key(at);
        json_place member = json_at_member(root, name);
        int64_t processor = 0;
        status = json_read_integer(file, &member, INT32_MAX, &processor);
        bool known = inlay_app_find_module(p->app, name) >= 0;
        if (status == INLAY_OK) {
            status = placement_assign_by_name(p, known ? 0 : json_line_of(file, &member), name, (inlay_id)processor);
        }
    }
    return status == INLAY_OK ? placement_check_complete(p, json_line_of(file, root)) : status;
}

int placement_json_read(placement_file *p, const char *data, size_t size)
{
    json_file file;
    int status = json_file_open(&file, data, size, p->source, p->diag);
    if (status != INLAY_OK) {
        return status;
    }
    json_place root = json_at_root(&file);
    if (json_is_array(root.value)) {
        status = read_lists(p, &file, &root, false);
    } else {
        json_place clusters = json_at_member(&root, "clusters");
        status = json_need_object(&file, &root);
        if (status == INLAY_OK && json_is_array(clusters.value)) {
            status = read_lists(p, &file, &clusters, true);
        } else if (status == INLAY_OK) {
            status = read_members(p, &file, &root);
        }
    }
    json_file_close(&file);
    return status;
}
