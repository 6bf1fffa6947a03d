/* Where a line in tau, the time of one unit of traffic, meets the time frame that makes this tau. */
#ifndef SEARCH_CROSSING_H
#define SEARCH_CROSSING_H

#include "problem/interconnect.h"

/** fixed + traffic x tau; `value` is that at the tau from which the line was taken. */
typedef struct crossing_line {
    double value, fixed, traffic;
} crossing_line;

/**
 * The T in low..high with fixed + traffic x tau(T) = T, to full precision. At `low` the line is above T, at `high` it is
 * not; tau falls as T grows, so that there is one such T.
 * @param traffic  weighted, on the whole network: makes u, which is below its limit from `low` on
 */
double crossing(const interconnect *network, double traffic, const crossing_line *line, double low, double high);

#endif
