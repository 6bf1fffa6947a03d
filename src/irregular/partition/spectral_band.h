/* Improving a bisection of a distributed graph in the band of vertices around its cut. */
#ifndef IRREGULAR_PARTITION_SPECTRAL_BAND_H
#define IRREGULAR_PARTITION_SPECTRAL_BAND_H

#include "irregular/partition/spectral_fm.h"
#include "irregular/partition/spectral_level.h"

/**
 * Gathers the vertices within a few edges of the cut on each rank, as many as fit, improves the bisection there
 * (spectral_fm.h), from several beginnings that are dealt out to the ranks, and takes the best. Again, as long as that
 * helps. side[rows + ghosts]: in and out. A band is of the order of the separator, n^(1/2) in two dimensions and n^(2/3) in
 * three; it never has more than room for that. Collective.
 *
 * @param tries  beginnings, at least 1
 */
int spectral_improve(const spectral_level *level, const spectral_goal *goal, uint64_t seed, int tries, uint8_t *side,
                     spectral_worth *worth, inlay_diag *diag);

#endif
