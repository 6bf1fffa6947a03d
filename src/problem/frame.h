/* The time frame T: the exact decimal it stands for, and the largest sum of grains that it admits. */
#ifndef PROBLEM_FRAME_H
#define PROBLEM_FRAME_H

#include "base/decimal.h"
#include "problem/problem.h"

typedef struct frame {
    inlay_decimal exact; /**< in the application's unit */
    inlay_time limit; /**< grains at the fastest processor's speed, rounded down: work <= limit exactly where it fits */
    double value;
    bool given;
} frame;

/** T from an exact decimal; false where it passes 64 bits (then no work is above it: the limit is the largest). */
frame frame_of(const problem *p, inlay_decimal exact, bool given);

/** The time in which a processor of that speed does a number of grains of work, of 10^-decimals units each. */
inlay_decimal frame_decimal(inlay_time grains, int decimals, double speed);

/** T within which a number of grains of work is done at the fastest processor's speed. */
frame frame_of_grains(const problem *p, inlay_time grains);

/** options->time_frame in the application's unit. */
int frame_from_options(const problem *p, frame *result, inlay_diag *diag);

/** max(largest work, total work / P) */
int frame_default(const problem *p, inlay_time largest_work, frame *result, inlay_diag *diag);

/** The least T, to 12 digits, at which this traffic (weighted, or with links the demand) leaves the network below its limit. */
int frame_above_saturation(const problem *p, double traffic, frame *result, inlay_diag *diag);

/** Delays grow without bound towards saturation: where nobody asked for the T that T was raised to, it is doubled. */
frame frame_eased(const problem *p, const frame *raised);

#endif
