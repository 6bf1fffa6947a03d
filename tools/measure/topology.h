/* What --topology comes to: clusters of like processors, and how cycles of communication grow in them. */
#ifndef TOOLS_MEASURE_TOPOLOGY_H
#define TOOLS_MEASURE_TOPOLOGY_H

#include "analysis.h"
#include <inlay/measure.h>

typedef struct inlay_cluster_fit {
    const inlay_raw_cluster *of;
    const char *name; /**< of its first host */
    inlay_figure
        arithmetic; /**< seconds of an operation: the median over its ranks, and the largest of their spreads */
    inlay_interconnect interconnect;
    inlay_pattern_fit pattern[INLAY_PATTERNS]; /**< no points where it was not measured */
} inlay_cluster_fit;

/** Zero-initialise. */
typedef struct inlay_metasystem_fit {
    const inlay_machine_fit *of;
    bool wanted[INLAY_PATTERNS];
    int clusters;
    inlay_cluster_fit *cluster; /**< ours */
} inlay_metasystem_fit;

/**
 * Fits the patterns that are wanted, and warns in `a` where a figure is doubtful. `a` has to live as long.
 * @param wanted  patterns that were measured
 * @return INLAY_NO_MEMORY; `result` is the caller's to clear where this succeeds
 */
int topology_make(inlay_machine_fit *a, const bool wanted[INLAY_PATTERNS], inlay_metasystem_fit *result);
void topology_clear(inlay_metasystem_fit *t);

/** Operations a second of a processor of a cluster. */
double topology_rate(const inlay_cluster_fit *cluster);

#endif
