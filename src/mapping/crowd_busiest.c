/*
 * Merging the clusters that communicate most where every pair may merge: the greedy rule, parallel clusters or not. A
 * pair that memory, pins or time forbid is dropped for good, since clusters only grow.
 */
#include "mapping/crowd_busiest.h"
#include "mapping/greedy.h"
#include "mapping/pair_heap.h"

/* Every pair from one end; where an end is a single module the parts of its traffic are summed. */
static int collect(const partition *part, pair_heap *heap)
{
    for (inlay_id i = 0; i < part->p->modules; i++) {
        if (partition_root(part, i) != i) {
            continue;
        }
        bool in_parts = part->clusters[i].more == NULL;
        walk w = {0};
        inlay_id x;
        int64_t traffic;
        while (partition_next_neighbour(part, i, &w, &x, &traffic)) {
            int64_t all = in_parts ? partition_traffic(part, i, x) : traffic;
            bool first = part->clusters[i].least < part->clusters[x].least;
            if (first && !pair_heap_append(heap, greedy_pair(part, i, x, all))) {
                return INLAY_NO_MEMORY;
            }
        }
    }
    return pair_heap_order(heap) ? INLAY_OK : INLAY_NO_MEMORY;
}

/*
 * A merged cluster's keys: with neighbours of both the traffic grew; with the others only the work did, which is found
 * out when the pair comes up, unless a side of no work brought a smaller number.
 */
static int push_changed(const partition *part, inlay_id root, bool all, pair_heap *heap)
{
    bool fine = true;
    for (size_t i = 0; fine && !all && i < part->changed_count; i++) {
        inlay_id x = part->changed[i];
        fine = pair_heap_push(heap, greedy_pair(part, root, x, partition_traffic(part, root, x)));
    }
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    while (fine && all && partition_next_neighbour(part, root, &w, &x, &traffic)) {
        fine = pair_heap_push(heap, greedy_pair(part, root, x, traffic));
    }
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

static int merge(partition *part, inlay_id a, inlay_id b, pair_heap *heap)
{
    bool idle_side = part->clusters[a].work == 0 || part->clusters[b].work == 0;
    inlay_id root;
    int status = partition_merge(part, a, b, &root);
    return status == INLAY_OK ? push_changed(part, root, idle_side, heap) : status;
}

static int merge_all(partition *part, inlay_id most, inlay_time limit, inlay_time *next, pair_heap *heap)
{
    int status = collect(part, heap);
    while (status == INLAY_OK && heap->count > 0 && part->count > most) {
        pair top = pair_heap_pop(heap);
        inlay_id a = partition_root(part, top.low), b = partition_root(part, top.high);
        if (a == b) {
            continue;
        }
        pair now = greedy_pair(part, a, b, partition_traffic(part, a, b));
        if (now.traffic != top.traffic || !partition_fits(part, a, b)) {
            continue; /* one with the sum of the traffic waits elsewhere, or the pair is lost for good */
        }
        if (!pair_same(&now, &top)) {
            status = pair_heap_push(heap, now) ? INLAY_OK : INLAY_NO_MEMORY; /* its turn comes later */
        } else if (now.work > limit) {
            *next = now.work < *next ? now.work : *next;
        } else {
            status = merge(part, a, b, heap);
        }
    }
    return status;
}

int crowd_merge_busiest(partition *part, inlay_id most, inlay_time limit, inlay_time *next)
{
    pair_heap heap = {0};
    int status = merge_all(part, most, limit, next, &heap);
    pair_heap_clear(&heap);
    return status;
}
