/*
 * METIS 5 (G. Karypis and V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J.
 * Sci. Comput. 20(1), 1998) divides the graph in two, again and again, with a seed that is always the same. It has one thread. It is
 * not asked for more parts at once: where a part would be empty, it prints that on the standard output. Compiled with
 * -DINLAY_METIS where it is.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "cluster/parts.h"

#ifdef INLAY_METIS

#include <metis.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1 };

typedef struct division {
    const parts_graph *g;
    int32_t *part;
    int32_t *number; /* of every vertex among those that are divided, -1 of the others */
} division;

/* Some vertices, with the links among them, in the library's own integers. */
typedef struct piece {
    idx_t vertices, *begin, *neighbour, *load, *weight, *side;
} piece;

static bool cut_out(const division *d, memory_pool *pool, const int32_t *vertex, int32_t count, piece *result)
{
    const parts_graph *g = d->g;
    idx_t entries = 0;
    for (int32_t k = 0; k < count; k++) {
        entries += g->begin[vertex[k] + 1] - g->begin[vertex[k]];
        d->number[vertex[k]] = k;
    }
    piece p = {.vertices = count};
    p.begin = pool_array(pool, (size_t)count + 1, sizeof *p.begin);
    p.neighbour = pool_array(pool, (size_t)entries, sizeof *p.neighbour);
    p.load = pool_array(pool, (size_t)entries, sizeof *p.load);
    p.weight = pool_array(pool, (size_t)count, sizeof *p.weight);
    p.side = pool_zeroed(pool, (size_t)count, sizeof *p.side);
    entries = 0;
    for (int32_t k = 0; !pool->failed && k < count; k++) {
        p.begin[k] = entries;
        p.weight[k] = g->weight[vertex[k]];
        for (int32_t e = g->begin[vertex[k]]; e < g->begin[vertex[k] + 1]; e++) {
            if (d->number[g->neighbour[e]] >= 0) {
                p.neighbour[entries] = d->number[g->neighbour[e]];
                p.load[entries++] = g->load[e];
            }
        }
    }
    for (int32_t k = 0; k < count; k++) {
        d->number[vertex[k]] = -1;
    }
    if (!pool->failed) {
        p.begin[count] = entries;
    }
    *result = p;
    return !pool->failed;
}

/* The share of the first half of the parts goes to side 0. */
static int bisect(const division *d, piece *p, int32_t first, int32_t parts, inlay_diag *diag)
{
    idx_t options[METIS_NOPTIONS], constraints = 1, sides = 2, cut = 0;
    double low = 0, all = 0;
    for (int32_t q = 0; q < parts; q++) {
        low += q < parts / 2 ? d->g->share[first + q] : 0;
        all += d->g->share[first + q];
    }
    real_t share[2] = {(real_t)(low / all), (real_t)(1 - low / all)};
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = SEED;
    int result = METIS_PartGraphRecursive(&p->vertices, &constraints, p->begin, p->neighbour, p->weight, NULL, p->load,
                                          &sides, share, NULL, options, &cut, p->side);
    return result == METIS_OK             ? INLAY_OK
           : result == METIS_ERROR_MEMORY ? diag_no_memory(diag)
                                          : diag_fail(diag, INLAY_SYSTEM, "METIS could not divide the graph");
}

/* Those of side 0 come first, each side in its order; gives how many they are. */
static int32_t separate(int32_t *vertex, int32_t count, const idx_t *side, int32_t *scratch)
{
    int32_t low = 0, high = 0;
    for (int32_t k = 0; k < count; k++) {
        if (side[k] == 0) {
            vertex[low++] = vertex[k];
        } else {
            scratch[high++] = vertex[k];
        }
    }
    memcpy(vertex + low, scratch, (size_t)high * sizeof *vertex);
    return low;
}

/* Some vertices among parts from `first` on. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the number of parts */
static int divide_some(const division *d, int32_t *vertex, int32_t count, int32_t first, int32_t parts,
                       inlay_diag *diag)
{
    for (int32_t k = 0; (parts < 2 || count < 2) && k < count; k++) {
        d->part[vertex[k]] = first;
    }
    if (parts < 2 || count < 2) {
        return INLAY_OK;
    }
    memory_pool pool = {0};
    piece p;
    int32_t *scratch = pool_array(&pool, (size_t)count, sizeof *scratch), low = 0;
    int status = cut_out(d, &pool, vertex, count, &p) ? bisect(d, &p, first, parts, diag) : diag_no_memory(diag);
    if (status == INLAY_OK) {
        low = separate(vertex, count, p.side, scratch);
    }
    pool_clear(&pool);
    status = status == INLAY_OK ? divide_some(d, vertex, low, first, parts / 2, diag) : status;
    return status == INLAY_OK ? divide_some(d, vertex + low, count - low, first + parts / 2, parts - parts / 2, diag)
                              : status;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written through `d` */
static int divide(const parts_graph *g, int32_t *part, inlay_diag *diag)
{
    memory_pool pool = {0};
    size_t n = (size_t)g->vertices;
    division d = {g, part, pool_array(&pool, n, sizeof *d.number)};
    int32_t *vertex = pool_array(&pool, n, sizeof *vertex);
    int status = pool.failed ? diag_no_memory(diag) : INLAY_OK;
    for (int32_t i = 0; status == INLAY_OK && i < g->vertices; i++) {
        vertex[i] = i;
        d.number[i] = -1;
    }
    status = status == INLAY_OK ? divide_some(&d, vertex, g->vertices, 0, g->parts, diag) : status;
    pool_clear(&pool);
    return status;
}

#else

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written where there is METIS */
static int divide(const parts_graph *g, int32_t *part, inlay_diag *diag)
{
    (void)g;
    (void)part;
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "Inlay was built without METIS; expected its library (Debian: libmetis-dev) when Inlay is built");
}

#endif

static int merge(partition *part, inlay_diag *diag)
{
    return parts_merge(part, divide, diag);
}

const cluster_method metis_method = {
    .is = {.name = "metis",
           .description = "the undirected graph in P parts by METIS, where its library is",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .by_name = true},
    .merge = merge,
};
