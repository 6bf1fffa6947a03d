/* The communicating pairs of a partition in the order of the greedy rule. */
#include "cluster/pair_queue.h"
#include "base/memory.h"
#include "cluster/greedy.h"
#include <stdlib.h>

/* From so many neighbours on a cluster keeps its pairs apart. */
enum { HUB_NEIGHBOURS = 32 };

void pair_queue_clear(pair_queue *queue)
{
    for (size_t h = 0; h < queue->hub_count; h++) {
        pair_heap_clear(&queue->hubs[h].others);
    }
    free(queue->hubs);
    id_map_clear(&queue->hub_of);
    pair_heap_clear(&queue->pairs);
}

static bool may_merge(const pair_queue *queue, inlay_id a, inlay_id b)
{
    return queue->together ? partition_fits(queue->part, a, b) : greedy_compatible(queue->part, a, b);
}

/* ---- Hubs ---- */

static pair_hub *hub_of(const pair_queue *queue, inlay_id root)
{
    int64_t number = queue->hub_count == 0 ? 0 : id_map_get(&queue->hub_of, root, 0);
    return number > 0 ? &queue->hubs[number - 1] : NULL;
}

/* A cluster's hub, made where it has none. */
static pair_hub *open_hub(pair_queue *queue, inlay_id root)
{
    pair_hub *own = hub_of(queue, root);
    if (own == NULL &&
        memory_grow((void **)&queue->hubs, &queue->hub_capacity, queue->hub_count + 1, sizeof *queue->hubs) &&
        id_map_add(&queue->hub_of, root, (int64_t)queue->hub_count + 1) >= 0) {
        own = &queue->hubs[queue->hub_count++];
        *own = (pair_hub){.shown.traffic = -1};
    }
    return own;
}

static bool put_apart(const pair_queue *queue, pair_hub *own, inlay_id other, int64_t traffic)
{
    const cluster *x = &queue->part->clusters[other];
    return pair_heap_push(&own->others, (pair){.traffic = traffic, .work = x->work, .low = x->least});
}

/*
 * The first pair of a hub goes into the queue, unless the one that stands for it there comes before. Of one cluster's
 * pairs those come first that the keys of the others say, whatever it weighs itself.
 */
static bool show(pair_queue *queue, inlay_id root)
{
    const partition *part = queue->part;
    pair_hub *own = hub_of(queue, root);
    while (own != NULL && own->others.count > 0) {
        pair top = pair_heap_pop(&own->others);
        inlay_id x = partition_root(part, top.low);
        if (x == root || partition_traffic(part, root, x) != top.traffic || !may_merge(queue, root, x)) {
            continue; /* merged, or waiting with the sum of the traffic, or lost for good */
        }
        pair first = greedy_pair(part, root, x, top.traffic);
        bool stale = part->clusters[x].work != top.work || part->clusters[x].least != top.low;
        if (!stale && (own->shown.traffic < 0 || pair_before(&first, &own->shown))) {
            own->shown = first;
            return pair_heap_push(&queue->pairs, first);
        }
        if (!put_apart(queue, own, x, top.traffic) || !stale) {
            return !stale;
        }
    }
    return true;
}

/* A pair that came to be, or whose key has changed: into the queue, or to the hub of the cluster with more neighbours. */
static bool push(pair_queue *queue, inlay_id a, inlay_id b, pair item)
{
    partition *part = queue->part;
    inlay_id large = partition_degree(part, a) >= partition_degree(part, b) ? a : b;
    /* where processors differ, a pair that is forbidden may be allowed later: it has to come up as often as ever */
    if (part->eligible != NULL || partition_degree(part, large) < HUB_NEIGHBOURS) {
        return pair_heap_push(&queue->pairs, item);
    }
    pair_hub *own = open_hub(queue, large);
    return own != NULL && put_apart(queue, own, large == a ? b : a, item.traffic) && show(queue, large);
}

/* What stood for a hub is taken out: the next one does. */
static bool taken(pair_queue *queue, inlay_id root, const pair *top)
{
    pair_hub *own = hub_of(queue, root);
    if (own == NULL || own->shown.traffic < 0 || !pair_same(&own->shown, top)) {
        return true;
    }
    own->shown.traffic = -1;
    return show(queue, root);
}

/* The hub of a merged cluster: the larger one of both, with the pairs of the other. */
static bool join_hubs(pair_queue *queue, inlay_id root, inlay_id gone)
{
    int64_t number = queue->hub_count == 0 ? 0 : id_map_remove(&queue->hub_of, gone, 0);
    if (number == 0) {
        return true;
    }
    pair_hub *own = hub_of(queue, root), *other = &queue->hubs[number - 1];
    if (own == NULL) {
        return id_map_add(&queue->hub_of, root, number) >= 0;
    }
    if (own->others.count < other->others.count) {
        pair_heap swap = own->others;
        own->others = other->others;
        other->others = swap;
    }
    bool fine = true;
    while (fine && other->others.count > 0) {
        fine = pair_heap_push(&own->others, pair_heap_pop(&other->others));
    }
    if (own->shown.traffic < 0 || (other->shown.traffic >= 0 && pair_before(&other->shown, &own->shown))) {
        own->shown = other->shown;
    }
    return fine;
}

/* ---- The queue ---- */

/* Every pair from one end alone; a part of a pair's traffic is found out when it comes up. */
int pair_queue_make(partition *part, bool together, pair_queue *result)
{
    *result = (pair_queue){.part = part, .together = together};
    for (inlay_id i = 0; i < part->p->modules; i++) {
        walk w = {0};
        inlay_id j;
        int64_t traffic;
        while (partition_root(part, i) == i && partition_next_neighbour(part, i, &w, &j, &traffic)) {
            if (part->clusters[i].least < part->clusters[j].least &&
                !pair_heap_append(&result->pairs, greedy_pair(part, i, j, partition_traffic(part, i, j)))) {
                return INLAY_NO_MEMORY;
            }
        }
    }
    return pair_heap_order(&result->pairs) ? INLAY_OK : INLAY_NO_MEMORY;
}

int pair_queue_next(pair_queue *queue, pair *first, inlay_id *a, inlay_id *b)
{
    const partition *part = queue->part;
    bool fine = true;
    while (fine && queue->pairs.count > 0) {
        pair top = pair_heap_pop(&queue->pairs);
        inlay_id x = partition_root(part, top.low), y = partition_root(part, top.high);
        fine = taken(queue, x, &top) && taken(queue, y, &top);
        if (x == y) {
            continue;
        }
        pair now = greedy_pair(part, x, y, partition_traffic(part, x, y));
        if (now.traffic != top.traffic || !may_merge(queue, x, y)) {
            continue; /* one with the sum of the traffic waits elsewhere, or the pair is lost for good */
        }
        if (fine && pair_same(&now, &top)) {
            *first = now;
            *a = x;
            *b = y;
            return INLAY_OK;
        }
        fine = fine && push(queue, x, y, now); /* its turn comes later */
    }
    *a = -1;
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

/*
 * A merged cluster's keys: with neighbours of both the traffic grew; with the others only the work did, which is found
 * out when they come up, unless a side of no work brought a smaller number.
 */
int pair_queue_merge(pair_queue *queue, inlay_id a, inlay_id b)
{
    partition *part = queue->part;
    bool all = part->clusters[a].work == 0 || part->clusters[b].work == 0, fine = true;
    inlay_id root;
    if (partition_merge(part, a, b, &root) != INLAY_OK || !join_hubs(queue, root, root == a ? b : a)) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; fine && !all && i < part->changed_count; i++) {
        inlay_id x = part->changed[i];
        fine = push(queue, root, x, greedy_pair(part, root, x, partition_traffic(part, root, x)));
    }
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    while (fine && all && partition_next_neighbour(part, root, &w, &x, &traffic)) {
        fine = push(queue, root, x, greedy_pair(part, root, x, traffic));
    }
    return fine && show(queue, root) ? INLAY_OK : INLAY_NO_MEMORY;
}
