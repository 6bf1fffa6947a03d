/* Nodes with accelerators: which versions of data there are, where modules can run, and a plan of who runs what. */
#include "base/diag.h"
#include "runtime/nodes.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void nodes_plan_clear(node_plan *n)
{
    if (n != NULL) {
        links_plan_free(n->links);
    }
}

/* ---- Data ---- */

/* Data are told twice: counted first, then put. */
typedef struct item_list {
    runtime_plan *p;
    const interconnect *network;
    inlay_id items;
    bool put;
} item_list;

static void add_item(item_list *list, const char *name, inlay_id producer, int64_t messages, int64_t bytes,
                     const inlay_id *reader, int64_t readers)
{
    node_plan *n = list->p->nodes;
    runtime_input in = {0};
    bool sent = runtime_input_make(list->p, list->network, &in, messages, bytes);
    if (readers == 0 || (bytes == 0 && (list->network->in_bytes || !sent))) {
        return; /* who waits for it is known without */
    }
    for (int64_t k = 0; k < readers; k++) {
        int64_t at = n->read_begin[reader[k]]++;
        if (list->put) {
            n->read[at] = list->items;
        }
    }
    if (producer >= 0) {
        int64_t at = n->write_begin[producer]++;
        if (list->put) {
            n->write[at] = list->items;
        }
    }
    if (list->put) {
        n->item[list->items] = (node_item){.name = name,
                                           .bytes = bytes,
                                           .traffic = in.share * (double)in.messages,
                                           .latency = in.latency,
                                           .producer = producer,
                                           .readers = (inlay_id)readers};
    }
    list->items++;
}

/* Blocks, then what every module sends: links by themselves, then its data. */
static void add_items(item_list *list)
{
    const inlay_app *app = list->p->app;
    const int64_t *messages = app->data > 0 ? app->own_messages : app->out_messages;
    const int64_t *bytes = app->data > 0 ? app->own_bytes : app->out_bytes;
    for (inlay_id b = 0; b < app->blocks; b++) {
        add_item(list, app->name[app->modules + b], -1, 1, app->block_size[b], app->use_module + app->use_begin[b],
                 app->use_begin[b + 1] - app->use_begin[b]);
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) && messages[l] >= 0) {
                add_item(list, NULL, i, messages[l], bytes[l], &app->out_to[l], 1);
            }
        }
        for (inlay_id d = app->data > 0 ? app->data_begin[i] : 0; app->data > 0 && d < app->data_begin[i + 1]; d++) {
            add_item(list, app->datum_name[d], i, app->datum_messages[d], app->datum_bytes[d],
                     app->consumer + app->consumer_begin[d], app->consumer_begin[d + 1] - app->consumer_begin[d]);
        }
    }
}

/* Counts become where the rows begin. */
static void open_rows(int64_t *begin, inlay_id rows)
{
    int64_t sum = 0;
    for (inlay_id i = 0; i <= rows; i++) {
        int64_t count = begin[i];
        begin[i] = sum;
        sum += i < rows ? count : 0;
    }
}

/* Where they end become where they begin. */
static void close_rows(int64_t *begin, inlay_id rows)
{
    memmove(begin + 1, begin, (size_t)rows * sizeof *begin);
    begin[0] = 0;
}

/* A module that reads a datum and makes one of its name makes the next version of it. */
static void find_versions(node_plan *n, inlay_id modules)
{
    for (inlay_id i = 0; i < modules; i++) {
        for (int64_t w = n->write_begin[i]; w < n->write_begin[i + 1]; w++) {
            const char *name = n->item[n->write[w]].name;
            n->replaces[w] = -1;
            for (int64_t k = n->read_begin[i]; name != NULL && k < n->read_begin[i + 1]; k++) {
                const char *read = n->item[n->read[k]].name;
                n->replaces[w] = read != NULL && strcmp(read, name) == 0 ? n->read[k] : n->replaces[w];
            }
            if (n->replaces[w] >= 0) {
                n->item[n->replaces[w]].renewed = true;
            }
        }
    }
}

static int plan_items(runtime_plan *p, const interconnect *network, inlay_diag *diag)
{
    node_plan *n = p->nodes;
    inlay_id modules = p->app->modules;
    item_list list = {.p = p, .network = network};
    n->read_begin = pool_zeroed(&p->pool, (size_t)modules + 1, sizeof *n->read_begin);
    n->write_begin = pool_zeroed(&p->pool, (size_t)modules + 1, sizeof *n->write_begin);
    if (p->pool.failed) {
        return diag_no_memory(diag);
    }
    add_items(&list);
    n->items = list.items;
    open_rows(n->read_begin, modules);
    open_rows(n->write_begin, modules);
    size_t writes = (size_t)n->write_begin[modules];
    n->item = pool_array(&p->pool, (size_t)n->items, sizeof *n->item);
    n->read = pool_array(&p->pool, (size_t)n->read_begin[modules], sizeof *n->read);
    n->write = pool_array(&p->pool, writes, sizeof *n->write);
    n->replaces = pool_array(&p->pool, writes, sizeof *n->replaces);
    if (p->pool.failed) {
        return diag_no_memory(diag);
    }
    list = (item_list){.p = p, .network = network, .put = true};
    add_items(&list);
    close_rows(n->read_begin, modules);
    close_rows(n->write_begin, modules);
    find_versions(n, modules);
    return INLAY_OK;
}

/* ---- Nodes ---- */

static int plan_memories(runtime_plan *p, inlay_diag *diag)
{
    node_plan *n = p->nodes;
    n->nodes = inlay_machine_hosts(p->machine);
    n->main = inlay_machine_main(p->machine);
    p->hosts = n->nodes;
    if (n->nodes > NODES_MOST) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "the machine has %" PRId32 " memories and a main one; expected at most %d", n->nodes,
                         NODES_MOST);
    }
    n->capacity = pool_array(&p->pool, (size_t)n->nodes, sizeof *n->capacity);
    n->worker = pool_array(&p->pool, (size_t)n->nodes, sizeof *n->worker);
    if (p->pool.failed) {
        return diag_no_memory(diag);
    }
    for (inlay_id k = inlay_machine_processors(p->machine) - 1; k >= 0; k--) {
        inlay_id node = inlay_machine_host(p->machine, k);
        n->worker[node] = k < p->cores ? k : -1;
        n->capacity[node] = inlay_machine_processor(p->machine, k).memory;
    }
    return INLAY_OK;
}

/* Main memory keeps whatever is taken out elsewhere: so it has to hold all that there is at once. */
static int check_main(const node_plan *n, inlay_id modules, inlay_diag *diag)
{
    int64_t all = 0, has = n->capacity[n->main];
    for (inlay_id k = 0; k < n->items; k++) {
        all += n->item[k].producer < 0 ? n->item[k].bytes : 0;
    }
    for (int64_t w = 0; w < n->write_begin[modules]; w++) {
        int64_t own = n->item[n->write[w]].bytes, old = n->replaces[w] < 0 ? 0 : n->item[n->replaces[w]].bytes;
        all += own > old ? own - old : 0;
    }
    n->capacity[n->main] = -1;
    return has < 0 || all <= has ? INLAY_OK
                                 : diag_fail(diag, INLAY_NO_ANSWER,
                                             "main memory has %" PRId64 " bytes, and all data together take %" PRId64
                                             "; expected memory for all of them",
                                             has, all);
}

static int64_t room_for(const node_plan *n, inlay_id module)
{
    int64_t bytes = 0;
    for (int64_t k = n->read_begin[module]; k < n->read_begin[module + 1]; k++) {
        bytes += n->item[n->read[k]].bytes;
    }
    for (int64_t k = n->write_begin[module]; k < n->write_begin[module + 1]; k++) {
        bytes += n->item[n->write[k]].bytes;
    }
    return bytes;
}

static void find_nodes(const runtime_plan *p, inlay_id module)
{
    node_plan *n = p->nodes;
    int64_t bytes = room_for(n, module);
    n->may[module] = 0;
    n->least[module] = INFINITY;
    for (inlay_id node = 0; node < n->nodes; node++) {
        double time = n->worker[node] < 0 ? INFINITY : runtime_time(p, module, n->worker[node]);
        if (isfinite(time) && (n->capacity[node] < 0 || bytes <= n->capacity[node])) {
            n->may[module] |= UINT64_C(1) << node;
            n->least[module] = fmin(n->least[module], time);
        }
    }
}

static int plan_places(runtime_plan *p, inlay_diag *diag)
{
    node_plan *n = p->nodes;
    size_t modules = (size_t)p->app->modules;
    n->may = pool_array(&p->pool, modules, sizeof *n->may);
    n->least = pool_array(&p->pool, modules, sizeof *n->least);
    n->level = pool_array(&p->pool, modules, sizeof *n->level);
    if (p->pool.failed) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->app->modules; i++) {
        find_nodes(p, i);
        if (n->may[i] == 0) {
            return diag_fail(
                diag, INLAY_NO_ANSWER,
                "module %s, whose data take %" PRId64
                " bytes, can run nowhere; expected a processor of a type that runs it, with memory for them",
                p->app->name[i], room_for(n, i));
        }
    }
    for (inlay_id at = p->app->modules - 1; at >= 0; at--) {
        inlay_id i = p->app->topological[at];
        double behind = 0;
        for (int64_t l = p->app->out_begin[i]; l < p->app->out_begin[i + 1]; l++) {
            bool waits = !(p->app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
            behind = waits ? fmax(behind, n->level[p->app->out_to[l]]) : behind;
        }
        n->level[i] = n->least[i] + behind;
        n->path = fmax(n->path, n->level[i]);
    }
    return INLAY_OK;
}

/* Modules that can run on the same nodes are of one set. */
static int plan_sets(runtime_plan *p, inlay_diag *diag)
{
    node_plan *n = p->nodes;
    size_t modules = (size_t)p->app->modules;
    n->set_of = pool_array(&p->pool, modules, sizeof *n->set_of);
    n->set = pool_array(&p->pool, modules, sizeof *n->set);
    n->set_begin = pool_zeroed(&p->pool, modules + 1, sizeof *n->set_begin);
    if (p->pool.failed) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < modules; i++) {
        int32_t s = 0;
        while (s < n->sets && n->set[s] != n->may[i]) {
            s++;
        }
        n->set[s] = n->may[i];
        n->sets += s == n->sets;
        n->set_of[i] = s;
        n->set_begin[s + 1]++;
    }
    for (int32_t s = 0; s < n->sets; s++) {
        n->set_begin[s + 1] += n->set_begin[s];
    }
    return INLAY_OK;
}

static int plan_routes(runtime_plan *p, const interconnect *network, inlay_diag *diag)
{
    node_plan *n = p->nodes;
    link_pairs pairs = {0};
    inlay_id *first = memory_zeroed((size_t)n->nodes, sizeof *first);
    bool room = first != NULL;
    for (inlay_id k = inlay_machine_processors(p->machine) - 1; room && k >= 0; k--) {
        first[inlay_machine_host(p->machine, k)] = k;
    }
    for (inlay_id at = 0; room && at < n->nodes * n->nodes; at++) {
        room = at / n->nodes == at % n->nodes || link_pairs_add(&pairs, at / n->nodes, at % n->nodes);
    }
    int status = room ? links_plan_make(network, p->grain, &pairs, first, n->nodes, &n->links) : INLAY_NO_MEMORY;
    free(first);
    free(pairs.pair);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

/* ---- A plan ---- */

typedef struct ranked {
    double level;
    inlay_id at, module;
} ranked;

static int by_level(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->level > y->level ? -1 : x->level < y->level ? 1 : (x->at > y->at) - (x->at < y->at);
}

/* When all that a module reads could be on a node, nobody being on the links. */
static double data_there(const runtime_plan *p, inlay_id module, inlay_id node, const double *end)
{
    const node_plan *n = p->nodes;
    double there = 0;
    for (int64_t k = n->read_begin[module]; k < n->read_begin[module + 1]; k++) {
        inlay_id item = n->read[k], maker = n->item[item].producer;
        inlay_id from = maker < 0 ? n->main : p->processor[n->planned[maker]].host;
        double made = maker < 0 ? 0 : end[maker];
        there = fmax(there, from == node ? made : made + nodes_idle(p, item, from, node));
    }
    for (int64_t l = p->app->in_begin[module]; l < p->app->in_begin[module + 1]; l++) {
        there = fmax(there, end[p->app->in_from[l]]);
    }
    return there;
}

/* To the processor that ends it first, those with the longest way to the end before others: HEFT without gaps. */
static void place_one(const runtime_plan *p, inlay_id module, double *end, double *free_at)
{
    const node_plan *n = p->nodes;
    double there = 0;
    inlay_id node = -1, best = -1;
    end[module] = INFINITY;
    for (inlay_id k = 0; k < p->cores; k++) {
        inlay_id at = p->processor[k].host;
        if ((n->may[module] >> at & 1) == 0) {
            continue;
        }
        there = at == node ? there : data_there(p, module, at, end);
        node = at;
        double ends = fmax(there, free_at[k]) + p->overhead + runtime_time(p, module, k);
        best = best < 0 || ends < end[module] ? k : best;
        end[module] = fmin(end[module], ends);
    }
    free_at[best] = end[module];
    n->planned[module] = best;
}

static int plan_ahead(runtime_plan *p, inlay_diag *diag)
{
    size_t modules = (size_t)p->app->modules;
    p->nodes->planned = pool_array(&p->pool, modules, sizeof *p->nodes->planned);
    ranked *order = memory_array(modules, sizeof *order);
    double *end = memory_array(modules, sizeof *end), *free_at = memory_zeroed((size_t)p->cores, sizeof *free_at);
    bool room = !p->pool.failed && order != NULL && end != NULL && free_at != NULL;
    for (inlay_id at = 0; room && at < p->app->modules; at++) {
        inlay_id i = p->app->topological[at];
        order[at] = (ranked){p->nodes->level[i], at, i};
    }
    if (room) {
        qsort(order, modules, sizeof *order, by_level);
    }
    for (size_t at = 0; room && at < modules; at++) {
        place_one(p, order[at].module, end, free_at);
    }
    free(order);
    free(end);
    free(free_at);
    return room ? INLAY_OK : diag_no_memory(diag);
}

/* ---- The whole ---- */

int nodes_plan_make(runtime_plan *p, inlay_diag *diag)
{
    network_unit unit = {p->app->unit, p->options.tick_seconds, p->app->label};
    interconnect network;
    p->nodes = pool_zeroed(&p->pool, 1, sizeof *p->nodes);
    if (p->nodes == NULL) {
        return diag_no_memory(diag);
    }
    int status = interconnect_make(p->machine, &unit, &network, diag);
    if (status != INLAY_OK) {
        return status;
    }
    fabric_plan plain = {0};
    fabric_plan_make(&network, p->grain, p->cores, &plain);
    p->nodes->numerator = plain.numerator;
    status = plan_memories(p, diag);
    status = status == INLAY_OK ? plan_items(p, &network, diag) : status;
    status = status == INLAY_OK ? check_main(p->nodes, p->app->modules, diag) : status;
    status = status == INLAY_OK ? plan_places(p, diag) : status;
    status = status == INLAY_OK ? plan_sets(p, diag) : status;
    status = status == INLAY_OK ? plan_routes(p, &network, diag) : status;
    status = status == INLAY_OK ? plan_ahead(p, diag) : status;
    interconnect_clear(&network);
    return status;
}

/* ---- Runs ---- */

bool nodes_run_make(runtime_run *r)
{
    const runtime_plan *p = r->plan;
    const node_plan *n = p->nodes;
    size_t modules = (size_t)p->app->modules, items = (size_t)n->items, nodes = (size_t)n->nodes;
    node_run *s = r->nodes = pool_zeroed(&r->pool, 1, sizeof *s);
    if (s == NULL) {
        return false;
    }
    s->plan = n;
    s->copy = items == 0 ? NULL : pool_array(&r->pool, items * nodes, sizeof *s->copy);
    s->memory = pool_zeroed(&r->pool, nodes, sizeof *s->memory);
    s->left = pool_array(&r->pool, items, sizeof *s->left);
    s->copies = pool_array(&r->pool, items, sizeof *s->copies);
    s->until = pool_array(&r->pool, (size_t)n->links->links, sizeof *s->until);
    s->carried = pool_array(&r->pool, (size_t)n->links->links, sizeof *s->carried);
    s->reserved = pool_array(&r->pool, (size_t)p->cores, sizeof *s->reserved);
    s->stale = pool_array(&r->pool, (size_t)p->cores, sizeof *s->stale);
    s->queued_at = pool_array(&r->pool, modules, sizeof *s->queued_at);
    s->heap = pool_array(&r->pool, modules, sizeof *s->heap);
    s->waits = pool_array(&r->pool, (size_t)n->sets, sizeof *s->waits);
    s->stands = pool_array(&r->pool, (size_t)n->sets, (size_t)p->cores * sizeof *s->stands);
    s->key = pool_array(&r->pool, modules, sizeof *s->key);
    return !r->pool.failed;
}

void nodes_reset(runtime_run *r)
{
    node_run *s = r->nodes;
    const node_plan *n = s->plan;
    for (inlay_id node = 0; node < n->nodes; node++) {
        s->memory[node] = (node_memory){.first = -1, .last = -1};
    }
    for (int64_t at = 0; at < (int64_t)n->items * n->nodes; at++) {
        s->copy[at] = (node_copy){.there = INFINITY};
    }
    for (inlay_id k = 0; k < n->items; k++) {
        s->left[k] = n->item[k].readers;
        s->copies[k] = n->item[k].producer < 0;
        if (n->item[k].producer < 0) {
            node_memory *m = &s->memory[n->main];
            nodes_copy(s, k, n->main)->there = 0;
            nodes_line_up(s, k, n->main);
            m->used += n->item[k].bytes;
        }
    }
    s->memory[n->main].peak = s->memory[n->main].used;
    for (inlay_id k = 0; k < n->links->links; k++) {
        s->until[k] = 0;
        s->carried[k] = 0;
    }
    memset(s->stale, 0, (size_t)r->plan->cores * sizeof *s->stale);
    memset(s->waits, 0, (size_t)n->sets * sizeof *s->waits);
    memset(s->stands, 0, (size_t)n->sets * (size_t)r->plan->cores * sizeof *s->stands);
    s->sequence = 0;
    s->wish = 0;
    s->moved = s->transfers = s->inputs = s->hits = 0;
}
