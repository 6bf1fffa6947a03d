/*
 * The greedy rule of Houstis, Houstis, Rice, section 3.1. Communicating pairs wait in a heap; a pair that became
 * infeasible is dropped for good, since clusters only grow. Pairs without traffic follow (unrelated.h).
 */
#include "mapping/greedy.h"
#include "base/diag.h"
#include "mapping/pair_heap.h"
#include "mapping/unrelated.h"

typedef struct run {
    partition *part;
    greedy_rule rule;
    inlay_time next;
    pair_heap heap;
} run;

pair greedy_pair(const partition *part, inlay_id a, inlay_id b, int64_t traffic)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    bool ordered = x->least < y->least;
    return (pair){traffic, x->work + y->work, ordered ? x->least : y->least, ordered ? y->least : x->least};
}

static void reject_for_time(run *r, inlay_time work)
{
    r->next = work < r->next ? work : r->next;
}

/* ---- Communicating pairs ---- */

static int collect_communicating(run *r)
{
    partition *part = r->part;
    for (inlay_id i = 0; i < part->p->modules; i++) {
        if (partition_root(part, i) != i) {
            continue;
        }
        walk w = {0};
        inlay_id j;
        int64_t traffic;
        while (partition_next_neighbour(part, i, &w, &j, &traffic)) {
            /* from one end alone; a part of a pair's traffic is found out when it comes up */
            if (part->clusters[i].least < part->clusters[j].least &&
                !pair_heap_append(&r->heap, greedy_pair(part, i, j, partition_traffic(part, i, j)))) {
                return INLAY_NO_MEMORY;
            }
        }
    }
    return pair_heap_order(&r->heap) ? INLAY_OK : INLAY_NO_MEMORY;
}

/*
 * A merged cluster's keys: with neighbours of both the traffic grew; with the others only the work did, which the heap
 * finds out by itself, unless a side of no work brought a smaller number.
 */
static int push_changed(run *r, inlay_id root, bool all)
{
    partition *part = r->part;
    for (size_t i = 0; !all && i < part->changed_count; i++) {
        inlay_id x = part->changed[i];
        if (!pair_heap_push(&r->heap, greedy_pair(part, root, x, partition_traffic(part, root, x)))) {
            return INLAY_NO_MEMORY;
        }
    }
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    while (all && partition_next_neighbour(part, root, &w, &x, &traffic)) {
        if (!pair_heap_push(&r->heap, greedy_pair(part, root, x, traffic))) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

static int merge_pair(run *r, inlay_id a, inlay_id b, inlay_id *root)
{
    const cluster *x = &r->part->clusters[a], *y = &r->part->clusters[b];
    bool idle_side = x->work == 0 || y->work == 0;
    int status = partition_merge(r->part, a, b, root);
    return status == INLAY_OK ? push_changed(r, *root, idle_side) : status;
}

static int merge_communicating(run *r)
{
    partition *part = r->part;
    int status = collect_communicating(r);
    while (status == INLAY_OK && r->heap.count > 0 && part->count > r->rule.stop_at) {
        pair top = pair_heap_pop(&r->heap);
        inlay_id a = partition_root(part, top.low), b = partition_root(part, top.high);
        if (a == b) {
            continue;
        }
        pair now = greedy_pair(part, a, b, partition_traffic(part, a, b));
        if (now.traffic != top.traffic || !greedy_compatible(part, a, b)) {
            continue; /* one with the sum of the traffic waits elsewhere, or the pair is lost for good */
        }
        if (!pair_same(&now, &top)) {
            status = pair_heap_push(&r->heap, now) ? INLAY_OK : INLAY_NO_MEMORY; /* its turn comes later */
        } else if (now.work > r->rule.limit) {
            reject_for_time(r, now.work);
        } else {
            inlay_id root;
            status = merge_pair(r, a, b, &root);
        }
    }
    return status;
}

int greedy_merge(partition *part, const greedy_rule *rule, inlay_time *next, inlay_diag *diag)
{
    run r = {.part = part, .rule = *rule, .next = INT64_MAX};
    part->forgetful = rule->forget && part->p->kinds.count < 2;
    int status = partition_bind(part, rule->limit);
    if (status == INLAY_OK) {
        status = merge_communicating(&r);
    }
    part->queue_operations += r.heap.operations;
    pair_heap_clear(&r.heap);
    if (status == INLAY_OK && rule->unrelated) {
        status = merge_unrelated(part, rule, &r.next);
    }
    if (status != INLAY_OK) {
        return diag_no_memory(diag);
    }
    if (part->fleet != NULL) {
        reject_for_time(&r, fleet_next(part->fleet));
    }
    if (next != NULL && r.next < *next) {
        *next = r.next;
    }
    return INLAY_OK;
}
