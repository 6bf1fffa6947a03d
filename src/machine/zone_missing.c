/* Pairs of hosts without a route: found zone by zone, without asking for the route of every pair. */
#include "machine/zone.h"
#include "base/memory.h"
#include <inlay/status.h>
#include <stdlib.h>

/* Whether hosts stand at a point, so that a missing route to it would be missed. */
static bool inhabited(const zone_tree *tree, int32_t point)
{
    const zone_point *p = &tree->point[point];
    return p->kind == POINT_HOST || (p->kind == POINT_ZONE && tree->zone[p->refers].hosts > 0);
}

/* The inhabited points of a zone by their ranks; NULL when out of memory. */
static int32_t *inhabited_ranks(const zone_tree *tree, int32_t number, size_t *count)
{
    int32_t *ranks = memory_array((size_t)tree->zone[number].points, sizeof *ranks);
    *count = 0;
    for (int32_t i = 0; ranks != NULL && i < tree->zone[number].points; i++) {
        if (inhabited(tree, tree->member[tree->first_member[number] + (size_t)i])) {
            ranks[(*count)++] = i;
        }
    }
    return ranks;
}

static void tell(const zone_tree *tree, int32_t number, int32_t from, int32_t to, zone_fault *fault)
{
    const int32_t *member = tree->member + tree->first_member[number];
    fault->from = member[from];
    fault->to = member[to];
    fault->zone = number;
}

/* ---- Full zones: counting tells whether a pair lacks its route ---- */

static int find_unrouted(const zone_tree *tree, int32_t number, const int32_t *ranks, size_t count, zone_fault *fault)
{
    const zone *z = &tree->zone[number];
    bool *wanted = memory_zeroed((size_t)z->points, sizeof *wanted);
    if (wanted == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        wanted[ranks[i]] = true;
    }
    size_t given = 0;
    for (size_t i = 0; i < z->routes; i++) {
        const zone_route *r = &z->route[i];
        given += r->from != r->to && wanted[r->from] && wanted[r->to];
    }
    free(wanted);
    for (size_t i = 0; given < count * (count - 1) && fault->zone < 0; i++) {
        for (size_t j = 0; fault->zone < 0 && j < count; j++) {
            if (i != j && zone_route_given(z, ranks[i], ranks[j]) == NULL) {
                tell(tree, number, ranks[i], ranks[j], fault);
            }
        }
    }
    return INLAY_OK;
}

/* ---- Zones of shortest ways: all have one both ways if all have one from the first and to it ---- */

/* Marks what is reached from a point along the routes, or against them. */
static bool reach(const zone *z, int32_t from, bool against, bool *reached)
{
    size_t *begin = memory_zeroed((size_t)z->points + 2, sizeof *begin);
    int32_t *next = memory_array(z->routes, sizeof *next);
    int32_t *stack = memory_array((size_t)z->points, sizeof *stack);
    bool done = begin != NULL && next != NULL && stack != NULL;
    for (size_t i = 0; done && i < z->routes; i++) {
        begin[(against ? z->route[i].to : z->route[i].from) + 2]++;
    }
    for (int32_t i = 0; done && i < z->points; i++) {
        begin[i + 2] += begin[i + 1];
    }
    for (size_t i = 0; done && i < z->routes; i++) {
        const zone_route *r = &z->route[i];
        next[begin[(against ? r->to : r->from) + 1]++] = against ? r->from : r->to;
    }
    size_t waiting = 0;
    if (done) {
        reached[from] = true;
        stack[waiting++] = from;
    }
    while (waiting > 0) {
        int32_t at = stack[--waiting];
        for (size_t i = begin[at]; i < begin[at + 1]; i++) {
            if (!reached[next[i]]) {
                reached[next[i]] = true;
                stack[waiting++] = next[i];
            }
        }
    }
    free(begin);
    free(next);
    free(stack);
    return done;
}

static int find_unreached(const zone_tree *tree, int32_t number, const int32_t *ranks, size_t count, bool against,
                          zone_fault *fault)
{
    const zone *z = &tree->zone[number];
    bool *reached = memory_zeroed((size_t)z->points, sizeof *reached);
    if (reached == NULL || !reach(z, ranks[0], against, reached)) {
        free(reached);
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; fault->zone < 0 && i < count; i++) {
        if (!reached[ranks[i]]) {
            tell(tree, number, against ? ranks[i] : ranks[0], against ? ranks[0] : ranks[i], fault);
        }
    }
    free(reached);
    return INLAY_OK;
}

/* ---- Stars: hosts without any links ---- */

static void find_unlinked(const zone_tree *tree, int32_t number, const int32_t *ranks, size_t count, zone_fault *fault)
{
    const zone *z = &tree->zone[number];
    int32_t first = -1;
    for (size_t i = 0; fault->zone < 0 && i < count; i++) {
        size_t rank = (size_t)ranks[i];
        if (rank < z->spoke_capacity && z->spoke[rank].up.count + z->spoke[rank].down.count > 0) {
            continue;
        }
        if (first >= 0) {
            tell(tree, number, first, ranks[i], fault);
        }
        first = ranks[i];
    }
}

static int find_in_zone(const zone_tree *tree, int32_t number, const int32_t *ranks, size_t count, zone_fault *fault)
{
    int status = INLAY_OK;
    switch (tree->zone[number].kind) {
    case ZONE_FULL: return find_unrouted(tree, number, ranks, count, fault);
    case ZONE_FLOYD:
    case ZONE_DIJKSTRA:
        status = find_unreached(tree, number, ranks, count, false, fault);
        return status == INLAY_OK ? find_unreached(tree, number, ranks, count, true, fault) : status;
    case ZONE_STAR: find_unlinked(tree, number, ranks, count, fault); break;
    case ZONE_NONE: tell(tree, number, ranks[0], ranks[1], fault); break;
    default: break;
    }
    return INLAY_OK;
}

int zone_find_missing(const zone_tree *tree, zone_fault *fault)
{
    int status = INLAY_OK;
    fault->zone = -1;
    for (int32_t i = 0; i < (int32_t)tree->zones && status == INLAY_OK && fault->zone < 0; i++) {
        if (tree->zone[i].hosts < 2) {
            continue;
        }
        size_t count;
        int32_t *ranks = inhabited_ranks(tree, i, &count);
        if (ranks == NULL) {
            return INLAY_NO_MEMORY;
        }
        if (count >= 2) {
            status = find_in_zone(tree, i, ranks, count, fault);
        }
        free(ranks);
    }
    return status;
}
