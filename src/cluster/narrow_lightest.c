/*
 * Merging the lightest clusters where every pair may merge. Clusters come in classes of equal work, the lightest first.
 * A merged cluster is heavier than both, so that a class only ever loses members: the traffic that settles the ties
 * within it is summed once, when its turn comes.
 */
#include "cluster/narrow_lightest.h"
#include "base/memory.h"
#include "cluster/narrow_join.h"
#include "cluster/pair_heap.h"
#include <stdlib.h>

typedef struct lightest {
    joining join;
    inlay_id most;
    inlay_time limit, next;
    bool over;         /* so few are left, or the least sum is above the limit */
    pair_heap waiting; /* clusters: .work, .low their smallest module, .high their root */
    pair_heap tied;    /* communicating pairs within the class */
    inlay_time work;   /* of the class */
    inlay_id *class;   /* its roots by smallest module, gone ones too */
    size_t size, capacity;
    size_t left;       /* those that are not gone */
    inlay_id single;   /* left over from a lighter class, or -1 */
    int64_t *shared;   /* by root: -1 outside the class, else traffic with the cluster at hand */
    inlay_id *touched; /* those that it communicates with */
    inlay_id touched_count;
} lightest;

static cluster *cluster_of(const lightest *l, inlay_id root)
{
    return &l->join.part->clusters[root];
}

static bool queue_up(lightest *l, inlay_id root)
{
    const cluster *c = cluster_of(l, root);
    return pair_heap_push(&l->waiting, (pair){.work = c->work, .low = c->least, .high = root});
}

/* Merge two, unless that is the end. */
static int merge(lightest *l, inlay_id a, inlay_id b)
{
    inlay_time sum = cluster_of(l, a)->work + cluster_of(l, b)->work;
    if (sum > l->limit) {
        l->next = sum < l->next ? sum : l->next;
        l->over = true;
        return INLAY_OK;
    }
    joining_join(&l->join, a, b);
    l->over = l->join.part->count <= l->most;
    l->shared[a] = l->shared[b] = -1;
    return queue_up(l, a) ? INLAY_OK : INLAY_NO_MEMORY;
}

/* ---- A class ---- */

/* Sums the traffic of a cluster with the members of the class. */
static void touch(lightest *l, inlay_id root)
{
    joined_walk w = {.part = root};
    inlay_id x;
    int64_t traffic;
    while (joining_next_neighbour(&l->join, &w, &x, &traffic)) {
        if (l->shared[x] >= 0 && x != root) {
            if (l->shared[x] == 0) {
                l->touched[l->touched_count++] = x;
            }
            l->shared[x] += traffic;
        }
    }
}

static int64_t untouch(lightest *l, inlay_id root)
{
    int64_t traffic = l->shared[root];
    l->shared[root] = 0;
    return traffic;
}

static int open_class(lightest *l)
{
    pair first = pair_heap_pop(&l->waiting);
    l->work = first.work;
    l->size = 0;
    for (;;) {
        if (!memory_grow((void **)&l->class, &l->capacity, l->size + 1, sizeof *l->class)) {
            return INLAY_NO_MEMORY;
        }
        l->class[l->size++] = first.high;
        l->shared[first.high] = 0;
        if (l->waiting.count == 0) {
            break;
        }
        first = pair_heap_pop(&l->waiting);
        if (first.work != l->work) {
            l->left = l->size;
            return pair_heap_push(&l->waiting, first) ? INLAY_OK : INLAY_NO_MEMORY;
        }
    }
    l->left = l->size;
    return INLAY_OK;
}

/* With a single lighter cluster goes the member that it talks to most, else the first. */
static int merge_single(lightest *l)
{
    inlay_id best = l->class[0];
    int64_t most = 0;
    if (l->size > 1) {
        touch(l, l->single);
    }
    for (inlay_id i = 0; i < l->touched_count; i++) {
        inlay_id x = l->touched[i];
        int64_t traffic = untouch(l, x);
        if (traffic > most || (traffic == most && cluster_of(l, x)->least < cluster_of(l, best)->least)) {
            most = traffic;
            best = x;
        }
    }
    l->touched_count = 0;
    l->left--;
    int status = merge(l, l->single, best);
    l->single = -1;
    return status;
}

static int collect_tied(lightest *l)
{
    for (size_t i = 0; i < l->size; i++) {
        inlay_id a = l->class[i];
        if (l->shared[a] < 0) {
            continue;
        }
        touch(l, a);
        inlay_id low = cluster_of(l, a)->least;
        bool fine = true;
        for (inlay_id t = 0; t < l->touched_count; t++) {
            inlay_id high = cluster_of(l, l->touched[t])->least;
            int64_t traffic = untouch(l, l->touched[t]);
            fine = fine && (low > high || pair_heap_append(&l->tied, (pair){traffic, 2 * l->work, low, high}));
        }
        l->touched_count = 0;
        if (!fine) {
            return INLAY_NO_MEMORY;
        }
    }
    return pair_heap_order(&l->tied) ? INLAY_OK : INLAY_NO_MEMORY;
}

/* The pairs of a class that communicate. */
static int merge_tied(lightest *l)
{
    int status = collect_tied(l);
    while (status == INLAY_OK && !l->over && l->tied.count > 0) {
        pair top = pair_heap_pop(&l->tied);
        inlay_id a = partition_root(l->join.part, top.low), b = partition_root(l->join.part, top.high);
        if (l->shared[a] >= 0 && l->shared[b] >= 0) {
            l->left -= 2;
            status = merge(l, a, b);
        }
    }
    pair_heap_clear(&l->tied);
    return status;
}

/* The others two by two. */
static int merge_in_turn(lightest *l)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < l->size && status == INLAY_OK && !l->over; i++) {
        inlay_id root = l->class[i];
        if (l->shared[root] < 0) {
            continue;
        }
        l->shared[root] = -1;
        if (l->single < 0) {
            l->single = root;
        } else {
            status = merge(l, l->single, root);
            l->single = -1;
        }
    }
    return status;
}

static int merge_class(lightest *l)
{
    int status = open_class(l);
    if (status == INLAY_OK && l->single >= 0) {
        status = merge_single(l);
    }
    if (status == INLAY_OK && !l->over && l->left > 2) {
        status = merge_tied(l);
    }
    return status == INLAY_OK && !l->over ? merge_in_turn(l) : status;
}

/* ---- All of them ---- */

static void clear(lightest *l)
{
    joining_clear(&l->join);
    pair_heap_clear(&l->waiting);
    pair_heap_clear(&l->tied);
    free(l->class);
    free(l->shared);
    free(l->touched);
}

static int begin(partition *part, lightest *l)
{
    size_t n = (size_t)part->p->modules;
    int status = joining_begin(part, &l->join);
    l->shared = memory_array(n, sizeof *l->shared);
    l->touched = memory_array((size_t)part->count, sizeof *l->touched);
    if (status != INLAY_OK || l->shared == NULL || l->touched == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < part->p->modules; i++) {
        l->shared[i] = -1;
        const cluster *c = &part->clusters[i];
        if (partition_root(part, i) == i &&
            !pair_heap_append(&l->waiting, (pair){.work = c->work, .low = c->least, .high = i})) {
            return INLAY_NO_MEMORY;
        }
    }
    return pair_heap_order(&l->waiting) ? INLAY_OK : INLAY_NO_MEMORY;
}

int narrow_merge_lightest(partition *part, inlay_id most, inlay_time limit, inlay_time *next)
{
    lightest l = {.most = most, .limit = limit, .next = INT64_MAX, .over = part->count <= most, .single = -1};
    int status = begin(part, &l);
    while (status == INLAY_OK && !l.over && l.waiting.count > 0) {
        status = merge_class(&l);
    }
    if (status == INLAY_OK) {
        status = joining_end(&l.join);
    }
    if (status == INLAY_OK && l.next < *next) {
        *next = l.next;
    }
    clear(&l);
    return status;
}
