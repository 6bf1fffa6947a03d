/* The layout of clusters on a machine with links: what layout_far.h makes of it. */
#ifndef LAYOUT_LINKS_H
#define LAYOUT_LINKS_H

#include "layout/placement.h"

/**
 * Place clusters so that no processor is longer at work than it must be, and then the traffic weighted with distance is
 * small. `place` is laid out in order already, which says where pinned clusters are; place->processor and
 * place->weighted_nearest are set. INLAY_NO_ANSWER where memory leaves a cluster without a processor.
 */
int links_layout(const problem *p, placement *place, inlay_diag *diag);

#endif
