/* The mapping's arrays, and the step that costs a finished placement. */
#ifndef MAPPING_MAPPING_H
#define MAPPING_MAPPING_H

#include "mapping/frame.h"
#include "mapping/problem.h"

struct inlay_mapping {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_summary summary;
    char time_frame_text[DECIMAL_TEXT];
    inlay_id *cluster_of;         /* of every module */
    inlay_id *home;               /* cluster of every data block */
    inlay_id *memory;             /* common memory of every data block, or -1 */
    inlay_cluster_info *clusters; /* pointing into the two lists that follow */
    inlay_id *modules;            /* cluster by cluster, in execution order */
    inlay_id *blocks;             /* cluster by cluster, by number */
    double *start;
    inlay_time critical_path, longest_module; /* the summary's bounds, exact */
};

/* Who is where, before anything is costed. */
typedef struct placement {
    const char *method;
    inlay_id clusters;
    inlay_id *cluster_of; /* of every module; clusters numbered by their smallest module */
    inlay_id *processor;  /* of every cluster */
    inlay_id *home;       /* cluster of every data block */
    inlay_id *memory;     /* common memory of every data block; -1 where memory is distributed */
    inlay_id reduced_from;
    double estimate_unreduced;                   /* as in inlay_summary */
    int64_t weighted_in_order, weighted_nearest; /* as in inlay_summary; -1 where there are none */
} placement;

void placement_clear(placement *place);

/** Allocates for `clusters` clusters; cluster_of is copied. Blocks are with their home modules. */
int placement_make(const problem *p, const char *method, const inlay_id *cluster_of, inlay_id clusters,
                   placement *result, inlay_diag *diag);

/**
 * Layout: pinned clusters where they are pinned, the others in order; where the machine has distance, by nearest
 * placement and exchanges (nearest.h).
 */
int placement_lay_out(const problem *p, placement *place, inlay_diag *diag);

/** Pinned clusters where they are pinned, the others in order on the processors that are left. */
int placement_in_order(const problem *p, placement *place, inlay_diag *diag);

/**
 * Move data blocks to the cluster whose modules use them most (in the unit of capacity), where its memory and `limit` (INT64_MAX: time does not
 * bind) admit it.
 * @param next  the least sum of work rejected for time: lowered, never raised. May be NULL.
 */
int placement_move_blocks(const problem *p, placement *place, inlay_time limit, inlay_time *next, inlay_diag *diag);

/** Sum of c_ij d_kl: traffic between clusters in the unit of capacity, times the distance of their processors. */
int64_t placement_weighted_traffic(const problem *p, const placement *place);

/**
 * What makes the network's utilisation: the weighted traffic; on a machine with links, for how long the busiest of them is
 * at work.
 */
int placement_demand(const problem *p, const placement *place, double *demand, inlay_diag *diag);

/** A mapping without a time frame, and without any figure that takes one or is slow: what a simulation asks for. */
int mapping_without_cost(const problem *p, const placement *place, inlay_mapping **mapping, inlay_diag *diag);

/** Cost and estimate. INLAY_NO_ANSWER without a message where the network is saturated within that frame. */
int mapping_cost(const problem *p, const placement *place, const frame *time_frame, inlay_mapping **mapping,
                 inlay_diag *diag);

#endif
