/* Sizes of a share that take at most a time: what partitions by equal time are made of. */
#ifndef CURVES_CURVES_H
#define CURVES_CURVES_H

#include <inlay/curves.h>

/** Sizes from `low` to `high`. */
typedef struct curve_span {
    int64_t low, high;
} curve_span;

/** The largest size up to `most` that fits. */
int64_t curve_limit(const inlay_curve *curve, int64_t most);

/**
 * The sizes from 0 to `most`, and that fit, whose time is at most `time`: rising spans that do not touch, the first one
 * from 0 on. `span` has room for curve->points + 2. Returns how many.
 */
size_t curve_within(const inlay_curve *curve, double time, int64_t most, curve_span *span);

/** inlay_curves_partition() without a warning. */
int curve_partition(const inlay_curve *curve, size_t devices, int64_t units, int64_t *share, inlay_curve_result *result,
                    inlay_diag *diag);

#endif
