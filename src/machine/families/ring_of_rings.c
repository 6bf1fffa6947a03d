/*
 * Rings on a ring: host h of ring r is number r B + h; the hosts 0 of the A rings are a ring themselves. A message takes the
 * shorter way along its ring to host 0, along the outer ring, and along the receiver's ring; forward where both ways are as
 * long.
 */
#include "machine/making.h"

enum { RINGS, HOSTS };

/* Cables of a ring; round a pair it would be the same cable again. */
static int64_t ring_cables(inlay_id hosts)
{
    return hosts > 2 ? hosts : hosts - 1;
}

static family_size measure(const family_shape *shape)
{
    int64_t rings = shape->size[RINGS];
    return (family_size){.hosts = family_hosts(shape),
                         .cables = rings * ring_cables(shape->size[HOSTS]) + ring_cables(shape->size[RINGS])};
}

/* So many hosts, whose numbers are `step` apart. */
static void cable_ring(topology *t, inlay_id first, inlay_id step, inlay_id hosts, const cable_kind *cable)
{
    for (inlay_id h = 0; h < ring_cables(hosts); h++) {
        cables_lay(t, first + h * step, first + (h + 1) % hosts * step, cable);
    }
}

static void lay_cables(topology *t, family_way *way, const cable_kind *cable)
{
    inlay_id rings = way->shape.size[RINGS], hosts = way->shape.size[HOSTS];
    for (inlay_id r = 0; r < rings; r++) {
        cable_ring(t, r * hosts, 1, hosts, cable);
    }
    cable_ring(t, 0, hosts, rings, cable);
}

/* The place behind `at` on the shorter way round a ring. */
static inlay_id step_round(inlay_id at, inlay_id to, inlay_id hosts)
{
    int64_t ahead = ((int64_t)to - at + hosts) % hosts;
    return 2 * ahead <= hosts ? (at + 1) % hosts : (at + hosts - 1) % hosts;
}

static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    inlay_id rings = way->shape.size[RINGS], hosts = way->shape.size[HOSTS];
    inlay_id ring = at / hosts, goal = to / hosts, host = at % hosts;
    *nth = 0;
    if (ring != goal && host == 0) {
        return step_round(ring, goal, rings) * hosts;
    }
    return ring * hosts + step_round(host, ring == goal ? to % hosts : 0, hosts);
}

static int round_length(inlay_id from, inlay_id to, inlay_id hosts)
{
    inlay_id apart = from < to ? to - from : from - to;
    return apart < hosts - apart ? apart : hosts - apart;
}

static int distance(const topology *t, inlay_id from, inlay_id to)
{
    const family_way *way = t->own;
    inlay_id rings = way->shape.size[RINGS], hosts = way->shape.size[HOSTS];
    return from / hosts == to / hosts ? round_length(from % hosts, to % hosts, hosts)
                                      : round_length(from % hosts, 0, hosts) + round_length(0, to % hosts, hosts) +
                                            round_length(from / hosts, to / hosts, rings);
}

/* Rings round a circle, each with its host 0 inwards. */
static family_place place(const family_way *way, inlay_id node)
{
    inlay_id rings = way->shape.size[RINGS], hosts = way->shape.size[HOSTS], ring = node / hosts;
    double radius = family_radius(hosts), turn = rings == 2 ? 0.25 : 0.5;
    family_place middle = family_around_groups(2 * radius + 1.5, ring, rings);
    family_place at = family_around(radius, (double)ring / rings + turn + (double)(node % hosts) / hosts);
    return (family_place){middle.x + at.x, middle.y + at.y};
}

/* What cutting a ring of so many into two parts passes. */
static int64_t cut_ring(inlay_id hosts)
{
    return hosts > 2 ? 2 : hosts - 1;
}

/* Between rings where their number is even; else one ring is cut as well. */
static int64_t cut(const family_shape *shape)
{
    inlay_id rings = shape->size[RINGS], hosts = shape->size[HOSTS];
    if (rings % 2 == 0) {
        return cut_ring(rings);
    }
    return hosts % 2 == 0 ? cut_ring(rings) + cut_ring(hosts) : -1;
}

const machine_family ring_of_rings_family = {
    .name = "ringofrings",
    .operand = "AxB",
    .summary = "A rings of B hosts, the first hosts of which are a ring",
    .sample = "ringofrings:3x4,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .expected = "rings and hosts of each such as 4x8",
    .sizes = {2, 2},
    .grows_first = true,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = place,
    .bisection = cut,
    .tgt = family_no_word,
};
