/*
 * Several loads a vertex: the part and the weight that are worst off give away vertices (after G. Karypis and V. Kumar,
 * Multilevel algorithms for multi-constraint graph partitioning, 1998). In small graphs, where no single vertex may fit
 * anywhere, pairs of vertices change places.
 */
#include "base/diag.h"
#include "irregular/partition/kway.h"
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 60,       /* of parts that give away */
    FEW_PARTS = 16,    /* up to which any part may take a vertex */
    FEW_VERTICES = 160 /* up to which all pairs are looked at */
};

/* A vertex, and where it could go. */
typedef struct move {
    bool fits;    /* no limit is passed there */
    int64_t gain; /* what the cut loses */
    int64_t more; /* what is above the limits then, less what is now: below 0 */
    int32_t vertex, to;
} move;

typedef struct balance {
    memory_pool arrays; /* owns those below but part[] and load[] */
    const kway_graph *g;
    const kway_goal *goal;
    int32_t *part;
    int64_t *load;  /* [parts x weights] */
    int64_t *bond;  /* [parts] weight of the edges between a vertex and the part; all 0 between uses */
    bool *given_up; /* [parts x weights] nothing can be done for it now */
    move *moves;    /* [vertices] */
} balance;

/* ---- What is above the limits ---- */

static int64_t over(const balance *b, int32_t part, int32_t weight, int64_t more)
{
    ptrdiff_t at = (ptrdiff_t)part * b->g->weights + weight;
    int64_t above = b->load[at] + more - b->goal->limit[at];
    return above > 0 ? kway_scaled(b->goal, weight, above) : 0;
}

/* How much more is above the limits of a part when loads come (NULL: none) and others go. `fits` becomes false where a weight
   that grows is above then. */
static int64_t change(const balance *b, int32_t part, const int64_t *come, const int64_t *go, bool *fits)
{
    int64_t sum = 0;
    for (int32_t w = 0; w < b->g->weights; w++) {
        int64_t more = (come == NULL ? 0 : come[w]) - (go == NULL ? 0 : go[w]), then = over(b, part, w, more);
        sum += then - over(b, part, w, 0);
        *fits = *fits && (then == 0 || more <= 0);
    }
    return sum;
}

static void set_part(balance *b, int32_t v, int32_t to)
{
    kway_add(b->g->weights, b->load + (ptrdiff_t)b->part[v] * b->g->weights, kway_load(b->g, v), -1);
    kway_add(b->g->weights, b->load + (ptrdiff_t)to * b->g->weights, kway_load(b->g, v), 1);
    b->part[v] = to;
}

static void sum_bonds(const balance *b, int32_t v)
{
    for (int64_t a = b->g->start[v]; a < b->g->start[v + 1]; a++) {
        b->bond[b->part[b->g->neighbour[a]]] += b->g->weight[a];
    }
}

static void forget_bonds(const balance *b, int32_t v)
{
    for (int64_t a = b->g->start[v]; a < b->g->start[v + 1]; a++) {
        b->bond[b->part[b->g->neighbour[a]]] = 0;
    }
}

/* ---- Moves ---- */

/* Those that fit by what they gain, before those that only do less harm than now. */
static bool is_better(const move *a, const move *b)
{
    if (a->fits != b->fits) {
        return a->fits;
    }
    int64_t first = a->fits ? b->gain - a->gain : a->more - b->more,
            second = a->fits ? a->more - b->more : b->gain - a->gain;
    return first != 0               ? first < 0
           : second != 0            ? second < 0
           : a->vertex != b->vertex ? a->vertex < b->vertex
                                    : a->to < b->to;
}

static int best_first(const void *a, const void *b)
{
    return is_better(a, b) ? -1 : is_better(b, a) ? 1 : 0;
}

/* A part keeps what may be its last vertex. */
static bool is_all_of(const balance *b, int32_t part, int32_t v)
{
    return kway_same(b->g->weights, kway_load(b->g, v), b->load + (ptrdiff_t)part * b->g->weights);
}

static void try_part(const balance *b, int32_t v, int32_t to, move *best)
{
    int32_t own = b->part[v];
    move m = {.fits = true, .gain = b->bond[to] - b->bond[own], .vertex = v, .to = to};
    bool unused = true;
    m.more = change(b, to, kway_load(b->g, v), NULL, &m.fits) + change(b, own, NULL, kway_load(b->g, v), &unused);
    if (m.more < 0 && (best->vertex < 0 || is_better(&m, best))) {
        *best = m;
    }
}

/* The best part for v; `spacious` is the one with most room. No vertex: there is none that helps. */
static move find_move(const balance *b, int32_t v, int32_t spacious)
{
    move best = {.vertex = -1};
    sum_bonds(b, v);
    if (b->goal->parts <= FEW_PARTS) {
        for (int32_t p = 0; p < b->goal->parts; p++) {
            if (p != b->part[v]) {
                try_part(b, v, p, &best);
            }
        }
    } else {
        for (int64_t a = b->g->start[v]; a < b->g->start[v + 1]; a++) {
            int32_t p = b->part[b->g->neighbour[a]];
            if (p != b->part[v]) {
                try_part(b, v, p, &best);
            }
        }
        if (spacious != b->part[v]) {
            try_part(b, v, spacious, &best);
        }
    }
    forget_bonds(b, v);
    return best;
}

/* The part whose weight that is worst off is furthest below its limit. */
static int32_t find_spacious(const balance *b)
{
    int32_t best = 0;
    int64_t most = INT64_MIN;
    for (int32_t p = 0; p < b->goal->parts; p++) {
        int64_t least = INT64_MAX;
        for (int32_t w = 0; w < b->g->weights; w++) {
            ptrdiff_t at = (ptrdiff_t)p * b->g->weights + w;
            int64_t room = kway_scaled(b->goal, w, b->goal->limit[at] - b->load[at]);
            least = room < least ? room : least;
        }
        if (least > most) {
            most = least;
            best = p;
        }
    }
    return best;
}

/* The part and the weight that are furthest above their limit, among those that are not given up; false: none is. */
static bool find_worst(const balance *b, int32_t *part, int32_t *weight)
{
    int64_t most = 0;
    for (int32_t p = 0; p < b->goal->parts; p++) {
        for (int32_t w = 0; w < b->g->weights; w++) {
            int64_t now = over(b, p, w, 0);
            if (now > most && !b->given_up[(ptrdiff_t)p * b->g->weights + w]) {
                most = now;
                *part = p;
                *weight = w;
            }
        }
    }
    return most > 0;
}

/* Vertices leave a part until it is within the limit of a weight. Whether any did. */
static bool relieve(balance *b, int32_t part, int32_t weight)
{
    size_t count = 0;
    int32_t spacious = find_spacious(b);
    bool moved = false;
    for (int32_t v = 0; v < b->g->vertices; v++) {
        if (b->part[v] == part && kway_load(b->g, v)[weight] > 0 && !is_all_of(b, part, v)) {
            b->moves[count] = find_move(b, v, spacious);
            count += b->moves[count].vertex >= 0;
        }
    }
    qsort(b->moves, count, sizeof *b->moves, best_first);
    for (size_t i = 0; i < count && over(b, part, weight, 0) > 0; i++) {
        move now = find_move(b, b->moves[i].vertex, spacious); /* others have moved since */
        if (now.vertex >= 0 && now.fits == b->moves[i].fits && !is_all_of(b, part, now.vertex)) {
            set_part(b, now.vertex, now.to);
            moved = true;
        }
    }
    return moved;
}

static void relieve_all(balance *b)
{
    size_t all = (size_t)b->goal->parts * (size_t)b->g->weights;
    int32_t part = 0, weight = 0;
    for (int i = 0; i < ROUNDS + 2 * (int)all && find_worst(b, &part, &weight); i++) {
        if (relieve(b, part, weight)) {
            memset(b->given_up, false, all * sizeof *b->given_up);
        } else {
            b->given_up[(ptrdiff_t)part * b->g->weights + weight] = true;
        }
    }
}

/* ---- Pairs that change places ---- */

static int64_t weight_between(const balance *b, int32_t u, int32_t v)
{
    int64_t weight = 0;
    for (int64_t a = b->g->start[u]; a < b->g->start[u + 1]; a++) {
        weight += b->g->neighbour[a] == v ? b->g->weight[a] : 0;
    }
    return weight;
}

static int64_t gain_of(const balance *b, int32_t v, int32_t to)
{
    int64_t gain = 0;
    for (int64_t a = b->g->start[v]; a < b->g->start[v + 1]; a++) {
        int32_t p = b->part[b->g->neighbour[a]];
        gain += p == to ? b->g->weight[a] : p == b->part[v] ? -b->g->weight[a] : 0;
    }
    return gain;
}

/* Whether that lowers what is above the limits, or the cut alone. */
static bool swap_helps(const balance *b, int32_t u, int32_t v)
{
    bool unused = true;
    const int64_t *one = kway_load(b->g, u), *other = kway_load(b->g, v);
    int64_t more = change(b, b->part[u], other, one, &unused) + change(b, b->part[v], one, other, &unused);
    if (more != 0) {
        return more < 0;
    }
    return gain_of(b, u, b->part[v]) + gain_of(b, v, b->part[u]) - 2 * weight_between(b, u, v) > 0;
}

static bool swap_all(balance *b)
{
    bool swapped = false;
    for (int32_t u = 0; u < b->g->vertices; u++) {
        for (int32_t v = u + 1; v < b->g->vertices; v++) {
            if (b->part[u] != b->part[v] && swap_helps(b, u, v)) {
                int32_t from = b->part[u];
                set_part(b, u, b->part[v]);
                set_part(b, v, from);
                swapped = true;
            }
        }
    }
    return swapped;
}

/* ---- All of it ---- */

/* NOLINTNEXTLINE(readability-non-const-parameter): both change, through the balance */
int kway_balance(const kway_graph *g, const kway_goal *goal, int32_t *part, int64_t *load, inlay_diag *diag)
{
    enum { PASSES = 8 };
    size_t parts = (size_t)goal->parts;
    balance b = {.g = g, .goal = goal, .part = part, .load = load};
    b.bond = pool_zeroed(&b.arrays, parts, sizeof *b.bond);
    b.given_up = pool_zeroed(&b.arrays, parts * (size_t)g->weights, sizeof *b.given_up);
    b.moves = pool_array(&b.arrays, (size_t)g->vertices, sizeof *b.moves);
    bool room = !b.arrays.failed;
    if (room) {
        relieve_all(&b);
        for (int i = 0; i < PASSES && g->vertices <= FEW_VERTICES && swap_all(&b); i++) {
            relieve_all(&b);
        }
    }
    pool_clear(&b.arrays);
    return room ? INLAY_OK : diag_no_memory(diag);
}
