/* Coarser graphs, and what is known of them carried back. */
#ifndef IRREGULAR_PARTITION_SPECTRAL_COARSEN_H
#define IRREGULAR_PARTITION_SPECTRAL_COARSEN_H

#include "irregular/partition/spectral_level.h"

/** Contracts pairs (spectral_match.h: its parameters). Collective. */
int spectral_coarsen(spectral_level *level, int64_t heaviest, uint64_t seed, const uint8_t *side,
                     spectral_level **coarser, inlay_diag *diag);

/** What the vertices of the coarser graph have, each of theirs gets: fine[rows + ghosts], entries of 1 or 8 bytes. */
void spectral_project(const spectral_level *level, const void *coarse, void *fine, size_t bytes);

/** The same graph whole on each rank, as a level of `self`, MPI_COMM_SELF. For small ones. Collective. */
int spectral_gather(const spectral_level *level, MPI_Comm self, spectral_level **whole, inlay_diag *diag);

#endif
