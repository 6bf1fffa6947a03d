/*
 * Recursive bisection: the clusters of a part of the machine are split between its two halves, so that little traffic
 * goes from one half to the other, and what goes to clusters elsewhere has a short way; then those of the halves, down
 * to single processors. F. Pellegrini and J. Roman, "Scotch", HPCN-Europe 1996 (dual recursive bipartitioning); each split
 * is found and refined by moves of single clusters: C. Fiduccia and R. Mattheyses, 19th DAC, 1982.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/splitmix.h"
#include "cluster/pair_heap.h"
#include "layout/steps.h"
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 4, PASSES = 6 };

/* The split of one part. */
typedef struct halves {
    const inlay_id *cluster; /* those of the part */
    inlay_id count;
    const layout_part *part[2];
    int64_t apart;    /* distance between the halves */
    inlay_id room[2]; /* processors of each */
    inlay_id size[2]; /* clusters of each, now */
    int64_t cost;     /* less where every cluster's own traffic goes a shorter way; from 0 at the begin of a pass */
} halves;

typedef struct bisection {
    memory_pool arrays; /**< owns them */
    layout_state *s;
    const layout_tree *tree;
    const inlay_id *rank; /* of every processor in the order */
    inlay_id *cluster;    /* all, the clusters of a part in a run */
    inlay_id *begin;      /* of every part: where its run begins */
    inlay_id *count;      /* and how many it has */
    inlay_id *part_of;    /* of every cluster: the smallest part known */
    uint8_t *side;        /* of every cluster, in the part that is being split */
    uint8_t *best_side;
    bool *locked;
    int64_t *pull;   /* of every cluster: what second half has before the first, by traffic to clusters elsewhere */
    int64_t *gain;   /* of every cluster: what a move to the other half brings */
    inlay_id *moved; /* those moved in a pass, in order */
    pair_heap heap[2];
    halves now;
} bisection;

/* ---- One pass of moves ---- */

/* What a cluster gains by moving to the other half. */
static int64_t gain_of(const bisection *b, inlay_id c)
{
    const far_problem *f = b->s->f;
    int side = b->side[c];
    int64_t gain = side == 0 ? b->pull[c] : -b->pull[c];
    for (int64_t e = f->begin[c]; e < f->begin[c + 1]; e++) {
        inlay_id other = f->neighbour[e];
        if (b->part_of[other] == b->part_of[c]) {
            gain += b->side[other] == side ? -b->now.apart * f->traffic[e] : b->now.apart * f->traffic[e];
        }
    }
    return gain;
}

static bool offer(bisection *b, inlay_id c)
{
    return pair_heap_push(&b->heap[b->side[c]], (pair){b->gain[c], 0, c, c});
}

static bool begin_pass(bisection *b)
{
    halves *h = &b->now;
    bool fine = true;
    h->cost = 0;
    for (inlay_id i = 0; i < h->count && fine; i++) {
        inlay_id c = h->cluster[i];
        b->gain[c] = gain_of(b, c);
        b->locked[c] = layout_pinned(b->s, c);
        fine = b->locked[c] || offer(b, c);
    }
    return fine;
}

/* The cluster with the largest gain on a side; -1 where there is none. Entries that are out of date are dropped. */
static inlay_id best_of(bisection *b, int side)
{
    pair_heap *heap = &b->heap[side];
    while (heap->size > 0) {
        pair top = heap->items[0];
        if (!b->locked[top.low] && b->side[top.low] == side && b->gain[top.low] == top.traffic) {
            return top.low;
        }
        (void)pair_heap_pop(heap);
    }
    return -1;
}

/* The next cluster to move: from a half that is too full; else the larger gain, where there is room for one too many. */
static inlay_id choose(bisection *b)
{
    halves *h = &b->now;
    inlay_id candidate[2];
    for (int side = 0; side < 2; side++) {
        bool may = h->size[1 - side] <= h->room[1 - side];
        candidate[side] = may ? best_of(b, side) : -1;
    }
    if (candidate[0] < 0 || candidate[1] < 0) {
        return candidate[0] < 0 ? candidate[1] : candidate[0];
    }
    for (int side = 0; side < 2; side++) {
        if (h->size[side] > h->room[side]) {
            return candidate[side];
        }
    }
    return b->gain[candidate[1]] > b->gain[candidate[0]] ? candidate[1] : candidate[0];
}

static void switch_side(bisection *b, inlay_id c)
{
    halves *h = &b->now;
    h->size[b->side[c]]--;
    b->side[c] = (uint8_t)(1 - b->side[c]);
    h->size[b->side[c]]++;
}

static bool move(bisection *b, inlay_id c)
{
    const far_problem *f = b->s->f;
    halves *h = &b->now;
    bool fine = true;
    h->cost -= b->gain[c];
    switch_side(b, c);
    b->locked[c] = true;
    for (int64_t e = f->begin[c]; e < f->begin[c + 1] && fine; e++) {
        inlay_id other = f->neighbour[e];
        if (b->part_of[other] != b->part_of[c] || b->locked[other]) {
            continue;
        }
        int64_t change = 2 * h->apart * f->traffic[e];
        b->gain[other] += b->side[other] == b->side[c] ? -change : change;
        fine = offer(b, other);
    }
    return fine;
}

static bool fits(const halves *h)
{
    return h->size[0] <= h->room[0] && h->size[1] <= h->room[1];
}

/* Moves each cluster once at most, then goes back to where it was cheapest. *better: whether that is not the begin. */
static int pass(bisection *b, bool *better, inlay_diag *diag)
{
    halves *h = &b->now;
    inlay_id moves = 0, kept = 0;
    bool fitted = fits(h);
    int64_t least = 0;
    inlay_id patience = 32 + h->count / 8; /* moves that bring nothing, before the pass is given up */
    bool fine = begin_pass(b);
    for (inlay_id c; fine && moves - kept < (fitted ? patience : h->count + 1) && (c = choose(b)) >= 0;) {
        fine = move(b, c);
        b->moved[moves++] = c;
        if (fits(h) && (!fitted || h->cost < least)) {
            fitted = true;
            least = h->cost;
            kept = moves;
        }
    }
    while (moves > kept) {
        switch_side(b, b->moved[--moves]);
    }
    h->cost = least;
    *better = kept > 0;
    pair_heap_clear(&b->heap[0]);
    pair_heap_clear(&b->heap[1]);
    return fine ? INLAY_OK : diag_no_memory(diag);
}

/* ---- One part ---- */

/* Clusters elsewhere stand in the middle of their part. */
static void find_pulls(bisection *b)
{
    const far_problem *f = b->s->f;
    const halves *h = &b->now;
    for (inlay_id i = 0; i < h->count; i++) {
        inlay_id c = h->cluster[i];
        b->pull[c] = 0;
        for (int64_t e = f->begin[c]; e < f->begin[c + 1]; e++) {
            inlay_id part = b->part_of[f->neighbour[e]];
            if (part != b->part_of[c]) {
                inlay_id middle = b->tree->part[part].middle;
                b->pull[c] += f->traffic[e] * (layout_distance(b->s, h->part[0]->middle, middle) -
                                               layout_distance(b->s, h->part[1]->middle, middle));
            }
        }
    }
}

/* What goes from half to half, and to clusters elsewhere as far as it depends on the half. */
static int64_t cost_of(const bisection *b)
{
    const far_problem *f = b->s->f;
    int64_t inside = 0, outside = 0;
    for (inlay_id i = 0; i < b->now.count; i++) {
        inlay_id c = b->now.cluster[i];
        outside -= b->side[c] == 1 ? b->pull[c] : 0;
        for (int64_t e = f->begin[c]; e < f->begin[c + 1]; e++) {
            inlay_id other = f->neighbour[e];
            bool crosses = b->part_of[other] == b->part_of[c] && b->side[other] != b->side[c];
            inside += crosses ? b->now.apart * f->traffic[e] : 0;
        }
    }
    return inside / 2 + outside;
}

/* The half in which a processor is: by its place in the order. */
static int half_of(const bisection *b, inlay_id processor)
{
    return b->rank[processor] >= b->now.part[1]->from;
}

/* Begins: the first half takes what it has room for, in order; or everything but one cluster. Pinned clusters aside. */
static void begin_split(bisection *b, int attempt, uint64_t *state)
{
    halves *h = &b->now;
    inlay_id seed = attempt > 1 ? h->cluster[splitmix_below(state, h->count)] : -1;
    inlay_id pinned[2] = {0, 0};
    for (inlay_id i = 0; i < h->count; i++) {
        inlay_id c = h->cluster[i];
        if (layout_pinned(b->s, c)) {
            pinned[half_of(b, b->s->f->pin[c])]++;
        }
    }
    h->size[0] = pinned[0];
    h->size[1] = pinned[1];
    for (inlay_id i = 0; i < h->count; i++) {
        inlay_id c = h->cluster[i];
        int side = attempt == 0 ? h->size[0] >= h->room[0] : c == seed;
        if (layout_pinned(b->s, c)) {
            side = half_of(b, b->s->f->pin[c]);
        } else {
            h->size[side]++;
        }
        b->side[c] = (uint8_t)side;
    }
}

static int attempt_split(bisection *b, int attempt, uint64_t *state, int64_t *least, inlay_diag *diag)
{
    int status = INLAY_OK;
    bool better = true;
    begin_split(b, attempt, state);
    for (int i = 0; i < PASSES && better && status == INLAY_OK; i++) {
        status = pass(b, &better, diag);
    }
    int64_t cost = status == INLAY_OK ? cost_of(b) : 0;
    if (status == INLAY_OK && cost < *least) {
        *least = cost;
        for (inlay_id i = 0; i < b->now.count; i++) {
            b->best_side[b->now.cluster[i]] = b->side[b->now.cluster[i]];
        }
    }
    return status;
}

/* The clusters of the part come to its halves, each half's in a run, in the order in which they were. */
static void hand_down(bisection *b, inlay_id part)
{
    inlay_id half = b->tree->part[part].half, count[2] = {0, 0};
    inlay_id *run = b->cluster + b->begin[part];
    for (inlay_id i = 0; i < b->now.count; i++) {
        inlay_id c = run[i];
        int side = b->best_side[c];
        b->part_of[c] = half + side;
        if (side == 0) {
            run[count[0]++] = c;
        } else {
            b->moved[count[1]++] = c;
        }
    }
    memcpy(run + count[0], b->moved, (size_t)count[1] * sizeof *run);
    for (int side = 0; side < 2; side++) {
        b->begin[half + side] = b->begin[part] + side * count[0];
        b->count[half + side] = count[side];
    }
}

static int split_part(bisection *b, inlay_id part, uint64_t *state, inlay_diag *diag)
{
    const layout_part *own = &b->tree->part[part], *half = &b->tree->part[own->half];
    int64_t least = INT64_MAX;
    int status = INLAY_OK;
    for (int i = 0; i < 2; i++) {
        layout_fill_row(b->s, half[i].middle);
    }
    int apart = layout_distance(b->s, half[0].middle, half[1].middle);
    b->now = (halves){.cluster = b->cluster + b->begin[part],
                      .count = b->count[part],
                      .part = {&half[0], &half[1]},
                      .apart = apart > 0 ? apart : 1,
                      .room = {half[0].to - half[0].from, half[1].to - half[1].from}};
    find_pulls(b);
    for (int i = 0; i < ATTEMPTS && status == INLAY_OK; i++) {
        status = attempt_split(b, i, state, &least, diag);
    }
    if (status == INLAY_OK) {
        hand_down(b, part);
    }
    return status;
}

/* ---- All parts ---- */

static int prepare(bisection *b, inlay_diag *diag)
{
    size_t n = (size_t)b->s->f->clusters, parts = (size_t)b->tree->parts;
    b->cluster = pool_array(&b->arrays, n, sizeof *b->cluster);
    b->begin = pool_array(&b->arrays, parts, sizeof *b->begin);
    b->count = pool_array(&b->arrays, parts, sizeof *b->count);
    b->part_of = pool_zeroed(&b->arrays, n, sizeof *b->part_of);
    b->side = pool_array(&b->arrays, n, sizeof *b->side);
    b->best_side = pool_array(&b->arrays, n, sizeof *b->best_side);
    b->locked = pool_array(&b->arrays, n, sizeof *b->locked);
    b->pull = pool_array(&b->arrays, n, sizeof *b->pull);
    b->gain = pool_array(&b->arrays, n, sizeof *b->gain);
    b->moved = pool_array(&b->arrays, n, sizeof *b->moved);
    if (b->arrays.failed) {
        return diag_no_memory(diag);
    }
    for (inlay_id c = 0; c < b->s->f->clusters; c++) {
        b->cluster[c] = c;
    }
    b->begin[0] = 0;
    b->count[0] = b->s->f->clusters;
    return INLAY_OK;
}

static void put_leaves(bisection *b)
{
    layout_state *s = b->s;
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        inlay_id processor = b->tree->ordered[b->tree->part[b->part_of[c]].from];
        if (s->at[c] < 0 && layout_allowed(s, c, processor)) {
            layout_put(s, c, processor);
        }
    }
}

int layout_place_bisected(layout_state *s, inlay_diag *diag)
{
    bisection b = {.s = s, .tree = &s->tree, .rank = s->rank};
    uint64_t state = s->f->seed;
    int status = prepare(&b, diag);
    for (inlay_id part = 0; part < b.tree->parts && status == INLAY_OK; part++) {
        if (b.tree->part[part].half < 0) {
            continue;
        }
        if (b.count[part] > 0) {
            status = split_part(&b, part, &state, diag);
        } else {
            inlay_id half = b.tree->part[part].half;
            b.count[half] = b.count[half + 1] = 0;
        }
    }
    if (status == INLAY_OK) {
        put_leaves(&b);
        status = layout_place_nearest(s, diag);
    }
    pool_clear(&b.arrays);
    return status;
}
