/*
 * Fat trees, and trees as fat trees with one way up: the extended generalised fat trees of S. Oehring et al. (1995), with
 * parallel cables. Level 0 are the hosts; a node of level l has size[l-1] children and, below the top, up[l] parents.
 *
 * A node of level l is named by one digit a level: those of the levels up to l say which of the ways up, 0 .. up-1, those
 * above l which child, 0 .. size-1; the digit of the lowest level counts fastest. Two nodes of neighbouring levels are
 * cabled where their names differ in the upper one's digit at most.
 */
#include "machine/making.h"
#include <math.h>

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

static family_size measure(const family_shape *shape)
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

static void lay_cables(topology *t, family_way *way, const cable_kind *cable)
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
                    cables_lay(t, way->first[level] + n, parent, cable);
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
static int distance(const topology *t, inlay_id from, inlay_id to)
{
    const family_way *way = t->own;
    int level = 0;
    for (; from != to; level++) {
        from /= way->shape.size[level];
        to /= way->shape.size[level];
    }
    return 2 * level;
}

static int level_of(const family_way *way, inlay_id node)
{
    int level = 0;
    while (level < way->shape.dimensions && node >= way->first[level + 1]) {
        level++;
    }
    return level;
}

static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    const family_shape *shape = &way->shape;
    int level = level_of(way, at);
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

/* ---- Pictures and words ---- */

enum { MOST_LEAVES = 40 }; /* side by side; of more the hosts of a switch stand in several rows */

/* Columns that the hosts of one switch take, so that they make a block about as high as wide. */
static inlay_id block_columns(inlay_id hosts_of_switch, inlay_id hosts)
{
    return hosts <= MOST_LEAVES ? hosts_of_switch : (inlay_id)ceil(sqrt(hosts_of_switch));
}

/* Hosts below, each level above them spread over the whole width. */
static family_place place(const family_way *way, inlay_id node)
{
    const double level_height = 1.5, between_blocks = 0.35;
    inlay_id each = way->shape.size[0], columns = block_columns(each, way->hosts),
             rows = (each + columns - 1) / columns;
    if (node < way->hosts) {
        inlay_id block = node / each, row = node % each / columns;
        return (family_place){block * (columns + between_blocks) + node % each % columns, row};
    }
    int level = level_of(way, node);
    inlay_id blocks = (way->hosts + each - 1) / each;
    double width = blocks * (columns + between_blocks) - between_blocks - 1;
    inlay_id n = node - way->first[level];
    inlay_id nodes = (level < way->shape.dimensions ? way->first[level + 1] : way->nodes) - way->first[level];
    return (family_place){(n + 0.5) / nodes * (width + 1) - 0.5, -level_height * level + (rows > 1 ? 0.3 : 0)};
}

/* Half of the subtrees below the root are cut off. */
static int64_t cut_tree(const family_shape *shape)
{
    inlay_id children = shape->size[shape->dimensions - 1];
    return children % 2 == 0 ? children / 2 : -1;
}

/* Hosts apart on level l (1 is that of their switches) are 2 l links apart: the sum of the weights up to there. */
static bool tgt(const inlay_machine *machine, text_buffer *to)
{
    const family_shape *shape = &machine->shape;
    int levels = 0;
    for (int d = 0; d < shape->dimensions; d++) {
        levels += shape->size[d] > 1;
    }
    text_addf(to, levels == 0 ? "cmplt 1" : "tleaf %d", levels);
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        if (shape->size[d] > 1) {
            int below = d - 1; /* the next level that tells hosts apart */
            while (below >= 0 && shape->size[below] == 1) {
                below--;
            }
            text_addf(to, " %d %d", shape->size[d], 2 * (d - below));
        }
    }
    text_add(to, "\n");
    return true;
}

/* ---- The rows ---- */

const machine_family tree_family = {
    .name = "tree",
    .operand = "AxB",
    .summary = "hosts on switches, switches on switches",
    .sample = "tree:2x2,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .sizes = {1, FAMILY_DIMENSIONS},
    .expected = FAMILY_SIZES,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = place,
    .bisection = cut_tree,
    .tgt = tgt,
};

const machine_family fat_tree_family = {
    .name = "fattree",
    .operand = "AxB",
    .summary = "a tree with several ways up",
    .sample = "fattree:2x2,up=1x2,cables=1x2,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS | ATTRIBUTE_BIT(UP) | ATTRIBUTE_BIT(CABLES),
    .sizes = {1, FAMILY_DIMENSIONS},
    .expected = FAMILY_SIZES,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = place,
    .bisection = family_unknown,
    .tgt = tgt,
};
