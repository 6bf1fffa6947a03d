/* Costs of communication: counts become messages, bytes, frames and time. */
#ifndef GRID_COST_H
#define GRID_COST_H

#include "grid/count.h"

/** Sums of one step, and of its current direction by rank. */
typedef struct grid_meter {
    const inlay_grid_network *network;
    int32_t processors;
    int64_t item;
    int64_t *messages, *sent, *received; /**< by rank: C_ik; bytes with their frames */
    int64_t all_messages, bytes, framed, latency_units;
    int64_t busiest;      /**< sum over the directions of the most that one processor sends or receives */
    const int32_t *order; /**< processor of each rank; NULL: itself */
    double *wait, *load,
        longest;           /**< by rank: latencies of what it sends; by link: time; of one message. With ways alone */
    double waits, carried; /**< sums over the directions of the most of these */
} grid_meter;

/** @param order  processor of each rank, which has to live as long; NULL: itself */
int grid_meter_make(const inlay_grid_network *network, int32_t processors, const int32_t *order, grid_meter *meter,
                    inlay_diag *diag);
void grid_meter_clear(grid_meter *meter);

/** Begins a step with items of so many bytes. */
void grid_meter_begin(grid_meter *meter, int64_t item);

/** A message: a grid_visit for a context that is a meter. Its directions come one after the other. */
void grid_meter_message(void *context, int32_t from, int32_t to, int32_t direction, int64_t cells);

/** Ends a direction. */
void grid_meter_turn(grid_meter *meter);

/** Adds weight x the step's messages, bytes, latency and transmission. */
void grid_meter_add(const grid_meter *meter, double weight, inlay_grid_cost *cost);

/** D + F ceil(D / M). */
static inline int64_t grid_framed(const inlay_grid_network *network, int64_t bytes)
{
    return network->payload == 0 ? bytes
                                 : bytes + network->frame * (bytes / network->payload + (bytes % network->payload > 0));
}

/** How many messages go at a time (INLAY_GRID_SWITCH apart), for so many processors. */
double grid_networks(const inlay_grid_network *network, int32_t processors);

/** Rounds of a broadcast or reduction; 0: it does not go in rounds. */
int32_t grid_rounds(inlay_grid_wiring wiring, int32_t processors);

/** What costs one decomposition after the other, all of one shape and for as many processors. */
typedef struct grid_coster {
    const inlay_grid_network *network;
    const inlay_grid_phase *phase;
    size_t phases;
    grid_meter meter;
    grid_counter counter;
} grid_coster;

int grid_coster_make(const inlay_decomposition *d, const inlay_grid_network *network, const inlay_grid_phase *phase,
                     size_t phases, grid_coster *coster, inlay_diag *diag);
void grid_coster_clear(grid_coster *coster);

/** inlay_decomposition_cost() without checks. */
int grid_coster_run(grid_coster *coster, const inlay_decomposition *d, inlay_grid_cost *cost, inlay_diag *diag);

int grid_check_network(const inlay_grid_network *network, int32_t processors, inlay_diag *diag);

/** Checks network and phases for a problem, and warns of frames that are smaller than an item. */
int grid_check_costs(const inlay_grid_network *network, const inlay_grid_phase *phase, size_t phases, int64_t cells,
                     int32_t processors, int64_t item, inlay_diag *diag);

/** The perimeter bound of a pattern, in cells; NAN where it has none. */
double grid_least_cells(const inlay_decomposition *d, const inlay_grid_pattern *pattern);

#endif
