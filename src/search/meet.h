/* Where a line in tau, the time of one unit of traffic, meets the time frame that makes this tau. */
#ifndef SEARCH_MEET_H
#define SEARCH_MEET_H

#include "problem/interconnect.h"

/** fixed + traffic x tau; `value` is that at the tau from which the line was taken. */
typedef struct meet_line {
    double value, fixed, traffic;
} meet_line;

/**
 * The T in low..high with fixed + traffic x tau(T) = T, to full precision. At `low` the line is above T, at `high` it is
 * not; tau falls as T grows, so that there is one such T.
 * @param traffic  weighted, on the whole network: makes u, which is below its limit from `low` on
 */
double meet(const interconnect *network, double traffic, const meet_line *line, double low, double high);

#endif
