/* The slow reference for routes. */
#include "slow_routes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int product(const int *factor, int count)
{
    int all = 1;
    for (int i = 0; i < count; i++)
        all *= factor[i];
    return all;
}

/* ---- Meshes, tori, rings, hypercubes: host (x, y, z) is number x + A (y + B z) ---- */

static int coordinate(const slow_shape *shape, int node, int dimension)
{
    return node / product(shape->size, dimension) % shape->size[dimension];
}

static bool is_grid(const slow_shape *shape)
{
    return shape->family == INLAY_RING || shape->family == INLAY_MESH || shape->family == INLAY_TORUS;
}

static bool goes_round(const slow_shape *shape)
{
    return shape->family != INLAY_MESH;
}

/** Neighbours differ in one coordinate, by one; round the ends by all but one. */
static bool beside(const slow_shape *shape, int a, int b)
{
    int apart = 0;
    bool near = false;
    for (int d = 0; d < shape->dimensions; d++) {
        int by = abs(coordinate(shape, a, d) - coordinate(shape, b, d));
        apart += by != 0;
        near |= by == 1 || (by > 0 && goes_round(shape) && by == shape->size[d] - 1);
    }
    return apart == 1 && near;
}

/** How many steps forward; negative: backward. */
static int steps_along(const slow_shape *shape, int from, int to, int dimension)
{
    int size = shape->size[dimension];
    int steps = coordinate(shape, to, dimension) - coordinate(shape, from, dimension);
    if (!goes_round(shape)) return steps;
    int forward = (steps + size) % size, backward = size - forward;
    return forward <= backward ? forward : -backward;
}

static int walk_grid(const slow_shape *shape, int from, int to, slow_step *route)
{
    int at[SLOW_DIMENSIONS], length = 0;
    for (int d = 0; d < shape->dimensions; d++)
        at[d] = coordinate(shape, from, d);
    for (int d = 0; d < shape->dimensions; d++) {
        int steps = steps_along(shape, from, to, d), size = shape->size[d];
        for (int i = 0; i < abs(steps); i++) {
            at[d] = (at[d] + (steps > 0 ? 1 : size - 1)) % size;
            int node = 0;
            for (int e = shape->dimensions - 1; e >= 0; e--)
                node = node * shape->size[e] + at[e];
            route[length++] = (slow_step){node, 0};
        }
    }
    return length;
}

static int walk_hypercube(int from, int to, slow_step *route)
{
    int length = 0;
    for (int bit = 1, at = from; at != to; bit *= 2)
        if ((at & bit) != (to & bit)) {
            at ^= bit;
            route[length++] = (slow_step){at, 0};
        }
    return length;
}

/* ---- Trees and fat trees ---- */

/** A node: its level, and one digit a level: below its own which way up it is, from its own on which child. */
typedef struct tree_node {
    int level;
    int digit[SLOW_DIMENSIONS];
} tree_node;

static int tree_base(const slow_shape *shape, int level, int digit)
{
    return digit < level ? shape->up[digit] : shape->size[digit];
}

static int tree_level(const slow_shape *shape, int level)
{
    int nodes = 1;
    for (int d = 0; d < shape->dimensions; d++)
        nodes *= tree_base(shape, level, d);
    return nodes;
}

/** Levels are numbered one after another, hosts first; the lowest digit counts fastest. */
static tree_node tree_node_of(const slow_shape *shape, int number)
{
    tree_node node = {0};
    for (; number >= tree_level(shape, node.level); node.level++)
        number -= tree_level(shape, node.level);
    for (int d = 0; d < shape->dimensions; d++) {
        node.digit[d] = number % tree_base(shape, node.level, d);
        number /= tree_base(shape, node.level, d);
    }
    return node;
}

static int tree_number(const slow_shape *shape, const tree_node *node)
{
    int number = 0;
    for (int d = shape->dimensions - 1; d >= 0; d--)
        number = number * tree_base(shape, node->level, d) + node->digit[d];
    for (int level = 0; level < node->level; level++)
        number += tree_level(shape, level);
    return number;
}

static int tree_cables(const slow_shape *shape, int a, int b)
{
    tree_node low = tree_node_of(shape, a < b ? a : b), high = tree_node_of(shape, a < b ? b : a);
    if (high.level != low.level + 1) return 0;
    for (int d = 0; d < shape->dimensions; d++)
        if (d != low.level && low.digit[d] != high.digit[d]) return 0;
    return shape->cables[low.level];
}

/** What D-mod-k makes of a destination on the way from a level to the next. */
static int tree_spread(const slow_shape *shape, int level, int to)
{
    return to / product(shape->up, level) % (shape->up[level] * shape->cables[level]);
}

static int walk_tree(const slow_shape *shape, int from, int to, slow_step *route)
{
    tree_node at = tree_node_of(shape, from), end = tree_node_of(shape, to);
    int top = shape->dimensions, length = 0;
    while (at.digit[top - 1] == end.digit[top - 1])
        top--;
    while (at.level < top) {
        int spread = tree_spread(shape, at.level, to), ways = shape->up[at.level];
        at.digit[at.level++] = spread % ways;
        route[length++] = (slow_step){tree_number(shape, &at), spread / ways};
    }
    while (at.level > 0) {
        at.level--;
        at.digit[at.level] = end.digit[at.level];
        int spread = tree_spread(shape, at.level, to);
        route[length++] = (slow_step){tree_number(shape, &at), spread / shape->up[at.level]};
    }
    return length;
}

/* ---- Dragonflies ---- */

enum { GROUPS, CHASSIS, ROUTERS, HOSTS };

typedef struct router {
    int group, chassis, router;
} router;

static int routers_of_group(const slow_shape *shape)
{
    return shape->size[CHASSIS] * shape->size[ROUTERS];
}

static router router_of(const slow_shape *shape, int node)
{
    int number = node - slow_hosts(shape), in_chassis = shape->size[ROUTERS];
    return (router){number / routers_of_group(shape), number / in_chassis % shape->size[CHASSIS], number % in_chassis};
}

static int router_node(const slow_shape *shape, router r)
{
    return slow_hosts(shape) + (r.group * shape->size[CHASSIS] + r.chassis) * shape->size[ROUTERS] + r.router;
}

/** Number of a router within its group. */
static int in_group(const slow_shape *shape, router r)
{
    return r.chassis * shape->size[ROUTERS] + r.router;
}

static bool are_gateways(const slow_shape *shape, router a, router b)
{
    int routers = routers_of_group(shape);
    return in_group(shape, a) == b.group % routers && in_group(shape, b) == a.group % routers;
}

static slow_bundle dragonfly_between(const slow_shape *shape, int a, int b)
{
    static const slow_bundle none = {0, 0};
    int low = a < b ? a : b, high = a < b ? b : a, hosts = slow_hosts(shape);
    if (high < hosts) return none;
    if (low < hosts) return (slow_bundle){low / shape->size[HOSTS] == high - hosts, 1};
    router x = router_of(shape, low), y = router_of(shape, high);
    if (x.group != y.group) return (slow_bundle){are_gateways(shape, x, y), shape->cables[GROUPS]};
    if (x.chassis == y.chassis) return (slow_bundle){1, shape->cables[ROUTERS]};
    return (slow_bundle){x.router == y.router, shape->cables[CHASSIS]};
}

/** From a router of a group to another: to its place in the chassis, then across. The new length. */
static int walk_group(const slow_shape *shape, router at, router to, slow_step *route, int length)
{
    if (at.router != to.router) {
        at.router = to.router;
        route[length++] = (slow_step){router_node(shape, at), 0};
    }
    if (at.chassis != to.chassis) route[length++] = (slow_step){router_node(shape, to), 0};
    return length;
}

static router gateway(const slow_shape *shape, int group, int other)
{
    int number = other % routers_of_group(shape);
    return (router){group, number / shape->size[ROUTERS], number % shape->size[ROUTERS]};
}

static int walk_dragonfly(const slow_shape *shape, int from, int to, slow_step *route)
{
    int hosts = slow_hosts(shape), length = 0;
    router at = router_of(shape, hosts + from / shape->size[HOSTS]);
    router end = router_of(shape, hosts + to / shape->size[HOSTS]);
    route[length++] = (slow_step){router_node(shape, at), 0};
    if (at.group != end.group) {
        router leave = gateway(shape, at.group, end.group);
        length = walk_group(shape, at, leave, route, length);
        at = gateway(shape, end.group, leave.group);
        route[length++] = (slow_step){router_node(shape, at), 0};
    }
    length = walk_group(shape, at, end, route, length);
    route[length++] = (slow_step){to, 0};
    return length;
}

/* ---- All ---- */

int slow_hosts(const slow_shape *shape)
{
    return product(shape->size, shape->dimensions);
}

int slow_nodes(const slow_shape *shape)
{
    int nodes = slow_hosts(shape);
    if (shape->family == INLAY_STAR) return nodes + 1;
    if (shape->family == INLAY_DRAGONFLY) return nodes + shape->size[GROUPS] * routers_of_group(shape);
    if (shape->family == INLAY_TREE || shape->family == INLAY_FAT_TREE)
        for (int level = 1; level <= shape->dimensions; level++)
            nodes += tree_level(shape, level);
    return nodes;
}

static int grid_cables(const slow_shape *shape)
{
    int cables = 0;
    for (int d = 0; d < shape->dimensions; d++) {
        int size = shape->size[d], lines = slow_hosts(shape) / size;
        cables += lines * (goes_round(shape) && size > 2 ? size : size - 1);
    }
    return cables;
}

static int dragonfly_cables(const slow_shape *shape)
{
    int g = shape->size[GROUPS], c = shape->size[CHASSIS], r = shape->size[ROUTERS], h = shape->size[HOSTS];
    return g * c * r * h + g * c * (r * (r - 1) / 2) + g * r * (c * (c - 1) / 2) + g * (g - 1) / 2;
}

int slow_cables(const slow_shape *shape)
{
    int hosts = slow_hosts(shape), cables = 0;
    if (is_grid(shape)) return grid_cables(shape);
    if (shape->family == INLAY_STAR) return hosts;
    if (shape->family == INLAY_DRAGONFLY) return dragonfly_cables(shape);
    if (shape->family == INLAY_HYPERCUBE)
        for (int bit = 1; bit < hosts; bit *= 2)
            cables += hosts / 2;
    if (shape->family == INLAY_TREE || shape->family == INLAY_FAT_TREE)
        for (int level = 0; level < shape->dimensions; level++)
            cables += tree_level(shape, level) * shape->up[level] * shape->cables[level];
    return cables;
}

slow_bundle slow_between(const slow_shape *shape, int a, int b)
{
    int differ = a ^ b;
    switch (shape->family) {
    case INLAY_RING:
    case INLAY_MESH:
    case INLAY_TORUS: return (slow_bundle){beside(shape, a, b), 1};
    case INLAY_HYPERCUBE: return (slow_bundle){(differ & (differ - 1)) == 0, 1};
    case INLAY_STAR: return (slow_bundle){a == slow_hosts(shape) || b == slow_hosts(shape), 1};
    case INLAY_DRAGONFLY: return dragonfly_between(shape, a, b);
    default: return (slow_bundle){tree_cables(shape, a, b), 1};
    }
}

int slow_route(const slow_shape *shape, int from, int to, slow_step route[SLOW_ROUTE])
{
    switch (shape->family) {
    case INLAY_RING:
    case INLAY_MESH:
    case INLAY_TORUS: return walk_grid(shape, from, to, route);
    case INLAY_HYPERCUBE: return walk_hypercube(from, to, route);
    case INLAY_STAR:
        route[0] = (slow_step){slow_hosts(shape), 0};
        route[1] = (slow_step){to, 0};
        return 2;
    case INLAY_DRAGONFLY: return walk_dragonfly(shape, from, to, route);
    default: return walk_tree(shape, from, to, route);
    }
}

static void append_sizes(const char *name, const int *size, int count, char *text, size_t room)
{
    size_t length = strlen(text);
    length += (size_t)snprintf(text + length, room - length, "%s", name);
    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%d", i == 0 ? "" : "x", size[i]);
    ck_assert_uint_lt(length, room);
}

char *slow_shape_text(const slow_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "%s", inlay_family_name(shape->family));
    append_sizes(":", shape->size, shape->dimensions, text, size);
    if (shape->family == INLAY_FAT_TREE) {
        append_sizes(",up=", shape->up, shape->dimensions, text, size);
        append_sizes(",cables=", shape->cables, shape->dimensions, text, size);
    } else if (shape->family == INLAY_DRAGONFLY) {
        append_sizes(",cables=", shape->cables, shape->dimensions - 1, text, size);
    }
    return text;
}
