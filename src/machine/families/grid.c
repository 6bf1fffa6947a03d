/* Meshes, tori, and rings, which are tori of one dimension. Host (x, y, z) is number x + A (y + B z). */
#include "machine/making.h"

/* ---- Cables ---- */

/* Of every line of hosts in a dimension one less than hosts, or one more round the ends. */
static family_size grid_size(const family_shape *shape, bool round)
{
    family_size all = {.hosts = family_hosts(shape)};
    for (int d = 0; d < shape->dimensions; d++) {
        inlay_id size = shape->size[d];
        all.cables += all.hosts / size * (round && size > 2 ? size : size - 1);
    }
    return all;
}

static family_size mesh_size(const family_shape *shape)
{
    return grid_size(shape, false);
}

static family_size torus_size(const family_shape *shape)
{
    return grid_size(shape, true);
}

/* From every host to the next one in a dimension; `step` is the distance of their numbers. */
static void cable_dimension(topology *t, inlay_id size, inlay_id step, bool round, const cable_kind *cable)
{
    for (inlay_id host = 0; host < t->hosts; host++) {
        inlay_id at = host / step % size;
        if (at + 1 < size) {
            cables_lay(t, host, host + step, cable);
        } else if (round && size > 2) { /* round a pair it would be the same cable again */
            cables_lay(t, host, host - at * step, cable);
        }
    }
}

static void cable_grid(topology *t, const family_shape *shape, bool round, const cable_kind *cable)
{
    inlay_id step = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        cable_dimension(t, shape->size[d], step, round, cable);
        step *= shape->size[d];
    }
}

static void cable_mesh(topology *t, family_way *way, const cable_kind *cable)
{
    cable_grid(t, &way->shape, false, cable);
}

static void cable_torus(topology *t, family_way *way, const cable_kind *cable)
{
    cable_grid(t, &way->shape, true, cable);
}

/* ---- Distances, without walking ---- */

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

static int mesh_distance(const topology *t, inlay_id from, inlay_id to)
{
    return grid_distance(t->own, from, to, false);
}

static int torus_distance(const topology *t, inlay_id from, inlay_id to)
{
    return grid_distance(t->own, from, to, true);
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

static inlay_id mesh_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    return grid_next(way, at, to, false);
}

static inlay_id torus_next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
    return grid_next(way, at, to, true);
}

/* ---- Pictures and words ---- */

/* Layers of a third dimension stand side by side. */
static family_place place(const family_way *way, inlay_id node)
{
    const double between_layers = 0.8;
    const family_shape *shape = &way->shape;
    inlay_id a = shape->size[0], b = shape->dimensions > 1 ? shape->size[1] : 1;
    inlay_id layer = node / a / b;
    return (family_place){node % a + layer * (a + between_layers), node / a % b};
}

/*
 * Cut across the longest dimension, where that can be halved: F. T. Leighton, Introduction to Parallel Algorithms and
 * Architectures (1992), sections 1.2 and 3.1. Round the ends there are two cuts.
 */
static int64_t cut(const family_shape *shape, bool round)
{
    int64_t longest = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        longest = shape->size[d] > longest ? shape->size[d] : longest;
    }
    return longest % 2 == 0 ? family_hosts(shape) / longest * (round && longest > 2 ? 2 : 1) : -1;
}

static int64_t cut_mesh(const family_shape *shape)
{
    return cut(shape, false);
}

static int64_t cut_torus(const family_shape *shape)
{
    return cut(shape, true);
}

/* Not meshXD: Scotch 7.0.3 takes its distances round the ends. One dimension is a mesh2D of width 1. */
static bool mesh_tgt(const inlay_machine *machine, text_buffer *to)
{
    const family_shape *shape = &machine->shape;
    if (shape->dimensions == 1) {
        text_addf(to, "mesh2D %d 1\n", shape->size[0]);
    } else if (shape->dimensions <= 3) {
        text_addf(to, "mesh%dD", shape->dimensions);
        family_add_sizes(shape, to);
    }
    return shape->dimensions <= 3;
}

static bool torus_tgt(const inlay_machine *machine, text_buffer *to)
{
    const family_shape *shape = &machine->shape;
    bool named = shape->dimensions == 2 || shape->dimensions == 3;
    text_addf(to, named ? "torus%dD" : "torusXD %d", shape->dimensions);
    family_add_sizes(shape, to);
    return true;
}

/* ---- The rows ---- */

#define SIZES "whole numbers with an x in between such as 4x4"

static const family_links mesh_links = {
    .check = family_levels,
    .measure = mesh_size,
    .cable = cable_mesh,
    .next = mesh_next,
    .distance = mesh_distance,
    .place = place,
    .bisection = cut_mesh,
    .bows = true,
};

static const family_links torus_links = {
    .check = family_levels,
    .measure = torus_size,
    .cable = cable_torus,
    .next = torus_next,
    .distance = torus_distance,
    .place = place,
    .bisection = cut_torus,
    .bows = true,
};

static const family_links ring_links = {
    .check = family_levels,
    .measure = torus_size,
    .cable = cable_torus,
    .next = torus_next,
    .distance = torus_distance,
    .place = family_circle,
    .bisection = cut_torus,
};

const machine_family ring_family = {
    .name = "ring",
    .operand = "K",
    .summary = "every host to the next, the last to the first",
    .sample = "ring:5,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .sizes = {1, 1},
    .network = INLAY_NETWORK_LINKS,
    .links = &ring_links,
    .complete = making_links,
    .enough = family_any,
    .tgt = torus_tgt,
};

const machine_family mesh_family = {
    .name = "mesh",
    .operand = "AxB",
    .summary = "a grid of hosts, in one dimension or several",
    .sample = "mesh:3x2,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .sizes = {1, FAMILY_DIMENSIONS},
    .expected = SIZES,
    .network = INLAY_NETWORK_LINKS,
    .links = &mesh_links,
    .complete = making_links,
    .enough = family_any,
    .tgt = mesh_tgt,
};

const machine_family torus_family = {
    .name = "torus",
    .operand = "AxB",
    .summary = "a mesh whose ends are joined",
    .sample = "torus:3x2,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .sizes = {1, FAMILY_DIMENSIONS},
    .expected = SIZES,
    .network = INLAY_NETWORK_LINKS,
    .links = &torus_links,
    .complete = making_links,
    .enough = family_any,
    .tgt = torus_tgt,
};
