/* All work over what processors of several kinds can do. */
#ifndef PROBLEM_WORK_BOUND_H
#define PROBLEM_WORK_BOUND_H

#include <inlay/app.h>

typedef struct work_question {
    int kinds;
    const inlay_id *count; /**< processors of each kind */
    inlay_id processors;   /**< that take part: the best of them */
    inlay_id modules;
    const double *time; /**< by module, then kind; INFINITY where it may not run */
} work_question;

/**
 * The bound, and in `weight` what it has been found with, of every kind above 0 at first. Processors of kind k get a weight
 * w_k. Whoever runs module i takes t_ik of its kind, so that within B
 *
 *     sum over i of min over k of w_k t_ik  <=  B x (the sum of the P largest weights),
 *
 * each kind counted as often as there are processors of it: any weights give a bound, and the best ones that of the linear
 * program whose dual this is. The search moves one weight at a time.
 */
double work_bound(const work_question *q, double *weight);

#endif
