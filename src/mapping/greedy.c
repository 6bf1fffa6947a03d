/*
 * The greedy rule of Houstis, Houstis, Rice, section 3.1. Communicating pairs wait in a heap; a pair that became
 * infeasible is dropped for good, since clusters only grow. Pairs without traffic are too many to list: every cluster
 * waits with its least partner alone, found again when that partner is gone.
 */
#include "mapping/greedy.h"
#include "base/diag.h"
#include "base/memory.h"
#include "mapping/pair_heap.h"
#include <stdlib.h>
#include <string.h>

/* A place in the order of (work, least). */
typedef struct bound {
    inlay_time work;
    inlay_id least;
} bound;

typedef struct run {
    partition *part;
    greedy_rule rule;
    inlay_time next;
    pair_heap heap;
    inlay_id *by_work; /* roots of the clusters ordered by (work, least); unrelated pairs only */
    inlay_id clusters; /* how many stand in by_work */
    bound *tried;      /* of every root: up to there nobody fits it, but for clusters that came later */
    inlay_id *partner; /* of every root: the smallest module of the cluster that it waits with */
    inlay_id *in_slot; /* by level: clusters with a module there; merging leaves it as it is. Else NULL */
} run;

static pair make_pair(const partition *part, inlay_id a, inlay_id b, int64_t traffic)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    bool ordered = x->least < y->least;
    return (pair){traffic, x->work + y->work, ordered ? x->least : y->least, ordered ? y->least : x->least};
}

static bool same_pair(const pair *a, const pair *b)
{
    return !pair_before(a, b) && !pair_before(b, a);
}

/* Whether two clusters may be one, time aside. */
static bool compatible(const partition *part, inlay_id a, inlay_id b)
{
    return partition_fits(part, a, b) && !partition_parallel(part, a, b);
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
                !pair_heap_append(&r->heap, make_pair(part, i, j, partition_traffic(part, i, j)))) {
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
    for (inlay_id i = 0; !all && i < part->changed_count; i++) {
        inlay_id x = part->changed[i];
        if (!pair_heap_push(&r->heap, make_pair(part, root, x, partition_traffic(part, root, x)))) {
            return INLAY_NO_MEMORY;
        }
    }
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    while (all && partition_next_neighbour(part, root, &w, &x, &traffic)) {
        if (!pair_heap_push(&r->heap, make_pair(part, root, x, traffic))) {
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
        pair now = make_pair(part, a, b, partition_traffic(part, a, b));
        if (now.traffic != top.traffic || !compatible(part, a, b)) {
            continue; /* one with the sum of the traffic waits elsewhere, or the pair is lost for good */
        }
        if (!same_pair(&now, &top)) {
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

/* ---- Pairs without traffic ---- */

static bool lighter(const partition *part, inlay_id a, inlay_id b)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    return x->work != y->work ? x->work < y->work : x->least < y->least;
}

static bound bound_of(const run *r, inlay_id root)
{
    return (bound){r->part->clusters[root].work, r->part->clusters[root].least};
}

/* Where a cluster stands, or would stand, in by_work. */
static inlay_id place(const run *r, bound at)
{
    inlay_id low = 0, high = r->clusters;
    while (low < high) {
        inlay_id middle = low + (high - low) / 2;
        const cluster *c = &r->part->clusters[r->by_work[middle]];
        if (c->work != at.work ? c->work < at.work : c->least < at.least) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void take_out(run *r, inlay_id root)
{
    inlay_id at = place(r, bound_of(r, root));
    r->clusters--;
    memmove(r->by_work + at, r->by_work + at + 1, (size_t)(r->clusters - at) * sizeof *r->by_work);
}

static void put_in(run *r, inlay_id root)
{
    inlay_id at = place(r, bound_of(r, root));
    memmove(r->by_work + at + 1, r->by_work + at, (size_t)(r->clusters - at) * sizeof *r->by_work);
    r->by_work[at] = root;
    r->clusters++;
}

/* One pass of a merge sort: neighbouring runs of `width` become runs of twice that. */
static void merge_runs(const partition *part, const inlay_id *from, inlay_id *to, inlay_id count, inlay_id width)
{
    for (int64_t start = 0; start < count; start += 2 * (int64_t)width) {
        int64_t middle = start + width < count ? start + width : count;
        int64_t end = middle + width < count ? middle + width : count;
        for (int64_t i = start, j = middle, k = start; k < end; k++) {
            bool right = i == middle || (j < end && lighter(part, from[j], from[i]));
            to[k] = right ? from[j++] : from[i++];
        }
    }
}

/* qsort() would need the partition in a global variable. */
static void sort_by_work(const partition *part, inlay_id *items, inlay_id *scratch, inlay_id count)
{
    inlay_id *from = items, *to = scratch;
    for (inlay_id width = 1; width < count; width = width < count / 2 + 1 ? 2 * width : count) {
        merge_runs(part, from, to, count, width);
        inlay_id *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) {
        memcpy(items, from, (size_t)count * sizeof *items);
    }
}

static int order_by_work(run *r)
{
    partition *part = r->part;
    r->by_work = memory_array((size_t)part->count, sizeof *r->by_work);
    inlay_id *scratch = memory_array((size_t)part->count, sizeof *scratch);
    if (r->by_work == NULL || scratch == NULL) {
        free(scratch);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < part->p->modules; i++) {
        if (partition_root(part, i) == i) {
            r->by_work[r->clusters++] = i;
        }
    }
    sort_by_work(part, r->by_work, scratch, r->clusters);
    free(scratch);
    return INLAY_OK;
}

/* Whether the cluster stands on a level where all others stand too. */
static bool fits_nobody(const run *r, inlay_id root)
{
    walk w = {0};
    for (int32_t slot; r->in_slot != NULL && partition_next_slot(r->part, root, &w, &slot);) {
        if (r->in_slot[slot] == r->clusters) {
            return true;
        }
    }
    return false;
}

static int count_slots(run *r)
{
    if (r->part->p->conflict != NULL) {
        return INLAY_OK;
    }
    r->in_slot = memory_zeroed((size_t)r->part->p->slots, sizeof *r->in_slot);
    for (inlay_id i = 0; r->in_slot != NULL && i < r->clusters; i++) {
        walk w = {0};
        for (int32_t slot; partition_next_slot(r->part, r->by_work[i], &w, &slot);) {
            r->in_slot[slot]++;
        }
    }
    return r->in_slot == NULL ? INLAY_NO_MEMORY : INLAY_OK;
}

/*
 * Push a cluster with its least partner: the first that it is compatible with in the order of work. A partner that
 * time forbids is looked for only where the next time frame is asked for. Each pair waits once at least: with the
 * cluster that came later.
 */
static int push_least_partner(run *r, inlay_id root)
{
    partition *part = r->part;
    if (fits_nobody(r, root)) {
        return INLAY_OK;
    }
    for (inlay_id i = place(r, r->tried[root]); i < r->clusters; i++) {
        inlay_id other = r->by_work[i];
        bool too_long = part->clusters[root].work > r->rule.limit - part->clusters[other].work;
        if (too_long && !r->rule.want_next) {
            return INLAY_OK;
        }
        if (other != root && compatible(part, root, other)) {
            r->tried[root] = bound_of(r, other);
            r->partner[root] = part->clusters[other].least;
            /* `low` and `high` carry the pair; the order of a heap with no traffic is by work */
            return pair_heap_push(&r->heap, make_pair(part, root, other, 0)) ? INLAY_OK : INLAY_NO_MEMORY;
        }
    }
    r->tried[root].work = INT64_MAX;
    return INLAY_OK;
}

/* The top no longer stands for two clusters as they are: whoever of them is left looks for a partner anew. */
static int look_again(run *r, pair stale)
{
    partition *part = r->part;
    int status = INLAY_OK;
    inlay_id ends[2] = {stale.low, stale.high};
    for (int e = 0; e < 2 && status == INLAY_OK; e++) {
        inlay_id root = partition_root(part, ends[e]);
        if (part->clusters[root].least == ends[e] && r->partner[root] == ends[1 - e]) {
            status = push_least_partner(r, root);
        }
    }
    return status;
}

static int merge_unrelated(run *r)
{
    partition *part = r->part;
    pair_heap_clear(&r->heap);
    int status = order_by_work(r);
    r->tried = memory_zeroed((size_t)part->p->modules, sizeof *r->tried);
    r->partner = memory_array((size_t)part->p->modules, sizeof *r->partner);
    for (inlay_id i = 0; r->partner != NULL && i < part->p->modules; i++) {
        r->partner[i] = -1;
    }
    status = r->tried == NULL || r->partner == NULL ? INLAY_NO_MEMORY : status;
    status = status == INLAY_OK ? count_slots(r) : status;
    for (inlay_id i = 0; i < r->clusters && status == INLAY_OK; i++) {
        status = push_least_partner(r, r->by_work[i]);
    }
    while (status == INLAY_OK && r->heap.count > 0 && part->count > r->rule.stop_at) {
        pair top = pair_heap_pop(&r->heap);
        inlay_id a = partition_root(part, top.low), b = partition_root(part, top.high);
        pair now = a == b ? top : make_pair(part, a, b, 0);
        if (a == b || !same_pair(&now, &top) || !compatible(part, a, b)) {
            status = look_again(r, top);
        } else if (top.work > r->rule.limit) {
            reject_for_time(r, top.work);
            break;
        } else {
            take_out(r, a);
            take_out(r, b);
            inlay_id root;
            status = partition_merge(part, a, b, &root);
            if (status == INLAY_OK) {
                put_in(r, root);
                r->tried[root] = (bound){0};
                r->partner[root] = -1;
                status = push_least_partner(r, root);
            }
        }
    }
    return status;
}

int greedy_merge(partition *part, const greedy_rule *rule, inlay_time *next, inlay_diag *diag)
{
    run r = {.part = part, .rule = *rule, .next = INT64_MAX};
    int status = merge_communicating(&r);
    if (status == INLAY_OK && rule->unrelated) {
        status = merge_unrelated(&r);
    }
    pair_heap_clear(&r.heap);
    free(r.by_work);
    free(r.tried);
    free(r.partner);
    free(r.in_slot);
    if (status != INLAY_OK) {
        return diag_no_memory(diag);
    }
    if (next != NULL && r.next < *next) {
        *next = r.next;
    }
    return INLAY_OK;
}
