/* The greedy rule on communicating pairs, under one time frame after the other. */
#include "search/replay.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include <stdlib.h>

static bool add_event(event_list *list, event e)
{
    if (!memory_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        return false;
    }
    list->items[list->count++] = e;
    return true;
}

/* ---- Waiting ---- */

static bool event_before(const void *context, const void *a, const void *b)
{
    (void)context;
    return pair_before(&((const event *)a)->item, &((const event *)b)->item);
}

static bool push(replay *r, pair item)
{
    event e = {.item = item, .birth = (uint32_t)r->log.count};
    if (!add_event(&r->heap, e)) {
        return false;
    }
    heap_put((heap){r->heap.items, sizeof e, event_before, NULL}, r->heap.count - 1);
    return true;
}

/* The first of all that wait; false where nobody does. */
static bool pop(replay *r, event *first)
{
    bool sorted = r->next<r->waiting.count, heaped = r->heap.count> 0;
    if (sorted && (!heaped || !pair_before(&r->heap.items[0].item, &r->waiting.items[r->next].item))) {
        *first = r->waiting.items[r->next++];
    } else if (heaped) {
        *first = r->heap.items[0];
        heap_drop((heap){r->heap.items, sizeof *first, event_before, NULL}, --r->heap.count);
    }
    return sorted || heaped;
}

/* ---- Making ---- */

static bool collect_pairs(const clusters *c, pair_heap *pairs)
{
    for (inlay_id i = 0; i < c->p->modules; i++) {
        int32_t j;
        int64_t traffic;
        for (uint32_t at = 0; c->root[i] == i && traffic_table_next(&c->groups[i].neighbours, &at, &j, &traffic);) {
            if (c->groups[i].least < c->groups[j].least && !pair_heap_append(pairs, clusters_pair(c, i, j, traffic))) {
                return false;
            }
        }
    }
    return pair_heap_order(pairs);
}

static bool order_pairs(replay *r)
{
    pair_heap pairs = {0};
    bool fine = collect_pairs(&r->clusters, &pairs);
    while (fine && pairs.count > 0) {
        fine = add_event(&r->waiting, (event){.item = pair_heap_pop(&pairs)});
    }
    pair_heap_clear(&pairs);
    return fine;
}

void replay_clear(replay *r)
{
    clusters_clear(&r->clusters);
    free(r->waiting.items);
    free(r->heap.items);
    free(r->log.items);
    free(r->rejected);
    *r = (replay){0};
}

int replay_make(const problem *p, replay *result, inlay_diag *diag)
{
    replay r = {0};
    int status = clusters_make(p, &r.clusters, diag);
    if (status == INLAY_OK && !order_pairs(&r)) {
        replay_clear(&r);
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        *result = r;
    }
    return status;
}

/* ---- Running ---- */

inlay_time replay_next(const replay *r)
{
    return r->rejected_count > 0 ? r->rejected[r->rejected_count - 1].work : INT64_MAX;
}

static bool reject(replay *r, inlay_time work)
{
    if (work >= replay_next(r)) {
        return true;
    }
    if (!memory_grow((void **)&r->rejected, &r->rejected_capacity, r->rejected_count + 1, sizeof *r->rejected)) {
        return false;
    }
    r->rejected[r->rejected_count++] = (rejection){r->log.count - 1, work};
    return true;
}

/*
 * A merged cluster's pairs: with neighbours of both the traffic grew; with the others only the work did, which is found
 * out when they come up, unless a side of no work brought a smaller number.
 */
static bool push_changed(replay *r, inlay_id root, bool all)
{
    const clusters *c = &r->clusters;
    bool fine = true;
    for (inlay_id i = 0; !all && fine && i < c->changed_count; i++) {
        inlay_id x = c->changed[i];
        fine = push(r, clusters_pair(c, root, x, clusters_traffic(c, root, x)));
    }
    int32_t x;
    int64_t traffic;
    for (uint32_t at = 0; all && fine && traffic_table_next(&c->groups[root].neighbours, &at, &x, &traffic);) {
        fine = push(r, clusters_pair(c, root, x, traffic));
    }
    return fine;
}

static bool merge(replay *r, inlay_id a, inlay_id b)
{
    clusters *c = &r->clusters;
    bool idle_side = c->groups[a].work == 0 || c->groups[b].work == 0;
    inlay_id root;
    return clusters_merge(c, a, b, &root) && push_changed(r, root, idle_side);
}

/* What becomes of a pair that has come up. */
static bool settle(replay *r, const pair *top, inlay_time limit)
{
    const clusters *c = &r->clusters;
    inlay_id a = c->root[top->low], b = c->root[top->high];
    if (a == b || clusters_traffic(c, a, b) != top->traffic || !clusters_compatible(c, a, b)) {
        return true; /* one with the sum of the traffic waits elsewhere, or the pair is lost for good */
    }
    pair now = clusters_pair(c, a, b, top->traffic);
    if (pair_before(&now, top) || pair_before(top, &now)) {
        return push(r, now); /* its turn comes later */
    }
    return now.work > limit ? reject(r, now.work) : merge(r, a, b);
}

/* Back to when the pair at `at` came up. */
static bool go_back(replay *r, size_t at)
{
    if (!clusters_part(&r->clusters, r->log.items[at].joined)) {
        return false;
    }
    r->waiting.count = r->next = 0;
    for (size_t i = at; i < r->log.count; i++) {
        if (r->log.items[i].birth <= at && !add_event(&r->waiting, r->log.items[i])) {
            return false;
        }
    }
    r->log.count = at;
    return true;
}

bool replay_run(replay *r, inlay_time limit)
{
    size_t at = r->log.count;
    while (replay_next(r) <= limit) {
        at = r->rejected[--r->rejected_count].at;
    }
    bool fine = at == r->log.count || go_back(r, at);
    for (event top; fine && pop(r, &top);) {
        top.joined = (uint32_t)r->clusters.joined;
        fine = add_event(&r->log, top) && settle(r, &top.item, limit);
    }
    return fine;
}
