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

/** Additions and multiplications that kernels_together() does in each repeat. */
enum { TOGETHER_OPERATIONS = 50000000 };

/**
 * Do a fixed number of operations on all ranks at once, again and again: what a processor does for one of many while all
 * of them work, and whatever else runs on it.
 * @param own  gets `repeats` elapsed times of this rank, in seconds
 */
void kernels_together(const cluster *all, double *own);

#endif
