/* Process grids from the inside: one shape, and where the processes of each processor stand in it. */
#ifndef PROCESSES_GRID_H
#define PROCESSES_GRID_H

#include <inlay/processes.h>

/** One shape of a process grid. Its cells are the ranks. */
typedef struct grid {
    int32_t shape[3];
    int32_t cells;
    double face[3]; /**< points that a process sends to its neighbour along an axis, on the average */
} grid;

static inline void grid_place(const grid *g, int32_t cell, int32_t place[3])
{
    place[0] = cell / (g->shape[1] * g->shape[2]);
    place[1] = cell / g->shape[2] % g->shape[1];
    place[2] = cell % g->shape[2];
}

/** The neighbours of a cell, and along which axis each lies; how many there are. */
static inline int grid_neighbours(const grid *g, int32_t cell, int32_t neighbour[6], int axis[6])
{
    int32_t place[3];
    const int32_t stride[3] = {g->shape[1] * g->shape[2], g->shape[2], 1};
    int count = 0;
    grid_place(g, cell, place);
    for (int d = 0; d < 3; d++) {
        if (place[d] > 0) {
            axis[count] = d;
            neighbour[count++] = cell - stride[d];
        }
        if (place[d] + 1 < g->shape[d]) {
            axis[count] = d;
            neighbour[count++] = cell + stride[d];
        }
    }
    return count;
}

/** The processors that have processes, those with most first. */
typedef struct grid_parts {
    int32_t count;
    const int32_t *size; /**< processes of each */
} grid_parts;

/** Room for placing: an entry a cell but where something else is said. */
typedef struct grid_room {
    int32_t *run, *halved;     /**< two placements */
    int32_t *order, *position; /**< cells by part, and where each stands there */
    int32_t *begin;            /**< of each part, in `order` */
    uint64_t *key;
} grid_room;

/** Gives each cell a part, so that parts have their sizes and little is sent between them. */
void process_grid_fill(const grid *g, const grid_parts *parts, const grid_room *room, int32_t *part);

/** Exchanges pairs of cells as long as one gains, within an effort that a large grid may use up. */
void process_grid_improve(const grid *g, const grid_parts *parts, const grid_room *room, int32_t *part);

#endif
