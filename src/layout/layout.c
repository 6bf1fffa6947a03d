/* Who is where: the layout of clusters on processors. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "layout/cores.h"
#include "layout/link_load.h"
#include "layout/links.h"
#include "layout/nearest.h"
#include "layout/placement.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void placement_clear(placement *place)
{
    free(place->cluster_of);
    free(place->processor);
    order_lists_clear(&place->lists);
    free(place->guest_begin);
    free(place->guest);
    free(place->home);
    free(place->memory);
    *place = (placement){0};
}

int placement_make(const problem *p, const char *method, const inlay_id *cluster_of, inlay_id clusters,
                   placement *result, inlay_diag *diag)
{
    placement place = {.method = method,
                       .clusters = clusters,
                       .reduced_from = -1,
                       .estimate_unreduced = NAN,
                       .weighted_in_order = -1,
                       .weighted_nearest = -1};
    place.cluster_of = memory_array((size_t)p->modules, sizeof *place.cluster_of);
    place.processor = memory_array((size_t)clusters, sizeof *place.processor);
    place.home = memory_array((size_t)p->app->blocks, sizeof *place.home);
    place.memory = memory_array((size_t)p->app->blocks, sizeof *place.memory);
    if (place.cluster_of == NULL || place.processor == NULL || place.home == NULL || place.memory == NULL) {
        placement_clear(&place);
        return diag_no_memory(diag);
    }
    memcpy(place.cluster_of, cluster_of, (size_t)p->modules * sizeof *cluster_of);
    for (inlay_id c = 0; c < clusters; c++) {
        place.processor[c] = c;
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        place.home[d] = cluster_of[p->home[d]];
        place.memory[d] = -1;
    }
    *result = place;
    return INLAY_OK;
}

/* Entries of every cluster: its own modules, and those that hold one of its cores besides. */
static void each_entry(const placement *place, inlay_id module, int64_t *begin, inlay_id *to)
{
    int64_t guests = place->guest_begin == NULL ? 0 : place->guest_begin[module + 1] - place->guest_begin[module];
    for (int64_t k = -1; k < guests; k++) {
        inlay_id c = k < 0 ? place->cluster_of[module] : place->guest[place->guest_begin[module] + k];
        if (to == NULL) {
            begin[c + 2]++;
        } else {
            to[begin[c + 1]++] = module;
        }
    }
}

int placement_list(const problem *p, const placement *place, const inlay_id *order, order_lists *lists)
{
    int64_t guests = place->guest_begin == NULL ? 0 : place->guest_begin[p->modules];
    order_lists made = {place->clusters, memory_zeroed((size_t)place->clusters + 2, sizeof *made.begin),
                        memory_array((size_t)(p->modules + guests), sizeof *made.module)};
    if (made.begin == NULL || made.module == NULL) {
        order_lists_clear(&made);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id k = 0; k < p->modules; k++) {
        each_entry(place, order[k], made.begin, NULL);
    }
    for (inlay_id c = 0; c < place->clusters; c++) {
        made.begin[c + 2] += made.begin[c + 1];
    }
    for (inlay_id k = 0; k < p->modules; k++) { /* rows fill from one ahead, and end where they belong */
        each_entry(place, order[k], made.begin, made.module);
    }
    *lists = made;
    return INLAY_OK;
}

int placement_set_order(const problem *p, placement *place, const inlay_id *order, inlay_diag *diag)
{
    return placement_list(p, place, order, &place->lists) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

int placement_in_order(const problem *p, placement *place, inlay_diag *diag)
{
    inlay_id processors = inlay_machine_processors(p->machine);
    inlay_id *pin = memory_array((size_t)place->clusters, sizeof *pin);
    bool *taken = memory_zeroed((size_t)processors, sizeof *taken);
    int status = INLAY_OK;
    if (pin == NULL || taken == NULL) {
        status = diag_no_memory(diag);
        goto done;
    }
    for (inlay_id c = 0; c < place->clusters; c++) {
        pin[c] = -1;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id to = inlay_app_pin(p->app, i);
        if (to >= 0) {
            pin[place->cluster_of[i]] = to;
            taken[to] = true;
        }
    }
    for (inlay_id c = 0, next = 0; c < place->clusters; c++) {
        while (pin[c] < 0 && taken[next]) {
            next++;
        }
        place->processor[c] = pin[c] >= 0 ? pin[c] : next++;
    }
done:
    free(pin);
    free(taken);
    return status;
}

int placement_lay_out(const problem *p, placement *place, inlay_diag *diag)
{
    if (p->cores != NULL) {
        return cores_lay_out(p, place, diag);
    }
    int status = placement_in_order(p, place, diag);
    if (status != INLAY_OK || !inlay_machine_has_distance(p->machine)) {
        return status;
    }
    status = placement_weighted_traffic(p, place, &place->weighted_in_order, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (p->options.layout == INLAY_LAYOUT_ORDER) {
        place->weighted_nearest = place->weighted_in_order;
        return INLAY_OK;
    }
    return inlay_machine_has_links(p->machine) ? links_layout(p, place, diag) : nearest_layout(p, place, diag);
}

/* Traffic from one processor's cluster to another's, times the distance between them. */
static int64_t weighted(const problem *p, const placement *place, inlay_id from, inlay_id to, int64_t traffic)
{
    return traffic * interconnect_distance(&p->network, place->processor[from], place->processor[to]);
}

typedef struct traffic_sum {
    const problem *p;
    const placement *place;
    int64_t weighted, further; /* further: of copies, as in sent.h, without distance */
} traffic_sum;

static void add_traffic(void *context, const sent_message *m)
{
    traffic_sum *sum = context;
    int64_t traffic = interconnect_traffic(&sum->p->network, m->messages, m->bytes);
    sum->weighted += weighted(sum->p, sum->place, m->from, m->to, traffic);
    sum->further += m->further ? traffic : 0;
}

static int sum_traffic(const problem *p, const placement *place, traffic_sum *sum, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    *sum = (traffic_sum){.p = p, .place = place};
    if (sent_each(p, place, add_traffic, sum) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            sum->weighted += weighted(p, place, place->home[d], place->cluster_of[app->use_module[u]],
                                      interconnect_traffic(&p->network, app->use_messages[u], app->use_bytes[u]));
        }
    }
    return INLAY_OK;
}

int placement_weighted_traffic(const problem *p, const placement *place, int64_t *result, inlay_diag *diag)
{
    traffic_sum sum;
    int status = sum_traffic(p, place, &sum, diag);
    *result = sum.weighted;
    return status;
}

static int links_demand(const problem *p, const placement *place, double *demand, inlay_diag *diag)
{
    sendings s = {0};
    link_load load;
    int status = sent_by(p, place, &s) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        status = link_load_make(p, place, &s, &load, diag);
    }
    if (status == INLAY_OK) {
        *demand = link_load_demand(&load);
        link_load_clear(&load);
    }
    sent_clear(&s);
    return status;
}

int placement_demand(const problem *p, const placement *place, double *demand, inlay_diag *diag)
{
    if (inlay_machine_has_links(p->machine)) {
        return links_demand(p, place, demand, diag);
    }
    traffic_sum sum;
    int status = sum_traffic(p, place, &sum, diag);
    bool once = sent_written_once(&p->network);
    *demand = (double)sum.weighted - (once ? (double)sum.further / p->network.transfers : 0);
    return status;
}
