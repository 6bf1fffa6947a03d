/* The mapping: what it answers. */
#include "mapping/mapping.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include <stdlib.h>

void inlay_mapping_free(inlay_mapping *mapping)
{
    if (mapping != NULL) {
        free(mapping->cluster_of);
        free(mapping->home);
        free(mapping->memory);
        free(mapping->clusters);
        free(mapping->modules);
        free(mapping->blocks);
        free(mapping->start);
        free(mapping);
    }
}

const inlay_app *inlay_mapping_app(const inlay_mapping *mapping)
{
    return mapping->app;
}

const inlay_machine *inlay_mapping_machine(const inlay_mapping *mapping)
{
    return mapping->machine;
}

const inlay_summary *inlay_mapping_summary(const inlay_mapping *mapping)
{
    return &mapping->summary;
}

inlay_cluster_info inlay_mapping_cluster(const inlay_mapping *mapping, inlay_id cluster)
{
    return mapping->clusters[cluster];
}

inlay_id inlay_mapping_cluster_of(const inlay_mapping *mapping, inlay_id module)
{
    return mapping->cluster_of[module];
}

inlay_id inlay_mapping_home(const inlay_mapping *mapping, inlay_id block)
{
    return mapping->home[block];
}

inlay_id inlay_mapping_memory_of(const inlay_mapping *mapping, inlay_id block)
{
    return mapping->memory[block];
}

double inlay_mapping_start(const inlay_mapping *mapping, inlay_id module)
{
    return mapping->start[module];
}

/* ---- Flows ---- */

typedef struct flow_list {
    inlay_flow *items;
    size_t count, capacity;
} flow_list;

static bool add_flow(flow_list *list, inlay_flow flow)
{
    if (flow.from == flow.to) {
        return true;
    }
    if (!memory_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        return false;
    }
    list->items[list->count++] = flow;
    return true;
}

static int compare_flows(const void *a, const void *b)
{
    const inlay_flow *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* Flows of one ordered pair become one. */
static void merge_flows(flow_list *list)
{
    size_t kept = 0;
    if (list->count > 1) {
        qsort(list->items, list->count, sizeof *list->items, compare_flows);
    }
    for (size_t i = 0; i < list->count; i++) {
        inlay_flow *last = kept > 0 ? &list->items[kept - 1] : NULL;
        if (last != NULL && compare_flows(last, &list->items[i]) == 0) {
            last->messages += list->items[i].messages;
            last->bytes += list->items[i].bytes;
            last->traffic += list->items[i].traffic;
        } else {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

static inlay_flow flow_of(const interconnect *network, inlay_id from, inlay_id to, int64_t messages, int64_t bytes)
{
    return (inlay_flow){from, to, interconnect_messages(network, messages, bytes), bytes,
                        interconnect_traffic(network, messages, bytes)};
}

static bool collect_flows(const inlay_mapping *m, const interconnect *network, flow_list *list)
{
    const inlay_app *app = m->app;
    bool fine = true;
    for (inlay_id i = 0; i < app->modules && fine; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1] && fine; l++) {
            fine = add_flow(list, flow_of(network, m->cluster_of[i], m->cluster_of[app->out_to[l]],
                                          app->out_messages[l], app->out_bytes[l]));
        }
    }
    for (inlay_id d = 0; d < app->blocks && fine; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1] && fine; u++) {
            fine = add_flow(list, flow_of(network, m->home[d], m->cluster_of[app->use_module[u]], app->use_messages[u],
                                          app->use_bytes[u]));
        }
    }
    return fine;
}

int inlay_mapping_flows(const inlay_mapping *mapping, inlay_flow **flows, size_t *count, inlay_diag *diag)
{
    interconnect network = interconnect_counting(mapping->machine, mapping->summary.traffic_in_bytes);
    flow_list list = {0};
    if (!collect_flows(mapping, &network, &list)) {
        free(list.items);
        return diag_no_memory(diag);
    }
    merge_flows(&list);
    *flows = list.items;
    *count = list.count;
    return INLAY_OK;
}
