/*
 * Dragonflies: groups of chassis of routers of hosts (J. Kim et al., "Technology-Driven, Highly-Scalable Dragonfly
 * Topology", 2008, in the arrangement of the Cray Cascade). Routers of a chassis are cabled all to all, so are the routers
 * that stand in the same place of a group's chassis, and so are groups: group g reaches group h by router h of its own,
 * counted round.
 */
#include "machine/family.h"

/* In what order the sizes stand, and the cables in number: between groups, chassis and routers, and at a host. */
enum { GROUPS, CHASSIS, ROUTERS, HOSTS };

static inlay_id routers_of_group(const family_shape *shape)
{
    return shape->size[CHASSIS] * shape->size[ROUTERS];
}

family_size dragonfly_measure(const family_shape *shape)
{
    int64_t groups = shape->size[GROUPS], chassis = shape->size[CHASSIS], routers = shape->size[ROUTERS];
    family_size size = {.hosts = INT64_MAX, .switches = INT64_MAX, .cables = INT64_MAX};
    int64_t all, hosts;
    if (chassis * routers > INT32_MAX || __builtin_mul_overflow(groups, chassis * routers, &all) || all > INT32_MAX ||
        __builtin_mul_overflow(all, (int64_t)shape->size[HOSTS], &hosts) || hosts > INT32_MAX) {
        return size;
    }
    size.hosts = hosts;
    size.switches = all;
    int64_t in_chassis = groups * chassis * (routers * (routers - 1) / 2);
    int64_t across = groups * routers * (chassis * (chassis - 1) / 2);
    size.cables = hosts + in_chassis + across + groups * (groups - 1) / 2;
    return size;
}

/* Router of a group that leads to another. */
static inlay_id gateway(const family_way *way, inlay_id group, inlay_id other)
{
    inlay_id routers = routers_of_group(&way->shape);
    return way->hosts + group * routers + other % routers;
}

static topology_link widened(const topology_link *like, inlay_id times)
{
    topology_link wider = *like;
    wider.capacity *= times;
    return wider;
}

static void cable_group(topology *t, const family_way *way, inlay_id first, const topology_link *like, bool half)
{
    const family_shape *shape = &way->shape;
    inlay_id chassis = shape->size[CHASSIS], routers = shape->size[ROUTERS];
    topology_link near = widened(like, shape->cables[ROUTERS]), across = widened(like, shape->cables[CHASSIS]);
    for (inlay_id c = 0; c < chassis; c++) {
        for (inlay_id r = 0; r < routers; r++) {
            for (inlay_id other = r + 1; other < routers; other++) {
                cables_lay(t, first + c * routers + r, first + c * routers + other, &near, half);
            }
            for (inlay_id other = c + 1; other < chassis; other++) {
                cables_lay(t, first + c * routers + r, first + other * routers + r, &across, half);
            }
        }
    }
}

void dragonfly_cable(topology *t, const family_way *way, const topology_link *like, bool half)
{
    const family_shape *shape = &way->shape;
    inlay_id groups = shape->size[GROUPS], routers = routers_of_group(shape);
    topology_link own = widened(like, shape->cables[HOSTS]), far = widened(like, shape->cables[GROUPS]);
    for (inlay_id host = 0; host < t->hosts; host++) {
        cables_lay(t, host, t->hosts + host / shape->size[HOSTS], &own, half);
    }
    for (inlay_id g = 0; g < groups; g++) {
        cable_group(t, way, t->hosts + g * routers, like, half);
        for (inlay_id other = g + 1; other < groups; other++) {
            cables_lay(t, gateway(way, g, other), gateway(way, other, g), &far, half);
        }
    }
}

/* Within a chassis first, then across. */
static inlay_id next_in_group(const family_way *way, inlay_id at, inlay_id to)
{
    inlay_id routers = way->shape.size[ROUTERS];
    inlay_id here = at - way->hosts, there = to - way->hosts;
    return here % routers != there % routers ? at - here % routers + there % routers : to;
}

inlay_id dragonfly_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    inlay_id goal = way->hosts + to / way->shape.size[HOSTS]; /* the destination's router */
    if (at < way->hosts) {
        return way->hosts + at / way->shape.size[HOSTS];
    }
    if (at == goal) {
        return to;
    }
    inlay_id routers = routers_of_group(&way->shape);
    inlay_id here = (at - way->hosts) / routers, there = (goal - way->hosts) / routers;
    if (here == there) {
        return next_in_group(way, at, goal);
    }
    inlay_id leave = gateway(way, here, there);
    return at == leave ? gateway(way, there, here) : next_in_group(way, at, leave);
}
