/* What --topology comes to: clusters of like processors, and how cycles of communication grow in them. */
#ifndef TOOLS_MEASURE_TOPOLOGY_H
#define TOOLS_MEASURE_TOPOLOGY_H

#include "analysis.h"
#include <inlay/measure.h>

typedef struct topology_cluster {
    const raw_cluster *of;
    const char *name;  /**< of its first host */
    figure arithmetic; /**< seconds of an operation: the median over its ranks, and the largest of their spreads */
    inlay_interconnect interconnect;
    inlay_pattern_fit pattern[INLAY_PATTERNS]; /**< no points where it was not measured */
} topology_cluster;

/** Zero-initialise. */
typedef struct topology {
    const analysis *of;
    bool wanted[INLAY_PATTERNS];
    int clusters;
    topology_cluster *cluster; /**< ours */
} topology;

/**
 * Fits the patterns that are wanted, and warns in `a` where a figure is doubtful. `a` has to live as long.
 * @param wanted  patterns that were measured
 * @return INLAY_NO_MEMORY; `result` is the caller's to clear where this succeeds
 */
int topology_make(analysis *a, const bool wanted[INLAY_PATTERNS], topology *result);
void topology_clear(topology *t);

/** Operations a second of a processor of a cluster. */
double topology_rate(const topology_cluster *cluster);

#endif
