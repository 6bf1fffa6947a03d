/* Iterations from inside: what the files about them share. */
#ifndef IRREGULAR_ITERATIONS_H
#define IRREGULAR_ITERATIONS_H

#include "irregular/exchange/collective.h"
#include <inlay/irregular_iterations.h>

/** Where the elements of iteration i begin; those of the last one end at rig_start(rig, rig->iterations). */
static inline int64_t rig_start(const inlay_rig *rig, int32_t i)
{
    return rig->start == NULL ? (int64_t)i * rig->touched : rig->start[i];
}

/** The global number of iteration i. */
static inline int64_t rig_number(const inlay_rig *rig, int32_t i)
{
    return rig->iteration == NULL ? rig->first + i : rig->iteration[i];
}

/** INLAY_BAD_ARGUMENT where counts, numbers or starts of a RIG cannot be. Local. */
int rig_check(const inlay_rig *rig, inlay_diag *diag);

/**
 * Moves iterations away from ranks that have more than (1 + imbalance) times the average, or more than the average rounded
 * up where that is more. rank[i] is where iteration i shall be computed, before and after; each is a rank of `comm`.
 * Collective.
 */
int iterations_balance(MPI_Comm comm, const inlay_ripa *ripa, double imbalance, int32_t *rank, inlay_diag *diag);

#endif
