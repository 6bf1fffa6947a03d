/*
 * Fat trees, and trees as fat trees with one way up: the extended generalised fat trees of S. Oehring et al. (1995), with
 * parallel cables. Level 0 are the hosts; a node of level l has size[l-1] children and, below the top, up[l] parents.
 *
 * A node of level l is named by one digit a level: those of the levels up to l say which of the ways up, 0 .. up-1, those
 * above l which child, 0 .. size-1; the digit of the lowest level counts fastest. Two nodes of neighbouring levels are
 * cabled where their names differ in the upper one's digit at most.
 */
#include "machine/family.h"

/* Values of digit `digit` (from 0) in the names of a level. */
static inlay_id base_of(const family_shape *shape, int level, int digit)
{
    return digit < level ? shape->up[digit] : shape->size[digit];
}

/* What one step of a digit adds to the number of a node within its level. */
static int64_t place_of(const family_shape *shape, int level, int digit)
{
    int64_t place = 1;
    for (int d = 0; d < digit; d++) {
        place *= base_of(shape, level, d);
    }
    return place;
}

static int64_t nodes_of(const family_shape *shape, int level)
{
    int64_t nodes = 1;
    for (int d = 0; d < shape->dimensions && nodes <= INT32_MAX; d++) {
        nodes *= base_of(shape, level, d);
    }
    return nodes;
}

family_size fat_tree_measure(const family_shape *shape)
{
    family_size size = {.hosts = nodes_of(shape, 0)};
    for (int level = 1; level <= shape->dimensions; level++) {
        size.switches += nodes_of(shape, level);
        int64_t below = nodes_of(shape, level - 1), each = (int64_t)shape->up[level - 1] * shape->cables[level - 1];
        size.cables += below > INT32_MAX || each > INT32_MAX ? (int64_t)INT32_MAX + 1 : below * each;
    }
    return size;
}

/* Number, within the other level, of the node whose name has another digit `digit` and, but for that, is the same. */
static int64_t sibling(const family_shape *shape, int64_t number, int from, int to, int digit, inlay_id value)
{
    int64_t result = 0;
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        inlay_id own = (inlay_id)(number / place_of(shape, from, d) % base_of(shape, from, d));
        result = result * base_of(shape, to, d) + (d == digit ? value : own);
    }
    return result;
}

void fat_tree_cable(topology *t, family_way *way, const topology_link *like, bool half)
{
    const family_shape *shape = &way->shape;
    int64_t first = 0;
    for (int level = 0; level <= shape->dimensions; level++) {
        way->first[level] = (inlay_id)first;
        first += nodes_of(shape, level);
    }
    for (int level = 0; level < shape->dimensions; level++) {
        inlay_id nodes = way->first[level + 1] - way->first[level];
        for (inlay_id n = 0; n < nodes; n++) {
            for (inlay_id up = 0; up < shape->up[level]; up++) {
                inlay_id parent = way->first[level + 1] + (inlay_id)sibling(shape, n, level, level + 1, level, up);
                for (inlay_id c = 0; c < shape->cables[level]; c++) {
                    cables_lay(t, way->first[level] + n, parent, like, half);
                }
            }
        }
    }
}

/* Which of the ways that a level has the destination takes: a way up and one of its cables. */
static int64_t spread_of(const family_shape *shape, int level, inlay_id to)
{
    int64_t below = 1;
    for (int d = 0; d < level; d++) {
        below *= shape->up[d];
    }
    return to / below % ((int64_t)shape->up[level] * shape->cables[level]);
}

/* Whether a host lies below a node of a level: their digits above it are the same. */
static bool is_below(const family_shape *shape, int level, int64_t number, inlay_id host)
{
    return number / place_of(shape, level, level) == host / place_of(shape, 0, level);
}

/* Up to the first level at which both are below one switch, and down. */
int fat_tree_distance(const topology *t, inlay_id from, inlay_id to)
{
    const family_way *way = t->own;
    int level = 0;
    for (; from != to; level++) {
        from /= way->shape.size[level];
        to /= way->shape.size[level];
    }
    return 2 * level;
}

inlay_id fat_tree_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    const family_shape *shape = &way->shape;
    int level = 0;
    while (level < shape->dimensions && at >= way->first[level + 1]) {
        level++;
    }
    int64_t number = at - way->first[level];
    if (level > 0 && is_below(shape, level, number, to)) {
        int below = level - 1;
        inlay_id child = (inlay_id)(to / place_of(shape, 0, below) % shape->size[below]);
        *nth = (inlay_id)(spread_of(shape, below, to) / shape->up[below]);
        return way->first[below] + (inlay_id)sibling(shape, number, level, below, below, child);
    }
    int64_t spread = spread_of(shape, level, to);
    *nth = (inlay_id)(spread / shape->up[level]);
    inlay_id parent = (inlay_id)(spread % shape->up[level]);
    return way->first[level + 1] + (inlay_id)sibling(shape, number, level, level + 1, level, parent);
}
