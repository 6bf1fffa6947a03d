/*
 * One mapping at one time frame, and the search for a time frame at which there is one.
 */
#ifndef MAPPING_SOLVE_H
#define MAPPING_SOLVE_H

#include "cluster/method.h"
#include "layout/placement.h"
#include "problem/frame.h"

/* What clustering and reduction came to at one time frame. */
typedef struct attempt {
    inlay_id *cluster_of; /**< of every module, numbered by smallest module */
    inlay_id clusters;
    inlay_id seats;         /**< processors that they take: one each, or as many as their widest module has cores */
    inlay_id reduced_from;  /**< -1 where nothing was reduced */
    inlay_id *processor;    /**< of every cluster, where the method says so; else NULL */
    inlay_id *order;        /**< all modules as their processors run them, where the method says so; else NULL */
    inlay_id *unreduced_of; /**< cluster_of before a reduction that came after the clustering; else NULL */
    double demand;          /**< placement_demand() where mapping would leave the clusters */
    double longest;      /**< where processors differ: time of the longest cluster on the processor it gets; else 0 */
    inlay_winner winner; /**< of method "best" */
    inlay_time next;     /**< least sum of work rejected for time; INT64_MAX where none was */
} attempt;

void attempt_clear(attempt *a);

/** Cluster, and reduce where there are more clusters than processors; T must admit every module alone where it binds. */
int attempt_at(const problem *p, const frame *time_frame, bool want_next, attempt *result, inlay_diag *diag);

/** An attempt of every module on some processor; what the network is asked for is not found. */
int attempt_of_places(const problem *p, const inlay_id *processor_of, const inlay_id *order, attempt *result,
                      inlay_diag *diag);

/** What the network is asked for, and how long the longest cluster is. */
int attempt_measure(const problem *p, const frame *time_frame, attempt *a, inlay_diag *diag);

/** The attempt's clusters with their blocks, and on their processors unless there are too few of them. */
int attempt_place(const problem *p, const frame *time_frame, attempt *a, placement *place, inlay_diag *diag);

/** Whether every cluster has a processor, and where processors differ one that keeps a T that was given. */
bool attempt_fits(const problem *p, const attempt *a, const frame *time_frame);

/** The most work that must stand on one processor: of a module, or of modules pinned together. */
int largest_start(const problem *p, inlay_time *work, inlay_id *module, inlay_diag *diag);

/**
 * The least time frame from `from` on at which the attempt has at most P clusters and the network is below its limit.
 * @param least  false where the search was cut short: a time frame that works, not surely the least
 * INLAY_NO_ANSWER without a message where no time frame helps.
 */
int least_frame(const problem *p, const frame *from, frame *result, bool *least, inlay_diag *diag);

/** The same where the attempt at `from` saturates the network; a method that chooses processors itself is not run again. */
int attempt_frame(const problem *p, const attempt *a, const frame *from, frame *result, bool *least, inlay_diag *diag);

#endif
