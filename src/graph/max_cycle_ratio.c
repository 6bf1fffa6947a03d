/*
 * A policy picks a link out of every node, so that each walk ends in a cycle. The best of these cycles gives the ratio r;
 * the value of a node is what the links on its walk to that cycle add up to, weight - r delay each. A link that would give
 * its node a larger value is better, and is picked next. Where none is, no cycle has a larger ratio than r.
 */
#include "graph/max_cycle_ratio.h"
#include "base/common_divisor.h"
#include "base/memory.h"
#include "base/strong_parts.h"
#include <stdlib.h>

typedef __int128 wide;

enum { NO_NODE = -1 };

typedef struct search {
    const cycle_graph *graph;
    memory_pool arrays;
    int32_t *part, *member; /* nodes by part */
    size_t *part_begin;
    size_t *in_begin, *in_link; /* links within a part by where they lead to */
    int32_t *from;              /* by link */
    size_t *policy;             /* link of each node */
    wide *value;
    int64_t *mark;  /* the walk on which a node was met last */
    int32_t *queue; /* nodes whose values are known */
    bool *valued;
    int64_t walk;
    int64_t weight, delay; /* the ratio of the part */
    int32_t root;          /* the least node of its cycle */
} search;

static bool is_within(const search *s, size_t link)
{
    return s->part[s->from[link]] == s->part[s->graph->to[link]];
}

/* ---- Rows ---- */

static void make_part_rows(search *s, int32_t parts)
{
    int32_t nodes = s->graph->nodes;
    for (int32_t i = 0; i < nodes; i++) {
        s->part_begin[s->part[i]]++;
    }
    for (int32_t p = 0; p < parts; p++) {
        s->part_begin[p + 1] += s->part_begin[p];
    }
    for (int32_t i = nodes; i-- > 0;) {
        s->member[--s->part_begin[s->part[i]]] = i;
    }
}

static void make_link_rows(search *s)
{
    const cycle_graph *g = s->graph;
    for (int32_t i = 0; i < g->nodes; i++) {
        for (size_t l = g->begin[i]; l < g->begin[i + 1]; l++) {
            s->from[l] = i;
            s->in_begin[g->to[l]] += is_within(s, l);
        }
    }
    for (int32_t i = 0; i < g->nodes; i++) {
        s->in_begin[i + 1] += s->in_begin[i];
    }
    for (size_t l = g->begin[g->nodes]; l-- > 0;) {
        if (is_within(s, l)) {
            s->in_link[--s->in_begin[g->to[l]]] = l;
        }
    }
}

/* ---- The cycles of a policy ---- */

/* Ratios are compared as fractions: below 2^124. */
static bool is_larger(int64_t weight, int64_t delay, int64_t than_weight, int64_t than_delay)
{
    return (wide)weight * than_delay > (wide)than_weight * delay;
}

static int32_t next_of(const search *s, int32_t node)
{
    return s->graph->to[s->policy[node]];
}

static void take_cycle(search *s, int32_t begin)
{
    int64_t weight = 0, delay = 0;
    int32_t least = begin, node = begin;
    do {
        weight += s->graph->weight[s->policy[node]];
        delay += s->graph->delay[s->policy[node]];
        least = node < least ? node : least;
        node = next_of(s, node);
    } while (node != begin);
    if (s->root == NO_NODE || is_larger(weight, delay, s->weight, s->delay)) {
        int64_t divisor = common_divisor(weight, delay);
        s->weight = weight / divisor;
        s->delay = delay / divisor;
        s->root = least;
    }
}

static void find_best_cycle(search *s, const int32_t *member, int32_t count)
{
    int64_t first_walk = s->walk;
    s->root = NO_NODE;
    for (int32_t i = 0; i < count; i++) {
        int32_t node = member[i];
        s->walk++;
        while (s->mark[node] <= first_walk) {
            s->mark[node] = s->walk;
            node = next_of(s, node);
        }
        if (s->mark[node] == s->walk) {
            take_cycle(s, node);
        }
    }
}

/* ---- Values ---- */

static wide worth(const search *s, size_t link)
{
    const cycle_graph *g = s->graph;
    return (wide)g->weight[link] * s->delay - (wide)s->weight * g->delay[link];
}

/* Values of the nodes with a link to one whose value is known: by their policy alone, or any that has none yet. */
static int32_t spread(search *s, int32_t known, bool any)
{
    for (int32_t at = 0; at < known; at++) {
        int32_t to = s->queue[at];
        for (size_t l = s->in_begin[to]; l < s->in_begin[to + 1]; l++) {
            size_t link = s->in_link[l];
            int32_t node = s->from[link];
            if (!s->valued[node] && (any || s->policy[node] == link)) {
                s->policy[node] = link;
                s->valued[node] = true;
                s->value[node] = worth(s, link) + s->value[to];
                s->queue[known++] = node;
            }
        }
    }
    return known;
}

/* Walks that end in another cycle are led to the best one. */
static void find_values(search *s, const int32_t *member, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        s->valued[member[i]] = false;
    }
    s->valued[s->root] = true;
    s->value[s->root] = 0;
    s->queue[0] = s->root;
    (void)spread(s, spread(s, 1, false), true);
}

static bool improve(search *s, const int32_t *member, int32_t count)
{
    bool changed = false;
    for (int32_t i = 0; i < count; i++) {
        int32_t node = member[i];
        wide best = s->value[node];
        for (size_t l = s->graph->begin[node]; l < s->graph->begin[node + 1]; l++) {
            if (is_within(s, l)) {
                wide value = worth(s, l) + s->value[s->graph->to[l]];
                if (value > best) {
                    best = value;
                    s->policy[node] = l;
                    changed = true;
                }
            }
        }
    }
    return changed;
}

/* ---- Parts ---- */

/* The heaviest link of each node within the part; false where it has no cycle. */
static bool begin_policy(search *s, const int32_t *member, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t node = member[i];
        bool found = false;
        for (size_t l = s->graph->begin[node]; l < s->graph->begin[node + 1]; l++) {
            if (is_within(s, l) && (!found || s->graph->weight[l] > s->graph->weight[s->policy[node]])) {
                s->policy[node] = l;
                found = true;
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool keep_cycle(const search *s, cycle_ratio *best)
{
    int32_t count = 0, node = s->root;
    do {
        count++;
        node = next_of(s, node);
    } while (node != s->root);
    int32_t *cycle = memory_array((size_t)count, sizeof *cycle);
    if (cycle == NULL) {
        return false;
    }
    for (int32_t i = 0; i < count; i++, node = next_of(s, node)) {
        cycle[i] = node;
    }
    free(best->node);
    *best = (cycle_ratio){true, s->weight, s->delay, cycle, count};
    return true;
}

static bool solve_part(search *s, const int32_t *member, int32_t count, cycle_ratio *best)
{
    if (!begin_policy(s, member, count)) {
        return true;
    }
    do {
        find_best_cycle(s, member, count);
        find_values(s, member, count);
    } while (improve(s, member, count));
    return (best->found && !is_larger(s->weight, s->delay, best->weight, best->delay)) || keep_cycle(s, best);
}

static bool make_room(search *s)
{
    size_t nodes = (size_t)s->graph->nodes, links = s->graph->begin[nodes];
    s->part = pool_array(&s->arrays, nodes, sizeof *s->part);
    s->member = pool_array(&s->arrays, nodes, sizeof *s->member);
    s->part_begin = pool_zeroed(&s->arrays, nodes + 1, sizeof *s->part_begin);
    s->in_begin = pool_zeroed(&s->arrays, nodes + 1, sizeof *s->in_begin);
    s->in_link = pool_array(&s->arrays, links, sizeof *s->in_link);
    s->from = pool_array(&s->arrays, links, sizeof *s->from);
    s->policy = pool_zeroed(&s->arrays, nodes, sizeof *s->policy);
    s->value = pool_array(&s->arrays, nodes, sizeof *s->value);
    s->mark = pool_zeroed(&s->arrays, nodes, sizeof *s->mark);
    s->queue = pool_array(&s->arrays, nodes, sizeof *s->queue);
    s->valued = pool_array(&s->arrays, nodes, sizeof *s->valued);
    return !s->arrays.failed;
}

bool max_cycle_ratio(const cycle_graph *graph, cycle_ratio *best)
{
    search s = {.graph = graph};
    const strong_rows rows = {graph->nodes, graph->begin, graph->to, sizeof *graph->to};
    *best = (cycle_ratio){0};
    bool done = make_room(&s);
    int32_t parts = done ? strong_parts_find(&rows, s.part) : -1;
    done = parts >= 0;
    if (done) {
        make_part_rows(&s, parts);
        make_link_rows(&s);
    }
    for (int32_t p = 0; done && p < parts; p++) {
        done = solve_part(&s, s.member + s.part_begin[p], (int32_t)(s.part_begin[p + 1] - s.part_begin[p]), best);
    }
    pool_clear(&s.arrays);
    return done;
}
