/*
 * Layout on machines whose processors stand in groups: distance 1 within a group, 2 from group to group. Section 4 of
 * CSD-TR-86-576, rule 3 (omega, processor to processor), and pairwise exchanges after it.
 */
#ifndef LAYOUT_NEAREST_H
#define LAYOUT_NEAREST_H

#include "layout/placement.h"

/**
 * Place clusters so that the traffic weighted with distance is small. `place` is laid out already, which says where
 * pinned clusters are; place->processor and place->weighted_nearest are set.
 *
 * Nearest placement: the cluster with most traffic to those that have a place goes to the group to which it has most
 * traffic, and to its lowest free processor. Exchanges: while some cluster gains by changing places with one of another
 * group, or with a free processor there, the best change for it is made, group by group. All ties go to the lower number.
 */
int nearest_layout(const problem *p, placement *place, inlay_diag *diag);

#endif
