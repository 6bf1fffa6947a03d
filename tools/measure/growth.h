/*
 * How a cycle of communication grows with processors and bytes: fits of T(p, b) = c1 + c2 f(p) + b (c3 + c4 f(p)),
 * J. B. Weissman, A. S. Grimshaw, "A framework for partitioning parallel computations in heterogeneous environments",
 * EQ 1.
 */
#ifndef TOOLS_MEASURE_GROWTH_H
#define TOOLS_MEASURE_GROWTH_H

#include <inlay/metasystem.h>
#include <stddef.h>

enum { GROWTHS = 3, COEFFICIENTS = 4 };

/** The functions f, the simplest first: constant, log, linear. */
extern const inlay_growth growth_order[GROWTHS];

/** A cycle as measured. */
typedef struct growth_point {
    int processors; /**< 2 at least */
    double bytes, seconds, spread;
} growth_point;

/** The c with the least sum of squares of relative errors, (fitted - measured) / measured, none of them negative. */
typedef struct growth_fit {
    bool fitted;            /**< else there are too few numbers of processors, and all else is 0 */
    double c[COEFFICIENTS]; /**< seconds, and seconds a byte; of a constant c2 = c4 = 0 */
    double residual;        /**< root mean square of the errors */
    double largest;         /**< largest magnitude of an error */
    double criterion;       /**< corrected Akaike value; infinite where there are too few points for it */
} growth_fit;

/** Zero-initialise. */
typedef struct pattern_fit {
    growth_point *point;
    size_t points;
    int counts;              /**< different numbers of processors */
    growth_fit fit[GROWTHS]; /**< in growth_order */
    int chosen;              /**< the simplest whose criterion is within 2 of the least */
    double spread;           /**< of the repeats, the median over the points */
} pattern_fit;

/** Seconds that a fit gives. */
double growth_seconds(const growth_fit *fit, inlay_growth growth, int processors, double bytes);

/**
 * Fit all functions that the points can tell apart: a constant for one number of processors, that and the logarithm for
 * two, else all. There are two sizes of bytes at least. The points and `counts` are given.
 * @return INLAY_NO_MEMORY
 */
int growth_fit_all(pattern_fit *pattern);

#endif
