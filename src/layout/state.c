/* The state of a layout and the moves on it. */
#include "layout/state.h"
#include "base/diag.h"
#include "base/memory.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LOOKS = 1 << 29, /* distances that it takes to look at all exchanges once: about a second */
    FEW_LOOKS = 1 << 24,
    MOST_COSTS = 1 << 20 /* 8 MiB */
};

static void add_up_traffic(layout_state *s)
{
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        s->total[c] = 0;
        for (int64_t e = s->f->begin[c]; e < s->f->begin[c + 1]; e++) {
            s->total[c] += s->f->traffic[e];
        }
    }
}

int layout_state_make(const far_problem *f, layout_state *s, inlay_diag *diag)
{
    size_t n = (size_t)f->clusters;
    size_t p = (size_t)f->processors;
    bool keeps = f->processors <= LAYOUT_TABLE_PROCESSORS;
    *s = (layout_state){.f = f};
    s->total = pool_array(&s->arrays, n, sizeof *s->total);
    s->at = pool_array(&s->arrays, n, sizeof *s->at);
    s->who = pool_array(&s->arrays, p, sizeof *s->who);
    s->own = pool_zeroed(&s->arrays, n, sizeof *s->own);
    s->low = pool_zeroed(&s->arrays, n, sizeof *s->low);
    s->mutual = pool_zeroed(&s->arrays, n, sizeof *s->mutual);
    s->waiting = pool_array(&s->arrays, n, sizeof *s->waiting);
    s->is_waiting = pool_zeroed(&s->arrays, n, sizeof *s->is_waiting);
    s->rank = pool_array(&s->arrays, p, sizeof *s->rank);
    s->near = pool_zeroed(&s->arrays, p, sizeof *s->near);
    s->cost = pool_array(&s->arrays, p, sizeof *s->cost);
    if (keeps) {
        s->thorough = (size_t)f->begin[n] <= MOST_LOOKS / p;
        s->quick = (size_t)f->begin[n] <= FEW_LOOKS / p;
        bool known = n * p <= MOST_COSTS;
        s->table = pool_array(&s->arrays, p * p, sizeof *s->table);
        s->filled = pool_zeroed(&s->arrays, p, sizeof *s->filled);
        s->costs = known ? pool_array(&s->arrays, n * p, sizeof *s->costs) : NULL;
    }
    if (s->arrays.failed) {
        return diag_no_memory(diag);
    }
    int status = layout_tree_make(f, &s->tree, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (inlay_id r = 0; r < f->processors; r++) {
        s->rank[s->tree.ordered[r]] = r;
    }
    memset(s->at, 0xFF, n * sizeof *s->at); /* -1 */
    memset(s->who, 0xFF, p * sizeof *s->who);
    add_up_traffic(s);
    return INLAY_OK;
}

void layout_state_clear(layout_state *s)
{
    pool_clear(&s->arrays);
    layout_tree_clear(&s->tree);
    *s = (layout_state){0};
}

void layout_fill_row(layout_state *s, inlay_id processor)
{
    const far_problem *f = s->f;
    if (s->table == NULL || s->filled[processor]) {
        return;
    }
    uint16_t *row = s->table + (size_t)processor * (size_t)f->processors;
    int nearest = INT_MAX;
    for (inlay_id q = 0; q < f->processors; q++) {
        int d = s->filled[q] ? s->table[(size_t)q * (size_t)f->processors + (size_t)processor]
                             : far_distance(f, processor, q);
        row[q] = (uint16_t)d;
        nearest = q != processor && d < nearest ? d : nearest;
    }
    s->near[processor] = nearest;
    s->filled[processor] = true;
}

int64_t layout_cost_at(layout_state *s, inlay_id cluster, inlay_id processor)
{
    const far_problem *f = s->f;
    int64_t sum = 0;
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id other = s->at[f->neighbour[e]];
        if (other >= 0) {
            sum += f->traffic[e] * layout_distance(s, processor, other);
        }
    }
    s->steps += f->begin[cluster + 1] - f->begin[cluster];
    return sum;
}

/* Adds what a cluster costs everywhere by its traffic with those who stand on one processor. */
static void add_costs(const layout_state *s, int64_t traffic, inlay_id processor, int64_t *cost)
{
    size_t processors = (size_t)s->f->processors;
    const uint16_t *row = s->table + (size_t)processor * processors;
    for (size_t q = 0; q < processors; q++) {
        cost[q] += traffic * row[q];
    }
}

static void find_costs(layout_state *s, inlay_id cluster, int64_t *cost)
{
    const far_problem *f = s->f;
    memset(cost, 0, (size_t)f->processors * sizeof *cost);
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        if (s->at[f->neighbour[e]] >= 0) {
            add_costs(s, f->traffic[e], s->at[f->neighbour[e]], cost);
        }
    }
}

const int64_t *layout_costs(layout_state *s, inlay_id cluster)
{
    if (s->costs_known) {
        return s->costs + (size_t)cluster * (size_t)s->f->processors;
    }
    find_costs(s, cluster, s->cost);
    return s->cost;
}

void layout_know_costs(layout_state *s)
{
    s->costs_known = s->costs != NULL;
    for (inlay_id c = 0; s->costs_known && c < s->f->clusters; c++) {
        find_costs(s, c, s->costs + (size_t)c * (size_t)s->f->processors);
    }
}

void layout_forget_costs(layout_state *s)
{
    s->costs_known = false;
}

void layout_put(layout_state *s, inlay_id cluster, inlay_id processor)
{
    const far_problem *f = s->f;
    layout_fill_row(s, processor);
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id other = f->neighbour[e];
        if (s->at[other] < 0) {
            continue;
        }
        int64_t cost = f->traffic[e] * layout_distance(s, processor, s->at[other]);
        s->own[cluster] += cost;
        s->own[other] += cost;
        s->low[cluster] += f->traffic[e] * s->near[s->at[other]];
        s->low[other] += f->traffic[e] * s->near[processor];
    }
    s->sum += s->own[cluster];
    s->at[cluster] = processor;
    s->who[processor] = cluster;
}

void layout_take(layout_state *s, inlay_id cluster)
{
    const far_problem *f = s->f;
    inlay_id processor = s->at[cluster];
    s->sum -= s->own[cluster];
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id other = f->neighbour[e];
        if (s->at[other] >= 0) {
            s->own[other] -= f->traffic[e] * layout_distance(s, processor, s->at[other]);
            s->low[other] -= f->traffic[e] * s->near[processor];
        }
    }
    s->own[cluster] = 0;
    s->low[cluster] = 0;
    s->at[cluster] = -1;
    s->who[processor] = -1;
}

/* The costs of one cluster after another, with that traffic to it, has gone to another processor. */
static void shift_costs(layout_state *s, inlay_id cluster, int64_t traffic, inlay_id from, inlay_id to)
{
    size_t processors = (size_t)s->f->processors;
    int64_t *cost = s->costs + (size_t)cluster * processors;
    const uint16_t *before = s->table + (size_t)from * processors, *after = s->table + (size_t)to * processors;
    for (size_t q = 0; q < processors; q++) {
        cost[q] += traffic * (after[q] - before[q]);
    }
}

/* `who` is the caller's: for a moment two clusters may stand on one processor. */
static void relocate(layout_state *s, inlay_id cluster, inlay_id to)
{
    const far_problem *f = s->f;
    inlay_id from = s->at[cluster];
    int64_t change = 0;
    layout_fill_row(s, to);
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id other = f->neighbour[e];
        inlay_id there = s->at[other];
        if (there < 0) {
            continue;
        }
        int64_t more = f->traffic[e] * (layout_distance(s, to, there) - layout_distance(s, from, there));
        s->own[other] += more;
        s->low[other] += f->traffic[e] * (s->near[to] - s->near[from]);
        change += more;
        if (s->costs_known) {
            shift_costs(s, other, f->traffic[e], from, to);
        }
    }
    s->own[cluster] += change;
    s->sum += change;
    s->at[cluster] = to;
}

void layout_exchange(layout_state *s, inlay_id cluster, inlay_id processor)
{
    inlay_id from = s->at[cluster], other = s->who[processor];
    relocate(s, cluster, processor);
    s->who[from] = other;
    s->who[processor] = cluster;
    if (other >= 0) {
        relocate(s, other, from);
    }
}

void layout_clear_places(layout_state *s)
{
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        if (s->at[c] >= 0) {
            layout_take(s, c);
        }
    }
}

void layout_restore(layout_state *s, const inlay_id *at)
{
    layout_clear_places(s);
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        layout_put(s, c, at[c]);
    }
}
