/* Gaps of processors: a treap each, whose nodes are never taken out, for a gap that is used up is as good as none. */
#include "cluster/timeline.h"
#include "base/memory.h"
#include <stdlib.h>

bool timeline_make(timeline *t, inlay_id processors)
{
    *t = (timeline){.tail = memory_zeroed((size_t)processors, sizeof *t->tail),
                    .root = memory_array((size_t)processors, sizeof *t->root),
                    .full = memory_zeroed((size_t)processors, sizeof *t->full)};
    if (t->tail == NULL || t->root == NULL || t->full == NULL) {
        timeline_clear(t);
        return false;
    }
    for (inlay_id q = 0; q < processors; q++) {
        t->root[q] = -1;
    }
    return true;
}

void timeline_clear(timeline *t)
{
    free(t->tail);
    free(t->root);
    free(t->full);
    free(t->gap);
    *t = (timeline){0};
}

/* ---- Finding ---- */

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* The gap in which `time` fits from `ready` on, the first of those from `node` down; -1 none. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the treap */
static int32_t first_gap(const timeline *t, int32_t node, double ready, double time)
{
    while (node >= 0 && t->gap[node].longest >= time) {
        const timeline_gap *g = &t->gap[node];
        if (g->end > ready) {
            int32_t before = first_gap(t, g->left, ready, time);
            double start = later(g->begin, ready);
            if (before >= 0 || (start < g->end && start + time <= g->end)) {
                return before >= 0 ? before : node;
            }
        }
        node = g->right;
    }
    return -1;
}

double timeline_find(const timeline *t, inlay_id processor, double ready, double time)
{
    timeline_full *full = &t->full[processor];
    if (ready >= t->tail[processor]) {
        return ready;
    }
    if (ready >= full->ready && time >= full->least) {
        return t->tail[processor];
    }
    int32_t gap = first_gap(t, t->root[processor], ready, time);
    if (gap >= 0) {
        return later(t->gap[gap].begin, ready);
    }
    if (time <= full->least) {
        *full = (timeline_full){ready, time};
    }
    return t->tail[processor];
}

/* ---- Booking ---- */

/* More than any time that fits, however a sum of times is rounded. */
static double more_than(double begin, double end)
{
    return end - begin + end * 0x1p-50;
}

static void refresh(timeline *t, int32_t node)
{
    timeline_gap *g = &t->gap[node];
    g->longest = more_than(g->begin, g->end);
    g->longest = g->left >= 0 ? later(g->longest, t->gap[g->left].longest) : g->longest;
    g->longest = g->right >= 0 ? later(g->longest, t->gap[g->right].longest) : g->longest;
}

/* What makes the tree even: any number that has nothing to do with time. */
static uint32_t weight(int32_t node)
{
    uint32_t x = (uint32_t)node * UINT32_C(0x9E3779B9);
    return (x ^ x >> 15) * UINT32_C(0x85EBCA6B);
}

/* The gaps before a time, and those from it on. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the treap */
static void split(timeline *t, int32_t node, double time, int32_t *before, int32_t *from)
{
    if (node < 0) {
        *before = *from = -1;
        return;
    }
    timeline_gap *g = &t->gap[node];
    if (g->begin < time) {
        *before = node;
        split(t, g->right, time, &g->right, from);
    } else {
        *from = node;
        split(t, g->left, time, before, &g->left);
    }
    refresh(t, node);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the treap */
static int32_t insert(timeline *t, int32_t node, int32_t added)
{
    timeline_gap *g = &t->gap[node < 0 ? added : node], *own = &t->gap[added];
    if (node < 0 || weight(added) > weight(node)) {
        split(t, node, own->begin, &own->left, &own->right);
        node = added;
    } else if (own->begin < g->begin) {
        g->left = insert(t, g->left, added);
    } else {
        g->right = insert(t, g->right, added);
    }
    refresh(t, node);
    return node;
}

static bool add(timeline *t, inlay_id processor, double begin, double end)
{
    if (!memory_grow((void **)&t->gap, &t->room, t->gaps + 1, sizeof *t->gap)) {
        return false;
    }
    int32_t added = (int32_t)t->gaps++;
    t->full[processor].least = later(t->full[processor].least, more_than(begin, end));
    t->gap[added] = (timeline_gap){begin, end, 0, -1, -1};
    t->root[processor] = insert(t, t->root[processor], added);
    return true;
}

/* Take a time out of the gap that it is in; gives the end of that gap, as far as it is not left there. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the treap */
static double take(timeline *t, int32_t node, double start, double end)
{
    timeline_gap *g = &t->gap[node];
    double rest = end;
    if (start < g->begin) {
        rest = take(t, g->left, start, end);
    } else if (start >= g->end) {
        rest = take(t, g->right, start, end);
    } else if (start > g->begin) {
        rest = g->end;
        g->end = start;
    } else {
        g->begin = end;
    }
    refresh(t, node);
    return rest;
}

bool timeline_book(timeline *t, inlay_id processor, double start, double time)
{
    double end = start + time, *tail = &t->tail[processor];
    if (start >= *tail) {
        double free_from = *tail;
        *tail = end;
        return !(start > free_from) || add(t, processor, free_from, start);
    }
    double rest = take(t, t->root[processor], start, end);
    return !(rest > end) || add(t, processor, end, rest);
}
