/* What messages cost between these ranks: the thesis's ring test, and lambda and tau fitted to it. */
#ifndef THERMAL_NETWORK_H
#define THERMAL_NETWORK_H

#include <inlay/decompose.h>

#include <stdbool.h>

/*
 * Sets latency (seconds) and per_byte (seconds a byte) of `network` for so many ranks: everybody sends b bytes to the
 * right and receives b from the left, for several b, and lambda + tau x is fitted to what a step takes. x is the bytes
 * that one network carries in a step, or a switch between two ranks, frames and all; the network's other members say
 * which. Returns the root mean square of what the fit is off by, relative to what was measured. Rank 0 calls it.
 */
double network_measure(int ranks, inlay_grid_network *network);

/* Weighted least squares, weights 1 / y^2; neither coefficient is negative. */
double network_fit(int count, const double *x, const double *y, double *lambda, double *tau);

#endif
