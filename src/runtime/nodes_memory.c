/* Copies of data: who has which, what is taken out for it, and how it comes. */
#include "runtime/nodes.h"
#include "runtime/schedulers.h"
#include <string.h>

/* ---- Transfers ---- */

/* One link after the other; `until` is NULL where they are idle. When all of it is there. */
static double pass(const runtime_plan *p, double *until, const node_item *item, inlay_id from, inlay_id to, double ask)
{
    const node_plan *n = p->nodes;
    if (p->options.contention == INLAY_CONTENTION_FREE) {
        return ask;
    }
    link_route route = links_plan_route(n->links, from, to);
    double now = ask, before = ask;
    for (const inlay_id *at = route.at; at < route.end; at++) {
        const link_figures *link = &n->links->link[*at];
        double idle = 0;
        link_passage passage =
            link_pass(link, until == NULL ? &idle : &until[*at], now, item->traffic * n->numerator, before);
        before = passage.end + link->latency;
        now = link_leave(n->links, link, &passage, 1);
    }
    return before + item->latency;
}

double nodes_idle(const runtime_plan *p, inlay_id item, inlay_id from, inlay_id to)
{
    return pass(p, NULL, &p->nodes->item[item], from, to, 0);
}

/* Where a copy comes from: main memory, else whoever is nearest; where nobody has it yet, who has it first. */
static inlay_id source_of(const runtime_run *r, inlay_id item, inlay_id to, double now)
{
    const node_run *n = r->nodes;
    inlay_id nodes = n->plan->nodes, best = -1;
    double least = INFINITY;
    if (nodes_copy(n, item, n->plan->main)->there <= now) {
        return n->plan->main;
    }
    for (inlay_id from = 0; from < nodes; from++) {
        bool has = from != to && nodes_copy(n, item, from)->there <= now;
        double takes = has ? nodes_idle(r->plan, item, from, to) : INFINITY;
        best = has && (best < 0 || takes < least) ? from : best;
        least = takes < least ? takes : least;
    }
    for (inlay_id from = 0; best < 0 && from < nodes; from++) {
        least = fmin(least, nodes_copy(n, item, from)->there);
    }
    for (inlay_id from = 0; best < 0 && from < nodes; from++) {
        best = nodes_copy(n, item, from)->there <= least ? from : -1;
    }
    return best;
}

double nodes_expected(const runtime_run *r, inlay_id module, inlay_id node, double now)
{
    const node_plan *p = r->nodes->plan;
    double sum = 0;
    for (int64_t k = p->read_begin[module]; k < p->read_begin[module + 1]; k++) {
        inlay_id item = p->read[k];
        if (isinf(nodes_copy(r->nodes, item, node)->there)) {
            sum += nodes_idle(r->plan, item, source_of(r, item, node, now), node);
        }
    }
    return sum;
}

int64_t nodes_missing(const runtime_run *r, inlay_id module, inlay_id node)
{
    const node_plan *p = r->nodes->plan;
    int64_t sum = 0;
    for (int64_t k = p->read_begin[module]; k < p->read_begin[module + 1]; k++) {
        sum += isinf(nodes_copy(r->nodes, p->read[k], node)->there) ? p->item[p->read[k]].bytes : 0;
    }
    return sum;
}

/* ---- Copies ---- */

void nodes_line_up(node_run *n, inlay_id item, inlay_id node)
{
    node_memory *m = &n->memory[node];
    node_copy *c = nodes_copy(n, item, node);
    c->before = m->last;
    c->behind = -1;
    *(m->last < 0 ? &m->first : &nodes_copy(n, m->last, node)->behind) = item;
    m->last = item;
}

static void step_out(node_run *n, inlay_id item, inlay_id node)
{
    node_memory *m = &n->memory[node];
    const node_copy *c = nodes_copy(n, item, node);
    *(c->before < 0 ? &m->first : &nodes_copy(n, c->before, node)->behind) = c->behind;
    *(c->behind < 0 ? &m->last : &nodes_copy(n, c->behind, node)->before) = c->before;
}

static void touch(node_run *n, inlay_id item, inlay_id node, double now)
{
    nodes_copy(n, item, node)->used = now;
    step_out(n, item, node);
    nodes_line_up(n, item, node);
}

static void add_copy(node_run *n, inlay_id item, inlay_id node, double there, double now)
{
    node_memory *m = &n->memory[node];
    *nodes_copy(n, item, node) = (node_copy){.there = there, .used = now};
    nodes_line_up(n, item, node);
    m->used += n->plan->item[item].bytes;
    m->peak = m->used > m->peak ? m->used : m->peak;
    n->copies[item]++;
}

static void drop_copy(node_run *n, inlay_id item, inlay_id node)
{
    node_memory *m = &n->memory[node];
    node_copy *c = nodes_copy(n, item, node);
    step_out(n, item, node);
    c->there = INFINITY;
    m->used -= n->plan->item[item].bytes;
    n->copies[item]--;
}

static void pin(node_run *n, inlay_id item, inlay_id node, double now)
{
    node_copy *c = nodes_copy(n, item, node);
    n->memory[node].pinned += c->pins++ == 0 ? n->plan->item[item].bytes : 0;
    touch(n, item, node, now);
}

static void unpin(node_run *n, inlay_id item, inlay_id node, double now)
{
    node_copy *c = nodes_copy(n, item, node);
    n->memory[node].pinned -= --c->pins == 0 ? n->plan->item[item].bytes : 0;
    touch(n, item, node, now);
}

/* A copy more, asked for at `ask` at the earliest; returns when it is there. */
static double send(runtime_run *r, inlay_id item, inlay_id from, inlay_id to, double ask, double now)
{
    node_run *n = r->nodes;
    const node_plan *p = n->plan;
    bool queues = r->plan->options.contention == INLAY_CONTENTION_QUEUES;
    double there = pass(r->plan, queues ? n->until : NULL, &p->item[item], from, to, ask);
    link_route route = links_plan_route(p->links, from, to);
    for (const inlay_id *at = route.at; at < route.end; at++) {
        n->carried[*at] += p->item[item].bytes;
    }
    node_copy *c = nodes_copy(n, item, from);
    c->busy = there > c->busy ? there : c->busy;
    n->moved += p->item[item].bytes;
    n->transfers++;
    n->memory[to].loaded += p->item[item].bytes;
    add_copy(n, item, to, there, now);
    return there;
}

/* ---- Room ---- */

/* What the first modules of a core's queue read is wanted from now on, and nothing else is. */
static void wish(runtime_run *r, inlay_id core)
{
    node_run *n = r->nodes;
    const node_plan *p = n->plan;
    inlay_id node = r->plan->processor[core].host, depth = r->plan->options.prefetch;
    const task_queue *q = &r->core[core].queue;
    bool last = r->scheduler->last_first;
    n->wish++;
    for (inlay_id i = last ? q->last : q->first; i >= 0 && depth > 0; i = (last ? r->before : r->behind)[i], depth--) {
        for (int64_t k = p->read_begin[i]; k < p->read_begin[i + 1]; k++) {
            nodes_copy(n, p->read[k], node)->wanted = n->wish;
        }
    }
}

/* How willingly a copy is given away: 0 unwanted, 1 wanted, 2 it is in use or on its way; 3 held by a module. */
static int reluctance(const node_run *n, const node_copy *c, double now)
{
    return c->pins > 0 ? 3 : c->there > now || c->busy > now ? 2 : c->wanted == n->wish;
}

/* The copy that goes first: least recently used, or free first; by number. -1: none. */
static inlay_id victim_of(const node_run *n, inlay_id node, int most, double now)
{
    inlay_id best = -1;
    int least = most + 1;
    double first = 0;
    const node_copy *c;
    for (inlay_id item = n->memory[node].first; item >= 0; item = c->behind) {
        c = nodes_copy(n, item, node);
        if (least == 0 && c->used > first) {
            return best;
        }
        int own = reluctance(n, c, now);
        double at = own == 2 ? fmax(c->there, c->busy) : c->used;
        bool ahead = own < least || (own == least && best >= 0 && (at < first || (at <= first && item < best)));
        if (ahead) {
            best = item;
            least = own;
            first = at;
        }
    }
    return best;
}

/* Where it is the only copy, it goes back to main memory first. */
static void evict(runtime_run *r, inlay_id item, inlay_id node, double now)
{
    node_run *n = r->nodes;
    node_memory *m = &n->memory[node];
    const node_copy *c = nodes_copy(n, item, node);
    double out = fmax(now, fmax(c->there, c->busy));
    if (n->copies[item] == 1) {
        out = send(r, item, node, n->plan->main, out, now);
        m->write_backs++;
    }
    m->room = out > m->room ? out : m->room;
    m->evictions++;
    drop_copy(n, item, node);
}

/* Room for so many bytes, taken from copies that are given so willingly. */
static bool make_room(runtime_run *r, inlay_id node, int64_t bytes, int most, double now)
{
    node_run *n = r->nodes;
    const node_memory *m = &n->memory[node];
    int64_t capacity = n->plan->capacity[node];
    while (capacity >= 0 && bytes > capacity - m->used) {
        inlay_id victim = victim_of(n, node, most, now);
        if (victim < 0) {
            return false;
        }
        evict(r, victim, node, now);
    }
    return true;
}

/* It has room: when it is there. */
static double fetch_item(runtime_run *r, inlay_id item, inlay_id node, double now)
{
    const node_run *n = r->nodes;
    inlay_id from = source_of(r, item, node, now);
    double ask = fmax(now, nodes_copy(n, item, from)->there);
    return send(r, item, from, node, fmax(ask, n->memory[node].room), now);
}

/* ---- Modules ---- */

/* Room that the outputs of a module take beside what is there: those that nobody else reads are written over. */
static int64_t new_room(const node_run *n, inlay_id module)
{
    const node_plan *p = n->plan;
    int64_t sum = 0;
    for (int64_t k = p->write_begin[module]; k < p->write_begin[module + 1]; k++) {
        inlay_id old = p->replaces[k];
        int64_t bytes = p->item[p->write[k]].bytes - (old >= 0 && n->left[old] == 1 ? p->item[old].bytes : 0);
        sum += bytes > 0 ? bytes : 0;
    }
    return sum;
}

static bool has_room(const node_run *n, inlay_id module, inlay_id node, int64_t outputs)
{
    const node_plan *p = n->plan;
    int64_t need = outputs + n->memory[node].pinned;
    for (int64_t k = p->read_begin[module]; k < p->read_begin[module + 1]; k++) {
        const node_copy *c = nodes_copy(n, p->read[k], node);
        need += isinf(c->there) || c->pins == 0 ? p->item[p->read[k]].bytes : 0;
    }
    return p->capacity[node] < 0 || need <= p->capacity[node];
}

bool nodes_acquire(runtime_run *r, inlay_id core, double now, double *start)
{
    node_run *n = r->nodes;
    const node_plan *p = n->plan;
    inlay_id node = r->plan->processor[core].host, module = r->core[core].module;
    int64_t outputs = new_room(n, module);
    if (!has_room(n, module, node, outputs)) {
        return false;
    }
    *start = now;
    wish(r, core);
    for (int64_t k = p->read_begin[module]; k < p->read_begin[module + 1]; k++) {
        const node_copy *c = nodes_copy(n, p->read[k], node);
        n->inputs++;
        if (!isinf(c->there)) {
            n->hits++;
            *start = fmax(*start, c->there);
            pin(n, p->read[k], node, now);
        }
    }
    for (int64_t k = p->read_begin[module]; k < p->read_begin[module + 1]; k++) {
        if (isinf(nodes_copy(n, p->read[k], node)->there)) {
            (void)make_room(r, node, p->item[p->read[k]].bytes, 2, now);
            *start = fmax(*start, fetch_item(r, p->read[k], node, now));
            pin(n, p->read[k], node, now);
            r->core[core].fetched++;
        }
    }
    (void)make_room(r, node, outputs, 2, now);
    n->reserved[core] = outputs;
    n->memory[node].used += outputs;
    n->memory[node].pinned += outputs;
    n->memory[node].peak +=
        n->memory[node].used > n->memory[node].peak ? n->memory[node].used - n->memory[node].peak : 0;
    *start = outputs > 0 ? fmax(*start, n->memory[node].room) : *start;
    return true;
}

/* Nobody reads it any more, and there is a newer one. */
static void forget(node_run *n, inlay_id item)
{
    for (inlay_id node = 0; node < n->plan->nodes; node++) {
        if (!isinf(nodes_copy(n, item, node)->there)) {
            drop_copy(n, item, node);
        }
    }
}

void nodes_release(runtime_run *r, inlay_id core, double now)
{
    node_run *n = r->nodes;
    const node_plan *p = n->plan;
    inlay_id node = r->plan->processor[core].host, module = r->core[core].module;
    n->memory[node].used -= n->reserved[core];
    n->memory[node].pinned -= n->reserved[core];
    for (int64_t k = p->read_begin[module]; k < p->read_begin[module + 1]; k++) {
        inlay_id item = p->read[k];
        unpin(n, item, node, now);
        if (--n->left[item] == 0 && p->item[item].renewed) {
            forget(n, item);
        }
    }
    for (int64_t k = p->write_begin[module]; k < p->write_begin[module + 1]; k++) {
        add_copy(n, p->write[k], node, now, now);
    }
}

/* ---- Ahead ---- */

/* Whether what nobody wants leaves so much room. */
static bool could_have(const node_run *n, inlay_id node, int64_t bytes, double now)
{
    const node_memory *m = &n->memory[node];
    int64_t capacity = n->plan->capacity[node], room = capacity - m->used;
    for (inlay_id item = m->first; capacity >= 0 && room < bytes && item >= 0;) {
        const node_copy *c = nodes_copy(n, item, node);
        room += reluctance(n, c, now) == 0 ? n->plan->item[item].bytes : 0;
        item = c->behind;
    }
    return capacity < 0 || room >= bytes;
}

static void prefetch_for(runtime_run *r, inlay_id core, double now)
{
    node_run *n = r->nodes;
    const node_plan *p = n->plan;
    inlay_id node = r->plan->processor[core].host, depth = r->plan->options.prefetch;
    const task_queue *q = &r->core[core].queue;
    bool last = r->scheduler->last_first;
    wish(r, core);
    for (inlay_id i = last ? q->last : q->first; i >= 0 && depth > 0; i = (last ? r->before : r->behind)[i], depth--) {
        for (int64_t k = p->read_begin[i]; k < p->read_begin[i + 1]; k++) {
            int64_t bytes = p->item[p->read[k]].bytes;
            if (!isinf(nodes_copy(n, p->read[k], node)->there)) {
                continue;
            }
            if (!could_have(n, node, bytes, now) || !make_room(r, node, bytes, 0, now)) {
                return;
            }
            (void)fetch_item(r, p->read[k], node, now);
            nodes_copy(n, p->read[k], node)->wanted = n->wish;
            r->core[core].fetched++;
        }
    }
}

void nodes_prefetch(runtime_run *r, double now)
{
    for (inlay_id k = 0; k < r->plan->cores; k++) {
        if (r->nodes->stale[k]) {
            r->nodes->stale[k] = false;
            prefetch_for(r, k, now);
        }
    }
}
