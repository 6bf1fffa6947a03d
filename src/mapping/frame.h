/* The time frame T: the exact decimal it stands for, and the largest sum of grains that it admits. */
#ifndef MAPPING_FRAME_H
#define MAPPING_FRAME_H

#include "base/decimal.h"
#include "mapping/problem.h"

typedef struct frame {
    inlay_decimal exact; /**< in the application's unit */
    inlay_time limit;    /**< grains, rounded down: work <= limit exactly where work <= T */
    double value;
    bool given;
} frame;

/** T from an exact decimal; false where it passes 64 bits (then no work is above it: the limit is the largest). */
frame frame_of(const problem *p, inlay_decimal exact, bool given);

/** T of a number of grains. */
frame frame_of_grains(const problem *p, inlay_time grains);

/** options->time_frame in the application's unit. */
int frame_from_options(const problem *p, frame *result, inlay_diag *diag);

/** max(largest work, total work / P) */
int frame_default(const problem *p, inlay_time largest_work, frame *result, inlay_diag *diag);

/** The least T, to 12 digits, at which this traffic leaves the network below its limit. */
int frame_above_saturation(const problem *p, int64_t traffic, frame *result, inlay_diag *diag);

/**
 * Omega networks delay without bound towards saturation, buses do not: where T was raised to the edge of it, a warning
 * says what a message takes there, and what at half the load.
 */
void frame_warn_delay(const problem *p, int64_t traffic, const frame *raised, inlay_diag *diag);

#endif
