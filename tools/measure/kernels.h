/* How fast processors and memory are. */
#ifndef TOOLS_MEASURE_KERNELS_H
#define TOOLS_MEASURE_KERNELS_H

#include "cluster.h"

/** What one rank finds, in this order, `repeats` values each. */
enum {
    ARITHMETIC_ALONE, /**< processor time in seconds of one addition or multiplication */
    ARITHMETIC_ALL,
    FUNCTION_ALONE, /**< of one evaluation of sin */
    FUNCTION_ALL,
    MEMORY_ALONE, /**< bytes a second, read and written; of the first rank of a host, 0 of others */
    MEMORY_ALL,
    KERNELS
};

/**
 * Measure all kernels on all ranks.
 * @param own  KERNELS * repeats values
 * @return INLAY_NO_MEMORY, on all ranks
 */
int kernels_measure(const cluster *all, double *own);

#endif
