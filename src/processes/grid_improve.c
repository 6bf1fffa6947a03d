/* A placement in a grid, improved by exchanging cells of two parts. */
#include "processes/grid.h"

/* Looks at cells of a neighbouring part for each placement: a second or two for all shapes of a large grid. */
static const int64_t most_looks = 1000000;

static void order_by_part(const grid *g, const grid_parts *parts, const grid_room *room, const int32_t *part)
{
    int32_t sum = 0;
    for (int32_t p = 0; p < parts->count; p++) {
        room->begin[p] = sum;
        sum += parts->size[p];
    }
    for (int32_t cell = 0; cell < g->cells; cell++) {
        int32_t at = room->begin[part[cell]]++;
        room->order[at] = cell;
        room->position[cell] = at;
    }
    for (int32_t p = 0; p < parts->count; p++) {
        room->begin[p] -= parts->size[p];
    }
}

/* What is sent less when a cell goes to another part. */
static double gain_of(const grid *g, const int32_t *part, int32_t cell, int32_t to)
{
    int32_t neighbour[6];
    int axis[6];
    double gain = 0;
    int count = grid_neighbours(g, cell, neighbour, axis);
    for (int n = 0; n < count; n++) {
        double face = g->face[axis[n]];
        gain += part[neighbour[n]] == to ? face : part[neighbour[n]] == part[cell] ? -face : 0;
    }
    return gain;
}

/* The face between two cells, 0 where they are no neighbours. */
static double face_between(const grid *g, int32_t a, int32_t b)
{
    int32_t neighbour[6];
    int axis[6];
    int count = grid_neighbours(g, a, neighbour, axis);
    for (int n = 0; n < count; n++) {
        if (neighbour[n] == b) {
            return g->face[axis[n]];
        }
    }
    return 0;
}

/* The cell of `other` with which `cell` is best exchanged; -1 where nothing is gained. */
static int32_t partner_of(const grid *g, const grid_parts *parts, const grid_room *room, const int32_t *part,
                          int32_t cell, int32_t other)
{
    double least = 1e-9 * (g->face[0] + g->face[1] + g->face[2]); /* rounding is no gain */
    double mine = gain_of(g, part, cell, other);
    int32_t partner = -1;
    for (int32_t i = room->begin[other]; i < room->begin[other] + parts->size[other]; i++) {
        int32_t candidate = room->order[i];
        double gain = mine + gain_of(g, part, candidate, part[cell]);
        if (gain > least) {
            gain -= 2 * face_between(g, cell, candidate);
        }
        if (gain > least) {
            least = gain;
            partner = candidate;
        }
    }
    return partner;
}

static void exchange(const grid_room *room, int32_t *part, int32_t a, int32_t b)
{
    int32_t part_of_a = part[a];
    int32_t place_of_a = room->position[a];
    part[a] = part[b];
    part[b] = part_of_a;
    room->order[place_of_a] = b;
    room->order[room->position[b]] = a;
    room->position[a] = room->position[b];
    room->position[b] = place_of_a;
}

/* Tries the parts around a cell; whether it was exchanged. */
static bool improve_cell(const grid *g, const grid_parts *parts, const grid_room *room, int32_t *part, int32_t cell,
                         int64_t *looks)
{
    int32_t neighbour[6];
    int axis[6];
    int count = grid_neighbours(g, cell, neighbour, axis);
    for (int n = 0; n < count; n++) {
        int32_t other = part[neighbour[n]];
        if (other == part[cell]) {
            continue;
        }
        *looks += parts->size[other];
        int32_t partner = partner_of(g, parts, room, part, cell, other);
        if (partner >= 0) {
            exchange(room, part, cell, partner);
            return true;
        }
    }
    return false;
}

void process_grid_improve(const grid *g, const grid_parts *parts, const grid_room *room, int32_t *part)
{
    int64_t looks = 0;
    order_by_part(g, parts, room, part);
    for (bool improved = true; improved && looks < most_looks;) {
        improved = false;
        for (int32_t cell = 0; cell < g->cells && looks < most_looks; cell++) {
            improved = improve_cell(g, parts, room, part, cell, &looks) || improved;
        }
    }
}
