/*
 * Dragonflies: groups of chassis of routers of hosts (J. Kim et al., "Technology-Driven, Highly-Scalable Dragonfly
 * Topology", 2008, in the arrangement of the Cray Cascade). Routers of a chassis are cabled all to all, so are the routers
 * that stand in the same place of a group's chassis, and so are groups: group g reaches group h by router h of its own,
 * counted round.
 */
#include "machine/making.h"
#include <math.h>

/* In what order the sizes stand, and the cables in number: between groups, chassis and routers, and at a host. */
enum { GROUPS, CHASSIS, ROUTERS, HOSTS };

static inlay_id routers_of_group(const family_shape *shape)
{
    return shape->size[CHASSIS] * shape->size[ROUTERS];
}

static family_size measure(const family_shape *shape)
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

static cable_kind widened(const cable_kind *cable, inlay_id times)
{
    cable_kind wider = *cable;
    wider.like.capacity *= times;
    return wider;
}

static void cable_group(topology *t, const family_way *way, inlay_id first, const cable_kind *cable)
{
    const family_shape *shape = &way->shape;
    inlay_id chassis = shape->size[CHASSIS], routers = shape->size[ROUTERS];
    cable_kind near = widened(cable, shape->cables[ROUTERS]), across = widened(cable, shape->cables[CHASSIS]);
    for (inlay_id c = 0; c < chassis; c++) {
        for (inlay_id r = 0; r < routers; r++) {
            for (inlay_id other = r + 1; other < routers; other++) {
                cables_lay(t, first + c * routers + r, first + c * routers + other, &near);
            }
            for (inlay_id other = c + 1; other < chassis; other++) {
                cables_lay(t, first + c * routers + r, first + other * routers + r, &across);
            }
        }
    }
}

static void lay_cables(topology *t, family_way *way, const cable_kind *cable)
{
    const family_shape *shape = &way->shape;
    inlay_id groups = shape->size[GROUPS], routers = routers_of_group(shape);
    cable_kind own = widened(cable, shape->cables[HOSTS]), far = widened(cable, shape->cables[GROUPS]);
    for (inlay_id host = 0; host < t->hosts; host++) {
        cables_lay(t, host, t->hosts + host / shape->size[HOSTS], &own);
    }
    for (inlay_id g = 0; g < groups; g++) {
        cable_group(t, way, t->hosts + g * routers, cable);
        for (inlay_id other = g + 1; other < groups; other++) {
            cables_lay(t, gateway(way, g, other), gateway(way, other, g), &far);
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

static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
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

/* ---- Pictures ---- */

/* A group: its chassis below each other, each router with its hosts below it, in a block. */
typedef struct group_frame {
    inlay_id chassis, routers, hosts; /* of a group, a chassis, a router */
    inlay_id columns;                 /* of a router's hosts */
    double router_x, router_y;        /* from router to router */
} group_frame;

static group_frame frame_group(const family_shape *shape)
{
    group_frame f = {shape->size[CHASSIS], shape->size[ROUTERS], shape->size[HOSTS], 0, 0, 0};
    f.columns = (inlay_id)ceil(sqrt(f.hosts));
    f.router_x = f.columns + 0.3;
    inlay_id rows = (f.hosts + f.columns - 1) / f.columns;
    f.router_y = rows + 1.2;
    return f;
}

static family_place place_router(const family_shape *shape, const group_frame *f, inlay_id router)
{
    const double between_groups = 1.2;
    inlay_id groups = shape->size[GROUPS], group = router / routers_of_group(shape);
    inlay_id r = router % routers_of_group(shape);
    double diagonal = hypot(f->routers * f->router_x, f->chassis * f->router_y) + between_groups;
    family_place middle = family_around_groups(diagonal, group, groups);
    double left = middle.x - (f->routers - 1) * f->router_x / 2;
    double top = middle.y - f->chassis * f->router_y / 2;
    inlay_id column = r % f->routers, row = r / f->routers;
    return (family_place){left + column * f->router_x, top + row * f->router_y};
}

static family_place place(const family_way *way, inlay_id node)
{
    group_frame f = frame_group(&way->shape);
    if (node >= way->hosts) {
        return place_router(&way->shape, &f, node - way->hosts);
    }
    family_place at = place_router(&way->shape, &f, node / f.hosts);
    inlay_id h = node % f.hosts, row = h / f.columns;
    double x = at.x - (f.columns - 1) / 2.0 + h % f.columns;
    return (family_place){x, at.y + 0.9 + row};
}

/* ---- The row ---- */

const machine_family dragonfly_family = {
    .name = "dragonfly",
    .operand = "GxCxRxH",
    .summary = "groups of chassis of routers of hosts, all cabled to all",
    .sample = "dragonfly:3x1x1x2,cables=2x1x1,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS | ATTRIBUTE_BIT(CABLES),
    .sizes = {4, 4},
    .expected = "groups, chassis, routers and hosts such as 3x4x2x4",
    .uncabled = 1, /* hosts have one cable */
    .grows_first = true,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .place = place,
    .bisection = family_unknown,
    .bows = true,
    .tgt = family_no_word,
};
