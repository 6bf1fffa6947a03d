/* Families of machines with links: measuring, making, and what their routes share. */
#include "machine/family.h"
#include "base/memory.h"
#include <stdlib.h>

/* ---- Sizes ---- */

static int64_t product(const family_shape *shape)
{
    int64_t result = 1;
    for (int d = 0; d < shape->dimensions && result <= INT32_MAX; d++) {
        result *= shape->size[d];
    }
    return result;
}

/* Cables of a mesh or torus: of every line of hosts in a dimension one less than hosts, or one more round the ends. */
static int64_t grid_cables(const family_shape *shape, int64_t hosts, bool round)
{
    int64_t all = 0;
    for (int d = 0; d < shape->dimensions; d++) {
        inlay_id size = shape->size[d];
        all += hosts / size * (round && size > 2 ? size : size - 1);
    }
    return all;
}

family_size family_measure(inlay_family family, const family_shape *shape)
{
    family_size size = {.hosts = product(shape)};
    int bits = 0;
    switch (family) {
    case INLAY_STAR:
        size.switches = 1;
        size.cables = size.hosts;
        break;
    case INLAY_RING:
    case INLAY_TORUS: size.cables = grid_cables(shape, size.hosts, true); break;
    case INLAY_MESH: size.cables = grid_cables(shape, size.hosts, false); break;
    case INLAY_HYPERCUBE:
        while (bits < 31 && (int64_t)1 << (bits + 1) <= size.hosts) {
            bits++;
        }
        size.cables = size.hosts / 2 * bits;
        break;
    case INLAY_TREE:
    case INLAY_FAT_TREE: return fat_tree_measure(shape);
    case INLAY_DRAGONFLY: return dragonfly_measure(shape);
    default: size.cables = size.hosts; break; /* crossbar: an input each */
    }
    return size;
}

/* ---- Routes ---- */

static bool route(const topology *t, inlay_id from, inlay_id to, route_list *list)
{
    const family_way *way = t->own;
    for (inlay_id at = from; at != to;) {
        inlay_id nth, next = way->next(way, at, to, &nth);
        if (!route_add(list, cables_link(&way->cables, at, next, nth))) {
            return false;
        }
        at = next;
    }
    return true;
}

static int distance(const topology *t, inlay_id from, inlay_id to)
{
    const family_way *way = t->own;
    int length = 0;
    for (inlay_id at = from, nth; at != to; length++) {
        at = way->next(way, at, to, &nth);
    }
    return length;
}

/* A crossbar's only links are the inputs of its hosts. */
static bool crossbar_route(const topology *t, inlay_id from, inlay_id to, route_list *list)
{
    (void)t;
    (void)from;
    return route_add(list, to);
}

static int crossbar_distance(const topology *t, inlay_id from, inlay_id to)
{
    (void)t;
    return from != to;
}

static inlay_id star_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    return at == way->hosts ? to : way->hosts;
}

/* ---- Making ---- */

static void cable_star(topology *t, const topology_link *like, bool half)
{
    for (inlay_id host = 0; host < t->hosts; host++) {
        cables_lay(t, host, t->hosts, like, half);
    }
}

static void cable_crossbar(topology *t, const topology_link *like)
{
    for (inlay_id host = 0; host < t->hosts; host++) {
        t->link[t->links] = *like;
        t->link[t->links].from = -1;
        t->link[t->links++].to = host;
    }
    t->route = crossbar_route;
    t->distance = crossbar_distance;
}

static void cable(topology *t, inlay_family family, family_way *way, const topology_link *like, bool half)
{
    switch (family) {
    case INLAY_STAR:
        cable_star(t, like, half);
        way->next = star_next;
        break;
    case INLAY_RING:
    case INLAY_TORUS:
        grid_cable(t, &way->shape, true, like, half);
        way->next = torus_next;
        t->distance = torus_distance;
        break;
    case INLAY_MESH:
        grid_cable(t, &way->shape, false, like, half);
        way->next = mesh_next;
        t->distance = mesh_distance;
        break;
    case INLAY_HYPERCUBE:
        hypercube_cable(t, like, half);
        way->next = hypercube_next;
        t->distance = hypercube_distance;
        break;
    case INLAY_TREE:
    case INLAY_FAT_TREE:
        fat_tree_cable(t, way, like, half);
        way->next = fat_tree_next;
        t->distance = fat_tree_distance;
        break;
    case INLAY_DRAGONFLY:
        dragonfly_cable(t, way, like, half);
        way->next = dragonfly_next;
        break;
    default: cable_crossbar(t, like); break;
    }
}

static void free_way(void *own)
{
    family_way *way = own;
    if (way != NULL) {
        cables_clear(&way->cables);
        free(way);
    }
}

topology *family_make(inlay_family family, const family_shape *shape, const topology_link *like, bool half_duplex)
{
    family_size size = family_measure(family, shape);
    topology *t = memory_zeroed(1, sizeof *t);
    family_way *way = memory_zeroed(1, sizeof *way);
    topology_link *links = memory_array(2 * (size_t)size.cables, sizeof *links);
    if (t == NULL || way == NULL || links == NULL) {
        free(t);
        free(way);
        free(links);
        return NULL;
    }
    way->shape = *shape;
    way->hosts = (inlay_id)size.hosts;
    *t = (topology){.hosts = way->hosts,
                    .nodes = (inlay_id)(size.hosts + size.switches),
                    .link = links,
                    .route = route,
                    .distance = distance,
                    .own = way,
                    .free_own = free_way};
    cable(t, family, way, like, half_duplex);
    if (family != INLAY_CROSSBAR && !cables_sort(t, &way->cables)) {
        topology_free(t);
        return NULL;
    }
    return t;
}
