/* Bisections: what they are worth, and the best one along a vector. */
#ifndef IRREGULAR_PARTITION_SPECTRAL_SWEEP_H
#define IRREGULAR_PARTITION_SPECTRAL_SWEEP_H

#include "irregular/partition/spectral_fm.h"
#include "irregular/partition/spectral_level.h"

/** Of side[rows + ghosts], which are shared first; load[2] of the sides. Collective. */
spectral_worth spectral_evaluate(const spectral_level *level, const spectral_goal *goal, uint8_t *side,
                                 int64_t load[2]);

/**
 * The best cut along the order of x[rows + ghosts]: of some two thousand thresholds in the range where the loads keep the
 * limits. Where vertices of one value, or one vertex, leave no such threshold, those of the value nearest to the goal are
 * shared out by number. side[rows + ghosts]. Collective.
 */
int spectral_sweep(const spectral_level *level, const spectral_goal *goal, const double *x, uint8_t *side,
                   spectral_worth *worth, inlay_diag *diag);

#endif
