/* Meshes, tori, rings (tori of one dimension) and hypercubes. Host (x, y, z) is number x + A (y + B z). */
#include "machine/family.h"

/* ---- Cables ---- */

/* From every host to the next one in a dimension; `step` is the distance of their numbers. */
static void cable_dimension(topology *t, inlay_id size, inlay_id step, bool round, const topology_link *like, bool half)
{
    for (inlay_id host = 0; host < t->hosts; host++) {
        inlay_id at = host / step % size;
        if (at + 1 < size) {
            cables_lay(t, host, host + step, like, half);
        } else if (round && size > 2) { /* round a pair it would be the same cable again */
            cables_lay(t, host, host - at * step, like, half);
        }
    }
}

void grid_cable(topology *t, const family_shape *shape, bool round, const topology_link *like, bool half)
{
    inlay_id step = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        cable_dimension(t, shape->size[d], step, round, like, half);
        step *= shape->size[d];
    }
}

void hypercube_cable(topology *t, const topology_link *like, bool half)
{
    for (inlay_id host = 0; host < t->hosts; host++) {
        for (inlay_id bit = 1; bit < t->hosts; bit *= 2) {
            if ((host & bit) == 0) {
                cables_lay(t, host, host | bit, like, half);
            }
        }
    }
}

/* ---- Distances: what layouts ask for again and again, without walking ---- */

static int grid_distance(const family_way *way, inlay_id from, inlay_id to, bool round)
{
    int length = 0;
    for (int d = 0; d < way->shape.dimensions; d++) {
        inlay_id size = way->shape.size[d];
        inlay_id apart = from % size - to % size;
        apart = apart < 0 ? -apart : apart;
        length += round && size - apart < apart ? size - apart : apart;
        from /= size;
        to /= size;
    }
    return length;
}

int mesh_distance(const topology *t, inlay_id from, inlay_id to)
{
    return grid_distance(t->own, from, to, false);
}

int torus_distance(const topology *t, inlay_id from, inlay_id to)
{
    return grid_distance(t->own, from, to, true);
}

int hypercube_distance(const topology *t, inlay_id from, inlay_id to)
{
    (void)t;
    return __builtin_popcount((unsigned)(from ^ to));
}

/* ---- Ways ---- */

/* One step in the first dimension in which the two differ; round the end where that is shorter. */
static inlay_id grid_next(const family_way *way, inlay_id at, inlay_id to, bool round)
{
    inlay_id step = 1, here = 0, there = 0, size = 1;
    for (int d = 0; d < way->shape.dimensions; d++) {
        size = way->shape.size[d];
        here = at / step % size;
        there = to / step % size;
        if (here != there) {
            break;
        }
        step *= size;
    }
    bool forward = here < there;
    if (round) {
        inlay_id ahead = forward ? there - here : there - here + size;
        forward = 2 * (int64_t)ahead <= size;
    }
    inlay_id next = forward ? here + 1 : here - 1;
    next = next == size ? 0 : next < 0 ? size - 1 : next;
    return at + (next - here) * step;
}

inlay_id mesh_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    return grid_next(way, at, to, false);
}

inlay_id torus_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    return grid_next(way, at, to, true);
}

inlay_id hypercube_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    (void)way;
    *nth = 0;
    inlay_id differ = at ^ to;
    return at ^ (differ & -differ);
}
