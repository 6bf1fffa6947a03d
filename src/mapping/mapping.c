/* The mapping: what it answers. */
#include "mapping/mapping.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "mapping/estimate.h"
#include "problem/order.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void inlay_mapping_free(inlay_mapping *mapping)
{
    if (mapping != NULL) {
        free(mapping->cluster_of);
        free(mapping->home);
        free(mapping->memory);
        free(mapping->clusters);
        free(mapping->guest_begin);
        free(mapping->guest);
        order_lists_clear(&mapping->lists);
        free(mapping->blocks);
        free(mapping->start);
        free(mapping->planned);
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

const inlay_id *inlay_mapping_guest_of(const inlay_mapping *mapping, inlay_id module, int64_t *count)
{
    const int64_t *begin = mapping->guest_begin;
    *count = begin == NULL ? 0 : begin[module + 1] - begin[module];
    return begin == NULL ? NULL : mapping->guest + begin[module];
}

double inlay_mapping_planned_start(const inlay_mapping *mapping, inlay_id module)
{
    return mapping->planned == NULL ? NAN : mapping->planned[module];
}

static double time_on(const inlay_app *app, inlay_id module, const inlay_processor *processor)
{
    inlay_time time = app->time[module];
    for (int t = 0; processor->type != NULL && t < app->types; t++) {
        inlay_time own = strcmp(app->type_names[t], processor->type) == 0 ? inlay_app_type_time(app, t, module) : -1;
        time = own >= 0 ? own : time;
    }
    return inlay_app_in_units(app, time) / processor->speed;
}

bool mapping_plan_distance(const inlay_mapping *mapping, const double *start, inlay_plan_distance *result)
{
    inlay_plan_distance d = {.earliest = INFINITY, .latest = -INFINITY};
    for (inlay_id c = 0; mapping->planned != NULL && c < mapping->summary.clusters; c++) {
        const inlay_cluster_info *info = &mapping->clusters[c];
        const inlay_processor on = inlay_machine_processor(mapping->machine, info->processor);
        for (inlay_id k = 0; k < info->modules; k++) {
            inlay_id i = info->module[k];
            double late = start[i] - mapping->planned[i];
            d.elapsed = fmax(d.elapsed, mapping->planned[i] + time_on(mapping->app, i, &on));
            d.earliest = fmin(d.earliest, late);
            if (late > d.latest || (!(late < d.latest) && i < d.module)) {
                d.latest = late;
                d.module = i;
            }
        }
    }
    if (mapping->planned != NULL) {
        *result = d;
    }
    return mapping->planned != NULL;
}

void mapping_warn_deadlines(const inlay_mapping *mapping, const double *start, const double *end, inlay_diag *diag)
{
    const inlay_app *app = mapping->app;
    inlay_id given = 0, missed = 0, worst = -1;
    double latest = 0;
    for (inlay_id c = 0; inlay_app_has_deadlines(app) && c < mapping->summary.clusters; c++) {
        const inlay_cluster_info *info = &mapping->clusters[c];
        const inlay_processor on = inlay_machine_processor(mapping->machine, info->processor);
        for (inlay_id k = 0; k < info->modules; k++) {
            inlay_id i = info->module[k];
            double deadline = inlay_app_in_units(app, inlay_app_deadline(app, i));
            double late = (end != NULL ? end[i] : start[i] + time_on(app, i, &on)) - deadline;
            bool has = deadline > 0 && inlay_mapping_cluster_of(mapping, i) == c;
            given += has;
            missed += has && late > deadline * 1e-12;
            if (has && (late > latest || (!(late < latest) && late > 0 && i < worst))) {
                latest = late;
                worst = i;
            }
        }
    }
    if (missed > 0) {
        diag_warn(diag, "%" PRId32 " of %" PRId32 " deadlines are missed, that of %s by %.10g %s", missed, given,
                  inlay_app_module_name(app, worst), latest, inlay_unit_word(app->unit));
    }
}

bool inlay_mapping_plan_distance(const inlay_mapping *mapping, inlay_plan_distance *result)
{
    if (mapping->planned != NULL) {
        *result = mapping->plan_distance;
    }
    return mapping->planned != NULL;
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

const char *inlay_elapsed_is_name(inlay_elapsed_is is)
{
    static const char *const names[] = {"simulated", "screen"};
    return names[is];
}

const char *inlay_risk_name(inlay_risk risk)
{
    static const char *const names[] = {"none", "mean", "q90"};
    return names[risk];
}

const char *inlay_objective_name(inlay_objective objective)
{
    static const char *const names[] = {"makespan", "period"};
    return names[objective];
}

/* ---- What keeps the elapsed time from being shorter ---- */

const char *inlay_limit_name(inlay_limit limit)
{
    static const char *const names[] = {"critical path", "compute", "network"};
    return names[limit];
}

/* The elapsed time of the same placement where messages take no time at all: with nothing to wait for, the estimate is exact. */
static int estimate_free(const inlay_mapping *m, double *estimate, inlay_diag *diag)
{
    problem p;
    estimator e = {0};
    int status = problem_make(m->app, m->machine, &m->summary.options, &p, NULL); /* its warnings were given before */
    if (status != INLAY_OK) {
        return diag_fail(diag, status, "%s", inlay_status_text(status));
    }
    p.network.latency = p.network.link_latency = 0;
    p.network.latency_by_size.count = 0;
    inlay_id *order = memory_array((size_t)p.modules, sizeof *order);
    inlay_id *processor = memory_array((size_t)m->summary.clusters, sizeof *processor);
    const placement place = {.clusters = m->summary.clusters,
                             .cluster_of = m->cluster_of,
                             .guest_begin = m->guest_begin,
                             .guest = m->guest,
                             .processor = processor,
                             .home = m->home};
    status = order == NULL || processor == NULL ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        p.options.order = INLAY_ORDER_GIVEN;
        status = execution_order(&p, &m->lists, order, diag);
    }
    for (inlay_id c = 0; status == INLAY_OK && c < place.clusters; c++) {
        processor[c] = m->clusters[c].processor;
    }
    if (status == INLAY_OK) {
        status = estimator_make(&p, order, &place, 0, &e, diag);
    }
    if (status == INLAY_OK) {
        *estimate = estimate_at(&e, NULL);
    }
    estimator_clear(&e);
    free(processor);
    free(order);
    problem_clear(&p);
    return status;
}

/* The busiest processor. */
static void find_busiest(const inlay_mapping *m, inlay_bottleneck *result)
{
    const inlay_cluster_info *busiest = &m->clusters[0];
    for (inlay_id c = 1; c < m->summary.clusters; c++) {
        busiest = m->clusters[c].busy > busiest->busy ? &m->clusters[c] : busiest;
    }
    result->processor = busiest->processor;
    result->busy = busiest->busy;
}

int inlay_mapping_bottleneck(const inlay_mapping *mapping, inlay_bottleneck *result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const double hardly_above = 1.05;
    if (mapping == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a bottleneck needs a mapping and a place for the result");
    }
    const inlay_summary *s = &mapping->summary;
    double with_free = 0;
    int status = estimate_free(mapping, &with_free, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_bottleneck found = {.critical_path = s->bound_critical_path};
    found.compute = fmax(0, with_free - found.critical_path); /* below 0 in the last digit alone */
    found.network = fmax(0, s->elapsed - with_free);          /* the same */
    found.limit = s->elapsed <= hardly_above * found.critical_path ? INLAY_LIMIT_CRITICAL_PATH
                  : found.network > found.compute                  ? INLAY_LIMIT_NETWORK
                                                                   : INLAY_LIMIT_COMPUTE;
    find_busiest(mapping, &found);
    *result = found;
    return INLAY_OK;
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

int mapping_sent(const inlay_mapping *m, sendings *result)
{
    inlay_id *processor = memory_array((size_t)m->summary.clusters, sizeof *processor);
    for (inlay_id c = 0; processor != NULL && c < m->summary.clusters; c++) {
        processor[c] = m->clusters[c].processor;
    }
    int status = processor == NULL ? INLAY_NO_MEMORY
                                   : sent_make(m->app, m->machine, m->summary.options.copies, m->cluster_of,
                                               m->summary.clusters, processor, result);
    free(processor);
    return status;
}

static bool collect_flows(const inlay_mapping *m, const interconnect *network, flow_list *list)
{
    const inlay_app *app = m->app;
    sendings s = {0};
    bool fine = mapping_sent(m, &s) == INLAY_OK;
    for (inlay_id i = 0; fine && i < app->modules; i++) {
        for (int64_t e = s.begin[i]; e < s.begin[i + 1] && fine; e++) {
            sent_entry entry = sent_at(&s, e);
            inlay_id from = sent_sender(&s, e, m->cluster_of[i]);
            fine = add_flow(list, flow_of(network, from, m->cluster_of[entry.to], entry.messages, entry.bytes));
        }
    }
    sent_clear(&s);
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
    DIAG_CALL(diag);
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
