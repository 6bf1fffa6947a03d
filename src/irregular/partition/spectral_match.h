/* Pairing vertices for a coarser graph. */
#ifndef IRREGULAR_PARTITION_SPECTRAL_MATCH_H
#define IRREGULAR_PARTITION_SPECTRAL_MATCH_H

#include "irregular/partition/spectral_level.h"

/**
 * partner[i], local number, of each row; itself where it stays alone. Partners agree. Edges are taken by falling
 * weight / (mass x mass), those of equal value in an order drawn by the seed, each where neither end is taken: the pairs
 * of the greedy method, found by all ranks at once (J. Hoepman, Simple distributed weighted matchings, 2004). What then
 * is still alone is paired on its rank with others alone at the same neighbour, or without neighbours.
 *
 * @param heaviest  no pair has a greater load
 * @param side      [rows + ghosts]: only vertices of the same side become pairs; NULL: any
 */
int spectral_match(const spectral_level *level, int64_t heaviest, uint64_t seed, const uint8_t *side, int32_t *partner,
                   inlay_diag *diag);

#endif
