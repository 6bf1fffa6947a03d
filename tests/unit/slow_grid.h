/*
 * Grid decompositions the slow way, written from the specification: owners cell by cell, neighbours cell by cell.
 */
#ifndef UNIT_SLOW_GRID_H
#define UNIT_SLOW_GRID_H

#include <inlay/decompose.h>

enum { SLOW_PROCESSORS = 32, SLOW_DIRECTIONS = 16, SLOW_CELLS = 4096 };

/** Cells that `from` sends to `to` in a direction; 0 from a processor to itself. */
typedef struct slow_grid_messages {
    int64_t cells[SLOW_DIRECTIONS][SLOW_PROCESSORS][SLOW_PROCESSORS];
} slow_grid_messages;

/** Who has which cell, asked cell by cell. */
void slow_grid_owners(const inlay_decomposition *d, int32_t owner[SLOW_CELLS]);

/** Who has which cell by a named method; speeds are multiples of 1/4. */
void slow_grid_decompose(const inlay_grid_problem *problem, inlay_grid_method method, const inlay_grid_options *options,
                         int32_t owner[SLOW_CELLS]);

void slow_grid_count(const inlay_grid_problem *problem, const int32_t *owner, const inlay_grid_offset *offset,
                     size_t directions, slow_grid_messages *messages);

/** Formula 6.11 on one network, or with the busiest of each direction on a switch. */
typedef struct slow_grid_cost {
    double messages, bytes, framed, latency_units, carried;
} slow_grid_cost;

slow_grid_cost slow_grid_cost_of(const inlay_grid_problem *problem, const inlay_grid_network *network,
                                 const slow_grid_messages *messages, size_t directions);

/** The directions of the fixed patterns as the specification names them: gives how many. */
size_t slow_grid_directions(inlay_grid_communication communication, inlay_grid_offset offset[SLOW_DIRECTIONS]);

#endif
