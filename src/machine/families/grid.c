/* Meshes, tori, and rings, which are tori of one dimension. Host (x, y, z) is number x + A (y + B z). */
#include "machine/making.h"

static int join_ends(const machine_making *making)
{
    making->machine->shape.round = true;
    return INLAY_OK;
}

/* ---- Cables ---- */

/* Of every line of hosts in a dimension one less than hosts, or one more round the ends. */
static family_size measure(const family_shape *shape)
{
    family_size all = {.hosts = family_hosts(shape)};
    for (int d = 0; d < shape->dimensions; d++) {
        inlay_id size = shape->size[d];
        all.cables += all.hosts / size * (shape->round && size > 2 ? size : size - 1);
    }
    return all;
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

static void lay_cables(topology *t, family_way *way, const cable_kind *cable)
{
    inlay_id step = 1;
    for (int d = 0; d < way->shape.dimensions; d++) {
        cable_dimension(t, way->shape.size[d], step, way->shape.round, cable);
        step *= way->shape.size[d];
    }
}

/* ---- Routes ---- */

static int distance(const topology *t, inlay_id from, inlay_id to)
{
    const family_way *way = t->own;
    int length = 0;
    for (int d = 0; d < way->shape.dimensions; d++) {
        inlay_id size = way->shape.size[d];
        inlay_id apart = from % size - to % size;
        apart = apart < 0 ? -apart : apart;
        length += way->shape.round && size - apart < apart ? size - apart : apart;
        from /= size;
        to /= size;
    }
    return length;
}

/* One step in the first dimension in which the two differ; round the end where that is shorter. */
static inlay_id next(const family_way *way, inlay_id at, inlay_id to, inlay_id *nth)
{
    *nth = 0;
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
    if (way->shape.round) {
        inlay_id ahead = forward ? there - here : there - here + size;
        forward = 2 * (int64_t)ahead <= size;
    }
    inlay_id behind = forward ? here + 1 : here - 1;
    behind = behind == size ? 0 : behind < 0 ? size - 1 : behind;
    return at + (behind - here) * step;
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
static int64_t cut(const family_shape *shape)
{
    int64_t longest = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        longest = shape->size[d] > longest ? shape->size[d] : longest;
    }
    return longest % 2 == 0 ? family_hosts(shape) / longest * (shape->round && longest > 2 ? 2 : 1) : -1;
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

const machine_family ring_family = {
    .name = "ring",
    .operand = "K",
    .summary = "every host to the next, the last to the first",
    .sample = "ring:5,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .check = join_ends,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = family_circle,
    .bisection = cut,
    .tgt = torus_tgt,
};

const machine_family mesh_family = {
    .name = "mesh",
    .operand = "AxB",
    .summary = "a grid of hosts, in one dimension or several",
    .sample = "mesh:3x2,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .sizes = {1, FAMILY_DIMENSIONS},
    .expected = FAMILY_SIZES,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = place,
    .bisection = cut,
    .bows = true,
    .tgt = mesh_tgt,
};

const machine_family torus_family = {
    .name = "torus",
    .operand = "AxB",
    .summary = "a mesh whose ends are joined",
    .sample = "torus:3x2,capacity=1GB/s",
    .takes = TAKEN_WITH_LINKS,
    .sizes = {1, FAMILY_DIMENSIONS},
    .expected = FAMILY_SIZES,
    .check = join_ends,
    .measure = measure,
    .cable = lay_cables,
    .next = next,
    .distance = distance,
    .place = place,
    .bisection = cut,
    .bows = true,
    .tgt = torus_tgt,
};
