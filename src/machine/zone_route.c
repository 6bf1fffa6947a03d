/* Routes through zones: from a point out to the zone that holds both ends, across, and in again. */
#include "machine/zone.h"
#include <stdlib.h>

/*
 * Routes are put together by functions that call each other: every step inwards is a zone deeper, so that the recursion
 * ends, and its depth is that of the zones.
 * NOLINTBEGIN(misc-no-recursion): the zones of a file are at most ZONE_MAX_DEPTH deep.
 */

static bool add_way(const zone_tree *tree, zone_way way, route_list *route)
{
    for (int32_t i = 0; i < way.count; i++) {
        if (!route_add(route, tree->hop[way.first + (size_t)i])) {
            return false;
        }
    }
    return true;
}

/* On from a point to the next gateway, which may be the same one. */
static bool go_on(const zone_tree *tree, int32_t from, int32_t to, route_list *route)
{
    return from == to || zone_route_between(tree, from, to, route);
}

/* Along given routes of one zone; where its points are zones, every route begins and ends at a gateway. */
static bool along(const zone_tree *tree, const zone *z, int32_t from, int32_t to, const zone_route **path, size_t count,
                  route_list *route)
{
    int32_t at = from;
    for (size_t i = 0; i < count; i++) {
        if ((z->nests && !go_on(tree, at, path[i]->gw_from, route)) || !add_way(tree, path[i]->way, route)) {
            return false;
        }
        at = path[i]->gw_to;
    }
    return !z->nests || count == 0 || go_on(tree, at, to, route);
}

/* In a Vivaldi zone; of zones, from gateway to gateway. */
static bool between_places(const zone_tree *tree, const zone *z, int32_t from_rank, int32_t to_rank, int32_t from,
                           int32_t to, route_list *route)
{
    const int32_t *gateway = z->gateway;
    return (gateway == NULL || go_on(tree, from, gateway[from_rank], route)) &&
           zone_star_route(tree, z, from_rank, to_rank, route) &&
           (gateway == NULL || go_on(tree, gateway[to_rank], to, route));
}

/* Between two points of one zone; `from` and `to` are what stands in them where they are zones. */
static bool within(const zone_tree *tree, const zone *z, int32_t from_rank, int32_t to_rank, int32_t from, int32_t to,
                   route_list *route)
{
    switch (z->kind) {
    case ZONE_FULL:
    case ZONE_FLOYD:
    case ZONE_DIJKSTRA: {
        const zone_route **path = NULL;
        size_t count = 0;
        bool done = zone_path(z, from_rank, to_rank, &path, &count) && along(tree, z, from, to, path, count, route);
        free(path);
        return done;
    }
    case ZONE_STAR: return zone_star_route(tree, z, from_rank, to_rank, route);
    case ZONE_VIVALDI: return between_places(tree, z, from_rank, to_rank, from, to, route);
    case ZONE_TORUS: return zone_torus_route(z, from_rank, to_rank, route);
    case ZONE_FAT_TREE: return zone_fat_tree_route(z, from_rank, to_rank, route);
    case ZONE_DRAGONFLY: return zone_dragonfly_route(z, from_rank, to_rank, route);
    case ZONE_NONE: break;
    }
    return true;
}

/* The zones around a point, from the innermost outwards, below a common one. */
typedef struct climb {
    int32_t zone[ZONE_MAX_DEPTH + 1];
    int32_t count;
} climb;

static void climb_below(const zone_tree *tree, int32_t point, int32_t top, climb *result)
{
    result->count = 0;
    for (int32_t z = tree->point[point].zone; z != top; z = tree->zone[z].parent) {
        result->zone[result->count++] = z;
    }
}

static int32_t common_zone(const zone_tree *tree, int32_t a, int32_t b)
{
    while (a != b) {
        if (tree->zone[a].depth >= tree->zone[b].depth) {
            a = tree->zone[a].parent;
        } else {
            b = tree->zone[b].parent;
        }
    }
    return a;
}

static int by_ends(const void *left, const void *right)
{
    const zone_bypass *a = left;
    const zone_bypass *b = right;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return a->to < b->to ? -1 : a->to > b->to;
}

static const zone_bypass *bypass_of(const zone *z, int32_t from, int32_t to)
{
    zone_bypass wanted = {.from = from, .to = to};
    return z->bypasses == 0 ? NULL : bsearch(&wanted, z->bypass, z->bypasses, sizeof wanted, by_ends);
}

const zone_bypass *zone_sort_bypasses(zone *z)
{
    const zone_bypass *twice = NULL;
    if (z->bypasses > 1) {
        qsort(z->bypass, z->bypasses, sizeof *z->bypass, by_ends);
    }
    for (size_t i = 1; i < z->bypasses; i++) {
        const zone_bypass *a = &z->bypass[i - 1];
        const zone_bypass *b = &z->bypass[i];
        if (by_ends(a, b) == 0) {
            const zone_bypass *later = a->line > b->line ? a : b;
            twice = twice == NULL || later->line < twice->line ? later : twice;
        }
    }
    return twice;
}

/* The bypass between the i-th zone around one end and the j-th around the other, both counted from within. */
static const zone_bypass *bypass_at(const zone_tree *tree, const zone *z, const climb *from, const climb *to, int32_t i,
                                    int32_t j)
{
    if (i >= from->count || j >= to->count) {
        return NULL;
    }
    return bypass_of(z, tree->zone[from->zone[i]].self, tree->zone[to->zone[j]].self);
}

/* The innermost bypass: pairs of zones in the order of the deeper one's distance, as SimGrid looks at them. */
static const zone_bypass *find_bypass(const zone_tree *tree, const zone *z, const climb *from, const climb *to)
{
    int32_t most = from->count > to->count ? from->count : to->count;
    for (int32_t far = 0; far < most; far++) {
        for (int32_t near = 0; near <= far; near++) {
            const zone_bypass *found = bypass_at(tree, z, from, to, near, far);
            found = found != NULL ? found : bypass_at(tree, z, from, to, far, near);
            if (found != NULL) {
                return found;
            }
        }
    }
    return NULL;
}

static bool over_bypass(const zone_tree *tree, const zone_bypass *bypass, int32_t from, int32_t to, route_list *route)
{
    return go_on(tree, from, bypass->gw_from, route) && add_way(tree, bypass->way, route) &&
           go_on(tree, bypass->gw_to, to, route);
}

bool zone_route_between(const zone_tree *tree, int32_t from, int32_t to, route_list *route)
{
    const zone_point *a = &tree->point[from];
    const zone_point *b = &tree->point[to];
    int32_t top = common_zone(tree, a->zone, b->zone);
    const zone *z = &tree->zone[top];
    if (a->zone == top && b->zone == top) {
        const zone_bypass *bypass = bypass_of(z, from, to);
        return bypass != NULL ? add_way(tree, bypass->way, route) : within(tree, z, a->rank, b->rank, from, to, route);
    }
    climb out;
    climb in;
    climb_below(tree, from, top, &out);
    climb_below(tree, to, top, &in);
    if (out.count == 0 || in.count == 0) {
        return true; /* a host beside a zone: such zones are refused */
    }
    const zone_bypass *bypass = z->bypasses > 0 ? find_bypass(tree, z, &out, &in) : NULL;
    if (bypass != NULL) {
        return over_bypass(tree, bypass, from, to, route);
    }
    int32_t from_rank = tree->point[tree->zone[out.zone[out.count - 1]].self].rank;
    int32_t to_rank = tree->point[tree->zone[in.zone[in.count - 1]].self].rank;
    return within(tree, z, from_rank, to_rank, from, to, route);
}

/* NOLINTEND(misc-no-recursion) */
