/* Fiduccia and Mattheyses' passes, with a heap for each side in place of buckets: weights may be of any size. */
#include "irregular/partition/spectral_fm.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/partition/spectral_level.h"
#include <stdlib.h>
#include <string.h>

void spectral_band_clear(spectral_band *band)
{
    pool_clear(&band->arrays);
    *band = (spectral_band){0};
}

spectral_worth spectral_worth_of(const spectral_goal *goal, const int64_t load[2], int64_t cut)
{
    spectral_worth w = {0, cut, llabs(load[0] - goal->load[0])};
    for (int s = 0; s < 2; s++) {
        w.excess += load[s] > goal->limit[s] ? load[s] - goal->limit[s] : 0;
    }
    return w;
}

bool spectral_better(spectral_worth a, spectral_worth b)
{
    if (a.excess != b.excess) {
        return a.excess < b.excess;
    }
    return a.cut != b.cut ? a.cut < b.cut : a.off < b.off;
}

enum { OUT = -1, LOCKED = -2 }; /* places that are none: not in a heap yet; moved in this pass */

typedef struct heap {
    int32_t *vertex;
    int32_t size;
} heap;

typedef struct fm {
    memory_pool arrays; /**< owns them */
    const spectral_band *band;
    const spectral_goal *goal;
    uint8_t *side;
    int64_t load[2], cut;
    int64_t *gain;   /* [vertices]: by how much a move lessens the cut */
    uint64_t *stamp; /* [vertices]: of equal gains the latest goes first */
    uint64_t clock;
    int32_t *place; /* [vertices]: in the heap of its side, or OUT, LOCKED */
    heap heaps[2];
    int32_t *moved; /* [vertices]: in order */
    int32_t moves;
} fm;

/* ---- Heaps ---- */

static bool goes_before(const fm *f, int32_t a, int32_t b)
{
    return f->gain[a] != f->gain[b] ? f->gain[a] > f->gain[b] : f->stamp[a] > f->stamp[b];
}

static void put(fm *f, heap *h, int32_t at, int32_t v)
{
    h->vertex[at] = v;
    f->place[v] = at;
}

static void rise(fm *f, heap *h, int32_t at)
{
    int32_t v = h->vertex[at];
    for (; at > 0 && goes_before(f, v, h->vertex[(at - 1) / 2]); at = (at - 1) / 2) {
        put(f, h, at, h->vertex[(at - 1) / 2]);
    }
    put(f, h, at, v);
}

static void sink(fm *f, heap *h, int32_t at)
{
    int32_t v = h->vertex[at];
    for (int32_t child; (child = 2 * at + 1) < h->size; at = child) {
        child += child + 1 < h->size && goes_before(f, h->vertex[child + 1], h->vertex[child]);
        if (!goes_before(f, h->vertex[child], v)) {
            break;
        }
        put(f, h, at, h->vertex[child]);
    }
    put(f, h, at, v);
}

static heap *heap_of(fm *f, int32_t v)
{
    return &f->heaps[f->side[v] != 0];
}

static void heap_add(fm *f, int32_t v)
{
    heap *h = heap_of(f, v);
    h->vertex[h->size] = v;
    rise(f, h, h->size++);
}

static void heap_remove(fm *f, int32_t v)
{
    heap *h = heap_of(f, v);
    int32_t at = f->place[v], last = h->vertex[--h->size];
    if (last != v) {
        put(f, h, at, last);
        rise(f, h, at);
        sink(f, h, f->place[last]);
    }
    f->place[v] = OUT;
}

/* ---- Moves ---- */

static int64_t gain_of(const fm *f, int32_t v)
{
    const spectral_band *b = f->band;
    int s = f->side[v];
    int64_t gain = b->outside[1 - s][v] - b->outside[s][v];
    for (int64_t a = b->start[v]; a < b->start[v + 1]; a++) {
        gain += f->side[b->neighbour[a]] == s ? -b->weight[a] : b->weight[a];
    }
    return gain;
}

static bool at_the_cut(const fm *f, int32_t v)
{
    const spectral_band *b = f->band;
    int s = f->side[v];
    bool cut = b->outside[1 - s][v] > 0;
    for (int64_t a = b->start[v]; a < b->start[v + 1] && !cut; a++) {
        cut = f->side[b->neighbour[a]] != s;
    }
    return cut;
}

/* Changes sides alone: gains of neighbours are left as they are. */
static void flip(fm *f, int32_t v)
{
    int s = f->side[v];
    f->load[s] -= f->band->load[v];
    f->load[1 - s] += f->band->load[v];
    f->side[v] = (uint8_t)(1 - s);
}

/* Moves a vertex and tells its neighbours. */
static void move(fm *f, int32_t v)
{
    const spectral_band *b = f->band;
    int s = f->side[v];
    heap_remove(f, v);
    f->place[v] = LOCKED;
    f->cut -= f->gain[v];
    f->gain[v] = -f->gain[v];
    flip(f, v);
    f->moved[f->moves++] = v;
    for (int64_t a = b->start[v]; a < b->start[v + 1]; a++) {
        int32_t u = b->neighbour[a];
        f->gain[u] += f->side[u] == s ? 2 * b->weight[a] : -2 * b->weight[a];
        if (f->place[u] == LOCKED) {
            continue;
        }
        f->stamp[u] = f->clock++;
        if (f->place[u] == OUT) {
            heap_add(f, u);
        } else {
            rise(f, heap_of(f, u), f->place[u]);
            sink(f, heap_of(f, u), f->place[u]);
        }
    }
}

/* May v change sides? Where a limit is broken, only for the better. */
static bool allowed(const fm *f, int32_t v)
{
    int s = f->side[v];
    int64_t load[2];
    load[s] = f->load[s] - f->band->load[v];
    load[1 - s] = f->load[1 - s] + f->band->load[v];
    spectral_worth after = spectral_worth_of(f->goal, load, 0), before = spectral_worth_of(f->goal, f->load, 0);
    return before.excess > 0 ? after.excess < before.excess : after.excess == 0;
}

/* The next vertex to move, -1 where there is none. One that cannot move is laid aside where neither side's best can. */
static int32_t choose(fm *f)
{
    while (f->heaps[0].size > 0 || f->heaps[1].size > 0) {
        int32_t best[2] = {-1, -1};
        for (int s = 0; s < 2; s++) {
            if (f->heaps[s].size > 0 && allowed(f, f->heaps[s].vertex[0])) {
                best[s] = f->heaps[s].vertex[0];
            }
        }
        if (best[0] >= 0 && best[1] >= 0) {
            bool fuller = f->load[0] - f->goal->load[0] > 0;
            int64_t g0 = f->gain[best[0]], g1 = f->gain[best[1]];
            return g0 > g1 || (g0 == g1 && fuller) ? best[0] : best[1];
        }
        if (best[0] >= 0 || best[1] >= 0) {
            return best[0] >= 0 ? best[0] : best[1];
        }
        int s = f->heaps[0].size == 0 ||
                (f->heaps[1].size > 0 && f->gain[f->heaps[1].vertex[0]] > f->gain[f->heaps[0].vertex[0]]);
        int32_t aside = f->heaps[s].vertex[0];
        heap_remove(f, aside);
        f->place[aside] = LOCKED;
    }
    return -1;
}

/* Fills the heaps: with the vertices at the cut, and with all where load must go over. */
static void fill(fm *f, uint64_t seed)
{
    bool all = spectral_worth_of(f->goal, f->load, 0).excess > 0;
    f->heaps[0].size = 0;
    f->heaps[1].size = 0;
    f->moves = 0;
    f->clock = (uint64_t)1 << 32;
    for (int32_t v = 0; v < f->band->vertices; v++) {
        f->place[v] = OUT;
        f->gain[v] = gain_of(f, v);
        f->stamp[v] = spectral_mix(seed + (uint64_t)v) >> 32;
        if (all || at_the_cut(f, v)) {
            heap_add(f, v);
        }
    }
}

/* One pass; true where it brought something. */
static bool pass(fm *f, uint64_t seed)
{
    fill(f, seed);
    spectral_worth best = spectral_worth_of(f->goal, f->load, f->cut), begin = best;
    int32_t kept = 0, patience = 100 + f->band->vertices / 10;
    int64_t cut = f->cut;
    while (f->moves - kept < patience) {
        int32_t v = choose(f);
        if (v < 0) {
            break;
        }
        move(f, v);
        spectral_worth now = spectral_worth_of(f->goal, f->load, f->cut);
        if (spectral_better(now, best)) {
            best = now;
            kept = f->moves;
            cut = f->cut;
        }
    }
    while (f->moves > kept) {
        flip(f, f->moved[--f->moves]);
    }
    f->cut = cut;
    return spectral_better(best, begin);
}

/* Moves a piece around a drawn vertex to the other side: breadth first, about an eighth of the band at most. */
static void disturb(fm *f, uint64_t seed)
{
    const spectral_band *b = f->band;
    int32_t most = 1 + (int32_t)(spectral_mix(seed) % (uint64_t)(b->vertices / 8 + 1));
    int32_t begin = (int32_t)(spectral_mix(seed + 1) % (uint64_t)b->vertices);
    uint8_t side = f->side[begin];
    for (int32_t v = 0; v < b->vertices; v++) {
        f->place[v] = OUT;
    }
    f->moved[0] = begin;
    f->place[begin] = LOCKED;
    int32_t queued = 1;
    for (int32_t q = 0; q < queued && q < most; q++) {
        int32_t v = f->moved[q];
        f->cut -= gain_of(f, v);
        flip(f, v);
        for (int64_t a = b->start[v]; a < b->start[v + 1]; a++) {
            int32_t u = b->neighbour[a];
            if (f->place[u] == OUT && f->side[u] == side) {
                f->place[u] = LOCKED;
                f->moved[queued++] = u;
            }
        }
    }
}

static bool fm_room(fm *f)
{
    size_t n = (size_t)f->band->vertices;
    f->gain = pool_array(&f->arrays, n, sizeof *f->gain);
    f->stamp = pool_array(&f->arrays, n, sizeof *f->stamp);
    f->place = pool_array(&f->arrays, n, sizeof *f->place);
    f->moved = pool_array(&f->arrays, n, sizeof *f->moved);
    f->heaps[0].vertex = pool_array(&f->arrays, n, sizeof *f->heaps[0].vertex);
    f->heaps[1].vertex = pool_array(&f->arrays, n, sizeof *f->heaps[1].vertex);
    return !f->arrays.failed;
}

int spectral_fm(const spectral_band *band, const spectral_goal *goal, const int64_t total[2], int64_t cut,
                uint64_t seed, int try, uint8_t *side, spectral_worth *worth, inlay_diag *diag)
{
    enum { PASSES = 4 };
    fm f = {.band = band, .goal = goal, .side = side, .load = {total[0], total[1]}, .cut = cut};
    bool room = fm_room(&f);
    if (room) {
        memcpy(side, band->side, (size_t)band->vertices);
        if (try > 0 && band->vertices > 0) {
            disturb(&f, spectral_mix(seed ^ (uint64_t)try << 32));
        }
        for (int p = 0; p < PASSES && pass(&f, seed + (uint64_t)try + (uint64_t)p * 1000003U); p++) {
        }
        *worth = spectral_worth_of(goal, f.load, f.cut);
    }
    pool_clear(&f.arrays);
    return room ? INLAY_OK : diag_no_memory(diag);
}
