/* How many hosts, cables and switches a torus, a fat tree and a dragonfly have. */
#include "machine/zone.h"

/* Products stay at this bound, far above every limit and far below overflow. */
static const int64_t too_many = (int64_t)1 << 40;

static int64_t times(int64_t a, int64_t b)
{
    return a != 0 && b > too_many / a ? too_many : a * b;
}

static int64_t plus(int64_t a, int64_t b)
{
    return a + b > too_many ? too_many : a + b;
}

int64_t zone_fat_tree_nodes(const zone_shape *shape, int level)
{
    int64_t nodes = 1;
    for (int i = 0; i < level; i++) {
        nodes = times(nodes, shape->up[i]);
    }
    for (int i = level; i < shape->dimensions; i++) {
        nodes = times(nodes, shape->size[i]);
    }
    return nodes;
}

static zone_size measure_torus(const zone_shape *shape)
{
    int64_t hosts = 1;
    for (int i = 0; i < shape->dimensions; i++) {
        hosts = times(hosts, shape->size[i]);
    }
    return (zone_size){hosts, times(hosts, shape->dimensions), 0};
}

static zone_size measure_fat_tree(const zone_shape *shape)
{
    zone_size size = {zone_fat_tree_nodes(shape, 0), 0, 0};
    for (int level = 0; level < shape->dimensions; level++) {
        int64_t parents = times(shape->up[level], shape->cables[level]);
        size.cables = plus(size.cables, times(zone_fat_tree_nodes(shape, level), parents));
        size.switches = plus(size.switches, zone_fat_tree_nodes(shape, level + 1));
    }
    return size;
}

/* Every pair of n. */
static int64_t pairs(int64_t n)
{
    return times(n, n - 1) / 2;
}

static zone_size measure_dragonfly(const zone_shape *shape)
{
    int64_t groups = shape->size[0];
    int64_t chassis = shape->size[1];
    int64_t blades = shape->size[2];
    int64_t routers = times(groups, times(chassis, blades));
    int64_t hosts = times(routers, shape->size[3]);
    int64_t green = times(times(groups, chassis), pairs(blades));
    int64_t black = times(groups, times(pairs(chassis), blades));
    return (zone_size){hosts, plus(plus(hosts, green), plus(black, pairs(groups))), routers};
}

zone_size zone_measure(zone_kind kind, const zone_shape *shape)
{
    switch (kind) {
    case ZONE_TORUS: return measure_torus(shape);
    case ZONE_FAT_TREE: return measure_fat_tree(shape);
    default: return measure_dragonfly(shape);
    }
}
