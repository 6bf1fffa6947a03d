/* Traffic on links. */
#include "layout/link_load.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "layout/sent.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void link_load_clear(link_load *load)
{
    free(load->begin);
    free(load->to);
    free(load->traffic);
    route_clear(&load->route);
    free(load->route_begin);
    free(load->latency);
    free(load->tau);
    free(load->demand);
    free(load->carried);
    free(load->factor);
    *load = (link_load){0};
}

/* ---- Flows ---- */

/* Modules and blocks by their cluster: those of cluster c stand at begin[c] .. begin[c+1]-1. */
typedef struct by_cluster {
    inlay_id *begin, *item;
} by_cluster;

static void clear_list(by_cluster *list)
{
    free(list->begin);
    free(list->item);
}

static bool sort_by_cluster(const inlay_id *cluster_of, inlay_id items, inlay_id clusters, by_cluster *list)
{
    list->begin = memory_zeroed((size_t)clusters + 2, sizeof *list->begin);
    list->item = memory_array((size_t)items, sizeof *list->item);
    if (list->begin == NULL || list->item == NULL) {
        return false;
    }
    inlay_id *next = list->begin + 1; /* begin[c+1] first says where the row of c goes on */
    for (inlay_id i = 0; i < items; i++) {
        next[cluster_of[i] + 1]++;
    }
    for (inlay_id c = 0; c < clusters; c++) {
        next[c + 1] += next[c];
    }
    for (inlay_id i = 0; i < items; i++) {
        list->item[next[cluster_of[i]]++] = i;
    }
    return true;
}

/* The row of flows that is being filled. */
typedef struct flow_row {
    link_load *load;
    const interconnect *network;
    inlay_id from;
    int64_t *seen; /* by cluster: its flow in this row, or one of an earlier row */
} flow_row;

static bool add_flow(flow_row *row, inlay_id to, int64_t messages, int64_t bytes)
{
    link_load *load = row->load;
    int64_t traffic = interconnect_traffic(row->network, messages, bytes);
    if (to == row->from || (traffic == 0 && interconnect_messages(row->network, messages, bytes) == 0)) {
        return true;
    }
    if (row->seen[to] < load->begin[row->from]) {
        if (!memory_grow((void **)&load->to, &load->flow_capacity[0], load->flows + 1, sizeof *load->to) ||
            !memory_grow((void **)&load->traffic, &load->flow_capacity[1], load->flows + 1, sizeof *load->traffic)) {
            return false;
        }
        row->seen[to] = (int64_t)load->flows;
        load->to[load->flows] = to;
        load->traffic[load->flows++] = 0;
    }
    load->traffic[row->seen[to]] += traffic;
    return true;
}

static bool add_entry(flow_row *row, const sendings *s, const placement *place, int64_t entry)
{
    sent_entry e = sent_at(s, entry);
    return add_flow(row, place->cluster_of[e.to], e.messages, e.bytes);
}

static bool add_module(flow_row *row, const sendings *s, const placement *place, inlay_id module)
{
    bool fine = true;
    for (int64_t e = s->begin[module]; e < s->begin[module + 1] && fine; e++) {
        fine = sent_is_passed_on(s, e) || add_entry(row, s, place, e);
    }
    return fine;
}

static bool add_block(flow_row *row, const inlay_app *app, const placement *place, inlay_id block)
{
    bool fine = true;
    for (int64_t u = app->use_begin[block]; u < app->use_begin[block + 1] && fine; u++) {
        fine = add_flow(row, place->cluster_of[app->use_module[u]], app->use_messages[u], app->use_bytes[u]);
    }
    return fine;
}

/* Copies that are passed on, as entries, and who sends each. */
typedef struct passed_on {
    int64_t *entry;
    inlay_id *sender;
    inlay_id count;
    by_cluster list;
} passed_on;

static void clear_passed_on(passed_on *of)
{
    free(of->entry);
    free(of->sender);
    clear_list(&of->list);
}

static bool find_passed_on(const sendings *s, inlay_id clusters, passed_on *of)
{
    int64_t count = 0;
    for (int64_t e = 0; e < s->entries; e++) {
        count += sent_is_passed_on(s, e);
    }
    of->entry = memory_array((size_t)count, sizeof *of->entry);
    of->sender = memory_array((size_t)count, sizeof *of->sender);
    if (of->entry == NULL || of->sender == NULL || count > INT32_MAX) {
        return false;
    }
    for (int64_t e = 0; of->count < count; e++) {
        if (sent_is_passed_on(s, e)) {
            of->entry[of->count] = e;
            of->sender[of->count++] = s->pass[e].sender;
        }
    }
    return sort_by_cluster(of->sender, of->count, clusters, &of->list);
}

typedef struct flow_entry {
    inlay_id to;
    int64_t traffic;
} flow_entry;

static int compare_flows(const void *a, const void *b)
{
    const flow_entry *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

static bool sort_row(link_load *load, int64_t first)
{
    size_t count = load->flows - (size_t)first;
    flow_entry *entry = memory_array(count, sizeof *entry);
    if (entry == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        entry[i] = (flow_entry){load->to[(size_t)first + i], load->traffic[(size_t)first + i]};
    }
    qsort(entry, count, sizeof *entry, compare_flows);
    for (size_t i = 0; i < count; i++) {
        load->to[(size_t)first + i] = entry[i].to;
        load->traffic[(size_t)first + i] = entry[i].traffic;
    }
    free(entry);
    return true;
}

static bool fill_flows(const problem *p, const placement *place, const sendings *s, link_load *load)
{
    by_cluster modules = {0}, blocks = {0};
    passed_on passed = {0};
    flow_row row = {.load = load, .network = &p->network};
    row.seen = memory_array((size_t)place->clusters, sizeof *row.seen);
    load->begin = memory_zeroed((size_t)place->clusters + 1, sizeof *load->begin);
    bool fine = row.seen != NULL && load->begin != NULL &&
                sort_by_cluster(place->cluster_of, p->modules, place->clusters, &modules) &&
                sort_by_cluster(place->home, p->app->blocks, place->clusters, &blocks) &&
                find_passed_on(s, place->clusters, &passed);
    if (fine) {
        memset(row.seen, 0xFF, (size_t)place->clusters * sizeof *row.seen); /* -1: below every row */
    }
    for (inlay_id c = 0; fine && c < place->clusters; c++) {
        row.from = c;
        load->begin[c] = (int64_t)load->flows;
        for (inlay_id k = modules.begin[c]; k < modules.begin[c + 1] && fine; k++) {
            fine = add_module(&row, s, place, modules.item[k]);
        }
        for (inlay_id k = passed.list.begin[c]; k < passed.list.begin[c + 1] && fine; k++) {
            fine = add_entry(&row, s, place, passed.entry[passed.list.item[k]]);
        }
        for (inlay_id k = blocks.begin[c]; k < blocks.begin[c + 1] && fine; k++) {
            fine = add_block(&row, p->app, place, blocks.item[k]);
        }
        fine = fine && sort_row(load, load->begin[c]);
        load->begin[c + 1] = (int64_t)load->flows;
    }
    clear_list(&modules);
    clear_list(&blocks);
    clear_passed_on(&passed);
    free(row.seen);
    return fine;
}

/* ---- Links ---- */

/* Time of one unit of traffic on a link where nobody else is. */
static double service(const interconnect *network, inlay_id link)
{
    double capacity = network->machine->topology->link[link].capacity * network->link_capacity;
    return network->free ? 0 : network->transfers / capacity;
}

static bool fill_routes(const problem *p, const placement *place, link_load *load)
{
    const topology *t = p->machine->topology;
    for (inlay_id c = 0; c < place->clusters; c++) {
        inlay_id from = inlay_machine_host(p->machine, place->processor[c]);
        for (int64_t f = load->begin[c]; f < load->begin[c + 1]; f++) {
            inlay_id to = inlay_machine_host(p->machine, place->processor[load->to[f]]);
            load->route_begin[f] = load->route.count;
            if (from != to && !t->route(t, from, to, &load->route)) {
                return false;
            }
            load->latency[f] = 0;
            for (size_t k = load->route_begin[f]; k < load->route.count; k++) {
                inlay_id link = load->route.link[k];
                load->carried[link] += load->traffic[f];
                load->latency[f] += t->link[link].latency * p->network.link_latency;
            }
        }
    }
    load->route_begin[load->flows] = load->route.count;
    return true;
}

static void fill_demands(link_load *load, const topology *t)
{
    load->busiest = -1;
    for (inlay_id link = 0; link < t->links; link++) {
        load->demand[link] = (double)load->carried[link] * service(load->network, link);
        if (!t->link[link].parallel && load->demand[link] > link_load_demand(load)) {
            load->busiest = link;
        }
    }
}

int link_load_make(const problem *p, const placement *place, const sendings *s, link_load *result, inlay_diag *diag)
{
    const topology *t = p->machine->topology;
    link_load load = {.network = &p->network, .clusters = place->clusters};
    bool fine = fill_flows(p, place, s, &load);
    load.route_begin = memory_array(load.flows + 1, sizeof *load.route_begin);
    load.latency = memory_array(load.flows, sizeof *load.latency);
    load.tau = memory_array(load.flows, sizeof *load.tau);
    load.demand = memory_array((size_t)t->links, sizeof *load.demand);
    load.carried = memory_zeroed((size_t)t->links, sizeof *load.carried);
    load.factor = memory_array((size_t)t->links, sizeof *load.factor);
    fine = fine && load.route_begin != NULL && load.latency != NULL && load.tau != NULL && load.demand != NULL &&
           load.carried != NULL && load.factor != NULL && fill_routes(p, place, &load);
    if (!fine) {
        link_load_clear(&load);
        return diag_no_memory(diag);
    }
    fill_demands(&load, t);
    *result = load;
    return INLAY_OK;
}

/* ---- Within a time frame ---- */

static int fill_factors(link_load *load, double time_frame)
{
    const inlay_machine *machine = load->network->machine;
    inlay_link_queue queue = inlay_machine_exponential(machine) ? INLAY_LINK_MM1 : INLAY_LINK_MD1;
    for (inlay_id link = 0; link < machine->topology->links; link++) {
        load->factor[link] = 1;
        if (load->demand[link] > 0 && !machine->topology->link[link].parallel) {
            int status = inlay_link_delay(queue, load->demand[link] / time_frame, &load->factor[link]);
            if (status != INLAY_OK) {
                return status;
            }
        }
    }
    return INLAY_OK;
}

int link_load_at(link_load *load, double time_frame)
{
    int status = fill_factors(load, time_frame);
    if (status != INLAY_OK) {
        return status;
    }
    bool cut_through = load->network->machine->topology->cut_through;
    for (size_t f = 0; f < load->flows; f++) {
        double sum = 0, largest = 0;
        for (size_t k = load->route_begin[f]; k < load->route_begin[f + 1]; k++) {
            inlay_id link = load->route.link[k];
            double alone = service(load->network, link);
            sum += (cut_through ? load->factor[link] - 1 : load->factor[link]) * alone;
            largest = fmax(largest, alone);
        }
        load->tau[f] = cut_through ? largest + sum : sum;
    }
    return INLAY_OK;
}
