/* From a tree of zones to a topology: nodes are numbered, links learn their ends, and pairs without a route are found. */
#include "machine/zone.h"
#include "base/memory.h"
#include <inlay/status.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * What a message pays where the file has no route: so long, about 12 days, that no estimate with such a message is
 * taken for a real one, and short enough for exact sums.
 */
static const double lost_time = 1e6;

static void count_hosts(zone_tree *tree)
{
    for (size_t i = 0; i < tree->hosts; i++) {
        for (int32_t z = tree->point[tree->host[i]].zone; z >= 0; z = tree->zone[z].parent) {
            tree->zone[z].hosts++;
        }
    }
}

/* The points of every zone by rank. */
static bool list_members(zone_tree *tree)
{
    tree->member = memory_array(tree->points, sizeof *tree->member);
    tree->first_member = memory_zeroed(tree->zones + 1, sizeof *tree->first_member);
    if (tree->member == NULL || tree->first_member == NULL) {
        return false;
    }
    for (size_t i = 0; i < tree->zones; i++) {
        tree->first_member[i + 1] = tree->first_member[i] + (size_t)tree->zone[i].points;
    }
    for (size_t i = 0; i < tree->points; i++) {
        const zone_point *p = &tree->point[i];
        if (p->zone >= 0) {
            tree->member[tree->first_member[p->zone] + (size_t)p->rank] = (int32_t)i;
        }
    }
    return true;
}

/* ---- Links that stand for latencies ---- */

/* Milliseconds, as the coordinates are: the distance in the plane and both heights. */
static double between(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])) + fabs(a[2]) + fabs(b[2]);
}

static bool add_pairs(zone_tree *tree, zone *z)
{
    enum { NAME_ROOM = 64 };
    z->pair_link = (inlay_id)tree->links;
    for (int32_t a = 0; a < z->points; a++) {
        for (int32_t b = a + 1; b < z->points; b++) {
            char name[NAME_ROOM];
            snprintf(name, sizeof name, "latency-%d-%d-%d", (int)(z - tree->zone), a, b);
            inlay_id link = zone_add_link(tree, name, (double)INFINITY, between(z->place[a], z->place[b]) / 1000);
            if (link < 0) {
                return false;
            }
            tree->link[link].shared = tree->link[link].parallel = true;
        }
    }
    return true;
}

static bool add_latencies(zone_tree *tree)
{
    for (size_t i = 0; i < tree->zones; i++) {
        if (tree->zone[i].kind == ZONE_VIVALDI && !add_pairs(tree, &tree->zone[i])) {
            return false;
        }
    }
    return true;
}

static bool add_nowhere(zone_tree *tree)
{
    tree->nowhere = zone_add_link(tree, "no-route", (double)INFINITY, lost_time);
    if (tree->nowhere >= 0) {
        tree->link[tree->nowhere].shared = tree->link[tree->nowhere].parallel = true;
    }
    return tree->nowhere >= 0;
}

/* ---- Ends of links ---- */

enum { NOT_KNOWN = -1, SEVERAL = -2 };

/* A link that is a whole route lies between its ends, unless it is also the route of another pair. */
static void learn_ends(const zone_tree *tree, const zone *z, const int32_t *point_of)
{
    for (size_t i = 0; i < z->routes; i++) {
        const zone_route *r = &z->route[i];
        if (r->way.count != 1) {
            continue;
        }
        topology_link *link = &tree->link[tree->hop[r->way.first]];
        int32_t from = z->nests ? r->gw_from : point_of[r->from];
        int32_t to = z->nests ? r->gw_to : point_of[r->to];
        if (link->from == NOT_KNOWN) {
            link->from = from;
            link->to = to;
        } else if (!(link->from == from && link->to == to) && !(link->from == to && link->to == from)) {
            link->from = link->to = SEVERAL;
        }
    }
}

static void learn_all_ends(const zone_tree *tree)
{
    for (size_t i = 0; i < tree->zones; i++) {
        learn_ends(tree, &tree->zone[i], tree->member + tree->first_member[i]);
    }
}

/* ---- The topology ---- */

static bool route_hosts(const topology *t, inlay_id from, inlay_id to, route_list *route)
{
    const zone_tree *tree = t->own;
    size_t begin = route->count;
    if (!zone_route_between(tree, tree->host[from], tree->host[to], route)) {
        return false;
    }
    return route->count > begin || tree->nowhere < 0 || route_add(route, tree->nowhere);
}

static void free_tree(void *own)
{
    zone_tree_free(own);
}

/* Hosts are the first nodes, routers the others, both in the order of the file. */
static void number_nodes(zone_tree *tree, topology *t)
{
    inlay_id host = 0;
    inlay_id router = (inlay_id)tree->hosts;
    for (size_t i = 0; i < tree->points; i++) {
        zone_point *p = &tree->point[i];
        if (p->kind == POINT_ZONE) {
            continue;
        }
        p->refers = p->kind == POINT_HOST ? host++ : router++;
        t->node_name[p->refers] = tree->point_name[i];
        tree->point_name[i] = NULL;
    }
}

static void take_links(zone_tree *tree, topology *t)
{
    for (size_t i = 0; i < tree->links; i++) {
        topology_link *link = &tree->link[i];
        link->from = link->from >= 0 ? tree->point[link->from].refers : -1;
        link->to = link->to >= 0 ? tree->point[link->to].refers : -1;
        t->has_capacity = t->has_capacity || isfinite(link->capacity);
    }
    t->links = (inlay_id)tree->links;
    t->link = tree->link;
    t->link_name = tree->link_name;
    tree->link = NULL;
    tree->link_name = NULL;
    tree->links = 0;
}

static topology *make_topology(zone_tree *tree)
{
    inlay_id routers = 0;
    for (size_t i = 0; i < tree->points; i++) {
        routers += tree->point[i].kind == POINT_ROUTER;
    }
    topology *t = memory_zeroed(1, sizeof *t);
    zone_tree *own = memory_array(1, sizeof *own);
    char **names = memory_zeroed(tree->hosts + (size_t)routers, sizeof *names);
    if (t == NULL || own == NULL || names == NULL) {
        free(t);
        free(own);
        free(names);
        return NULL;
    }
    *t = (topology){.hosts = (inlay_id)tree->hosts,
                    .nodes = (inlay_id)tree->hosts + routers,
                    .unit = INLAY_UNIT_S,
                    .in_bytes = true,
                    .cut_through = true,
                    .node_name = names,
                    .route = route_hosts,
                    .own = own,
                    .free_own = free_tree};
    number_nodes(tree, t);
    take_links(tree, t);
    *own = *tree;
    *tree = (zone_tree){.nowhere = -1};
    return t;
}

int zone_seal(zone_tree *tree, zone_fault *fault, topology **sealed)
{
    *fault = (zone_fault){.from = -1, .to = -1, .zone = -1, .twice_zone = -1};
    tree->nowhere = -1;
    count_hosts(tree);
    for (size_t i = 0; i < tree->zones && fault->bypass_twice == NULL; i++) {
        fault->bypass_twice = zone_sort_bypasses(&tree->zone[i]);
    }
    if (fault->bypass_twice != NULL) {
        return INLAY_BAD_INPUT;
    }
    int status = list_members(tree) ? zone_seal_routes(tree, fault) : INLAY_NO_MEMORY;
    status = status == INLAY_OK ? zone_find_missing(tree, fault) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!add_latencies(tree) || (fault->zone >= 0 && !add_nowhere(tree))) {
        return INLAY_NO_MEMORY;
    }
    learn_all_ends(tree);
    topology *t = make_topology(tree);
    if (t == NULL) {
        return INLAY_NO_MEMORY;
    }
    *sealed = t;
    return INLAY_OK;
}
