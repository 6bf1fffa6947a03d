/*
 * Routes in a fat tree: up as the destination says (D-mod-k: E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic
 * for Shift Permutations on Real Life Fat Trees", 2010), down over the cable that the source says, as SimGrid 3.32 does.
 *
 * A node is its level and its label, one digit a level: below its level which parent, from there on which child.
 */
#include "machine/zone.h"

typedef struct tree_node {
    int level;
    int32_t label[ZONE_MAX_DIMENSIONS];
} tree_node;

static int32_t radix(const zone_shape *shape, int level, int digit)
{
    return digit < level ? shape->up[digit] : shape->size[digit];
}

static tree_node host_node(const zone_shape *shape, int32_t host)
{
    tree_node node = {0};
    for (int i = 0; i < shape->dimensions; i++) {
        node.label[i] = host % shape->size[i];
        host /= shape->size[i];
    }
    return node;
}

/* Number of a node within its level. */
static int32_t position(const zone_shape *shape, const tree_node *node)
{
    int32_t number = 0;
    for (int i = shape->dimensions - 1; i >= 0; i--) {
        number = number * radix(shape, node->level, i) + node->label[i];
    }
    return number;
}

/* Whether a host is below a node. */
static bool above(const zone_shape *shape, const tree_node *node, const tree_node *host)
{
    for (int i = node->level; i < shape->dimensions; i++) {
        if (node->label[i] != host->label[i]) {
            return false;
        }
    }
    return node->level > 0;
}

/* The link of a cable from a child to parent number `parent` of its own; down: back from it. */
static inlay_id cable_link(const zone_shape *shape, const tree_node *child, int32_t parent, int32_t cable, bool down)
{
    int64_t number = 0;
    for (int level = 0; level < child->level; level++) {
        number += zone_fat_tree_nodes(shape, level) * shape->up[level] * shape->cables[level];
    }
    int32_t per_parent = shape->cables[child->level];
    number += ((int64_t)position(shape, child) * shape->up[child->level] + parent) * per_parent + cable;
    return shape->link + (inlay_id)(shape->split ? 2 * number + (down ? 1 : 0) : number);
}

static bool add_limiter(const zone_shape *shape, const tree_node *node, route_list *route)
{
    if (!shape->limited) {
        return true;
    }
    int64_t number = position(shape, node);
    for (int level = 0; level < node->level; level++) {
        number += zone_fat_tree_nodes(shape, level);
    }
    return route_add(route, shape->limiter + (inlay_id)number);
}

static bool go_up(const zone_shape *shape, tree_node *at, const tree_node *goal, int32_t goal_position,
                  route_list *route)
{
    int32_t rest = goal_position;
    while (!above(shape, at, goal)) {
        int32_t ports = shape->up[at->level] * shape->cables[at->level];
        int32_t parent = rest % ports % shape->up[at->level];
        int32_t cable = rest % ports / shape->up[at->level];
        if (!add_limiter(shape, at, route) || !route_add(route, cable_link(shape, at, parent, cable, false))) {
            return false;
        }
        at->label[at->level++] = parent;
        rest /= shape->up[at->level - 1];
    }
    return true;
}

/*
 * Ports of a node lead to child number port modulo children, over cable number port divided by children. The ports of
 * the next node are tried behind the one that was taken, not from the first: so SimGrid does where a loop of its own
 * goes on with the new node.
 */
static bool go_down(const zone_shape *shape, tree_node *at, const tree_node *goal, int32_t source_position,
                    route_list *route)
{
    while (at->level > 0) {
        int level = at->level - 1;
        int32_t port = source_position % shape->cables[level] * shape->size[level];
        for (; at->level > 0 && port < shape->size[at->level - 1] * shape->cables[at->level - 1]; port++) {
            level = at->level - 1;
            if (port % shape->size[level] != goal->label[level]) {
                continue;
            }
            tree_node child = *at;
            int32_t parent = at->label[level];
            child.level = level;
            child.label[level] = goal->label[level];
            if (!route_add(route, cable_link(shape, &child, parent, port / shape->size[level], true)) ||
                !add_limiter(shape, at, route)) {
                return false;
            }
            *at = child;
        }
    }
    return true;
}

bool zone_fat_tree_route(const zone *z, int32_t from, int32_t to, route_list *route)
{
    const zone_shape *shape = &z->shape;
    tree_node at = host_node(shape, from);
    tree_node goal = host_node(shape, to);
    return go_up(shape, &at, &goal, to + shape->position, route) &&
           go_down(shape, &at, &goal, from + shape->position, route) && add_limiter(shape, &goal, route);
}
