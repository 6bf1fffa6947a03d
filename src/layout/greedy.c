/* Nearest placement, placement in order, and what to do where free processors are not allowed. */
#include "layout/steps.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/pair_heap.h"
#include <stdlib.h>
#include <string.h>

void layout_place_pinned(layout_state *s)
{
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        if (layout_pinned(s, c)) {
            layout_put(s, c, s->f->pin[c]);
        }
    }
}

/* ---- In order ---- */

/* The lowest processor from `from` on that is free and allowed; -1 where there is none. */
static inlay_id lowest_free(const layout_state *s, inlay_id cluster, inlay_id from)
{
    for (inlay_id q = from; q < s->f->processors; q++) {
        if (s->who[q] < 0 && layout_allowed(s, cluster, q)) {
            return q;
        }
    }
    return -1;
}

int layout_place_in_order(layout_state *s, inlay_diag *diag)
{
    int status = INLAY_OK;
    inlay_id free_from = 0; /* nothing below is free */
    for (inlay_id c = 0; c < s->f->clusters && status == INLAY_OK; c++) {
        if (s->at[c] >= 0) {
            continue;
        }
        while (free_from < s->f->processors && s->who[free_from] >= 0) {
            free_from++;
        }
        inlay_id processor = lowest_free(s, c, free_from);
        if (processor >= 0) {
            layout_put(s, c, processor);
        } else {
            status = layout_seat(s, c, diag);
        }
    }
    return status;
}

/* ---- Room for one more: an augmenting path, breadth first ---- */

typedef struct chain {
    inlay_id *via;   /* of every processor: the cluster that would come there; -1: not met */
    inlay_id *queue; /* clusters that look for a processor */
    inlay_id end;    /* of it */
} chain;

/* The free processor where a chain ends; -1 where there is none. */
static inlay_id find_chain(const layout_state *s, inlay_id cluster, chain *c)
{
    c->queue[c->end++] = cluster;
    for (inlay_id at = 0; at < c->end; at++) {
        inlay_id mover = c->queue[at];
        for (inlay_id q = 0; q < s->f->processors; q++) {
            if (c->via[q] >= 0 || (s->who[q] >= 0 && layout_pinned(s, s->who[q])) || !layout_allowed(s, mover, q)) {
                continue;
            }
            c->via[q] = mover;
            if (s->who[q] < 0) {
                return q;
            }
            c->queue[c->end++] = s->who[q];
        }
    }
    return -1;
}

/* From the end: each goes to where the one before it has just left. */
static void follow_chain(layout_state *s, inlay_id cluster, inlay_id processor, const inlay_id *via)
{
    for (inlay_id mover = via[processor]; mover != cluster; mover = via[processor]) {
        inlay_id from = s->at[mover];
        layout_take(s, mover);
        layout_put(s, mover, processor);
        processor = from;
    }
    layout_put(s, cluster, processor);
}

int layout_seat(layout_state *s, inlay_id cluster, inlay_diag *diag)
{
    chain c = {.via = memory_array((size_t)s->f->processors, sizeof *c.via),
               .queue = memory_array((size_t)s->f->clusters, sizeof *c.queue)};
    int status = INLAY_OK;
    if (c.via == NULL || c.queue == NULL) {
        status = diag_no_memory(diag);
        goto done;
    }
    memset(c.via, 0xFF, (size_t)s->f->processors * sizeof *c.via); /* -1 */
    inlay_id processor = find_chain(s, cluster, &c);
    if (processor < 0) {
        status = INLAY_NO_ANSWER;
        goto done;
    }
    follow_chain(s, cluster, processor, c.via);
done:
    free(c.via);
    free(c.queue);
    return status;
}

/* ---- Nearest placement ---- */

typedef struct nearest {
    layout_state *s;
    int64_t *toward; /* traffic of every cluster with those placed */
    pair_heap heap;  /* clusters without a place; entries that are out of date are passed */

    /* Where not all processors are looked at: the next free place in the order from every place on, to the right and to the left, by paths
       that shorten as they are followed; places + 1 entries, the place behind each: itself where it is free. */
    inlay_id *right, *left;
} nearest;

static bool attract(nearest *n, inlay_id cluster)
{
    const far_problem *f = n->s->f;
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id other = f->neighbour[e];
        n->toward[other] += f->traffic[e];
        pair entry = {n->toward[other], -n->s->total[other], other, other};
        if (n->s->at[other] < 0 && !pair_heap_push(&n->heap, entry)) {
            return false;
        }
    }
    return true;
}

static inlay_id nearest_anywhere(layout_state *s, inlay_id cluster)
{
    inlay_id best = -1;
    const int64_t *cost = layout_costs(s, cluster);
    for (inlay_id q = 0; q < s->f->processors; q++) {
        if (s->who[q] < 0 && (best < 0 || cost[q] < cost[best]) && layout_allowed(s, cluster, q)) {
            best = q;
        }
    }
    return best;
}

/* The end of a path; those on it are led past each other. */
static inlay_id follow(inlay_id *path, inlay_id at)
{
    while (path[at] != at) {
        path[at] = path[path[at]];
        at = path[at];
    }
    return at;
}

/* The nearest free processors on both sides of the neighbours, and the first of all. */
static inlay_id nearest_in_order(nearest *n, inlay_id cluster)
{
    layout_state *s = n->s;
    const far_problem *f = s->f;
    inlay_id best = -1;
    int64_t least = 0;
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id there = s->at[f->neighbour[e]];
        if (there < 0) {
            continue;
        }
        const inlay_id sides[2] = {follow(n->right, s->rank[there]), follow(n->left, s->rank[there] + 1) - 1};
        for (int i = 0; i < 2; i++) {
            if (sides[i] < 0 || sides[i] >= f->processors) {
                continue;
            }
            inlay_id q = s->tree.ordered[sides[i]];
            int64_t cost = layout_cost_at(s, cluster, q);
            bool better = best < 0 || cost < least || (cost == least && q < best);
            if (better && layout_allowed(s, cluster, q)) {
                best = q;
                least = cost;
            }
        }
    }
    for (inlay_id r = follow(n->right, 0); best < 0 && r < f->processors; r = follow(n->right, r + 1)) {
        best = layout_allowed(s, cluster, s->tree.ordered[r]) ? s->tree.ordered[r] : -1;
    }
    return best;
}

static void occupy(nearest *n, inlay_id processor)
{
    if (n->right != NULL) {
        inlay_id rank = n->s->rank[processor];
        n->right[rank] = rank + 1;
        n->left[rank + 1] = rank;
    }
}

static int place(nearest *n, inlay_id cluster, inlay_diag *diag)
{
    layout_state *s = n->s;
    inlay_id processor = s->thorough ? nearest_anywhere(s, cluster) : nearest_in_order(n, cluster);
    if (processor >= 0) {
        layout_put(s, cluster, processor);
        occupy(n, processor);
    } else {
        int status = layout_seat(s, cluster, diag);
        if (status != INLAY_OK) {
            return status;
        }
        for (inlay_id q = 0; q < s->f->processors; q++) {
            if (s->who[q] >= 0) {
                occupy(n, q);
            }
        }
    }
    return attract(n, cluster) ? INLAY_OK : diag_no_memory(diag);
}

static int prepare(nearest *n, inlay_diag *diag)
{
    layout_state *s = n->s;
    size_t places = (size_t)s->f->processors + 1;
    n->toward = memory_zeroed((size_t)s->f->clusters, sizeof *n->toward);
    if (!s->thorough) {
        n->right = memory_array(places, sizeof *n->right);
        n->left = memory_array(places, sizeof *n->left);
    }
    if (n->toward == NULL || (!s->thorough && (n->right == NULL || n->left == NULL))) {
        return diag_no_memory(diag);
    }
    for (inlay_id r = 0; !s->thorough && r <= s->f->processors; r++) {
        n->right[r] = r;
        n->left[r] = r;
    }
    bool fine = true;
    for (inlay_id c = 0; c < s->f->clusters && fine; c++) {
        fine = pair_heap_append(&n->heap, (pair){0, -s->total[c], c, c});
    }
    fine = fine && pair_heap_order(&n->heap);
    for (inlay_id c = 0; c < s->f->clusters && fine; c++) {
        if (s->at[c] >= 0) {
            occupy(n, s->at[c]);
            fine = attract(n, c);
        }
    }
    return fine ? INLAY_OK : diag_no_memory(diag);
}

int layout_place_nearest(layout_state *s, inlay_diag *diag)
{
    nearest n = {.s = s};
    int status = prepare(&n, diag);
    while (status == INLAY_OK && n.heap.count > 0) {
        pair next = pair_heap_pop(&n.heap);
        if (s->at[next.low] < 0 && next.traffic == n.toward[next.low]) {
            status = place(&n, next.low, diag);
        }
    }
    pair_heap_clear(&n.heap);
    free(n.toward);
    free(n.right);
    free(n.left);
    return status;
}
