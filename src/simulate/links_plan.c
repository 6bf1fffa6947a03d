/* Links and routes, laid out for a simulation. */
#include "simulate/links_plan.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

void links_plan_free(links_plan *p)
{
    if (p != NULL) {
        free(p->link);
        free(p->pair_begin);
        free(p->pair_to);
        free(p->route_begin);
        free(p->route);
        free(p);
    }
}

/* ---- Pairs ---- */

bool link_pairs_add(link_pairs *pairs, inlay_id from, inlay_id to)
{
    if (!memory_grow((void **)&pairs->pair, &pairs->capacity, pairs->count + 1, sizeof *pairs->pair)) {
        return false;
    }
    pairs->pair[pairs->count++] = (uint64_t)from << 32 | (uint32_t)to;
    return true;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* In order, each once. */
static void sort_pairs(link_pairs *pairs)
{
    size_t kept = 0;
    if (pairs->count > 0) {
        qsort(pairs->pair, pairs->count, sizeof *pairs->pair, compare_pairs);
    }
    for (size_t i = 0; i < pairs->count; i++) {
        if (i == 0 || pairs->pair[i] != pairs->pair[i - 1]) {
            pairs->pair[kept++] = pairs->pair[i];
        }
    }
    pairs->count = kept;
}

static int lay_out_pairs(links_plan *p, const link_pairs *pairs, inlay_id groups)
{
    p->pair_begin = memory_zeroed((size_t)groups + 1, sizeof *p->pair_begin);
    p->pair_to = memory_array(pairs->count, sizeof *p->pair_to);
    p->route_begin = memory_array(pairs->count + 1, sizeof *p->route_begin);
    if (p->pair_begin == NULL || p->pair_to == NULL || p->route_begin == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        p->pair_begin[(pairs->pair[i] >> 32) + 1]++;
        p->pair_to[i] = (inlay_id)(pairs->pair[i] & UINT32_MAX);
    }
    for (inlay_id g = 0; g < groups; g++) {
        p->pair_begin[g + 1] += p->pair_begin[g];
    }
    return INLAY_OK;
}

/* ---- Routes ---- */

/* Appends the route of one pair, in the machine's numbers. */
static int add_route(links_plan *p, size_t *capacity, int64_t pair, inlay_id from, inlay_id to)
{
    int64_t begin = p->route_begin[pair];
    for (;;) {
        size_t left = *capacity - (size_t)begin;
        inlay_id room = left < INT32_MAX ? (inlay_id)left : INT32_MAX;
        inlay_id length = inlay_machine_route(p->machine, from, to, p->route + begin, room);
        if (length < 0) {
            return INLAY_NO_MEMORY;
        }
        if (length <= room) {
            p->longest = length > p->longest ? length : p->longest;
            p->route_begin[pair + 1] = begin + length;
            return INLAY_OK;
        }
        if (!memory_grow((void **)&p->route, capacity, (size_t)begin + (size_t)length, sizeof *p->route)) {
            return INLAY_NO_MEMORY;
        }
    }
}

static int find_routes(links_plan *p, const inlay_id *processor, inlay_id groups)
{
    size_t capacity = 0;
    int status = memory_grow((void **)&p->route, &capacity, 1, sizeof *p->route) ? INLAY_OK : INLAY_NO_MEMORY;
    p->route_begin[0] = 0;
    for (inlay_id g = 0; g < groups; g++) {
        for (int64_t k = p->pair_begin[g]; status == INLAY_OK && k < p->pair_begin[g + 1]; k++) {
            status = add_route(p, &capacity, k, processor[g], processor[p->pair_to[k]]);
        }
    }
    return status;
}

/* ---- Links ---- */

static link_figures figures_of(const interconnect *network, double unit, inlay_id number)
{
    inlay_machine_link at = inlay_machine_link_at(network->machine, number);
    return (link_figures){.capacity = network->free ? INFINITY : at.capacity * network->link_capacity,
                          .latency = at.latency * network->link_latency * unit,
                          .number = number,
                          .parallel = at.parallel};
}

/* Those on routes, in the order of the machine's numbers; routes are written in the new ones. */
static int number_links(links_plan *p, const interconnect *network, double unit, int64_t hops)
{
    inlay_id all = inlay_machine_links(p->machine);
    inlay_id *own = memory_zeroed((size_t)all, sizeof *own);
    if (own == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (int64_t h = 0; h < hops; h++) {
        p->links += own[p->route[h]] == 0;
        own[p->route[h]] = 1;
    }
    p->link = memory_array((size_t)p->links, sizeof *p->link);
    inlay_id used = 0;
    for (inlay_id l = 0; p->link != NULL && l < all; l++) {
        if (own[l] != 0) {
            p->link[used] = figures_of(network, unit, l);
            own[l] = used++;
        }
    }
    for (int64_t h = 0; h < hops; h++) {
        p->route[h] = own[p->route[h]];
    }
    free(own);
    return p->link == NULL ? INLAY_NO_MEMORY : INLAY_OK;
}

int links_plan_make(const interconnect *network, double unit, link_pairs *pairs, const inlay_id *processor,
                    inlay_id groups, links_plan **result)
{
    links_plan *p = memory_zeroed(1, sizeof *p);
    if (p == NULL) {
        return INLAY_NO_MEMORY;
    }
    p->machine = network->machine;
    p->cut_through = inlay_machine_cut_through(network->machine);
    sort_pairs(pairs);
    int status = lay_out_pairs(p, pairs, groups);
    if (status == INLAY_OK) {
        status = find_routes(p, processor, groups);
    }
    if (status == INLAY_OK) {
        status = number_links(p, network, unit, p->route_begin[p->pair_begin[groups]]);
    }
    if (status != INLAY_OK) {
        links_plan_free(p);
        return status;
    }
    *result = p;
    return INLAY_OK;
}

/* ---- A train by itself ---- */

double links_alone(const links_plan *p, link_route route, double size, double slower, double *ask, double *until)
{
    double now = *ask, before = now;
    for (const inlay_id *at = route.at; at < route.end; at++) {
        const link_figures *link = &p->link[*at];
        link_passage passage = link_pass(link, &until[at - route.at], now, size, before);
        if (at == route.at) {
            *ask = passage.end;
        }
        before = passage.end + link->latency * slower;
        now = link_leave(p, link, &passage, slower);
    }
    return before;
}
