/* The closed-form estimate of the elapsed time: one pass over the modules in execution order. */
#ifndef MAPPING_ESTIMATE_H
#define MAPPING_ESTIMATE_H

#include "mapping/problem.h"

typedef struct estimator {
    const problem *p;
    const inlay_id *order;      /**< execution_order() */
    const inlay_id *cluster_of; /**< of every module */
    inlay_id clusters;
    double *m, *start, *free_at; /**< scratch: times as doubles, starts, end of the last module of a cluster */
} estimator;

int estimator_make(const problem *p, const inlay_id *order, const inlay_id *cluster_of, inlay_id clusters,
                   estimator *result, inlay_diag *diag);
void estimator_clear(estimator *e);

/** Elapsed time E with that time of one unit of traffic, in the application's unit; e->start is filled in. */
double estimate_at(estimator *e, double tau);

/**
 * E with T = E: the time frame that equals the estimate under the utilisation that it makes itself. NaN where no
 * time frame below saturation has it.
 */
int estimate_fixed_point(estimator *e, int64_t traffic, double *result, inlay_diag *diag);

#endif
