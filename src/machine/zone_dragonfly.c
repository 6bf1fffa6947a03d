/*
 * Routes in a dragonfly: the shortest ones, as SimGrid 3.32 finds them.
 *
 * The routers of a chassis are joined by green cables, like blades of a group's chassis by black ones, groups by one
 * blue cable each, which ends at the router of chassis 0 whose blade has the other group's number.
 *
 * SimGrid takes whoever has passed a green cable near the end for a router of chassis 0. Between chassis of one group
 * such a route lacks its black cable, or has one too many; estimates are to be comparable, so it is the same here.
 */
#include "machine/zone.h"

typedef struct router {
    int32_t group, chassis, blade;
} router;

typedef struct dragonfly {
    const zone_shape *shape;
    int32_t groups, chassis, blades, nodes;
    int64_t green, black, blue; /* first cable of each colour, behind those of the hosts */
} dragonfly;

static int64_t pairs(int64_t n)
{
    return n * (n - 1) / 2;
}

static dragonfly dragonfly_of(const zone_shape *shape)
{
    dragonfly d = {shape, shape->size[0], shape->size[1], shape->size[2], shape->size[3], 0, 0, 0};
    d.green = (int64_t)d.groups * d.chassis * d.blades * d.nodes;
    d.black = d.green + (int64_t)d.groups * d.chassis * pairs(d.blades);
    d.blue = d.black + d.groups * pairs(d.chassis) * d.blades;
    return d;
}

static router router_of(const dragonfly *d, int32_t host)
{
    int32_t number = host / d->nodes;
    return (router){number / (d->chassis * d->blades), number / d->blades % d->chassis, number % d->blades};
}

static bool add_cable(const dragonfly *d, int64_t cable, bool back, route_list *route)
{
    return route_add(route, d->shape->link + (inlay_id)(d->shape->split ? 2 * cable + (back ? 1 : 0) : cable));
}

/* A cable of a set that joins each of n to each: that between a and b, towards b. */
static bool add_among(const dragonfly *d, int64_t first, int64_t n, int64_t a, int64_t b, int64_t each,
                      route_list *route)
{
    int64_t low = a < b ? a : b;
    int64_t high = a < b ? b : a;
    int64_t pair = low * n - low * (low + 1) / 2 + (high - low - 1);
    return add_cable(d, first + pair * each, a > b, route);
}

/* The limiter of a router; those of the hosts come first. */
static bool add_limiter(const dragonfly *d, router at, route_list *route)
{
    int64_t number = ((int64_t)at.group * d->chassis + at.chassis) * d->blades + at.blade;
    return !d->shape->limited || route_add(route, d->shape->limiter + (inlay_id)(d->green + number));
}

static bool go_green(const dragonfly *d, router *at, int32_t blade, route_list *route)
{
    int64_t first = d->green + ((int64_t)at->group * d->chassis + at->chassis) * pairs(d->blades);
    bool done = add_limiter(d, *at, route) && add_among(d, first, d->blades, at->blade, blade, 1, route);
    at->blade = blade;
    return done;
}

static bool go_black(const dragonfly *d, router *at, int32_t chassis, route_list *route)
{
    int64_t first = d->black + at->group * pairs(d->chassis) * d->blades + at->blade;
    bool done = add_limiter(d, *at, route) && add_among(d, first, d->chassis, at->chassis, chassis, d->blades, route);
    at->chassis = chassis;
    return done;
}

/* To the router of chassis 0 that has the cable to the group, and over it. */
static bool go_blue(const dragonfly *d, router *at, int32_t group, route_list *route)
{
    if (at->blade != group && !go_green(d, at, group, route)) {
        return false;
    }
    if (at->chassis != 0 && !go_black(d, at, 0, route)) {
        return false;
    }
    bool done = add_among(d, d->blue, d->groups, at->group, group, 1, route) && add_limiter(d, *at, route);
    *at = (router){group, 0, at->group};
    return done;
}

static bool go_between(const dragonfly *d, router at, router goal, route_list *route)
{
    if (at.group != goal.group && !go_blue(d, &at, goal.group, route)) {
        return false;
    }
    if (at.blade != goal.blade) {
        if (!go_green(d, &at, goal.blade, route)) {
            return false;
        }
        at.chassis = 0;
    }
    return at.chassis == goal.chassis || go_black(d, &at, goal.chassis, route);
}

static bool host_limiter(const zone_shape *shape, int32_t host, route_list *route)
{
    return !shape->limited || route_add(route, shape->limiter + host);
}

bool zone_dragonfly_route(const zone *z, int32_t from, int32_t to, route_list *route)
{
    dragonfly d = dragonfly_of(&z->shape);
    router at = router_of(&d, from);
    router goal = router_of(&d, to);
    bool same = at.group == goal.group && at.chassis == goal.chassis && at.blade == goal.blade;
    return host_limiter(d.shape, from, route) && add_cable(&d, from, false, route) &&
           (same || go_between(&d, at, goal, route)) && add_limiter(&d, goal, route) &&
           add_cable(&d, to, true, route) && host_limiter(d.shape, to, route);
}
