/*
 * Clusters with modules of several cores: a cluster is as wide as the widest of them, and takes that many processors of one
 * host. Its modules stand in the list of the lowest; those of n cores in the n lowest.
 */
#ifndef LAYOUT_CORES_H
#define LAYOUT_CORES_H

#include "layout/placement.h"

/** Fills in the widths of all clusters, and gives their sum. */
int64_t cores_widths(const problem *p, const inlay_id *cluster_of, inlay_id clusters, inlay_id *width);

/** Whether the hosts have room for clusters like these, among the processors that may be used. */
int cores_fit(const problem *p, const inlay_id *cluster_of, inlay_id clusters, bool *fit, inlay_diag *diag);

/**
 * A cluster more for every processor that modules of several cores hold and to which none belongs: each module holds those
 * behind its own cluster's.
 */
int cores_widen(const problem *p, placement *place, inlay_diag *diag);

/**
 * Processors of all clusters: pinned ones where they are pinned, then the widest first, each on the first host with room. The
 * placement gets a cluster more for every further core. INLAY_NO_ANSWER without a message where they do not fit.
 */
int cores_lay_out(const problem *p, placement *place, inlay_diag *diag);

#endif
