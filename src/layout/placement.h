/* Who is where, before anything is costed. */
#ifndef LAYOUT_PLACEMENT_H
#define LAYOUT_PLACEMENT_H

#include "problem/order.h"

typedef struct placement {
    const char *method;
    inlay_id clusters;
    inlay_id *cluster_of; /* of every module; clusters numbered by their smallest module */
    inlay_id *processor;  /* of every cluster */
    inlay_id *home;       /* cluster of every data block */
    order_lists lists;    /* in which order clusters run their modules; without arrays: by the rule */
    int64_t *guest_begin; /* modules + 1: further clusters, of modules of several cores; NULL: there are none */
    inlay_id *guest;
    inlay_id *memory; /* common memory of every data block; -1 where memory is distributed */
    inlay_id reduced_from;
    double estimate_unreduced;                   /* as in inlay_summary */
    inlay_winner winner;                         /* likewise */
    int64_t weighted_in_order, weighted_nearest; /* as in inlay_summary; -1 where there are none */
} placement;

void placement_clear(placement *place);

/** Allocates for `clusters` clusters; cluster_of is copied. Blocks are with their home modules. */
int placement_make(const problem *p, const char *method, const inlay_id *cluster_of, inlay_id clusters,
                   placement *result, inlay_diag *diag);

/** Clusters run their modules as they stand in `order`, which has all of them once. */
int placement_set_order(const problem *p, placement *place, const inlay_id *order, inlay_diag *diag);

/** The same as lists, for whoever owns them. INLAY_NO_MEMORY without a message. */
int placement_list(const problem *p, const placement *place, const inlay_id *order, order_lists *lists);

/**
 * Layout: pinned clusters where they are pinned, the others in order; where the machine has distance, by nearest
 * placement and exchanges (nearest.h).
 */
int placement_lay_out(const problem *p, placement *place, inlay_diag *diag);

/** Pinned clusters where they are pinned, the others in order on the processors that are left. */
int placement_in_order(const problem *p, placement *place, inlay_diag *diag);

/**
 * Move data blocks to the cluster whose modules use them most (in the unit of capacity), where its memory and `limit`
 * (INT64_MAX: time does not bind) admit it. Of a method that places, the clusters have their processors already.
 * @param next  the least sum of work rejected for time: lowered, never raised. May be NULL.
 */
int placement_move_blocks(const problem *p, placement *place, inlay_time limit, inlay_time *next, inlay_diag *diag);

/** Sum of c_ij d_kl: traffic between clusters in the unit of capacity, times the distance of their processors. */
int placement_weighted_traffic(const problem *p, const placement *place, int64_t *result, inlay_diag *diag);

/**
 * What makes the network's utilisation: the weighted traffic, less what common memories spare (sent.h); on a machine with links, for how long the busiest of them is
 * at work.
 */
int placement_demand(const problem *p, const placement *place, double *demand, inlay_diag *diag);

#endif
