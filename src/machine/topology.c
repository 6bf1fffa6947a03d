/* What all topologies share. */
#include "machine/topology.h"
#include "base/memory.h"
#include <stdlib.h>

bool route_add(route_list *route, inlay_id link)
{
    if (!memory_grow((void **)&route->link, &route->capacity, route->count + 1, sizeof *route->link)) {
        return false;
    }
    route->link[route->count++] = link;
    return true;
}

void route_clear(route_list *route)
{
    free(route->link);
    *route = (route_list){0};
}

static void free_names(char **names, inlay_id count)
{
    for (inlay_id i = 0; names != NULL && i < count; i++) {
        free(names[i]);
    }
    free(names);
}

void topology_free(topology *t)
{
    if (t == NULL) {
        return;
    }
    if (t->free_own != NULL) {
        t->free_own(t->own);
    }
    free_names(t->node_name, t->nodes);
    free_names(t->link_name, t->links);
    free(t->link);
    free(t);
}

int topology_distance(const topology *t, inlay_id from, inlay_id to)
{
    if (from == to) {
        return 0;
    }
    if (t->distance != NULL) {
        return t->distance(t, from, to);
    }
    route_list route = {0};
    int length = t->route(t, from, to, &route) ? (int)route.count : -1;
    route_clear(&route);
    return length;
}
