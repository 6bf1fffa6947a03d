/*
 * The last step of a reduction on processors that differ: more clusters than processors are dealt out as the speeds are.
 *
 * H1 and H2 make clusters of about the same work. So they stop at as many clusters as processors of the slowest kind would
 * make up for all; then a processor gets several of them, as many as it is faster.
 */
#ifndef CLUSTER_PACK_H
#define CLUSTER_PACK_H

#include "cluster/partition.h"

/** At how many clusters the reduction for P unlike processors stops and packing begins; at least P, at most 8 P. */
inlay_id pack_begin(const problem *p, inlay_id processors);

/**
 * Merge clusters until every one of the fastest P processors has one: heaviest first, to the processor on which it ends
 * first, or to one with more traffic to it that keeps within its share of the work. Pins and memory are kept, and `limit`
 * (grains at the fastest speed; INT64_MAX: none); what fits nowhere stays a cluster by itself, so that more than P are
 * left. INLAY_NO_MEMORY without a message.
 */
int pack_clusters(partition *part, inlay_id processors, inlay_time limit);

#endif
