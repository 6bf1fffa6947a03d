/* What all replications share. */
#include "simulate/plan.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "base/workers.h"
#include <stdlib.h>
#include <string.h>

void plan_clear(plan *p)
{
    free(p->processor);
    free(p->item);
    free(p->own_begin);
    sent_clear(&p->sent);
    overheads_clear(&p->overheads);
    rendezvous_clear(&p->rendezvous);
    links_plan_free(p->links);
    module_times_clear(&p->times);
    *p = (plan){0};
}

/* ---- Options ---- */

static int check_scale(double scale, const char *what, inlay_diag *diag)
{
    static const double most = 1e9;
    return scale >= 0 && scale <= most
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s are scaled by %g; expected 0 to %g", what, scale, most);
}

static int check_options(const plan *p, inlay_diag *diag)
{
    const inlay_simulation_options *o = &p->options;
    if (o->no_overlap && inlay_machine_broadcasts_in_trees(inlay_mapping_machine(p->mapping))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "processors pass data on while they compute; expected overlap, or broadcast=each");
    }
    bool late = inlay_machine_rendezvous_above(inlay_mapping_machine(p->mapping)) < INT64_MAX;
    if (o->no_overlap && late) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "two processors that wait for their messages before they go on wait for each other where "
                         "receivers are late; expected overlap, or rendezvous=early");
    }
    if ((unsigned)o->contention > INLAY_CONTENTION_FREE) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "contention is %d; expected 0 to %d", (int)o->contention,
                         INLAY_CONTENTION_FREE);
    }
    if (o->replications < 1 || o->replications > INT32_MAX) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%lld replications are asked for; expected 1 to %d",
                         (long long)o->replications, INT32_MAX);
    }
    if (!(o->confidence > 0 && o->confidence < 1)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the confidence is %g; expected a share above 0 and below 1",
                         o->confidence);
    }
    if (o->cores < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "processors share %d cores; expected 1 or more, or 0 for a core each", o->cores);
    }
    int status = spread_check(&o->transfer_time, "transfer times", diag);
    if (status == INLAY_OK) {
        status = check_scale(o->compute_scale, "module times", diag);
    }
    if (status == INLAY_OK) {
        status = check_scale(o->network_scale, "transfer times", diag);
    }
    inlay_id processors = inlay_machine_processors(inlay_mapping_machine(p->mapping));
    for (inlay_id k = 0; status == INLAY_OK && o->processor_scale != NULL && k < processors; k++) {
        status = check_scale(o->processor_scale[k], "module times", diag);
    }
    return status;
}

/* Zeros are the defaults. */
static inlay_simulation_options complete_options(const inlay_simulation_options *options)
{
    static const inlay_simulation_options defaults = {0};
    inlay_simulation_options o = options == NULL ? defaults : *options;
    o.replications += o.replications == 0;
    o.confidence = o.confidence == 0 ? INLAY_CONFIDENCE : o.confidence;
    o.compute_scale += o.compute_scale == 0;
    o.network_scale += o.network_scale == 0;
    o.threads = workers_of(o.threads, WORKERS_MOST);
    return o;
}

/* ---- Machine ---- */

/* The clusters that talk: along links of the application, and from the homes of data blocks to who reads them. */
static bool find_pairs(const plan *p, inlay_id *seen, link_pairs *pairs)
{
    const inlay_app *app = p->app;
    bool room = true;
    for (inlay_id c = 0; c < p->processors; c++) {
        seen[c] = -1;
    }
    for (inlay_id c = 0; c < p->processors; c++) {
        for (inlay_id k = 0; k < p->processor[c].modules; k++) {
            inlay_id module = p->processor[c].module[k];
            if (p->cluster_of[module] != c) {
                continue; /* a guest: its messages set out from elsewhere */
            }
            for (int64_t e = p->sent.begin[module]; room && e < p->sent.begin[module + 1]; e++) {
                inlay_id there = p->cluster_of[sent_to(&p->sent, e)], from = sent_sender(&p->sent, e, c);
                if ((seen[there] != c || from != c) && plan_crosses(p, module, e)) {
                    seen[there] = from == c ? c : seen[there];
                    room = link_pairs_add(pairs, from, there);
                }
            }
        }
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; room && u < app->use_begin[d + 1]; u++) {
            if (plan_crosses(p, app->use_module[u], ~u)) {
                room = link_pairs_add(pairs, p->mapping->home[d], p->cluster_of[app->use_module[u]]);
            }
        }
    }
    return room;
}

static bool all_pairs(const plan *p, link_pairs *pairs)
{
    bool room = true;
    for (inlay_id c = 0; c < p->processors; c++) {
        for (inlay_id there = 0; room && there < p->processors; there++) {
            room = there == c || link_pairs_add(pairs, c, there);
        }
    }
    return room;
}

static bool add_ways_back(link_pairs *pairs)
{
    bool room = true;
    for (size_t i = 0, count = pairs->count; room && i < count; i++) {
        room = link_pairs_add(pairs, (inlay_id)(pairs->pair[i] & UINT32_MAX), (inlay_id)(pairs->pair[i] >> 32));
    }
    return room;
}

static int plan_links(plan *p, const interconnect *network, double scale, inlay_diag *diag)
{
    inlay_id *seen = memory_array((size_t)p->processors, sizeof *seen);
    link_pairs pairs = {0};
    bool found = seen != NULL && (p->moving ? all_pairs(p, &pairs) : find_pairs(p, seen, &pairs));
    const inlay_sharing *sharing = inlay_machine_sharing(network->machine);
    found = found && (sharing == NULL || sharing->cross == 0 || add_ways_back(&pairs));
    int status = found ? INLAY_OK : INLAY_NO_MEMORY;
    for (inlay_id c = 0; status == INLAY_OK && c < p->processors; c++) {
        seen[c] = p->processor[c].processor;
    }
    if (status == INLAY_OK) {
        status = links_plan_make(network, scale, &pairs, seen, p->processors, &p->links);
    }
    free(seen);
    free(pairs.pair);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

static int plan_network(plan *p, inlay_diag *diag)
{
    const inlay_summary *s = inlay_mapping_summary(p->mapping);
    const inlay_machine *machine = inlay_mapping_machine(p->mapping);
    network_unit unit = {inlay_app_unit(p->app), s->options.tick_seconds, inlay_app_name(p->app)};
    interconnect network;
    int status = interconnect_make(machine, &unit, &network, NULL); /* what it warns of was told with the mapping */
    if (status != INLAY_OK) {
        return diag_fail(diag, status, "%s", inlay_status_text(status));
    }
    double scale = p->grain * p->options.network_scale;
    fabric_plan_make(&network, scale, p->processors, &p->alone);
    /* links have latencies of their own, which last where nothing else does */
    bool free = p->options.contention == INLAY_CONTENTION_FREE;
    bool idle = network.free && p->alone.kind != FABRIC_LINKS;
    p->alone.kind = free || idle ? FABRIC_NONE : p->alone.kind;
    p->latency = free ? 0 : network.latency * scale;
    p->by_size = free || network.latency_by_size.count == 0 ? 0 : scale;
    p->in_bytes = network.in_bytes;
    p->message_size = network.in_bytes ? 0 : network.message_size;
    p->written_once = p->copies && sent_written_once(&network);
    p->again = !p->written_once ? 1
                                : (network.transfers - 1) / (double)(p->alone.visits - 1) * (double)p->alone.visits /
                                      network.transfers;
    if (p->alone.kind == FABRIC_LINKS) {
        status = plan_links(p, &network, scale, diag);
        p->alone.links = p->links;
    }
    p->fabric = p->alone;
    p->fabric.kind = p->options.contention == INLAY_CONTENTION_QUEUES ? p->fabric.kind : FABRIC_NONE;
    p->fabric.sharing = p->fabric.kind == FABRIC_LINKS ? inlay_machine_sharing(machine) : NULL;
    p->fabric.unit = scale;
    p->fabric.in_bytes = network.in_bytes;
    interconnect_clear(&network);
    p->network = network;
    return status;
}

/* Whose cores share memory. */
static void plan_memory(plan *p, inlay_diag *diag)
{
    p->memory = p->app->traffic_memory != NULL && p->network.memory_bandwidth > 0;
    if (p->memory && p->cores > 0) {
        diag_warn(diag, "the bandwidth of memory is left out where processors share cores");
        p->memory = false;
    }
}

static int plan_processors(plan *p, inlay_diag *diag)
{
    p->processors = inlay_mapping_summary(p->mapping)->clusters;
    p->processor = memory_array((size_t)p->processors, sizeof *p->processor);
    if (p->processor == NULL) {
        return diag_no_memory(diag);
    }
    const double *own = p->options.processor_scale;
    for (inlay_id c = 0; c < p->processors; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(p->mapping, c);
        inlay_processor what = inlay_machine_processor(inlay_mapping_machine(p->mapping), info.processor);
        double scale = p->options.compute_scale * (own == NULL ? 1 : own[info.processor]);
        p->processor[c] = (plan_processor){info.processor, info.modules, info.module, app_times_on(p->app, what.type),
                                           scale,          what.speed};
    }
    p->cores = p->options.cores < p->processors ? p->options.cores : 0;
    return INLAY_OK;
}

/* ---- Items ---- */

/* The last block whose uses begin at or before that one. */
inlay_id plan_block(const plan *p, int64_t item)
{
    return (inlay_id)sorted_row(p->app->use_begin, p->app->blocks, ~item);
}

/* The last module whose entries begin at or before that one. */
inlay_id plan_module(const plan *p, int64_t item)
{
    return item < 0 ? p->app->use_module[~item] : (inlay_id)sorted_row(p->sent.begin, p->app->modules, item);
}

bool plan_crosses(const plan *p, inlay_id module, int64_t item)
{
    const inlay_app *app = p->app;
    if (item < 0) {
        return p->mapping->home[plan_block(p, item)] != p->cluster_of[module] &&
               plan_messages(p, app->use_messages[~item], app->use_bytes[~item]) > 0;
    }
    sent_entry e = sent_at(&p->sent, item);
    return p->cluster_of[e.to] != p->cluster_of[module] && plan_messages(p, e.messages, e.bytes) > 0;
}

/* Of a producer that takes m: from its start until a link of it is due. */
static inline inlay_time lag(const plan *p, inlay_id from, inlay_id to, inlay_time m)
{
    const inlay_time *b = p->app->blocking;
    inlay_time wait = b[to] - b[from];
    wait = wait > 0 ? wait : 0;
    return wait < m ? wait : m;
}

inlay_time plan_due(const plan *p, inlay_id module, int64_t item)
{
    const sendings *s = &p->sent;
    inlay_time m = plan_time(p, p->processor[p->cluster_of[module]].type_time, module);
    bool sent = (item < 0 || p->options.no_overlap) && plan_crosses(p, module, item);
    if (sent && p->options.no_overlap) {
        return m;
    }
    if (item < 0) {
        return 0;
    }
    if (!p->streamed || !plan_awaited(p, item)) {
        return m;
    }
    inlay_time due = lag(p, module, sent_to(s, item), m);
    bool copy = sent_is_copy(s, item); /* which is due with the first link that waits for it, or for what comes of it */
    for (int64_t on = copy ? item : -1; on >= 0; on = sent_behind(s, item, on)) {
        sent_links links = sent_awaiting(s, sent_at(s, on).copy);
        for (int64_t k = 0; k < links.count; k++) {
            inlay_time other = lag(p, module, p->app->out_to[links.link[k]], m);
            due = other < due ? other : due;
        }
    }
    return due;
}

/* Reads of each module from blocks that live elsewhere: counted, then put. Uses that send nothing are left out. */
static void each_read(const plan *p, int64_t *begin, int64_t *item)
{
    const inlay_app *app = p->app;
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            inlay_id module = app->use_module[u];
            if (!plan_crosses(p, module, ~u)) {
                continue;
            }
            if (item == NULL) {
                begin[module + 1]++;
            } else {
                item[begin[module]++] = ~u;
            }
        }
    }
}

typedef struct keyed_item {
    inlay_time due;
    int64_t item;
} keyed_item;

/* By time; reads before entries, each by number. */
static int compare_items(const void *a, const void *b)
{
    const keyed_item *x = a, *y = b;
    if (x->due != y->due) {
        return x->due < y->due ? -1 : 1;
    }
    bool read_x = x->item < 0, read_y = y->item < 0;
    int64_t number_x = read_x ? ~x->item : x->item, number_y = read_y ? ~y->item : y->item;
    return read_x != read_y ? read_y - read_x : (number_x > number_y) - (number_x < number_y);
}

static int sort_items(plan *p, inlay_diag *diag)
{
    int64_t longest = 1;
    for (inlay_id i = 0; i < p->app->modules; i++) {
        int64_t count = p->own_begin[i + 1] - p->own_begin[i];
        longest = count > longest ? count : longest;
    }
    keyed_item *row = memory_array((size_t)longest, sizeof *row);
    if (row == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->app->modules; i++) {
        int64_t first = p->own_begin[i], count = p->own_begin[i + 1] - first;
        for (int64_t k = 0; k < count; k++) {
            row[k] = (keyed_item){plan_due(p, i, p->item[first + k]), p->item[first + k]};
        }
        qsort(row, (size_t)count, sizeof *row, compare_items);
        for (int64_t k = 0; k < count; k++) {
            p->item[first + k] = row[k].item;
        }
    }
    free(row);
    return INLAY_OK;
}

/* Reads and entries of every module, in the order in which they are due. */
static int own_items(plan *p, inlay_diag *diag)
{
    const inlay_app *app = p->app;
    const int64_t *begin = p->sent.begin;
    size_t n = (size_t)app->modules;
    p->own_begin = memory_zeroed(n + 1, sizeof *p->own_begin);
    if (p->own_begin == NULL) {
        return diag_no_memory(diag);
    }
    each_read(p, p->own_begin, NULL);
    for (inlay_id i = 0; i < app->modules; i++) {
        p->own_begin[i + 1] += p->own_begin[i] + begin[i + 1] - begin[i];
    }
    p->item = memory_array((size_t)p->own_begin[n], sizeof *p->item);
    if (p->item == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        for (int64_t e = begin[i]; e < begin[i + 1]; e++) {
            p->item[p->own_begin[i]++] = e;
        }
    }
    each_read(p, p->own_begin, p->item);
    memmove(p->own_begin + 1, p->own_begin, n * sizeof *p->own_begin);
    p->own_begin[0] = 0;
    p->item_begin = p->own_begin;
    return sort_items(p, diag);
}

/* Of the copies of a datum the first that is sent is the one that is not further. */
static int mark_further(plan *p, inlay_diag *diag)
{
    uint8_t *seen = memory_zeroed((size_t)p->app->data, sizeof *seen);
    if (seen == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t k = 0; k < p->own_begin[p->app->modules]; k++) {
        int64_t item = p->item[k];
        sent_copy *copy = item >= 0 ? sent_at(&p->sent, item).copy : NULL;
        if (copy != NULL) {
            copy->further = seen[copy->datum];
            seen[copy->datum] = 1;
        }
    }
    free(seen);
    return INLAY_OK;
}

static void count_crossing(plan *p)
{
    for (inlay_id i = 0; i < p->app->modules; i++) {
        for (int64_t k = p->item_begin[i]; k < p->item_begin[i + 1]; k++) {
            p->crossing += plan_crosses(p, i, plan_link(p, k));
        }
    }
}

/* ---- The whole ---- */

static bool draws(const plan *p)
{
    bool transfers = p->alone.kind != FABRIC_NONE && spread_is_random(&p->options.transfer_time);
    bool memories = p->fabric.kind != FABRIC_NONE && p->fabric.draws_memory;
    bool messages = inlay_mapping_summary(p->mapping)->traffic > 0 || inlay_mapping_summary(p->mapping)->messages > 0;
    return module_times_random(&p->times) || (messages && (transfers || memories));
}

/* What each module sends, and when. */
static int plan_items(plan *p, inlay_diag *diag)
{
    if (mapping_sent(p->mapping, &p->sent) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    p->item_begin = p->sent.begin;
    p->copies = p->sent.before != NULL;
    return INLAY_OK;
}

static bool is_early(const void *context, inlay_id module, int64_t entry)
{
    const plan *p = context;
    return plan_due(p, module, entry) < plan_time(p, p->processor[p->cluster_of[module]].type_time, module);
}

/* Messages that are free keep nobody. */
static bool has_overheads(const plan *p)
{
    return p->options.contention != INLAY_CONTENTION_FREE && interconnect_has_overheads(&p->network);
}

/* Of every cluster; the caller's to free. NULL when out of memory. */
static inlay_id *list_processors(const plan *p)
{
    inlay_id *processor = memory_array((size_t)p->processors, sizeof *processor);
    for (inlay_id c = 0; processor != NULL && c < p->processors; c++) {
        processor[c] = p->processor[c].processor;
    }
    return processor;
}

static int plan_overheads(plan *p, inlay_diag *diag)
{
    inlay_id *processor = list_processors(p);
    overheads_at at = {&p->network, p->cluster_of, processor, p->grain, p->streamed ? is_early : NULL, p};
    int status = processor == NULL ? INLAY_NO_MEMORY : overheads_make(&p->sent, &at, &p->overheads);
    free(processor);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

/* Messages that are free wait for nobody. */
static int plan_rendezvous(plan *p, inlay_diag *diag)
{
    rendezvous_clear(&p->rendezvous);
    if (p->options.contention == INLAY_CONTENTION_FREE || p->network.rendezvous_above == INT64_MAX) {
        return INLAY_OK;
    }
    inlay_id *processor = list_processors(p);
    int status = processor == NULL ? INLAY_NO_MEMORY
                                   : rendezvous_make(&p->sent, &p->network, p->cluster_of, processor, &p->rendezvous);
    free(processor);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

static int order_items(plan *p, inlay_diag *diag)
{
    if (!p->streamed && p->app->blocks == 0 && !has_overheads(p)) {
        return INLAY_OK;
    }
    overheads_clear(&p->overheads);
    if (has_overheads(p) && plan_overheads(p, diag) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    int status = own_items(p, diag);
    return status == INLAY_OK && p->copies ? mark_further(p, diag) : status;
}

int plan_move(plan *p, inlay_diag *diag)
{
    int status = INLAY_OK;
    if (p->copies) {
        sent_clear(&p->sent);
        status = plan_items(p, diag);
    }
    if (status == INLAY_OK && p->item != NULL) {
        free(p->item);
        free(p->own_begin);
        p->item = p->own_begin = NULL;
        status = order_items(p, diag);
    }
    return status == INLAY_OK ? plan_rendezvous(p, diag) : status;
}

static int make(const inlay_mapping *mapping, const inlay_simulation_options *options, bool moving, plan *result,
                inlay_diag *diag)
{
    plan p = {.mapping = mapping, .app = inlay_mapping_app(mapping), .options = complete_options(options)};
    p.moving = moving;
    p.grain = pow(10, p.app->decimals);
    p.streamed = inlay_mapping_summary(mapping)->streamed;
    p.cluster_of = mapping->cluster_of;
    int status = check_options(&p, diag);
    status = status == INLAY_OK ? module_times_make(p.app, &p.options.module_time, &p.times, diag) : status;
    p.options.contention = contention_of(inlay_mapping_machine(mapping), p.options.contention);
    if (status == INLAY_OK) {
        status = plan_items(&p, diag);
    }
    if (status == INLAY_OK) {
        status = plan_processors(&p, diag);
    }
    if (status == INLAY_OK) {
        status = plan_network(&p, diag);
    }
    if (status == INLAY_OK) {
        plan_memory(&p, diag);
        status = order_items(&p, diag);
    }
    if (status == INLAY_OK) {
        status = plan_rendezvous(&p, diag);
    }
    if (status != INLAY_OK) {
        plan_clear(&p);
        return status;
    }
    if (p.options.record && p.options.contention != INLAY_CONTENTION_FREE) {
        count_crossing(&p);
    }
    p.random = draws(&p);
    p.options.processor_scale = NULL; /* the caller's, and read */
    *result = p;
    return INLAY_OK;
}

int plan_make(const inlay_mapping *mapping, const inlay_simulation_options *options, plan *result, inlay_diag *diag)
{
    return make(mapping, options, false, result, diag);
}

int plan_make_moving(const inlay_mapping *mapping, const inlay_simulation_options *options, plan *result,
                     inlay_diag *diag)
{
    return make(mapping, options, true, result, diag);
}
