/* Routes in a torus: dimension by dimension, the first first, as SimGrid 3.32 chooses the way round. */
#include "machine/zone.h"

/*
 * Whether the way from a coordinate to another goes upwards: up to half of the ring without its end, or over the end
 * from the upper half to what is nearer there.
 */
static bool upwards(int32_t from, int32_t to, int32_t size)
{
    int32_t half = size / 2;
    return (to > from && to <= from + half) || (from > half && (from + half) % size >= to);
}

/* The link of a node's cable in a dimension: that towards the next node, or back from it. */
static inlay_id cable_link(const zone_shape *shape, int32_t node, int dimension, bool back)
{
    inlay_id cable = node * shape->dimensions + dimension;
    return shape->link + (shape->split ? 2 * cable + (back ? 1 : 0) : cable);
}

static bool add_limiter(const zone_shape *shape, int32_t node, route_list *route)
{
    return !shape->limited || route_add(route, shape->limiter + node);
}

bool zone_torus_route(const zone *z, int32_t from, int32_t to, route_list *route)
{
    const zone_shape *shape = &z->shape;
    int32_t at = from;
    int32_t stride = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        int32_t size = shape->size[d];
        int32_t goal = to / stride % size;
        int32_t here = at / stride % size;
        bool up = upwards(here, goal, size);
        while (here != goal) {
            int32_t next = up ? (here + 1) % size : (here + size - 1) % size;
            int32_t beside = at + (next - here) * stride;
            if (!add_limiter(shape, at, route) || !route_add(route, cable_link(shape, up ? at : beside, d, !up))) {
                return false;
            }
            at = beside;
            here = next;
        }
        stride *= size;
    }
    return add_limiter(shape, to, route);
}
