/* Links of the checker's simulator: messages ask for one link of their route after the other. */
#include "check/simulator_state.h"

#include <math.h>
#include <stdlib.h>

/* ---- One link ---- */

/* What becomes of an asking; `free_at`: of the link. Moves `*asks` on to the next link, and `*all`; gives when it begins. */
static double pass(simulator *s, inlay_id number, double *free_at, double size, double *asks, double *all)
{
    inlay_machine_link link = inlay_machine_link_at(s->of->machine, number);
    double latency = link.latency * s->network.link_time * sim_latency_factor(s) * s->grains;
    double begin = link.parallel ? *asks : sim_larger(*asks, *free_at);
    double end = sim_larger(begin + size / (link.capacity * s->network.link_rate), *all);
    if (s->watch.passed) s->watch.passed(s->watch.own, number, *asks, begin, end);
    *free_at = end;
    *all = end + latency;
    *asks = s->network.cut_through ? begin + latency : end + latency;
    return begin;
}

/* ---- Trains ---- */

/* A block's data go from its home to the reader. */
static bool find_route(simulator *s, sim_item *item)
{
    inlay_id here = sim_number(s, item->by), there = sim_number(s, item->there);
    inlay_id from = item->block < 0 ? here : there, to = item->block < 0 ? there : here;
    item->length = inlay_machine_route(s->of->machine, from, to, NULL, 0);
    item->route = item->length < 0 ? NULL : malloc(((size_t)item->length + 1) * sizeof *item->route);
    if (!item->route || inlay_machine_route(s->of->machine, from, to, item->route, item->length) < 0)
        s->status = INLAY_NO_MEMORY;
    return s->status == INLAY_OK;
}

void sim_forget(sim_item *item)
{
    free(item->route);
    free(item->asks);
    free(item->all);
    item->route = NULL;
    item->asks = item->all = NULL;
}

void sim_train_ended(simulator *s, sim_item *item, double now)
{
    inlay_id c = item->by;
    sim_forget(item);
    if (s->processor[c].sending >= 0 && item->length > 0) s->processor[c].sending--;
    sim_arrive(s, item, item->did.sent);
    if (s->processor[c].sending < 0) sim_release(s, c, now);
}

/* ---- Among others ---- */

static int64_t new_message(simulator *s, int64_t item, int64_t behind)
{
    if (!sim_grow(s, (void **)&s->message, &s->messages_room, s->messages + 1, sizeof *s->message)) return -1;
    double size = s->item[item].share * sim_factor(s) * s->network.size;
    s->message[s->messages] = (sim_message){.item = item, .behind = behind, .size = size, .all = -INFINITY};
    return (int64_t)s->messages++;
}

/* A message asks for its next link, and the first time another is to follow it. */
static void ask(simulator *s, int64_t number, double now)
{
    sim_message *m = &s->message[number];
    sim_item *item = &s->item[m->item];
    inlay_id link = item->route[m->at];
    double asks = now, *free_at = &s->free_at[link];
    double begin = pass(s, link, free_at, m->size, &asks, &m->all);
    if (m->at == 0 && m->behind == item->messages - 1) item->did.begin = begin;
    if (m->at++ == 0 && m->behind > 0) {
        int64_t next = new_message(s, m->item, m->behind - 1);
        if (next < 0) return;
        sim_at(s, *free_at, SIM_NETWORK, next);
        m = &s->message[number];
    }
    if (m->at < item->length) {
        sim_at(s, asks, SIM_NETWORK, number);
        return;
    }
    item->did.sent = sim_larger(item->did.sent, m->all);
    if (--item->left == 0) sim_train_ended(s, item, now);
}

/* ---- By itself ---- */

/* All messages, one behind the other, on links where nobody else is: how long they take. */
static double train_alone(simulator *s, const sim_item *item)
{
    double *free_at = calloc((size_t)item->length + 1, sizeof *free_at), start = 0, taken = 0;
    if (!free_at) s->status = INLAY_NO_MEMORY;
    for (int64_t k = 0; free_at && item->length > 0 && k < item->messages; k++) {
        double asks = start, all = start, size = item->share * sim_factor(s) * s->network.size;
        for (inlay_id h = 0; h < item->length; h++) {
            (void)pass(s, item->route[h], &free_at[h], size, &asks, &all);
            if (h == 0) start = free_at[0];
        }
        taken = sim_larger(taken, all);
    }
    free(free_at);
    return taken;
}

/* ---- Screens ---- */

/*
 * Every message over a link, behind what that was given before and the messages before it; nobody comes between. On a parallel
 * link they only set out one after another, and the last digit is that of so many times one. Gives when the first begins.
 */
static double give_link(simulator *s, const sim_item *item, inlay_id h)
{
    double size = item->share * s->network.size / (double)item->together, alone = 0, first = INFINITY, row = 0;
    double one = size / (inlay_machine_link_at(s->of->machine, item->route[h]).capacity * s->network.link_rate);
    double *free_at = s->contention == INLAY_CONTENTION_QUEUES ? &s->free_at[item->route[h]] : &alone;
    for (int64_t k = 0, behind = 0; k < item->together; k++) {
        if (h == 0 && k > 0) item->asks[k] = sim_larger(item->asks[k], *free_at);
        double free_before = *free_at, begin = pass(s, item->route[h], free_at, size, &item->asks[k], &item->all[k]);
        first = begin < first ? begin : first;
        if (k == 0 || begin > free_before) {
            row = begin;
            behind = 0;
        }
        behind++;
        if (k + 1 < item->together && *free_at <= begin + one) *free_at = row + (double)behind * one;
    }
    return first;
}

/* All links behind the first. */
static void give_rest(simulator *s, sim_item *item, double now)
{
    for (inlay_id h = 1; h < item->length; h++)
        (void)give_link(s, item, h);
    item->did.sent = item->all[item->together - 1];
    sim_train_ended(s, item, now);
}

/* The first link, and the others too where nobody was there; else when the first message asks for the second. */
static void give_route(simulator *s, sim_item *item, double now)
{
    size_t n = (size_t)item->together;
    item->asks = malloc(n * sizeof *item->asks);
    item->all = malloc(n * sizeof *item->all);
    if (!item->asks || !item->all) {
        s->status = INLAY_NO_MEMORY;
        return;
    }
    for (size_t k = 0; k < n; k++)
        item->asks[k] = item->all[k] = now;
    if (item->length > 0 && give_link(s, item, 0) > now && item->length > 1) {
        int64_t number = new_message(s, item - s->item, 0);
        if (number >= 0) sim_at(s, item->asks[0], SIM_NETWORK, number);
    } else {
        give_rest(s, item, now);
    }
}

/* ---- What happens ---- */

void sim_link_event(simulator *s, int64_t number, double now)
{
    if (s->of->screen)
        give_rest(s, &s->item[s->message[number].item], now);
    else
        ask(s, number, now);
}

void sim_set_out(simulator *s, sim_item *item, double now)
{
    item->did.number = s->sent++;
    item->did.request = item->did.begin = now;
    if (!find_route(s, item)) return;
    if (s->of->screen) {
        give_route(s, item, now);
        return;
    }
    if (item->length == 0 || s->contention == INLAY_CONTENTION_NONE) {
        item->did.sent = now + train_alone(s, item);
        sim_train_ended(s, item, now);
        return;
    }
    s->processor[item->by].sending++;
    if (s->network.sharing) {
        sim_flow_out(s, item, now);
        return;
    }
    int64_t first = new_message(s, item - s->item, item->messages - 1);
    if (first >= 0) ask(s, first, now);
}
