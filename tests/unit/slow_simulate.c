/* The slow simulator: one list for everything, looked through from end to end. */
#include "slow_simulate.h"

#include "simulate/random.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t never = INT64_MAX;

/** What becomes due while a module runs: a link, or the read of a data block. */
typedef struct item {
    int64_t link;
    int module; /**< whose it is */
    int to;     /**< module that waits, -1 none */
    int there;  /**< cluster at the other end */
    bool read;
    int64_t after; /**< due so long after the module's start */
    int datum;     /**< which is copied there, -1 none */
    int by;        /**< the cluster that sends it */
    int rank;      /**< in trees: of the copy among the holders of the datum; 0: is none */
    int64_t had;   /**< when that cluster had the datum, where another than the producer's sends it; -1 not yet */
    int64_t messages, visits, service, latency;
    int64_t whole;    /**< of a screen, messages and visits that this one stands for; else 1 */
    int block_memory; /**< -1: drawn */
    bool released;
    int number; /**< in the result; -1 before its first request */
} item;

typedef struct processor {
    inlay_cluster_info info;
    int at;
    bool running;
    int64_t free_at, held_until;
    int queue[SLOW_RUN_MESSAGES], queued; /**< items that are due, in order */
    int sending;                          /**< item, or -1 */
    int64_t left, visits;
} processor;

/** A request in the network. */
typedef struct request {
    bool waiting, served;
    int memory, from, to;
    int bus;
    int64_t service, next; /**< next: time of its next event */
    int stage, stages, address;
} request;

typedef struct port {
    int queue[SLOW_RUN_MODULES], queued;
    int64_t free_at;
} port;

typedef struct slow {
    const inlay_mapping *mapping;
    const inlay_app *app;
    const inlay_machine *machine;
    bool streamed, overlap, screen, once, trees;
    int64_t grain;
    int clusters;
    processor *processor;
    item *item;
    int items;
    int64_t satisfied[SLOW_RUN_MODULES]; /**< latest */
    int missing[SLOW_RUN_MODULES];
    int64_t m[SLOW_RUN_MODULES];
    slow_run *run;
    random_streams random;

    inlay_family family;
    int64_t latency;
    double capacity, transfers; /**< messages a grain */
    int buses, memories, stages, size;
    int64_t transit, cycle, packets;
    request request[SLOW_RUN_MODULES];   /**< of each cluster */
    int line[SLOW_RUN_MODULES], waiting; /**< buses: clusters that wait, in order */
    int on_bus[SLOW_RUN_MODULES];        /**< cluster, -1 free */
    bool memory_taken[SLOW_RUN_MODULES];
    port *port; /**< omega: stage by stage */
} slow;

/* ---- The mapping as lists ---- */

static int64_t whole(double x)
{
    ck_assert_double_eq(x, round(x));
    return (int64_t)x;
}

/* A time of the machine; it has to be in the application's unit. */
static int64_t in_grains(const slow *s, inlay_duration time)
{
    ck_assert(time.value.digits == 0 || time.unit == inlay_app_unit(s->app) || time.unit == INLAY_UNIT_NONE);
    return whole(inlay_decimal_double(time.value) * (double)s->grain);
}

/* `transfers`: of each message. */
static void fill_messages(slow *s, item *i, int64_t messages, int64_t bytes, double transfers)
{
    inlay_rate rate;
    bool in_bytes = inlay_machine_capacity(s->machine, &rate) && rate.kind == INLAY_RATE_BYTES;
    int64_t size = inlay_machine_message_size(s->machine);
    if (!in_bytes && size > 0 && bytes > 0) messages = (bytes + size - 1) / size;
    int64_t traffic = in_bytes ? bytes : messages;
    i->messages = messages > 0 ? messages : traffic > 0;
    i->latency = messages * s->latency;
    i->visits = transfers > 1 ? (int64_t)ceil(transfers) : 1;
    if (i->messages > 0 && s->capacity > 0)
        i->service = whole((double)traffic / (double)i->messages * transfers / (double)i->visits / s->capacity);
    i->whole = 1;
    if (!s->screen || i->messages == 0) return;
    i->whole = i->messages * i->visits;
    i->service *= i->whole;
    i->messages = i->visits = 1;
}

static int64_t lag(const slow *s, int from, int to)
{
    if (!s->streamed) return s->m[from];
    int64_t wait = inlay_app_blocking(s->app, to) - inlay_app_blocking(s->app, from);
    if (wait < 0) wait = 0;
    return wait < s->m[from] ? wait : s->m[from];
}

/* The first consumer on a cluster, in the order of links; -1 none. `*after`: when the first of their links is due. */
static int first_there(const slow *s, const inlay_datum *d, int there, int64_t *after)
{
    int first = -1;
    for (int64_t k = 0; k < d->consumers; k++) {
        int j = d->consumer[k];
        if (inlay_mapping_cluster_of(s->mapping, j) != there) continue;
        int64_t due = s->overlap ? lag(s, d->producer, j) : s->m[d->producer];
        if (first < 0 || due < *after) *after = due;
        if (first < 0) first = j;
    }
    return first;
}

/* In trees: place of a cluster among those that get a datum, by the numbers of their processors, from 1 on. */
static int rank_of(const slow *s, const inlay_datum *d, int there)
{
    int64_t due;
    int rank = 1, here = inlay_mapping_cluster_of(s->mapping, d->producer);
    for (int c = 0; c < s->clusters; c++)
        rank += c != here && first_there(s, d, c, &due) >= 0 &&
                s->processor[c].info.processor < s->processor[there].info.processor;
    return rank;
}

/* Holder g sends to g + 2^k for every 2^k above g: which of them sends to that one. */
static int giver_of(int rank)
{
    for (int g = 0; g < rank; g++)
        for (int power = 1; g + power <= rank; power *= 2)
            if (power > g && g + power == rank) return g;
    return -1;
}

/* Who sends a copy, and when the producer does: as soon as it does to anybody who gets it that way. */
static void find_sender(const slow *s, const inlay_datum *d, item *copy)
{
    copy->rank = rank_of(s, d, copy->there);
    int giver = giver_of(copy->rank), here = inlay_mapping_cluster_of(s->mapping, d->producer);
    for (int c = 0; c < s->clusters; c++) {
        int64_t due;
        if (c == here || first_there(s, d, c, &due) < 0) continue;
        int rank = rank_of(s, d, c);
        if (rank == giver) copy->by = c;
        while (rank > copy->rank)
            rank = giver_of(rank);
        if (rank == copy->rank && due < copy->after) copy->after = due;
    }
}

/* Whether a datum goes somewhere else before it goes where this item brings it. */
static bool copied_before(const slow *s, const item *i)
{
    int64_t mine = 0, theirs = 0;
    inlay_datum d = inlay_app_datum(s->app, i->datum);
    int here = inlay_mapping_cluster_of(s->mapping, i->module), first = first_there(s, &d, i->there, &mine);
    for (int c = 0; c < s->clusters; c++) {
        int other = c == here || c == i->there ? -1 : first_there(s, &d, c, &theirs);
        if (other >= 0 && (theirs < mine || (theirs == mine && other < first))) return true;
    }
    return false;
}

static void add_item(slow *s, item i, int64_t messages, int64_t bytes)
{
    ck_assert_int_lt(s->items, SLOW_RUN_MESSAGES);
    i.number = -1;
    i.had = -1;
    if (i.there != inlay_mapping_cluster_of(s->mapping, i.module)) {
        bool written = i.datum >= 0 && (s->size == 0 || s->memories > 0) && s->transfers >= 2 && copied_before(s, &i);
        fill_messages(s, &i, messages, bytes, s->transfers - written);
    }
    if (i.read && i.messages == 0) return;
    if (i.messages > 0 && !s->overlap) i.after = s->m[i.module];
    s->item[s->items++] = i;
}

/* The data whose first link to a processor is this one go there with it; everyone there waits for them. */
static void add_copies(slow *s, const item *link)
{
    for (int n = 0; n < inlay_app_data(s->app); n++) {
        inlay_datum d = inlay_app_datum(s->app, n);
        item copy = *link;
        copy.datum = n;
        if (d.producer != link->module || first_there(s, &d, link->there, &copy.after) != link->to) continue;
        if (s->trees) find_sender(s, &d, &copy);
        add_item(s, copy, d.messages, d.bytes);
        if (s->item[s->items - 1].messages == 0) {
            s->items--;
            continue;
        }
        for (int64_t k = 0; k < d.consumers; k++)
            s->missing[d.consumer[k]] += inlay_mapping_cluster_of(s->mapping, d.consumer[k]) == link->there;
    }
}

static void add_link(slow *s, item link, const inlay_links *out, int64_t l)
{
    bool split = s->once && out->own_messages != NULL;
    int64_t messages = split ? out->own_messages[l] : out->messages[l];
    s->missing[out->module[l]] += link.to >= 0;
    add_item(s, link, messages < 0 ? 0 : messages, split ? out->own_bytes[l] : out->bytes[l]);
    if (split && link.to >= 0 && link.there != inlay_mapping_cluster_of(s->mapping, link.module)) add_copies(s, &link);
}

static void list_items(slow *s)
{
    int64_t link = 0;
    for (int i = 0; i < inlay_app_modules(s->app); i++) {
        inlay_links out = inlay_app_out(s->app, i);
        for (int64_t l = 0; l < out.count; l++, link++) {
            bool alone = out.flags[l] & INLAY_LINK_TRAFFIC_ONLY;
            int to = out.module[l], there = inlay_mapping_cluster_of(s->mapping, to);
            item made = {.link = link, .module = i, .to = alone ? -1 : to, .there = there};
            made.by = inlay_mapping_cluster_of(s->mapping, i);
            made.block_memory = made.datum = -1;
            made.after = alone ? s->m[i] : lag(s, i, to);
            add_link(s, made, &out, l);
        }
    }
    for (int d = 0; d < inlay_app_blocks(s->app); d++) {
        inlay_links uses = inlay_app_uses(s->app, d);
        for (int64_t u = 0; u < uses.count; u++, link++) {
            item made = {.link = link, .module = uses.module[u], .to = -1, .read = true, .datum = -1};
            made.there = inlay_mapping_home(s->mapping, d);
            made.by = inlay_mapping_cluster_of(s->mapping, uses.module[u]);
            made.block_memory = inlay_mapping_memory_of(s->mapping, d);
            add_item(s, made, uses.messages[u], uses.bytes[u]);
        }
    }
}

static void read_machine(slow *s)
{
    inlay_rate rate;
    inlay_duration time;
    s->family = inlay_machine_family(s->machine);
    s->trees = inlay_machine_broadcasts_in_trees(s->machine);
    s->transfers = inlay_machine_transfers(s->machine);
    s->latency = in_grains(s, inlay_machine_latency(s->machine));
    s->buses = inlay_machine_buses(s->machine);
    s->memories = inlay_machine_memories(s->machine);
    s->packets = inlay_machine_packets(s->machine);
    s->size = inlay_machine_switch(s->machine);
    s->capacity = 1.0 / (double)s->grain;
    if (inlay_machine_capacity(s->machine, &rate)) {
        ck_assert_int_eq(rate.per, inlay_app_unit(s->app));
        s->capacity = rate.value / (double)s->grain;
    }
    if (s->size == 0) return;
    s->capacity = 0;
    s->cycle = s->transit = s->grain;
    if (inlay_machine_cycle(s->machine, &time)) s->cycle = s->transit = in_grains(s, time);
    if (inlay_machine_transit(s->machine, &time)) s->transit = in_grains(s, time);
    for (int64_t reach = 1; reach < inlay_machine_processors(s->machine); reach *= s->size)
        s->stages++;
    s->port = calloc((size_t)s->stages * (size_t)inlay_machine_processors(s->machine), sizeof *s->port);
}

/* ---- Modules ---- */

static bool held(const slow *s, const processor *p)
{
    return !s->overlap && (p->sending >= 0 || p->queued > 0);
}

/* Whether a module is the next on all its processors, none of them held; `*start`: at the latest time that one is free. */
static bool has_all_cores(const slow *s, int module, int64_t *start)
{
    bool all = true;
    for (int c = 0; c < s->clusters; c++) {
        const processor *p = &s->processor[c];
        bool listed = false;
        for (int k = 0; k < p->info.modules; k++)
            listed = listed || p->info.module[k] == module;
        if (!listed) continue;
        all = all && p->at < p->info.modules && p->info.module[p->at] == module && !held(s, p);
        if (p->free_at > *start) *start = p->free_at;
        if (!s->overlap && p->held_until > *start) *start = p->held_until;
    }
    return all;
}

/* Whoever can start has its start: when all that it needs is there. */
static void start_modules(slow *s)
{
    for (int c = 0; c < s->clusters; c++) {
        processor *p = &s->processor[c];
        if (p->running || p->at == p->info.modules) continue;
        int j = p->info.module[p->at];
        int64_t start = s->satisfied[j];
        if (inlay_mapping_cluster_of(s->mapping, j) != c || s->missing[j] > 0 || !has_all_cores(s, j, &start)) continue;
        s->run->start[j] = start;
        s->run->end[j] = start + s->m[j];
        p->running = true;
    }
}

/* Whether another sends it than the processor of its module. */
static bool passed_on(const slow *s, const item *i)
{
    return i->by != inlay_mapping_cluster_of(s->mapping, i->module);
}

/* The next item of the running module to become due, reads first, then by number; -1 none. */
static int next_item(const slow *s, int module)
{
    int best = -1;
    for (int i = 0; i < s->items; i++) {
        const item *x = &s->item[i], *y = best < 0 ? NULL : &s->item[best];
        if (x->module != module || x->released || passed_on(s, x)) continue;
        if (y == NULL || x->after < y->after || (x->after == y->after && x->read && !y->read)) best = i;
    }
    return best;
}

static int64_t processor_event(const slow *s, int c)
{
    const processor *p = &s->processor[c];
    if (!p->running) return never;
    int module = p->info.module[p->at], i = next_item(s, module);
    return i < 0 ? s->run->end[module] : s->run->start[module] + s->item[i].after;
}

static void satisfy(slow *s, int module, int64_t time)
{
    s->missing[module]--;
    if (time > s->satisfied[module]) s->satisfied[module] = time;
}

/* A message has arrived: the module that waits for it, or all there that wait for the datum. */
static void satisfy_all(slow *s, const item *i, int64_t time)
{
    if (i->datum < 0) {
        if (i->to >= 0) satisfy(s, i->to, time);
        return;
    }
    inlay_datum d = inlay_app_datum(s->app, i->datum);
    for (int64_t k = 0; k < d.consumers; k++)
        if (inlay_mapping_cluster_of(s->mapping, d.consumer[k]) == i->there) satisfy(s, d.consumer[k], time);
    for (int n = 0; n < s->items; n++)
        if (s->item[n].datum == i->datum && s->item[n].by == i->there && passed_on(s, &s->item[n]))
            s->item[n].had = time;
}

static void send(slow *s, int c, int64_t now);

static void do_processor(slow *s, int c, int64_t now)
{
    processor *p = &s->processor[c];
    int module = p->info.module[p->at];
    for (int i; (i = next_item(s, module)) >= 0 && s->run->start[module] + s->item[i].after <= now;) {
        s->item[i].released = true;
        if (s->item[i].messages > 0)
            p->queue[p->queued++] = i;
        else if (s->item[i].to >= 0)
            satisfy(s, s->item[i].to, now);
    }
    if (p->sending < 0 && p->queued > 0) send(s, c, now);
    if (now != s->run->end[module]) return;
    p->running = false;
    for (int other = 0; other < s->clusters; other++) {
        processor *q = &s->processor[other];
        if (q->at == q->info.modules || q->info.module[q->at] != module) continue;
        q->free_at = now;
        q->at++;
    }
}

/* A processor has got a datum that it passes on. */
static void do_passed(slow *s, int number, int64_t now)
{
    item *i = &s->item[number];
    processor *p = &s->processor[i->by];
    i->released = true;
    p->queue[p->queued++] = number;
    if (p->sending < 0) send(s, i->by, now);
}

/* ---- The network ---- */

static void ask(slow *s, int c, int64_t now);

static void note(slow *s, int c, int64_t now)
{
    item *i = &s->item[s->processor[c].sending];
    if (i->number >= 0 && s->run->message[i->number].begin < 0) s->run->message[i->number].begin = now;
}

/* Buses: the first that waits and whose memory is free takes the first bus that is. */
static void dispatch(slow *s, int64_t now)
{
    for (int b = 0; b < s->buses; b++) {
        for (int w = 0; s->on_bus[b] < 0 && w < s->waiting; w++) {
            int c = s->line[w];
            request *q = &s->request[c];
            if (q->memory >= 0 && s->memory_taken[q->memory]) continue;
            if (q->memory >= 0) s->memory_taken[q->memory] = true;
            s->on_bus[b] = c;
            q->next = now + q->service;
            note(s, c, now);
            memmove(&s->line[w], &s->line[w + 1], (size_t)(s->waiting - w - 1) * sizeof s->line[0]);
            s->waiting--;
        }
    }
}

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

static port *port_of(slow *s, const request *q)
{
    return &s->port[q->stage * inlay_machine_processors(s->machine) + q->address];
}

/* The head of a message is let through: it will be at the next stage, or the whole message there. */
static void let_through(slow *s, int c, int64_t now)
{
    request *q = &s->request[c];
    int64_t of = s->item[s->processor[c].sending].whole;
    port_of(s, q)->free_at = now + of * s->packets * s->cycle;
    if (q->stage == 0) note(s, c, now);
    q->waiting = false;
    q->stage++;
    q->next = now + of * (s->transit + (q->stage == q->stages ? (s->packets - 1) * s->cycle : 0));
}

/* The head comes to a stage, whose digit of its address becomes the destination's. */
static void come_to_stage(slow *s, int c, int64_t now)
{
    request *q = &s->request[c];
    int low = power(s->size, q->stage), high = low * s->size;
    q->address = q->address / high * high + q->to % high / low * low + q->address % low;
    port *p = port_of(s, q);
    if (p->queued == 0 && p->free_at <= now) {
        let_through(s, c, now);
        return;
    }
    q->waiting = true;
    q->next = never;
    p->queue[p->queued++] = c;
}

static int64_t request_event(slow *s, int c)
{
    const request *q = &s->request[c];
    if (!q->waiting) return q->next;
    const port *p = port_of(s, q);
    return p->queue[0] == c ? p->free_at : never;
}

static void ask(slow *s, int c, int64_t now)
{
    const item *i = &s->item[s->processor[c].sending];
    request *q = &s->request[c];
    q->service = i->service;
    q->next = never;
    if (s->size == 0) {
        s->line[s->waiting++] = c;
        dispatch(s, now);
        return;
    }
    int here = s->processor[c].info.processor, there = s->processor[i->there].info.processor;
    q->address = s->memories == 0 && i->read ? there : here;
    q->to = s->memories > 0 ? q->memory : i->read ? here : there;
    q->stage = 0;
    bool near = s->memories == 0 && here / s->size == there / s->size;
    q->stages = near ? 1 : s->stages;
    come_to_stage(s, c, now);
}

static void ask_message(slow *s, int c, int64_t now)
{
    const item *i = &s->item[s->processor[c].sending];
    s->processor[c].visits = i->visits;
    s->request[c].memory = i->block_memory;
    if (s->memories > 0 && i->block_memory < 0)
        s->request[c].memory = random_id(&s->random, STREAM_MEMORIES, s->memories);
    ask(s, c, now);
}

static void send(slow *s, int c, int64_t now)
{
    processor *p = &s->processor[c];
    p->sending = p->queue[0];
    memmove(p->queue, p->queue + 1, (size_t)--p->queued * sizeof p->queue[0]);
    item *i = &s->item[p->sending];
    p->left = i->messages;
    i->number = s->run->messages++;
    s->run->message[i->number] =
        (slow_run_message){.link = i->link,
                           .datum = i->datum,
                           .due = passed_on(s, i) ? i->had : s->run->start[i->module] + i->after,
                           .request = now,
                           .begin = -1};
    ask_message(s, c, now);
}

/* A transfer is over. */
static void end_transfer(slow *s, int c, int64_t now)
{
    processor *p = &s->processor[c];
    const item *i = &s->item[p->sending];
    if (--p->visits > 0) {
        ask(s, c, now);
    } else if (--p->left > 0) {
        ask_message(s, c, now);
    } else {
        slow_run_message *m = &s->run->message[i->number];
        m->sent = now;
        m->arrival = now + i->latency;
        p->sending = -1;
        if (m->arrival > p->held_until) p->held_until = m->arrival;
        if (m->arrival > s->run->makespan) s->run->makespan = m->arrival;
        satisfy_all(s, i, m->arrival);
        if (p->queued > 0) send(s, c, now);
    }
}

static void do_bus(slow *s, int bus, int64_t now)
{
    int c = s->on_bus[bus];
    s->on_bus[bus] = -1;
    if (s->request[c].memory >= 0) s->memory_taken[s->request[c].memory] = false;
    s->request[c].next = never;
    end_transfer(s, c, now);
    dispatch(s, now);
}

static void do_request(slow *s, int c, int64_t now)
{
    request *q = &s->request[c];
    if (q->waiting) {
        port *p = port_of(s, q);
        memmove(p->queue, p->queue + 1, (size_t)--p->queued * sizeof p->queue[0]);
        let_through(s, c, now);
    } else if (q->stage < q->stages) {
        come_to_stage(s, c, now);
    } else {
        q->next = never;
        end_transfer(s, c, now);
    }
}

/* ---- The loop ---- */

/* Looks at everything for what comes first; false at the end. */
static bool step(slow *s)
{
    int64_t first = never, time;
    int who = -1, kind = 0;
    for (int c = 0; c < s->clusters; c++)
        if ((time = processor_event(s, c)) < first) first = time, who = c, kind = 1;
    for (int i = 0; i < s->items; i++)
        if (s->item[i].had >= 0 && !s->item[i].released && (time = s->item[i].had) < first)
            first = time, who = i, kind = 4;
    for (int b = 0; s->size == 0 && b < s->buses; b++)
        if (s->on_bus[b] >= 0 && (time = s->request[s->on_bus[b]].next) < first) first = time, who = b, kind = 2;
    for (int c = 0; s->size > 0 && c < s->clusters; c++)
        if (s->processor[c].sending >= 0 && (time = request_event(s, c)) < first) first = time, who = c, kind = 3;
    if (kind == 1) do_processor(s, who, first);
    if (kind == 2) do_bus(s, who, first);
    if (kind == 3) do_request(s, who, first);
    if (kind == 4) do_passed(s, who, first);
    return kind != 0;
}

static void set_up(slow *s)
{
    s->clusters = inlay_mapping_summary(s->mapping)->clusters;
    ck_assert_int_le(s->clusters, SLOW_RUN_MODULES);
    ck_assert_int_le(inlay_app_modules(s->app), SLOW_RUN_MODULES);
    s->streamed = inlay_mapping_summary(s->mapping)->streamed;
    s->grain = (int64_t)pow(10, inlay_app_decimals(s->app));
    s->processor = calloc((size_t)s->clusters, sizeof *s->processor);
    s->item = calloc(SLOW_RUN_MESSAGES, sizeof *s->item);
    read_machine(s);
    for (int i = 0; i < inlay_app_modules(s->app); i++)
        s->m[i] = inlay_app_time(s->app, i);
    for (int c = 0; c < s->clusters; c++) {
        s->processor[c].info = inlay_mapping_cluster(s->mapping, c);
        s->processor[c].sending = -1;
    }
    if (s->buses > s->clusters) s->buses = s->clusters;
    for (int b = 0; b < s->buses; b++)
        s->on_bus[b] = -1;
    list_items(s);
}

static void simulate(const inlay_mapping *mapping, bool overlap, bool screen, uint64_t seed, slow_run *run)
{
    slow *s = calloc(1, sizeof *s);
    *s = (slow){.mapping = mapping,
                .app = inlay_mapping_app(mapping),
                .machine = inlay_mapping_machine(mapping),
                .overlap = overlap,
                .screen = screen,
                .once = inlay_mapping_summary(mapping)->options.copies == INLAY_COPIES_ONCE,
                .run = run};
    *run = (slow_run){0};
    ck_assert(random_make(&s->random));
    random_seed(&s->random, seed, 0);
    set_up(s);
    do {
        start_modules(s);
    } while (step(s));
    for (int i = 0; i < inlay_app_modules(s->app); i++)
        if (run->end[i] > run->makespan) run->makespan = run->end[i];
    random_clear(&s->random);
    free(s->port);
    free(s->processor);
    free(s->item);
    free(s);
}

void slow_simulate(const inlay_mapping *mapping, bool overlap, uint64_t seed, slow_run *run)
{
    simulate(mapping, overlap, false, seed, run);
}

void slow_screen(const inlay_mapping *mapping, slow_run *run)
{
    simulate(mapping, true, true, 0, run);
}
