/*
 * Messages over links. Each asks for one link of its route after the other; the next one of its train sets out when it has
 * passed the first. When it asks for the last link its arrival is known, and with the last arrival of a train the link of
 * the application is satisfied, from then on.
 */
#include "base/memory.h"
#include "simulate/run.h"
#include <string.h>

/* The way of an item's data, or the way back: those of a block go from its home to the reader. */
static link_route way(const plan *p, inlay_id c, const run_message *m, bool back)
{
    bool read = (m->item < 0) != back;
    inlay_id from = read ? m->there : c, to = read ? c : m->there;
    return p->moving ? links_plan_route(p->links, p->processor[from].processor, p->processor[to].processor)
                     : links_plan_route(p->links, from, to);
}

static link_route route_of(const plan *p, inlay_id c, const run_message *m)
{
    return way(p, c, m, false);
}

static double size_of(run *r, const run_message *m)
{
    return m->share * run_transfer_factor(r) * r->plan->alone.numerator;
}

/* ---- Trains ---- */

/* One that is not used; -1 when out of memory. */
static int32_t take_train(run *r)
{
    int32_t number = r->free_train;
    if (number >= 0) {
        r->free_train = r->train[number].next;
        return number;
    }
    size_t before = r->trains_room;
    if (r->trains == INT32_MAX || !memory_grow((void **)&r->train, &r->trains_room, r->trains + 1, sizeof *r->train)) {
        return -1;
    }
    memset(r->train + before, 0, (r->trains_room - before) * sizeof *r->train);
    return (int32_t)r->trains++;
}

static void release_train(run *r, int32_t number)
{
    r->train[number].next = r->free_train;
    r->free_train = number;
}

/* Nobody is on the links of a route. */
static void empty_links(double *until, link_route route)
{
    for (inlay_id h = 0; h < route.end - route.at; h++) {
        until[h] = 0;
    }
}

/* All arrivals of an item are known, the last of them to be `sent`. */
static void end_item(run *r, inlay_id c, const run_message *m, double sent, double now)
{
    run_processor *w = &r->processor[c];
    double arrival = sent + m->latency;
    run_count_item(r, c, m, arrival);
    if (m->record != NULL) {
        m->record->sent = sent;
        m->record->arrival = arrival;
    }
    w->until = larger(w->until, r->plan->options.no_overlap ? arrival : sent);
    run_arrive(r, m->item, arrival, now);
}

/* ---- Trains among others ---- */

/* The next message of a train is made, which is to ask for its first link; -1 when out of memory. */
static int32_t next_message(run *r, int32_t number)
{
    run_train *t = &r->train[number];
    double size = size_of(r, &t->message);
    if (t->message.record != NULL) {
        double *until = t->message.messages > 1 ? t->alone_until : r->until;
        t->alone_sent =
            larger(t->alone_sent, links_alone(r->plan->links, t->route, size, r->network, &t->alone_ask, until));
    }
    t->behind--;
    return links_new(&r->fabric.links, t->route, size, number);
}

/* A message comes off its last link at time `arrival`. */
static void end_message(run *r, int32_t number, double arrival, double now)
{
    run_train *t = &r->train[number];
    run_processor *w = &r->processor[t->sender];
    t->sent = larger(t->sent, arrival);
    if (--t->message.left > 0) {
        return;
    }
    if (t->message.record != NULL) {
        /* messages that overtake each other, or hold a link for less time, can be sooner than alone */
        double taken = t->sent - t->message.record->request;
        t->message.record->service = t->alone_sent < taken ? t->alone_sent : taken;
    }
    if (--w->trains == 0) {
        run_account(w, now);
        w->sending = false;
    }
    end_item(r, t->sender, &t->message, t->sent, now);
    release_train(r, number);
    if (w->holding && !w->sending) {
        w->holding = false;
        run_next_module(r, t->sender, now);
    }
}

/* A message asks for its next link; gives when it asks again, INFINITY where that was the last. */
static double ask(run *r, int32_t message, double now, link_passage *passage)
{
    links_state *links = &r->fabric.links;
    double next;
    bool first = links->flight[message].first;
    int32_t number = links->flight[message].train;
    r->no_memory |= !links_ask(links, message, now, passage, &next);
    if (first && r->train[number].behind > 0) {
        int32_t behind = next_message(r, number);
        r->no_memory |= behind < 0 || !links_put(links, behind, passage->end);
    }
    const flight *f = &links->flight[message];
    if (f->left.at < f->left.end) {
        return next;
    }
    double arrival = f->before;
    links_release(links, message);
    end_message(r, number, arrival, now);
    return INFINITY;
}

static bool fill_train(run *r, run_train *t, inlay_id c, const run_message *m, link_route route, double now)
{
    bool several = m->messages > 1 && r->record != NULL;
    if (several && t->alone_until == NULL) {
        t->alone_until = memory_array((size_t)r->plan->links->longest, sizeof *t->alone_until);
        if (t->alone_until == NULL) {
            return false;
        }
    }
    double *until = t->alone_until;
    if (r->record != NULL) {
        empty_links(several ? until : r->until, route);
    }
    *t = (run_train){.message = *m, .sender = c, .behind = m->messages, .route = route, .alone_until = until};
    inlay_id module = run_module_at(&r->processor[c]);
    t->message.record = run_record_message(r, c, module, m, now);
    return true;
}

static void send_train(run *r, inlay_id c, const run_message *m, link_route route, double now)
{
    int32_t number = take_train(r);
    if (number < 0 || !fill_train(r, &r->train[number], c, m, route, now)) {
        r->no_memory = true;
        return;
    }
    r->processor[c].trains++;
    r->processor[c].sending = true;
    int32_t message = next_message(r, number);
    if (message < 0) {
        r->no_memory = true;
        return;
    }
    inlay_simulated_message *record = r->train[number].message.record;
    link_passage passage;
    double next = ask(r, message, now, &passage);
    if (record != NULL) {
        record->begin = passage.begin;
    }
    if (!isinf(next)) {
        r->no_memory |= !links_put(&r->fabric.links, message, next);
    }
}

/* ---- Where links are shared ---- */

/* All messages of an item at once, as one. */
static void start_flow(run *r, inlay_id c, const run_message *m, link_route route, double now)
{
    const plan *p = r->plan;
    flows_state *flows = &r->fabric.flows;
    int32_t number = take_train(r);
    run_message all = *m;
    all.messages = all.left = 1;
    if (number < 0 || !fill_train(r, &r->train[number], c, &all, route, now)) {
        r->no_memory = true;
        return;
    }
    run_train *t = &r->train[number];
    t->message.messages = m->messages;
    double size = size_of(r, m) * (double)m->messages;
    if (t->message.record != NULL) {
        t->message.record->begin = now;
        t->message.record->messages = m->messages;
        t->alone_sent = now + flows_alone(flows, route, size);
    }
    r->processor[c].trains++;
    r->processor[c].sending = true;
    r->no_memory |= !flows_put(flows, route, p->fabric.sharing->cross > 0 ? way(p, c, m, true) : (link_route){0}, size,
                               number, now);
}

static void flow_event(run *r)
{
    double now = flows_time(&r->fabric.flows);
    int32_t number = flows_event(&r->fabric.flows);
    if (number >= 0) {
        end_message(r, number, now, now);
    }
}

/* ---- Trains that meet nobody ---- */

static void send_alone(run *r, inlay_id c, run_message *m, link_route route, double now)
{
    const run_processor *w = &r->processor[c];
    double ask = 0, service = 0;
    empty_links(r->until, route);
    for (int64_t k = 0; route.at < route.end && k < m->messages; k++) {
        service = larger(service, links_alone(r->plan->links, route, size_of(r, m), r->network, &ask, r->until));
    }
    m->record = run_record_message(r, c, run_module_at(w), m, now);
    if (m->record != NULL) {
        m->record->begin = now;
        m->record->service = service;
    }
    end_item(r, c, m, now + service, now);
}

/* ---- Screens: a train is given its first link when it is due, and the rest of its way when it has that ---- */

/* Each link is held from the first message's turn until the last has passed, behind all that were given it before. */
static train_ends pass_together(const run *r, const link_figures *link, double *until, double one, double behind,
                                const train_ends *t)
{
    double begin = link->parallel ? t->first : larger(t->first, *until);
    double last = larger(t->last, begin + behind * one);
    double end = larger(last + one, t->there);
    *until = end;
    bool cut = r->plan->links->cut_through;
    return (train_ends){begin, (cut ? begin : begin + one) + link->latency, (cut ? last : end) + link->latency,
                        end + link->latency};
}

/* One link of its way more; a train's messages set out one after another, and pass parallel links behind the first at once. */
static void give_link(run *r, run_train *t, bool first)
{
    const links_plan *p = r->plan->links;
    inlay_id number = *t->route.at++;
    const link_figures *link = &p->link[number];
    double none = 0, *until = r->plan->fabric.kind == FABRIC_LINKS ? &r->fabric.links.link[number].until : &none;
    double one = size_of(r, &t->message) / (double)t->message.pieces / link->capacity;
    double behind = link->parallel && !first ? 0 : (double)(t->message.pieces - 1);
    t->ends = pass_together(r, link, until, one, behind, &t->ends);
}

static void give_rest(run *r, run_train *t, double now)
{
    while (t->route.at < t->route.end) {
        give_link(r, t, false);
    }
    end_item(r, t->sender, &t->message, t->ends.there, now);
}

/* It has waited for its first link: what comes behind that is not to be given it before its time. */
static void wait_for_rest(run *r, const run_train *t)
{
    int32_t number = take_train(r);
    int32_t message = number < 0 ? -1 : links_new(&r->fabric.links, t->route, 0, number);
    if (message < 0 || !links_put(&r->fabric.links, message, t->ends.first)) {
        r->no_memory = true;
        return;
    }
    double *kept = r->train[number].alone_until;
    r->train[number] = *t;
    r->train[number].alone_until = kept;
}

static void screen_train(run *r, inlay_id c, const run_message *m, link_route route, double now)
{
    run_train t = {.message = *m, .sender = c, .route = route, .ends = {now, now, now, now}};
    t.message.record = NULL;
    if (route.at < route.end) {
        give_link(r, &t, true);
    }
    if (t.route.at < t.route.end && t.ends.begin > now) {
        wait_for_rest(r, &t);
    } else {
        give_rest(r, &t, now);
    }
}

static void screen_event(run *r)
{
    links_state *links = &r->fabric.links;
    double now = links->heap[0].time;
    int32_t message = links->heap[0].flight, number = links->flight[message].train;
    links_move_first(links, INFINITY);
    links_release(links, message);
    run_train t = r->train[number];
    release_train(r, number);
    give_rest(r, &t, now);
}

void run_links_event(run *r)
{
    if (r->plan->screen) {
        screen_event(r);
        return;
    }
    if (r->plan->fabric.sharing != NULL) {
        flow_event(r);
        return;
    }
    links_state *links = &r->fabric.links;
    link_passage passage;
    double next = ask(r, links->heap[0].flight, links->heap[0].time, &passage);
    links_move_first(links, next);
}

void run_links_send(run *r, inlay_id c, int64_t item, double now)
{
    run_message m;
    run_describe(r, item, &m);
    link_route route = route_of(r->plan, c, &m);
    if (r->plan->screen) {
        screen_train(r, c, &m, route, now);
        return;
    }
    if (route.at < route.end && r->plan->fabric.kind == FABRIC_LINKS && r->plan->fabric.sharing != NULL) {
        start_flow(r, c, &m, route, now);
        return;
    }
    if (route.at < route.end && r->plan->fabric.kind == FABRIC_LINKS) {
        send_train(r, c, &m, route, now);
        return;
    }
    send_alone(r, c, &m, route, now);
}
