/* The decompositions as they are predicted, and as they run. */
#ifndef THERMAL_RANKING_H
#define THERMAL_RANKING_H

#include "plate.h"

#include <inlay/decompose.h>

enum { ROUNDS_MOST = 100 };

/* The command line. */
typedef struct thermal_job {
    int rows, columns, steps, rounds;
    bool bounded, csv, fewer, switched;
    double flops;        /* operations of a cell */
    double speed[RANKS]; /* of the ranks, operations a second */
    uint32_t methods;    /* bits 1 << method */
} thermal_job;

/*
 * Ranks the methods for that network, runs each of them, compares the plates with a sequential one, and prints what
 * came out. `misfit` is how far the network's figures are off. A status of the library.
 */
int ranking_run(const thermal_job *job, int ranks, const inlay_grid_network *network, double misfit, inlay_diag *diag);

#endif
