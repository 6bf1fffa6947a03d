/* Trees of zones: filling them. */
#include "machine/zone.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

static void free_zone(zone *z)
{
    free(z->route);
    free(z->row);
    free(z->before);
    free(z->order);
    free(z->spoke);
    free(z->place);
    free(z->gateway);
    free(z->bypass);
}

void zone_tree_free(zone_tree *tree)
{
    if (tree == NULL) {
        return;
    }
    for (size_t i = 0; i < tree->zones; i++) {
        free_zone(&tree->zone[i]);
    }
    for (size_t i = 0; tree->point_name != NULL && i < tree->points; i++) {
        free(tree->point_name[i]);
    }
    for (size_t i = 0; tree->link_name != NULL && i < tree->links; i++) {
        free(tree->link_name[i]);
    }
    free(tree->zone);
    free(tree->point);
    free(tree->point_name);
    free(tree->link);
    free(tree->link_name);
    free(tree->hop);
    free(tree->host);
    free(tree->member);
    free(tree->first_member);
    free(tree);
}

int32_t zone_add(zone_tree *tree, int32_t parent, zone_kind kind, const char *name)
{
    if (!memory_grow((void **)&tree->zone, &tree->zone_capacity, tree->zones + 1, sizeof *tree->zone)) {
        return -1;
    }
    int32_t self = zone_add_point(tree, parent, POINT_ZONE, name);
    if (self < 0) {
        return -1;
    }
    int32_t number = (int32_t)tree->zones++;
    tree->zone[number] =
        (zone){.kind = kind, .parent = parent, .depth = parent < 0 ? 0 : tree->zone[parent].depth + 1, .self = self};
    tree->point[self].refers = number;
    return number;
}

static bool add_host(zone_tree *tree, int32_t point)
{
    if (!memory_grow((void **)&tree->host, &tree->host_capacity, tree->hosts + 1, sizeof *tree->host)) {
        return false;
    }
    tree->host[tree->hosts++] = point;
    return true;
}

int32_t zone_add_point(zone_tree *tree, int32_t number, point_kind kind, const char *name)
{
    size_t wanted = tree->points + 1;
    if (!memory_grow((void **)&tree->point, &tree->point_capacity, wanted, sizeof *tree->point) ||
        !memory_grow((void **)&tree->point_name, &tree->name_capacity, wanted, sizeof *tree->point_name)) {
        return -1;
    }
    char *copy = memory_string(name);
    if (copy == NULL || (kind == POINT_HOST && !add_host(tree, (int32_t)tree->points))) {
        free(copy);
        return -1;
    }
    int32_t rank = 0;
    if (number >= 0) {
        rank = tree->zone[number].points++;
        tree->zone[number].nests |= kind == POINT_ZONE;
    }
    tree->point[tree->points] = (zone_point){kind, number, rank, -1};
    tree->point_name[tree->points] = copy;
    return (int32_t)tree->points++;
}

inlay_id zone_add_link(zone_tree *tree, const char *name, double capacity, double latency)
{
    size_t wanted = tree->links + 1;
    if (!memory_grow((void **)&tree->link, &tree->link_capacity, wanted, sizeof *tree->link) ||
        !memory_grow((void **)&tree->link_name, &tree->link_name_capacity, wanted, sizeof *tree->link_name)) {
        return -1;
    }
    char *copy = memory_string(name);
    if (copy == NULL) {
        return -1;
    }
    tree->link[tree->links] = (topology_link){.capacity = capacity, .latency = latency, .from = -1, .to = -1};
    tree->link_name[tree->links] = copy;
    return (inlay_id)tree->links++;
}

bool zone_add_way(zone_tree *tree, const inlay_id *links, size_t count, zone_way *way)
{
    if (!memory_grow((void **)&tree->hop, &tree->hop_capacity, tree->hops + count, sizeof *tree->hop)) {
        return false;
    }
    *way = (zone_way){tree->hops, (int32_t)count};
    for (size_t i = 0; i < count; i++) {
        tree->hop[tree->hops++] = links[i];
    }
    return true;
}

bool zone_add_route(zone_tree *tree, int32_t number, const zone_route *route)
{
    zone *z = &tree->zone[number];
    if (!memory_grow((void **)&z->route, &z->route_capacity, z->routes + 1, sizeof *z->route)) {
        return false;
    }
    z->route[z->routes] = *route;
    z->route[z->routes].order = z->routes;
    z->routes++;
    return true;
}

bool zone_add_bypass(zone_tree *tree, int32_t number, const zone_bypass *bypass)
{
    zone *z = &tree->zone[number];
    if (!memory_grow((void **)&z->bypass, &z->bypass_capacity, z->bypasses + 1, sizeof *z->bypass)) {
        return false;
    }
    z->bypass[z->bypasses++] = *bypass;
    return true;
}

zone_spoke *zone_spoke_of(zone_tree *tree, int32_t point)
{
    zone *z = &tree->zone[tree->point[point].zone];
    size_t rank = (size_t)tree->point[point].rank;
    size_t had = z->spoke_capacity;
    if (!memory_grow((void **)&z->spoke, &z->spoke_capacity, rank + 1, sizeof *z->spoke)) {
        return NULL;
    }
    for (size_t i = had; i < z->spoke_capacity; i++) {
        z->spoke[i] = (zone_spoke){{0, 0}, {0, 0}};
    }
    return &z->spoke[rank];
}

double *zone_place_of(zone_tree *tree, int32_t point)
{
    zone *z = &tree->zone[tree->point[point].zone];
    size_t rank = (size_t)tree->point[point].rank;
    size_t had = z->place_capacity;
    if (!memory_grow((void **)&z->place, &z->place_capacity, rank + 1, sizeof *z->place)) {
        return NULL;
    }
    for (size_t i = had; i < z->place_capacity; i++) {
        z->place[i][0] = z->place[i][1] = z->place[i][2] = (double)NAN;
    }
    return z->place[rank];
}

bool zone_is_placed(const zone_tree *tree, int32_t point)
{
    const zone *z = &tree->zone[tree->point[point].zone];
    size_t rank = (size_t)tree->point[point].rank;
    return rank < z->place_capacity && !isnan(z->place[rank][0]);
}

bool zone_holds(const zone_tree *tree, int32_t number, int32_t point)
{
    int32_t at = tree->point[point].zone;
    while (at >= 0 && at != number) {
        at = tree->zone[at].parent;
    }
    return at == number;
}
