/* The slow simulator of links. */
#include "slow_links.h"

#include "simulate/random.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUTE = 32 };

/** What becomes due while a module runs. */
typedef struct item {
    int64_t link;
    int module, to; /**< to: module that waits, -1 none */
    int there;      /**< cluster at the other end */
    int datum;      /**< which is copied there, -1 none */
    int by;         /**< the cluster that sends it */
    double had;     /**< when that cluster had the datum, where another than the producer's sends it; -1 not yet */
    bool read;
    double after; /**< due so long after the module's start */
    int64_t messages, left;
    double traffic, latency; /**< of each message; of all */
    inlay_id route[ROUTE];
    int length;
    bool released;
    int number; /**< in the result */
    double sent;
    double *given; /**< of a screen: until when it has each link */
} item;

typedef enum state { ABSENT, WAITING, HOLDING, OVER } state;

/** A message that has not arrived. */
typedef struct message {
    struct message *next; /**< behind it in a queue */
    int item, number;
    int64_t behind; /**< messages of its train that have no number yet */
    double factor;
    int successor; /**< the next of its train, which waits for it to pass the first link; -1 none */
    double ask;    /**< when it asks for link `at`; INFINITY: not known, or asked for all */
    int at;        /**< the next link that it asks for */
    state at_link[ROUTE];
    double asked[ROUTE], begin[ROUTE], end[ROUTE];
    int turn[ROUTE]; /**< number among all asks */
    double arrival;  /**< INFINITY before it is known */
    bool arrived;
} message;

/** A link; with trains alone, one for every train. */
typedef struct queue {
    message *first, *last; /**< that wait, in order */
    int waiting;
    bool taken;
} queue;

typedef struct processor {
    inlay_cluster_info info;
    int at;
    bool running;
    double free_at, held_until;
    int trains;
    double speed;
    int type;
} processor;

typedef struct slow {
    const inlay_mapping *mapping;
    const inlay_app *app;
    const inlay_machine *machine;
    const slow_links_options *options;
    slow_links_run *run;
    random_streams random;
    double grain, transfers, latency;
    int64_t message_size;
    bool in_bytes, cut_through, streamed;
    int clusters, links;
    processor *processor;
    item *item;
    int items;
    message **message;
    int messages, numbers, turns;
    queue *queue;
    double m[SLOW_LINKS_MODULES], satisfied[SLOW_LINKS_MODULES];
    int missing[SLOW_LINKS_MODULES];
} slow;

/* ---- The mapping as lists ---- */

static processor *processor_of(const slow *s, int module)
{
    return &s->processor[inlay_mapping_cluster_of(s->mapping, module)];
}

/* Grains on a processor of that type, before its speed. */
static double plain_time(const slow *s, int module)
{
    int type = processor_of(s, module)->type;
    inlay_time own = type < 0 ? -1 : inlay_app_type_time(s->app, type, module);
    return (double)(own < 0 ? inlay_app_time(s->app, module) : own);
}

static double lag(const slow *s, int from, int to)
{
    double m = plain_time(s, from), speed = processor_of(s, from)->speed;
    if (!s->streamed) return m / speed;
    double wait = (double)(inlay_app_blocking(s->app, to) - inlay_app_blocking(s->app, from));
    return fmin(fmax(wait, 0), m) / speed;
}

static void fill_messages(const slow *s, item *i, int64_t messages, int64_t bytes)
{
    if (!s->in_bytes && s->message_size > 0 && bytes > 0) messages = (bytes + s->message_size - 1) / s->message_size;
    int64_t traffic = s->in_bytes ? bytes : messages;
    i->messages = i->left = messages > 0 ? messages : traffic > 0;
    if (i->messages == 0) return;
    i->traffic = (double)traffic / (double)i->messages;
    int here = s->processor[i->by].info.processor, there = s->processor[i->there].info.processor;
    i->length = inlay_machine_route(s->machine, i->read ? there : here, i->read ? here : there, i->route, ROUTE);
    ck_assert_int_le(i->length, ROUTE);
    i->latency = (double)messages * s->latency;
}

static void add_item(slow *s, item i, int64_t messages, int64_t bytes)
{
    ck_assert_int_lt(s->items, SLOW_LINKS_ITEMS);
    if (i.there != inlay_mapping_cluster_of(s->mapping, i.module)) fill_messages(s, &i, messages, bytes);
    if (i.read && i.messages == 0) return;
    if (i.messages > 0 && s->options->no_overlap) i.after = s->m[i.module];
    s->item[s->items++] = i;
}

static int host_of(const slow *s, int module)
{
    return inlay_machine_host(s->machine, processor_of(s, module)->info.processor);
}

/* The first consumer on a host, in the order of links. `*after`: when the first of their links is due. */
static int first_there(const slow *s, const inlay_datum *d, int host, double *after)
{
    int first = -1;
    for (int64_t k = 0; k < d->consumers; k++) {
        int j = d->consumer[k];
        if (host_of(s, j) != host) continue;
        if (first < 0 || lag(s, d->producer, j) < *after) *after = lag(s, d->producer, j);
        if (first < 0) first = j;
    }
    return first;
}

/* In trees: place of a host among those that get a datum, from 1 on. */
static int rank_of(const slow *s, const inlay_datum *d, int host)
{
    double due;
    int rank = 1, home = host_of(s, d->producer);
    for (int h = 0; h < host; h++)
        rank += h != home && first_there(s, d, h, &due) >= 0;
    return rank;
}

/* The host that sends a datum to the one of that rank: of those before it, rank g sends to g + 2^k for every 2^k above g. */
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
    int own = rank_of(s, d, host_of(s, copy->to)), giver = giver_of(own), home = host_of(s, d->producer);
    for (int h = 0; h < inlay_machine_processors(s->machine); h++) {
        double due;
        int first = h == home ? -1 : first_there(s, d, h, &due);
        if (first < 0) continue;
        int rank = rank_of(s, d, h);
        if (rank == giver) copy->by = inlay_mapping_cluster_of(s->mapping, first);
        while (rank > own)
            rank = giver_of(rank);
        if (rank == own) copy->after = fmin(copy->after, due);
    }
}

/* The data whose first link to a host is this one go there with it; everyone there waits for them. */
static void add_copies(slow *s, const item *link)
{
    for (int n = 0; n < inlay_app_data(s->app); n++) {
        inlay_datum d = inlay_app_datum(s->app, n);
        item copy = *link;
        copy.datum = n;
        if (d.producer != link->module || first_there(s, &d, host_of(s, link->to), &copy.after) != link->to) continue;
        if (inlay_machine_broadcasts_in_trees(s->machine)) find_sender(s, &d, &copy);
        add_item(s, copy, d.messages, d.bytes);
        if (s->item[s->items - 1].messages == 0) {
            s->items--;
            continue;
        }
        for (int64_t k = 0; k < d.consumers; k++)
            s->missing[d.consumer[k]] += host_of(s, d.consumer[k]) == host_of(s, link->to);
    }
}

static void add_link(slow *s, item link, const inlay_links *out, int64_t l)
{
    bool away = link.to >= 0 && host_of(s, link.module) != host_of(s, link.to);
    bool once = inlay_mapping_summary(s->mapping)->options.copies == INLAY_COPIES_ONCE;
    bool split = once && out->own_messages != NULL && away;
    int64_t messages = split ? out->own_messages[l] : out->messages[l];
    s->missing[out->module[l]] += link.to >= 0;
    add_item(s, link, messages < 0 ? 0 : messages, split ? out->own_bytes[l] : out->bytes[l]);
    if (split) add_copies(s, &link);
}

static void list_items(slow *s)
{
    int64_t link = 0;
    for (int i = 0; i < inlay_app_modules(s->app); i++) {
        inlay_links out = inlay_app_out(s->app, i);
        for (int64_t l = 0; l < out.count; l++, link++) {
            bool alone = out.flags[l] & INLAY_LINK_TRAFFIC_ONLY;
            int to = out.module[l], there = inlay_mapping_cluster_of(s->mapping, to);
            item made = {.link = link, .module = i, .to = alone ? -1 : to, .there = there, .datum = -1};
            made.by = inlay_mapping_cluster_of(s->mapping, i);
            made.had = -1;
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
            made.had = -1;
            add_item(s, made, uses.messages[u], uses.bytes[u]);
        }
    }
}

static int type_of(const inlay_app *app, const char *name)
{
    for (int t = 0; name != NULL && t < inlay_app_types(app); t++)
        if (strcmp(name, inlay_app_type_name(app, t)) == 0) return t;
    return -1;
}

static void read_machine(slow *s)
{
    inlay_duration latency = inlay_machine_latency(s->machine);
    ck_assert_int_eq(inlay_machine_link_unit(s->machine), inlay_app_unit(s->app));
    ck_assert(latency.value.digits == 0 || latency.unit == inlay_app_unit(s->app));
    s->grain = pow(10, inlay_app_decimals(s->app));
    s->transfers = inlay_machine_transfers(s->machine);
    s->latency = inlay_decimal_double(latency.value) * s->grain;
    s->message_size = inlay_machine_message_size(s->machine);
    s->in_bytes = inlay_machine_links_in_bytes(s->machine);
    s->cut_through = inlay_machine_cut_through(s->machine);
    s->links = inlay_machine_links(s->machine);
    ck_assert_int_le(s->links, SLOW_LINKS_LINKS);
}

static void read_processors(slow *s)
{
    s->clusters = inlay_mapping_summary(s->mapping)->clusters;
    s->processor = calloc((size_t)s->clusters, sizeof *s->processor);
    for (int c = 0; c < s->clusters; c++) {
        processor *p = &s->processor[c];
        p->info = inlay_mapping_cluster(s->mapping, c);
        inlay_processor what = inlay_machine_processor(s->machine, p->info.processor);
        p->speed = what.speed;
        p->type = type_of(s->app, what.type);
    }
    for (int i = 0; i < inlay_app_modules(s->app); i++)
        s->m[i] = plain_time(s, i) / processor_of(s, i)->speed;
}

/* ---- Links ---- */

static queue *queue_of(slow *s, const message *m, int hop)
{
    int train = s->options->alone ? m->item : 0;
    return &s->queue[train * s->links + s->item[m->item].route[hop]];
}

static inlay_machine_link link_of(const slow *s, const message *m, int hop)
{
    return inlay_machine_link_at(s->machine, s->item[m->item].route[hop]);
}

/* A message has got the link that it asked for. */
static void hold(slow *s, message *m, int hop, double now)
{
    const item *i = &s->item[m->item];
    inlay_machine_link link = link_of(s, m, hop);
    double service = i->traffic * m->factor * (s->grain * s->transfers) / link.capacity;
    m->at_link[hop] = HOLDING;
    m->begin[hop] = now;
    m->end[hop] = now + service;
    if (s->cut_through && hop > 0)
        m->end[hop] = fmax(m->end[hop], m->end[hop - 1] + link_of(s, m, hop - 1).latency * s->grain);
    double passed = (s->cut_through ? now : m->end[hop]) + link.latency * s->grain;
    if (hop == i->length - 1)
        m->arrival = m->end[hop] + link.latency * s->grain;
    else
        m->ask = passed;
    slow_links_link *seen = &s->run->link[i->route[hop]];
    seen->busy += m->end[hop] - now;
    if (hop == 0 && s->run->item[i->number].begin < 0) s->run->item[i->number].begin = now;
    if (hop == 0 && m->successor >= 0) s->message[m->successor]->ask = m->end[0];
}

static int new_message(slow *s, int of, int64_t behind)
{
    message *m = calloc(1, sizeof *m);
    *m = (message){.item = of, .number = s->numbers++, .behind = behind, .successor = -1, .ask = INFINITY};
    m->arrival = INFINITY;
    m->factor = spread_is_random(&s->options->transfer_time)
                    ? spread_draw(&s->options->transfer_time, &s->random, STREAM_TRANSFERS)
                    : 1;
    s->message = realloc(s->message, (size_t)(s->messages + 1) * sizeof(message *));
    s->message[s->messages] = m;
    return s->messages++;
}

static void ask(slow *s, message *m, double now)
{
    int hop = m->at++;
    queue *q = queue_of(s, m, hop);
    bool parallel = link_of(s, m, hop).parallel;
    m->ask = INFINITY;
    m->asked[hop] = now;
    m->turn[hop] = s->turns++;
    s->run->link[s->item[m->item].route[hop]].requests++;
    if (hop == 0 && m->behind > 0) {
        int next = new_message(s, m->item, m->behind - 1);
        m->successor = next;
    }
    if (parallel || !q->taken) {
        q->taken = !parallel;
        hold(s, m, hop, now);
        return;
    }
    m->at_link[hop] = WAITING;
    m->next = NULL;
    *(q->waiting == 0 ? &q->first : &q->last->next) = m;
    q->last = m;
    q->waiting++;
}

/* A message gives a link back: the first that waits has it. */
static void give_back(slow *s, message *m, int hop, double now)
{
    queue *q = queue_of(s, m, hop);
    m->at_link[hop] = OVER;
    if (link_of(s, m, hop).parallel) return;
    q->taken = false;
    if (q->waiting == 0) return;
    message *next = q->first;
    q->first = next->next;
    q->waiting--;
    int at = next->at - 1;
    s->run->link[s->item[next->item].route[at]].waited += now - next->asked[at];
    q->taken = true;
    hold(s, next, at, now);
}

/* ---- Modules ---- */

static void start_modules(slow *s)
{
    for (int c = 0; c < s->clusters; c++) {
        processor *p = &s->processor[c];
        if (p->running || p->at == p->info.modules) continue;
        int j = p->info.module[p->at];
        if ((s->options->no_overlap && p->trains > 0) || s->missing[j] > 0) continue;
        double start = fmax(p->free_at, s->satisfied[j]);
        if (s->options->no_overlap) start = fmax(start, p->held_until);
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

/* The next item of a module to become due, reads first, then by number; -1 none. */
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

static double processor_event(const slow *s, int c)
{
    const processor *p = &s->processor[c];
    if (!p->running) return INFINITY;
    int module = p->info.module[p->at], i = next_item(s, module);
    return i < 0 ? s->run->end[module] : s->run->start[module] + s->item[i].after;
}

static void satisfy(slow *s, int module, double time)
{
    s->missing[module]--;
    s->satisfied[module] = fmax(s->satisfied[module], time);
}

/* Who waits for an item: a module, or all on the host that wait for the datum. */
static void satisfy_all(slow *s, const item *i, double time)
{
    if (i->datum < 0) {
        if (i->to >= 0) satisfy(s, i->to, time);
        return;
    }
    inlay_datum d = inlay_app_datum(s->app, i->datum);
    for (int64_t k = 0; k < d.consumers; k++)
        if (host_of(s, d.consumer[k]) == host_of(s, i->to)) satisfy(s, d.consumer[k], time);
    for (int n = 0; n < s->items; n++)
        if (s->item[n].datum == i->datum && s->item[n].by == i->there && passed_on(s, &s->item[n]))
            s->item[n].had = time;
}

/* All messages of an item are there. */
static void end_item(slow *s, item *i)
{
    slow_links_item *said = &s->run->item[i->number];
    processor *p = &s->processor[i->by];
    said->sent = i->sent;
    said->arrival = i->sent + i->latency;
    p->held_until = fmax(p->held_until, said->arrival);
    s->run->makespan = fmax(s->run->makespan, said->arrival);
    satisfy_all(s, i, said->arrival);
}

/* When a link is given no more: to none of those that set out before, of which each has it until then. */
static double given_until(const slow *s, inlay_id link)
{
    double until = 0;
    for (int i = 0; i < s->items; i++)
        for (int hop = 0; s->item[i].given != NULL && hop < s->item[i].length; hop++)
            if (s->item[i].route[hop] == link) until = fmax(until, s->item[i].given[hop]);
    return until;
}

/* Every message from link to link, each link behind what was given to others and the messages before; nobody comes between. */
static void give_route(slow *s, item *i, double now)
{
    double *given = calloc((size_t)i->length + 1, sizeof *given);
    double *ask = calloc((size_t)i->messages, sizeof *ask), *there = calloc((size_t)i->messages, sizeof *there);
    for (int hop = 0; hop < i->length; hop++) {
        inlay_machine_link link = inlay_machine_link_at(s->machine, i->route[hop]);
        double one = i->traffic * (s->grain * s->transfers) / link.capacity, end = 0;
        bool waits = !s->options->alone && !link.parallel;
        for (int k = 0; k < i->messages; k++) {
            double begin = fmax(hop == 0 ? now : ask[k], waits ? given_until(s, i->route[hop]) : 0);
            if (hop == 0 || !link.parallel) begin = fmax(begin, end);
            end = fmax(begin + one, hop == 0 ? now : there[k]);
            ask[k] = (s->cut_through ? begin : end) + link.latency * s->grain;
            there[k] = end + link.latency * s->grain;
            s->run->link[i->route[hop]].busy += end - begin;
        }
        given[hop] = end;
    }
    i->given = given;
    i->sent = there[i->messages - 1];
    s->run->item[i->number].begin = now;
    end_item(s, i);
    free(ask);
    free(there);
}

static void send(slow *s, int number, double now)
{
    item *i = &s->item[number];
    i->number = s->run->items++;
    s->run->item[i->number] = (slow_links_item){.link = i->link, .datum = i->datum, .due = now, .begin = -1};
    if (i->length == 0) {
        s->run->item[i->number].begin = i->sent = now;
        end_item(s, i);
        return;
    }
    if (s->options->screen) {
        give_route(s, i, now);
        return;
    }
    s->processor[i->by].trains++;
    int first = new_message(s, number, i->messages - 1);
    ask(s, s->message[first], now);
}

static void do_processor(slow *s, int c, double now)
{
    processor *p = &s->processor[c];
    int module = p->info.module[p->at];
    for (int i; (i = next_item(s, module)) >= 0 && s->run->start[module] + s->item[i].after <= now;) {
        s->item[i].released = true;
        if (s->item[i].messages > 0)
            send(s, i, now);
        else if (s->item[i].to >= 0)
            satisfy(s, s->item[i].to, now);
    }
    if (now == s->run->end[module]) {
        p->running = false;
        p->free_at = now;
        p->at++;
    }
}

static void arrive(slow *s, message *m)
{
    item *i = &s->item[m->item];
    i->sent = fmax(i->sent, m->arrival);
    m->arrived = true;
    if (--i->left > 0) return;
    s->processor[i->by].trains--;
    end_item(s, i);
}

/* ---- Queues, looked at afterwards ---- */

/* How many waited for the link of a message's hop when it asked, itself among them. */
static int64_t waiting_at(const slow *s, const message *m, int hop)
{
    int64_t waiting = 0;
    for (int i = 0; i < s->messages; i++) {
        const message *other = s->message[i];
        for (int h = 0; h < other->at; h++) {
            bool same = s->item[other->item].route[h] == s->item[m->item].route[hop];
            waiting += same && other->turn[h] <= m->turn[hop] && other->begin[h] > m->asked[hop];
        }
    }
    return waiting;
}

static void find_largest(slow *s)
{
    for (int i = 0; i < s->messages; i++) {
        const message *m = s->message[i];
        for (int h = 0; h < m->at; h++) {
            int64_t *largest = &s->run->link[s->item[m->item].route[h]].largest;
            int64_t waiting = m->begin[h] > m->asked[h] ? waiting_at(s, m, h) : 0;
            *largest = waiting > *largest ? waiting : *largest;
        }
    }
}

/* ---- The loop ---- */

/** In the order of one time, where the first two do not matter to each other. */
typedef enum event_kind { PASSES, ARRIVES, COMPUTES, HANDS_ON, ASKS, NOTHING } event_kind;

typedef struct event {
    double time;
    event_kind kind;
    int who, hop;
} event;

static void take(event *best, double time, event_kind kind, int who, int hop)
{
    if (time < best->time || (time == best->time && kind < best->kind)) *best = (event){time, kind, who, hop};
}

/* Messages are looked at by number. */
static bool step(slow *s)
{
    event first = {INFINITY, NOTHING, -1, 0};
    for (int i = 0; i < s->messages; i++) {
        const message *m = s->message[i];
        for (int h = 0; h < m->at; h++)
            if (m->at_link[h] == HOLDING) take(&first, m->end[h], PASSES, i, h);
        if (!m->arrived) take(&first, m->arrival, ARRIVES, i, 0);
        take(&first, m->ask, ASKS, i, 0);
    }
    for (int c = 0; c < s->clusters; c++)
        take(&first, processor_event(s, c), COMPUTES, c, 0);
    for (int i = 0; i < s->items; i++)
        if (s->item[i].had >= 0 && !s->item[i].released) take(&first, s->item[i].had, HANDS_ON, i, 0);
    if (isinf(first.time)) return false;
    if (first.kind == PASSES) give_back(s, s->message[first.who], first.hop, first.time);
    if (first.kind == ARRIVES) arrive(s, s->message[first.who]);
    if (first.kind == COMPUTES) do_processor(s, first.who, first.time);
    if (first.kind == HANDS_ON) {
        s->item[first.who].released = true;
        send(s, first.who, first.time);
    }
    if (first.kind == ASKS) ask(s, s->message[first.who], first.time);
    return true;
}

void slow_links(const inlay_mapping *mapping, const slow_links_options *options, slow_links_run *run)
{
    slow *s = calloc(1, sizeof *s);
    *s = (slow){.mapping = mapping,
                .app = inlay_mapping_app(mapping),
                .machine = inlay_mapping_machine(mapping),
                .options = options,
                .run = run};
    *run = (slow_links_run){0};
    ck_assert(random_make(&s->random));
    random_seed(&s->random, options->seed, 0);
    s->streamed = inlay_mapping_summary(mapping)->streamed;
    s->item = calloc(SLOW_LINKS_ITEMS, sizeof *s->item);
    read_machine(s);
    read_processors(s);
    list_items(s);
    s->queue = calloc((size_t)s->links * (size_t)(options->alone ? s->items : 1), sizeof *s->queue);
    do {
        start_modules(s);
    } while (step(s));
    for (int i = 0; i < inlay_app_modules(s->app); i++)
        run->makespan = fmax(run->makespan, run->end[i]);
    find_largest(s);
    for (int m = 0; m < s->messages; m++)
        free(s->message[m]);
    random_clear(&s->random);
    free(s->message);
    free(s->queue);
    free(s->processor);
    for (int i = 0; i < s->items; i++)
        free(s->item[i].given);
    free(s->item);
    free(s);
}

/* ---- What holds of every run ---- */

static void expect_whole_path(const inlay_simulation *run)
{
    size_t count;
    const inlay_step *step = inlay_simulation_path(run, &count);
    double at = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert_double_eq(step[i].from, at);
        ck_assert_double_lt(step[i].from, step[i].to);
        ck_assert_int_ne(step[i].kind, INLAY_STEP_WAIT); /* nobody waits with the processor */
        at = step[i].to;
    }
    ck_assert_double_eq(at, inlay_simulation_recorded_makespan(run));
}

/* A message counts until it has been sent; without overlap its processor waits for it to arrive. */
static double message_end(const inlay_simulation *run, const inlay_simulated_message *m)
{
    return inlay_simulation_chosen(run)->no_overlap ? m->arrival : m->sent;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether a cluster communicates at a time: it computes nothing, and has a message that is due and not there. */
static bool communicates_at(const inlay_simulation *run, inlay_id c, double time)
{
    size_t count;
    bool found = false;
    inlay_cluster_info info = inlay_mapping_cluster(inlay_simulation_mapping(run), c);
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    for (inlay_id k = 0; k < info.modules; k++)
        if (inlay_simulation_start(run, info.module[k]) < time && time < inlay_simulation_end(run, info.module[k]))
            return false;
    for (size_t i = 0; i < count; i++)
        found |= m[i].sender == c && m[i].request < time && time < message_end(run, &m[i]);
    return found;
}

/* Between any two times at which something happens it does one thing. */
static double communicating_time(const inlay_simulation *run, inlay_id c)
{
    size_t count, used = 0;
    inlay_cluster_info info = inlay_mapping_cluster(inlay_simulation_mapping(run), c);
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    double sum = 0, *time = calloc(2 * (count + (size_t)info.modules), sizeof *time);
    for (inlay_id k = 0; k < info.modules; k++) {
        time[used++] = inlay_simulation_start(run, info.module[k]);
        time[used++] = inlay_simulation_end(run, info.module[k]);
    }
    for (size_t i = 0; i < count; i++) {
        if (m[i].sender != c) continue;
        time[used++] = m[i].request;
        time[used++] = message_end(run, &m[i]);
    }
    qsort(time, used, sizeof *time, compare_times);
    for (size_t i = 1; i < used; i++)
        if (communicates_at(run, c, (time[i - 1] + time[i]) / 2)) sum += time[i] - time[i - 1];
    free(time);
    return sum;
}

/* Shares of time add up, queues are no longer than they may be, messages are in order. */
static void expect_sound(const inlay_simulation *run)
{
    double makespan = inlay_simulation_result(run)->makespan, digits = 1e-9 * fmax(1, makespan);
    size_t count;
    const inlay_simulated_message *m = inlay_simulation_messages(run, &count);
    for (inlay_id c = 0; c < inlay_mapping_summary(inlay_simulation_mapping(run))->clusters; c++) {
        inlay_simulated_processor p = inlay_simulation_processor(run, c);
        ck_assert_double_eq_tol(p.busy + p.communicating + p.blocked + p.idle, makespan, digits);
        ck_assert_double_eq_tol(p.communicating, communicating_time(run, c), digits);
        ck_assert_double_ge(fmin(fmin(p.busy, p.communicating), fmin(p.blocked, p.idle)), -digits);
    }
    for (size_t i = 0; i < count; i++) {
        ck_assert(m[i].due == m[i].request && m[i].request <= m[i].begin && m[i].begin <= m[i].sent);
        ck_assert(m[i].sent <= m[i].arrival && m[i].arrival <= makespan);
        ck_assert_double_le(m[i].service, m[i].sent - m[i].request + digits);
        ck_assert(i == 0 || m[i - 1].request <= m[i].request);
    }
    for (size_t i = 0; i < inlay_simulation_resources(run); i++) {
        inlay_resource r = inlay_simulation_resource(run, i);
        ck_assert_double_le(r.mean_queue, (double)r.largest_queue + digits);
    }
    expect_whole_path(run);
}

inlay_simulation *links_simulated(const inlay_mapping *mapping, inlay_simulation_options options)
{
    inlay_simulation *run = NULL;
    options.record = true;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &run, NULL), INLAY_OK);
    expect_sound(run);
    return run;
}
