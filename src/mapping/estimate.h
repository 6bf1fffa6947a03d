/* The closed-form estimate of the elapsed time: one pass over the modules in execution order. */
#ifndef MAPPING_ESTIMATE_H
#define MAPPING_ESTIMATE_H

#include "mapping/mapping.h"

typedef struct estimator {
    const problem *p;
    const inlay_id *order; /**< execution_order() */
    const placement *place;
    double *m, *start, *free_at; /**< scratch: times as doubles, starts, end of the last module of a cluster */
} estimator;

/** `order` and `place` have to outlive the estimator. */
int estimator_make(const problem *p, const inlay_id *order, const placement *place, estimator *result,
                   inlay_diag *diag);
void estimator_clear(estimator *e);

/** Elapsed time E with that time of one unit of traffic, in the application's unit; e->start is filled in. */
double estimate_at(estimator *e, double tau);

/**
 * E with T = E at that weighted traffic: the time frame that equals the estimate under the utilisation that it makes itself. NaN where no
 * time frame below saturation has it.
 */
int estimate_fixed_point(estimator *e, double traffic, double *result, inlay_diag *diag);

#endif
