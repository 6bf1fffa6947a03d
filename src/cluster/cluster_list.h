/*
 * Clusters become a schedule of P processors by a list, as in LLB: A. Radulescu, A. J. C. van Gemund and H.-X. Lin, "LLB: a
 * fast and effective scheduling algorithm for distributed-memory systems", IPPS/SPDP 1999.
 */
#ifndef CLUSTER_CLUSTER_LIST_H
#define CLUSTER_CLUSTER_LIST_H

#include "problem/problem.h"

/** What limits that clusters become one: they are of one pin, and fit the largest memory together. */
typedef struct cluster_limits {
    int64_t memory;
    inlay_id pin; /**< -1: none */
} cluster_limits;

cluster_limits cluster_limits_of(const problem *p, inlay_id module);

/** Whether two may be one, which `into` is then. */
bool cluster_limits_join(const problem *p, cluster_limits *into, cluster_limits other);

/**
 * Modules go by falling upward rank, as in heft. The first of a cluster that comes goes where it ends first, and the others
 * behind it; one that may not be there goes where it ends first. Where there are no more clusters than processors, each
 * has one of its own, as long as there is one where its first may be.
 * @param cluster_of  of every module, below `clusters`, of which some may have none
 * @param booked      messages are booked (booking.h), as in heft-contention
 */
int cluster_list_place(const problem *p, const inlay_id *cluster_of, inlay_id clusters, bool booked,
                       inlay_id *processor_of, inlay_id *order, inlay_diag *diag);

/**
 * The same list where every module has a processor already, and messages are booked: an order for it.
 * @return INLAY_NO_ANSWER too, where pins, memory or hosts do not allow it
 */
int cluster_list_order(const problem *p, const inlay_id *processor_of, inlay_id *order, inlay_diag *diag);

#endif
