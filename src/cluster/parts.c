/* Partitions become clusters. */
#include "cluster/parts.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

/* Numbers of which the sum may be too much are scaled down; none is less than 1, nor what is no share of an infinite sum. */
static int32_t scaled(double number, double sum)
{
    double value = sum > 0x1p29 ? number / sum * 0x1p29 : number;
    return value >= 1 ? (int32_t)value : 1;
}

static double held(const problem *p, inlay_id module)
{
    return (double)p->timing.m[module] * problem_cores(p, module);
}

static void fill(const problem *p, parts_graph *g)
{
    double work = 0, traffic = 0, rates = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        work += held(p, i);
    }
    for (int64_t e = 0; e < p->begin[p->modules]; e++) {
        traffic += (double)p->traffic[e];
    }
    for (inlay_id q = 0; q < g->parts; q++) {
        rates += kinds_of(&p->kinds, q)->rate;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        g->begin[i] = (int32_t)p->begin[i];
        g->weight[i] = scaled(held(p, i), work);
    }
    g->begin[p->modules] = (int32_t)p->begin[p->modules];
    for (int64_t e = 0; e < p->begin[p->modules]; e++) {
        g->neighbour[e] = p->neighbour[e];
        g->load[e] = scaled((double)p->traffic[e], traffic);
    }
    for (inlay_id q = 0; q < g->parts; q++) {
        g->share[q] = scaled(kinds_of(&p->kinds, q)->rate / rates * 0x1p20, 0x1p20);
    }
}

static bool make(const problem *p, memory_pool *pool, parts_graph *g)
{
    size_t n = (size_t)p->modules, entries = (size_t)p->begin[n];
    inlay_id parts = p->processors < p->modules ? p->processors : p->modules;
    *g = (parts_graph){.vertices = p->modules, .parts = parts};
    g->begin = pool_array(pool, n + 1, sizeof *g->begin);
    g->neighbour = pool_array(pool, entries, sizeof *g->neighbour);
    g->load = pool_array(pool, entries, sizeof *g->load);
    g->weight = pool_array(pool, n, sizeof *g->weight);
    g->share = pool_array(pool, (size_t)parts, sizeof *g->share);
    return !pool->failed;
}

/* Each joins the one before it where it may. */
static int merge_parts(partition *part, const int32_t *part_of, inlay_id *last, inlay_id parts)
{
    int status = INLAY_OK;
    for (inlay_id q = 0; q < parts; q++) {
        last[q] = -1;
    }
    for (inlay_id i = 0; status == INLAY_OK && i < part->p->modules; i++) {
        inlay_id *at = &last[part_of[i]], own = partition_root(part, i);
        inlay_id before = *at < 0 ? own : partition_root(part, *at);
        bool joins = before != own && partition_fits(part, before, own);
        status = joins ? partition_merge(part, before, own, &own) : INLAY_OK;
        *at = own;
    }
    return status;
}

static int check_parts(const parts_graph *g, const int32_t *part_of, inlay_diag *diag)
{
    for (int32_t i = 0; i < g->vertices; i++) {
        if (part_of[i] < 0 || part_of[i] >= g->parts) {
            return diag_fail(diag, INLAY_SYSTEM, "the partitioner gave part %d of 0 to %d", part_of[i], g->parts - 1);
        }
    }
    return INLAY_OK;
}

static int divide_all(partition *part, parts_divider *divide, memory_pool *pool, inlay_diag *diag)
{
    const problem *p = part->p;
    parts_graph g;
    int32_t *part_of = pool_zeroed(pool, (size_t)p->modules, sizeof *part_of);
    if (!make(p, pool, &g)) {
        return diag_no_memory(diag);
    }
    inlay_id *last = pool_array(pool, (size_t)g.parts, sizeof *last);
    if (pool->failed) {
        return diag_no_memory(diag);
    }
    fill(p, &g);
    int status = g.parts < 2 ? INLAY_OK : divide(&g, part_of, diag);
    status = status == INLAY_OK ? check_parts(&g, part_of, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    return merge_parts(part, part_of, last, g.parts) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

int parts_merge(partition *part, parts_divider *divide, inlay_diag *diag)
{
    memory_pool pool = {0};
    int64_t entries = part->p->begin[part->p->modules];
    if (entries > INT32_MAX / 2) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "partitioners are given at most %d pairs of modules with traffic here; the "
                         "application has %lld",
                         INT32_MAX / 4, (long long)entries / 2);
    }
    int status = divide_all(part, divide, &pool, diag);
    pool_clear(&pool);
    return status;
}
