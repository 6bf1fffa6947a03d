/* Pairs of neighbours, and graphs made of others: contracted, or taken out. */
#include "base/diag.h"
#include "base/splitmix.h"
#include "irregular/partition/kway.h"
#include <stdlib.h>
#include <string.h>

/* ---- Pairs ---- */

typedef struct pairing {
    const kway_graph *g;
    const int64_t *label;
    const int64_t *heaviest; /* [weights] */
    int32_t *order;          /* [vertices] drawn */
    int32_t *twin;           /* [vertices] itself: still alone */
    int32_t *alone;          /* [vertices] a vertex that is still alone at this neighbour, -1: none */
} pairing;

static void draw_order(int32_t *order, int32_t count, uint64_t seed)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t j = splitmix_below(&seed, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static bool may_join(const pairing *p, int32_t u, int32_t v)
{
    return p->twin[u] == u && u != v && kway_fits(p->g->weights, kway_load(p->g, u), kway_load(p->g, v), p->heaviest) &&
           (p->label == NULL || p->label[u] == p->label[v]);
}

/* Of several weights: the loads over what a pair may weigh, and pairs rather that have as much of each weight: they leave
   vertices that fit anywhere (G. Karypis and V. Kumar, Multilevel algorithms for multi-constraint graph partitioning, 1998). */
static double rate_loads(const pairing *p, int32_t u, int32_t v)
{
    const int64_t *one = kway_load(p->g, u), *other = kway_load(p->g, v);
    double sums[2] = {0, 0}, most = 0;
    for (int32_t w = 0; w < p->g->weights; w++) {
        double unit = 1 / (double)p->heaviest[w], a = (double)one[w] * unit, b = (double)other[w] * unit;
        sums[0] += a;
        sums[1] += b;
        most = fmax(most, a + b);
    }
    double even = most > 0 ? (sums[0] + sums[1]) / (most * p->g->weights) : 1;
    return even / ((sums[0] + 1e-6) * (sums[1] + 1e-6));
}

/* Edges are rated by weight^2 over the loads: what is heavy for its ends goes inside. */
static double rate(const pairing *p, int32_t u, int32_t v, int64_t weight)
{
    double w = (double)weight;
    if (p->g->weights > 1) {
        return w * w * rate_loads(p, u, v);
    }
    return w * w / (((double)p->g->load[u] + 1e-3) * ((double)p->g->load[v] + 1e-3));
}

static void join(const pairing *p, int32_t u, int32_t v)
{
    p->twin[u] = v;
    p->twin[v] = u;
}

/* The best neighbour that is alone; else whoever waits at the same neighbour, so that stars shrink too. */
static void pair(const pairing *p, int32_t v)
{
    const kway_graph *g = p->g;
    int32_t best = -1, hub = -1;
    double most = -1;
    for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
        int32_t u = g->neighbour[a];
        if (may_join(p, u, v)) {
            double rating = rate(p, u, v, g->weight[a]);
            if (rating > most) {
                most = rating;
                best = u;
            }
        }
        hub = u;
    }
    if (best >= 0) {
        join(p, best, v);
    } else if (hub >= 0 && p->alone[hub] >= 0 && may_join(p, p->alone[hub], v)) {
        join(p, p->alone[hub], v);
        p->alone[hub] = -1;
    } else if (hub >= 0) {
        p->alone[hub] = v;
    }
}

/* ---- Contraction ---- */

static int32_t number_pairs(const int32_t *twin, int32_t count, int32_t *coarse)
{
    int32_t made = 0;
    for (int32_t v = 0; v < count; v++) {
        coarse[v] = twin[v] < v ? coarse[twin[v]] : made++;
    }
    return made;
}

static bool graph_room(kway_graph *g, int32_t vertices, int64_t arcs, int32_t weights)
{
    *g = (kway_graph){.vertices = vertices, .weights = weights};
    g->start = pool_array(&g->arrays, (size_t)vertices + 1, sizeof *g->start);
    g->load = pool_zeroed(&g->arrays, (size_t)vertices, (size_t)weights * sizeof *g->load);
    g->neighbour = pool_array(&g->arrays, (size_t)arcs, sizeof *g->neighbour);
    g->weight = pool_array(&g->arrays, (size_t)arcs, sizeof *g->weight);
    return !g->arrays.failed;
}

/* Adds the arcs of v to the row that begins at `begin`. place[u]: where an arc to u stands, plus 1, where that is in the row. */
static int64_t add_arcs(const kway_graph *g, const int32_t *coarse, int32_t v, int64_t begin, int64_t end,
                        int64_t *place, kway_graph *to)
{
    for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
        int32_t u = coarse[g->neighbour[a]];
        if (u == coarse[v]) {
            continue;
        }
        if (place[u] > begin) {
            to->weight[place[u] - 1] += g->weight[a];
        } else {
            to->neighbour[end] = u;
            to->weight[end] = g->weight[a];
            place[u] = ++end;
        }
    }
    return end;
}

static void contract(const kway_graph *g, const int32_t *twin, const int32_t *coarse, int64_t *place, kway_graph *to)
{
    int64_t arcs = 0;
    to->start[0] = 0;
    for (int32_t v = 0; v < g->vertices; v++) {
        kway_add(g->weights, to->load + (ptrdiff_t)coarse[v] * g->weights, kway_load(g, v), 1);
        if (twin[v] < v) {
            continue;
        }
        int64_t begin = arcs;
        arcs = add_arcs(g, coarse, v, begin, arcs, place, to);
        if (twin[v] != v) {
            arcs = add_arcs(g, coarse, twin[v], begin, arcs, place, to);
        }
        to->start[coarse[v] + 1] = arcs;
    }
}

int kway_coarsen(const kway_graph *g, const int64_t *label, const int64_t *heaviest, uint64_t seed, int32_t *coarse,
                 kway_graph *coarser, inlay_diag *diag)
{
    size_t n = (size_t)g->vertices;
    memory_pool scratch = {0};
    pairing p = {.g = g, .label = label, .heaviest = heaviest};
    p.order = pool_array(&scratch, n, sizeof *p.order);
    p.twin = pool_array(&scratch, n, sizeof *p.twin);
    p.alone = pool_array(&scratch, n, sizeof *p.alone);
    int64_t *place = pool_zeroed(&scratch, n, sizeof *place);
    bool room = !scratch.failed;
    if (room) {
        for (int32_t v = 0; v < g->vertices; v++) {
            p.twin[v] = v;
            p.alone[v] = -1;
        }
        draw_order(p.order, g->vertices, seed);
        for (int32_t i = 0; i < g->vertices; i++) {
            if (p.twin[p.order[i]] == p.order[i]) {
                pair(&p, p.order[i]);
            }
        }
        room = graph_room(coarser, number_pairs(p.twin, g->vertices, coarse), g->start[g->vertices], g->weights);
    }
    if (room) {
        contract(g, p.twin, coarse, place, coarser);
    }
    pool_clear(&scratch);
    return room ? INLAY_OK : diag_no_memory(diag);
}

/* ---- One side ---- */

int kway_extract(const kway_graph *g, const int32_t *side, int32_t which, int32_t *member, kway_graph *part,
                 inlay_diag *diag)
{
    int32_t *name = memory_array((size_t)g->vertices, sizeof *name);
    int32_t members = 0;
    int64_t arcs = 0;
    for (int32_t v = 0; v < g->vertices && name != NULL; v++) {
        if (side[v] == which) {
            name[v] = members;
            member[members++] = v;
            arcs += g->start[v + 1] - g->start[v];
        }
    }
    bool room = name != NULL && graph_room(part, members, arcs, g->weights);
    arcs = 0;
    for (int32_t i = 0; i < members && room; i++) {
        part->start[i] = arcs;
        memcpy(part->load + (ptrdiff_t)i * g->weights, kway_load(g, member[i]),
               (size_t)g->weights * sizeof *part->load);
        for (int64_t a = g->start[member[i]]; a < g->start[member[i] + 1]; a++) {
            if (side[g->neighbour[a]] == which) {
                part->neighbour[arcs] = name[g->neighbour[a]];
                part->weight[arcs++] = g->weight[a];
            }
        }
        part->start[i + 1] = arcs;
    }
    if (room) {
        part->start[members] = arcs;
    }
    free(name);
    return room ? INLAY_OK : diag_no_memory(diag);
}
