/* Bisection of a distributed graph along its Fiedler vector, found and improved level by level. */
#ifndef IRREGULAR_PARTITION_SPECTRAL_BISECT_H
#define IRREGULAR_PARTITION_SPECTRAL_BISECT_H

#include "irregular/partition/spectral_fm.h"
#include "irregular/partition/spectral_level.h"

/**
 * side[rows + ghosts] and what it is worth. The chain of coarser graphs is made and freed inside. Collective.
 *
 * @param fiedler  [rows + ghosts]: the vector; may be NULL
 */
int spectral_bisect(spectral_level *level, const spectral_goal *goal, uint64_t seed, uint8_t *side, double *fiedler,
                    spectral_worth *worth, inlay_diag *diag);

#endif
