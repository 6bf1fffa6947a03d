/* Which processors work together where messages have ways: near ones. */
#ifndef GRID_TEAMS_H
#define GRID_TEAMS_H

#include "grid/grid.h"

enum { GRID_TEAMS = 8 };

/**
 * Processors in an order of which the first 1, 2, ... `size` are to be tried. Team 0 has all, by falling speed, like ones
 * host by host with those first that lie near each other. Each other team puts hosts first between which no step is longer than
 * some length, of all such groups the fastest.
 */
typedef struct grid_teams {
    grid_machines machines[GRID_TEAMS];
    int32_t size[GRID_TEAMS];
    int count; /**< 0: the network has no ways, or times are by curves: the order is that of the machines */
} grid_teams;

int grid_teams_make(const inlay_grid_problem *problem, const inlay_grid_network *network, const grid_machines *all,
                    grid_teams *teams, inlay_diag *diag);
void grid_teams_clear(grid_teams *teams);

#endif
