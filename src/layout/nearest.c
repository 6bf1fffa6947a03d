/* Nearest placement and pairwise exchanges, on machines whose processors stand in groups. */
#include "layout/nearest.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/pair_heap.h"
#include "graph/app.h"
#include "layout/cluster_graph.h"
#include <stdlib.h>
#include <string.h>

/*
 * Within a group all processors are alike, so the layout is who stands in which group. Groups that can come into
 * question: those of pinned clusters and, since no more are ever needed than there are clusters, as many of the first.
 */
typedef struct nearest {
    memory_pool arrays; /**< owns them */
    const problem *p;
    cluster_graph graph;
    inlay_id clusters;
    inlay_id size;      /* processors of a group */
    inlay_id *pin;      /* of every cluster, or -1 */
    inlay_id groups;    /* that come into question */
    inlay_id *number;   /* of such a group in the machine, ascending */
    inlay_id *group_of; /* of every cluster, or -1 */
    inlay_id *members;  /* in every group */
    inlay_id width;     /* most members of a group */
    inlay_id *member;   /* width entries a group */
    int64_t *inside;    /* traffic of every cluster within its group */
    int64_t *gain;      /* scratch, zero between uses: one entry a group */
    int64_t *toward;    /* scratch, zero between uses: traffic of every cluster to one group */
    int64_t *mutual;    /* scratch, zero between uses: traffic of every cluster to one cluster */
} nearest;

static void clear(nearest *n)
{
    cluster_graph_clear(&n->graph);
    pool_clear(&n->arrays);
}

/* ---- The groups ---- */

static int compare_ids(const void *a, const void *b)
{
    const inlay_id *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Groups of pinned clusters and the first others, ascending. `number` has room for two a cluster. */
static void choose_groups(nearest *n)
{
    inlay_id all = (inlay_machine_processors(n->p->machine) - 1) / n->size + 1;
    inlay_id pinned = 0;
    for (inlay_id c = 0; c < n->clusters; c++) {
        if (n->pin[c] >= 0) {
            n->number[pinned++] = n->pin[c] / n->size;
        }
    }
    inlay_id first = all < n->clusters ? all : n->clusters;
    n->groups = pinned + first;
    for (inlay_id g = 0; g < first; g++) {
        n->number[pinned + g] = g;
    }
    qsort(n->number, (size_t)n->groups, sizeof *n->number, compare_ids);
    inlay_id kept = 0;
    for (inlay_id g = 0; g < n->groups; g++) {
        if (kept == 0 || n->number[kept - 1] != n->number[g]) {
            n->number[kept++] = n->number[g];
        }
    }
    n->groups = kept;
}

static int prepare(nearest *n, const placement *place, inlay_diag *diag)
{
    size_t clusters = (size_t)n->clusters;
    n->pin = pool_array(&n->arrays, clusters, sizeof *n->pin);
    n->number = pool_array(&n->arrays, 2 * clusters, sizeof *n->number);
    n->group_of = pool_array(&n->arrays, clusters, sizeof *n->group_of);
    n->inside = pool_zeroed(&n->arrays, clusters, sizeof *n->inside);
    n->toward = pool_zeroed(&n->arrays, clusters, sizeof *n->toward);
    n->mutual = pool_zeroed(&n->arrays, clusters, sizeof *n->mutual);
    if (n->arrays.failed) {
        return diag_no_memory(diag);
    }
    memset(n->pin, 0xFF, clusters * sizeof *n->pin); /* -1 */
    memset(n->group_of, 0xFF, clusters * sizeof *n->group_of);
    for (inlay_id i = 0; i < n->p->modules; i++) {
        if (inlay_app_pin(n->p->app, i) >= 0) {
            n->pin[place->cluster_of[i]] = inlay_app_pin(n->p->app, i);
        }
    }
    choose_groups(n);
    n->width = n->size < n->clusters ? n->size : n->clusters;
    n->members = pool_zeroed(&n->arrays, (size_t)n->groups, sizeof *n->members);
    n->gain = pool_zeroed(&n->arrays, (size_t)n->groups, sizeof *n->gain);
    n->member = pool_array(&n->arrays, (size_t)n->groups * (size_t)n->width, sizeof *n->member);
    return n->arrays.failed ? diag_no_memory(diag) : INLAY_OK;
}

static inlay_id *members_of(const nearest *n, inlay_id group)
{
    return n->member + (size_t)group * (size_t)n->width;
}

static void enter(nearest *n, inlay_id cluster, inlay_id group)
{
    members_of(n, group)[n->members[group]++] = cluster;
    n->group_of[cluster] = group;
}

static void leave(nearest *n, inlay_id cluster)
{
    inlay_id group = n->group_of[cluster];
    inlay_id *member = members_of(n, group);
    inlay_id at = 0;
    while (member[at] != cluster) {
        at++;
    }
    member[at] = member[--n->members[group]];
}

static bool full(const nearest *n, inlay_id group)
{
    return n->members[group] >= n->size || n->members[group] >= n->width;
}

/* ---- Nearest placement ---- */

/* The group to which the cluster has most traffic and that has room; the lowest where there are several. */
static inlay_id nearest_group(nearest *n, inlay_id cluster)
{
    inlay_id best = 0;
    const cluster_graph *graph = &n->graph;
    while (full(n, best)) {
        best++;
    }
    for (int64_t e = graph->begin[cluster]; e < graph->begin[cluster + 1]; e++) {
        inlay_id group = n->group_of[graph->neighbour[e]];
        if (group >= 0) {
            n->gain[group] += graph->traffic[e];
        }
    }
    for (int64_t e = graph->begin[cluster]; e < graph->begin[cluster + 1]; e++) {
        inlay_id group = n->group_of[graph->neighbour[e]];
        if (group < 0 || full(n, group)) {
            continue;
        }
        bool lower = group < best && n->gain[group] == n->gain[best];
        best = n->gain[group] > n->gain[best] || lower ? group : best;
    }
    for (int64_t e = graph->begin[cluster]; e < graph->begin[cluster + 1]; e++) {
        inlay_id group = n->group_of[graph->neighbour[e]];
        if (group >= 0) {
            n->gain[group] = 0;
        }
    }
    return best;
}

/* A cluster has its place: its neighbours come nearer to the top. toward[c] is the traffic of c with those placed. */
static bool attract(nearest *n, inlay_id cluster, const int64_t *total, pair_heap *heap)
{
    const cluster_graph *graph = &n->graph;
    for (int64_t e = graph->begin[cluster]; e < graph->begin[cluster + 1]; e++) {
        inlay_id other = graph->neighbour[e];
        n->toward[other] += graph->traffic[e];
        if (n->group_of[other] < 0 && !pair_heap_push(heap, (pair){n->toward[other], -total[other], other, other})) {
            return false;
        }
    }
    return true;
}

static bool place_pinned(nearest *n, const int64_t *total, pair_heap *heap)
{
    bool fine = true;
    for (inlay_id c = 0; c < n->clusters && fine; c++) {
        if (n->pin[c] >= 0) {
            inlay_id number = n->pin[c] / n->size;
            const inlay_id *at = bsearch(&number, n->number, (size_t)n->groups, sizeof number, compare_ids);
            enter(n, c, (inlay_id)(at - n->number));
            fine = attract(n, c, total, heap);
        }
    }
    return fine;
}

/* Most traffic with those placed first, then most traffic at all. Entries of the heap that are out of date are passed. */
static bool place_nearest(nearest *n, const int64_t *total, pair_heap *heap)
{
    bool fine = true;
    for (inlay_id c = 0; c < n->clusters && fine; c++) {
        fine = pair_heap_append(heap, (pair){0, -total[c], c, c});
    }
    fine = fine && pair_heap_order(heap) && place_pinned(n, total, heap);
    while (fine && heap->count > 0) {
        pair next = pair_heap_pop(heap);
        if (n->group_of[next.low] < 0 && next.traffic == n->toward[next.low]) {
            enter(n, next.low, nearest_group(n, next.low));
            fine = attract(n, next.low, total, heap);
        }
    }
    return fine;
}

static int nearest_placement(nearest *n, inlay_diag *diag)
{
    pair_heap heap = {0};
    int64_t *total = memory_zeroed((size_t)n->clusters, sizeof *total);
    bool fine = total != NULL;
    for (inlay_id c = 0; fine && c < n->clusters; c++) {
        for (int64_t e = n->graph.begin[c]; e < n->graph.begin[c + 1]; e++) {
            total[c] += n->graph.traffic[e];
        }
    }
    fine = fine && place_nearest(n, total, &heap);
    memset(n->toward, 0, (size_t)n->clusters * sizeof *n->toward);
    pair_heap_clear(&heap);
    free(total);
    return fine ? INLAY_OK : diag_no_memory(diag);
}

/* ---- Exchanges ---- */

/* What one exchange would bring: with a cluster of a group, or (other = -1) with a free processor there. */
typedef struct exchange {
    int64_t gain;
    inlay_id group, other;
} exchange;

/* Traffic of a cluster with the members of its group. */
static int64_t inside_of(const nearest *n, inlay_id cluster)
{
    int64_t inside = 0;
    for (int64_t e = n->graph.begin[cluster]; e < n->graph.begin[cluster + 1]; e++) {
        inside += n->group_of[n->graph.neighbour[e]] == n->group_of[cluster] ? n->graph.traffic[e] : 0;
    }
    return inside;
}

/* Adds (sign 1) or takes back (sign -1) the traffic of a row in a table of clusters. */
static void spread(const nearest *n, inlay_id cluster, int sign, int64_t *table)
{
    for (int64_t e = n->graph.begin[cluster]; e < n->graph.begin[cluster + 1]; e++) {
        table[n->graph.neighbour[e]] += sign * n->graph.traffic[e];
    }
}

static void spread_group(const nearest *n, inlay_id group, int sign)
{
    for (inlay_id i = 0; i < n->members[group]; i++) {
        spread(n, members_of(n, group)[i], sign, n->toward);
    }
}

/* The best exchange of a cluster that would gain `own` by being in that group; n->toward is that to its present one. */
static void best_in_group(const nearest *n, inlay_id group, int64_t own, exchange *best)
{
    if (!full(n, group) && own > best->gain) {
        *best = (exchange){own, group, -1};
    }
    for (inlay_id i = 0; i < n->members[group]; i++) {
        inlay_id other = members_of(n, group)[i];
        int64_t gain = own + n->toward[other] - n->inside[other] - 2 * n->mutual[other];
        bool lower = gain == best->gain && group == best->group && other < best->other;
        if (n->pin[other] < 0 && (gain > best->gain || lower)) {
            *best = (exchange){gain, group, other};
        }
    }
}

/* The best exchange for one cluster; gain 0 where there is none. Groups in the order of their numbers. */
static exchange best_exchange(nearest *n, inlay_id cluster, inlay_id *touched)
{
    const cluster_graph *graph = &n->graph;
    exchange best = {0, -1, -1};
    inlay_id count = 0;
    for (int64_t e = graph->begin[cluster]; e < graph->begin[cluster + 1]; e++) {
        inlay_id group = n->group_of[graph->neighbour[e]];
        if (n->gain[group] == 0) {
            touched[count++] = group;
        }
        n->gain[group] += graph->traffic[e];
    }
    qsort(touched, (size_t)count, sizeof *touched, compare_ids);
    spread(n, cluster, 1, n->mutual);
    for (inlay_id i = 0; i < count; i++) {
        inlay_id group = touched[i];
        int64_t own = n->gain[group] - n->inside[cluster];
        if (group != n->group_of[cluster] && own > 0) {
            best_in_group(n, group, own, &best);
        }
        n->gain[group] = 0;
    }
    spread(n, cluster, -1, n->mutual);
    return best;
}

/* A cluster that left its group goes to another; what its neighbours have inside theirs follows. */
static void settle(nearest *n, inlay_id cluster, inlay_id group)
{
    inlay_id from = n->group_of[cluster];
    for (int64_t e = n->graph.begin[cluster]; e < n->graph.begin[cluster + 1]; e++) {
        inlay_id other = n->graph.neighbour[e];
        n->inside[other] -= n->group_of[other] == from ? n->graph.traffic[e] : 0;
        n->inside[other] += n->group_of[other] == group ? n->graph.traffic[e] : 0;
    }
    enter(n, cluster, group);
    n->inside[cluster] = inside_of(n, cluster);
}

/* n->toward stays the traffic with the present members of the cluster's old group. */
static void carry_out(nearest *n, inlay_id cluster, const exchange *chosen)
{
    inlay_id from = n->group_of[cluster];
    spread(n, cluster, -1, n->toward);
    leave(n, cluster);
    if (chosen->other >= 0) {
        leave(n, chosen->other);
        settle(n, chosen->other, from);
        spread(n, chosen->other, 1, n->toward);
    }
    settle(n, cluster, chosen->group);
}

/* The exchanges of one group's members, as they are at the beginning; whether there was any. */
static bool exchange_members(nearest *n, inlay_id group, inlay_id *members, inlay_id *touched)
{
    bool changed = false;
    inlay_id count = n->members[group];
    memcpy(members, members_of(n, group), (size_t)count * sizeof *members);
    qsort(members, (size_t)count, sizeof *members, compare_ids);
    spread_group(n, group, 1);
    for (inlay_id i = 0; i < count; i++) {
        if (n->pin[members[i]] >= 0 || n->group_of[members[i]] != group) {
            continue;
        }
        exchange best = best_exchange(n, members[i], touched);
        if (best.gain > 0) {
            carry_out(n, members[i], &best);
            changed = true;
        }
    }
    spread_group(n, group, -1);
    return changed;
}

/* Rounds over all groups until one changes nothing. Every exchange lowers the sum, so that there is such a round. */
static int exchange_all(nearest *n, inlay_diag *diag)
{
    inlay_id *touched = memory_array((size_t)n->groups, sizeof *touched);
    inlay_id *members = memory_array((size_t)n->width, sizeof *members);
    bool changed = touched != NULL && members != NULL && n->groups > 1;
    int status = touched == NULL || members == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (inlay_id c = 0; c < n->clusters; c++) {
        n->inside[c] = inside_of(n, c);
    }
    while (changed) {
        changed = false;
        for (inlay_id g = 0; g < n->groups; g++) {
            changed = exchange_members(n, g, members, touched) || changed;
        }
    }
    free(touched);
    free(members);
    return status;
}

/* ---- Processors ---- */

/* Pinned clusters keep theirs; the others take the lowest free ones of their group, by number. */
static void assign_group(nearest *n, inlay_id group, inlay_id *pins, inlay_id *processor)
{
    inlay_id *member = members_of(n, group);
    inlay_id count = n->members[group], pinned = 0, taken = 0;
    qsort(member, (size_t)count, sizeof *member, compare_ids);
    for (inlay_id i = 0; i < count; i++) {
        if (n->pin[member[i]] >= 0) {
            pins[pinned++] = n->pin[member[i]];
        }
    }
    qsort(pins, (size_t)pinned, sizeof *pins, compare_ids);
    inlay_id next = n->number[group] * n->size;
    for (inlay_id i = 0; i < count; i++) {
        if (n->pin[member[i]] >= 0) {
            processor[member[i]] = n->pin[member[i]];
            continue;
        }
        for (; taken < pinned && pins[taken] == next; taken++) {
            next++;
        }
        processor[member[i]] = next++;
    }
}

static int assign_processors(nearest *n, placement *place, inlay_diag *diag)
{
    inlay_id *pins = memory_array((size_t)n->width, sizeof *pins);
    if (pins == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id g = 0; g < n->groups; g++) {
        assign_group(n, g, pins, place->processor);
    }
    free(pins);
    return INLAY_OK;
}

int nearest_layout(const problem *p, placement *place, inlay_diag *diag)
{
    nearest n = {.p = p, .clusters = place->clusters, .size = p->network.near};
    int status = cluster_graph_make(p, place, &n.graph, diag);
    if (status == INLAY_OK) {
        status = prepare(&n, place, diag);
    }
    if (status == INLAY_OK) {
        status = nearest_placement(&n, diag);
    }
    if (status == INLAY_OK) {
        status = assign_processors(&n, place, diag);
    }
    if (status == INLAY_OK) {
        status = placement_weighted_traffic(p, place, &place->weighted_nearest, diag);
    }
    if (status == INLAY_OK) {
        status = exchange_all(&n, diag);
    }
    if (status == INLAY_OK) {
        status = assign_processors(&n, place, diag);
    }
    clear(&n);
    return status;
}
