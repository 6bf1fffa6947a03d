/* Stars: links up from every point and down to it; in Vivaldi zones a latency between them. */
#include "machine/zone.h"

/* A link that stands in both halves (a shared medium, a backbone) is passed once. */
static bool add_once(const zone_tree *tree, zone_way way, size_t begin, route_list *route)
{
    for (int32_t i = 0; i < way.count; i++) {
        inlay_id link = tree->hop[way.first + (size_t)i];
        size_t at = begin;
        while (at < route->count && route->link[at] != link) {
            at++;
        }
        if (at == route->count && !route_add(route, link)) {
            return false;
        }
    }
    return true;
}

/* Pairs (a, b) with a < b of n points, row by row. */
static inlay_id pair_number(int32_t a, int32_t b, int32_t n)
{
    int32_t low = a < b ? a : b;
    int32_t high = a < b ? b : a;
    return low * n - low * (low + 1) / 2 + (high - low - 1);
}

bool zone_star_route(const zone_tree *tree, const zone *z, int32_t from, int32_t to, route_list *route)
{
    size_t begin = route->count;
    zone_spoke none = {{0, 0}, {0, 0}};
    zone_way up = ((size_t)from < z->spoke_capacity ? z->spoke[from] : none).up;
    zone_way down = ((size_t)to < z->spoke_capacity ? z->spoke[to] : none).down;
    if (!add_once(tree, up, begin, route)) {
        return false;
    }
    if (z->kind == ZONE_VIVALDI && !route_add(route, z->pair_link + pair_number(from, to, z->points))) {
        return false;
    }
    return add_once(tree, down, begin, route);
}
