/*
 * The Fiedler vector of a graph: x with L x = lambda M x for the least lambda but the zero of the constant vector, where L
 * is the Laplacian and M the diagonal of the masses, all 1 in the graph that was given. That makes the vector of a
 * contracted graph, carried back, the best that has one value for each group of vertices.
 */
#ifndef IRREGULAR_PARTITION_SPECTRAL_FIEDLER_H
#define IRREGULAR_PARTITION_SPECTRAL_FIEDLER_H

#include "irregular/partition/spectral_level.h"

/** A vector drawn by the seed: x[rows + ghosts], its own rows. */
void spectral_fiedler_draw(const spectral_level *level, uint64_t seed, double *x);

/**
 * Improves x[rows + ghosts] by steps of A. Knyazev's method (Toward the optimal preconditioned eigensolver: LOBPCG, 2001) for
 * one vector, preconditioned by the degrees, until the residual is below `tolerance` times what it may be, or for `steps`
 * steps. x needs no ghosts, and has them in the end. Collective.
 *
 * @param lambda  the Rayleigh quotient of x; may be NULL
 */
int spectral_fiedler_refine(const spectral_level *level, int steps, double tolerance, double *x, double *lambda,
                            inlay_diag *diag);

#endif
