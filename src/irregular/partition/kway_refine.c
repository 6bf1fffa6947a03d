/* Local searches around the boundaries of parts. */
#include "base/diag.h"
#include "base/heap.h"
#include "base/splitmix.h"
#include "irregular/partition/kway.h"
#include <stdlib.h>
#include <string.h>

/* A vertex that may move, as it stood when it was put there: out of date where its key has changed since. */
typedef struct candidate {
    int64_t gain;
    uint32_t stamp;
    int32_t vertex;
} candidate;

typedef struct refinement {
    memory_pool arrays; /* owns them, but for the heap */
    const kway_graph *g;
    const kway_goal *goal;
    int32_t *part;
    int64_t *load;    /* [parts x weights] */
    int64_t *bond;    /* [parts] weight of the edges between a vertex and the part; all 0 between uses */
    int32_t *touched; /* [parts] those with a bond */
    uint32_t *stamp;  /* [vertices] of the candidate that is up to date, 0: none */
    int32_t *round;   /* [vertices] in which it moved last */
    int32_t now;
    int32_t *moved, *from; /* [vertices] in order, and the part that was left */
    int32_t *border;       /* [vertices] where searches begin */
    heap heap;
    size_t room, queued;
    uint32_t clock;
    uint64_t random;
} refinement;

static bool comes_first(const void *context, const void *a, const void *b)
{
    const candidate *one = a, *other = b;
    (void)context;
    return one->gain != other->gain ? one->gain > other->gain : one->stamp > other->stamp;
}

static bool refinement_room(refinement *r)
{
    size_t n = (size_t)r->g->vertices, parts = (size_t)r->goal->parts;
    r->load = pool_array(&r->arrays, parts * (size_t)r->g->weights, sizeof *r->load);
    r->bond = pool_zeroed(&r->arrays, parts, sizeof *r->bond);
    r->touched = pool_array(&r->arrays, parts, sizeof *r->touched);
    r->stamp = pool_zeroed(&r->arrays, n, sizeof *r->stamp);
    r->round = pool_zeroed(&r->arrays, n, sizeof *r->round);
    r->moved = pool_array(&r->arrays, n, sizeof *r->moved);
    r->from = pool_array(&r->arrays, n, sizeof *r->from);
    r->border = pool_array(&r->arrays, n, sizeof *r->border);
    r->room = n;
    r->heap = (heap){.items = memory_array(n, sizeof(candidate)), .size = sizeof(candidate), .before = comes_first};
    return !r->arrays.failed && r->heap.items != NULL;
}

/* ---- Gains ---- */

/* The parts that v has edges to, its own always among them, and how much; forget_bonds() must follow. */
static int32_t sum_bonds(const refinement *r, int32_t v)
{
    const kway_graph *g = r->g;
    int32_t count = 0;
    for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
        int32_t p = r->part[g->neighbour[a]];
        if (r->bond[p] == 0) {
            r->touched[count++] = p;
        }
        r->bond[p] += g->weight[a];
    }
    return count;
}

static void forget_bonds(const refinement *r, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        r->bond[r->touched[i]] = 0;
    }
}

/* What a part has left of the weight of which it has least. */
static int64_t spare(const refinement *r, int32_t part)
{
    ptrdiff_t at = (ptrdiff_t)part * r->g->weights;
    int64_t least = kway_scaled(r->goal, 0, r->goal->limit[at] - r->load[at]);
    for (int32_t w = 1; w < r->g->weights; w++) {
        int64_t more = kway_scaled(r->goal, w, r->goal->limit[at + w] - r->load[at + w]);
        least = more < least ? more : least;
    }
    return least;
}

static bool has_room(const refinement *r, int32_t part, const int64_t *load)
{
    ptrdiff_t at = (ptrdiff_t)part * r->g->weights;
    return kway_fits(r->g->weights, r->load + at, load, r->goal->limit + at);
}

/* Where v is best moved among the parts that it has neighbours in, and the gain; -1 where none has room. */
static int32_t best_part(const refinement *r, int32_t v, int64_t *gain)
{
    int32_t best = -1, own = r->part[v];
    const int64_t *load = kway_load(r->g, v);
    *gain = 0;
    if (kway_same(r->g->weights, r->load + (ptrdiff_t)own * r->g->weights, load)) {
        return best; /* perhaps the last that it has */
    }
    int32_t count = sum_bonds(r, v);
    for (int32_t i = 0; i < count; i++) {
        int32_t p = r->touched[i];
        if (p == own || !has_room(r, p, load)) {
            continue;
        }
        if (best < 0 || r->bond[p] > r->bond[best] || (r->bond[p] == r->bond[best] && spare(r, p) > spare(r, best))) {
            best = p;
        }
    }
    *gain = best < 0 ? 0 : r->bond[best] - r->bond[own];
    forget_bonds(r, count);
    return best;
}

static void set_part(refinement *r, int32_t v, int32_t to)
{
    const int64_t *load = kway_load(r->g, v);
    kway_add(r->g->weights, r->load + (ptrdiff_t)r->part[v] * r->g->weights, load, -1);
    kway_add(r->g->weights, r->load + (ptrdiff_t)to * r->g->weights, load, 1);
    r->part[v] = to;
}

/* ---- Candidates ---- */

/* Puts v, or puts it anew. False where memory is out. */
static bool offer(refinement *r, int32_t v)
{
    int64_t gain;
    r->stamp[v] = 0;
    if (best_part(r, v, &gain) < 0) {
        return true;
    }
    if (!memory_grow(&r->heap.items, &r->room, r->queued + 1, sizeof(candidate))) {
        return false;
    }
    r->stamp[v] = ++r->clock;
    ((candidate *)r->heap.items)[r->queued] = (candidate){gain, r->stamp[v], v};
    heap_put(r->heap, r->queued++);
    return true;
}

/* The best that is up to date, -1 where there is none. */
static int32_t take(refinement *r)
{
    while (r->queued > 0) {
        candidate first = *(candidate *)r->heap.items;
        heap_drop(r->heap, --r->queued);
        if (r->stamp[first.vertex] == first.stamp) {
            r->stamp[first.vertex] = 0;
            return first.vertex;
        }
    }
    return -1;
}

static void forget_candidates(refinement *r)
{
    for (size_t i = 0; i < r->queued; i++) {
        r->stamp[((candidate *)r->heap.items)[i].vertex] = 0;
    }
    r->queued = 0;
    r->clock = r->clock > UINT32_MAX / 2 ? 0 : r->clock;
}

static bool offer_neighbours(refinement *r, int32_t v)
{
    const kway_graph *g = r->g;
    bool room = true;
    for (int64_t a = g->start[v]; a < g->start[v + 1] && room; a++) {
        int32_t u = g->neighbour[a];
        room = r->round[u] == r->now || offer(r, u);
    }
    return room;
}

/* ---- A search ---- */

/* From what stands in the heap; adds what it gains to `*gained`. False where memory is out. */
static bool search(refinement *r, int32_t patience, int64_t *gained)
{
    int64_t sum = 0, best = 0;
    int32_t moves = 0, kept = 0;
    bool room = true;
    for (int32_t v; room && moves - kept < patience && (v = take(r)) >= 0;) {
        int64_t gain;
        int32_t to = best_part(r, v, &gain);
        if (to < 0) {
            continue;
        }
        r->moved[moves] = v;
        r->from[moves++] = r->part[v];
        r->round[v] = r->now;
        set_part(r, v, to);
        sum += gain;
        if (sum > best) {
            best = sum;
            kept = moves;
        }
        room = offer_neighbours(r, v);
    }
    while (moves > kept) {
        moves--;
        set_part(r, r->moved[moves], r->from[moves]);
    }
    forget_candidates(r);
    *gained += best;
    return room;
}

static bool at_border(const refinement *r, int32_t v)
{
    const kway_graph *g = r->g;
    bool at = false;
    for (int64_t a = g->start[v]; a < g->start[v + 1] && !at; a++) {
        at = r->part[g->neighbour[a]] != r->part[v];
    }
    return at;
}

static int32_t find_border(refinement *r)
{
    int32_t count = 0;
    for (int32_t v = 0; v < r->g->vertices; v++) {
        if (at_border(r, v)) {
            int32_t other = splitmix_below(&r->random, count + 1);
            r->border[count++] = r->border[other];
            r->border[other] = v;
        }
    }
    return count;
}

/* One round of searches from all of the border. */
static bool sweep(refinement *r, int64_t *gained)
{
    enum { PATIENCE = 25 };
    int32_t count = find_border(r);
    bool room = true;
    r->now++;
    for (int32_t i = 0; i < count && room; i++) {
        int32_t v = r->border[i];
        if (r->round[v] != r->now && at_border(r, v)) {
            room = offer(r, v) && search(r, PATIENCE, gained);
        }
    }
    return room;
}

/* ---- Parts above their limit, where there is one weight ---- */

/* The part with most to spare, for a vertex that has no better. */
static int32_t roomiest(const refinement *r)
{
    int32_t best = 0;
    for (int32_t p = 1; p < r->goal->parts; p++) {
        best = spare(r, p) > spare(r, best) ? p : best;
    }
    return best;
}

/* Vertices leave the part, best gain first, until it is light enough; one has to have room elsewhere. */
static bool relieve(refinement *r, int32_t part)
{
    bool room = true;
    for (int32_t v = 0; v < r->g->vertices && room; v++) {
        room = r->part[v] != part || r->g->load[v] == 0 || offer(r, v);
    }
    for (int32_t v; room && spare(r, part) < 0 && (v = take(r)) >= 0;) {
        int64_t gain;
        int32_t to = best_part(r, v, &gain);
        if (to >= 0 && r->part[v] == part) {
            set_part(r, v, to);
            for (int64_t a = r->g->start[v]; a < r->g->start[v + 1] && room; a++) {
                int32_t u = r->g->neighbour[a];
                room = r->part[u] != part || r->g->load[u] == 0 || offer(r, u);
            }
        }
    }
    forget_candidates(r);
    for (int32_t v = 0; v < r->g->vertices && spare(r, part) < 0; v++) {
        int32_t to = roomiest(r);
        if (r->part[v] == part && r->g->load[v] > 0 && spare(r, to) >= r->g->load[v]) {
            set_part(r, v, to);
        }
    }
    return room;
}

static bool relieve_all(refinement *r)
{
    bool room = true;
    for (int32_t p = 0; p < r->goal->parts && room; p++) {
        room = spare(r, p) >= 0 || relieve(r, p);
    }
    return room;
}

/* ---- All of it ---- */

kway_worth kway_worth_of(const kway_graph *g, const kway_goal *goal, const int32_t *part, int64_t *load)
{
    kway_worth worth = {0, 0};
    memset(load, 0, (size_t)goal->parts * (size_t)g->weights * sizeof *load);
    for (int32_t v = 0; v < g->vertices; v++) {
        kway_add(g->weights, load + (ptrdiff_t)part[v] * g->weights, kway_load(g, v), 1);
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            worth.cut += part[g->neighbour[a]] != part[v] ? g->weight[a] : 0;
        }
    }
    worth.cut /= 2;
    worth.excess = kway_excess(goal, g->weights, load);
    return worth;
}

int64_t kway_excess(const kway_goal *goal, int32_t weights, const int64_t *load)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < goal->parts; p++) {
        for (int32_t w = 0; w < weights; w++) {
            ptrdiff_t at = (ptrdiff_t)p * weights + w;
            sum += load[at] > goal->limit[at] ? kway_scaled(goal, w, load[at] - goal->limit[at]) : 0;
        }
    }
    return sum;
}

int kway_refine(const kway_graph *g, const kway_goal *goal, uint64_t seed, int32_t *part, inlay_diag *diag)
{
    enum { ROUNDS = 8 };
    refinement r = {.g = g, .goal = goal, .part = part, .random = seed};
    bool room = refinement_room(&r);
    if (room) {
        kway_worth before = kway_worth_of(g, goal, part, r.load);
        bool several = g->weights > 1;
        room = several ? kway_balance(g, goal, part, r.load, diag) == INLAY_OK : before.excess == 0 || relieve_all(&r);
        int64_t gained = 1;
        for (int i = 0; i < ROUNDS && room && gained > 0; i++) {
            gained = 0;
            room = sweep(&r, &gained);
        }
        room = room && (!several || kway_balance(g, goal, part, r.load, diag) == INLAY_OK);
    }
    free(r.heap.items);
    pool_clear(&r.arrays);
    return room ? INLAY_OK : diag_no_memory(diag);
}
