/*
 * The traffic between modules as an undirected graph in P parts of the shares of work that processors can do, as libraries do
 * it: in two, again and again, each time by many levels (G. Karypis and V. Kumar, SIAM J. Sci. Comput. 20(1), 1998). Pairs of vertices
 * that exchange much for their weight become one, until few are left; these are divided in some ways by growing one side
 * from a vertex, and on the way back every level is refined by moves of single vertices (C. Fiduccia and R. Mattheyses,
 * 19th DAC, 1982). Of equal pairs, moves and ways the first in the order of the vertices is taken.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "cluster/pair_heap.h"
#include "cluster/parts.h"
#include <stdlib.h>
#include <string.h>

/*
 * FEW: vertices that are divided as they are. WAYS: in so many ways. TURNS: orders in which all is done, one of more than MANY vertices. PASSES: over all vertices of a level, at most.
 * BALANCE: a side may be heavier than its share by one in so many of all, or by a vertex of the mean weight. PATIENCE: moves that bring nothing.
 */
enum { FEW = 40, WAYS = 6, PASSES = 8, TURNS = 3, MANY = 20000, BALANCE = 33, PATIENCE = 60 };

typedef struct level {
    int32_t vertices;
    int32_t *begin, *neighbour, *load, *weight;
    int32_t *coarse; /* of every vertex: what it is on the next level */
} level;

/* ---- Fewer vertices ---- */

/* The neighbour that a vertex becomes one with; -1: none. */
static int32_t mate_of(const level *g, int32_t vertex, int64_t heaviest)
{
    int32_t mate = -1;
    double best = 0;
    for (int32_t e = g->begin[vertex]; e < g->begin[vertex + 1]; e++) {
        int32_t other = g->neighbour[e];
        int64_t together = (int64_t)g->weight[vertex] + g->weight[other];
        double much = (double)g->load[e] * g->load[e] / g->weight[other];
        if (other != vertex && g->coarse[other] < 0 && together <= heaviest && much > best) {
            best = much;
            mate = other;
        }
    }
    return mate;
}

/* The neighbour that a vertex exchanges most with; -1: it has none. */
static int32_t dearest_of(const level *g, int32_t vertex)
{
    int32_t dearest = -1, most = 0;
    for (int32_t e = g->begin[vertex]; e < g->begin[vertex + 1]; e++) {
        if (g->load[e] > most) {
            most = g->load[e];
            dearest = g->neighbour[e];
        }
    }
    return dearest;
}

/* The vertex that comes k-th: from the first, from the last, or both ends in turn. */
static int32_t visited(const level *g, int turn, int32_t k)
{
    int32_t back = g->vertices - 1 - k;
    return turn == 0 ? k : turn == 1 ? back : k % 2 == 0 ? k / 2 : g->vertices - 1 - k / 2;
}

/*
 * The vertices of the next level, numbered. Those that no neighbour is left for become one with each other, if they exchange most
 * with the same one, as the leaves of a star do.
 * @param first, second  of each: its vertices here; the second may be -1
 * @param lonely         scratch: of every vertex, the last of the next level that exchanges most with it and is still alone
 */
static int32_t match(level *g, int turn, int64_t heaviest, int32_t *first, int32_t *second, int32_t *lonely)
{
    int32_t count = 0;
    for (int32_t v = 0; v < g->vertices; v++) {
        g->coarse[v] = lonely[v] = -1;
    }
    for (int32_t k = 0; k < g->vertices; k++) {
        int32_t v = visited(g, turn, k);
        if (g->coarse[v] >= 0) {
            continue;
        }
        int32_t mate = mate_of(g, v, heaviest), dearest = mate < 0 ? dearest_of(g, v) : -1;
        int32_t other = dearest < 0 ? -1 : lonely[dearest];
        if (other >= 0 && (int64_t)g->weight[first[other]] + g->weight[v] <= heaviest) {
            g->coarse[v] = other;
            second[other] = v;
            lonely[dearest] = -1;
            continue;
        }
        if (dearest >= 0) {
            lonely[dearest] = count;
        }
        g->coarse[v] = count;
        if (mate >= 0) {
            g->coarse[mate] = count;
        }
        first[count] = v;
        second[count++] = mate;
    }
    return count;
}

/* What a vertex here brings to the row of a vertex of the next level that begins at `from`. */
static int32_t add_row(const level *g, int32_t vertex, level *next, int32_t row, int32_t from, int32_t end, int32_t *at)
{
    for (int32_t e = g->begin[vertex]; e < g->begin[vertex + 1]; e++) {
        int32_t to = g->coarse[g->neighbour[e]];
        if (to == row) {
            continue;
        }
        if (at[to] < from) {
            at[to] = end;
            next->neighbour[end] = to;
            next->load[end++] = 0;
        }
        next->load[at[to]] += g->load[e];
    }
    return end;
}

static bool coarsen(level *g, int turn, int64_t heaviest, memory_pool *pool, level *next)
{
    size_t n = (size_t)g->vertices, entries = (size_t)g->begin[n];
    g->coarse = pool_array(pool, n, sizeof *g->coarse);
    int32_t *first = pool_array(pool, n, sizeof *first), *second = pool_array(pool, n, sizeof *second);
    int32_t *at = pool_array(pool, n, sizeof *at);
    next->begin = pool_array(pool, n + 1, sizeof *next->begin);
    next->weight = pool_array(pool, n, sizeof *next->weight);
    next->neighbour = pool_array(pool, entries, sizeof *next->neighbour);
    next->load = pool_array(pool, entries, sizeof *next->load);
    if (pool->failed) {
        return false;
    }
    int32_t end = 0;
    next->vertices = match(g, turn, heaviest, first, second, at);
    for (int32_t k = 0; k < next->vertices; k++) {
        at[k] = -1;
    }
    for (int32_t k = 0; k < next->vertices; k++) {
        int32_t from = next->begin[k] = end;
        end = add_row(g, first[k], next, k, from, end, at);
        next->weight[k] = g->weight[first[k]];
        if (second[k] >= 0) {
            end = add_row(g, second[k], next, k, from, end, at);
            next->weight[k] += g->weight[second[k]];
        }
    }
    next->begin[next->vertices] = end;
    return true;
}

/* ---- Two sides ---- */

typedef struct halves {
    const level *g;
    uint8_t *side, *best;
    int64_t *gain; /* of every vertex: what is cut less when it changes sides */
    bool *locked;
    int32_t *moved;
    pair_heap heap[2];
    int64_t share[2], most[2], weight[2]; /* wanted, allowed, now */
    int64_t cut;
    int turn;
} halves;

static void measure(halves *h)
{
    const level *g = h->g;
    h->weight[0] = h->weight[1] = h->cut = 0;
    for (int32_t v = 0; v < g->vertices; v++) {
        h->weight[h->side[v]] += g->weight[v];
        for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
            h->cut += h->side[g->neighbour[e]] != h->side[v] ? g->load[e] : 0;
        }
    }
    h->cut /= 2;
}

static void limit(halves *h)
{
    int64_t all = h->share[0] + h->share[1], mean = all / h->g->vertices;
    int64_t slack = all / BALANCE > mean ? all / BALANCE : mean;
    h->most[0] = h->share[0] + slack;
    h->most[1] = h->share[1] + slack;
}

/* How much heavier than allowed the heavier side is. */
static int64_t excess(const halves *h)
{
    int64_t low = h->weight[0] - h->most[0], high = h->weight[1] - h->most[1], more = low > high ? low : high;
    return more > 0 ? more : 0;
}

static bool offer(halves *h, int32_t v)
{
    return pair_heap_push(&h->heap[h->side[v]], (pair){h->gain[v], 0, v, v});
}

static bool begin_pass(halves *h)
{
    const level *g = h->g;
    bool fine = true;
    for (int32_t v = 0; fine && v < g->vertices; v++) {
        h->gain[v] = 0;
        h->locked[v] = false;
        for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
            h->gain[v] += h->side[g->neighbour[e]] != h->side[v] ? g->load[e] : -g->load[e];
        }
        fine = offer(h, v);
    }
    return fine;
}

/* The vertex of a side that gains most and that the other has room for; -1: none. What is out of date is dropped. */
static int32_t best_of(halves *h, int side)
{
    pair_heap *heap = &h->heap[side];
    while (heap->size > 0) {
        pair top = heap->items[0];
        int32_t v = top.low;
        bool valid = !h->locked[v] && h->side[v] == side && h->gain[v] == top.traffic;
        bool fits = h->weight[1 - side] + h->g->weight[v] <= h->most[1 - side] || h->weight[side] > h->most[side];
        if (valid && fits) {
            return v;
        }
        (void)pair_heap_pop(heap);
    }
    return -1;
}

static int32_t choose(halves *h)
{
    int32_t from[2] = {best_of(h, 0), best_of(h, 1)};
    for (int side = 0; side < 2; side++) {
        if (from[1 - side] < 0 || (from[side] >= 0 && h->weight[side] > h->most[side])) {
            return from[side];
        }
    }
    return h->gain[from[1]] > h->gain[from[0]] ? from[1] : from[0];
}

static void switch_side(halves *h, int32_t v)
{
    h->weight[h->side[v]] -= h->g->weight[v];
    h->side[v] = (uint8_t)(1 - h->side[v]);
    h->weight[h->side[v]] += h->g->weight[v];
}

static bool move(halves *h, int32_t v)
{
    const level *g = h->g;
    bool fine = true;
    h->cut -= h->gain[v];
    switch_side(h, v);
    h->locked[v] = true;
    for (int32_t e = g->begin[v]; fine && e < g->begin[v + 1]; e++) {
        int32_t other = g->neighbour[e];
        if (!h->locked[other]) {
            h->gain[other] += h->side[other] == h->side[v] ? -2 * (int64_t)g->load[e] : 2 * (int64_t)g->load[e];
            fine = offer(h, other);
        }
    }
    return fine;
}

/* Each vertex moves once at most; then back to where it was best. */
static bool pass(halves *h, bool *better)
{
    int32_t moves = 0, kept = 0;
    int64_t over = excess(h), cut = h->cut;
    bool fine = begin_pass(h);
    for (int32_t v; fine && moves - kept < PATIENCE && (v = choose(h)) >= 0;) {
        fine = move(h, v);
        h->moved[moves++] = v;
        int64_t now = excess(h);
        if (now < over || (now == over && h->cut < cut)) {
            over = now;
            cut = h->cut;
            kept = moves;
        }
    }
    while (moves > kept) {
        switch_side(h, h->moved[--moves]);
    }
    h->cut = cut;
    *better = kept > 0;
    pair_heap_clear(&h->heap[0]);
    pair_heap_clear(&h->heap[1]);
    return fine;
}

static bool refine(halves *h)
{
    bool fine = true, better = true;
    for (int k = 0; fine && better && k < PASSES; k++) {
        fine = pass(h, &better);
    }
    return fine;
}

/* Side 0 grows from a vertex by what it is bound to most, as far as its share goes. */
static void grow(halves *h, int32_t seed)
{
    const level *g = h->g;
    int64_t weight = 0;
    memset(h->side, 1, (size_t)g->vertices);
    memset(h->gain, 0, (size_t)g->vertices * sizeof *h->gain);
    for (int32_t v = seed; v >= 0 && 2 * weight + g->weight[v] <= 2 * h->share[0];) {
        h->side[v] = 0;
        weight += g->weight[v];
        for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
            h->gain[g->neighbour[e]] += g->load[e];
        }
        v = -1;
        for (int32_t k = 0; k < g->vertices; k++) {
            v = h->side[k] == 1 && (v < 0 || h->gain[k] > h->gain[v]) ? k : v;
        }
    }
}

/* The best of some ways to divide the coarsest level. */
static bool begin_halves(halves *h)
{
    const level *g = h->g;
    int64_t over = 0, cut = -1;
    bool fine = true;
    int32_t ways = g->vertices <= FEW ? WAYS : 1; /* of many vertices that do not become fewer one is enough */
    for (int32_t k = 0; fine && k < ways && k < g->vertices; k++) {
        grow(h, (int32_t)((int64_t)k * g->vertices / ways));
        measure(h);
        fine = refine(h);
        int64_t now = excess(h);
        if (cut < 0 || now < over || (now == over && h->cut < cut)) {
            over = now;
            cut = h->cut;
            memcpy(h->best, h->side, (size_t)g->vertices);
        }
    }
    memcpy(h->side, h->best, (size_t)g->vertices);
    return fine;
}

/* ---- All levels ---- */

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the vertices, or a few more */
static bool divide_level(halves *h, level *g, memory_pool *pool)
{
    level next = {0};
    int64_t all = h->share[0] + h->share[1], least = h->share[0] < h->share[1] ? h->share[0] : h->share[1];
    int64_t heaviest = least / 4 > all / FEW ? all / FEW : least / 4;
    if (g->vertices > FEW && !coarsen(g, h->turn, heaviest, pool, &next)) {
        return false;
    }
    if (g->vertices <= FEW || next.vertices > g->vertices - g->vertices / 20) {
        h->g = g;
        limit(h);
        return begin_halves(h);
    }
    if (!divide_level(h, &next, pool)) {
        return false;
    }
    for (int32_t v = 0; v < g->vertices; v++) {
        h->best[v] = h->side[g->coarse[v]];
    }
    memcpy(h->side, h->best, (size_t)g->vertices);
    h->g = g;
    limit(h);
    measure(h);
    return refine(h);
}

/* The best of some divisions, each with its vertices visited in another order. */
static bool divide_best(halves *h, level *g, uint8_t *side)
{
    int64_t over = 0, cut = -1;
    int turns = g->vertices > MANY ? 1 : TURNS;
    bool fine = true;
    for (h->turn = 0; fine && h->turn < turns && cut != 0; h->turn++) {
        memory_pool pool = {0};
        fine = divide_level(h, g, &pool);
        pool_clear(&pool);
        measure(h);
        int64_t now = excess(h);
        if (fine && (cut < 0 || now < over || (now == over && h->cut < cut))) {
            over = now;
            cut = h->cut;
            memcpy(side, h->side, (size_t)g->vertices);
        }
    }
    return fine;
}

/* ---- Parts ---- */

typedef struct division {
    const parts_graph *g;
    int32_t *part, *number; /* of every vertex: its number among those that are divided, -1 of the others */
} division;

static bool cut_out(const division *d, memory_pool *pool, const int32_t *vertex, int32_t count, level *of)
{
    const parts_graph *g = d->g;
    int32_t entries = 0;
    for (int32_t k = 0; k < count; k++) {
        entries += g->begin[vertex[k] + 1] - g->begin[vertex[k]];
        d->number[vertex[k]] = k;
    }
    *of = (level){.vertices = count};
    of->begin = pool_array(pool, (size_t)count + 1, sizeof *of->begin);
    of->weight = pool_array(pool, (size_t)count, sizeof *of->weight);
    of->neighbour = pool_array(pool, (size_t)entries, sizeof *of->neighbour);
    of->load = pool_array(pool, (size_t)entries, sizeof *of->load);
    entries = 0;
    for (int32_t k = 0; !pool->failed && k < count; k++) {
        of->begin[k] = entries;
        of->weight[k] = g->weight[vertex[k]];
        for (int32_t e = g->begin[vertex[k]]; e < g->begin[vertex[k] + 1]; e++) {
            if (d->number[g->neighbour[e]] >= 0) {
                of->neighbour[entries] = d->number[g->neighbour[e]];
                of->load[entries++] = g->load[e];
            }
        }
    }
    for (int32_t k = 0; k < count; k++) {
        d->number[vertex[k]] = -1;
    }
    if (!pool->failed) {
        of->begin[count] = entries;
    }
    return !pool->failed;
}

/* What the first half of the parts, and the rest, have of the weight. */
static void share_out(const division *d, const level *g, int32_t first, int32_t parts, int64_t share[2])
{
    double low = 0, all = 0, weight = 0;
    for (int32_t q = 0; q < parts; q++) {
        low += q < parts / 2 ? d->g->share[first + q] : 0;
        all += d->g->share[first + q];
    }
    for (int32_t v = 0; v < g->vertices; v++) {
        weight += g->weight[v];
    }
    share[0] = (int64_t)(weight * low / all);
    share[1] = (int64_t)weight - share[0];
}

static bool bisect(const division *d, int32_t *vertex, int32_t count, int32_t first, int32_t parts, int32_t *low)
{
    memory_pool pool = {0};
    size_t n = (size_t)count;
    level g;
    halves h = {.side = pool_array(&pool, n, sizeof *h.side),
                .best = pool_array(&pool, n, sizeof *h.best),
                .gain = pool_array(&pool, n, sizeof *h.gain),
                .locked = pool_array(&pool, n, sizeof *h.locked),
                .moved = pool_array(&pool, n, sizeof *h.moved)};
    uint8_t *least = pool_array(&pool, n, sizeof *least);
    bool fine = cut_out(d, &pool, vertex, count, &g);
    if (fine) {
        share_out(d, &g, first, parts, h.share);
        fine = divide_best(&h, &g, least);
    }
    *low = 0;
    for (int32_t k = 0, high = 0; fine && k < count; k++) {
        int32_t v = vertex[k];
        if (least[k] == 0) {
            vertex[(*low)++] = v;
        } else {
            h.moved[high++] = v;
        }
    }
    if (fine) {
        memcpy(vertex + *low, h.moved, (n - (size_t)*low) * sizeof *vertex);
    }
    pool_clear(&pool);
    return fine;
}

/* Some vertices among parts from `first` on. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the number of parts */
static bool divide_some(const division *d, int32_t *vertex, int32_t count, int32_t first, int32_t parts)
{
    if (parts < 2 || count < 2) {
        for (int32_t k = 0; k < count; k++) {
            d->part[vertex[k]] = first;
        }
        return true;
    }
    int32_t low;
    return bisect(d, vertex, count, first, parts, &low) && divide_some(d, vertex, low, first, parts / 2) &&
           divide_some(d, vertex + low, count - low, first + parts / 2, parts - parts / 2);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): a divider */
static int divide(const parts_graph *g, int32_t *part, inlay_diag *diag)
{
    memory_pool pool = {0};
    size_t n = (size_t)g->vertices;
    division d = {.g = g, .part = part, .number = pool_array(&pool, n, sizeof *d.number)};
    int32_t *vertex = pool_array(&pool, n, sizeof *vertex);
    for (int32_t v = 0; !pool.failed && v < g->vertices; v++) {
        vertex[v] = v;
        d.number[v] = -1;
    }
    bool fine = !pool.failed && divide_some(&d, vertex, g->vertices, 0, g->parts);
    pool_clear(&pool);
    return fine ? INLAY_OK : diag_no_memory(diag);
}

static int merge(partition *part, inlay_diag *diag)
{
    return parts_merge(part, divide, diag);
}

const cluster_method multilevel_method = {
    .is = {.name = "multilevel",
           .description = "the undirected graph in P parts, by many levels",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true},
    .merge = merge,
};
