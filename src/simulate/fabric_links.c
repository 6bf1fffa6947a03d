/* Links at run time. */
#include "simulate/fabric_links.h"
#include "base/memory.h"
#include <stdlib.h>

bool links_make(const links_plan *plan, usage *usages, links_state *s)
{
    *s = (links_state){.plan = plan, .usage = usages};
    s->link = memory_array((size_t)plan->links, sizeof *s->link);
    return s->link != NULL;
}

void links_clear(links_state *s)
{
    free(s->link);
    free(s->flight);
    free(s->heap);
    free(s->waiter);
    *s = (links_state){0};
}

void links_reset(links_state *s)
{
    for (inlay_id l = 0; l < s->plan->links; l++) {
        s->link[l] = (link_now){0, -1, -1};
    }
    s->flights = s->waiters = s->asks = 0;
    s->free_flight = s->free_waiter = -1;
    s->numbers = 0;
    s->slower = 1;
}

/* ---- Messages ---- */

int32_t links_new(links_state *s, link_route route, double size, int32_t train)
{
    int32_t number = s->free_flight;
    if (number >= 0) {
        s->free_flight = s->flight[number].train;
    } else if (s->flights < INT32_MAX &&
               memory_grow((void **)&s->flight, &s->flights_room, s->flights + 1, sizeof *s->flight)) {
        number = (int32_t)s->flights++;
    } else {
        return -1;
    }
    s->flight[number] = (flight){size, -INFINITY, route, s->numbers++, train, true};
    return number;
}

void links_release(links_state *s, int32_t message)
{
    s->flight[message].train = s->free_flight;
    s->free_flight = message;
}

/* ---- The heap ---- */

/* Without branches: which of two is the earlier cannot be foreseen. */
static inline bool asks_before(const link_ask *a, const link_ask *b)
{
    return ((a->time < b->time) | ((a->time == b->time) & (a->number < b->number))) != 0;
}

bool links_put(links_state *s, int32_t message, double time)
{
    if (!memory_grow((void **)&s->heap, &s->asks_room, s->asks + 1, sizeof *s->heap)) {
        return false;
    }
    link_ask *heap = s->heap, put = {time, s->flight[message].number, message};
    size_t at = s->asks++;
    for (; at > 0 && asks_before(&put, &heap[(at - 1) / 4]); at = (at - 1) / 4) {
        heap[at] = heap[(at - 1) / 4];
    }
    heap[at] = put;
    return true;
}

/* From the root down. */
static void sink(link_ask *heap, size_t count, link_ask put)
{
    size_t at = 0;
    for (size_t child = 1; child < count; child = 4 * at + 1) {
        size_t least = child, last = child + 4 < count ? child + 4 : count;
        for (size_t k = child + 1; k < last; k++) {
            least = asks_before(&heap[k], &heap[least]) ? k : least;
        }
        if (!asks_before(&heap[least], &put)) {
            break;
        }
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = put;
}

void links_move_first(links_state *s, double time)
{
    link_ask put = s->heap[0];
    put.time = time;
    if (isinf(time)) {
        put = s->heap[--s->asks];
    }
    sink(s->heap, s->asks, put);
}

/* ---- Asking ---- */

/* Counts how many wait for a link when one more does from now until `begin`. */
static bool wait_at(links_state *s, inlay_id link, double now, double begin)
{
    link_now *l = &s->link[link];
    usage *g = &s->usage[link];
    while (l->first >= 0 && s->waiter[l->first].begin <= now) {
        int32_t gone = l->first;
        l->first = s->waiter[gone].next;
        s->waiter[gone].next = s->free_waiter;
        s->free_waiter = gone;
        g->waiting--;
    }
    if (begin <= now) {
        return true;
    }
    int32_t own = s->free_waiter;
    if (own >= 0) {
        s->free_waiter = s->waiter[own].next;
    } else if (s->waiters < INT32_MAX &&
               memory_grow((void **)&s->waiter, &s->waiters_room, s->waiters + 1, sizeof *s->waiter)) {
        own = (int32_t)s->waiters++;
    } else {
        return false;
    }
    s->waiter[own] = (link_waiter){begin, -1};
    if (l->first < 0) {
        l->first = own;
    } else {
        s->waiter[l->last].next = own;
    }
    l->last = own;
    g->waiting++;
    g->largest = g->waiting > g->largest ? g->waiting : g->largest;
    return true;
}

bool links_ask(links_state *s, int32_t message, double now, link_passage *passage, double *next)
{
    flight *t = &s->flight[message];
    inlay_id number = *t->left.at++;
    const link_figures *link = &s->plan->link[number];
    usage *g = &s->usage[number];
    link_passage p = link_pass(link, &s->link[number].until, now, t->size, t->before);
    g->requests++;
    g->busy += p.end - p.begin;
    g->waited += p.begin - now;
    t->before = p.end + link->latency * s->slower;
    t->first = false;
    *passage = p;
    *next = link_leave(s->plan, link, &p, s->slower);
    return (s->link[number].first < 0 && p.begin <= now) || wait_at(s, number, now, p.begin);
}
