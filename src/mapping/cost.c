/* Cost and estimate of a finished placement. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/levels.h"
#include "graph/width.h"
#include "mapping/estimate.h"
#include "mapping/mapping.h"
#include "mapping/studied_error.h"
#include "problem/order.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int copy_guests(const placement *place, size_t modules, inlay_mapping *m)
{
    size_t guests = (size_t)place->guest_begin[modules];
    m->guest_begin = memory_array(modules + 1, sizeof *m->guest_begin);
    m->guest = memory_array(guests, sizeof *m->guest);
    if (m->guest_begin == NULL || m->guest == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(m->guest_begin, place->guest_begin, (modules + 1) * sizeof *m->guest_begin);
    memcpy(m->guest, place->guest, guests * sizeof *m->guest);
    return INLAY_OK;
}

static int allocate(const problem *p, const placement *place, inlay_mapping *m)
{
    size_t n = (size_t)p->modules, blocks = (size_t)p->app->blocks, clusters = (size_t)place->clusters;
    m->cluster_of = memory_array(n, sizeof *m->cluster_of);
    m->start = memory_array(n, sizeof *m->start);
    m->home = memory_array(blocks, sizeof *m->home);
    m->memory = memory_array(blocks, sizeof *m->memory);
    m->blocks = memory_array(blocks, sizeof *m->blocks);
    m->clusters = memory_zeroed(clusters, sizeof *m->clusters);
    if (!m->cluster_of || !m->start || !m->home || !m->memory || !m->blocks || !m->clusters) {
        return INLAY_NO_MEMORY;
    }
    memcpy(m->cluster_of, place->cluster_of, n * sizeof *m->cluster_of);
    memcpy(m->home, place->home, blocks * sizeof *m->home);
    memcpy(m->memory, place->memory, blocks * sizeof *m->memory);
    return place->guest_begin == NULL ? INLAY_OK : copy_guests(place, n, m);
}

/* Members of every cluster: modules in execution order, blocks by number. */
static int list_members(const problem *p, const placement *place, const inlay_id *order, inlay_mapping *m)
{
    if (placement_list(p, place, order, &m->lists) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        m->clusters[m->home[d]].blocks++;
    }
    inlay_id *block = m->blocks;
    for (inlay_id c = 0; c < place->clusters; c++) {
        inlay_cluster_info *info = &m->clusters[c];
        info->processor = place->processor[c];
        info->modules = (inlay_id)(m->lists.begin[c + 1] - m->lists.begin[c]);
        info->module = m->lists.module + m->lists.begin[c];
        info->block = block;
        block += info->blocks;
        info->blocks = 0;
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        inlay_cluster_info *info = &m->clusters[m->home[d]];
        m->blocks[info->block - m->blocks + info->blocks++] = d;
    }
    return INLAY_OK;
}

static void add_sent(const problem *p, inlay_mapping *m, inlay_id from, inlay_id to, int64_t messages, int64_t bytes)
{
    if (from != to) {
        int64_t count = interconnect_messages(&p->network, messages, bytes);
        int64_t traffic = interconnect_traffic(&p->network, messages, bytes);
        int64_t weighted =
            traffic * interconnect_distance(&p->network, m->clusters[from].processor, m->clusters[to].processor);
        m->clusters[from].messages_out += count;
        m->clusters[from].traffic_out += traffic;
        m->clusters[from].weighted_traffic_out += weighted;
        m->summary.messages += count;
        m->summary.traffic += traffic;
        m->summary.weighted_traffic += weighted;
    }
}

typedef struct traffic_sum {
    const problem *p;
    inlay_mapping *m;
} traffic_sum;

static void add_message(void *context, const sent_message *message)
{
    const traffic_sum *sum = context;
    add_sent(sum->p, sum->m, message->from, message->to, message->messages, message->bytes);
}

static int sum_traffic(const problem *p, const placement *place, inlay_mapping *m)
{
    const inlay_app *app = p->app;
    if (sent_each(p, place, add_message, &(traffic_sum){p, m}) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            add_sent(p, m, m->home[d], m->cluster_of[app->use_module[u]], app->use_messages[u], app->use_bytes[u]);
        }
    }
    return INLAY_OK;
}

/* Exact sums, in grains: m, and what counts against T beside it. */
typedef struct time_sum {
    inlay_time busy, rest;
} time_sum;

/* Times of clusters on their processors: the exact sums or, where processors differ, what the modules take there. */
static void fill_times(const problem *p, const time_sum *sums, inlay_mapping *m)
{
    for (inlay_id c = 0; c < m->summary.clusters; c++) {
        inlay_cluster_info *info = &m->clusters[c];
        if (p->kinds.count == 1) {
            info->busy = inlay_app_in_units(p->app, sums[c].busy) / p->kinds.speed;
            info->work = inlay_app_in_units(p->app, sums[c].busy + sums[c].rest) / p->kinds.speed;
            continue;
        }
        for (inlay_id k = 0; k < info->modules; k++) {
            info->busy += problem_time_on(p, info->module[k], info->processor);
        }
        info->work = info->busy + inlay_app_in_units(p->app, sums[c].rest) / p->kinds.speed;
    }
}

static int sum_work(const problem *p, inlay_mapping *m, inlay_diag *diag)
{
    bool distributed = inlay_machine_memory_kind(p->machine) == INLAY_MEMORY_DISTRIBUTED;
    time_sum *sums = memory_zeroed((size_t)m->summary.clusters, sizeof *sums);
    if (sums == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id c = m->cluster_of[i];
        sums[c].busy += p->timing.m[i];
        sums[c].rest += p->work[i] - p->timing.m[i];
        m->clusters[c].memory += inlay_app_memory(p->app, i);
        for (int64_t g = m->guest_begin == NULL ? 0 : m->guest_begin[i]; m->guest_begin && g < m->guest_begin[i + 1];
             g++) {
            sums[m->guest[g]].busy += p->timing.m[i];
        }
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        /* the problem counts a block's time with its home module; it may have moved since */
        sums[m->cluster_of[p->home[d]]].rest -= p->app->block_time[d];
        sums[m->home[d]].rest += p->app->block_time[d];
        if (distributed) {
            m->clusters[m->home[d]].memory += p->app->block_size[d];
        } else {
            m->summary.common_blocks++;
            m->summary.common_memory += p->app->block_size[d];
        }
    }
    fill_times(p, sums, m);
    free(sums);
    return INLAY_OK;
}

/* Time that a cluster's messages take. */
static double sending(const estimator *e, const inlay_mapping *m, const network_point *at, inlay_id cluster)
{
    if (!inlay_machine_has_links(e->p->machine)) {
        return at->tau * (double)m->clusters[cluster].weighted_traffic_out;
    }
    double time = 0;
    for (int64_t f = e->load.begin[cluster]; f < e->load.begin[cluster + 1]; f++) {
        time += (double)e->load.traffic[f] * e->load.tau[f];
    }
    return time;
}

static void fill_network(const problem *p, const frame *time_frame, const estimator *e, network_point at,
                         inlay_mapping *m)
{
    inlay_summary *s = &m->summary;
    s->free_network = p->network.free;
    s->traffic_in_bytes = p->network.in_bytes;
    s->u = at.u;
    s->u_limit = p->network.u_limit;
    s->load = at.u / p->network.u_limit;
    s->rho = at.rho;
    s->rho_processor = at.rho_processor;
    s->delay = at.delay;
    s->tau = at.tau;
    s->latency = p->network.latency;
    s->fits_with_delay = true;
    for (inlay_id c = 0; c < s->clusters; c++) {
        inlay_cluster_info *info = &m->clusters[c];
        info->utilisation = (info->work + sending(e, m, &at, c)) / time_frame->value;
        s->fits_with_delay &= info->utilisation <= 1;
    }
}

static int fill_estimate(const problem *p, const placement *place, const frame *time_frame, const inlay_id *order,
                         inlay_mapping *m, inlay_diag *diag)
{
    inlay_summary *s = &m->summary;
    estimator e;
    network_point at = {0};
    int status = estimator_make(p, order, place, (double)s->weighted_traffic, &e, diag);
    if (status != INLAY_OK) {
        return status;
    }
    m->busiest_link = inlay_machine_has_links(p->machine) ? e.load.busiest : -1;
    m->link_demand = m->busiest_link < 0 ? 0 : link_load_demand(&e.load);
    status = estimate_fixed_point(&e, &s->estimate_fixed_point, diag);
    if (status == INLAY_OK) {
        status = estimate_network(&e, time_frame->value, &at);
    }
    if (status == INLAY_OK) {
        fill_network(p, time_frame, &e, at, m);
        s->estimate = estimate_at(&e, &at);
        memcpy(m->start, e.start, (size_t)p->modules * sizeof *m->start);
        if (isnan(s->estimate_fixed_point)) {
            diag_warn(diag, "no time frame equals its own estimate: with T = E the network would be saturated");
        }
    }
    estimator_clear(&e);
    return status;
}

static int fill_bounds(const problem *p, inlay_mapping *m, inlay_diag *diag)
{
    inlay_time longest = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        longest = p->timing.m[i] > longest ? p->timing.m[i] : longest;
    }
    m->critical_path = p->timing.critical_path;
    m->longest_module = longest;
    m->total_time = inlay_app_in_units(p->app, p->total_time) / p->kinds.speed;
    m->cycle = mapping_cycle(p, m);
    m->any_cycle = mapping_cycle(p, NULL);
    return bounds_of_mapping(p, m) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

/* A run pays for every processor that it uses, busy or idle, from its begin to its end. */
void mapping_set_elapsed(inlay_mapping *m, double elapsed, inlay_elapsed_is is)
{
    inlay_summary *s = &m->summary;
    double length = interconnect_unit_seconds(inlay_app_unit(m->app), s->options.tick_seconds), price, power;
    s->elapsed = elapsed;
    s->elapsed_is = is;
    s->gap = s->lower_bound > 0 ? elapsed / s->lower_bound - 1 : elapsed > 0 ? NAN : 0;
    s->speedup = elapsed > 0 ? m->total_time / elapsed : NAN;
    s->efficiency = s->speedup / s->clusters;
    s->seconds = length > 0 ? elapsed * length : NAN;
    s->price = inlay_machine_price(m->machine, &price) ? s->clusters * (s->seconds / 3600) * price : NAN;
    s->energy = inlay_machine_power(m->machine, &power) ? s->clusters * s->seconds * power : NAN;
}

/* Where a tick has no length, that is no time that could be paid. */
static void warn_of_ticks(const problem *p, inlay_diag *diag)
{
    bool priced = inlay_machine_price(p->machine, NULL), powered = inlay_machine_power(p->machine, NULL);
    if ((priced || powered) && !(interconnect_unit_seconds(inlay_app_unit(p->app), p->options.tick_seconds) > 0)) {
        diag_warn(diag,
                  "%s of a run cannot be told: application '%s' is in ticks, without the length of a tick (--tick 1us)",
                  !powered  ? "the price"
                  : !priced ? "the energy"
                            : "the price and the energy",
                  inlay_app_name(p->app));
    }
}

/* Most clusters with a module in one slot. */
static int count_parallelism(const problem *p, inlay_mapping *m)
{
    inlay_id *here = memory_zeroed((size_t)p->slots, sizeof *here);
    inlay_id *last = memory_array((size_t)p->slots, sizeof *last);
    if (here == NULL || last == NULL) {
        free(here);
        free(last);
        return INLAY_NO_MEMORY;
    }
    memset(last, 0xFF, (size_t)p->slots * sizeof *last); /* -1: nobody */
    for (inlay_id c = 0; c < m->summary.clusters; c++) {
        for (int64_t k = m->lists.begin[c]; k < m->lists.begin[c + 1]; k++) {
            inlay_id i = m->lists.module[k];
            for (int32_t slot = p->first_slot[i]; slot <= p->last_slot[i]; slot++) {
                if (last[slot] != c) {
                    last[slot] = c;
                    here[slot]++;
                    m->summary.parallelism = here[slot] > m->summary.parallelism ? here[slot] : m->summary.parallelism;
                }
            }
        }
    }
    free(here);
    free(last);
    return INLAY_OK;
}

static int fill_widths(const problem *p, inlay_mapping *m, inlay_diag *diag)
{
    int32_t *level = memory_array((size_t)p->modules, sizeof *level);
    if (level == NULL || count_parallelism(p, m) != INLAY_OK) {
        free(level);
        return diag_no_memory(diag);
    }
    int32_t depth = graph_levels(p->app, level);
    m->summary.level_width = graph_level_width(p->app, level, depth);
    free(level);
    return m->summary.level_width < 0 ? diag_no_memory(diag) : graph_exact_width(p->app, &m->summary.exact_width, diag);
}

/* Everything but times: `order` is filled in. */
static int lay(const problem *p, const placement *place, inlay_id *order, inlay_mapping *m, inlay_diag *diag)
{
    if (allocate(p, place, m) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    m->app = p->app;
    m->machine = p->machine;
    m->summary = (inlay_summary){.method = place->method,
                                 .options = p->options,
                                 .processors = p->processors,
                                 .time_frame_text = m->time_frame_text,
                                 .clusters = place->clusters,
                                 .weighted_in_order = place->weighted_in_order,
                                 .weighted_nearest = place->weighted_nearest,
                                 .reduced_from = place->reduced_from,
                                 .estimate_unreduced = place->estimate_unreduced,
                                 .winner = place->winner,
                                 .order_given = place->lists.begin != NULL && p->options.order == INLAY_ORDER_GIVEN,
                                 .streamed = p->timing.streamed,
                                 .work_has_blocking = p->work_has_blocking,
                                 .blocking_derived = p->blocking_derived};
    int status = execution_order(p, &place->lists, order, diag);
    if (status == INLAY_OK) {
        bool fine = list_members(p, place, order, m) == INLAY_OK && sum_traffic(p, place, m) == INLAY_OK;
        status = fine ? sum_work(p, m, diag) : diag_no_memory(diag);
    }
    return status;
}

static int cost(const problem *p, const placement *place, const frame *time_frame, const inlay_id *order,
                inlay_mapping *m, inlay_diag *diag)
{
    m->summary.time_frame = time_frame->value;
    m->summary.time_frame_given = time_frame->given;
    decimal_text(time_frame->exact, m->time_frame_text);
    int status = fill_estimate(p, place, time_frame, order, m, diag);
    if (status == INLAY_OK) {
        status = fill_bounds(p, m, diag);
    }
    if (status == INLAY_OK) {
        mapping_set_elapsed(m, NAN, INLAY_ELAPSED_SIMULATED);
        warn_of_ticks(p, diag);
        status = fill_widths(p, m, diag);
    }
    return status;
}

/* `time_frame` is NULL where nothing is to be costed. */
static int make(const problem *p, const placement *place, const frame *time_frame, inlay_mapping **mapping,
                inlay_diag *diag)
{
    inlay_mapping *m = memory_zeroed(1, sizeof *m);
    inlay_id *order = memory_array((size_t)p->modules, sizeof *order);
    int status = m == NULL || order == NULL ? diag_no_memory(diag) : lay(p, place, order, m, diag);
    if (status == INLAY_OK && time_frame != NULL) {
        status = cost(p, place, time_frame, order, m, diag);
    }
    free(order);
    if (status != INLAY_OK) {
        inlay_mapping_free(m);
        return status;
    }
    *mapping = m;
    return INLAY_OK;
}

int mapping_cost(const problem *p, const placement *place, const frame *time_frame, inlay_mapping **mapping,
                 inlay_diag *diag)
{
    return make(p, place, time_frame, mapping, diag);
}

int mapping_without_cost(const problem *p, const placement *place, inlay_mapping **mapping, inlay_diag *diag)
{
    return make(p, place, NULL, mapping, diag);
}
